/**
 * Projection of positions at the end of a step by Moreau–Jean (Acary 2013).
 * A step by velocities leaves contacts and joints where they are off by then; positions go on from where the
 * step leads to, q_* = q⁻ + h v_θ, to
 *
 *     q⁺ = q_* + N ᵗC(q_*) Λ,     0 ≤ g(q⁺) ⊥ Λ ≥ 0 of contacts,     g(q⁺) = 0 of joints,
 *
 * N⁻¹ being the metric: that of the masses, in which what is heavy gives way least, or that of the
 * coordinates. With the rows C(q_*) kept, Λ of all passes is the one multiplier of these conditions. They are
 * solved by the chord method: with W = C N ᵗC of q_*, which differs from ∂g/∂Λ by what C turns over the way,
 *
 *     0 ≤ g(q) + W (Λ⁺ − Λ) ⊥ Λ⁺ ≥ 0,     q ← q + N ᵗC (Λ⁺ − Λ),
 *
 * each pass shortens the violation by the size of the correction times the curvature: two or three do.
 *
 *     direct      contacts that take part in the step, as far as they are violated. They are brought to half
 *                 the tolerance below zero, where they stay closed; velocities stay as the step has them.
 *     combined    contacts take part in a step that they would be violated by: it is solved without contacts,
 *                 projected, and again with those that are not open then, until there are no more of them.
 *                 Those that push and do not spring back are at g = 0, like joints, the others not below:
 *                 drawn down to g = 0, bodies would lose height in every impact. Rows at the end of the step
 *                 are those of q⁺.
 *
 * Projection does work, which the certificate enters in the balance of energy.
 */
import { EngineError } from '../errors';
import type { AssignedIntegrator } from '../integrators/registry';
import { IterationMatrix } from '../integrators/iteration-matrix';
import { type IterationBlock, type StepContext, singularIteration } from '../integrators/step';
import { Repetitions } from '../linalg/repetitions';
import { type SparseRows, sparseFromPattern } from '../linalg/sparse';
import type { LagrangianForm } from '../model/forms';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import { type PositionProjectionSettings, moreauHalfStep } from '../model/settings/integrators';
import { isProjected, projectionBySystem, projectionDefect } from '../model/settings/projection-rules';
import { AffineVariationalInequality } from '../problems/avi';
import { createSolver } from '../solvers/registry';
import { type Solver, createSolverResult } from '../solvers/solver';
import { type BlockOwner, Delassus, type MotionBlocks } from './delassus';
import { FRICTION, SWITCHED, VELOCITY_LEVEL } from './row-kinds';
import type { StepRelations } from './rows';

/** Relative residual of the linear problem of a pass; what it leaves, the next pass corrects. */
const SOLVED = 1e-9;
/** A violation below this that is no longer halved is rounding of large coordinates. */
const STAGNANT = 1e-9;
/** Added to the diagonal where joints say the same, as in `spatial/projection.ts`. */
const REGULARISATION = 1e-8;

/* Rows by what they are to a projection; 0 for those it leaves alone. */
const CONTACT = 1;
const JOINT = 2;

export type ProjectionStatus = 'ok' | 'unsolved' | 'not-converged';

/** Both repeat the step, each for its own sake. */
const combinedBesideHalves = (
  { systems }: NonSmoothDynamicalSystem,
  assignments: readonly AssignedIntegrator[],
): EngineError => {
  const halves = assignments.find(({ type }) => type === moreauHalfStep.type);
  const id = systems[halves?.systems[0] ?? 0].id;
  return new EngineError({
    code: 'projection-beside-half-steps',
    message: `“${id}” is advanced by half steps, beside which positions are not projected together with velocities.`,
    where: id,
    remedy: 'Choose direct projection, or Moreau–Jean for this system.',
  });
};

