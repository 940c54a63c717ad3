/** A box of lines about the selected body, which deforms with it: a mark that needs no colour. */
import type { Scene } from '@engine/scene/scene';
import { BoxGeometry, EdgesGeometry, Group, LineBasicMaterial, LineSegments } from 'three';
import { bodyBox, centreOf, isEmptyBox } from '@figures/animation/geometry/bounds';
import { carryTo, POSE_NUMBERS, stretchPlaces } from '@figures/animation/geometry/poses';

/** Half-side of the box of a body without extent, and room about any, relative to the radius of the scene. */
const POINT_SIZE = 0.04;
const BOX_MARGIN_PER_RADIUS = 0.006;

export class SelectionBox {
  /** moves with the body */
  readonly group = new Group();
  readonly #lines: LineSegments<EdgesGeometry, LineBasicMaterial>;
  readonly #scene: Scene;
  readonly #stretches: Int32Array;
  readonly #radius: number;
  #body = -1;
  #poses: Float64Array = new Float64Array(0);
  /** by columns */
  readonly #matrix = new Float64Array(16);

  /** @param radius of the scene, m */
  constructor(scene: Scene, radius: number) {
    this.#scene = scene;
    this.#stretches = stretchPlaces(scene);
    this.#radius = radius;
    const box = new BoxGeometry(2, 2, 2);
    this.#lines = new LineSegments(new EdgesGeometry(box), new LineBasicMaterial());
    box.dispose();
    this.#lines.frustumCulled = false;
    this.group.add(this.#lines);
    this.group.visible = false;
    this.group.matrixAutoUpdate = false;
    this.#matrix[15] = 1;
  }

  colour(css: string): void {
    this.#lines.material.color.set(css);
  }

  select(body: number): void {
    this.#body = body;
    if (body >= 0) this.#fit(body);
    this.#place();
  }

  setPoses(poses: Float64Array): void {
    this.#poses = poses;
    this.#place();
  }

  dispose(): void {
    this.group.removeFromParent();
    this.#lines.geometry.dispose();
    this.#lines.material.dispose();
  }

  #fit(body: number): void {
    const box = bodyBox(this.#scene.bodies[body]);
    const isEmpty = isEmptyBox(box);
    const room = this.#radius * (isEmpty ? POINT_SIZE : BOX_MARGIN_PER_RADIUS);
    const { least, most } = isEmpty ? { least: [0, 0, 0], most: [0, 0, 0] } : box;
    const half = [0, 1, 2].map((i) => (most[i] - least[i]) / 2 + room);
    this.#lines.scale.set(half[0], half[1], half[2]);
    if (isEmpty) this.#lines.position.set(0, 0, 0);
    else this.#lines.position.set(...centreOf(box));
  }

  #place(): void {
    const at = POSE_NUMBERS * this.#body;
    this.group.visible = this.#body >= 0 && at < this.#poses.length;
    if (!this.group.visible) return;
    const stretch = this.#stretches[this.#body];
    for (let axis = 0; axis < 3; axis++) {
      const [x, y, z] = [0, 1, 2].map((i) => (i === axis ? 1 : 0));
      carryTo(this.#matrix, 4 * axis, this.#poses, this.#body, stretch, x, y, z);
      this.#matrix[12 + axis] = this.#poses[at + axis];
    }
    this.group.matrix.fromArray(this.#matrix);
    this.group.matrixWorldNeedsUpdate = true;
  }
}
