/**
 * Planes as finite grounds with a grid, and the grid of the world where there is no ground. A ground that is seen from behind, as a wall between
 * the eye and the bodies, hides nothing.
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
  Quaternion,
  Vector3,
} from 'three';
import { type Box, centreOf, groundGrid, planeInWorld } from '../geometry/bounds';
import { fromZ } from '../geometry/quaternions';
import type { StageTheme } from '../stage-theme';

/** A ground in the plane is a strip of this depth, relative to its length. */
const STRIP = 0.05;
/** Each so-many-th line of a grid is stronger. */
const STRONG = 5;

/** Lines of a square grid in z = 0 about the origin, 6 numbers a line: those that are strong, or the others. */
export function gridLines(cell: number, half: number, strong: boolean): Float32Array<ArrayBuffer> {
  const cells = Math.round(half / cell);
  const lines: number[] = [];
  for (let i = -cells; i <= cells; i++) {
    if ((i % STRONG === 0) !== strong) continue;
    const at = i * cell;
    lines.push(at, -half, 0, at, half, 0, -half, at, 0, half, at, 0);
  }
  return new Float32Array(lines);
}

interface Place {
  /** middle of the ground */
  centre: Vector3;
  /** turns z into the normal */
  rotation: Quaternion;
  isGround: boolean;
}

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

  constructor(scene: Scene, planar: boolean, box: Box) {
    const { cell, half } = groundGrid(box);
    const centre = centreOf(box);
    const places = planesOf(scene, centre, cell, planar);
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

  #addSquare({ centre, rotation }: Place, half: number): void {
    const square = new Mesh(this.#own(new PlaneGeometry(2 * half, 2 * half)), this.#surface);
    square.position.copy(centre);
    square.quaternion.copy(rotation);
    this.group.add(square);
  }

  /** Planes of a motion in the plane: what is solid of them, as a strip below the line. */
  #addStrips(scene: Scene, centre: readonly [number, number, number], half: number): void {
    for (const { normal, offset } of planesInWorld(scene)) {
      const n = new Vector3(...normal);
      const depth = 2 * half * STRIP;
      const foot = new Vector3(...centre);
      foot.addScaledVector(n, offset - n.dot(foot) - depth / 2);
      const strip = new Mesh(this.#own(new PlaneGeometry(2 * half, depth)), this.#surface);
      strip.position.set(foot.x, foot.y, centre[2]);
      strip.rotation.z = Math.atan2(-n.x, n.y);
      this.group.add(strip);
      const edge = this.#own(new BufferGeometry());
      const line = new Float32Array([-half, depth / 2, 0, half, depth / 2, 0]);
      edge.setAttribute('position', new BufferAttribute(line, 3));
      strip.add(new LineSegments(edge, this.#edge));
    }
  }

  #addGrid({ centre, rotation, isGround }: Place, cell: number, half: number, planar: boolean): void {
    for (const [lines, material] of [
      [gridLines(cell, half, false), this.#weak],
      [gridLines(cell, half, true), this.#strong],
    ] as const) {
      const geometry = this.#own(new BufferGeometry());
      geometry.setAttribute('position', new BufferAttribute(lines, 3));
      const grid = new LineSegments(geometry, material);
      grid.position.copy(centre);
      grid.quaternion.copy(rotation);
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

function planesInWorld(scene: Scene): { normal: [number, number, number]; offset: number }[] {
  return scene.bodies.flatMap((body) =>
    body.shapes.flatMap((shape) =>
      shape.geometry.kind === 'plane'
        ? [planeInWorld(body, shape, shape.geometry.normal, shape.geometry.offset)]
        : [],
    ),
  );
}

/** Where grounds lie: below or beside the middle of the scene, on a node of the grid, so that round coordinates are on its lines. */
function planesOf(
  scene: Scene,
  centre: readonly [number, number, number],
  cell: number,
  planar: boolean,
): Place[] {
  if (planar) return [];
  return planesInWorld(scene).map(({ normal, offset }) => {
    const n = new Vector3(...normal);
    const rotation = new Quaternion(...xyzw(fromZ(normal)));
    const origin = n.clone().multiplyScalar(offset);
    const local = new Vector3(...centre).sub(origin).applyQuaternion(rotation.clone().invert());
    const snapped = new Vector3(Math.round(local.x / cell) * cell, Math.round(local.y / cell) * cell, 0);
    return { centre: snapped.applyQuaternion(rotation).add(origin), rotation, isGround: true };
  });
}

/** The grid of a world without ground: z = 0 where the scene reaches it, else below the scene. */
function worldPlace({ least, most }: Box, cell: number, planar: boolean): Place {
  const snap = (i: number): number => Math.round((least[i] + most[i]) / 2 / cell) * cell;
  const near = cell * STRONG;
  const height = (least[2] + most[2]) / 2;
  const isNear = least[2] <= near && most[2] >= -near;
  const z = planar ? height : isNear ? 0 : least[2];
  return { centre: new Vector3(snap(0), snap(1), z), rotation: new Quaternion(), isGround: false };
}

const xyzw = ([w, x, y, z]: readonly [number, number, number, number]): [number, number, number, number] => [
  x,
  y,
  z,
  w,
];
