/**
 * Rigid 3D body, Siconos developer's notes §9: mass centre x and velocity V in the world's frame, unit
 * quaternion Q from the body's frame to the world's, angular velocity Ω in the body's frame,
 *
 *     m V̇ = m g + F + p_F,   (I Ω)˙ + Ω×I Ω = M + p_M,   ẋ = V,   Q̇ = ½ Q ∘ (0, Ω).
 */
import { addCross } from '../../spatial/matrix3';
import { rotate, rotateBack } from '../../spatial/quaternion';
import type { InertiaLaw } from '../../spatial/bodies/rigid-body';
import type { ElementDefinition, FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import { NOTHING } from '../plugin';
import { readShapes, shapesField } from '../shapes/registry';
import { dynamicsFields, vectorField } from './body-fields';
import { readBodyMass, UNIT_INERTIA } from './body-mass';
import { poseFields, readPose } from './pose';
import type { SpaceBody, BodyForce } from './space';

/*
 * Loads of a rigid body by its own fields: a force in the world's frame or in the body's, at a point of the
 * body, and a moment in either. A force f in the body's frame is R f in the world's; at the point s′ of the
 * body it has the moment s′×ᵗR F about the mass centre.
 */

const GROUP = 'Frames and point of force and moment';

const frameField = (key: string, label: string, of: string, byDefault: string): FieldDefinition => ({
  key,
  kind: 'choice',
  options: [
    { value: 'world', label: 'of the world', help: 'Directions stay as the body turns.' },
    { value: 'body', label: 'of the body', help: 'Directions turn with the body, as those of a thruster.' },
  ],
  label,
  symbol: '',
  unit: '',
  required: false,
  default: byDefault,
  group: GROUP,
  help: `Frame in which the ${of} is given, be it constant or a script function.`,
});

const rigidLoadFields: readonly FieldDefinition[] = [
  {
    key: 'moment',
    kind: 'vectorOrFunction',
    length: 3,
    plugin: 'externalForce',
    label: 'Moment',
    symbol: 'M',
    unit: 'N m',
    required: false,
    help: 'A constant vector, or a script function of time; in the frame of the body unless its frame is chosen.',
  },
  frameField('forceFrame', 'Frame of the force', 'force', 'world'),
  vectorField(
    'at',
    'Point of the force',
    "s'",
    'm',
    'Where the force acts, in the frame of the body; the mass centre when left out.',
    3,
    GROUP,
  ),
  frameField('momentFrame', 'Frame of the moment', 'moment', 'body'),
  {
    key: 'load',
    kind: 'function',
    plugin: 'bodyForce',
    label: 'Load by state',
    symbol: 'F, M',
    unit: 'N',
    required: false,
    help: 'Script function of time, q = (x, Q) and v = (V, Ω) that gives a force in the world’s frame and a moment in the body’s, for drag, springs and control.',
  },
];

interface RigidLoads {
  /** null where there are none */
  readonly force: BodyForce | null;
  /** what of force and moment is constant, each in its frame, 6 numbers */
  readonly constantForce: Float64Array;
  /** where the force acts, in the body's frame, m */
  readonly forcePoint: Float64Array;
}

/** A vector of a field: constant, or a function of time. */
class TimedVector {
  readonly value: Float64Array;
  readonly #function: ReturnType<FieldReader['function']>;

  constructor(fields: FieldReader, key: string) {
    this.value = fields.vector(key, 3);
    this.#function = fields.function(key);
  }

  get isNone(): boolean {
    return this.#function === null && this.value.every((x) => x === 0);
  }

  /** The value at clock[0]. */
  at(clock: Float64Array): Float64Array {
    this.#function?.(clock, NOTHING, NOTHING, this.value);
    return this.value;
  }
}

/** Force, moment and load together. */
function readRigidLoads(fields: FieldReader): RigidLoads {
  const force = new TimedVector(fields, 'force');
  const moment = new TimedVector(fields, 'moment');
  const load = fields.function('load');
  const point = fields.vector('at', 3);
  const turns = fields.choice('forceFrame') === 'body';
  const stays = fields.choice('momentFrame') === 'world';
  if (force.isNone && point.some((x) => x !== 0))
    fields.warn(
      'at',
      'point-without-force',
      'A point is given for a force that there is not.',
      'Give the force, or leave the point out. A load by state has its moment from the script.',
    );
  const constantForce = Float64Array.of(...force.value, ...moment.value);
  if (force.isNone && moment.isNone && load === null)
    return { force: null, constantForce, forcePoint: point };
  const isCentral = point.every((x) => x === 0);
  const own = new Float64Array(3);
  const whole = new Float64Array(6);
  return {
    constantForce,
    forcePoint: point,
    force: (clock, q, v, out) => {
      const given = force.at(clock);
      if (turns) rotate(q, 3, given, 0, out, 0);
      else for (let i = 0; i < 3; i++) out[i] = given[i];
      if (stays) rotateBack(q, 3, moment.at(clock), 0, out, 3);
      else out.set(moment.at(clock), 3);
      if (!isCentral) {
        if (!turns) rotateBack(q, 3, given, 0, own, 0);
        addCross(point, 0, turns ? given : own, 0, 1, out, 3);
      }
      if (load === null) return;
      load(clock, q, v, whole);
      for (let i = 0; i < 6; i++) out[i] += whole[i];
    },
  };
}

export const definition: ElementDefinition = {
  category: 'system',
  type: 'RigidBody',
  title: 'Rigid 3D body',
  words: ['body', 'ball', 'box', 'cylinder', 'capsule', '3D', 'Körper', 'corps'],
  summary: 'A body with mass centre and orientation, for joints in space and for contacts between shapes.',
  order: 'body',
  equations: [
    'm \\dot V = m g + F + p_F, \\quad \\tfrac{\\mathrm d}{\\mathrm dt}(I \\Omega) + \\Omega \\times I \\Omega = M + p_M',
    '\\dot x = V, \\quad \\dot Q = \\tfrac12\\, Q \\circ (0, \\Omega), \\quad |Q| = 1',
  ],
  fields: [
    {
      key: 'mass',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Mass',
      symbol: 'm',
      unit: 'kg',
      required: false,
      help: 'Of the body; left out where a density is given.',
    },
    {
      key: 'density',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Density',
      symbol: '\\rho',
      unit: 'kg/m³',
      required: false,
      help: 'In place of the mass: mass and inertia follow from the shapes. Of discs and polygons it is that of an area, in kg/m².',
    },
    {
      key: 'inertia',
      kind: 'vectorOrFunction',
      length: 'any',
      plugin: 'bodyInertia',
      label: 'Inertia',
      symbol: 'I',
      unit: 'kg m²',
      required: false,
      help: 'About the mass centre in the frame of the body: three principal moments, or nine entries row by row; of discs and polygons the one about z is enough. Or a script function of time, for a body that changes its form. Follows from the shapes when left out.',
    },
    ...poseFields('the mass centre and its frame', 'the world', true),
    ...dynamicsFields(
      'V',
      'F',
      'at the mass centre and in the world’s frame unless point and frame are chosen',
    ),
    ...rigidLoadFields,
    shapesField,
  ],
  source: 'Siconos developer’s notes §9',
};

/** I as a function of time; null where it is constant. */
function readInertiaLaw(fields: FieldReader): InertiaLaw | null {
  const law = fields.function('inertia');
  return law === null ? null : (clock, out) => law(clock, NOTHING, NOTHING, out);
}

export function build(fields: FieldReader): SpaceBody {
  const shapes = readShapes(fields);
  shapes.forEach(({ shape }, k) => {
    if (shape.kind === 'plane' || shape.kind === 'heightField')
      fields.reject(
        `shapes/${k}`,
        'shape-on-body',
        `A ${shape.kind === 'plane' ? 'plane' : 'height field'} has no end and cannot be on a body that moves.`,
        'Put it on a fixed body, or give this one a box.',
      );
  });
  const mass = readBodyMass(fields, shapes);
  const velocity = new Float64Array(6);
  velocity.set(fields.vector('velocity', 3));
  velocity.set(fields.vector('spin', 3), 3);
  const [x, y, z] = fields.vector('gravity', 3);
  return {
    type: definition.type,
    id: fields.element,
    pose: readPose(fields),
    shapes,
    listsShapes: fields.elements(shapesField.key).length > 0,
    dynamics: {
      kind: 'rigid',
      mass: mass?.mass ?? 1,
      inertia: mass?.inertia ?? UNIT_INERTIA,
      inertiaLaw: readInertiaLaw(fields),
      velocity,
      gravity: [x, y, z],
      ...readRigidLoads(fields),
    },
    motion: null,
  };
}
