/** Pin in a slot: a point of the second body stays on a line of the first, along which it moves freely. */
import { build as buildConstraint } from '../../multibody/constraints/point-on-line';
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { Relation } from '../nsds';
import {
  axis,
  bodies,
  firstPoint,
  jointRelation,
  planarMarkersOf,
  readSides,
  secondPoint,
  JOINT_LAW,
} from './bodies';

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

export function build(fields: FieldReader, columns: number): Relation {
  const constraint = buildConstraint(
    { type: 'pointOnLine', id: fields.element, ...readSides(fields), axis: fields.number('axis') },
    planarMarkersOf(columns),
  );
  return jointRelation(definition.type, columns, constraint);
}
