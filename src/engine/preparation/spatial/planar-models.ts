/**
 * Models whose bodies move in a plane z = const: those with discs or polygons. There everything else must lie
 * in that plane too, at the start and as far as loads and joints are known; whatever leads out of it is
 * refused.
 */
import { EngineError } from '../../errors';
import { isFlat } from '../../model/shapes/registry';
import type { BodyForce, BodyShape, PrescribedMotion, SpaceBody, SpaceModel } from '../../model/space/space';
import { ON_GROUND } from '../../spatial/marker';
import { OUT_OF_PLANE } from '../../spatial/plane-of-motion';
import { rotate } from '../../spatial/quaternion';
import { POSITIONS, VELOCITIES } from '../../spatial/bodies/rigid-body';
import { RowSet, type SpatialRows } from '../../spatial/rows';
import type { SpatialSystem } from '../../spatial/system';

/** @param place below the element, such as `/velocity` */
export type Report = (element: string, code: string, message: string, remedy: string, place?: string) => void;

/** Part of a load or of a prescribed motion that may lead out of the plane: rounding. */
const ROUNDING = 1e-12;
/** Numbers of a pose that lead out of the plane: z, from that of the plane, and what tilts. */
const TILTED: readonly number[] = [2, 4, 5];
/** Numbers of a velocity that do. */
const SLIDING_OUT: readonly number[] = [2];
/** Rest of a row, relative to the rows of a joint, that is rounding: it follows from those before. */
const DEPENDENT = 1e-9;

const isTilted = (pose: Float64Array): boolean => pose[4] !== 0 || pose[5] !== 0;

/** Whether the bodies of a model are to move in a plane. */
export const isPlanar = ({ bodies }: SpaceModel): boolean =>
  bodies.some(({ shapes }) => shapes.some(({ shape }) => isFlat(shape)));

/** Reports what is not in the plane of the first body that moves. */
export function checkPlane({ bodies }: SpaceModel, report: Report): void {
  const first = bodies.find(({ dynamics }) => dynamics !== null) ?? bodies[0];
  for (const body of bodies) {
    body.shapes.forEach((shape, k) => checkShape(body, shape, `/shapes/${k}`, report));
    checkPose(body, first, report);
    checkMotion(body, report);
    checkPrescribed(body, report);
  }
}

function checkShape(
  { id, pose }: SpaceBody,
  { shape, pose: own }: BodyShape,
  place: string,
  report: Report,
): void {
  if (shape.kind === 'plane') {
    const normal = shape.normal.slice();
    rotate(own, 3, normal, 0, normal, 0);
    rotate(pose, 3, normal, 0, normal, 0);
    if (shape.dimensions.includes(2) && !isTilted(own) && normal[2] === 0) return;
    report(
      id,
      'plane-out-of-plane',
      `A plane of “${id}” is not across the plane in which discs and polygons move.`,
      'Give it a normal along x and y, such as [0, 1, 0].',
      `${place}/normal`,
    );
    return;
  }
  if (!isFlat(shape)) {
    report(
      id,
      'shapes-mixed',
      `“${id}” has a ${NAMES[shape.kind] ?? shape.kind}, and the model has discs or polygons, which move in a plane.`,
      'Take discs, polygons and planes only, or shapes in space only: a cylinder for a disc, a polyhedron for a polygon.',
      place,
    );
    return;
  }
  if (own[2] === 0 && !isTilted(own)) return;
  report(
    id,
    'shape-out-of-plane',
    `A ${shape.kind} of “${id}” does not lie in the plane of its body.`,
    'Give its position no share along z, and turn it about z only.',
    own[2] === 0 ? `${place}/orientation` : `${place}/position`,
  );
}

const NAMES: Readonly<Record<string, string>> = { heightField: 'height field' };

function checkPose({ id, pose, shapes, dynamics }: SpaceBody, first: SpaceBody, report: Report): void {
  // A frame that joints take hold of may stand anywhere.
  if (dynamics === null && shapes.length === 0) return;
  if (isTilted(pose))
    report(
      id,
      'pose-out-of-plane',
      `“${id}” is tilted, and the bodies of the model move in a plane z = const.`,
      'Give an orientation (cos φ/2, 0, 0, sin φ/2), a turn about z.',
      '/orientation',
    );
  if (pose[2] !== first.pose[2])
    report(
      id,
      'pose-out-of-plane',
      `“${id}” is at z = ${pose[2]} m, and “${first.id}” at ${first.pose[2]} m; discs and polygons move in one plane.`,
      'Give all bodies the same z, such as 0.',
      '/position',
    );
}

