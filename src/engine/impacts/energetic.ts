/**
 * The energy-based law of several impacts at once (Liu, Zhao and Brogliato 2008 and 2009): waves of
 * compression run through the bodies, and how the energy is shared follows from ratios of contact
 * stiffnesses, the exponent η of the force, and for each contact the energetic coefficient of restitution e*
 * (Stronge 1990). The equations are those of `contact-energies.ts`; here they are integrated until all
 * contacts have released their energy and none approaches.
 *
 * Beginning. Where no contact has energy yet, those that approach have, to first order,
 *
 *     P_i ∝ K_i (−ẏ_i)^η,     E_i = P_i (−ẏ_i − ½ W_i· P),
 *
 * of a size that changes velocities by `FIRST`. Then the contact with the most energy is primary, and the
 * choice is made again after each step.
 *
 * Phases. A step is made with fixed phases of the contacts. Where one of them ends inside the step, the step
 * is made once more as long as leads to that place, found by bracketing:
 *
 *     compression until ẏ = 0, then expansion (e* = 0: open, the energy is lost);
 *     expansion until E = 0, then open, or until ẏ = 0, then compression again;
 *     open until ẏ < 0, then compression. A gap that has opened meanwhile counts as closed, as displacements
 *     do in any impact.
 *
 * End. With losses the recompressions may go on for ever, with energies that shrink geometrically. A contact
 * with the energy E has a speed of at most √(2 E W_ii) to give, so an impact is over when no contact
 * approaches faster than rest and Σ E ≤ ½ rest², W_ii ≤ 1. Rest is `REST_PER_SPEED`, or the tolerance where
 * that is larger: what is slower has not been resolved.
 *
 * A phase that begins and ends again within one step is not seen; error control sees no more of it than its
 * tolerance.
 *
 * Energy. T⁺ − T⁻ = −Σ (1 − e*_i²) W_c,i, with the work of compression W_c in `work`, which comes from the
 * energies stored, while T comes from the impulses. The difference is a measure of the error of integration.
 */
import { type ImpactRows, REST_PER_SPEED, approaches, balance, measureData } from './impact-rows';
import { COMPRESSION, ContactEnergies, ImpulseStep, OPEN, EXPANSION } from './contact-energies';
import type { ImpactLaw, ImpactResult } from './status';

export interface EnergeticSettings {
  /** K by contact, in any unit: only ratios count */
  stiffness: Float64Array;
  /** e* by contact */
  restitution: Float64Array;
  /** η ≥ 1: 1 linear, 3/2 Hertz */
  exponent: number;
  /** of one step, for impulses and indentations in units of the data */
  tolerance: number;
  /** largest number of steps, refused ones included */
  maxSteps: number;
}

/** Change of velocities by which an impact begins; the next term, its square, is below rounding. */
const FIRST = 1e-9;
/** Safety of the step length, and the limits of its change. */
const SAFETY = 0.9;
const LEAST_STEP_RATIO = 0.2;
const MOST_STEP_RATIO = 5;

export class EnergeticImpacts implements ImpactLaw {
  readonly impulse: Float64Array;
  readonly compression = null;
  /** W_c by contact, J */
  readonly work: Float64Array;
  readonly #energies: ContactEnergies;
  readonly #step: ImpulseStep;
  readonly #ends: PhaseEnds;
  /** P, then u or E, by contact */
  readonly #x: Float64Array;
  /** [0]: growth of the primary impulse in the next step */
  readonly #h = new Float64Array(1);
  readonly #before: Float64Array;
  readonly #after: Float64Array;
  readonly #scales = new Float64Array(2);
  /** [0]: speed that counts as rest, in units of the data */
  readonly #rest = new Float64Array(1);

  constructor(
    private readonly rows: ImpactRows,
    private readonly settings: EnergeticSettings,
  ) {
    const m = rows.count;
    this.impulse = new Float64Array(m);
    this.work = new Float64Array(m);
    this.#before = new Float64Array(m);
    this.#after = new Float64Array(m);
    this.#x = new Float64Array(2 * m);
    this.#energies = new ContactEnergies(m);
    this.#step = new ImpulseStep(this.#energies);
    this.#ends = new PhaseEnds(this.#energies, this.#step, this.#x);
  }

