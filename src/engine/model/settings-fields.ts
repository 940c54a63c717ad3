/** Fields that the definitions of all solvers have in common. */
import type { FieldDefinition } from './definition';

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
