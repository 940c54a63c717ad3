/** Defaults of what stands directly in the simulation section of a document, each with its reason. */
import type { FieldDefinition } from '../definition';

/** Largest error of a run that counts as accurate, in parts of the range of a signal. */
export const ACCURACY = 0.01;

/**
 * A step of Newton's method from within 1e-6 of the solution ends at rounding, so this asks for one step more
 * than a loose tolerance would; four digits are left for the conditioning of the model.
 */
export const NEWTON_TOLERANCE = 1e-12;
/** Quadratic convergence takes seven; the rest is for kinks. */
export const NEWTON_ITERATIONS = 20;

/**
 * Bounces of 1e-12 of the lengths at hand are some thousand units of rounding high: their times are still
 * known to a few digits, and what is left of the motion is as small as the error of the integration.
 */
export const SMALLEST_BOUNCE = 1e-12;
/** Events within one step before they count as infinitely many: more than any run is meant to have. */
export const EVENTS_PER_STEP = 100_000;

/* Fields that the definitions of all solvers have in common. */

/** @param byDefault and @param help what it is the largest of */
export const toleranceField = (byDefault: number, help: string): FieldDefinition => ({
  key: 'tolerance',
  kind: 'number',
  min: 0,
  exclusiveMin: true,
  max: 1,
  label: 'Tolerance',
  symbol: '\\varepsilon',
  unit: '',
  required: false,
  default: byDefault,
  help,
});

/** A limit on iterations, whose size depends on what one iteration is. */
export const iterationsField = (limit: number, what: string): FieldDefinition => ({
  key: 'maxIterations',
  kind: 'integer',
  min: 1,
  max: 100_000_000,
  label: 'Iteration limit',
  symbol: 'k_{\\max}',
  unit: '',
  required: false,
  default: limit,
  help: `Largest number of ${what} in one solve.`,
});
