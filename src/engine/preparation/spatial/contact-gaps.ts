/**
 * Gaps between shapes that are functions of the positions, for the event-driven scheme: one for each pair of
 * features that may come to touch, open or closed, from the start. Shapes are rounded cores: points, edges or
 * polytopes with a radius about them (`collision/shapes/shape.ts`), so that
 *
 *     core over a plane        n·(P − O) − r for each corner P of the core
 *     rim over a plane         n·(P − O) − R √(1 − (n·a)²) for each end of a cylinder with the axis a
 *     ellipsoid over a plane   n·(P − O) − √Σ (a_k n·e_k)²
 *     point by point           |P₂ − P₁| − r₁ − r₂
 *
 * is all that spheres, capsules, boxes, discs and polytopes need over planes, and spheres among each other.
 * What else may meet is refused by name: an event that is not looked for would be missed.
 */
import type {
  CylinderShape,
  EllipsoidShape,
  PlaneShape,
  RoundedShape,
  Shape,
} from '../../collision/shapes/shape';
import { EngineError } from '../../errors';
import { composePoses } from '../../model/space/pose';
import type { ImpactMaterial } from '../../model/contact-laws/newton-impact-friction';
import type { BodyPlaces } from '../../spatial/bodies/body';
import { markersOf } from '../../spatial/compile';
import { Limit, PointDistance } from '../../spatial/coordinates';
import { SPATIAL_GROUND, type SpatialAttachment, frameAlong } from '../../spatial/joints/joint';
import { PseudoRigidBody } from '../../spatial/bodies/pseudo-rigid';
import { multiplyQuaternions, rotate } from '../../spatial/quaternion';
import {
  BetweenPoints,
  OverPlane,
  RimGap,
  RimOverPlane,
  SurfaceSlip,
  EllipsoidGap,
  EllipsoidOverPlane,
} from '../../spatial/contact-rows';
import { AxisOffset, type SpatialRows } from '../../spatial/rows';
import type { CompiledSpace } from './compile';

/** The gaps between two shapes. */
export interface GapRelation {
  /** number of the interaction of contact whose law holds */
  readonly contact: number;
  /** numbers of the bodies that move */
  readonly linked: readonly number[];
  readonly rows: (places: BodyPlaces) => readonly SpatialRows[];
  readonly surface: ImpactMaterial;
  readonly directions: Directions;
}

/** Rows of slip of a contact: none without friction, one in the plane, two in space. */
export type Directions = 0 | 1 | 2;

/** A shape where it stands on its body. */
interface PlacedShape {
  readonly shape: Shape;
  /** id of the body, or the ground */
  readonly body: string;
  /** number of the body among those that move; −1 of one that stands */
  readonly number: number;
  /** in the frame of the body, in the world's of one that stands */
  readonly pose: Float64Array;
  /** position of the body in the model */
  readonly owner: number;
}

const isRounded = (shape: Shape): shape is RoundedShape => 'core' in shape;

/** @throws {EngineError} for laws and shapes of which no gap is known */
export function gapsOf(space: CompiledSpace): GapRelation[] {
  const { model, moving, kinematicBodies, contacts, pairs, touches } = space;
  const [scripted] = space.scripted;
  if (scripted !== undefined)
    throw refused(
      scripted.id,
      'its points and normal come from a script, and the scheme knows gaps of shapes only',
    );
  const numbers = new Map(moving.map((owner, k) => [owner, k]));
  const shapes = model.bodies.flatMap((body, owner) =>
    body.shapes.map(({ shape, pose }): PlacedShape => {
      const number = numbers.get(owner) ?? -1;
      return {
        shape,
        body: number < 0 ? SPATIAL_GROUND : body.id,
        number,
        pose: number < 0 ? composePoses(body.pose, pose) : pose,
        owner,
      };
    }),
  );
  return shapes.flatMap((one, first) =>
    shapes.slice(first + 1).flatMap((other, k): GapRelation[] => {
      const second = first + 1 + k;
      if (one.owner === other.owner || (one.number < 0 && other.number < 0)) return [];
      if (!touches(first, second)) return [];
      const contact = pairs.materialOf(first, second);
      const { id } = contacts[contact];
      const surface = surfaceOf(space, id, contact);
      const moved = [one, other].find(({ owner }) => kinematicBodies.includes(owner));
      if (moved !== undefined)
        throw refused(
          id,
          `“${model.bodies[moved.owner].id}” moves as prescribed, and gaps to such bodies are unknown to the event-driven scheme`,
        );
      const linked = [one.number, other.number].filter((number) => number >= 0);
      const directions = surface.friction === 0 ? 0 : space.system.isPlanar ? 1 : 2;
      return [{ contact, linked, rows: rowsOf(space, id, one, other, directions), surface, directions }];
    }),
  );
}

