/**
 * The balls of a line with springs between them, integrated in time: the compliant model of which the
 * energy-based law is the limit of infinite stiffness. The outcome does not depend on the stiffness: with
 * time in units of T, x in V T, all is the same for K T² V^(η−1)/m fixed. It shares nothing with the engine
 * but the statement of the model.
 */

export interface SpringChain {
  masses: readonly number[];
  /** K by contact */
  stiffness: readonly number[];
  /** η */
  exponent: number;
}

const power = (u: number, exponent: number): number =>
  exponent === 1.5 ? u * Math.sqrt(u) : exponent === 1 ? u : u ** exponent;

/** One step of the classical method of order 4 for y' = f(y). */
class RungeKutta4 {
  readonly #k: Float64Array[];
  readonly #at: Float64Array;

  constructor(
    private readonly size: number,
    private readonly rate: (y: Float64Array, into: Float64Array) => void,
  ) {
    this.#k = [0, 1, 2, 3].map(() => new Float64Array(size));
    this.#at = new Float64Array(size);
  }

  step(y: Float64Array, h: number): void {
    const [k1, k2, k3, k4] = this.#k;
    const at = this.#at;
    const n = this.size;
    this.rate(y, k1);
    for (let i = 0; i < n; i++) at[i] = y[i] + 0.5 * h * k1[i];
    this.rate(at, k2);
    for (let i = 0; i < n; i++) at[i] = y[i] + 0.5 * h * k2[i];
    this.rate(at, k3);
    for (let i = 0; i < n; i++) at[i] = y[i] + h * k3[i];
    this.rate(at, k4);
    for (let i = 0; i < n; i++) y[i] += (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
}

export interface Separated {
  velocities: Float64Array;
  /**
   * whether a contact that had opened closed again, with a gap that a law without displacements does not know
   */
  hasRecontact: boolean;
  time: number;
}

/**
 * m ẍ = K δ^η with positions, gaps included, without losses, until no spring is loaded and no ball catches up
 * with another.
 */
export function elasticChain(springs: SpringChain, v: Float64Array, h: number): Separated {
  const { masses, stiffness, exponent } = springs;
  const n = masses.length;
  const y = new Float64Array(2 * n);
  y.set(v, n);
  const method = new RungeKutta4(2 * n, (state, into) => {
    for (let i = 0; i < n; i++) {
      into[i] = state[n + i];
      into[n + i] = 0;
    }
    for (let i = 0; i + 1 < n; i++) {
      const indentation = state[i] - state[i + 1];
      if (indentation <= 0) continue;
      const force = stiffness[i] * power(indentation, exponent);
      into[n + i] -= force / masses[i];
      into[n + i + 1] += force / masses[i + 1];
    }
  });
  const hasOpened = new Uint8Array(n);
  let hasRecontact = false;
  let time = 0;
  for (let isOver = false; !isOver; time += h) {
    method.step(y, h);
    isOver = true;
    for (let i = 0; i + 1 < n; i++) {
      const isOpen = y[i] - y[i + 1] <= 0;
      if (!isOpen || y[n + i] > y[n + i + 1]) isOver = false;
      if (isOpen && y[i] - y[i + 1] < -1e-9) hasOpened[i] = 1;
      if (!isOpen && hasOpened[i] === 1) hasRecontact = true;
    }
    if (time > 1e4) throw new Error('the balls do not separate');
  }
  return { velocities: y.slice(n), hasRecontact, time };
}

/**
 * With losses: springs of two stiffnesses, K in loading and K/e^(2η) in unloading, which meet at the largest
 * force. As states the indentations u with F = K u^η: u' = −ẏ in loading, −ẏ/e² in unloading; a contact
 * without force that separates keeps u = 0. For e = 0 all is lost at once.
 */
export function lossyChain(
  springs: SpringChain,
  restitution: readonly number[],
  v: Float64Array,
  h: number,
): { velocities: Float64Array; work: Float64Array } {
  const { masses, stiffness, exponent } = springs;
  const n = masses.length;
  const m = n - 1;
  const y = new Float64Array(2 * m + n);
  y.set(v);
  const rate = (state: Float64Array, into: Float64Array): void => {
    into.fill(0);
    for (let i = 0; i < m; i++) {
      const e = restitution[i];
      const opening = state[i + 1] - state[i];
      const u = Math.max(0, state[n + i]);
      const force = stiffness[i] * power(u, exponent);
      into[i] -= force / masses[i];
      into[i + 1] += force / masses[i + 1];
      if (opening < 0) {
        into[n + i] = -opening;
        into[n + m + i] = -opening * force;
      } else if (u > 0 && e > 0) into[n + i] = -opening / e ** 2;
    }
  };
  const method = new RungeKutta4(y.length, rate);
  const old = new Float64Array(y.length);
  for (let time = 0, isOver = false; !isOver; time += h) {
    old.set(y);
    method.step(y, h);
    // A step in which a phase changes is made in two parts, at the place that linear interpolation gives.
    let part = 1;
    for (let i = 0; i < m; i++) {
      const a = old[i + 1] - old[i];
      const b = y[i + 1] - y[i];
      if (a * b < 0 && old[n + i] > 0) part = Math.min(part, a / (a - b));
    }
    if (part < 1) {
      y.set(old);
      method.step(y, h * part);
      settle(y);
      method.step(y, h * (1 - part));
    }
    settle(y);
    isOver = true;
    for (let i = 0; i < m; i++) {
      // Losses may go on for ever: what is left gives velocities of 1e-9.
      const hasEnergy = stiffness[i] * power(Math.max(0, y[n + i]), exponent) * y[n + i] > 1e-18;
      if (hasEnergy || y[i + 1] < y[i] - 1e-9) isOver = false;
    }
    if (time > 1e4) throw new Error('the balls do not separate');
  }
  return { velocities: y.slice(0, n), work: y.slice(n + m) };

  function settle(state: Float64Array): void {
    for (let i = 0; i < m; i++) {
      const isLost = restitution[i] === 0 && state[i + 1] - state[i] > -1e-15;
      if (state[n + i] < 0 || isLost) state[n + i] = 0;
    }
  }
}
