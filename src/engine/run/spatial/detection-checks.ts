/** What the certificate asks of the detection of a model of 3D bodies. */
import { PairDistances } from '../../contact-dynamics/certificate/pair-distances';
import { PlaneDistances, type ShapeOverPlane } from '../../contact-dynamics/certificate/plane-distances';
import { type DetectionCheck, ScriptedCheck } from '../../contact-dynamics/certificate/scripted-check';
import type { PairedShape } from '../../contact-dynamics/certificate/solids';
import {
  type KinematicBodies,
  numberOfKinematicBody,
} from '../../contact-dynamics/contacts/kinematic-bodies';
import { STANDS } from '../../contact-dynamics/contacts/scripted-contacts';
import { composePoses } from '../../model/space/pose';
import type { CompiledSpace } from '../../preparation/spatial/compile';
import { RigidBody } from '../../spatial/bodies/rigid-body';
import { rotate } from '../../spatial/quaternion';

/** @param kinematicBodies of the steps @param margin largest gap of a contact, m */
export function detectionChecks(
  space: CompiledSpace,
  kinematicBodies: KinematicBodies | null,
  margin: number,
): DetectionCheck[] {
  const { system, scripted, pairs, materials, touches } = space;
  const overPlanes = shapesOverPlanes(space);
  const inPairs = new PairDistances(
    system,
    kinematicBodies,
    pairedShapes(space),
    touches,
    (first, second) => pairs.materialOf(first, second),
    materials.map((_, k) => !scripted.some(({ material }) => material === k)),
    margin,
  );
  return [
    ...(overPlanes.length > 0 ? [new PlaneDistances(system, overPlanes, margin)] : []),
    ...(inPairs.isNeeded ? [inPairs] : []),
    ...(scripted.length > 0 ? [new ScriptedCheck(system, scripted, kinematicBodies)] : []),
  ];
}

/**
 * Shapes of bodies and the planes that they may touch. None where other shapes than planes stand on the
 * ground: a body may rest on them where it would be below a plane.
 */
function shapesOverPlanes({ model, moving, system, pairs, touches }: CompiledSpace): ShapeOverPlane[] {
  const numbers = new Map(moving.map((k, body) => [model.bodies[k], body]));
  const shapes = model.bodies
    .flatMap((body) => body.shapes.map((placed) => ({ body, ...placed })))
    .map((placed, number) => ({ ...placed, number }));
  const ground = shapes.filter(({ body }) => body.dynamics === null);
  if (ground.some(({ body, shape }) => shape.kind !== 'plane' || body.motion !== null)) return [];
  return shapes.flatMap(({ body: own, shape, pose, number: second }): ShapeOverPlane[] => {
    const body = numbers.get(own);
    if (body === undefined || !(system.bodies[body] instanceof RigidBody)) return [];
    if (shape.kind === 'plane' || shape.kind === 'heightField') return [];
    return ground.flatMap((plane): ShapeOverPlane[] => {
      const first = plane.number;
      if (plane.shape.kind !== 'plane' || !touches(first, second)) return [];
      const stands = composePoses(plane.body.pose, plane.pose);
      const normal = new Float64Array(3);
      rotate(stands, 3, plane.shape.normal, 0, normal, 0);
      const offset =
        plane.shape.offset + normal[0] * stands[0] + normal[1] * stands[1] + normal[2] * stands[2];
      return [{ body, material: pairs.materialOf(first, second), normal, offset, shape, placement: pose }];
    });
  });
}

/** All shapes, with the numbers of their bodies in contacts. */
function pairedShapes({ model, moving, kinematicBodies }: CompiledSpace): PairedShape[] {
  const numbers = new Map([
    ...moving.map((body, k) => [body, k] as const),
    ...kinematicBodies.map((body, k) => [body, numberOfKinematicBody(k)] as const),
  ]);
  return model.bodies
    .flatMap((body, place) => body.shapes.map(({ shape, pose }) => ({ body, place, shape, pose })))
    .map(({ body, place, shape, pose }, number): PairedShape => {
      const own = numbers.get(place);
      const placement = own === undefined ? composePoses(body.pose, pose) : pose;
      return { body: own ?? STANDS, number, shape, placement };
    });
}
