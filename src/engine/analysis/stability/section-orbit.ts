/**
 * Periodic orbits by Newton shooting on a section (`section-map.ts`). The orbit closes after m returns. Of a
 * point (t₀, x₀) on the section and its m-th return (t₁, x₁),
 *
 *     forced, T known    x₁ − x₀ = 0,   t₁ − t₀ − T = 0    unknown  (t₀, x₀) on the section
 *     autonomous         x₁ − x₀ = 0                        unknown  x₀ on the section; T = t₁ − t₀ follows
 *
 * At a fixed time the return misses the start by ρ = x₁ − x₀ − f (t₁ − t₀ − T). With ξ the disturbance of the
 * start at a fixed time, x₀ + ξ + f δt at t₀ + δt, both are
 *
 *     forced        (M − I) ξ = −ρ,                                δt = −(g + ∇g ξ)/ġ
 *     autonomous    (M − I) ξ + f τ = −(x₁ − x₀),   ∇g ξ = −g,     δt = 0
 *
 * for with a period that is known the start is found at a fixed phase, and moves along its own orbit to the
 * section; without one the section keeps the free phase, in the place of the condition of
 * `periodic-orbit.ts`. What is left of g to second order is taken away along ∇g.
 *
 * Multipliers are those of the return map. On the section of a forced model (t, x) has as many coordinates as
 * x has at a fixed time, and ξ maps one to the other: they are the eigenvalues of M. Of an autonomous one
 * they are those of (I − f ∇g/ġ) M on the tangent plane ∇g δx = 0, which are the others of M without the one
 * that is 1.
 */
import type { EventRecord } from '../../event-driven/event-record';
import type { EngineErrorDetails } from '../../errors';
import { factorDense, solveDense } from '../../linalg/lu';
import { type Eigenvalues, eigenvalues } from '../../linalg/eigenvalues';
import { isKinked } from './kink';
import type { MotionModel } from './motion-model';
import type { OrbitFailure, PeriodicOrbit } from './periodic-orbit';
import { followReturn, type ReturnImage, type MappedPoint, type ShootingSection } from './section-map';

export interface SectionOrbitSettings {
  /** T, s; of an autonomous model a guess */
  readonly period: number;
  readonly isAutonomous: boolean;
  /** m: returns to the section in one period */
  readonly returns: number;
  /** largest residual relative to the sizes of the components, and of the time to the period */
  readonly tolerance?: number;
  readonly maxIterations?: number;
}

/**
 * `x` and `t0` are on the section; `multipliers` are those of the return map, n − 1 of an autonomous model.
 */
export interface SectionOrbit extends PeriodicOrbit {
  /** s */
  readonly t0: number;
  readonly returns: number;
  /** state before the impact, where the section is one; otherwise x */
  readonly before: Float64Array;
  readonly events: readonly EventRecord[];
}

/** The motion is along the section where it should cross it: it has no return map there. */
interface SectionTouched {
  readonly status: 'sectionTouched';
  readonly time: number;
  readonly x: Float64Array;
}

export type SectionOrbitResult = SectionOrbit | SectionTouched | OrbitFailure;

/** As of `periodic-orbit.ts`. */
const TOLERANCE = 1e-10;
const MOST_ITERATIONS = 30;
const MOST_HALVINGS = 8;
/** Periods within which the orbit has to come back: an iterate far off takes longer than the orbit. */
const LONGEST = 2;
/** ġ T over the size of g on the orbit, at which the motion counts as one along the section. */
const ALONG = 1e-9;
/** Corrections of a state onto the section, of which the second is to rounding. */
const CORRECTIONS = 4;

interface Trial {
  readonly start: MappedPoint;
  readonly image: ReturnImage;
  readonly residual: number;
}

type Failure = OrbitFailure | SectionTouched;

/** @param guess on the section; not changed */
export function findSectionOrbit(
  model: MotionModel,
  section: ShootingSection,
  guess: MappedPoint,
  settings: SectionOrbitSettings,
): SectionOrbitResult {
  const { tolerance = TOLERANCE, maxIterations = MOST_ITERATIONS, isAutonomous, period, returns } = settings;
  const attempt = (start: MappedPoint): Trial | Failure => {
    const { x } = start;
    const image = followReturn(model, section, start, returns, LONGEST * period);
    if (!image.ok) return { status: 'simulationFailed', error: image.error satisfies EngineErrorDetails, x };
    if (image.broken !== null) return { status: 'notDifferentiable', broken: image.broken, x };
    if (isAlong(image, start)) return { status: 'sectionTouched', time: start.time, x };
    return { start, image, residual: residualOf(image, start, isAutonomous ? null : period) };
  };
  let present = attempt(guess);
  if ('status' in present) return present;
  for (let iteration = 0; ; iteration++) {
    const { residual, start } = present;
    const { x } = start;
    const { graze, sizes } = present.image;
    if (residual <= tolerance)
      return graze !== null && isKinked(model, start.time, x, sizes, graze)
        ? { status: 'notDifferentiable', broken: graze, x }
        : orbitOf(present, settings, iteration);
    if (iteration === maxIterations) return { status: 'maxIterations', residual, x };
    const step = newtonStep(present, isAutonomous ? null : period);
    if (step === null) return { status: 'singular', residual, x };
    const next = lineSearch(attempt, present, step);
    if (next === null) return { status: 'maxIterations', residual, x };
    if ('status' in next) return next;
    present = next;
  }
}

const unit = (size: number): number => (size > 0 ? size : 1);

