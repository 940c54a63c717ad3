/**
 * Periodic orbits by Newton shooting. With P the flow over the time T,
 *
 *     forced, T known         P(x) − x = 0,                               J = ∂P/∂x − I
 *     autonomous, T unknown   P(x, T) − x = 0,  ᵗf(x₀) (x − x₀) = 0,      J = [∂P/∂x − I   f(P); ᵗf(x₀)   0]
 *
 * where the second condition keeps the orbit's free phase: steps are across the flow at the last iterate. The
 * matrix ∂P/∂x, which contains the saltation matrices of all events on the way, is the monodromy matrix; its
 * eigenvalues are the Floquet multipliers μ, and the orbit is stable where all are inside the unit circle.
 * One of an autonomous orbit is 1.
 *
 * Iterates that go astray are drawn back: a step is halved until the residual falls. Residuals count relative
 * to the largest magnitude of each component on the orbit.
 *
 * Where orbits are not isolated, as those of a motion that keeps its energy, J is singular to rounding at
 * each of them, and its inverse leads anywhere. There the step is a short one, by Levenberg's damped least
 * squares (Levenberg 1944) with the square of the residual as damping, which converges quadratically to
 * orbits that are not isolated, too (Yamashita and Fukushima 2001): to one of the family that is near the
 * guess.
 */
import type { EventRecord } from '../../event-driven/event-record';
import type { TangentBreak } from '../../event-driven/tangent/tangent-motion';
import type { EngineErrorDetails } from '../../errors';
import { factorDense, solveDense } from '../../linalg/lu';
import { type Eigenvalues, eigenvalues } from '../../linalg/eigenvalues';
import { type FlowImage, followFlow } from './flow-map';
import { isKinked } from './kink';
import type { MotionModel } from './motion-model';

export interface OrbitSettings {
  /** start of the orbit, s: of a forced model its phase */
  readonly t0: number;
  /** period, s; of an autonomous model a guess */
  readonly period: number;
  readonly isAutonomous: boolean;
  /** largest residual relative to the sizes of the components */
  readonly tolerance?: number;
  readonly maxIterations?: number;
  /**
   * smallest sizes of components that residuals are relative to: a point of rest at zero has none of its own
   */
  readonly sizes?: Float64Array;
}

export interface PeriodicOrbit {
  readonly status: 'converged';
  /** state at t₀ */
  readonly x: Float64Array;
  /** s */
  readonly period: number;
  /** |P(x) − x|, relative */
  readonly residual: number;
  readonly iterations: number;
  /** ∂P/∂x, entry [i, j] at [i + n j] */
  readonly monodromy: Float64Array;
  readonly multipliers: Eigenvalues;
  readonly nearest: FlowImage['nearest'];
  /** events of one period: the sequence of contacts that close and open */
  readonly events: readonly EventRecord[];
}

export type OrbitFailure =
  | { readonly status: 'maxIterations'; readonly residual: number; readonly x: Float64Array }
  /** J is singular to rounding: at a fold, or where disturbances do not die out nor grow */
  | { readonly status: 'singular'; readonly residual: number; readonly x: Float64Array }
  /** an event on the orbit has no derivative */
  | { readonly status: 'notDifferentiable'; readonly broken: TangentBreak; readonly x: Float64Array }
  | { readonly status: 'simulationFailed'; readonly error: EngineErrorDetails; readonly x: Float64Array };

export type OrbitResult = PeriodicOrbit | OrbitFailure;

/** What rounding and the tolerances of integration leave of a residual is below this. */
const TOLERANCE = 1e-10;
const MOST_ITERATIONS = 30;
const MOST_HALVINGS = 8;
/**
 * What is added to the square of the residual in μ, relative to the largest entry of ᵗJ J: above its
 * rounding.
 */
