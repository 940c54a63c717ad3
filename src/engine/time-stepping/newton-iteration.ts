/**
 * Steps 2 and 3 of the time loop: velocity-level rows linearised at the predicted position, then Newton's
 * iteration, which ends after the first pass where everything is linear. See `time-stepping.ts`.
 */
import type { OneStepIntegrator, StepContext } from '../integrators/step';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { Delassus } from './delassus';
import type { HalfSteps } from './half-steps';
import type { OneStepProblem } from './one-step';
import type { StepRelations, StateInputReceiver } from './rows';
import { solverFailure } from './failures';

/**
 * Relative residuals below this are sums of a few hundred roundings: a tolerance under it may never be met.
 */
const ROUNDING_FLOOR = 1e-12;

/** Rounding of a state in units of the terms that it is the sum of. */
const STATE_ROUNDING = 4 * Number.EPSILON;
/** A residual that is larger says that something is wrong, whatever rounding could do. */
const LARGEST_FLOOR = 1e-8;

/** Passes before those that go to and fro are shortened: what converges by itself has begun to do so. */
const PASSES_UNSHORTENED = 3;
/** The longest of them, in parts of the whole: from either side of a kink it has to end before the kink. */
const LONGEST = 0.8;
/**
 * Passes whose residual falls so far converge: where the slope holds, a shortened one leaves 1 − 0.8 of it,
 * at the kink of √|x| the root of that.
 */
const FALLS = 0.3;

export interface IterationParts {
  readonly model: NonSmoothDynamicalSystem;
  readonly context: StepContext;
  readonly integrators: readonly OneStepIntegrator[];
  readonly rows: StepRelations;
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
  /** whether they belong to the start of the step */
  readonly relationsAtStart: boolean;
  /** null where no system is advanced by half steps */
  readonly halfSteps: HalfSteps | null;
}

export class NewtonIteration {
  /** whether one pass solves the step for given joints */
  readonly isLinear: boolean;
  /** whether passes have to close joints */
  readonly #closesJoints: boolean;
  /** positions q⁻ + h v⁻, indexed like the state */
  readonly #predicted: Float64Array;
  readonly #linearOutput: Float64Array;
  /** weighted inputs by coordinate as the last linearisation has them */
  readonly #linearInput: Float64Array;
  readonly #lastResidual = new Float64Array(1);
  /** the iterate before a pass, indexed like the state */
  readonly #before: Float64Array;
  /** [0] part of the way that is gone, [1] residual of the pass before */
  readonly #damping = new Float64Array(2);
  /** by coordinate, and indexed like the state: what rounding may be, and a state moved by it */
  readonly #rounding: Float64Array;
  readonly #moved: Float64Array;
  readonly #largestFloor = new Float64Array(1);

  constructor(private readonly parts: IterationParts) {
    const { context, rows, integrators, relationsAtEnd } = parts;
    this.isLinear = rows.isAffine && !relationsAtEnd && integrators.every(({ isLinear }) => isLinear);
    this.#closesJoints = parts.halfSteps?.hasJoints === true;
    this.#predicted = new Float64Array(context.q + context.size);
    this.#linearOutput = new Float64Array(rows.count);
    this.#linearInput = new Float64Array(context.size);
    this.#before = new Float64Array(context.q + context.size);
    this.#rounding = new Float64Array(context.size);
    this.#moved = new Float64Array(context.q + context.size);
  }