/** By row: whether it is projected, as a contact or a joint. */
function kindsOfRows(
  { interactions }: NonSmoothDynamicalSystem,
  settings: readonly (PositionProjectionSettings | null)[],
  { kind, count, offsets }: Pick<StepRelations, 'kind' | 'count' | 'offsets'>,
): Uint8Array {
  const kinds = new Uint8Array(count);
  interactions.forEach((interaction, i) => {
    if (settings[interaction.systems[0]] === null || !isProjected(interaction)) return;
    for (let row = offsets[i]; row < offsets[i + 1]; row++) {
      if ((kind[row] & SWITCHED) !== 0) kinds[row] = CONTACT;
      else if ((kind[row] & FRICTION) === 0) kinds[row] = JOINT;
    }
  });
  return kinds;
}

/** N of all systems, block by block; the identity of those that are not projected, which no row touches. */
class Metric implements MotionBlocks {
  readonly unknown = 'position';
  readonly isSymmetric = true;
  readonly isConstant: boolean;
  readonly blocks: readonly (IterationBlock & { readonly mass: MassBlock | null })[];

  constructor(
    private readonly context: StepContext,
    { systems }: NonSmoothDynamicalSystem,
    settings: readonly (PositionProjectionSettings | null)[],
  ) {
    this.blocks = systems.map(({ form }, s) => {
      const weighs = form.order === 2 && settings[s]?.metric === 'mass';
      const mass = weighs ? new MassBlock(form, context.offsets[s]) : null;
      return { systems: [s], isDiagonal: mass === null || mass.matrix.isDiagonal, mass };
    });
    this.isConstant = this.blocks.every(({ mass }) => mass === null || mass.form.constantMass !== null);
    this.factor(true);
  }

  /** M at the present positions. @param all also those that are constant */
  factor(all = false): void {
    const { blocks, context } = this;
    for (let s = 0; s < blocks.length; s++) {
      const { mass } = blocks[s];
      if (mass === null || (!all && mass.form.constantMass !== null)) continue;
      if (!mass.factor(context)) throw singularIteration(context, s, 'M');
    }
  }

  applyInverse(block: number, x: Float64Array): void {
    this.blocks[block].mass?.solve(x);
  }
}

class MassBlock {
  readonly matrix: IterationMatrix;
  readonly #rows: SparseRows;
  readonly #position: Float64Array;

