/**
 * Impacts of a step by a law for several contacts at once (`impacts/`), before the friction-contact problem
 * of the step. At q_½, with P that of bodies with joints and R_I along the normals,
 *
 *     1  u_I = u⁻ + P ᵗH R_I,     R_I from U_N⁻ = H u⁻ by the law
 *     2  U = W R_r + H u_f + W R_I,     the laws of contact with e = 0: what persists, and the loads
 *     3  u⁺ = u_f + P ᵗH (R_I + R_r),   R = R_I + R_r.
 *
 * All of this is linear, so that it does not matter that loads and joints come first in the step: G P = 0,
 * and G u⁺ = b holds as it does for u_f. R is what reactions, signals, energies and certificate know of.
 *
 * An impact is where a contact closes faster than the step explains: U_N⁻ < −(|U_N,f − U_N⁻| + noise), the
 * first being what loads and joints change in a step, the second what the solver leaves of velocities that
 * should be zero. What closes more slowly is stopped by 2, without a bounce. So bodies that rest have no
 * impacts, and a sequence of bounces ends in a rest.
 *
 * It concerns the clusters of contacts at which one of them closes so: those that W connects with it,
 * coupling below rounding left out. Rigid closed contacts take part. What yields has finite forces, which do
 * nothing meanwhile. Stops of joints keep Newton's law, in 2.
 *
 * Friction has the normal impulses of the impact as well, |R_T| ≤ μ (R_I + R_r,N), see below; so have rolling
 * and spinning friction, whose bounds W R_I contains (`moment-rows.ts`).
 */
import { type ContactImpact, ContactImpacts } from '../impacts/contact-impacts';
import type { ImpactChoice } from '../impacts/registry';
import { type BlockRows, multiplyBlocks } from '../linalg/block-rows';
import { FrictionContactProblem } from '../problems/friction-contact';
import type { FrictionSolver } from '../solvers/friction/solver';
import type { SolverResult } from '../solvers/solver';
import type { ActiveFrames } from './contacts/active-frames';
import { type ContactList, GEOMETRY } from './contacts/contact-list';
import type { ContactLaw } from '../model/contact-laws/contact-law';

/*
 * Friction of contacts that an impact has pushed with s = R_I already. Their law for what is left, P = R_r,N,
 * and the whole friction of the step, R_T, is
 *
 *     0 ≤ U_N ⊥ P ≥ 0,     −U_T ∈ N_D(R_T),     D = {|R_T| ≤ μ (P + s)},
 *
 * N_D being the normal cone. D is the sum of two discs, and its normal cone the intersection of theirs: what
 * slides has both parts on their bounds, against one and the same U_T. So the contact counts twice in the
 * problem,
 *
 *     once as it is                  K_μ ∋ (P, R_T′) ⊥ Û ∈ K*_μ,
 *     once with s given              U_N″ = W_NN (R_N″ − s) = 0,     |R_T″| ≤ μ s,     U_T″ = U_T,
 *
 * and R_T = R_T′ + R_T″. The second row has no say along the normal: R_N″ = s stands for what is in q
 * already. W becomes singular by this, which the solvers take; the sum R_T is what U determines.
 *
 * No energy is gained after the impact: ΔT = ½ ᵗR (U_I + U⁺) of R = (P, R_T) is ᵗR U⁺ − ½ ᵗR W R, with P
 * U_N⁺ = 0 and R_T·U_T⁺ = −μ (P + s) |U_T⁺| ≤ 0.
 */

const DIMENSION = 3;
const BLOCK = DIMENSION * DIMENSION;
const NONE = -1;

class ImpactFriction {
  #problem = new FrictionContactProblem(DIMENSION, 0, 0);
  /** row of each second row, and the second row of each row */
  #rowOf = new Int32Array(0);
  #secondOf = new Int32Array(0);
  #seconds = 0;
  /** rows of the problem itself */
  #count = 0;
  /** R_T″ as 3 by row */
  #friction = new Float64Array(0);

  /** No contact counts twice. */
  clear(): void {
    this.#seconds = 0;
  }

