/**
 * Steps 2 and 3 of the time loop: velocity-level rows linearised at the predicted position, then Newton's iteration,
 * which ends after the first pass where everything is linear. See `time-stepping.ts`.
 */
import type { OneStepIntegrator, StepContext } from '../integrators/step';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { Delassus } from './delassus';
import type { OneStepProblem } from './one-step';
import type { RelationRows, StateInputReceiver } from './rows';
import { solverFailure } from './step-failures';

/** Relative residuals below this are sums of a few hundred roundings: a tolerance under it may never be met. */
const ROUNDING_FLOOR = 1e-12;

export interface IterationParts {
  readonly model: NonSmoothDynamicalSystem;
  readonly context: StepContext;
  readonly integrators: readonly OneStepIntegrator[];
  readonly rows: RelationRows;
  readonly delassus: Delassus;
  readonly oneStep: OneStepProblem;
  /** multipliers by row, the iterate's */
  readonly lambda: Float64Array;
  /** what restitution compares with, by row */
  readonly reference: Float64Array;
  readonly stateInput: StateInputReceiver | null;
  readonly newton: { readonly tolerance: number; readonly maxIterations: number };
  readonly isOperatorConstant: boolean;
  /** whether some row reads a variable that its integrator does not solve for */
  readonly readsCompleted: boolean;
  /** whether velocity-level rows belong to the end position and are iterated */
  readonly relationsAtEnd: boolean;
}

export class NewtonIteration {
  /** whether one pass solves the step */
  readonly isLinear: boolean;
  /** positions q⁻ + h v⁻, indexed like the state */
  readonly #predicted: Float64Array;
  readonly #linearOutput: Float64Array;
  /** weighted inputs by coordinate as the last linearisation has them */
  readonly #linearInput: Float64Array;
  readonly #lastResidual = new Float64Array(1);

  constructor(private readonly parts: IterationParts) {
    const { context, rows, integrators, relationsAtEnd } = parts;
    this.isLinear = rows.isAffine && !relationsAtEnd && integrators.every(({ isLinear }) => isLinear);
    this.#predicted = new Float64Array(context.q + context.size);
    this.#linearOutput = new Float64Array(rows.count);
    this.#linearInput = new Float64Array(context.size);
  }

  /** Linearises velocity-level rows at q⁻ + h v⁻: for constraints that are not linear, better than the old position. */
  predict(): void {
    const { context, rows, lambda } = this.parts;
    const { start, q, v, size, clock } = context;
    const h = context.h[0];
    for (let i = 0; i < size; i++) this.#predicted[q + i] = start[q + i] + h * start[v + i];
    rows.linearise(clock, this.#predicted, lambda, 'velocity', null);
  }

  /**
   * @param changed whether other rows take part than in the step before
   * @returns whether Newton's method has converged
   * @throws {EngineError} when the one-step problem has no solution
   */
  solve(changed: boolean): boolean {
    const { context, integrators, newton } = this.parts;
    const { tolerance, maxIterations } = newton;
    if (!this.isLinear) for (let i = 0; i < integrators.length; i++) integrators[i].complete();
    let isNew = changed;
    this.#lastResidual[0] = Number.POSITIVE_INFINITY;
    for (let iteration = 0; iteration < maxIterations; iteration++) {
      this.#linearStep(isNew);
      context.counters.newtonIterations++;
      if (this.isLinear) return true;
      this.#computeResidual();
      if (context.residual[0] <= tolerance || this.#isRounding()) return true;
      isNew = false;
    }
    return false;
  }

  /** Whether the residual no longer falls and is as small as rounding allows. */
  #isRounding(): boolean {
    const residual = this.parts.context.residual[0];
    const hasStalled = residual > 0.5 * this.#lastResidual[0];
    this.#lastResidual[0] = residual;
    return hasStalled && residual <= ROUNDING_FLOOR;
  }

  /** One linearisation and its solution. */
  #linearStep(changed: boolean): void {
    const { context, integrators, rows, delassus, oneStep, lambda, stateInput } = this.parts;
    const { clock, state } = context;
    if (rows.isEvaluated) {
      context.inputOffset.fill(0);
      stateInput?.clearStateInput();
      rows.linearise(clock, state, lambda, 'other', stateInput);
    }
    for (let i = 0; i < integrators.length; i++) integrators[i].linearise();
    for (let i = 0; i < integrators.length; i++) {
      integrators[i].computeFree();
      if (this.parts.readsCompleted) integrators[i].complete();
    }
    if (oneStep.activeCount > 0) {
      if (!this.parts.isOperatorConstant) {
        delassus.update(oneStep.activeRows, oneStep.activeCount);
        oneStep.restrict();
      } else if (changed) {
        oneStep.restrict();
      }
      oneStep.solve(state, this.parts.reference, lambda);
      context.counters.solverIterations += oneStep.result.iterations;
      if (oneStep.result.status !== 'converged')
        throw solverFailure(this.parts.model, context, rows, oneStep);
      oneStep.recover(lambda);
      delassus.addResponse(lambda, state);
    } else {
      // Also where the set has not changed: a repeated step may find it emptied by the try before.
      lambda.fill(0);
    }
    for (let i = 0; i < integrators.length; i++) integrators[i].complete();
  }

  /** Relative residual of the step's non-linear equations at the iterate, into the context. */
  #computeResidual(): void {
    const { context, integrators, rows, lambda, relationsAtEnd } = this.parts;
    const { clock, state } = context;
    context.residual[0] = 0;
    this.#linearInput.set(context.inputOffset);
    rows.addLinearInputs(lambda, this.#linearInput);
    if (!rows.isAffine || relationsAtEnd) {
      rows.linearOutput(state, lambda, this.#linearOutput);
      if (relationsAtEnd) rows.linearise(clock, state, lambda, 'velocity', null);
      // The inputs ᵗC λ of the iterate are those with C at the iterate.
      if (!rows.isAffine) rows.linearise(clock, state, lambda, 'positions', null);
      rows.residual(clock, state, lambda, this.#linearOutput, context.residual);
    }
    context.input.fill(0);
    rows.addInputs(clock, state, lambda, true, context.input);
    this.#compareInputs();
    for (let i = 0; i < integrators.length; i++) integrators[i].residual();
  }

  /** How far the inputs are from what the linearised step took them for: all there is where the dynamics are linear. */
  #compareInputs(): void {
    const { input, residual } = this.parts.context;
    let worst = 0;
    let scale = 0;
    for (let i = 0; i < input.length; i++) {
      const value = Math.abs(input[i] - this.#linearInput[i]);
      if (!(value <= worst) && !Number.isNaN(worst)) worst = value;
      scale = Math.max(scale, Math.abs(input[i]), Math.abs(this.#linearInput[i]));
    }
    const relative = scale > 0 ? worst / scale : worst;
    if (!(relative <= residual[0]) && !Number.isNaN(residual[0])) residual[0] = relative;
  }
}
