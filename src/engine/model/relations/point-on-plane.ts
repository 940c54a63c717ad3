/**
 * Contact of a point, or of a disc about it, with a straight line of the first body or of the ground:
 *
 *     y_n = n₁·(P₂ − P₁) − r,   y_t = t₁·(P₂ − P₁) + r (φ₂ − φ₁),
 *     n₁ = R(φ₁) (−sin β, cos β),  t₁ = R(φ₁) (cos β, sin β)
 *
 * The body is free on the side that n₁ points to. ẏ_t is the velocity of the disc's surface along the line.
 */
import { PointOnLine } from '../../multibody/rows';
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { Relation } from '../nsds';
import { axis, bodies, bodyRelation, firstPoint, readMarkers, secondPoint } from './bodies';
import { readsSlip, rows as rowsField } from './fields';

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'PointOnPlane',
  title: 'Point or disc on a plane',
  words: ['contact', 'floor', 'bounce', 'impact', 'wall', 'ball'],
  summary:
    'Gap between a point or disc of a body and a straight line of another body or of the ground; slip along it.',
  order: 2,
  links: bodies(1, 2),
  equations: [
    'y_n = n_1 \\cdot (P_2 - P_1) - r',
    'y_t = t_1 \\cdot (P_2 - P_1) + r (\\varphi_2 - \\varphi_1)',
    'p = (\\nabla_q y)^{\\mathsf T} \\lambda',
  ],
  fields: [
    firstPoint,
    secondPoint,
    { ...axis, help: 'Of the line through the first point; the body is free to the left of it.' },
    {
      key: 'radius',
      kind: 'number',
      min: 0,
      label: 'Radius',
      symbol: 'r',
      unit: 'm',
      required: false,
      default: 0,
      help: 'Of a disc about the second point; zero for the point itself.',
    },
    rowsField,
  ],
  source: 'Pfeiffer and Glocker 1996 §4',
};

export function build(fields: FieldReader, columns: number): Relation {
  const { first, second } = readMarkers(fields, columns);
  const direction = fields.number('axis');
  const radius = fields.number('radius');
  const rows = [new PointOnLine(first, second, direction, radius, 0, 'gap')];
  // The normal of a line 90° behind is the direction of this one.
  if (readsSlip(fields))
    rows.push(new PointOnLine(first, second, direction - Math.PI / 2, 0, radius, 'slip'));
  return bodyRelation(definition.type, columns, { rows, second });
}
