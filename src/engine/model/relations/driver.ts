/**
 * Driver: an angle, or x or y of a point, follows a function of time. The multiplier is the force or moment
 * of the drive on the second body. Haug 1989 §3.5.
 */
import type { Marker } from '../../multibody/marker';
import {
  PointCoordinate,
  RelativeAngle,
  type ConstraintRows,
  type PrescribedCoordinate,
} from '../../multibody/rows';
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { Relation } from '../nsds';
import { BODY_COORDINATES } from '../systems/planar-body';
import { bodies, centres, jointRelation, JOINT_LAW, secondMarker, secondPoint } from './bodies';
import { planarMotionFields, readMotion } from './prescribed-motion';

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'Driver',
  title: 'Driver',
  words: ['motor', 'crank', 'actuator', 'prescribed motion'],
  summary: 'A motor or cam: an angle between two bodies, or x or y of a point, follows a function of time.',
  order: 2,
  links: bodies(1, 2),
  law: JOINT_LAW,
  equations: [
    'y = \\varphi_2 - \\varphi_1 - F(t) \\;\\text{ or }\\; P_{2,x} - F(t) \\;\\text{ or }\\; P_{2,y} - F(t), \\quad F = F_0 + \\omega t + f(t)',
    'p = (\\nabla_q y)^{\\mathsf T} \\lambda',
  ],
  fields: [
    {
      key: 'coordinate',
      kind: 'choice',
      options: [
        {
          value: 'angle',
          label: 'angle',
          help: 'Of the second body against the first, or against the world.',
        },
        { value: 'x', label: 'x', help: 'Of the point, in the world; links one body.' },
        { value: 'y', label: 'y', help: 'Of the point, in the world; links one body.' },
      ],
      label: 'Coordinate',
      symbol: '',
      unit: '',
      required: false,
      default: 'angle',
      help: 'What is prescribed.',
    },
    {
      ...secondPoint,
      help: 'Point that x or y is prescribed of, in the frame of the body; the mass centre when left out.',
    },
    {
      key: 'start',
      kind: 'number',
      label: 'Value at t = 0',
      symbol: 'F_0',
      unit: 'q',
      required: false,
      default: 0,
      help: 'Constant part of what is prescribed, in rad or m.',
    },
    {
      key: 'rate',
      kind: 'number',
      label: 'Rate',
      symbol: '\\omega',
      unit: 'q/s',
      required: false,
      default: 0,
      help: 'Constant speed of what is prescribed, in rad/s or m/s.',
    },
    ...planarMotionFields('q'),
  ],
  source: 'Haug 1989 §3.5',
};

/**
 * @param second the driven point; its place counts for `x` and `y` only
 * @param motion F with its first and second derivative, m or rad
 */
export const driverRows = (
  first: Marker,
  second: Marker,
  coordinate: 'x' | 'y' | 'angle',
  motion: PrescribedCoordinate,
): ConstraintRows[] => [
  coordinate === 'angle'
    ? new RelativeAngle(first, second, 1, motion)
    : new PointCoordinate(second, coordinate === 'x' ? 0 : 1, motion),
];

export function build(fields: FieldReader, columns: number): Relation {
  const chosen = fields.choice('coordinate');
  const coordinate = chosen === 'x' || chosen === 'y' ? chosen : 'angle';
  if (coordinate !== 'angle' && columns > BODY_COORDINATES)
    fields.reject(
      'coordinate',
      'driver-of-two-bodies',
      'x and y are prescribed of a point of one body, and two are linked.',
      'Link the driven body only, or prescribe the angle between the two.',
    );
  const second = secondMarker(fields, columns);
  const { motion, isConstant, hasAcceleration } = readMotion(
    fields,
    fields.number('start'),
    fields.number('rate'),
  );
  const rows = driverRows(centres(columns).first, second, coordinate, motion);
  return jointRelation(definition.type, columns, rows, second, {
    isLinear: coordinate === 'angle' && isConstant,
    isTimeDependent: !isConstant,
    hasCurvature: hasAcceleration,
  });
}