function checkMotion({ id, shapes, dynamics }: SpaceBody, report: Report): void {
  // Pseudo-rigid bodies have no place in a plane at all, which `compileSpatial` says.
  if (dynamics?.kind !== 'rigid') return;
  const { velocity, gravity, constantForce, forcePoint, inertia } = dynamics;
  const leave = (code: string, place: string, what: string, remedy: string): void =>
    report(id, code, `${what} of “${id}” leads out of the plane z = const.`, remedy, place);
  if (velocity[2] !== 0)
    leave('velocity-out-of-plane', '/velocity', 'The velocity', 'Give it no share along z.');
  if (velocity[3] !== 0 || velocity[4] !== 0)
    leave('velocity-out-of-plane', '/spin', 'The angular velocity', 'Let it turn about z only.');
  if (gravity[2] !== 0)
    leave('load-out-of-plane', '/gravity', 'Gravity', 'Let it point along x and y, such as [0, -9.81, 0].');
  if (constantForce[2] !== 0) leave('load-out-of-plane', '/force', 'The force', 'Give it no share along z.');
  if (forcePoint[2] !== 0)
    report(
      id,
      'load-out-of-plane',
      `The point of the force on “${id}” is not in the plane z = const.`,
      'Give it no share along z.',
      '/at',
    );
  if (constantForce[3] !== 0 || constantForce[4] !== 0)
    leave('load-out-of-plane', '/moment', 'The moment', 'Let it turn about z only.');
  // Of shapes that have been refused the inertia has been, too.
  const isLevel = shapes.every(({ pose }) => !isTilted(pose));
  if (isLevel && (inertia[2] !== 0 || inertia[5] !== 0))
    leave('inertia-out-of-plane', '/inertia', 'The inertia', 'Give no products with z: I_xz = I_yz = 0.');
}

/** A prescribed motion as it is at the start; a function of time that cannot be called yet says nothing. */
function checkPrescribed({ id, motion }: SpaceBody, report: Report): void {
  if (motion === null) return;
  const velocity = new Float64Array(9);
  try {
    motion.velocity(new Float64Array(1), velocity, 0);
    motion.slide(new Float64Array(1), velocity, 6);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    velocity.fill(0);
  }
  const isLevel = velocity[2] === 0 && velocity[3] === 0 && velocity[4] === 0 && velocity[8] === 0;
  if (isLevel) return;
  report(
    id,
    'motion-out-of-plane',
    `The prescribed motion of “${id}” leads out of the plane z = const.`,
    'Move it and its surface along x and y, and turn it about z only.',
  );
}

/**
 * Reports joints and relations that couple what happens in the plane with what leads out of it. They do not
 * where the rank of their rows H is the sum of the ranks of both parts of H: then their rows can be combined
 * to such as act in the plane and such as act out of it.
 */
export function checkRows(system: SpatialSystem, report: Report): void {
  const q = system.initialPositions();
  for (const { id, rows, limits, motors, first, second, others = [] } of system.joints) {
    const linked = new Set([first.body, second.body, ...others]);
    linked.delete(ON_GROUND);
    const bodies = [...linked];
    const ranksOf = (own: readonly SpatialRows[]): Ranks => ranks(new RowSet(own), q, system, bodies);
    const leads = (own: readonly SpatialRows[]): boolean => {
      const { all, inside, outside } = ranksOf(own);
      return inside + outside !== all;
    };
    const isMixed = leads(rows) || limits.some((limit) => leads([limit]));
    const isDriven = motors.some(({ coordinate }) => ranksOf([coordinate]).outside > 0);
    if (!isMixed && !isDriven) continue;
    report(
      id,
      'joint-out-of-plane',
      isMixed
        ? `“${id}” couples motions in the plane z = const, in which the bodies move, with others.`
        : `A motor of “${id}” leads out of the plane z = const, in which the bodies move.`,
      'Turn its axis: along z for what turns, in the plane for what slides.',
      '/relation',
    );
  }
}

interface Ranks {
  readonly all: number;
  /** of the columns of velocities in the plane, and of those that lead out of it */
  readonly inside: number;
  readonly outside: number;
}