const DAMPING = 1e-12;
/** A step by J⁻¹ that is longer than the shortest one by this factor goes along a family of orbits. */
const ASTRAY = 4;
/** Steps of the period alone, and what each has to leave of the residual at most. */
const MOST_POLISHES = 6;
const POLISHED = 0.25;

interface Trial {
  readonly image: FlowImage;
  readonly x: Float64Array;
  readonly period: number;
  readonly residual: number;
  readonly scale: Float64Array;
}

/**
 * What components are measured by: their largest magnitudes on the orbit. A velocity that is rounding, as of
 * a motion that rests, is measured by what would move its coordinate by its own size in a period.
 */
function scaleOf(
  model: MotionModel,
  { sizes }: FlowImage,
  period: number,
  least?: Float64Array,
): Float64Array {
  const { velocity, coordinates } = model.places;
  const scale = sizes.map((size, i) => Math.max(size, least?.[i] ?? 0));
  for (let dof = 0; dof < coordinates; dof++)
    if (velocity[dof] !== dof) scale[velocity[dof]] = Math.max(scale[velocity[dof]], scale[dof] / period);
  return scale.map((size) => (size > 0 ? size : 1));
}

/** |P(x) − x| relative to the sizes. */
function residualOf(image: FlowImage, x: Float64Array, scale: Float64Array): number {
  let worst = 0;
  for (let i = 0; i < x.length; i++) worst = Math.max(worst, Math.abs(image.x[i] - x[i]) / scale[i]);
  return worst;
}

/** @param guess state at t₀; not changed */
export function findOrbit(model: MotionModel, guess: Float64Array, settings: OrbitSettings): OrbitResult {
  const { t0, isAutonomous, tolerance = TOLERANCE, maxIterations = MOST_ITERATIONS } = settings;
  const attempt = (x: Float64Array, period: number): Trial | OrbitFailure => {
    if (!(period > 0)) return { status: 'maxIterations', residual: Infinity, x };
    const image = followFlow(model, t0, period, x);
    if (!image.ok) return { status: 'simulationFailed', error: image.error, x };
    if (image.broken !== null) return { status: 'notDifferentiable', broken: image.broken, x };
    const scale = scaleOf(model, image, period, settings.sizes);
    return { image, x, period, residual: residualOf(image, x, scale), scale };
  };
  const first = attempt(guess.slice(), settings.period);
  if ('status' in first) return first;
  let present: Trial = first;
  // The period alone comes first: where the guess is on an orbit already, as any state of a motion that keeps
  // its energy, it stays there.
  for (let polish = 0; isAutonomous && polish < MOST_POLISHES; polish++) {
    const next = attempt(present.x, present.period + periodStep(present));
    if ('status' in next || !(next.residual < POLISHED * present.residual)) break;
    present = next;
  }
  for (let iteration = 0; ; iteration++) {
    if (present.residual <= tolerance) {
      const { image, x } = present;
      const isTouching = image.graze !== null && isKinked(model, t0, x, image.sizes, image.graze);
      return isTouching
        ? { status: 'notDifferentiable', broken: image.graze, x }
        : orbitOf(present, iteration);
    }
    const { residual, x } = present;
    if (iteration === maxIterations) return { status: 'maxIterations', residual, x };
    const step = newtonStep(present, isAutonomous);
    const shortest = newtonStep(present, isAutonomous, true);
    const isAstray = step === null || (shortest !== null && step.length > ASTRAY * shortest.length);
    let next: Trial | OrbitFailure | null = null;
    for (const choice of isAstray ? [shortest, step] : [step, shortest])
      if (next === null && choice !== null) next = lineSearch(attempt, present, choice.step);
    if (next === null) return { status: step === null ? 'singular' : 'maxIterations', residual, x };
    if ('status' in next) return next;
    present = next;
  }
}

