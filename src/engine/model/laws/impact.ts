/** What impact laws have in common. */
import type { FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { LawTarget } from './level';

/** @param atOne what a restitution of 1 means */
export const restitutionField = (atOne: string): FieldDefinition => ({
  key: 'e',
  kind: 'number',
  min: 0,
  max: 1,
  label: 'Coefficient of restitution',
  symbol: 'e',
  unit: '',
  required: true,
  help: `0: the bodies stay together; 1: ${atOne}`,
});

/** Reports the defect of an impact law on a relation whose y depends on λ. */
export function rejectCompliance(fields: FieldReader, target: LawTarget): void {
  if (!target.hasFeedthrough) return;
  fields.reject(
    'type',
    'impact-on-compliant-relation',
    'An impact law cannot act on gaps that yield under the force: there is no impact without a rigid contact.',
    'Choose complementarity, or a relation without compliance.',
  );
}
