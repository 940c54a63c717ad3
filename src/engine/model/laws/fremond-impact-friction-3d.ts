/**
 * Unilateral contact in space with M. Frémond's law of impact: percussions that dissipate by the mean
 * velocity ½ (U⁺ + U⁻), along the normal with a viscosity and in the tangent plane with Coulomb's law. No
 * impact gains energy, at however many contacts.
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { SurfaceLaw } from '../space/space';
import { frictionField, momentFields, readMoments } from './common';

export const definition: ElementDefinition = {
  category: 'law',
  type: 'FremondImpactFriction3D',
  title: 'Frémond impact with Coulomb friction in space',
  summary:
    'Unilateral contact of bodies in space whose impacts dissipate by the mean of the velocities before and after; friction never gains energy.',
  order: 'body',
  rows: 3,
  equations: [
    'R_N = S + k \\max(0, -(U_N^+ + U_N^-)), \\quad 0 \\le U_N^+ \\perp S \\ge 0',
    '|R_T| \\le \\mu R_N, \\quad U_T^+ + U_T^- \\ne 0 \\Rightarrow R_T = -\\mu R_N\\, (U_T^+ + U_T^-)/|U_T^+ + U_T^-|',
    '|M_T| \\le \\mu_r R_N, \\quad |M_N| \\le \\mu_s R_N',
  ],
  fields: [
    {
      key: 'k',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Viscosity of percussions',
      symbol: 'k',
      unit: 'kg',
      required: true,
      help: 'Of each contact point: the impulse that dissipates is k times the velocity lost. One contact that feels the mass m springs back with (k − m)/(k + m), and not for k below m.',
    },
    frictionField('Largest ratio of the tangential to the normal percussion.'),
    ...momentFields,
  ],
  source: 'M. Frémond, Non-Smooth Thermomechanics, 2002, doi:10.1007/978-3-662-04800-9',
};

export function build(fields: FieldReader): SurfaceLaw {
  return {
    kind: 'percussion',
    friction: fields.number('mu'),
    viscosity: fields.number('k'),
    ...readMoments(fields),
  };
}