/** The law of an interaction, which has to be one of impact. */
function surfaceOf(space: CompiledSpace, id: string, number: number): ImpactMaterial {
  const { materials, contacts } = space;
  const { law } = contacts[number];
  const { rolling = 0, spinning = 0 } = materials[number];
  if (law === null) return { kind: 'impact', friction: 0, restitution: 0, tangentialRestitution: 0 };
  if (law.kind !== 'impact')
    throw refused(id, `its law, ${law.kind}, is no law of impact, and has no events that the scheme knows`);
  if (rolling > 0 || spinning > 0)
    throw refused(
      id,
      'its law opposes rolling or spinning by a moment, which the event-driven scheme does not know',
    );
  return law;
}

const refused = (where: string, why: string): EngineError =>
  new EngineError({
    code: 'event-driven-contact',
    where,
    message: `“${where}” cannot be simulated from event to event: ${why}.`,
    remedy: 'Simulate the model by time-stepping.',
  });

function rowsOf(
  space: CompiledSpace,
  id: string,
  one: PlacedShape,
  other: PlacedShape,
  directions: Directions,
): GapRelation['rows'] {
  const { system } = space;
  const soft = [one, other].find(
    ({ number }) => number >= 0 && system.bodies[number] instanceof PseudoRigidBody,
  );
  if (soft !== undefined) throw refused(id, `“${soft.body}” deforms, and gaps to such bodies are unknown`);
  const { shape: first } = one;
  const { shape: second } = other;
  if (first.kind === 'plane' && isRounded(second))
    return overPlane(id, { ...one, shape: first }, { ...other, shape: second }, directions);
  if (second.kind === 'plane' && isRounded(first))
    return overPlane(id, { ...other, shape: second }, { ...one, shape: first }, directions);
  if (first.kind === 'plane' && second.kind === 'cylinder')
    return rimsOverPlane(id, { ...one, shape: first }, { ...other, shape: second }, directions);
  if (second.kind === 'plane' && first.kind === 'cylinder')
    return rimsOverPlane(id, { ...other, shape: second }, { ...one, shape: first }, directions);
  if (first.kind === 'plane' && second.kind === 'ellipsoid')
    return ellipsoidOverPlane(id, { ...one, shape: first }, { ...other, shape: second }, directions);
  if (second.kind === 'plane' && first.kind === 'ellipsoid')
    return ellipsoidOverPlane(id, { ...other, shape: second }, { ...one, shape: first }, directions);
  if (isRounded(first) && isRounded(second) && isPoint(first) && isPoint(second))
    return (places) => {
      const marker = markersOf(places)(id);
      const [from, to] = [one, other].map(({ body, pose }) =>
        marker({ body, point: [...pose.subarray(0, 3)] }),
      );
      const gap = new Limit(new PointDistance(from, to, 'gap'), 'lower', first.radius + second.radius);
      if (directions === 0) return [gap];
      const geometry = new BetweenPoints(from, to, first.radius, second.radius, system.isPlanar);
      return [gap, new SurfaceSlip(geometry, directions)];
    };
  const name = ({ shape: { kind }, owner }: PlacedShape): string =>
    `the ${kind} of “${space.model.bodies[owner].id}”`;
  throw refused(id, `no gap between ${name(one)} and ${name(other)} is known as a function of the positions`);
}

