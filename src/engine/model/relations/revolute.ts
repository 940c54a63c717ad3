/**
 * Revolute joint: a point of the first body and a point of the second stay together. Haug 1989 §3.3.
 */
import type { Marker } from '../../multibody/marker';
import { PlanarCoincidence, type ConstraintRows } from '../../multibody/rows';
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { Relation } from '../nsds';
import { bodies, firstPoint, jointRelation, JOINT_LAW, readMarkers, secondPoint } from './bodies';

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'Revolute',
  title: 'Revolute joint',
  words: ['hinge', 'pivot', 'pin', 'bearing', 'Gelenk', 'Scharnier', 'charnière'],
  summary: 'A pin: two points stay together, the bodies turn freely about it. Goes with the law of equality.',
  order: 2,
  links: bodies(1, 2),
  law: JOINT_LAW,
  equations: [
    'y = P_2 - P_1, \\quad P_i = r_i + R(\\varphi_i)\\, s_i',
    'p = (\\nabla_q y)^{\\mathsf T} \\lambda',
  ],
  fields: [firstPoint, secondPoint],
  source: 'Haug 1989 §3.3',
};

export const revoluteRows = (first: Marker, second: Marker): ConstraintRows[] => [
  new PlanarCoincidence(first, second),
];

export function build(fields: FieldReader, columns: number): Relation {
  const { first, second } = readMarkers(fields, columns);
  return jointRelation(definition.type, columns, revoluteRows(first, second), second);
}
