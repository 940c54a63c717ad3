/**
 * Stops, dry friction and limited motors of joints in the forces of a Galerkin step: which of them have one,
 * and their laws, from rates and impulses alone. The joints say which rows there are, whether or not the step
 * has them, and H comes from the rows again. With ρ the mass that the
 * coordinate feels of bodies without joints and c h the bound over the part of the step,
 *
 *     stops              |R − max(0, R − ρ ḣ)|,     R = 0 of those that were open or approached at q_k, or
 *                        are open at q_{k+1}
 *     friction, motors   |R − clamp(R − ρ (ż − ω), −c h, c h)|
 *
 * in units of what moves a length of the joint, N s. What rounding and the tolerance of a solver may leave of
 * rates is no defect.
 */
import { larger } from '../../linalg/nan-safe';
import type { StateArchive } from '../../state-archive';
import type { ContactDynamics } from '../contact-dynamics';
import { ROUNDINGS } from '../rounding';
import type { StageProblem } from '../schemes/stage-problem';
import { type AskedRow, askedOf, numbersOf, waysOf } from './joint-check';

/** Of accelerations: see `GalerkinCheck`. */
interface AcceleratedRows {
  readonly time: number;
  readonly ahead: number;
  readonly base: Float64Array;
  readonly speeds: Float64Array;
}

/** A value of a stop that noise may have decided upon, in its unit. */
const DOUBTFUL = 1e-12;

export class StageRowsCheck {
  /** [0] of stops, [1] of friction and motors, N s; and numbers of their joints */
  readonly defects = new Float64Array(2);
  readonly joints = new Int32Array(2);
  /** rows that joints ask for, and the longest of what turns their rates into m/s */
  readonly count: number;
  readonly longest: number;
  readonly #closedGap: number;
  readonly #restingRate: number;
  readonly #asked: readonly AskedRow[];
  /** by row that is asked for: its number in the scheme, or −1, and what turns its rate into m/s */
  readonly #numbers: Int32Array;
  readonly #ways: Float64Array;
  readonly #row: Float64Array;
  readonly #moved: Float64Array;
  readonly #value = new Float64Array(1);
  readonly #gamma = new Float64Array(1);
  readonly #kept: number;
  /** by row that is asked for: what it has pushed with in the last step, N s or N m s */
  readonly #pushed: Float64Array;