/** The longest of the step's halves that lowers the residual; null where none does. */
function lineSearch(
  attempt: (x: Float64Array, period: number) => Trial | OrbitFailure,
  { x, period, residual }: Trial,
  step: Float64Array,
): Trial | OrbitFailure | null {
  let failure: OrbitFailure | null = null;
  for (let halving = 0, part = 1; halving <= MOST_HALVINGS; halving++, part /= 2) {
    const moved = x.map((value, i) => value + part * step[i]);
    const next = attempt(moved, period + part * step[x.length]);
    if ('status' in next) failure = next;
    else if (next.residual < residual) return next;
    else failure = null;
  }
  return failure;
}

/** ΔT with ᵗf(x₀) (P(x₀, T + ΔT) − x₀) = 0, in units of the sizes. */
function periodStep({ image, x, scale }: Trial): number {
  let along = 0;
  let speed = 0;
  for (let i = 0; i < x.length; i++) {
    const size = scale[i];
    along += (image.startRate[i] * (x[i] - image.x[i])) / (size * size);
    speed += (image.startRate[i] * image.rate[i]) / (size * size);
  }
  return speed > 0 ? along / speed : 0;
}

interface NewtonStep {
  readonly step: Float64Array;
  /** in units of the sizes */
  readonly length: number;
}

/**
 * Δx, then ΔT, which is 0 where the period is known; null where J is singular.
 * @param isShortest whether to take the shortest step in place of J⁻¹
 */
function newtonStep(
  { image, x, residual, scale }: Trial,
  isAutonomous: boolean,
  isShortest = false,
): NewtonStep | null {
  const n = x.length;
  const size = isAutonomous ? n + 1 : n;
  const matrix = new Float64Array(size * size);
  const step = new Float64Array(n + 1);
  // Components in units of their sizes, so that pivots can be compared.
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++)
      matrix[i + size * j] = ((image.matrix[i + n * j] - (i === j ? 1 : 0)) * scale[j]) / scale[i];
    step[j] = (x[j] - image.x[j]) / scale[j];
  }
  let timeScale = 1;
  if (isAutonomous) {
    let square = 0;
    for (let i = 0; i < n; i++) square += (image.startRate[i] / scale[i]) ** 2;
    const speed = Math.sqrt(square);
    timeScale = speed > 0 ? 1 / speed : 1;
    for (let i = 0; i < n; i++) {
      matrix[i + size * n] = (image.rate[i] / scale[i]) * timeScale;
      matrix[n + size * i] = (image.startRate[i] / scale[i]) * timeScale;
    }
  }
  const pivots = new Int32Array(size);
  const solved = step.subarray(0, size);
  if (isShortest) makeNormal(matrix, solved, residual);
  if (factorDense(matrix, 0, size, pivots, 0) >= 0) return null;
  solveDense(matrix, 0, size, pivots, 0, solved);
  const length = Math.hypot(...solved);
  for (let j = 0; j < n; j++) step[j] *= scale[j];
  step[n] *= timeScale;
  return { step, length };
}

/** J and r become ᵗJ J + μ I and ᵗJ r. */
function makeNormal(matrix: Float64Array, r: Float64Array, residual: number): void {
  const n = r.length;
  const normal = new Float64Array(n * n);
  const side = new Float64Array(n);
  let largest = 0;
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < n; k++) side[i] += matrix[k + n * i] * r[k];
    for (let j = 0; j < n; j++) {
      for (let k = 0; k < n; k++) normal[i + n * j] += matrix[k + n * i] * matrix[k + n * j];
    }
    largest = Math.max(largest, normal[i + n * i]);
  }
  for (let i = 0; i < n; i++) normal[i + n * i] += DAMPING * largest + residual * residual;
  matrix.set(normal);
  r.set(side);
}

function orbitOf({ image, x, period, residual }: Trial, iterations: number): PeriodicOrbit {
  return {
    status: 'converged',
    x,
    period,
    residual,
    iterations,
    monodromy: image.matrix,
    multipliers: eigenvalues(image.matrix, x.length),
    nearest: image.nearest,
    events: image.events,
  };
}
