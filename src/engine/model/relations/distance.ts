/**
 * Distance between two points, y = ½ (|P₂ − P₁|²/L − L): to first order how much longer than L it is, so that
 * the multiplier is the thrust of the rod in newtons, and polynomial in the positions. With a law of equality
 * it is a massless rod, with a length that depends on time an actuator.
 */
import type { Marker } from '../../multibody/marker';
import { PlanarSeparation, type ConstraintRows, type PrescribedCoordinate } from '../../multibody/rows';
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { Relation } from '../nsds';
import { bodies, firstPoint, jointRelation, JOINT_LAW, readMarkers, secondPoint } from './bodies';
import { planarMotionFields, readMotion } from './prescribed-motion';

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'Distance',
  title: 'Distance of two points',
  words: ['rod', 'bar', 'link', 'Stange', 'barre'],
  summary: 'A rod without mass between two points; a length that is a function of time makes it an actuator.',
  order: 2,
  links: bodies(1, 2),
  law: JOINT_LAW,
  equations: [
    'y = \\tfrac{1}{2} \\left( \\frac{|P_2 - P_1|^2}{L} - L \\right), \\quad L = \\ell + f(t)',
    'p = (\\nabla_q y)^{\\mathsf T} \\lambda',
  ],
  fields: [
    firstPoint,
    secondPoint,
    {
      key: 'length',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Length',
      symbol: '\\ell',
      unit: 'm',
      required: true,
      help: 'Distance of the points; with a motion, what that is added to.',
    },
    ...planarMotionFields('m'),
  ],
  source: 'Haug 1989 §3.3',
};

/** @param length L with its first and second derivative, m, positive */
export const distanceRows = (
  first: Marker,
  second: Marker,
  length: PrescribedCoordinate,
): ConstraintRows[] => [new PlanarSeparation(first, second, length)];

export function build(fields: FieldReader, columns: number): Relation {
  const { motion, isConstant, hasAcceleration } = readMotion(fields, fields.number('length'), 0);
  const { first, second } = readMarkers(fields, columns);
  return jointRelation(definition.type, columns, distanceRows(first, second, motion), second, {
    isTimeDependent: !isConstant,
    hasCurvature: hasAcceleration,
  });
}