/** @param bodies those that the rows link; the other columns are zero */
function ranks(
  rows: RowSet,
  q: Float64Array,
  { velocities: width, velocitiesAt }: SpatialSystem,
  bodies: readonly number[],
): Ranks {
  const { count } = rows;
  const jacobian = new Float64Array(count * width);
  rows.jacobian(q, jacobian, width, 'velocity');
  const matrix = Array.from({ length: count }, (_, row) =>
    bodies.flatMap((body) => {
      const at = row * width + velocitiesAt[body];
      return [...jacobian.subarray(at, at + VELOCITIES)];
    }),
  );
  const isOutside = (_: number, c: number): boolean => OUT_OF_PLANE.includes(c % VELOCITIES);
  const size = Math.max(...matrix.map((row) => Math.hypot(...row)));
  return {
    all: rankOf(matrix, size),
    inside: rankOf(
      matrix.map((row) => row.filter((x, c) => !isOutside(x, c))),
      size,
    ),
    outside: rankOf(
      matrix.map((row) => row.filter(isOutside)),
      size,
    ),
  };
}

/**
 * Number of rows that are left when each is freed of the directions of those before.
 * @param size of what rounding is a part of
 */
function rankOf(rows: readonly (readonly number[])[], size: number): number {
  const directions: number[][] = [];
  for (const row of rows) {
    let rest = [...row];
    for (const direction of directions) {
      const along = rest.reduce((sum, x, c) => sum + x * direction[c], 0);
      rest = rest.map((x, c) => x - along * direction[c]);
    }
    const length = Math.hypot(...rest);
    if (length > DEPENDENT * size) directions.push(rest.map((x) => x / length));
  }
  return directions.length;
}

/**
 * A load that is refused where it leads out of the plane, which a script may do at any time.
 * @throws {EngineError} `load-out-of-plane`
 */
export function inPlane(id: string, force: BodyForce): BodyForce {
  return (clock, q, v, out) => {
    force(clock, q, v, out);
    if (!level(out, 0, VELOCITIES, OUT_OF_PLANE)) refuseLoad(id, clock[0]);
  };
}

/**
 * A prescribed motion that is refused where it leads out of the plane, as a script may at any time.
 * @throws {EngineError} `motion-out-of-plane`
 */
export function motionInPlane({ id, pose }: SpaceBody, motion: PrescribedMotion): PrescribedMotion {
  const [, , height] = pose;
  return {
    moves: motion.moves,
    consult: (clock) => motion.consult(clock),
    slide(clock, out, at) {
      motion.slide(clock, out, at);
      if (!level(out, at, 3, SLIDING_OUT)) refuseMotion(id, clock[0]);
    },
    pose(clock, out, at) {
      motion.pose(clock, out, at);
      out[at + 2] -= height;
      if (!level(out, at, POSITIONS, TILTED)) refuseMotion(id, clock[0]);
      out[at + 2] = height;
    },
    velocity(clock, out, at) {
      motion.velocity(clock, out, at);
      if (!level(out, at, VELOCITIES, OUT_OF_PLANE)) refuseMotion(id, clock[0]);
    },
  };
}

/**
 * Sets numbers to zero that are zero to rounding, beside the largest of `size`.
 * @returns false where one is not
 */
function level(numbers: Float64Array, at: number, size: number, zeros: readonly number[]): boolean {
  let largest = 0;
  for (let i = at; i < at + size; i++) largest = Math.max(largest, Math.abs(numbers[i]));
  for (let k = 0; k < zeros.length; k++) {
    if (!(Math.abs(numbers[at + zeros[k]]) <= ROUNDING * largest)) return false;
    numbers[at + zeros[k]] = 0;
  }
  return true;
}

function refuseMotion(id: string, time: number): never {
  throw new EngineError({
    code: 'motion-out-of-plane',
    where: id,
    time,
    message: `The prescribed motion of “${id}” leads out of the plane z = const at t = ${time} s.`,
    remedy: 'Move it along x and y, and turn it about z only.',
  });
}

function refuseLoad(id: string, time: number): never {
  throw new EngineError({
    code: 'load-out-of-plane',
    where: id,
    time,
    message: `A load on “${id}” leads out of the plane z = const, in which the bodies move, at t = ${time} s.`,
    remedy: 'Let its force have no share along z, and its moment turn about z only.',
  });
}
