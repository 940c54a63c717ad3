/**
 * Loads of a rigid body by its own fields: a force in the world's frame or in the body's, at a point of the
 * body, and a moment in either. A force f in the body's frame is R f in the world's; at the point s′ of the
 * body it has the moment s′×ᵗR F about the mass centre.
 */
import { rotate, rotateBack } from '../../spatial/quaternion';
import { addCross } from '../../spatial/matrix3';
import type { FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import { NOTHING } from '../plugin';
import { vectorField } from './body-fields';
import type { BodyForce } from './space';

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

export const rigidLoadFields: readonly FieldDefinition[] = [
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

export interface RigidLoads {
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
export function readRigidLoads(fields: FieldReader): RigidLoads {
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