function isAlong({ gauge, sizes, time }: ReturnImage, start: MappedPoint): boolean {
  const { gradient, speed } = gauge;
  const size = gradient.reduce((sum, slope, i) => sum + Math.abs(slope) * unit(sizes[i]), 0);
  // Not the other way round: a speed that is not a number is none.
  return !(Math.abs(speed) * (time - start.time) > ALONG * size);
}

/** @param period null where it is not known */
function residualOf(image: ReturnImage, { time, x }: MappedPoint, period: number | null): number {
  let worst = period === null ? 0 : Math.abs(image.time - time - period) / period;
  for (let i = 0; i < x.length; i++)
    worst = Math.max(worst, Math.abs(image.x[i] - x[i]) / unit(image.sizes[i]));
  return worst;
}

interface Step {
  /** s */
  readonly time: number;
  readonly x: Float64Array;
}

/** The longest of the step's halves that lowers the residual; null where none does. */
function lineSearch(
  attempt: (start: MappedPoint) => Trial | Failure,
  { start, residual, image }: Trial,
  step: Step,
): Trial | Failure | null {
  let failure: Failure | null = null;
  for (let halving = 0, part = 1; halving <= MOST_HALVINGS; halving++, part /= 2) {
    const time = start.time + part * step.time;
    const next = attempt(onSection(image, { time, x: start.x.map((own, i) => own + part * step.x[i]) }));
    if ('status' in next) failure = next;
    else if (next.residual < residual) return next;
    else failure = null;
  }
  return failure;
}

/** Takes away what is left of g, along ∇g in units of the sizes. */
function onSection({ gauge, sizes }: ReturnImage, { time, x }: MappedPoint): MappedPoint {
  const { gradient } = gauge;
  const square = gradient.reduce((sum, slope, i) => sum + (slope * unit(sizes[i])) ** 2, 0);
  let moved = x;
  for (let k = 0; k < CORRECTIONS; k++) {
    const left = gauge.value(time, moved) / square;
    if (!Number.isFinite(left) || left === 0) break;
    moved = moved.map((own, i) => own - left * gradient[i] * unit(sizes[i]) ** 2);
  }
  return { time, x: moved };
}

/** @param period null of an autonomous model @returns null where the matrix is singular */
function newtonStep({ start, image }: Trial, period: number | null): Step | null {
  const n = start.x.length;
  const { sizes, matrix: flow, rate, startRate, gauge } = image;
  const scale = sizes.map(unit);
  const late = period === null ? 0 : image.time - start.time - period;
  const size = period === null ? n + 1 : n;
  const matrix = new Float64Array(size * size);
  const step = new Float64Array(n + 1);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++)
      matrix[i + size * j] = ((flow[i + n * j] - (i === j ? 1 : 0)) * scale[j]) / scale[i];
    step[j] = (start.x[j] - image.x[j] + rate[j] * late) / scale[j];
  }
  const g = gauge.value(start.time, start.x);
  if (period === null) {
    // Rows and columns in units that pivots can be compared in: a period, and the length of the gradient.
    const span = image.time - start.time;
    const length = Math.hypot(...gauge.gradient.map((slope, i) => slope * scale[i]));
    for (let i = 0; i < n; i++) {
      matrix[i + size * n] = (rate[i] * span) / scale[i];
      matrix[n + size * i] = (gauge.gradient[i] * scale[i]) / length;
    }
    step[n] = -g / length;
  }
  const pivots = new Int32Array(size);
  const solved = step.subarray(0, size);
  if (factorDense(matrix, 0, size, pivots, 0) >= 0) return null;
  solveDense(matrix, 0, size, pivots, 0, solved);
  const xi = Float64Array.from({ length: n }, (_, i) => step[i] * scale[i]);
  if (period === null) return { time: 0, x: xi };
  const time = -(g + gauge.gradient.reduce((sum, slope, i) => sum + slope * xi[i], 0)) / gauge.speed;
  return { time, x: xi.map((own, i) => own + startRate[i] * time) };
}

function orbitOf(
  { start, image, residual }: Trial,
  { isAutonomous, period, returns }: SectionOrbitSettings,
  iterations: number,
): SectionOrbit {
  return {
    status: 'converged',
    t0: start.time,
    x: start.x,
    before: image.before,
    period: isAutonomous ? image.time - start.time : period,
    residual,
    iterations,
    monodromy: image.matrix,
    multipliers: isAutonomous ? returnMultipliers(image) : eigenvalues(image.matrix, start.x.length),
    nearest: image.nearest,
    events: image.events,
    returns,
  };
}

/** Eigenvalues of (I − f ∇g/ġ) M on ∇g δx = 0, by the coordinates without the one that g depends on most. */
function returnMultipliers({ matrix, rate, gauge, sizes }: ReturnImage): Eigenvalues {
  const n = rate.length;
  const { gradient, speed } = gauge;
  const weight = gradient.map((slope, i) => Math.abs(slope) * unit(sizes[i]));
  const left = weight.indexOf(Math.max(...weight));
  const kept = Array.from({ length: n }, (_, i) => i).filter((i) => i !== left);
  const map = matrix.slice();
  for (let j = 0; j < n; j++) {
    let slope = 0;
    for (let i = 0; i < n; i++) slope += gradient[i] * matrix[i + n * j];
    for (let i = 0; i < n; i++) map[i + n * j] -= (rate[i] * slope) / speed;
  }
  const reduced = new Float64Array((n - 1) ** 2);
  kept.forEach((j, column) => {
    const part = gradient[j] / gradient[left];
    kept.forEach((i, row) => {
      reduced[row + (n - 1) * column] = map[i + n * j] - map[i + n * left] * part;
    });
  });
  return eigenvalues(reduced, n - 1);
}
