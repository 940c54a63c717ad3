/**
 * Unilateral contact with Frémond's law of impact, without friction or with Coulomb friction in the plane:
 * percussions that dissipate by the mean of the velocities before and after (Frémond 2002). Row 0 of the
 * relation is the gap, row 1 the displacement along the contact. With u = ẏ_n, v = ẏ_t and impulses λ,
 *
 *     λ_n = S + D,     0 ≤ u⁺ ⊥ S ≥ 0,     D = k max(0, −(u⁺ + u⁻)),
 *     |λ_t| ≤ μ λ_n,   λ_t = −μ λ_n sgn(v⁺ + v⁻) where v⁺ + v⁻ ≠ 0.
 *
 * It is the law that bodies have in space (`contact-laws/fremond-impact.ts`), where its energy is derived: at
 * each contact by itself λ·(u⁺ + u⁻)/2 ≤ 0 where the contact closes, and no impact gains energy, at however
 * many contacts. The mean velocity is that of percussions, in the step in which a contact begins to push. As
 * long as it pushes Coulomb's law of v⁺ holds.
 *
 * What it does to the problem of a step stands in `problems/law-reduction.ts`.
 */
import type { ElementDefinition, FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { NonSmoothLaw } from '../nsds';
import { type LawTarget, frictionField, rejectCompliance } from './common';

/** The viscosity of percussions, kg. @param initial of a new element */
export const viscosityField = (initial: number, help: string): FieldDefinition => ({
  key: 'k',
  kind: 'number',
  min: 0,
  exclusiveMin: true,
  label: 'Viscosity of percussions',
  symbol: 'k',
  unit: 'kg',
  required: true,
  initial,
  help,
});

export const definition: ElementDefinition = {
  category: 'law',
  type: 'FremondImpactFriction',
  title: 'Frémond impact with Coulomb friction',
  summary:
    'Unilateral contact whose impacts dissipate by the mean of the velocities before and after; friction never gains energy. Row 0 is the gap, row 1 the slip.',
  order: 2,
  rows: 2,
  equations: [
    '\\lambda_n = S + k \\max(0, -(\\dot y_n^+ + \\dot y_n^-)), \\quad 0 \\le \\dot y_n^+ \\perp S \\ge 0',
    '|\\lambda_t| \\le \\mu \\lambda_n, \\quad \\dot y_t^+ + \\dot y_t^- \\ne 0 \\Rightarrow \\lambda_t = -\\mu \\lambda_n\\, \\operatorname{sgn}(\\dot y_t^+ + \\dot y_t^-)',
  ],
  fields: [
    viscosityField(
      2,
      'The impulse that dissipates is k times the velocity lost. One contact that feels the mass m springs back with (k − m)/(k + m), and not for k below m.',
    ),
    frictionField('Largest ratio of the tangential to the normal percussion.'),
    {
      key: 'dimension',
      kind: 'integer',
      min: 1,
      max: 2,
      label: 'Dimension',
      symbol: '',
      unit: '',
      required: false,
      default: 2,
      help: '2: gap and slip, two rows to a contact. 1: the gap alone, without friction.',
    },
  ],
  source: 'Frémond 2002',
};

export function build(fields: FieldReader, target: LawTarget): NonSmoothLaw {
  rejectCompliance(fields, target);
  const normal = { kind: 'percussion', viscosity: fields.number('k') } as const;
  const coefficient = fields.number('mu');
  const isSliding = fields.number('dimension') !== 1;
  if (!isSliding && coefficient > 0)
    fields.reject(
      'mu',
      'friction-without-slip',
      'The law takes the gap alone, and its coefficient of friction is not zero.',
      'Set the friction to 0, or the dimension to 2 on a relation with gap and slip.',
    );
  return {
    type: definition.type,
    size: isSliding ? 2 : 1,
    rows: isSliding
      ? [normal, { kind: 'friction', coefficient, restitution: 1, isOfPercussion: true }]
      : [normal],
    level: 'velocity',
    multiplier: 'impulse',
    // u⁺ is compared with u⁻: their sum is what dissipates.
    restitution: 1,
  };
}
