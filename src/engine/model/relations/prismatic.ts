/**
 * Prismatic joint: a point of the second body stays on a line of the first, and they do not turn against each
 * other.
 */
import type { Marker } from '../../multibody/marker';
import { PointOnLine, RelativeAngle, type ConstraintRows, constantMotion } from '../../multibody/rows';
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { Relation } from '../nsds';
import {
  angle,
  axis,
  bodies,
  firstPoint,
  jointRelation,
  JOINT_LAW,
  readMarkers,
  secondPoint,
} from './bodies';

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'Prismatic',
  title: 'Prismatic joint',
  words: ['slider', 'guide', 'rail', 'Schubgelenk', 'glissière'],
  summary:
    'A slide: a point of the second body stays on a line of the first, and the bodies do not turn against each other.',
  order: 2,
  links: bodies(1, 2),
  law: JOINT_LAW,
  equations: [
    'y = \\begin{bmatrix} n_1 \\cdot (P_2 - P_1) \\\\ \\varphi_2 - \\varphi_1 - \\alpha \\end{bmatrix}',
    'p = (\\nabla_q y)^{\\mathsf T} \\lambda',
  ],
  fields: [firstPoint, secondPoint, axis, angle],
  source: 'Haug 1989 §3.3',
};

/**
 * @param direction β of the line through the first point, rad
 * @param turn α, rad
 */
export const prismaticRows = (
  first: Marker,
  second: Marker,
  direction: number,
  turn: number,
): ConstraintRows[] => [
  new PointOnLine(first, second, direction),
  new RelativeAngle(first, second, 1, constantMotion(turn)),
];

export function build(fields: FieldReader, columns: number): Relation {
  const { first, second } = readMarkers(fields, columns);
  const rows = prismaticRows(first, second, fields.number('axis'), fields.number('angle'));
  return jointRelation(definition.type, columns, rows, second);
}