  constructor(
    readonly form: LagrangianForm,
    private readonly dof: number,
  ) {
    const n = form.size;
    const all = Array.from({ length: n }, (_, j) => j);
    this.#rows = form.constantMass ?? sparseFromPattern(all.map(() => all));
    this.matrix = new IterationMatrix(this.#rows, true);
    this.#position = new Float64Array(n);
  }

  factor({ state, q }: StepContext): boolean {
    const { form } = this;
    if (form.constantMass === null) {
      for (let i = 0; i < form.size; i++) this.#position[i] = state[q + this.dof + i];
      form.mass(this.#position, this.#rows.values);
    }
    return this.matrix.factor();
  }

  solve(x: Float64Array): void {
    this.matrix.solve(x, this.dof);
  }
}

/** How a step is solved for given contacts. */
export interface StepPasses {
  /**
   * @param taking 1 for contacts that take part, by row
   * @param predicts whether rows are linearised at the predicted position
   * @returns false where it has no solution
   */
  solve(taking: Uint8Array, predicts: boolean): boolean;
  /** Goes back to the start of the step. */
  takeBack(): void;
}

export class PositionProjection {
  readonly isCombined: boolean;
  readonly maxIterations: number;
  readonly tolerance: number;
  /** Λ by row, of the step */
  readonly multiplier: Float64Array;
  /** y by row at the positions of the last pass */
  readonly y: Float64Array;
  readonly yDot: Float64Array;
  /** 1 for contacts that take part in a combined step, by row */
  readonly #taking: Uint8Array;
  /** passes of the last projection */
  iterations = 0;
  /** [0] largest violation at the end of the last projection */
  readonly violation = new Float64Array(1);
  /** row of that */
  worst = 0;
  /** of the last projection */
  status: ProjectionStatus = 'ok';
  /** passes of a combined step */
  readonly #passes: Repetitions;
  /** entries of rows, and ∂h/∂t by row, of the pass before */
  readonly #earlier: Float64Array;
  readonly #posed: Float64Array;

  readonly #kinds: Uint8Array;
  readonly #metric: Metric;
  readonly #delassus: Delassus;
  readonly #problem: AffineVariationalInequality;
  readonly #solver: Solver;
  readonly #result = createSolverResult();
  /** rows of the problem, and the place of each row in it, −1 for those that are not */
  readonly #list: Int32Array;
  readonly #place: Int32Array;
  #count = 0;
  readonly #change: Float64Array;
  /** 1 for contacts that push in the step and do not spring back */
  readonly #staysClosed: Uint8Array;

  private constructor(
    private readonly context: StepContext,
    private readonly rows: StepRelations,
    model: NonSmoothDynamicalSystem,
    settings: readonly (PositionProjectionSettings | null)[],
    { kind, tolerance, maxIterations }: PositionProjectionSettings,
    kinds: Uint8Array,
  ) {
    this.isCombined = kind === 'combined';
    this.tolerance = tolerance;
    this.maxIterations = maxIterations;
    this.#passes = new Repetitions(maxIterations);
    this.#kinds = kinds;
    this.#metric = new Metric(context, model, settings);
    const owners = model.systems.map((_, block): BlockOwner => ({ integrator: this.#metric, block }));
    this.#delassus = new Delassus(rows, context, owners, { assembly: 'blocks', isStepFixed: true });
    const { operator, isSymmetric } = this.#delassus;
    this.#problem = new AffineVariationalInequality(rows.count, operator.columns.length, isSymmetric);
    this.#solver = createSolver('auto', rows.count);
    this.multiplier = new Float64Array(rows.count);
    this.y = new Float64Array(rows.count);
    this.yDot = new Float64Array(rows.count);
    this.#change = new Float64Array(rows.count);
    this.#taking = new Uint8Array(rows.count);
    this.#staysClosed = new Uint8Array(rows.count);
    this.#earlier = new Float64Array(rows.reading.values.length);
    this.#posed = new Float64Array(rows.count);
    this.#list = new Int32Array(rows.count);
    this.#place = new Int32Array(rows.count).fill(-1);
  }

  /**
   * @returns null where no positions are projected
   * @throws {EngineError} when systems that are linked differ in their projection
   */
  static create(
    model: NonSmoothDynamicalSystem,
    context: StepContext,
    rows: StepRelations,
    assignments: readonly AssignedIntegrator[],
  ): PositionProjection | null {
    const settings = projectionBySystem(model, assignments);
    const defect = projectionDefect(model, settings);
    if (defect !== null) throw defect;
    const own = settings.filter((one) => one !== null);
    const kinds = own.length === 0 ? new Uint8Array(0) : kindsOfRows(model, settings, rows);
    if (!kinds.includes(CONTACT) && !kinds.includes(JOINT)) return null;
    const hasHalves = assignments.some(({ type }) => type === moreauHalfStep.type);
    if (hasHalves && own[0].kind === 'combined') throw combinedBesideHalves(model, assignments);
    return new PositionProjection(context, rows, model, settings, own[0], kinds);
  }

  /**
   * Moves the positions of the state.
   * @param active 1 for contacts that take part in the step
   * @param lambda multipliers by row
   * @param reference ẏ⁻ that restitution compares with, by row
   */
  project(active: Uint8Array, lambda: Float64Array, reference: Float64Array): ProjectionStatus {
    this.status = this.#project(active, lambda, reference);
    return this.status;
  }

  #project(active: Uint8Array, lambda: Float64Array, reference: Float64Array): ProjectionStatus {
    const { context, rows } = this;
    this.multiplier.fill(0);
    this.iterations = 0;
    this.#select(active);
    if (this.isCombined) this.#judgeClosed(lambda, reference);
    if (rows.isEvaluated) rows.linearise(context.clock, context.state, lambda, 'lagrangian', null);
    this.#measure(lambda);
    if (this.#count === 0 || this.violation[0] <= this.tolerance) return 'ok';
    this.#assemble();
    for (;;) {
      const before = this.violation[0];
      if (!Number.isFinite(before)) return 'not-converged';
      if (!this.#solve()) return 'unsolved';
      this.#move();
      this.iterations++;
      this.#measure(lambda);
      const after = this.violation[0];
      if (after <= this.tolerance || (after <= STAGNANT && after > 0.5 * before)) return 'ok';
      if (this.iterations >= this.maxIterations) return 'not-converged';
    }
  }

  /**
   * A step with combined projection: first without contacts, then with those that are not open at the
   * positions that this leads to, until no more are found. Contacts that have been found stay, so that it
   * ends. Rows at the end of the step are those of the projected positions of the pass before, until they no
   * longer change.
   * @param active 1 for contacts that take part by forecast, which those of other systems do
   * @param lambda multipliers by row
   * @param reference ẏ⁻ that restitution compares with, by row
   * @param turnsRows whether rows are those of the end of the step
   * @returns false where a pass has no solution
   */
  combine(
    active: Uint8Array,
    lambda: Float64Array,
    reference: Float64Array,
    turnsRows: boolean,
    passes: StepPasses,
  ): boolean {
    this.#begin(active);
    for (let predicts = true; ; predicts = !turnsRows) {
      if (!passes.solve(this.#taking, predicts)) return false;
      if (turnsRows) this.#remember();
      if (this.project(active, lambda, reference) !== 'ok') return false;
      const hasGrown = this.#addViolated();
      const next = this.#passes.next(turnsRows ? this.#turn(lambda) : 0, hasGrown);
      if (next === 'done') return true;
      if (next === 'exceeded') break;
      passes.takeBack();
    }
    this.status = 'not-converged';
    return false;
  }

  #begin(active: Uint8Array): void {
    const taking = this.#taking;
    for (let row = 0; row < taking.length; row++)
      taking[row] = this.#kinds[row] === CONTACT ? 0 : active[row];
    this.status = 'ok';
    this.#passes.begin();
  }

  /** Adds contacts that are not open at the present positions. @returns whether there are some */
  #addViolated(): boolean {
    const taking = this.#taking;
    let added = false;
    for (let row = 0; row < taking.length; row++) {
      if (this.#kinds[row] !== CONTACT || taking[row] === 1 || this.y[row] > 0) continue;
      added = true;
      taking[row] = 1;
    }
    return added;
  }

  /** Remembers the rows that laws have been solved with. */
  #remember(): void {
    this.#earlier.set(this.rows.reading.values);
    this.#posed.set(this.rows.base);
  }

  /**
   * Turns rows to the present positions.
   * @param lambda multipliers by row
   * @returns by how much rows, or what they make of velocities, have changed, relative to their entries
   */
  #turn(lambda: Float64Array): number {
    const { rows } = this;
    const { clock, state } = this.context;
    const earlier = this.#earlier;
    const { rowStart, columns, values } = rows.reading;
    rows.linearise(clock, state, lambda, 'velocity', null);
    let turned = 0;
    for (let row = 0; row < rows.count; row++) {
      if ((rows.kind[row] & VELOCITY_LEVEL) === 0) continue;
      let size = 0;
      let change = 0;
      let speed = Math.abs(rows.base[row]);
      let otherSpeed = Math.abs(rows.base[row] - this.#posed[row]);
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
        const moved = Math.abs(values[k] - earlier[k]);
        size = Math.max(size, Math.abs(values[k]));
        change = Math.max(change, moved);
        speed += Math.abs(values[k] * state[columns[k]]);
        otherSpeed += moved * Math.abs(state[columns[k]]);
      }
      if (size > 0) turned = Math.max(turned, change / size);
      if (speed > 0) turned = Math.max(turned, otherSpeed / speed);
    }
    return turned;
  }

  #select(active: Uint8Array): void {
    const { order } = this.#delassus;
    let count = 0;
    for (let k = 0; k < order.length; k++) {
      const row = order[k];
      const kind = this.#kinds[row];
      const takesPart = kind === JOINT || (kind === CONTACT && active[row] === 1);
      this.#place[row] = takesPart ? count : -1;
      if (takesPart) this.#list[count++] = row;
    }
    this.#count = count;
  }

  #isEquation(row: number): boolean {
    return this.#kinds[row] === JOINT || (this.isCombined && this.#staysClosed[row] === 1);
  }

  /** Which contacts stay closed: those that push, and do not spring back by their law. */
  #judgeClosed(lambda: Float64Array, reference: Float64Array): void {
    const { restitution } = this.rows;
    for (let i = 0; i < this.#count; i++) {
      const row = this.#list[i];
      this.#staysClosed[row] = lambda[row] > 0 && !(restitution[row] > 0 && reference[row] < 0) ? 1 : 0;
    }
  }

  #measure(lambda: Float64Array): void {
    const { clock, state } = this.context;
    const { y } = this;
    this.rows.evaluate(clock, state, lambda, y, this.yDot);
    let violation = 0;
    for (let i = 0; i < this.#count; i++) {
      const row = this.#list[i];
      // Along a curved gap a pass goes too far: what is pushed has to touch at the end.
      const own = this.#isEquation(row) || this.multiplier[row] > 0 ? Math.abs(y[row]) : -y[row];
      if (own <= violation) continue;
      violation = own;
      this.worst = row;
    }
    this.violation[0] = violation;
  }

  #assemble(): void {
    const problem = this.#problem;
    if (!this.#metric.isConstant) this.#metric.factor();
    this.#delassus.update(this.#list, this.#count);
    problem.restrict(this.#delassus.operator, this.#list, this.#count, this.#place);
    for (let i = 0; i < this.#count; i++)
      problem.lower[i] = this.#isEquation(this.#list[i]) ? Number.NEGATIVE_INFINITY : 0;
  }

  /** Λ⁺ of a pass. @returns whether it was found */
  #solve(): boolean {
    const problem = this.#problem;
    const { multiplier, tolerance } = this;
    for (let i = 0; i < this.#count; i++) problem.z[i] = multiplier[this.#list[i]];
    problem.q.fill(0, 0, this.#count);
    problem.multiply();
    for (let i = 0; i < this.#count; i++) {
      const row = this.#list[i];
      // Half the tolerance below zero contacts stay closed.
      const aim = this.isCombined || this.#isEquation(row) ? 0 : 0.5 * tolerance;
      problem.q[i] = this.y[row] + aim - problem.w[i];
    }
    if (this.#attempt()) return true;
    for (let i = 0; i < this.#count; i++)
      for (let k = problem.rowStart[i]; k < problem.rowStart[i + 1]; k++)
        if (problem.columns[k] === i) problem.values[k] *= 1 + REGULARISATION;
    problem.revision++;
    return this.#attempt();
  }

  #attempt(): boolean {
    this.#solver.solve(this.#problem, SOLVED, this.#result);
    return this.#result.status === 'converged';
  }

  #move(): void {
    const { multiplier } = this;
    const change = this.#change;
    change.fill(0);
    for (let i = 0; i < this.#count; i++) {
      const row = this.#list[i];
      change[row] = this.#problem.z[i] - multiplier[row];
      multiplier[row] = this.#problem.z[i];
    }
    this.#delassus.addResponse(change, this.context.state);
  }
}
