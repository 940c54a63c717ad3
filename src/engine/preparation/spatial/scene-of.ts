/** The scene of a prepared model: its 3D bodies as an animation draws them. */
import type { Scene, SceneBody, SceneJoint, Vector3 } from '../../scene/scene';
import { SPATIAL_GROUND } from '../../spatial/joints/joint';
import { AFFINE } from '../../spatial/bodies/pseudo-rigid';
import { POSITIONS } from '../../spatial/bodies/rigid-body';
import type { PreparedModel } from '../prepare';
import type { CompiledSpace } from './compile';

/** @returns null of a model without 3D bodies */
export function sceneOf({ space }: Pick<PreparedModel, 'space'>): Scene | null {
  if (space === null) return null;
  return { bodies: space.model.bodies.map(sceneBody), joints: sceneJoints(space) };
}

function sceneBody({
  id,
  pose,
  shapes,
  dynamics,
  motion,
}: CompiledSpace['model']['bodies'][number]): SceneBody {
  const [x, y, z, w, i, j, k] = pose;
  const isAffine = dynamics?.kind === 'pseudoRigid';
  const isPrescribed = dynamics === null && motion?.moves === true;
  const signals = Array.from({ length: isAffine ? AFFINE : POSITIONS }, (_, n) => `${id}.q[${n}]`);
  return {
    id,
    position: [x, y, z],
    orientation: [w, i, j, k],
    ...(isAffine ? { deformation: dynamics.deformation } : {}),
    motion: dynamics === null && !isPrescribed ? null : { kind: isAffine ? 'affine' : 'spatial', signals },
    ...(isPrescribed ? { isPrescribed } : {}),
    shapes: shapes.map(({ scene }) => scene),
  };
}

function sceneJoints({ model, joints }: CompiledSpace): SceneJoint[] {
  const places = new Map(model.bodies.map(({ id }, k) => [id, k]));
  return joints.map(({ id, relation }) => {
    const { first, second } = relation.description;
    const place = (body: string): number => (body === SPATIAL_GROUND ? -1 : (places.get(body) ?? -1));
    return {
      id,
      type: relation.type,
      bodies: [place(first.body), place(second.body)],
      points: [vector(first.point), vector(second.point)],
      axis: relation.axis,
      coordinates: relation.coordinates.map(({ name }) => `${id}.${name}`),
    };
  });
}

const vector = (point: readonly number[] = [0, 0, 0]): Vector3 => [point[0], point[1], point[2]];
