/**
 * Unilateral contact with Newton's impact law: 0 ≤ y ⊥ λ ≥ 0 and ẏ⁺ = −e ẏ⁻ where y = 0. The Siconos
 * developer's notes equations (11.8)–(11.9); at velocity level 0 ≤ ẏ⁺ + e ẏ⁻ ⊥ λ ≥ 0 (Moreau 1988).
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { NonSmoothLaw } from '../nsds';
import { INEQUALITY, type LawTarget, rejectCompliance, restitutionField, stiffnessField } from './common';

export const definition: ElementDefinition = {
  category: 'law',
  type: 'NewtonImpact',
  title: 'Newton impact',
  summary: 'Unilateral contact without friction; a coefficient of restitution at impacts.',
  order: 2,
  equations: ['0 \\le y \\perp \\lambda \\ge 0', '\\dot y^+ = -e\\, \\dot y^- \\quad\\text{if } y = 0'],
  fields: [restitutionField('no energy is lost.'), stiffnessField],
  source: 'Siconos developer’s notes, equations (11.8)–(11.9); Moreau 1988',
};

export function build(fields: FieldReader, target: LawTarget): NonSmoothLaw {
  rejectCompliance(fields, target);
  return {
    type: definition.type,
    size: 1,
    rows: [INEQUALITY],
    level: 'velocity',
    multiplier: 'impulse',
    restitution: fields.number('e'),
    stiffness: fields.number('stiffness'),
  };
}
