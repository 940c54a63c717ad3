/** The bodies of a scene in their poses, as solids in the world with their faces, ready to be painted. */
import type { Scene } from '@engine/scene/scene';
import { type Eye, inPicture, seen } from './eye';
import { type FormFaces, formFaces } from './form-faces';
import type { SpaceVector } from './geometry/camera';
import { fillMatrices, type InstanceGroup, instanceGroups } from './geometry/instancing';
import type { Solid } from './painters-order';

export interface WorldFace {
  /** x, y, z each */
  readonly points: Float64Array;
  /** unit, outwards */
  readonly normal: SpaceVector;
  readonly brightness: number;
}

/** A shape of a body. */
export interface WorldSolid extends Solid {
  /** place in `Scene.bodies` */
  readonly body: number;
  /** none of a ball */
  readonly faces: readonly WorldFace[];
  readonly isOpen: boolean;
}

/** What a scene consists of, whatever its poses are. */
export interface SceneForms {
  readonly groups: readonly (InstanceGroup & { readonly solid: FormFaces })[];
}

export const sceneForms = (scene: Scene): SceneForms => ({
  groups: instanceGroups(scene).map((group) => ({ ...group, solid: formFaces(group.form) })),
});

/** More faces than this part no other body from this one: they are those of what is round. */
const MOST_PLANES = 80;

function carried(m: Float32Array, at: number, points: readonly number[]): Float64Array {
  const out = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += 3)
    for (let k = 0; k < 3; k++)
      out[i + k] =
        m[at + k] * points[i] +
        m[at + 4 + k] * points[i + 1] +
        m[at + 8 + k] * points[i + 2] +
        m[at + 12 + k];
  return out;
}

/**
 * Newell's normal, which needs no three corners that are not in line; of Newell, Newell and Sancha 1972.
 */
function normalOf(p: Float64Array): SpaceVector {
  const n: SpaceVector = [0, 0, 0];
  for (let i = 0; i < p.length; i += 3) {
    const j = (i + 3) % p.length;
    n[0] += (p[i + 1] - p[j + 1]) * (p[i + 2] + p[j + 2]);
    n[1] += (p[i + 2] - p[j + 2]) * (p[i] + p[j]);
    n[2] += (p[i] - p[j]) * (p[i + 1] + p[j + 1]);
  }
  const length = Math.hypot(...n);
  return length > 0 ? [n[0] / length, n[1] / length, n[2] / length] : [0, 0, 0];
}

/** Corners relative to the first one, so that the normal of a small face far away keeps its digits. */
const relative = (points: Float64Array): Float64Array => points.map((value, i) => value - points[i % 3]);

/**
 * The place that a solid takes in the picture, from a ball about it; everywhere where it reaches behind the
 * eye.
 */
function spotOf(eye: Eye, centre: SpaceVector, reach: number): readonly [number, number, number] {
  const at = seen(eye, ...centre);
  if (at[2] - reach < eye.least) return [0, 0, Infinity];
  const [x, y] = inPicture(eye, at);
  return [x, y, (eye.focal * reach) / (at[2] - reach)];
}

/** Centre of the box about some points, and the largest distance from it. */
function ballAbout(faces: readonly WorldFace[]): { centre: SpaceVector; reach: number } {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const { points } of faces)
    points.forEach((value, i) => {
      low[i % 3] = Math.min(low[i % 3], value);
      high[i % 3] = Math.max(high[i % 3], value);
    });
  const centre: SpaceVector = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
  return { centre, reach: Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / 2 };
}

/** All solids of a scene. What is not a number is nowhere. @param poses 7 a body, and stretches */
export function worldSolids({ groups }: SceneForms, poses: Float64Array, eye: Eye): WorldSolid[] {
  return groups.flatMap((group) => {
    const matrices = new Float32Array(16 * group.bodies.length);
    fillMatrices(matrices, group, poses);
    return Array.from(group.bodies, (body, i): WorldSolid[] => {
      const at = 16 * i;
      if (!matrices.subarray(at, at + 16).every(Number.isFinite)) return [];
      const isBall = group.form.kind === 'sphere' && group.stretches[i] < 0;
      if (isBall) {
        const centre: SpaceVector = [matrices[at + 12], matrices[at + 13], matrices[at + 14]];
        const radius = group.scales[3 * i];
        const spot = spotOf(eye, centre, radius);
        return [{ body, points: centre, radius, planes: [], centre, spot, faces: [], isOpen: false }];
      }
      const { faces: forms, isConvex, isOpen } = group.solid;
      const faces = forms.map(({ points: local, brightness }): WorldFace => {
        const points = carried(matrices, at, local);
        return { points, normal: normalOf(relative(points)), brightness };
      });
      const { centre, reach } = ballAbout(faces);
      const planes =
        isConvex && faces.length <= MOST_PLANES
          ? faces.flatMap(({ points: p, normal: n }) => [...n, n[0] * p[0] + n[1] * p[1] + n[2] * p[2]])
          : [];
      const points = faces.flatMap((face) => [...face.points]);
      return [{ body, points, radius: 0, planes, centre, spot: spotOf(eye, centre, reach), faces, isOpen }];
    }).flat();
  });
}
