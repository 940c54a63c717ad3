/** Bilateral constraint y = 0 with free λ: joints, algebraic equations. Siconos developer's notes §7. */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { NonSmoothLaw } from '../nsds';
import { EQUALITY, type LawTarget, levelField, readLevel } from './common';

export const definition: ElementDefinition = {
  category: 'law',
  type: 'Equality',
  title: 'Equality',
  summary: 'A bilateral constraint, such as a joint or an algebraic equation; the multiplier is free.',
  equations: ['y = 0', '\\dot y = 0 \\quad\\text{at velocity level}'],
  fields: [levelField('velocity')],
  source: 'Siconos developer’s notes §7',
};

export function build(fields: FieldReader, target: LawTarget): NonSmoothLaw {
  const level = readLevel(fields, target, 'velocity');
  return {
    type: definition.type,
    size: 1,
    rows: [EQUALITY],
    level,
    // A joint takes part in impacts: at velocity level its multiplier is the impulse over the step.
    multiplier: level === 'velocity' ? 'impulse' : 'force',
    restitution: null,
  };
}
