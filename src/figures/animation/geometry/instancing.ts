/**
 * Which shapes are drawn together: one mesh for all shapes of one form, each with a matrix of its own. Ten
 * thousand balls are then one call of the graphics card instead of ten thousand.
 */
import type { Scene, SceneGeometry, Vector3 } from '@engine/scene/scene';
import { carryTo, POSE_NUMBERS, stretchPlaces } from './poses';
import { multiplyTo, rotateTo } from './quaternions';

/** Shapes that are planes have no finite form and are drawn as grounds. */
export type FiniteGeometry = Exclude<SceneGeometry, { kind: 'plane' }>;

/** Shapes that are scaled copies of one form. */
export interface InstanceGroup {
  /** tells forms apart */
  readonly key: string;
  /** one of the shapes, divided by its scale */
  readonly form: FiniteGeometry;
  /** place in `Scene.bodies` of the body of each instance */
  readonly bodies: Int32Array;
  /** where the stretch of its body stands among the poses, by instance; −1 of a rigid one */
  readonly stretches: Int32Array;
  /** pose of each in the frame of its body, 7 an instance */
  readonly local: Float64Array;
  /** 3 an instance */
  readonly scales: Float64Array;
}

/** Half the thickness of the plates that discs and polygons are drawn as, relative to the largest of them. */
const THIN = 0.015;
/**
 * How much thicker the last plate is than the first: what comes later lies over what comes before, and no two
 * faces fall into one.
 */
const LAYERS = 0.5;

/** Half the thickness of each plate of a scene, m, from the first one on. */
function plateThickness(scene: Scene): (plate: number) => number {
  const reaches = scene.bodies.flatMap(({ shapes }) =>
    shapes.flatMap(({ geometry }) => {
      if (geometry.kind === 'disc') return [geometry.radius];
      if (geometry.kind !== 'polygon') return [];
      return [geometry.corners.reduce((most, x) => Math.max(most, Math.abs(x)), 0)];
    }),
  );
  const thin = THIN * Math.max(0, ...reaches);
  return (plate) => thin * (1 + (LAYERS * plate) / reaches.length);
}

/**
 * A shape as a form of unit size and its scale along the axes of the shape.
 * @param thickness half of that of a plate, m
 */
function formOf(geometry: FiniteGeometry, thickness: () => number): { form: FiniteGeometry; scale: Vector3 } {
  switch (geometry.kind) {
    case 'sphere': {
      const { radius } = geometry;
      return { form: { kind: 'sphere', radius: 1 }, scale: [radius, radius, radius] };
    }
    case 'disc': {
      const { radius } = geometry;
      return { form: { kind: 'disc', radius: 1 }, scale: [radius, radius, thickness()] };
    }
    case 'polygon':
      return { form: geometry, scale: [1, 1, thickness()] };
    case 'box':
      return { form: { kind: 'box', halfLengths: [1, 1, 1] }, scale: geometry.halfLengths };
    case 'ellipsoid':
      return { form: { kind: 'sphere', radius: 1 }, scale: geometry.halfLengths };
    case 'cylinder': {
      const { radius, halfHeight } = geometry;
      return { form: { kind: 'cylinder', radius: 1, halfHeight: 1 }, scale: [radius, radius, halfHeight] };
    }
    case 'capsule': {
      // Its ends stay round under a scale that is the same in all directions only.
      const { radius, halfLength } = geometry;
      return {
        form: { kind: 'capsule', radius: 1, halfLength: halfLength / radius },
        scale: [radius, radius, radius],
      };
    }
    case 'polyhedron':
    case 'heightField':
      return { form: geometry, scale: [1, 1, 1] };
  }
}

interface Instance {
  body: number;
  local: readonly number[];
  scale: Vector3;
}

