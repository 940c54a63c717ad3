/** What the integrators of a model share while a step is computed. */
import { EngineError } from '../errors';
import type { LawForm } from '../model/forms';
import type { StepWriter } from '../straight-line/writer';

/**
 * A step takes the state at t_k, kept in `start`, to the one at t_{k+1}, built up in `state`. Both are
 * indexed by state slot: coordinate i of the model has its position (or first-order state x) in slot `q + i`
 * and its velocity in slot `v + i`. While a step is being computed `state` holds the present iterate.
 *
 * Numbers that change stand in arrays of one entry: as fields or arguments they would be boxed.
 */
export interface StepContext {
  readonly state: Float64Array;
  readonly start: Float64Array;
  /** number of coordinates of the model */
  readonly size: number;
  /** first slot of positions and first-order states */
  readonly q: number;
  /** first slot of velocities */
  readonly v: number;
  /** first coordinate of each system, and their number at the end */
  readonly offsets: Int32Array;
  /** ids of the systems, for messages */
  readonly ids: readonly string[];
  /** t_k, s */
  readonly clock0: Float64Array;
  /** t_{k+1}, s */
  readonly clock: Float64Array;
  /** step length, s */
  readonly h: Float64Array;
  /** t_½ = t_k + ½h, s */
  readonly halfClock: Float64Array;
  /**
   * Indexed like the state, of systems of `MoreauHalfStep`: positions q_½ in the middle of the step, and the
   * velocities that have led there. See `HalfSteps`.
   */
  readonly middle: Float64Array;
  /**
   * By coordinate: constant part of the weighted generalised input at the present linearisation,
   * γ (g(t, x^α, λ^α) − B λ^α); zero where r is linear in λ.
   */
  readonly inputOffset: Float64Array;
  /** By coordinate: weighted generalised input γ r at the iterate, for the residual of Newton's method. */
  readonly input: Float64Array;
  /** By coordinate: generalised input r_k at the start of the step, for systems of first order. */
  readonly input0: Float64Array;
  /** residual[0] largest residual so far relative to its scale; see `OneStepIntegrator.residual` */
  readonly residual: Float64Array;
  readonly counters: StepCounters;
}

/** Work done so far. */
export interface StepCounters {
  /** factorisations of iteration matrices */
  factorisations: number;
  /** Newton iterations; 1 a step where everything is linear */
  newtonIterations: number;
  /** iterations of the one-step solver */
  solverIterations: number;
}

/**
 * Part of |M| |u| that rounding leaves in M (u − u_k), a few operations of half a unit each: with short steps
 * it outweighs what the forces add, and no iteration can get below it.
 */
export const MOMENTUM_ROUNDING = 16 * Number.EPSILON;

export type Level = LawForm['level'];
export type Multiplier = LawForm['multiplier'];

/** Systems that are advanced by one iteration matrix. */
export interface IterationBlock {
  /** systems in the order of the block's coordinates */
  readonly systems: readonly number[];
  /** whether the iteration matrix is diagonal, so that its inverse fills nothing in */
  readonly isDiagonal: boolean;
}

/**
 * A one-step integrator of some systems of a model. Its unknown u is the end-of-step velocity or position,
 * and the step is u = u_free + Σ Ŵ⁻¹ γ r, with Ŵ its iteration matrix, r the generalised inputs and γ its
 * weight of them. One step:
 *
 *     begin()        plug-ins at t_{k+1}; `state` still equals `start`
 *     linearise()    Ŵ at the iterate, factorised where it has changed
 *     computeFree()  u_free into the slots of the unknown
 *     …              the caller solves for the multipliers and adds Ŵ⁻¹ γ r
 *     complete()     the other variables of `state` from u
 *     residual()     how far the iterate is from solving the step; the next iteration starts at `linearise`
 *     accept()       the end of the step becomes the start of the next
 */
export interface OneStepIntegrator {
  readonly type: string;
  /** positions of its systems in the model */
  readonly systems: readonly number[];
  readonly blocks: readonly IterationBlock[];
  readonly unknown: 'position' | 'velocity';
  /** whether one iteration solves its step */
  readonly isLinear: boolean;
  /** whether Ŵ is the same in all steps */
  readonly isConstant: boolean;
  /** whether Ŵ is symmetric */
  readonly isSymmetric: boolean;
  /**
   * whether laws on velocities belong to the middle of the step, `middle` of the context; false where absent
   */
  readonly hasMiddle?: boolean;
  /**
   * γ of x_{k+γ} = γ x_{k+1} + (1−γ) x_k, where relations of its first-order systems hold; 1, the end of the
   * step, where absent
   */
  readonly share?: number;
  begin(): void;
  /** @throws {EngineError} when Ŵ is singular, naming the system, the time and the step */
  linearise(): void;
  computeFree(): void;
  complete(): void;
  /** Raises `residual[0]` of the context to the relative residual of its systems at the iterate. */
  residual(): void;
  accept(): void;
  /** x ← Ŵ⁻¹ x for the coordinates of one block; x is indexed by coordinate of the model */
  applyInverse(block: number, x: Float64Array): void;
  /** a = ∂z/∂u, with z the position or velocity at the end of the step */
  outputWeight(level: Level): number;
  /** γ for multipliers of the given kind */
  inputWeight(multiplier: Multiplier): number;
  /** Brings everything that depends on the step length to the h of the context. */
  changeStep(): void;
  /**
   * A source has jumped at the time of the context: what was kept of the end of the last step is formed
   * again. Absent where nothing is kept.
   */
  inputsChanged?(): void;
  /**
   * Writes what `begin`, `linearise` and `computeFree` do, and what `complete` and `accept` do, as
   * straight-line code for the present step length: the same operations in the same order. Where `writeFree`
   * is missing, or returns false without having written anything, the methods themselves are called.
   */
  writeFree?(w: StepWriter): boolean;
  writeEnd?(w: StepWriter): void;
  /**
   * Schemes over three times: q_{k−1} of their systems into and from `previous`, by coordinate of the model.
   */
  savePrevious?(previous: Float64Array): void;
  loadPrevious?(previous: Float64Array): void;
}

/* Failures that an integrator reports: they name the system, the time and the step. */

/** Error for an iteration matrix that is singular to rounding. @param matrix its formula, for the message */
export function singularIteration(context: StepContext, system: number, matrix: string): EngineError {
  const id = context.ids[system];
  const h = context.h[0];
  const time = context.clock[0];
  return new EngineError({
    code: 'iteration-matrix-singular',
    message: `The iteration matrix ${matrix} of “${id}” is singular at h = ${h} s, t = ${time} s.`,
    where: id,
    time,
    remedy: 'Check the signs of the matrices of the system, or change the time step.',
  });
}
