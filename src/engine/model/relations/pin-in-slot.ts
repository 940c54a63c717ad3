/** Pin in a slot: a point of the second body stays on a line of the first, along which it moves freely. */
import type { Marker } from '../../multibody/marker';
import { PointOnLine, type ConstraintRows } from '../../multibody/rows';
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { Relation } from '../nsds';
import { axis, bodies, firstPoint, jointRelation, JOINT_LAW, readMarkers, secondPoint } from './bodies';

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'PinInSlot',
  title: 'Pin in a slot',
  summary: 'A point of the second body stays on a line of the first; both turn freely.',
  order: 2,
  links: bodies(1, 2),
  law: JOINT_LAW,
  equations: ['y = n_1 \\cdot (P_2 - P_1)', 'p = (\\nabla_q y)^{\\mathsf T} \\lambda'],
  fields: [firstPoint, secondPoint, axis],
  source: 'Haug 1989 §3.3',
};

/** @param direction β of the slot through the first point, rad */
export const pinInSlotRows = (first: Marker, second: Marker, direction: number): ConstraintRows[] => [
  new PointOnLine(first, second, direction),
];

export function build(fields: FieldReader, columns: number): Relation {
  const { first, second } = readMarkers(fields, columns);
  return jointRelation(definition.type, columns, pinInSlotRows(first, second, fields.number('axis')), second);
}
