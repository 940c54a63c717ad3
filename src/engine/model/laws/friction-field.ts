/** What laws with Coulomb friction in the tangent plane have in common. */
import type { FieldDefinition } from '../definition';

/** @param help what it is the largest ratio of */
export const frictionField = (help: string): FieldDefinition => ({
  key: 'mu',
  kind: 'number',
  min: 0,
  label: 'Coefficient of friction',
  symbol: '\\mu',
  unit: '',
  required: true,
  help,
});
