/**
 * Unilateral contact in space with Coulomb friction and adhesion of the intensity β: springs that are damaged
 * as they are stretched, M. Raous, L. Cangémi and M. Cocou, 1999, doi:10.1016/S0045-7825(98)00389-2.
 */
import type { ElementDefinition, FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { SurfaceLaw } from '../space/space';
import { frictionField, momentFields, readMoments } from './common';

const positive = (
  key: string,
  label: string,
  symbol: string,
  unit: string,
  help: string,
): FieldDefinition => ({
  key,
  kind: 'number',
  min: 0,
  exclusiveMin: true,
  label,
  symbol,
  unit,
  required: true,
  help,
});

export const definition: ElementDefinition = {
  category: 'law',
  type: 'AdhesiveFriction3D',
  title: 'Adhesive contact with Coulomb friction in space',
  summary:
    'Contact of bodies in space that are bonded at the start by springs which are damaged as they are stretched, with Coulomb friction.',
  order: 'body',
  rows: 3,
  equations: [
    'P = R + h \\beta^2 (C_N u_N\\, n + C_T u_T), \\quad 0 \\le u_N \\perp P_N \\ge 0, \\quad |P_T| \\le \\mu P_N',
    'b \\dot\\beta = \\min(0, w - \\beta (C_N u_N^2 + C_T |u_T|^2))',
    '|M_T| \\le \\mu_r P_N, \\quad |M_N| \\le \\mu_s P_N',
  ],
  fields: [
    positive(
      'cn',
      'Normal stiffness',
      'C_N',
      'N/m',
      'Of the whole bond of each contact point along the normal. A step h is stable with a mass m at one bond for h² C below 4 m.',
    ),
    positive(
      'ct',
      'Tangential stiffness',
      'C_T',
      'N/m',
      'Of the whole bond of each contact point in the tangent plane.',
    ),
    positive(
      'w',
      'Work of separation',
      'w',
      'J',
      'That takes one contact point apart slowly; damage begins at a stretch of √(w/C).',
    ),
    {
      key: 'b',
      kind: 'number',
      min: 0,
      label: 'Viscosity of the damage',
      symbol: 'b',
      unit: 'J s',
      required: false,
      default: 0,
      help: 'Fast pulling damages less and takes more work; 0: damage follows the stretch at once.',
    },
    {
      key: 'beta',
      kind: 'number',
      min: 0,
      max: 1,
      label: 'Intensity at the start',
      symbol: '\\beta_0',
      unit: '',
      required: false,
      default: 1,
      help: 'Of the contacts that are closed at the start; 1: all of the bond, 0: none. Contacts that close later are not bonded.',
    },
    frictionField('Largest ratio of the tangential to the normal force beside those of the bond.'),
    ...momentFields,
  ],
  source: 'M. Raous, L. Cangémi and M. Cocou, 1999, doi:10.1016/S0045-7825(98)00389-2',
};

export function build(fields: FieldReader): SurfaceLaw {
  return {
    kind: 'adhesive',
    friction: fields.number('mu'),
    normal: fields.number('cn'),
    tangential: fields.number('ct'),
    work: fields.number('w'),
    viscosity: fields.number('b'),
    intensity: fields.number('beta'),
    ...readMoments(fields),
  };
}
