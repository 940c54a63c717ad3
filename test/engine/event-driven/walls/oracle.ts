/**
 * The motion of masses on walls that move, computed apart from the engine: by its Taylor series, in steps
 * that end at corners, with the laws of contacts written out for masses that share nothing but springs.
 */
import { type Drawn, G, type Piece, jet } from './drawn';

const DEGREE = 14;
const STEP = 0.01;
const SAMPLES = 16;
/** Gaps and relative speeds that count as none. */
const CLOSED = 1e-13;
const REST = 1e-11;
/** Forces that count as none, N. */
const NO_FORCE = 1e-9;
/** Height of a bounce that is left out, m. */
const LOWEST = 1e-13;

type Series = Float64Array;

/** The present motion, and forces of contacts. */
interface Motion {
  readonly y: readonly Series[];
  readonly walls: readonly Series[];
  readonly lambda: readonly Series[];
  readonly x: Series;
  readonly belt: Series;
  /** friction */
  readonly along: Series;
}

const valueOf = (series: Series, s: number): number => {
  let value = 0;
  for (let k = DEGREE; k >= 0; k--) value = value * s + series[k];
  return value;
};

const rateOf = (series: Series, s: number): number => {
  let value = 0;
  for (let k = DEGREE; k >= 1; k--) value = value * s + k * series[k];
  return value;
};

/** Sign of what a function is just behind a place, by its first coefficient that is not zero. */
function signOf(series: Series, zeros: readonly number[]): number {
  for (let k = 0; k < zeros.length; k++) if (Math.abs(series[k]) > zeros[k]) return Math.sign(series[k]);
  return 0;
}

export class Oracle {
  time = 0;
  readonly y: number[];
  readonly v: number[];
  x: number;
  u: number;
  impacts = 0;
  readonly #isClosed: boolean[];
  /** of the slip: 0 while it is zero */
  #side = 0;
  #corners: readonly number[];

  constructor(private readonly model: Drawn) {
    const { masses, belt } = model;
    this.y = masses.map(({ y0 }) => y0);
    this.v = masses.map(({ v0 }) => v0);
    this.#isClosed = masses.map(() => false);
    this.x = belt?.x0 ?? 0;
    this.u = belt?.u0 ?? 0;
    const all = [...masses.map(({ wall }) => wall), belt?.belt ?? []].flat();
    this.#corners = [...new Set(all.map(({ from }) => from))]
      .filter((time) => time > 0)
      .sort((a, b) => a - b);
    this.#decide();
  }

