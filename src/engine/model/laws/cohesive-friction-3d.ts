/**
 * Unilateral contact in space of surfaces that hold together: R_N ≥ −C h, the cone of friction shifted by
 * that pull, and Newton's law of impact:
 *
 *     K_μ ∋ R + C h n ⊥ U + e U⁻ + μ |U_T| n ∈ K*_μ.
 *
 * A contact that has closed pulls until its gap is larger than the range d, and breaking takes the work C d.
 * Such laws by a shift of the reaction are in F. Radjai and V. Richefeu, "Contact dynamics as a nonsmooth
 * discrete element method", 2009, doi:10.1016/j.mechmat.2009.01.028.
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { SurfaceLaw } from '../space/space';
import { frictionField, momentFields, readMoments, restitutionField } from './common';

export const definition: ElementDefinition = {
  category: 'law',
  type: 'CohesiveFriction3D',
  title: 'Cohesive contact with Coulomb friction in space',
  summary:
    'Contact of bodies in space that hold together up to a largest pull, with restitution and Coulomb friction.',
  order: 'body',
  rows: 3,
  equations: [
    'P = R + C h\\, n \\text{ while } g \\le d, \\quad 0 \\le U_N + e\\, U_N^- \\perp P_N \\ge 0, \\quad |R_T| \\le \\mu P_N',
    'U_T \\ne 0 \\Rightarrow R_T = -\\mu P_N\\, U_T/|U_T|',
    '|M_T| \\le \\mu_r P_N, \\quad |M_N| \\le \\mu_s P_N',
  ],
  fields: [
    {
      key: 'pull',
      kind: 'number',
      min: 0,
      label: 'Largest pull',
      symbol: 'C',
      unit: 'N',
      required: true,
      help: 'Force that each contact point takes before it opens; a box on four corners is held by four of them.',
    },
    {
      key: 'range',
      kind: 'number',
      min: 0,
      label: 'Range',
      symbol: 'd',
      unit: 'm',
      required: false,
      default: 0.0001,
      help: 'Gap at which a bond opens; breaking takes the work C d. Above a fiftieth of the smallest body it has no effect.',
    },
    {
      key: 'bond',
      kind: 'choice',
      options: [
        {
          value: 'returns',
          label: 'Comes back',
          help: 'A contact that closes again holds again, as of wet grains.',
        },
        {
          value: 'breaks',
          label: 'Breaks',
          help: 'Contacts that are closed at the start hold until they open, as of glue; all others do not pull.',
        },
      ],
      label: 'Bond',
      symbol: '',
      unit: '',
      required: false,
      default: 'returns',
      help: 'What becomes of a bond that has opened.',
    },
    frictionField('Largest ratio of the tangential force to the normal force plus the largest pull.'),
    restitutionField('without friction, no energy is lost.'),
    ...momentFields,
  ],
  source: 'F. Radjai and V. Richefeu, 2009, doi:10.1016/j.mechmat.2009.01.028',
};

export function build(fields: FieldReader): SurfaceLaw {
  return {
    kind: 'cohesive',
    friction: fields.number('mu'),
    restitution: fields.number('e'),
    pull: fields.number('pull'),
    range: fields.number('range'),
    breaks: fields.choice('bond') === 'breaks',
    ...readMoments(fields),
  };
}
