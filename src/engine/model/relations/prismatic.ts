/**
 * Prismatic joint: a point of the second body stays on a line of the first, and they do not turn against each
 * other.
 */
import { build as buildConstraint } from '../../multibody/constraints/prismatic';
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { Relation } from '../nsds';
import {
  angle,
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
  type: 'Prismatic',
  title: 'Prismatic joint',
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

export function build(fields: FieldReader, columns: number): Relation {
  const constraint = buildConstraint(
    {
      type: 'prismatic',
      id: fields.element,
      ...readSides(fields),
      axis: fields.number('axis'),
      angle: fields.number('angle'),
    },
    planarMarkersOf(columns),
  );
  return jointRelation(definition.type, columns, constraint);
}
