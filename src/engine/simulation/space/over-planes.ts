/** Which shapes of bodies may touch planes that stand still, for the certificate. */
import type { ShapeOverPlane } from '../../contact-dynamics/plane-distances';
import { composePoses } from '../../model/space/pose';
import { rotate } from '../../spatial/quaternion';
import { RigidBody } from '../../spatial/rigid-body';
import type { CompiledSpace } from './compile';

/** None where other shapes than planes stand on the ground: a body may rest on them where it would be below a plane. */
export function shapesOverPlanes({ model, moving, system, pairs, touches }: CompiledSpace): ShapeOverPlane[] {
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
