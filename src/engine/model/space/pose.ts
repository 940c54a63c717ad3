/** Poses in documents: a position and a quaternion. */
import { multiplyQuaternions, normaliseQuaternion, rotate, squaredNorm } from '../../spatial/quaternion';
import type { FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';

/** Numbers of a pose: x and Q. */
export const POSE = 7;
/** Places of Q in a pose. */
const QUATERNION = [3, 4, 5, 6] as const;
/** |Q|² is off 1 by less where four numbers are given with seven digits. */
const UNIT = 1e-6;

/** @param of what the pose belongs to @param frame what it is given in */
export const poseFields = (of: string, frame: string, isRequired: boolean): readonly FieldDefinition[] => [
  {
    key: 'position',
    kind: 'vector',
    length: 3,
    label: 'Position',
    symbol: 'x',
    unit: 'm',
    required: isRequired,
    help: `Of ${of}, in ${frame}${isRequired ? '' : '; the origin when left out'}.`,
  },
  {
    key: 'orientation',
    kind: 'vector',
    length: 4,
    label: 'Orientation',
    symbol: 'Q',
    unit: '',
    required: false,
    help: `Quaternion (w, x, y, z) from the frame of ${of} to that of ${frame}, of length 1; (1, 0, 0, 0), parallel, when left out. A turn by φ about the unit vector n is (cos φ/2, n sin φ/2).`,
  },
];

/** @returns x and Q, 7 numbers; Q of length 1 */
export function readPose(fields: FieldReader): Float64Array {
  const pose = new Float64Array(POSE);
  pose.set(fields.vector('position', 3));
  pose[3] = 1;
  if (!fields.has('orientation')) return pose;
  const reported = fields.defectCount;
  pose.set(fields.vector('orientation', 4), 3);
  if (fields.defectCount > reported) return pose;
  const square = squaredNorm(pose, 3);
  if (!normaliseQuaternion(pose, 3)) {
    fields.reject(
      'orientation',
      'orientation-zero',
      'The orientation is no rotation: its four numbers are all zero.',
      'Give a quaternion such as [1, 0, 0, 0], which is parallel to the frame around it.',
    );
    pose.set([1, 0, 0, 0], 3);
  } else if (Math.abs(square - 1) > UNIT)
    fields.warn(
      'orientation',
      'orientation-not-unit',
      `The orientation has the length ${Number(Math.sqrt(square).toPrecision(6))}, and only quaternions of length 1 are rotations: the one in its direction is taken.`,
      `Give ${QUATERNION.map((i) => Number(pose[i].toPrecision(9))).join(', ')}, or check whether a number is missing: a turn by φ about n is (cos φ/2, n sin φ/2).`,
    );
  return pose;
}

/** The pose of a frame that has the pose `inner` in a frame of pose `outer`. */
export function composePoses(outer: Float64Array, inner: Float64Array): Float64Array {
  const pose = inner.slice();
  rotate(outer, 3, pose, 0, pose, 0);
  for (let i = 0; i < 3; i++) pose[i] += outer[i];
  multiplyQuaternions(outer, 3, inner, 3, pose, 3);
  return pose;
}
