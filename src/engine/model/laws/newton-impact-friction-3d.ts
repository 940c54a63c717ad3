/**
 * Unilateral contact in space with an impact law and Coulomb friction, the cone as it is:
 *
 *     K_μ ∋ R ⊥ U + e U⁻ + μ |U_T + e_T U_T⁻| n ∈ K*_μ,   K_μ = {R: |R_T| ≤ μ R_N},
 *
 * which is 0 ≤ U_N + e U_N⁻ ⊥ R_N ≥ 0 with sticking inside the cone and R_T = −μ R_N U_T/|U_T| while sliding.
 * G. De Saxcé and Z.-Q. Feng, 1991, doi:10.1080/08905459108905146.
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { SurfaceLaw } from '../space/space';
import { frictionField, momentFields, readMoments, restitutionField, stiffnessField } from './common';

export const definition: ElementDefinition = {
  category: 'law',
  type: 'NewtonImpactFriction3D',
  title: 'Impact with Coulomb friction in space',
  summary:
    'Unilateral contact of bodies in space with restitution and Coulomb friction in the tangent plane.',
  order: 'body',
  rows: 3,
  equations: [
    '0 \\le U_N + e\\, U_N^- \\perp R_N \\ge 0, \\quad |R_T| \\le \\mu R_N',
    'U_T \\ne 0 \\Rightarrow R_T = -\\mu R_N\\, U_T/|U_T|',
    '|M_T| \\le \\mu_r R_N, \\quad |M_N| \\le \\mu_s R_N',
  ],
  fields: [
    frictionField('Largest ratio of the tangential to the normal force.'),
    restitutionField('without friction, no energy is lost.'),
    {
      key: 'et',
      kind: 'number',
      min: 0,
      max: 1,
      label: 'Tangential restitution',
      symbol: 'e_T',
      unit: '',
      required: false,
      default: 0,
      help: 'Part of the tangential velocity that an impact reverses as far as friction allows; 0 for most materials.',
    },
    ...momentFields,
    stiffnessField,
  ],
  source:
    'Siconos Development Team, Developer’s Notes, 2011, §10 and §12; G. De Saxcé and Z.-Q. Feng, 1991, doi:10.1080/08905459108905146',
};

export function build(fields: FieldReader): SurfaceLaw {
  return {
    kind: 'impact',
    friction: fields.number('mu'),
    restitution: fields.number('e'),
    tangentialRestitution: fields.number('et'),
    ...readMoments(fields),
    relativeStiffness: fields.number('stiffness'),
  };
}
