/**
 * Joints between two 3D bodies, or between a body and the ground, as relations of a document: one
 * definition for each type of `spatial/joints/registry.ts`, all with the same fields for where it takes hold
 * and for what each of its coordinates may do.
 */
import {
  attachmentAt,
  SPATIAL_GROUND,
  type SpatialAttachment,
  type SpatialJointDefinition,
  frameAlong,
} from '../../spatial/joints/joint';
import { jointDefinitions, type JointDescription } from '../../spatial/joints/registry';
import { solveMatrix } from '../../spatial/matrix3';
import { rotate, multiplyQuaternions } from '../../spatial/quaternion';
import type { ElementDefinition, FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import { definition as equality } from '../laws/equality';
import { definition as fixedBody } from './fixed-body';
import { definition as pseudoRigidBody } from './pseudo-rigid-body';
import { definition as rigidBody } from './rigid-body';
import type { JointSide, SpaceJoint } from './space';

/*
 * Frames of joints as quaternions, from the directions that a document gives; and where points of bodies are
 * in the world.
 */

type Vector = readonly [number, number, number];
type Quaternion = readonly number[];

/** Sine of the angle between two directions below which they count as one. */
const PARALLEL = 1e-8;

type FrameDefect = 'axis-zero' | 'directions-parallel';

const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** The vector with length 1; null of zero. */
function unit(v: Vector): Vector | null {
  const length = Math.hypot(v[0], v[1], v[2]);
  return length > 0 ? [v[0] / length, v[1] / length, v[2] / length] : null;
}

/**
 * Quaternion of the frame whose third axis is `axis` and whose first one is `direction` without its share
 * along the axis, or any where no direction is given.
 */
export function frameOf(axis: Vector, direction: Vector | null): Quaternion | FrameDefect {
  const third = unit(axis);
  if (third === null) return 'axis-zero';
  if (direction === null) return frameAlong(third);
  const given = unit(direction);
  if (given === null) return 'axis-zero';
  const across = cross(third, given);
  if (Math.hypot(...across) < PARALLEL) return 'directions-parallel';
  const second = unit(across) ?? across;
  return quaternionOf(cross(second, third), second, third);
}

/** The same with `axis` for the first axis and `direction` for the second. */
export function crossFrame(axis: Vector, direction: Vector): Quaternion | FrameDefect {
  const first = unit(axis);
  const given = unit(direction);
  if (first === null || given === null) return 'axis-zero';
  const across = cross(first, given);
  if (Math.hypot(...across) < PARALLEL) return 'directions-parallel';
  const third = unit(across) ?? across;
  return quaternionOf(first, cross(third, first), third);
}

/**
 * Quaternion of the rotation with these columns, by the largest of its four numbers: Shepperd 1978.
 */
function quaternionOf(a: Vector, b: Vector, c: Vector): Quaternion {
  const trace = a[0] + b[1] + c[2];
  const squares = [trace, a[0], b[1], c[2]];
  const largest = squares.indexOf(Math.max(...squares));
  const numbers = [
    [1 + trace, b[2] - c[1], c[0] - a[2], a[1] - b[0]],
    [b[2] - c[1], 1 + a[0] - b[1] - c[2], a[1] + b[0], c[0] + a[2]],
    [c[0] - a[2], a[1] + b[0], 1 + b[1] - a[0] - c[2], b[2] + c[1]],
    [a[1] - b[0], c[0] + a[2], b[2] + c[1], 1 + c[2] - a[0] - b[1]],
  ][largest];
  const length = Math.hypot(...numbers);
  return numbers.map((number) => number / length);
}

/** A point and a frame of a body, in the world. */
function placedFrame(
  pose: Float64Array,
  point: readonly number[],
  frame: Quaternion,
): { point: number[]; frame: number[] } {
  const place = Float64Array.from(point);
  rotate(pose, 3, place, 0, place, 0);
  const turned = Float64Array.from(frame);
  multiplyQuaternions(pose, 3, turned, 0, turned, 0);
  return { point: Array.from(place, (value, i) => value + pose[i]), frame: [...turned] };
}

/** The point ξ of a body that deforms, in the world: x̄ + F ξ. @param f F row by row */
function placedPoint(pose: Float64Array, f: readonly number[], [x, y, z]: readonly number[]): number[] {
  return [0, 1, 2].map((i) => pose[i] + f[3 * i] * x + f[3 * i + 1] * y + f[3 * i + 2] * z);
}

/** The point ξ that stands at P in the world: F⁻¹ (P − x̄); not finite where F is singular. */
function materialPoint(pose: Float64Array, f: readonly number[], point: readonly number[]): number[] {
  const place = Float64Array.from(point, (value, i) => value - pose[i]);
  solveMatrix(Float64Array.from(f), 0, place);
  return [...place];
}

type Kind = JointDescription['type'];

interface Kindred {
  /** type in documents */
  readonly type: string;
  /** what its frame needs: nothing, a third axis, that and a first one, or the two axes of a cross */
  readonly frame: 'none' | 'axis' | 'full' | 'cross';
  readonly coordinates: Readonly<Record<string, Coordinate>>;
}

interface Coordinate {
  readonly label: string;
  readonly symbol: string;
  readonly unit: 'm' | 'rad';
  /** what it measures, where it is not 0 when the frames agree */
  readonly measures?: string;
}

const AGREE =
  'Zero is where the frames of the joint agree: the start, where points and axes are given once and in the world.';

const angle = { label: 'Angle', symbol: '\\varphi', unit: 'rad' } as const;
const displacement = { label: 'Displacement', symbol: 'z', unit: 'm' } as const;

const KINDS: Readonly<Record<Kind, Kindred>> = {
  ball: { type: 'BallJoint', frame: 'none', coordinates: {} },
  revolute: { type: 'RevoluteJoint', frame: 'axis', coordinates: { angle } },
  prismatic: { type: 'PrismaticJoint', frame: 'axis', coordinates: { displacement } },
  cylindrical: { type: 'CylindricalJoint', frame: 'axis', coordinates: { displacement, angle } },
  universal: {
    type: 'UniversalJoint',
    frame: 'cross',
    coordinates: {
      alpha: { label: 'First angle', symbol: '\\alpha', unit: 'rad' },
      beta: { label: 'Second angle', symbol: '\\beta', unit: 'rad' },
    },
  },
  knee: {
    type: 'KneeJoint',
    frame: 'axis',
    coordinates: { bend: { label: 'Bend', symbol: '\\beta', unit: 'rad' } },
  },
  planar: {
    type: 'PlanarJoint',
    frame: 'full',
    coordinates: {
      x: { label: 'First displacement', symbol: 'x', unit: 'm' },
      y: { label: 'Second displacement', symbol: 'y', unit: 'm' },
      angle,
    },
  },
  fixed: { type: 'FixedJoint', frame: 'none', coordinates: {} },
  distance: { type: 'DistanceJoint', frame: 'none', coordinates: {} },
  rope: {
    type: 'Rope',
    frame: 'none',
    coordinates: {
      length: { label: 'Length', symbol: '\\rho', unit: 'm', measures: 'The distance of the two points.' },
    },
  },
  pointPlane: {
    type: 'PointPlaneStop',
    frame: 'axis',
    coordinates: {
      gap: {
        label: 'Gap',
        symbol: 'g',
        unit: 'm',
        measures: 'The height of the second point over the plane.',
      },
    },
  },
};

const vector = (
  key: string,
  label: string,
  symbol: string,
  unit: string,
  help: string,
  isRequired = false,
): FieldDefinition => ({ key, kind: 'vector', length: 3, label, symbol, unit, required: isRequired, help });

const POINTS: readonly FieldDefinition[] = [
  {
    key: 'given',
    kind: 'choice',
    options: [
      {
        value: 'world',
        label: 'in the world at the start',
        help: 'Points and axes are where the bodies are when the run begins: the joint fits by itself.',
      },
      {
        value: 'bodies',
        label: 'in the frames of the bodies',
        help: 'Those of the first side in the frame of the first body, those of the second in that of the second.',
      },
    ],
    label: 'Points and axes are given',
    symbol: '',
    unit: '',
    required: false,
    default: 'world',
    help: 'What the coordinates below refer to. The ground, where one body is linked, has the frame of the world.',
  },
  vector(
    'point',
    'Point',
    'P_1',
    'm',
    'Where the joint takes hold of the first body; the origin when left out.',
  ),
  vector(
    'point2',
    'Point on the second body',
    'P_2',
    'm',
    'Where that is another one; given in the frames of the bodies, the mass centre when left out.',
  ),
];

const AXES: readonly FieldDefinition[] = [
  vector('axis', 'Axis', 'c', '', 'Of any length; upwards, (0, 0, 1), when left out.'),
  vector('axis2', 'Axis on the second body', "c'", '', 'Where that is another direction.'),
];

const FIRST_AXIS = vector(
  'direction',
  'First direction',
  'a',
  '',
  'Across the axis, where the first coordinate is measured; any when left out.',
);

const CROSS: readonly FieldDefinition[] = [
  vector('axis', 'Axis on the first body', 'a', '', 'Of the cross, of any length.', true),
  vector(
    'direction',
    'Axis on the second body',
    "b'",
    '',
    'Of the cross, at right angles to the first.',
    true,
  ),
];

const LENGTH: FieldDefinition = {
  key: 'length',
  kind: 'number',
  min: 0,
  exclusiveMin: true,
  label: 'Length',
  symbol: 'L',
  unit: 'm',
  required: false,
  help: 'Distance that the two points keep; that at the start when left out.',
};

const RESTITUTION: FieldDefinition = {
  key: 'e',
  kind: 'number',
  min: 0,
  max: 1,
  label: 'Restitution of the stops',
  symbol: 'e',
  unit: '',
  required: false,
  default: 0,
  help: 'Ratio of the velocities after and before a stop is hit.',
};

const COLLIDES: FieldDefinition = {
  key: 'collides',
  kind: 'choice',
  options: [
    { value: 'no', label: 'no', help: 'Shapes of the two bodies pass through each other.' },
    { value: 'yes', label: 'yes', help: 'They meet as an interaction of contact says.' },
  ],
  label: 'Contacts between the two',
  symbol: '',
  unit: '',
  required: false,
  default: 'no',
  help: 'Bodies that a joint holds together usually overlap there.',
};

/** Stops, dry friction and drive of a coordinate. */
function coordinateFields(kind: Kind): FieldDefinition[] {
  return Object.entries(KINDS[kind].coordinates).flatMap(
    ([name, { label, symbol, unit, measures = AGREE }]) => {
      const force = unit === 'm' ? 'N' : 'N m';
      const what = unit === 'm' ? 'force' : 'moment';
      const number = (
        suffix: string,
        title: string,
        mark: string,
        fieldUnit: string,
        help: string,
        isPositive = false,
      ): FieldDefinition => ({
        key: `${name}${suffix}`,
        kind: 'number',
        ...(isPositive ? { min: 0 } : {}),
        label: `${label}: ${title}`,
        group: label,
        symbol: mark,
        unit: fieldUnit,
        required: false,
        help,
      });
      const bound = `None when left out. ${measures}`;
      return [
        number('Min', 'lower stop', `${symbol}_{\\min}`, unit, bound),
        number('Max', 'upper stop', `${symbol}_{\\max}`, unit, bound),
        number(
          'Friction',
          'dry friction',
          `c_{${symbol}}`,
          force,
          `Largest ${what} of friction, whatever the joint carries; none when left out.`,
          true,
        ),
        number(
          'Speed',
          'motor',
          `\\dot ${symbol}^*`,
          `${unit}/s`,
          'Speed that a motor drives it to; no motor when left out.',
        ),
        number(
          'Limit',
          'motor limit',
          `\\tau_{${symbol}}`,
          force,
          `Largest ${what} of the motor; without limit when left out.`,
          true,
        ),
      ];
    },
  );
}

function fieldsOf(kind: Kind): FieldDefinition[] {
  const { frame, coordinates } = KINDS[kind];
  return [
    ...POINTS,
    ...(frame === 'axis' || frame === 'full' ? AXES : []),
    ...(frame === 'full' ? [FIRST_AXIS] : []),
    ...(frame === 'cross' ? CROSS : []),
    ...(kind === 'distance' ? [LENGTH] : []),
    ...coordinateFields(kind),
    ...(Object.keys(coordinates).length > 0 ? [RESTITUTION] : []),
    COLLIDES,
  ];
}

const define = ({
  type,
  title,
  summary,
  equations,
  takesPoints = false,
}: SpatialJointDefinition): ElementDefinition => ({
  category: 'relation',
  type: KINDS[type as Kind].type,
  title: `${title} in space`,
  summary,
  order: 'body',
  links: {
    // Of a body that deforms points can be held, and no axes.
    types: takesPoints
      ? [rigidBody.type, pseudoRigidBody.type, fixedBody.type]
      : [rigidBody.type, fixedBody.type],
    least: 1,
    most: 2,
  },
  law: equality.type,
  equations: [...equations, 'p = (\\nabla_q y\\, T(q))^{\\mathsf T} \\lambda'],
  fields: fieldsOf(type as Kind),
  source: 'Siconos developer’s notes §9; Haug 1989 §9',
});

export interface JointType {
  readonly definition: ElementDefinition;
  /** @param sides the ground and a body, or two bodies @returns null after a reported defect */
  build(fields: FieldReader, sides: readonly [JointSide, JointSide]): SpaceJoint | null;
}

export const jointTypes: readonly JointType[] = jointDefinitions.map((definition) => ({
  definition: define(definition),
  build: (fields, sides) => build(definition, fields, sides),
}));

interface Hold {
  readonly point: readonly number[];
  readonly frame: Quaternion;
}

function build(
  { type, rows }: SpatialJointDefinition,
  fields: FieldReader,
  sides: readonly [JointSide, JointSide],
): SpaceJoint | null {
  const kind = type as Kind;
  const reported = fields.defectCount;
  const inWorld = fields.choice('given') === 'world';
  const point = readPoint(fields, 'point');
  const point2 = fields.has('point2') || !inWorld ? readPoint(fields, 'point2') : point;
  const frame = readFrame(kind, fields, 'axis');
  const frame2 = fields.has('axis2') ? readFrame(kind, fields, 'axis2') : frame;
  const limits: Record<string, readonly [number, number]> = {};
  const friction: Record<string, number> = {};
  const motors: Record<string, { speed: number; limit: number }> = {};
  for (const name of Object.keys(KINDS[kind].coordinates)) {
    const has = (suffix: string): boolean => fields.has(`${name}${suffix}`);
    const value = (suffix: string): number => fields.number(`${name}${suffix}`);
    if (has('Min') || has('Max'))
      limits[name] = [has('Min') ? value('Min') : -Infinity, has('Max') ? value('Max') : Infinity];
    if (has('Friction')) friction[name] = value('Friction');
    if (has('Speed'))
      motors[name] = { speed: value('Speed'), limit: has('Limit') ? value('Limit') : Infinity };
    else if (has('Limit'))
      fields.reject(
        `${name}Limit`,
        'motor-without-speed',
        'The motor has a limit and no speed.',
        'Give the speed that it drives to, or leave the limit out.',
      );
    const bounds = limits[name] as readonly [number, number] | undefined;
    if (bounds !== undefined && bounds[0] > bounds[1])
      fields.reject(
        `${name}Max`,
        'joint-limits-crossed',
        `The upper stop ${bounds[1]} is below the lower one, ${bounds[0]}.`,
        'Exchange the two.',
      );
  }
  const restitution = Object.keys(limits).length > 0 ? fields.number('e') : 0;
  if (fields.defectCount > reported || frame === null || frame2 === null) return null;
  const one = attach(sides[0], { point, frame }, inWorld);
  const two = attach(sides[1], { point: point2, frame: frame2 }, inWorld);
  const description = {
    type: kind,
    id: fields.element,
    first: one.attachment,
    second: two.attachment,
    limits,
    friction,
    motors,
    restitution,
    ...(kind === 'distance' ? { length: readLength(fields, one.world, two.world) } : {}),
  } as JointDescription;
  if (fields.defectCount > reported) return null;
  return {
    kind: 'joint',
    type: KINDS[kind].type,
    description,
    rows,
    coordinates: Object.entries(KINDS[kind].coordinates).map(([name, { label, unit }]) => ({
      name,
      label,
      unit,
    })),
    axis: KINDS[kind].frame === 'none' ? null : axisOf(one.attachment.frame, kind),
    collides: fields.choice('collides') === 'yes',
  };
}

/** A point; the origin where it is left out. */
const readPoint = (fields: FieldReader, key: string): readonly number[] => [...fields.vector(key, 3)];

function readFrame(kind: Kind, fields: FieldReader, axisKey: string): Quaternion | null {
  const { frame } = KINDS[kind];
  if (frame === 'none') return [1, 0, 0, 0];
  const reported = fields.defectCount;
  const read = (key: string): [number, number, number] => {
    const [x, y, z] = fields.vector(key, 3);
    return [x, y, z];
  };
  const axis = fields.has(axisKey) ? read(axisKey) : ([0, 0, 1] as const);
  const direction = frame !== 'axis' && fields.has('direction') ? read('direction') : null;
  if (fields.defectCount > reported) return null;
  const made = frame === 'cross' ? crossFrame(axis, direction ?? [0, 0, 0]) : frameOf(axis, direction);
  if (typeof made !== 'string') return made;
  rejectFrame(fields, made, axisKey);
  return null;
}

function rejectFrame(fields: FieldReader, defect: FrameDefect, axisKey: string): void {
  if (defect === 'axis-zero')
    fields.reject(
      axisKey,
      'axis-zero',
      'An axis has the length zero.',
      'Give a direction such as [0, 0, 1].',
    );
  else
    fields.reject(
      'direction',
      'directions-parallel',
      'Axis and direction are parallel.',
      'Give a direction across the axis.',
    );
}

/** Where a side is taken hold of, as the joint takes it and in the world at the start. */
function attach(
  { id, pose, deformation }: JointSide,
  { point, frame }: Hold,
  inWorld: boolean,
): { attachment: Required<SpatialAttachment>; world: readonly number[] } {
  if (id !== null && deformation !== undefined)
    return {
      attachment: { body: id, point: inWorld ? materialPoint(pose, deformation, point) : point, frame },
      world: inWorld ? point : placedPoint(pose, deformation, point),
    };
  const world = inWorld ? { point, frame } : placedFrame(pose, point, frame);
  if (id === null)
    return {
      attachment: { body: SPATIAL_GROUND, point: world.point, frame: world.frame },
      world: world.point,
    };
  const attachment = inWorld ? attachmentAt(id, pose, point, frame) : { body: id, point, frame };
  return { attachment, world: world.point };
}

function readLength(fields: FieldReader, one: readonly number[], two: readonly number[]): number {
  if (fields.has('length')) return fields.number('length');
  const length = Math.hypot(...one.map((x, i) => two[i] - x));
  if (!(length > 0))
    fields.reject(
      'point2',
      'length-not-positive',
      'Both points are in one place: the rod has no length.',
      'Give the point on the second body, or take a ball joint.',
    );
  return length;
}

/** The axis of a frame in the frame of its body: the third one, of a cross the first. */
function axisOf(frame: readonly number[], kind: Kind): [number, number, number] {
  const axis = Float64Array.from(KINDS[kind].frame === 'cross' ? [1, 0, 0] : [0, 0, 1]);
  rotate(Float64Array.from(frame), 0, axis, 0, axis, 0);
  return [axis[0], axis[1], axis[2]];
}