  solve(velocity: Float64Array, result: ImpactResult): void {
    const { rows, impulse, work, settings } = this;
    impulse.fill(0);
    work.fill(0);
    result.status = 'separated';
    result.count = 0;
    result.energyChange = 0;
    rows.contactVelocities(velocity, this.#before);
    const scales = this.#scales;
    if (!measureData(rows.W, this.#before, settings.restitution, scales, result)) return;
    if (!this.#hasValidSettings()) {
      result.status = 'invalidData';
      return;
    }
    if (!approaches(this.#before, REST_PER_SPEED * scales[0])) return;
    const { stiffness, restitution, exponent } = settings;
    this.#energies.begin(rows.W, this.#before, scales, stiffness, restitution, exponent);
    this.#rest[0] = Math.max(REST_PER_SPEED, settings.tolerance);
    this.#integrate(result);
    this.#gatherImpulses();
    const unit = scales[0] / scales[1];
    const { work: stored } = this.#ends;
    for (let i = 0; i < rows.count; i++) {
      impulse[i] *= unit;
      work[i] = unit * scales[0] * stored[i];
    }
    rows.push(impulse, velocity);
    this.#after.set(this.#before);
    rows.changeVelocities(impulse, this.#after);
    balance(impulse, this.#before, this.#after, result);
  }

  #hasValidSettings(): boolean {
    const { stiffness, exponent, tolerance } = this.settings;
    for (let i = 0; i < this.rows.count; i++)
      if (!(stiffness[i] > 0 && stiffness[i] < Infinity)) return false;
    return exponent >= 1 && exponent < Infinity && tolerance > 0;
  }

  #integrate(result: ImpactResult): void {
    const { tolerance, maxSteps } = this.settings;
    const step = this.#step;
    const h = this.#h;
    this.#x.fill(0);
    this.#ends.begin();
    while (this.#choosePrimary() || this.#start()) {
      if (result.count++ === maxSteps) {
        result.count = maxSteps;
        result.status = 'stepLimit';
        return;
      }
      const place = this.#x[this.#energies.primary];
      if (place + h[0] === place) {
        result.status = 'stepTooSmall';
        return;
      }
      if (!step.make(this.#x, h, tolerance)) {
        h[0] *= 0.5;
        continue;
      }
      const error = step.error[0];
      const factor = Math.max(LEAST_STEP_RATIO, Math.min(MOST_STEP_RATIO, SAFETY * Math.pow(error, -0.2)));
      if (error > 1) {
        h[0] *= Math.min(SAFETY, factor);
        continue;
      }
      const length = h[0];
      const isWhole = this.#ends.finish(h, tolerance);
      // A step that a phase has cut short says nothing against a long one.
      h[0] = isWhole ? factor * length : h[0] === 0 ? 0.5 * length : length;
    }
  }

  /** Adds the impulses of the state to the sum, and begins them again from the present velocities. */
  #gatherImpulses(): void {
    const energies = this.#energies;
    const x = this.#x;
    energies.moveVelocities(x, 0);
    for (let i = 0; i < energies.count; i++) {
      this.impulse[i] += x[i];
      energies.before[i] = energies.velocities[i];
      x[i] = 0;
    }
  }

  /** The contact with the most energy becomes primary. @returns whether one has any that matters */
  #choosePrimary(): boolean {
    const energies = this.#energies;
    const { count: m, mode, primary } = energies;
    const x = this.#x;
    const rest = this.#rest[0];
    let best = -1;
    let largest = 0;
    let total = 0;
    for (let i = 0; i < m; i++) {
      if (mode[i] === OPEN) continue;
      const energy = i === primary ? x[m + i] : energies.energy(i, x[m + i]);
      if (!(energy > 0)) continue;
      total += energy;
      if (!(energy > largest)) continue;
      largest = energy;
      best = i;
    }
    if (best < 0 || (total <= 0.5 * rest * rest && !this.#approaches())) return false;
    if (best === primary) return true;
    const force = energies.force(primary, x[m + primary], true);
    if (force > 0) this.#h[0] *= energies.force(best, x[m + best], false) / force;
    x[m + primary] = energies.indentation(primary, x[m + primary]);
    x[m + best] = largest;
    energies.primary = best;
    return true;
  }

  #approaches(): boolean {
    this.#energies.moveVelocities(this.#x, 0);
    return approaches(this.#energies.velocities, this.#rest[0]);
  }

  /** First impulses of the contacts that approach, where none has energy. @returns whether one approaches */
  #start(): boolean {
    const energies = this.#energies;
    const { count: m, W, mode, velocities } = energies;
    const x = this.#x;
    const rest = this.#rest[0];
    this.#gatherImpulses();
    let fastest = 0;
    for (let i = 0; i < m; i++) fastest = Math.max(fastest, -velocities[i]);
    if (!(fastest > rest)) return false;
    const first = this.#after;
    let change = 0;
    for (let i = 0; i < m; i++) first[i] = velocities[i] < 0 ? energies.initialRatio(i) : 0;
    for (let i = 0; i < m; i++) {
      let sum = 0;
      for (let j = 0; j < m; j++) sum += Math.abs(W[i * m + j]) * first[j];
      change = Math.max(change, sum);
    }
    const factor = (FIRST * fastest) / change;
    for (let i = 0; i < m; i++) first[i] *= factor;
    this.#ends.restart();
    for (let i = 0; i < m; i++) {
      x[m + i] = 0;
      mode[i] = OPEN;
      if (first[i] === 0) continue;
      let sum = 0;
      for (let j = 0; j < m; j++) sum += W[i * m + j] * first[j];
      const energy = first[i] * (-velocities[i] - 0.5 * sum);
      x[m + i] = i === energies.primary ? energy : energies.indentation(i, energy);
      mode[i] = COMPRESSION;
    }
    x.set(first);
    this.#choosePrimary();
    this.#h[0] = first[energies.primary];
    return true;
  }
}

/*
 * Where the phases of contacts end inside a step, and what follows: events of the equations of
 * `contact-energies.ts`. Each phase has a margin that is positive inside it,
 *
 *     compression  −ẏ,     expansion  min(ẏ, u),     open  ẏ.
 */

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
