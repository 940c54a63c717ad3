/**
 * Rigid connection of two bodies, or of a body with the ground: its multipliers are the forces and the moment
 * in the section.
 */
import { build as buildConstraint } from '../../multibody/constraints/fixed';
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { Relation } from '../nsds';
import {
  angle,
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
  type: 'Rigid',
  title: 'Rigid connection',
  summary: 'Two bodies move as one; the multipliers are the forces and the moment between them.',
  order: 2,
  links: bodies(1, 2),
  law: JOINT_LAW,
  equations: [
    'y = \\begin{bmatrix} P_2 - P_1 \\\\ \\varphi_2 - \\varphi_1 - \\alpha \\end{bmatrix}',
    'p = (\\nabla_q y)^{\\mathsf T} \\lambda',
  ],
  fields: [firstPoint, secondPoint, angle],
  source: 'Haug 1989 §3.3',
};

export function build(fields: FieldReader, columns: number): Relation {
  const constraint = buildConstraint(
    { type: 'fixed', id: fields.element, ...readSides(fields), angle: fields.number('angle') },
    planarMarkersOf(columns),
  );
  return jointRelation(definition.type, columns, constraint);
}
