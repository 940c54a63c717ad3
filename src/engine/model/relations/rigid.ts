/**
 * Rigid connection of two bodies, or of a body with the ground: its multipliers are the forces and the moment
 * in the section.
 */
import type { Marker } from '../../multibody/marker';
import { PlanarCoincidence, RelativeAngle, type ConstraintRows, constantMotion } from '../../multibody/rows';
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { Relation } from '../nsds';
import { angle, bodies, firstPoint, jointRelation, JOINT_LAW, readMarkers, secondPoint } from './bodies';

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'Rigid',
  title: 'Rigid connection',
  words: ['weld', 'fixed', 'fest'],
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

/** @param turn α, rad */
export const rigidRows = (first: Marker, second: Marker, turn: number): ConstraintRows[] => [
  new PlanarCoincidence(first, second),
  new RelativeAngle(first, second, 1, constantMotion(turn)),
];

export function build(fields: FieldReader, columns: number): Relation {
  const { first, second } = readMarkers(fields, columns);
  return jointRelation(definition.type, columns, rigidRows(first, second, fields.number('angle')), second);
}