const isPoint = ({ core }: RoundedShape): boolean => core.vertexCount === 1;

/** Each corner of a core over a plane. */
function overPlane(
  id: string,
  plane: PlacedShape & { readonly shape: PlaneShape },
  { body, pose, shape: { core, radius } }: PlacedShape & { readonly shape: RoundedShape },
  directions: Directions,
): GapRelation['rows'] {
  const ground = planeFrame(plane, directions === 1);
  return (places) => {
    const marker = markersOf(places)(id);
    return Array.from({ length: core.vertexCount }, (_, k) => {
      const point = new Float64Array(3);
      rotate(pose, 3, core.vertices, 3 * k, point, 0);
      for (let i = 0; i < 3; i++) point[i] += pose[i];
      const [first, second] = [marker(ground), marker({ body, point: [...point] })];
      const gap = new AxisOffset(first, second, 2, 'gap', radius);
      if (directions === 0) return [gap];
      return [gap, new SurfaceSlip(new OverPlane(first, second, radius), directions)];
    }).flat();
  };
}

/** The lowest points of both ends of a cylinder over a plane. */
function rimsOverPlane(
  id: string,
  plane: PlacedShape & { readonly shape: PlaneShape },
  { body, pose, shape: { radius, halfHeight } }: PlacedShape & { readonly shape: CylinderShape },
  directions: Directions,
): GapRelation['rows'] {
  const ground = planeFrame(plane, directions === 1);
  const frame = [...pose.subarray(3)];
  return (places) => {
    const marker = markersOf(places)(id);
    return [-halfHeight, halfHeight].flatMap((height) => {
      const point = Float64Array.of(0, 0, height);
      rotate(pose, 3, point, 0, point, 0);
      for (let i = 0; i < 3; i++) point[i] += pose[i];
      const [first, second] = [marker(ground), marker({ body, point: [...point], frame })];
      const gap = new RimGap(first, second, radius, id);
      if (directions === 0) return [gap];
      return [gap, new SurfaceSlip(new RimOverPlane(first, second, radius, id), directions)];
    });
  };
}

/** The lowest point of an ellipsoid. */
function ellipsoidOverPlane(
  id: string,
  plane: PlacedShape & { readonly shape: PlaneShape },
  { body, pose, shape: { semiAxes } }: PlacedShape & { readonly shape: EllipsoidShape },
  directions: Directions,
): GapRelation['rows'] {
  const ground = planeFrame(plane, directions === 1);
  const [point, frame] = [[...pose.subarray(0, 3)], [...pose.subarray(3)]];
  return (places) => {
    const marker = markersOf(places)(id);
    const [first, second] = [marker(ground), marker({ body, point, frame })];
    const gap = new EllipsoidGap(first, second, semiAxes);
    if (directions === 0) return [gap];
    return [gap, new SurfaceSlip(new EllipsoidOverPlane(first, second, semiAxes), directions)];
  };
}

/** Quaternion of the axes y, z, x: the tangent z×n, z, and the normal n = x. */
const SIDEWAYS = Float64Array.of(0.5, 0.5, 0.5, 0.5);

/**
 * A frame in a plane, with its third axis along the normal.
 * @param isPlanar whether its first axis is the tangent in the plane z = const
 */
function planeFrame(
  { body, pose, shape: { normal, offset } }: PlacedShape & { readonly shape: PlaneShape },
  isPlanar: boolean,
): SpatialAttachment {
  const direction = new Float64Array(3);
  rotate(pose, 3, normal, 0, direction, 0);
  const point = Array.from(direction, (n, i) => pose[i] + offset * n);
  if (!isPlanar) return { body, point, frame: frameAlong([...direction]) };
  const half = 0.5 * Math.atan2(direction[1], direction[0]);
  const frame = new Float64Array(4);
  multiplyQuaternions(Float64Array.of(Math.cos(half), 0, 0, Math.sin(half)), 0, SIDEWAYS, 0, frame, 0);
  return { body, point, frame: [...frame] };
}