  #piece(pieces: readonly Piece[]): Piece {
    return pieces.filter(({ from }) => from <= this.time).at(-1) ?? pieces[0];
  }

  #shifted(pieces: readonly Piece[]): Series {
    const [a, b, c, d] = jet(this.#piece(pieces), this.time);
    const series = new Float64Array(DEGREE + 1);
    series.set([a, b, c / 2, d / 6]);
    return series;
  }

  /** Springs and weight on a mass: term n of the series. */
  #force(i: number, n: number, y: readonly Series[]): number {
    const { masses } = this.model;
    let force = (n === 0 ? -masses[i].m * G : 0) - masses[i].k * y[i][n];
    if (i + 1 < masses.length) force += masses[i].toNext * (y[i + 1][n] - y[i][n]);
    if (i > 0) force += masses[i - 1].toNext * (y[i - 1][n] - y[i][n]);
    return force;
  }

  /** Series of the present motion, and of what watches it. */
  #series(): Motion {
    const { masses, belt } = this.model;
    const none = (): Series => new Float64Array(DEGREE + 1);
    const walls = masses.map(({ wall }) => this.#shifted(wall));
    const y = masses.map((_, i) => {
      const series = none();
      if (this.#isClosed[i]) series.set(walls[i]);
      else series.set([this.y[i], this.v[i]]);
      return series;
    });
    for (let n = 0; n + 2 <= DEGREE; n++)
      masses.forEach(({ m }, i) => {
        if (!this.#isClosed[i]) y[i][n + 2] = this.#force(i, n, y) / (m * (n + 2) * (n + 1));
      });
    const lambda = masses.map(({ m }, i) => {
      const series = none();
      for (let n = 0; n + 2 <= DEGREE; n++)
        series[n] = m * (n + 2) * (n + 1) * walls[i][n + 2] - this.#force(i, n, y);
      return series;
    });
    const [x, moving, along] = [none(), none(), none()];
    if (belt !== null) {
      const { m } = masses[0];
      moving.set(this.#shifted(belt.belt));
      x.set([this.x, this.u]);
      const isSticking = this.#isClosed[0] && this.#side === 0;
      if (isSticking) {
        x.set(moving.subarray(1), 1);
        for (let n = 0; n + 2 <= DEGREE; n++) along[n] = m * (n + 2) * (n + 1) * x[n + 2] + belt.k * x[n];
      } else
        for (let n = 0; n + 2 <= DEGREE; n++) {
          if (this.#isClosed[0]) along[n] = -this.#side * belt.mu * lambda[0][n];
          x[n + 2] = (along[n] - belt.k * x[n]) / (m * (n + 2) * (n + 1));
        }
    }
    return { y, walls, lambda, x, belt: moving, along };
  }

  /** Impacts and modes at the present. */
  #decide(): void {
    const { masses, belt } = this.model;
    const wasClosed = this.#isClosed.slice();
    masses.forEach(({ m, e, wall }, i) => {
      const [w, rate] = jet(this.#piece(wall), this.time);
      this.#isClosed[i] = false;
      if (this.y[i] - w > (wasClosed[i] ? 1e-9 : CLOSED)) return;
      this.y[i] = w;
      let speed = this.v[i] - rate;
      if (speed < -REST) {
        this.impacts++;
        const series = this.#series();
        const acceleration = 2 * (series.y[i][2] - series.walls[i][2]);
        const after = -e * speed;
        const isLow = acceleration < 0 && after * after < -2 * acceleration * LOWEST;
        const impulse = m * ((isLow ? 0 : after) - speed);
        if (belt !== null) {
          const slip = this.u - jet(this.#piece(belt.belt), this.time)[1];
          const stop = Math.min(Math.abs(slip), (belt.mu * impulse) / m);
          this.u -= Math.sign(slip) * stop;
        }
        speed = isLow ? 0 : after;
        this.v[i] = rate + speed;
      }
      if (speed > REST) return;
      this.v[i] = rate;
      this.#isClosed[i] = true;
    });
    // Which contacts push depends on neighbours by their positions alone, as springs do.
    this.#series().lambda.forEach((lambda, i) => {
      if (this.#isClosed[i] && signOf(lambda, [NO_FORCE, NO_FORCE, NO_FORCE]) < 0) this.#isClosed[i] = false;
    });
    if (belt === null || !this.#isClosed[0]) return;
    const slip = this.u - jet(this.#piece(belt.belt), this.time)[1];
    if (Math.abs(slip) > 10 * REST) {
      this.#side = Math.sign(slip);
      return;
    }
    this.u -= slip;
    this.#side = 0;
    const { lambda, along } = this.#series();
    const room = (side: number): number =>
      signOf(
        lambda[0].map((value, n) => belt.mu * value - side * along[n]),
        [NO_FORCE, NO_FORCE, NO_FORCE],
      );
    // The mass slides back where the belt is too fast for it.
    if (room(1) < 0) this.#side = -1;
    else if (room(-1) < 0) this.#side = 1;
  }

  /** Functions that are below −1 where the motion is no longer the present one. */
  #watched(motion: Motion): ((s: number) => number)[] {
    const { belt } = this.model;
    const { y, walls, lambda, x, belt: moving, along } = motion;
    const all = y.map((_, i) =>
      this.#isClosed[i]
        ? (s: number): number => valueOf(lambda[i], s) / NO_FORCE
        : (s: number): number => (valueOf(y[i], s) - valueOf(walls[i], s)) / (0.1 * CLOSED),
    );
    if (belt === null || !this.#isClosed[0]) return all;
    if (this.#side !== 0) all.push((s) => (this.#side * (rateOf(x, s) - rateOf(moving, s))) / REST);
    else
      for (const side of [1, -1])
        all.push((s) => (belt.mu * valueOf(lambda[0], s) - side * valueOf(along, s)) / NO_FORCE);
    return all;
  }

  /** The first place in (0, end] at which one of the functions is below −1; Infinity where there is none. */
  #first(functions: readonly ((s: number) => number)[], end: number): number {
    const isOut = (s: number): boolean => functions.some((one) => one(s) < -1);
    for (let k = 1; k <= SAMPLES; k++) {
      let [a, b] = [((k - 1) / SAMPLES) * end, (k / SAMPLES) * end];
      if (!isOut(b)) continue;
      // From where nothing has happened to where something has.
      for (let bisection = 0; bisection < 60 && a < b; bisection++) {
        const middle = 0.5 * (a + b);
        if (middle === a || middle === b) break;
        if (isOut(middle)) b = middle;
        else a = middle;
      }
      return b;
    }
    return Infinity;
  }

  /** @param until s */
  advance(until: number): void {
    for (let rounds = 0; this.time < until; rounds++) {
      if (rounds > 10_000) throw new Error(`the oracle does not go on at ${this.time} s`);
      const corner = this.#corners.find((time) => time > this.time) ?? Infinity;
      const target = Math.min(until, corner, this.time + STEP);
      const series = this.#series();
      const elapsed = target - this.time;
      const root = this.#first(this.#watched(series), elapsed);
      const s = Math.min(root, elapsed);
      this.y.forEach((_, i) => {
        this.y[i] = valueOf(series.y[i], s);
        this.v[i] = rateOf(series.y[i], s);
      });
      this.x = valueOf(series.x, s);
      this.u = rateOf(series.x, s);
      if (root >= elapsed) this.time = target;
      else this.time += root;
      if (root <= elapsed || target === corner) this.#decide();
    }
  }
}