  constructor(
    private readonly dynamics: ContactDynamics,
    /** [0] what solvers may have left of rates in the last step, m/s */
    private readonly noise: Float64Array,
    private readonly isOfVelocities: boolean,
  ) {
    const { motion } = dynamics.settings;
    this.#closedGap = 'closedGap' in motion ? motion.closedGap : 0;
    this.#restingRate = 'closedGap' in motion ? motion.restingRate : 0;
    this.#asked = askedOf(dynamics.system);
    this.#numbers = numbersOf(this.#asked, dynamics);
    this.#ways = waysOf(this.#asked, dynamics.system);
    this.count = this.#asked.length;
    this.#kept = 'closedGap' in motion ? motion.kept : 0;
    this.#pushed = new Float64Array(this.count);
    this.longest = Math.max(0, ...this.#ways);
    this.#row = new Float64Array(dynamics.system.velocities);
    this.#moved = new Float64Array(dynamics.system.velocities);
  }

  exchange(archive: StateArchive): void {
    archive.fixed(this.#pushed);
  }

  /** Behind all that is judged of the step. @param drops whether forces are left out */
  end(drops: boolean): void {
    const { reactions, stages } = this.dynamics;
    for (let k = 0; k < this.#asked.length; k++) {
      const number = this.#numbers[k];
      if (number < 0 || stages === null) continue;
      this.#pushed[k] = reactions.rowImpulses[number];
      if (!drops) this.#pushed[k] += 0.5 * stages.left.rows[number] + stages.right.rows[number];
    }
  }

  clear(): void {
    this.defects.fill(0);
  }

  /** Adds part ᵗH R of all rows. */
  add(q: Float64Array, { rows }: StageProblem, part: number, out: Float64Array): void {
    for (let k = 0; k < this.#asked.length; k++) {
      if (this.#numbers[k] < 0) continue;
      this.#form(k, q);
      for (let c = 0; c < out.length; c++) out[c] += part * rows[this.#numbers[k]] * this.#row[c];
    }
  }

  /**
   * @param u what velocities are with R, or what accelerations with R add to them
   * @param part of the step over which it acts
   */
  judge(
    { rows }: StageProblem,
    q: Float64Array,
    u: Float64Array,
    part: number,
    of: AcceleratedRows | null,
  ): void {
    const { h, system, settings } = this.dynamics;
    let fastest = 0;
    for (let c = 0; c < u.length; c++)
      fastest = larger(fastest, Math.max(Math.abs(u[c]), Math.abs(of?.speeds[c] ?? 0)));
    for (let k = 0; k < this.#asked.length; k++) {
      const { kind, speed, bound, joint } = this.#asked[k];
      const row = this.#form(k, q);
      this.#moved.set(row);
      system.applyInverseMass(this.#moved);
      const mobility = product(row, this.#moved);
      if (mobility === 0) continue;
      const rate = product(row, u) + (of === null ? 0 : this.#bent(k, q, row, of));
      let size = 0;
      for (let c = 0; c < row.length; c++) size += Math.abs(row[c]);
      const left = (larger(ROUNDINGS, settings.tolerance) * size * fastest) / mobility;
      const r = this.#numbers[k] < 0 ? 0 : rows[this.#numbers[k]];
      let defect;
      if (kind !== 'limit') {
        const cap = part * bound * h;
        const goal = r - (rate - speed) / mobility;
        defect = Math.abs(r - Math.max(-cap, Math.min(cap, goal)));
      } else if (this.#hasForce(k, part, DOUBTFUL)) {
        const isDecided = this.#hasForce(k, part, -DOUBTFUL);
        if (!isDecided && r === 0) continue;
        defect = Math.abs(r - Math.max(0, r - rate / mobility));
      } else defect = Math.abs(r);
      if (defect <= left) continue;
      const which = kind === 'limit' ? 0 : 1;
      const worth = defect / this.#ways[k];
      if (worth <= this.defects[which]) continue;
      this.defects[which] = larger(worth, this.defects[which]);
      this.joints[which] = joint;
    }
  }

  /** What else there is in a rate: velocities of friction and motors, and γ. */
  #bent(k: number, q: Float64Array, row: Float64Array, of: AcceleratedRows): number {
    const { kind, rows } = this.#asked[k];
    rows.gamma(q, of.speeds, this.#gamma, 0);
    if (kind === 'limit') return -of.time * this.#gamma[0];
    return product(row, of.base) - of.ahead * this.#gamma[0];
  }

  /** Whether a stop closes in the step. @param isSaid what the step says, which doubt is left to */
  closes(isSaid: boolean): boolean {
    const { uncorrected } = this.dynamics;
    const doubt = isSaid ? DOUBTFUL : -DOUBTFUL;
    for (let k = 0; k < this.#asked.length; k++) {
      if (this.#asked[k].kind !== 'limit') continue;
      this.#asked[k].rows.position(uncorrected, this.#value, 0);
      if (this.#value[0] > this.#closedGap + doubt) continue;
      if (this.isOfVelocities ? !this.#hasForce(k, 1, -doubt) : !this.#wasClosed(k, -doubt)) return true;
    }
    return false;
  }

  /** Whether a stop has a force. @param doubt its gap may be larger by that, and its approach faster */
  #hasForce(k: number, part: number, doubt: number): boolean {
    const { start, before, uncorrected } = this.dynamics;
    const { rows } = this.#asked[k];
    if (!this.#wasClosed(k, doubt)) return false;
    if (!this.isOfVelocities && !this.#isKept(k, part === 1, doubt)) return false;
    const least = this.#restingRate + doubt + (doubt > 0 ? this.noise[0] : 0);
    if (
      this.isOfVelocities &&
      this.#ways[k] * product(this.#formInto(this.#moved, k, start), before) < -least
    )
      return false;
    if (part === 1) return true;
    rows.position(uncorrected, this.#value, 0);
    return this.#value[0] <= this.#closedGap + doubt;
  }

  #wasClosed(k: number, doubt: number): boolean {
    this.#asked[k].rows.position(this.dynamics.start, this.#value, 0);
    return this.#value[0] <= this.#closedGap + doubt;
  }

  /** Whether a closed stop that parts has a force from accelerations. */
  #isKept(k: number, isStart: boolean, doubt: number): boolean {
    const { start, before, uncorrected, stages, system } = this.dynamics;
    const row = this.#formInto(this.#row, k, isStart ? start : uncorrected);
    const rate = this.#ways[k] * product(row, isStart ? before : (stages?.reached ?? before));
    if (rate <= this.#restingRate + doubt + (doubt > 0 ? this.noise[0] : 0)) return true;
    this.#moved.set(row);
    system.applyInverseMass(this.#moved);
    const number = this.#numbers[k];
    const pushed = isStart ? this.#pushed[k] : number < 0 ? 0 : (stages?.left.rows[number] ?? 0);
    return rate <= this.#ways[k] * this.#kept * pushed * product(row, this.#moved) + doubt;
  }

  #form(k: number, q: Float64Array): Float64Array {
    return this.#formInto(this.#row, k, q);
  }

  #formInto(out: Float64Array, k: number, q: Float64Array): Float64Array {
    this.#asked[k].rows.jacobian(q, out.fill(0), 0, out.length, 'velocity');
    return out;
  }
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
