/** Unilateral contact of 3D bodies without friction: 0 ≤ U_N + e U_N⁻ ⊥ R_N ≥ 0, R_T = 0. */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import { restitutionField, stiffnessField } from '../laws/common';
import type { ImpactMaterial } from './newton-impact-friction';

export { createLaw, kind } from './newton-impact-friction';

export const definition: ElementDefinition = {
  category: 'law',
  type: 'NewtonImpact3D',
  title: 'Newton impact in space',
  summary: 'Unilateral contact of 3D bodies without friction; a coefficient of restitution at impacts.',
  order: 'body',
  equations: ['0 \\le U_N + e\\, U_N^- \\perp R_N \\ge 0, \\quad R_T = 0'],
  fields: [restitutionField('no energy is lost.'), stiffnessField],
  source: 'Siconos developer’s notes §10; Moreau 1988',
};

export function build(fields: FieldReader): ImpactMaterial {
  return {
    kind: 'impact',
    friction: 0,
    restitution: fields.number('e'),
    tangentialRestitution: 0,
    relativeStiffness: fields.number('stiffness'),
  };
}
