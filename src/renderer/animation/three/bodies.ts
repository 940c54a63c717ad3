/** The bodies of a scene: a mesh of copies for each form. */
import type { Scene } from '@engine/scene/scene';
import {
  Color,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  type Intersection,
  MeshLambertMaterial,
  type Raycaster,
} from 'three';
import { fillMatrices, type InstanceGroup, instanceGroups } from '@figures/animation/geometry/instancing';
import { sceneColours, type StageTheme } from '@figures/animation/stage-theme';
import { formGeometry } from './forms';

/** Forms that are seen from both sides: they are surfaces. */
const OPEN: ReadonlySet<string> = new Set(['heightField']);

interface Drawn {
  group: InstanceGroup;
  mesh: InstancedMesh<ReturnType<typeof formGeometry>, MeshLambertMaterial>;
}

export class BodyMeshes {
  readonly group = new Group();
  readonly #drawn: Drawn[];
  readonly #scene: Scene;

  /** @param corners that the copies of one form may have together */
  constructor(scene: Scene, shadows: boolean, corners: number) {
    this.#scene = scene;
    this.#drawn = instanceGroups(scene).map((group) => {
      const count = group.bodies.length;
      const material = new MeshLambertMaterial({ vertexColors: true });
      if (OPEN.has(group.form.kind)) material.side = DoubleSide;
      const mesh = new InstancedMesh(formGeometry(group.form, count, corners), material, count);
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      this.group.add(mesh);
      return { group, mesh };
    });
    this.setShadows(shadows);
  }

  setTheme(theme: StageTheme): void {
    const colours = sceneColours(theme, this.#scene).map((colour) => new Color(colour));
    for (const { group, mesh } of this.#drawn) {
      group.bodies.forEach((body, i) => mesh.setColorAt(i, colours[body]));
      if (mesh.instanceColor !== null) mesh.instanceColor.needsUpdate = true;
    }
  }

  setShadows(shadows: boolean): void {
    for (const { mesh } of this.#drawn) mesh.castShadow = mesh.receiveShadow = shadows;
  }

  /** @param poses 7 a body */
  setPoses(poses: Float64Array): void {
    for (const { group, mesh } of this.#drawn) {
      fillMatrices(mesh.instanceMatrix.array as Float32Array, group, poses);
      mesh.instanceMatrix.needsUpdate = true;
      // Kept from an earlier picking; the copies have moved.
      mesh.boundingSphere = null;
    }
  }

  /** Nearest body that a ray hits, and how far away it is; null for none. */
  hit(ray: Raycaster): { body: number; distance: number } | null {
    let nearest: { body: number; distance: number } | null = null;
    for (const { group, mesh } of this.#drawn) {
      const hits: Intersection[] = ray.intersectObject(mesh, false);
      for (const { instanceId, distance } of hits) {
        if (instanceId !== undefined && (nearest === null || distance < nearest.distance))
          nearest = { body: group.bodies[instanceId], distance };
      }
    }
    return nearest;
  }

  dispose(): void {
    this.group.removeFromParent();
    for (const { mesh } of this.#drawn) {
      mesh.geometry.dispose();
      mesh.material.dispose();
      mesh.dispose();
    }
  }
}
