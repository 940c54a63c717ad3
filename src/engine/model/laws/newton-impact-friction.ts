/**
 * Unilateral contact with an impact law and Coulomb friction, in the plane or in space. Row 0 of the relation
 * is the gap, row 1 the displacement along the contact; in space rows 1 and 2 are along two directions of the
 * tangent plane that are perpendicular to each other:
 *
 *     0 ≤ y_n ⊥ λ_n ≥ 0,   |λ_t| ≤ μ λ_n,   λ_t = −μ λ_n ẏ_t/|ẏ_t| while sliding.
 *
 * At an impact with Newton's restitution ẏ_n⁺ = −e ẏ_n⁻, and the tangential impulse obeys the same cone with
 * ẏ_t⁺ + e_t ẏ_t⁻ in place of ẏ_t. Poisson's relates impulses: compression until ẏ_n = 0, then expansion with
 * e times its normal impulse, each phase with Coulomb friction; Pfeiffer and Glocker 1996 §8.
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { NonSmoothLaw } from '../nsds';
import { INEQUALITY, type LawTarget, frictionField, rejectCompliance, restitutionField } from './common';

export const definition: ElementDefinition = {
  category: 'law',
  type: 'NewtonImpactFriction',
  title: 'Impact with Coulomb friction',
  summary:
    'Unilateral contact with restitution and Coulomb friction: row 0 is the gap, row 1 the slip; in space rows 1 and 2 are the slips along two perpendicular directions.',
  order: 2,
  rows: 2,
  equations: [
    '0 \\le y_n \\perp \\lambda_n \\ge 0, \\quad |\\lambda_t| \\le \\mu \\lambda_n',
    '\\dot y_t \\ne 0 \\Rightarrow \\lambda_t = -\\mu \\lambda_n\\, \\dot y_t/|\\dot y_t|',
    '\\dot y_n^+ = -e\\, \\dot y_n^- \\quad\\text{or}\\quad \\Lambda_n^E = e\\, \\Lambda_n^C',
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
      symbol: 'e_t',
      unit: '',
      required: false,
      default: 0,
      help: 'Part of the tangential velocity that an impact reverses as far as friction allows; 0 for most materials.',
    },
    {
      key: 'dimension',
      kind: 'integer',
      min: 2,
      max: 3,
      label: 'Dimension',
      symbol: '',
      unit: '',
      required: false,
      default: 2,
      help: '2: gap and slip, two rows to a contact. 3: gap and two slips, whose directions are perpendicular and of one unit; friction is in the disc of the tangent plane.',
    },
    {
      key: 'hypothesis',
      kind: 'choice',
      options: [
        { value: 'newton', label: 'Newton', help: 'e relates the normal velocities after and before.' },
        {
          value: 'poisson',
          label: 'Poisson',
          help: 'e relates the normal impulses of expansion and compression. Event-driven scheme only.',
        },
      ],
      label: 'Restitution',
      symbol: '',
      unit: '',
      required: false,
      default: 'newton',
      help: 'What the coefficient of restitution relates. With friction the two differ.',
    },
  ],
  source: 'Pfeiffer and Glocker 1996; Moreau 1988',
};

export function build(fields: FieldReader, target: LawTarget): NonSmoothLaw {
  rejectCompliance(fields, target);
  const friction = {
    kind: 'friction',
    coefficient: fields.number('mu'),
    restitution: fields.number('et'),
  } as const;
  const isSpatial = fields.number('dimension') === 3;
  return {
    type: definition.type,
    size: isSpatial ? 3 : 2,
    rows: isSpatial ? [INEQUALITY, friction, friction] : [INEQUALITY, friction],
    level: 'velocity',
    multiplier: 'impulse',
    restitution: fields.number('e'),
    hypothesis: fields.choice('hypothesis') === 'poisson' ? 'poisson' : 'newton',
  };
}
