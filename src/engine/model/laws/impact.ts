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

/** K of the energy-based law of impact (`settings-impacts.ts`). */
export const stiffnessField: FieldDefinition = {
  key: 'stiffness',
  kind: 'number',
  min: 0,
  exclusiveMin: true,
  label: 'Relative stiffness',
  symbol: 'K',
  unit: '',
  required: false,
  default: 1,
  group: 'Several impacts at once',
  help: 'K of F = K u^η in the energy-based law of impact, for which only ratios between contacts count; other laws do not use it.',
};

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