/** The groups of a scene, in the order in which their forms first occur. */
export function instanceGroups(scene: Scene): InstanceGroup[] {
  const stretches = stretchPlaces(scene);
  const groups = new Map<string, { form: FiniteGeometry; instances: Instance[] }>();
  const thicknessOf = plateThickness(scene);
  let plates = 0;
  scene.bodies.forEach(({ shapes }, body) => {
    for (const { geometry, position, orientation } of shapes) {
      if (geometry.kind === 'plane') continue;
      const { form, scale } = formOf(geometry, () => thicknessOf(plates++));
      const key = JSON.stringify(form);
      const group = groups.get(key) ?? { form, instances: [] };
      groups.set(key, group);
      group.instances.push({ body, local: [...position, ...orientation], scale });
    }
  });
  return [...groups].map(([key, { form, instances }]) => ({
    key,
    form,
    bodies: Int32Array.from(instances, ({ body }) => body),
    stretches: Int32Array.from(instances, ({ body }) => stretches[body]),
    local: Float64Array.from(instances.flatMap(({ local }) => local)),
    scales: Float64Array.from(instances.flatMap(({ scale }) => [...scale])),
  }));
}

const scratch = new Float64Array(POSE_NUMBERS);

/**
 * The matrix of a shape on a body that deforms: x + R U s, and the columns R U R_s of its axes times their
 * scales.
 */
function fillStretched(out: Float32Array, i: number, group: InstanceGroup, poses: Float64Array): void {
  const { bodies, stretches, local, scales } = group;
  const body = bodies[i];
  const shape = POSE_NUMBERS * i;
  const at = 16 * i;
  for (let axis = 0; axis < 3; axis++) {
    const scale = scales[3 * i + axis];
    rotateTo(
      scratch,
      0,
      local,
      shape + 3,
      axis === 0 ? scale : 0,
      axis === 1 ? scale : 0,
      axis === 2 ? scale : 0,
    );
    carryTo(out, at + 4 * axis, poses, body, stretches[i], scratch[0], scratch[1], scratch[2]);
    out[at + 4 * axis + 3] = 0;
  }
  carryTo(out, at + 12, poses, body, stretches[i], local[shape], local[shape + 1], local[shape + 2]);
  for (let k = 0; k < 3; k++) out[at + 12 + k] += poses[POSE_NUMBERS * body + k];
  out[at + 15] = 1;
}

/**
 * Writes a matrix by columns: the axes of the rotation, each times its scale, and the place.
 * @param out 16 numbers a matrix
 */
export function writeInstanceMatrix(
  out: Float32Array,
  index: number,
  place: ArrayLike<number>,
  rotation: ArrayLike<number>,
  atRotation: number,
  sx: number,
  sy: number,
  sz: number,
): void {
  const at = 16 * index;
  rotateTo(out, at, rotation, atRotation, sx, 0, 0);
  rotateTo(out, at + 4, rotation, atRotation, 0, sy, 0);
  rotateTo(out, at + 8, rotation, atRotation, 0, 0, sz);
  out[at + 12] = place[0];
  out[at + 13] = place[1];
  out[at + 14] = place[2];
  out[at + 3] = out[at + 7] = out[at + 11] = 0;
  out[at + 15] = 1;
}

/**
 * Writes the matrices of a group: T(body) · T(shape) · S, so that the place is x + R(Q) s and the rotation Q
 * ∘ Q_s.
 * @param out 16 numbers an instance, by columns
 * @param poses 7 a body, and stretches
 */
export function fillMatrices(out: Float32Array, group: InstanceGroup, poses: Float64Array): void {
  const { bodies, stretches, local, scales } = group;
  for (let i = 0; i < bodies.length; i++) {
    const body = POSE_NUMBERS * bodies[i];
    const shape = POSE_NUMBERS * i;
    if (stretches[i] >= 0) {
      fillStretched(out, i, group, poses);
      continue;
    }
    rotateTo(scratch, 0, poses, body + 3, local[shape], local[shape + 1], local[shape + 2]);
    for (let k = 0; k < 3; k++) scratch[k] += poses[body + k];
    multiplyTo(scratch, 3, poses, body + 3, local, shape + 3);
    writeInstanceMatrix(out, i, scratch, scratch, 3, scales[3 * i], scales[3 * i + 1], scales[3 * i + 2]);
  }
}
