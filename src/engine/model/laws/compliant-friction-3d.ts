/**
 * Unilateral contact in space with a surface that yields along the normal: spring and damper that push while
 * the contact is closed and never pull, and Coulomb friction with what they push, |R_T| ≤ μ R_N, exactly. The
 * pair of spring and damper is that of Kelvin and Voigt, as P. A. Cundall and O. D. L. Strack put it between
 * grains, 1979, doi:10.1680/geot.1979.29.1.47; their tangential spring is not there.
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { SurfaceLaw } from '../space/space';
import { frictionField, momentFields, readMoments } from './common';

export const definition: ElementDefinition = {
  category: 'law',
  type: 'CompliantFriction3D',
  title: 'Compliant contact with Coulomb friction in space',
  summary:
    'Contact of bodies in space with a spring and a damper along the normal that never pull, and Coulomb friction.',
  order: 'body',
  rows: 3,
  equations: [
    'R_N/h = \\max(0, -k\\, g - c\\, U_N), \\quad |R_T| \\le \\mu R_N',
    'U_T \\ne 0 \\Rightarrow R_T = -\\mu R_N\\, U_T/|U_T|',
    '|M_T| \\le \\mu_r R_N, \\quad |M_N| \\le \\mu_s R_N',
  ],
  fields: [
    {
      key: 'k',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Stiffness',
      symbol: 'k',
      unit: 'N/m',
      required: true,
      help: 'Of the spring of each contact point; a box that stands on four corners has four of them.',
    },
    {
      key: 'c',
      kind: 'number',
      min: 0,
      label: 'Damping',
      symbol: 'c',
      unit: 'N s/m',
      required: false,
      default: 0,
      help: 'Of the damper of each contact point. The scheme itself damps like a further h k.',
    },
    frictionField('Largest ratio of the tangential to the normal force.'),
    ...momentFields,
  ],
  source: 'P. A. Cundall and O. D. L. Strack, 1979, doi:10.1680/geot.1979.29.1.47',
};

export function build(fields: FieldReader): SurfaceLaw {
  return {
    kind: 'compliant',
    friction: fields.number('mu'),
    stiffness: fields.number('k'),
    damping: fields.number('c'),
    ...readMoments(fields),
  };
}
