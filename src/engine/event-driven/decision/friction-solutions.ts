/**
 * How many accelerations Coulomb's law admits. With friction the problem of accelerations may have none or
 * several: on a rough surface a rod that slides and is pressed down by its own friction (Painlevé), or a
 * wedge that may slip or jam. One contact has exactly one solution if W_nn − μ |W_nt| > 0, because λ_n ↦ w_n
 * then rises on every branch of the cone; otherwise all solutions are enumerated. Forces of redundant
 * contacts may differ; solutions count as several only if accelerations do.
 *
 * Where there are several and one of them continues the motion as it was before the event, that one is taken:
 * the event is none of its contacts' concern, and the integration would have gone on with it. A system at
 * rest stays at rest.
 */
import { EnumerationTree } from '../../solvers/pivoting/enumeration';
import type { ContactProblem } from './contact-problem';
import { ACTIVE, LOWER, type RowLaws } from '../rows/row-laws';

/** Largest problem that is enumerated: four contacts with friction at rest. */
const ENUMERATED = 12;
/**
 * Largest problem of which all solutions are gathered, as often as forces are chosen again: three contacts.
 */
const CENTRED = 9;
const MOST_NODES = 200_000;
/** Accelerations that agree to this part of the largest of the data are the same. */
const SAME = 1e-7;
/** Entries below this part of W_nn are rounding of it. */
const SINGULAR = 1e-10;

/** `unknown`: not decided here, so that the answer of the solver counts */
export type SolutionCount = 'one' | 'none' | 'several' | 'unknown';

export class FrictionSolutions {
  readonly #tree = new EnumerationTree();
  /** the first solution, and one that continues the motion */
  readonly #first: Float64Array;
  readonly #z: Float64Array;
  readonly #w: Float64Array;
  readonly #sum: Float64Array;

  constructor(
    private readonly laws: RowLaws,
    private readonly contacts: ContactProblem,
    private readonly tolerance: number,
  ) {
    const size = contacts.problem.q.length;
    this.#first = new Float64Array(size);
    this.#z = new Float64Array(size);
    this.#w = new Float64Array(size);
    this.#sum = new Float64Array(size);
  }

  /** Whether the rows of the list are one contact whose push parts the bodies however it slides. */
  get isSimple(): boolean {
    const { count, coneCount, problem, list } = this.contacts;
    const { values, size } = problem;
    if (this.laws.kind[list[0]] !== 'contact') return false;
    // Of a contact that slides f is in the entry already; with a cone it is −μ.
    if (count === 1) return values[0] > 0;
    if (count !== 2 || coneCount !== 1) return false;
    const other = values[0] + 2 * this.laws.mu[list[1]] * values[1];
    return Math.min(values[0], other) > SINGULAR * Math.max(values[0], other) && values[size + 1] > 0;
  }

  /**
   * Counts the accelerations, of which the answer `one` leaves a solution in `problem.z` and `problem.w` as
   * `ContactProblem.solve` does.
   * @param before modes of all rows before the event
   * @param isStart whether there was nothing before, so that rest counts as what continues
   */
  decide(before: Int8Array, isStart: boolean): SolutionCount {
    const { problem } = this.contacts;
    if (problem.size > ENUMERATED) return 'unknown';
    const tree = this.#tree;
    tree.begin(problem, this.tolerance, MOST_NODES);
    let count = 0;
    let continuing = 0;
    let isDifferent = false;
    while (tree.next()) {
      problem.multiply();
      this.contacts.readCones(problem.z, problem.w);
      if (count++ === 0) {
        this.#first.set(problem.w);
        this.#keep();
      } else if (!this.#isSame(this.#first)) {
        isDifferent = true;
      }
      if (!this.continues(before, isStart)) continue;
      if (continuing > 0 && !this.#isSame(this.#w)) return 'several';
      continuing++;
      this.#keep();
    }
    if (tree.isCutOff) return 'unknown';
    if (count === 0) return 'none';
    if (isDifferent && continuing === 0) return 'several';
    problem.z.set(this.#z);
    problem.w.set(this.#w);
    return 'one';
  }

  /**
   * Replaces the solution in `problem` by the mean of all that have its accelerations. Forces that only share
   * a load differently make up a convex set, of which solvers find corners, where some contact is about to
   * slip; the mean lies inside.
   */
  centre(): void {
    const { problem } = this.contacts;
    if (problem.size > CENTRED) return;
    this.#first.set(problem.w);
    this.#keep();
    const sum = this.#sum.fill(0);
    const tree = this.#tree;
    tree.begin(problem, this.tolerance, MOST_NODES);
    let count = 0;
    while (tree.next()) {
      problem.multiply();
      this.contacts.readCones(problem.z, problem.w);
      if (!this.#isSame(this.#first)) continue;
      for (let i = 0; i < problem.size; i++) sum[i] += problem.z[i];
      count++;
    }
    for (let i = 0; i < problem.size; i++) problem.z[i] = count > 0 ? sum[i] / count : this.#z[i];
    problem.w.set(this.#first);
  }

  #keep(): void {
    this.#z.set(this.contacts.problem.z);
    this.#w.set(this.contacts.problem.w);
  }

  #scale(): number {
    const { problem, count } = this.contacts;
    let scale = 0;
    for (let i = 0; i < count; i++) scale = Math.max(scale, Math.abs(problem.q[i]));
    return scale;
  }

  #isSame(other: Float64Array): boolean {
    const { problem, count } = this.contacts;
    const zero = SAME * this.#scale();
    for (let i = 0; i < count; i++) if (Math.abs(problem.w[i] - other[i]) > zero) return false;
    return true;
  }

  /** Whether a row is that of a contact whose slip is not zero. */
  #slides(i: number): boolean {
    const { list, count } = this.contacts;
    const { kind, mu } = this.laws;
    if (kind[list[i]] !== 'contact' || !(mu[list[i] + 1] > 0)) return false;
    return i + 1 >= count || list[i + 1] !== list[i] + 1;
  }

  /**
   * Whether a solution, which stands in `problem`, keeps rows that were kept at zero there, and those that
   * were not at theirs.
   */
  continues(before: Int8Array, isStart: boolean): boolean {
    const { problem, count, list } = this.contacts;
    const { w, z } = problem;
    const { laws } = this;
    const zero = SAME * this.#scale();
    for (let i = 0; i < count; i++) {
      // Sliding is no rest, and one that its own friction presses down would not go on of itself.
      if (this.#slides(i) && (isStart || problem.values[i * (problem.size + 1)] <= 0)) return false;
      const mode = isStart ? ACTIVE : before[list[i]];
      if (mode === ACTIVE && Math.abs(w[i]) > zero) return false;
      if (mode === ACTIVE) continue;
      if (laws.kind[list[i]] === 'contact' && problem.values[i * problem.size + i] * z[i] > zero)
        return false;
      if (mode === LOWER ? w[i] < -zero : w[i] > zero) return false;
    }
    return true;
  }
}