  /**
   * States the problem with the second rows.
   * @param normal s by row @param contacts number of rows of contacts, which come first
   * @returns false where no row with friction has been pushed
   */
  extend(problem: FrictionContactProblem, normal: Float64Array, contacts: number): boolean {
    const { count } = problem;
    this.#reserve(count, problem.W);
    this.#count = count;
    this.#seconds = 0;
    this.#secondOf.fill(NONE, 0, count);
    for (let row = 0; row < contacts; row++) {
      if (!(normal[row] > 0 && problem.mu[row] > 0)) continue;
      this.#secondOf[row] = count + this.#seconds;
      this.#rowOf[this.#seconds++] = row;
    }
    if (this.#seconds === 0) return false;
    this.#fillOperator(problem.W);
    this.#fillData(problem, normal);
    return true;
  }

  /** Solves it, and leaves the answer in the problem itself, whose q has then what the second rows do. */
  solve(
    problem: FrictionContactProblem,
    solver: FrictionSolver,
    tolerance: number,
    result: SolverResult,
  ): void {
    const extended = this.#problem;
    const friction = this.#friction;
    const entries = DIMENSION * problem.count;
    solver.solve(extended, tolerance, result);
    friction.fill(0, 0, entries);
    for (let k = 0; k < this.#seconds; k++)
      for (let i = 1; i < DIMENSION; i++)
        friction[DIMENSION * this.#rowOf[k] + i] = extended.r[entries + DIMENSION * k + i];
    for (let k = 0; k < entries; k++) {
      problem.r[k] = extended.r[k];
      problem.u[k] = extended.u[k];
    }
    problem.measure.set(extended.measure);
    multiplyBlocks(problem.W, friction, problem.q, problem.q);
  }

  /** Adds R_T″ to impulses, 3 by row. */
  addTo(impulses: Float64Array): void {
    for (let k = 0; k < this.#seconds; k++) {
      const at = DIMENSION * this.#rowOf[k];
      impulses[at + 1] += this.#friction[at + 1];
      impulses[at + 2] += this.#friction[at + 2];
    }
  }

  /** Blocks of W, of which second rows and columns have the tangents only. */
  #fillOperator(W: BlockRows): void {
    const count = this.#count;
    const to = this.#problem.W;
    to.rows = count + this.#seconds;
    let next = 0;
    for (let row = 0; row < to.rows; row++) {
      const source = row < count ? row : this.#rowOf[row - count];
      to.rowStart[row] = next;
      for (let block = W.rowStart[source]; block < W.rowStart[source + 1]; block++)
        this.#copy(W, block, row, W.columns[block], next++);
      for (let block = W.rowStart[source]; block < W.rowStart[source + 1]; block++) {
        const second = this.#secondOf[W.columns[block]];
        if (second !== NONE) this.#copy(W, block, row, second, next++);
      }
    }
    to.rowStart[to.rows] = next;
    for (let k = 0; k < this.#seconds; k++)
      to.values[BLOCK * to.diagonal[count + k]] = W.values[BLOCK * W.diagonal[this.#rowOf[k]]];
  }

  /** @param next place of the block in the new operator */
  #copy(W: BlockRows, block: number, row: number, column: number, next: number): void {
    const to = this.#problem.W;
    const count = this.#count;
    to.columns[next] = column;
    if (column === row) to.diagonal[row] = next;
    for (let r = 0; r < DIMENSION; r++)
      for (let c = 0; c < DIMENSION; c++) {
        const isNormal = (row >= count && r === 0) || (column >= count && c === 0);
        const entry = DIMENSION * r + c;
        to.values[BLOCK * next + entry] = isNormal ? 0 : W.values[BLOCK * block + entry];
      }
  }

  #fillData({ q, r, mu, isSymmetric }: FrictionContactProblem, normal: Float64Array): void {
    const extended = this.#problem;
    const count = this.#count;
    extended.count = count + this.#seconds;
    extended.revision++;
    extended.isSymmetric = isSymmetric;
    for (let k = 0; k < DIMENSION * count; k++) {
      extended.q[k] = q[k];
      extended.r[k] = r[k];
    }
    for (let row = 0; row < count; row++) extended.mu[row] = mu[row];
    const { values, diagonal } = extended.W;
    for (let k = 0; k < this.#seconds; k++) {
      const row = this.#rowOf[k];
      const at = DIMENSION * (count + k);
      extended.mu[count + k] = mu[row];
      extended.q[at] = -values[BLOCK * diagonal[count + k]] * normal[row];
      extended.r[at] = normal[row];
      for (let i = 1; i < DIMENSION; i++) {
        extended.q[at + i] = q[DIMENSION * row + i];
        extended.r[at + i] = 0;
      }
    }
  }

  #reserve(count: number, { rowStart }: BlockRows): void {
    if (this.#secondOf.length < count) {
      this.#secondOf = new Int32Array(2 * count);
      this.#rowOf = new Int32Array(2 * count);
      this.#friction = new Float64Array(2 * DIMENSION * count);
    }
    // At most all rows count twice.
    const { mu, W } = this.#problem;
    const blocks = 4 * rowStart[count];
    if (mu.length >= 2 * count && W.columns.length >= blocks) return;
    const { revision } = this.#problem;
    this.#problem = new FrictionContactProblem(DIMENSION, 4 * count, 2 * blocks);
    this.#problem.revision = revision;
  }
}

const GAP = GEOMETRY - 1;

/** Couplings below this part of √(W_ii W_jj) are rounding. */
const COUPLED = 64 * Number.EPSILON;
/** Velocities below this many tolerances of the friction-contact problem are what its solver leaves. */
const NOISE = 10;

export class ImpactPhase {
  /** whether the last step had an impact */
  hasImpact = false;
  /** whether impulses of a compression are known */
  readonly hasPhases: boolean;
  /** R_I by row, N s */
  normal = new Float64Array(0);
  /** the part of it that compression has, where the law knows phases, N s */
  compression = new Float64Array(0);
  /** 1 for rows of clusters with an impact */
  isInvolved = new Uint8Array(0);
  /** [0] T⁺ − T⁻ that the law asks of u_I, J; NaN where it says nothing of energy */
  readonly energyChange = new Float64Array(1);
  /** R of all rows, 3 by row, N s */
  total = new Float64Array(0);
  /** what the law said of the last impact that it did not bring to an end */
  failure: ContactImpact | null = null;
  readonly #impacts: ContactImpacts;
  readonly #friction = new ImpactFriction();
  /** R_I as 3 by row */
  #impulse = new Float64Array(0);
  /** rows of a cluster, ascending, and the place of each row in it */
  #cluster = new Int32Array(0);
  #size = 0;
  #placeOf = new Int32Array(0);
  #takesPart = new Uint8Array(0);
  #isFound = false;

  constructor(
    private readonly laws: readonly ContactLaw[],
    private readonly active: ActiveFrames,
    choice: ImpactChoice,
    private readonly tolerance: number,
    /** [0] of the step, s */
    private readonly length: Float64Array,
  ) {
    if (laws.some(({ reversesOnce }) => reversesOnce === true))
      throw new Error('percussions are a law of impacts of their own');
    this.hasPhases = choice.type === 'Poisson';
    this.#impacts = new ContactImpacts(choice);
  }

  /** Whether an impact has pushed a contact in this step, whose R is not in the problem alone then. */
  pushes(row: number): boolean {
    return this.hasImpact && this.normal[row] > 0;
  }

  /** No impact yet, at the start of a step. */
  clear(): void {
    this.hasImpact = false;
    this.#isFound = false;
    this.failure = null;
    this.energyChange[0] = 0;
  }

  /**
   * Finds the impacts and R_I, once a step: they stay where a scheme solves it again for loads that have
   * changed.
   * @param problem W and q = H u_f @param before H u⁻, 3 by row
   * @returns false when the law does not bring one of them to an end, see `failure`
   */
  collide(problem: FrictionContactProblem, contacts: ContactList, before: Float64Array): boolean {
    const { active } = this;
    const { contactCount } = active;
    if (this.#isFound) return true;
    this.#isFound = true;
    this.#begin(active.count);
    const noise = NOISE * this.tolerance * problem.measure[1];
    for (let row = 0; row < contactCount; row++) this.#takesPart[row] = this.#isRigid(contacts, row) ? 1 : 0;
    for (let row = 0; row < contactCount; row++) {
      if (this.#takesPart[row] === 0 || this.isInvolved[row] === 1) continue;
      const speed = before[DIMENSION * row];
      const explained = Math.abs(problem.q[DIMENSION * row] - speed) + noise;
      if (!(speed < -explained)) continue;
      this.hasImpact = true;
      this.#gather(problem, row);
      if (!this.#solve(problem, contacts, before)) return false;
    }
    return true;
  }

  /** Adds W R_I to q of all rows. */
  apply(problem: FrictionContactProblem): void {
    if (!this.hasImpact) return;
    const impulse = this.#impulse;
    for (let row = 0; row < this.active.count; row++) impulse[DIMENSION * row] = this.normal[row];
    multiplyBlocks(problem.W, impulse, problem.q, problem.q);
  }

  /** Solves the problem of what is left, with friction that knows R_I. */
  solveRest(
    problem: FrictionContactProblem,
    solver: FrictionSolver,
    tolerance: number,
    result: SolverResult,
  ): void {
    if (this.hasImpact && this.#friction.extend(problem, this.normal, this.active.contactCount))
      this.#friction.solve(problem, solver, tolerance, result);
    else {
      this.#friction.clear();
      solver.solve(problem, tolerance, result);
    }
  }

  /** R of all rows from that of the laws of contact, R_r without the friction of R_I. */
  take(rest: Float64Array): void {
    const { total, normal } = this;
    const entries = DIMENSION * this.active.count;
    for (let k = 0; k < entries; k++) total[k] = rest[k];
    if (!this.hasImpact) return;
    for (let row = 0; row < this.active.contactCount; row++) total[DIMENSION * row] += normal[row];
    this.#friction.addTo(total);
  }

  #begin(count: number): void {
    this.#reserve(count);
    this.normal.fill(0, 0, count);
    this.compression.fill(0, 0, count);
    this.isInvolved.fill(0, 0, count);
    this.#takesPart.fill(0, 0, count);
    this.#impulse.fill(0, 0, DIMENSION * count);
  }

  /** Whether a contact is closed, and rigid while it is. */
  #isRigid({ materials, geometry }: ContactList, row: number): boolean {
    const c = this.active.contacts[row];
    const law = this.laws[materials[c]];
    return law.isRigid && law.approach(geometry[GEOMETRY * c + GAP], this.length[0]) === 0;
  }

  /** The cluster of a row: those that couplings lead to. */
  #gather({ W }: FrictionContactProblem, first: number): void {
    const cluster = this.#cluster;
    const { rowStart, columns, diagonal, values } = W;
    this.isInvolved[first] = 1;
    cluster[0] = first;
    this.#size = 1;
    for (let k = 0; k < this.#size; k++) {
      const i = cluster[k];
      const own = values[BLOCK * diagonal[i]];
      for (let block = rowStart[i]; block < rowStart[i + 1]; block++) {
        const j = columns[block];
        if (this.#takesPart[j] === 0 || this.isInvolved[j] === 1) continue;
        const coupling = Math.abs(values[BLOCK * block]);
        if (!(coupling > COUPLED * Math.sqrt(own * values[BLOCK * diagonal[j]]))) continue;
        this.isInvolved[j] = 1;
        cluster[this.#size++] = j;
      }
    }
    cluster.subarray(0, this.#size).sort();
    for (let k = 0; k < this.#size; k++) this.#placeOf[cluster[k]] = k;
  }

  #solve({ W }: FrictionContactProblem, { materials }: ContactList, before: Float64Array): boolean {
    const size = this.#size;
    const impact = this.#impacts.of(size);
    impact.W.fill(0);
    for (let k = 0; k < size; k++) {
      const row = this.#cluster[k];
      const law = this.laws[materials[this.active.contacts[row]]];
      impact.velocity[k] = before[DIMENSION * row];
      impact.restitution[k] = law.restitution;
      impact.stiffness[k] = law.relativeStiffness;
      for (let block = W.rowStart[row]; block < W.rowStart[row + 1]; block++) {
        const place = this.#placeOf[W.columns[block]];
        if (place !== NONE) impact.W[k * size + place] = W.values[BLOCK * block];
      }
    }
    const isSolved = impact.solve();
    if (!isSolved) this.failure = impact;
    for (let k = 0; k < size; k++) {
      const row = this.#cluster[k];
      this.normal[row] = impact.impulse[k];
      this.compression[row] = impact.compression === null ? 0 : impact.compression[k];
      this.#placeOf[row] = NONE;
    }
    this.energyChange[0] += impact.energyChange;
    return isSolved;
  }

  #reserve(count: number): void {
    if (this.normal.length >= count) return;
    const room = 2 * count;
    this.normal = new Float64Array(room);
    this.compression = new Float64Array(room);
    this.isInvolved = new Uint8Array(room);
    this.total = new Float64Array(DIMENSION * room);
    this.#impulse = new Float64Array(DIMENSION * room);
    this.#cluster = new Int32Array(room);
    this.#placeOf = new Int32Array(room).fill(NONE);
    this.#takesPart = new Uint8Array(room);
  }
}