  /**
   * Linearises velocity-level rows at q⁻ + h v⁻: for constraints that are not linear, better than the old
   * position, which they may belong to where that is asked for. Those of systems that are advanced by half
   * steps belong to q_½.
   */
  predict(): void {
    const { context, rows, lambda, halfSteps, relationsAtStart } = this.parts;
    const { start, q, v, size, clock, clock0 } = context;
    const h = relationsAtStart ? 0 : context.h[0];
    for (let i = 0; i < size; i++) this.#predicted[q + i] = start[q + i] + h * start[v + i];
    halfSteps?.writeMiddle(this.#predicted);
    rows.linearise(relationsAtStart ? clock0 : clock, this.#predicted, lambda, 'predicted', null);
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
    this.#damping[0] = LONGEST;
    this.#damping[1] = Number.POSITIVE_INFINITY;
    for (let iteration = 0; iteration < maxIterations; iteration++) {
      if (this.parts.stateInput !== null) this.#before.set(context.state.subarray(0, this.#before.length));
      this.#linearStep(isNew, iteration > 0 && this.isLinear);
      context.counters.newtonIterations++;
      // Passes over the joints contract by themselves, whatever the tolerance of Newton's method.
      const isClosed = !this.#closesJoints || this.parts.halfSteps?.correct() === true;
      isNew = false;
      if (this.isLinear) {
        if (isClosed) return true;
        continue;
      }
      this.#computeResidual();
      const isSmall = context.residual[0] <= tolerance || this.#isRounding();
      if (isSmall && isClosed) return true;
      if (this.parts.stateInput !== null) this.#shorten(iteration);
    }
    return false;
  }

  /**
   * About a kink of an input, as of √|x| sgn x, Newton's method goes to and fro between its sides, none of
   * whose slopes holds on the other, or between the kink, where there is no slope, and a place too far away.
   * Where the residual has not fallen by much, the next pass begins on the way to where the last one has
   * ended: a part of it that shrinks while the residual grows, and is never all of it.
   */
  #shorten(iteration: number): void {
    const { state, q, size } = this.parts.context;
    const residual = this.parts.context.residual[0];
    const before = this.#before;
    const isGrowing = residual >= this.#damping[1];
    const isConverging = residual <= FALLS * this.#damping[1];
    this.#damping[1] = residual;
    if (isConverging || iteration < PASSES_UNSHORTENED) {
      this.#damping[0] = LONGEST;
      return;
    }
    this.#damping[0] = isGrowing ? 0.5 * this.#damping[0] : Math.min(LONGEST, 2 * this.#damping[0]);
    for (let i = q; i < q + size; i++) state[i] = before[i] + this.#damping[0] * (state[i] - before[i]);
  }

  /** Whether the residual no longer falls and is as small as rounding allows. */
  #isRounding(): boolean {
    const residual = this.parts.context.residual[0];
    const hasStalled = residual > 0.5 * this.#lastResidual[0];
    this.#lastResidual[0] = residual;
    if (!hasStalled) return false;
    if (residual <= ROUNDING_FLOOR) return true;
    // What is no rounding by its size alone may be one by the slope of the functions, at √|x| = 0 an infinite
    // one.
    return residual <= LARGEST_FLOOR && residual <= this.#floor();
  }

  /**
   * Residual that rounding of the present state leaves: that of a state which is moved by it, one way or the
   * other.
   */
  #floor(): number {
    const { context, integrators, rows, lambda } = this.parts;
    const { start, state, input, clock, q, v, size } = context;
    const rounding = this.#rounding;
    let scale = 0;
    for (let i = 0; i < size; i++) {
      const first =
        Math.abs(start[q + i]) + Math.abs(state[q + i]) + Math.abs(start[v + i]) + Math.abs(state[v + i]);
      rounding[i] = STATE_ROUNDING * (first + Math.abs(input[i]));
      scale = Math.max(scale, Math.abs(input[i]));
    }
    for (let i = 0; i < integrators.length; i++)
      for (let b = 0; b < integrators[i].blocks.length; b++) integrators[i].applyInverse(b, rounding);
    const moved = this.#moved;
    const floor = this.#largestFloor;
    floor[0] = 0;
    for (let sign = -1; sign <= 1; sign += 2) {
      for (let i = 0; i < size; i++) moved[q + i] = state[q + i] + sign * Math.abs(rounding[i]);
      rows.residuals.measureRounding(clock, state, moved, lambda, scale, floor);
    }
    return floor[0];
  }

  /**
   * One linearisation and its solution.
   * @param isKept whether the linearisation of the pass before still holds, only the constants of joints
   *   having changed
   */
  #linearStep(changed: boolean, isKept: boolean): void {
    const { context, integrators, rows, delassus, oneStep, lambda, stateInput } = this.parts;
    const { clock, state } = context;
    if (rows.isEvaluated && !isKept) {
      context.inputOffset.fill(0);
      stateInput?.clearStateInput();
      rows.linearise(clock, state, lambda, 'other', stateInput);
    }
    if (!isKept) for (let i = 0; i < integrators.length; i++) integrators[i].linearise();
    for (let i = 0; i < integrators.length; i++) {
      integrators[i].computeFree();
      if (this.parts.readsCompleted) integrators[i].complete();
    }
    if (oneStep.activeCount > 0) {
      if (isKept) {
        // W is the one that has been taken over.
      } else if (!this.parts.isOperatorConstant) {
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
      rows.residuals.raise(clock, state, lambda, this.#linearOutput, context.residual);
    }
    context.input.fill(0);
    rows.addInputs(clock, state, lambda, true, context.input);
    this.#compareInputs();
    for (let i = 0; i < integrators.length; i++) integrators[i].residual();
  }

  /**
   * How far the inputs are from what the linearised step took them for: all there is where the dynamics are
   * linear.
   */
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
