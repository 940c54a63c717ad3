/**
 * Where the phases of contacts end inside a step, and what follows: events of the equations of
 * `contact-energies.ts`. Each phase has a margin that is positive inside it,
 *
 *     compression  −ẏ,     expansion  min(ẏ, u),     open  ẏ.
 */
import { COMPRESSION, type ContactEnergies, EXPANSION, type ImpulseStep, OPEN } from './contact-energies';

/**
 * Velocities and indentations below this, in units of the data, are rounding of W P: no phase ends by them.
 */
const BAND = 1e-13;
/**
 * Indentations and energies below which a contact that expands has released all: impulses of 1e-12 are left.
 */
const RELEASED_INDENTATION = 1e-12;
const RELEASED_ENERGY = 1e-24;
/**
 * Part of its impulse below which what a contact has yet to give is rounding. Contacts that are released
 * together, as the corners of a box, have infinite du_i/dP_j at their common end, and steps that shrink
 * towards it with what is left.
 */
const GIVEN = 64 * Number.EPSILON;
/** Brackets are halved at least every third time, so that this is enough for all digits. */
const MOST_TRIALS = 100;
/** Brackets narrower than this part of the step are a place, as are margins below the second value. */
const PLACE = 1e-15;
const LOCATED = 0.25 * BAND;

export class PhaseEnds {
  /** work of compression by contact: energies that have been stored, up to the last end of a compression */
  readonly work: Float64Array;
  /** energy at the beginning of the compression */
  readonly #stored: Float64Array;
  /** ẏ at the beginning of the step */
  readonly #velocities: Float64Array;
  /** [0], [1]: bracket; [2], [3]: margins there */
  readonly #bracket = new Float64Array(4);

  constructor(
    private readonly energies: ContactEnergies,
    private readonly step: ImpulseStep,
    private readonly x: Float64Array,
  ) {
    this.work = new Float64Array(energies.count);
    this.#stored = new Float64Array(energies.count);
    this.#velocities = new Float64Array(energies.count);
  }

  begin(): void {
    this.work.fill(0);
    this.#stored.fill(0);
  }

  /** All contacts begin again, without energy. */
  restart(): void {
    this.#stored.fill(0);
  }

  /**
   * Takes over the step that has been made, up to the first end of a phase.
   * @param h [0]: its length, on return the length that was taken; 0 when phases ended at its beginning and
   *   no step was made
   * @returns whether it was taken whole
   */
  finish(h: Float64Array, tolerance: number): boolean {
    const { count: m } = this.energies;
    const { step, x } = this;
    this.energies.moveVelocities(x, 0);
    this.#velocities.set(this.energies.velocities);
    let ended = this.#firstEnded();
    const isWhole = ended < 0;
    let last = -1;
    while (ended >= 0) {
      if (!(this.#margin(ended, x, this.#velocities) > 0)) {
        this.#endAtBeginning();
        h[0] = 0;
        return false;
      }
      if (!this.#locate(ended, h, tolerance)) {
        h[0] = 0;
        return false;
      }
      last = ended;
      ended = this.#firstEnded();
    }
    x.set(step.next);
    this.#velocities.set(step.velocities);
    if (last >= 0) this.#end(last);
    for (let i = 0; i < m; i++) this.#release(i);
    return isWhole;
  }

  /** A contact whose margin is negative at the end of the step, or −1. */
  #firstEnded(): number {
    const { count: m } = this.energies;
    const { next, velocities } = this.step;
    for (let i = 0; i < m; i++) if (this.#margin(i, next, velocities) < -BAND) return i;
    return -1;
  }

  #margin(i: number, x: Float64Array, velocities: Float64Array): number {
    const { count: m, mode } = this.energies;
    const y = velocities[i];
    if (mode[i] === COMPRESSION) return -y;
    return mode[i] === OPEN ? y : Math.min(y, x[m + i]);
  }

  /** Phases that are over before the step has begun. */
  #endAtBeginning(): void {
    const { count: m } = this.energies;
    const { next, velocities } = this.step;
    for (let i = 0; i < m; i++) {
      if (!(this.#margin(i, next, velocities) < -BAND)) continue;
      if (!(this.#margin(i, this.x, this.#velocities) > 0)) this.#end(i);
    }
  }

  /**
   * Shortens the step to where a margin vanishes: regula falsi with the weights of the Illinois rule.
   * @returns false when a shorter step could not be made
   */
  #locate(i: number, h: Float64Array, tolerance: number): boolean {
    const { step, x } = this;
    const b = this.#bracket;
    const length = h[0];
    b[0] = 0;
    b[1] = length;
    b[2] = this.#margin(i, x, this.#velocities);
    b[3] = this.#margin(i, step.next, step.velocities);
    let lastSide = -1;
    for (let trial = 0; trial < MOST_TRIALS && b[1] - b[0] > PLACE * length; trial++) {
      const guess = b[0] + ((b[1] - b[0]) * b[2]) / (b[2] - b[3]);
      // Every third trial halves, for margins that are flat.
      h[0] = trial % 3 < 2 && guess > b[0] && guess < b[1] ? guess : 0.5 * (b[0] + b[1]);
      if (!step.make(x, h, tolerance)) break;
      const margin = this.#margin(i, step.next, step.velocities);
      if (Math.abs(margin) <= this.#located(i)) return true;
      const side = margin > 0 ? 0 : 1;
      if (side === lastSide) b[3 - side] *= 0.5;
      lastSide = side;
      b[side] = h[0];
      b[2 + side] = margin;
    }
    // The end of the bracket that lies inside the phase or, where that is the beginning, the other one: a
    // step must be made.
    h[0] = b[0] > 0 ? b[0] : b[1];
    return step.make(x, h, tolerance);
  }

  /**
   * Margins below this are zero: energies, of which impulses are left that go with their roots, must be
   * smaller.
   */
  #located(i: number): number {
    const { mode, primary } = this.energies;
    return i === primary && mode[i] === EXPANSION ? RELEASED_ENERGY : LOCATED;
  }

  /** The phase of a contact ends at the present state. */
  #end(i: number): void {
    const { energies, x } = this;
    const { count: m, mode } = energies;
    const value = x[m + i];
    if (mode[i] === COMPRESSION) {
      this.#gather(i);
      if (energies.isPlastic(i) || !(value > 0)) this.#open(i);
      else mode[i] = EXPANSION;
    } else if (mode[i] === EXPANSION && value <= this.#velocities[i]) this.#open(i);
    else {
      mode[i] = COMPRESSION;
      this.#stored[i] = this.#energy(i);
    }
  }

  /** A contact that has hardly any energy left opens. */
  #release(i: number): void {
    const { count: m, mode, primary } = this.energies;
    if (mode[i] !== EXPANSION) return;
    const left = this.energies.remainingImpulse(i, this.#energy(i), this.#velocities[i]);
    const isReleased = this.x[m + i] <= (i === primary ? RELEASED_ENERGY : RELEASED_INDENTATION);
    if (isReleased || left <= GIVEN * this.x[i]) this.#open(i);
  }

  #gather(i: number): void {
    this.work[i] += this.#energy(i) - this.#stored[i];
  }

  #energy(i: number): number {
    const { count: m, primary } = this.energies;
    const value = this.x[m + i];
    return i === primary ? Math.max(0, value) : this.energies.energy(i, value);
  }

  #open(i: number): void {
    this.energies.mode[i] = OPEN;
    this.x[this.energies.count + i] = 0;
  }
}
