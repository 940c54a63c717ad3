/**
 * Planes as finite grounds with a grid, and the grid of the world where there is no ground. A ground that is
 * seen from behind, as a wall between the eye and the bodies, hides nothing.
 */
import type { Scene } from '@engine/scene/scene';
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  PlaneGeometry,
} from 'three';
import { type SceneBox, centreOf, groundGrid } from '@figures/animation/geometry/bounds';
import {
  gridLines,
  type GroundPlace,
  groundPlaces,
  strips,
  worldPlace,
} from '@figures/animation/geometry/ground';
import type { StageTheme } from '@figures/animation/stage-theme';

export class Grounds {
  readonly group = new Group();
  readonly #grids = new Group();
  readonly #surface = new MeshLambertMaterial({
    transparent: true,
    opacity: 0.85,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
  readonly #weak = new LineBasicMaterial();
  readonly #strong = new LineBasicMaterial();
  readonly #edge = new LineBasicMaterial();
  readonly #geometries: BufferGeometry[] = [];

  constructor(scene: Scene, planar: boolean, box: SceneBox) {
    const { cell, half } = groundGrid(box);
    const centre = centreOf(box);
    const places = planar ? [] : groundPlaces(scene, centre, cell);
    if (planar) {
      this.#surface.side = DoubleSide;
      this.#addStrips(scene, centre, half);
    }
    for (const place of places) this.#addSquare(place, half);
    const gridded = places.length > 0 && !planar ? places : [worldPlace(box, cell, planar)];
    for (const place of gridded) this.#addGrid(place, cell, half, planar);
    this.group.add(this.#grids);
  }

  setTheme(theme: StageTheme): void {
    this.#surface.color.set(theme.ground);
    this.#weak.color.set(theme.grid);
    this.#strong.color.set(theme.gridStrong);
    this.#edge.color.set(theme.fixed);
  }

  setGrid(visible: boolean): void {
    this.#grids.visible = visible;
  }

  setShadows(shadows: boolean): void {
    for (const child of this.group.children) if (child instanceof Mesh) child.receiveShadow = shadows;
  }

  dispose(): void {
    this.group.removeFromParent();
    this.#geometries.forEach((geometry) => geometry.dispose());
    for (const material of [this.#surface, this.#weak, this.#strong, this.#edge]) material.dispose();
  }

  #addSquare({ centre, rotation }: GroundPlace, half: number): void {
    const square = new Mesh(this.#own(new PlaneGeometry(2 * half, 2 * half)), this.#surface);
    square.position.set(...centre);
    square.quaternion.set(...xyzw(rotation));
    this.group.add(square);
  }

  /** Planes of a motion in the plane: what is solid of them, as a strip below the line. */
  #addStrips(scene: Scene, centre: readonly [number, number, number], half: number): void {
    for (const { centre: middle, angle, depth } of strips(scene, centre, half)) {
      const strip = new Mesh(this.#own(new PlaneGeometry(2 * half, depth)), this.#surface);
      strip.position.set(...middle);
      strip.rotation.z = angle;
      this.group.add(strip);
      const edge = this.#own(new BufferGeometry());
      const line = new Float32Array([-half, depth / 2, 0, half, depth / 2, 0]);
      edge.setAttribute('position', new BufferAttribute(line, 3));
      strip.add(new LineSegments(edge, this.#edge));
    }
  }

  #addGrid({ centre, rotation, isGround }: GroundPlace, cell: number, half: number, planar: boolean): void {
    for (const [lines, material] of [
      [gridLines(cell, half, false), this.#weak],
      [gridLines(cell, half, true), this.#strong],
    ] as const) {
      const geometry = this.#own(new BufferGeometry());
      geometry.setAttribute('position', new BufferAttribute(lines, 3));
      const grid = new LineSegments(geometry, material);
      grid.position.set(...centre);
      grid.quaternion.set(...xyzw(rotation));
      // Paper behind the bodies of a plane: they lie in it.
      if (planar || !isGround) grid.renderOrder = -1;
      this.#grids.add(grid);
    }
  }

  #own<T extends BufferGeometry>(geometry: T): T {
    this.#geometries.push(geometry);
    return geometry;
  }
}

const xyzw = ([w, x, y, z]: readonly [number, number, number, number]): [number, number, number, number] => [
  x,
  y,
  z,
  w,
];
