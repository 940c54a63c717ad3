/** Complementarity 0 ≤ y ⊥ λ ≥ 0: ideal diodes, contacts without impacts. Siconos developer's notes §7. */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { NonSmoothLaw } from '../nsds';
import { INEQUALITY, type LawTarget, levelField, readLevel } from './common';

export const definition: ElementDefinition = {
  category: 'law',
  type: 'Complementarity',
  title: 'Complementarity',
  summary: 'Both quantities are non-negative and one of them is zero: an ideal diode, a compliant contact.',
  equations: ['0 \\le y \\perp \\lambda \\ge 0'],
  fields: [levelField('position')],
  source: 'Siconos developer’s notes §7',
};

export function build(fields: FieldReader, target: LawTarget): NonSmoothLaw {
  return {
    type: definition.type,
    size: 1,
    rows: [INEQUALITY],
    level: readLevel(fields, target, 'position'),
    multiplier: 'force',
    restitution: null,
  };
}
