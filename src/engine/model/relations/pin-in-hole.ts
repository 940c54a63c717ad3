/**
 * A pin in a hole with clearance, a joint that has room: with d = P₂ − P₁ from the centre of the hole to that
 * of the pin,
 *
 *     y_n = c − |d|,   ẏ_t = c θ̇ + r φ̇₂ − (r + c) φ̇₁,   θ the direction of d.
 *
 * Flores et al. 2008 §3.
 */
import { Clearance } from '../../multibody/rows';
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { Relation } from '../nsds';
import { bodies, bodyRelation, firstPoint, readMarkers, secondPoint } from './bodies';
import { readsSlip, rows as rowsField } from './fields';

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'PinInHole',
  title: 'Pin in a hole with clearance',
  words: ['clearance', 'bearing', 'play', 'Lagerspiel'],
  summary:
    'A revolute joint with room: gap between a pin of the second body and a round hole of the first, slip along it.',
  order: 2,
  links: bodies(1, 2),
  equations: [
    'y_n = c - |P_2 - P_1|',
    '\\dot y_t = c\\, \\dot\\theta + r\\, \\dot\\varphi_2 - (r + c)\\, \\dot\\varphi_1',
    'p = (\\nabla_q y)^{\\mathsf T} \\lambda',
  ],
  fields: [
    { ...firstPoint, label: 'Centre of the hole' },
    { ...secondPoint, label: 'Centre of the pin' },
    {
      key: 'clearance',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Radial clearance',
      symbol: 'c',
      unit: 'm',
      required: true,
      help: 'Radius of the hole minus radius of the pin.',
    },
    {
      key: 'radius',
      kind: 'number',
      min: 0,
      label: 'Radius of the pin',
      symbol: 'r',
      unit: 'm',
      required: false,
      default: 0,
      help: 'Counts for slip only.',
    },
    rowsField,
  ],
  source: 'Flores et al. 2008',
};

export function build(fields: FieldReader, columns: number): Relation {
  const { first, second } = readMarkers(fields, columns);
  const rows = [
    new Clearance(first, second, fields.number('clearance'), fields.number('radius'), readsSlip(fields)),
  ];
  return bodyRelation(definition.type, columns, { rows, second });
}
