/**
 * A scene in its poses as a drawing of vectors: faces, the farthest first, with light from above the left
 * shoulder; what is a ball is a circle. Pure.
 */
import type { AnimationCamera, AnimationOverlay } from '@engine/document/types';
import type { Scene, Vector3 } from '@engine/scene/scene';
import { FONT } from '../axes';
import { type Eye, eyeOf, inFront, inPicture, type EyePictureSize, seen } from './eye';
import { type SceneBox, centreOf, groundGrid, isFlatScene } from './geometry/bounds';
import { upOf, type SpaceVector } from './geometry/camera';
import { gridLines, type GroundPlace, groundPlaces, strips, worldPlace } from './geometry/ground';
import { carryTo, POSE_NUMBERS, stretchPlaces } from './geometry/poses';
import { rotated } from './geometry/quaternions';
import { paintersOrder } from './painters-order';
import { type SceneForms, type WorldFace, type WorldSolid, worldSolids } from './solids';
import { sceneColours, type StageTheme } from './stage-theme';
import { xmlText } from '../xml-text';

/** What an animation shows whose view does not say. */
export const DEFAULT_OVERLAYS: readonly AnimationOverlay[] = ['grid', 'axes'];

export interface ScenePicture {
  readonly scene: Scene;
  readonly forms: SceneForms;
  /** 7 a body, and stretches */
  readonly poses: Float64Array;
  /** room of the motion, which the grid is sized by */
  readonly box: SceneBox;
  readonly camera: AnimationCamera;
  readonly overlays: readonly AnimationOverlay[];
  readonly theme: StageTheme;
  readonly size: EyePictureSize;
}

/** Of what lies in shadow, of the sky above, of the lamp: parts of a colour. */
const SHADOW = 0.52;
const SKY = 0.2;
const LAMP = 0.42;
/** Half-side of the square of the axes, and its distance from the corner, px. */
const TRIAD = 24;
const MARGIN = 12;
/** Radius of the mark of a joint, px. */
const JOINT = 3.5;

const fixed = (value: number): string => (Math.round(100 * value) / 100).toString();

const rgbOf = (colour: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** A colour made brighter or darker. */
const lit = (colour: string, by: number): string =>
  `#${rgbOf(colour)
    .map((value) =>
      Math.max(0, Math.min(255, Math.round(value * by)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

const unit = (v: SpaceVector): SpaceVector => {
  const length = Math.hypot(...v);
  return [v[0] / length, v[1] / length, v[2] / length];
};

/** Where the lamp is, as in the window. */
const lampOf = (planar: boolean): SpaceVector => unit(planar ? [-0.5, 0.9, 1.4] : [-0.5, -0.8, 1.5]);

const dot = (a: SpaceVector, b: SpaceVector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

class Painter {
  readonly parts: string[] = [];
  readonly #gradients = new Map<string, string>();
  readonly #up: SpaceVector;
  readonly #lamp: SpaceVector;

  constructor(
    private readonly eye: Eye,
    private readonly theme: StageTheme,
    planar: boolean,
  ) {
    this.#up = upOf(planar);
    this.#lamp = lampOf(planar);
  }

  get definitions(): string {
    return [...this.#gradients.values()].join('');
  }

  /** Corners in the picture; null of what lies behind the eye. */
  #path(points: ArrayLike<number>, isClosed: boolean): string | null {
    const corners = Array.from({ length: points.length / 3 }, (_, i) =>
      seen(this.eye, points[3 * i], points[3 * i + 1], points[3 * i + 2]),
    );
    const front = inFront(this.eye, corners, isClosed);
    if (front.length < 2) return null;
    return front.map((corner) => inPicture(this.eye, corner).map(fixed).join(',')).join(' ');
  }

  polygon(points: ArrayLike<number>, look: string): void {
    const path = this.#path(points, true);
    if (path !== null) this.parts.push(`<polygon points="${path}" ${look}/>`);
  }

  line(points: ArrayLike<number>, look: string): void {
    const path = this.#path(points, false);
    if (path !== null) this.parts.push(`<polyline points="${path}" fill="none" ${look}/>`);
  }

  text(words: string, x: number, y: number, colour: string, anchor = 'start'): void {
    const look = `font-size="11" font-family="${FONT}" text-anchor="${anchor}"`;
    this.parts.push(
      `<text x="${fixed(x)}" y="${fixed(y)}" ${look} fill="${colour}">${xmlText(words)}</text>`,
    );
  }

  /** Place of a point in the picture; null behind the eye. */
  at(x: number, y: number, z: number): [number, number] | null {
    const point = seen(this.eye, x, y, z);
    return point[2] < this.eye.least ? null : inPicture(this.eye, point);
  }

  solid(solid: WorldSolid, colour: string): void {
    if (solid.radius > 0) this.#ball(solid, colour);
    else for (const face of this.#visible(solid)) this.#face(face, colour);
  }

  /** Faces towards the eye, the farthest first. */
  #visible({ faces, isOpen }: WorldSolid): WorldFace[] {
    const { position } = this.eye;
    const depthOf = ({ points }: WorldFace): number => {
      let sum = 0;
      for (let i = 0; i < points.length; i += 3)
        sum += seen(this.eye, points[i], points[i + 1], points[i + 2])[2];
      return sum / (points.length / 3);
    };
    const isTowards = ({ points: p, normal }: WorldFace): boolean =>
      dot(normal, [position[0] - p[0], position[1] - p[1], position[2] - p[2]]) > 0;
    return faces
      .filter((face) => isOpen || isTowards(face))
      .map((face) => ({ face, depth: depthOf(face) }))
      .sort((a, b) => b.depth - a.depth)
      .map(({ face }) => face);
  }

  #face({ points, normal, brightness }: WorldFace, colour: string): void {
    const light =
      SHADOW + SKY * (0.5 + 0.5 * dot(normal, this.#up)) + LAMP * Math.max(0, dot(normal, this.#lamp));
    const shade = lit(colour, light * brightness);
    // A rim of its own colour closes the seams between neighbours.
    this.polygon(points, `fill="${shade}" stroke="${shade}" stroke-width="0.4" stroke-linejoin="round"`);
  }

  /** The outline of a ball seen from d is under the angle asin(r/d) from its middle. */
  #ball({ centre, radius }: WorldSolid, colour: string): void {
    const point = seen(this.eye, ...centre);
    if (point[2] < this.eye.least + radius) return;
    const [x, y] = inPicture(this.eye, point);
    const size = (this.eye.focal * radius) / Math.sqrt(point[2] ** 2 - radius ** 2);
    this.parts.push(
      `<circle cx="${fixed(x)}" cy="${fixed(y)}" r="${fixed(size)}" fill="url(#${this.#gradient(colour)})"/>`,
    );
  }

  #gradient(colour: string): string {
    const id = `ball-${colour.slice(1)}`;
    const stops = [
      [0, 1.12],
      [0.55, 0.95],
      [1, 0.58],
    ].map(([at, by]) => `<stop offset="${at}" stop-color="${lit(colour, by)}"/>`);
    this.#gradients.set(
      id,
      `<radialGradient id="${id}" cx="0.36" cy="0.3" r="0.75">${stops.join('')}</radialGradient>`,
    );
    return id;
  }

  /** A square, or the lines of a grid, in its place. */
  place({ centre, rotation }: Pick<GroundPlace, 'centre' | 'rotation'>, points: ArrayLike<number>): number[] {
    return Array.from({ length: points.length / 3 }, (_, i) => {
      const turned = rotated(rotation, [points[3 * i], points[3 * i + 1], points[3 * i + 2]]);
      return turned.map((value, k) => value + centre[k]);
    }).flat();
  }

  grounds(scene: Scene, box: SceneBox, planar: boolean, hasGrid: boolean): void {
    const { cell, half } = groundGrid(box);
    const middle = centreOf(box);
    const places = planar ? [] : groundPlaces(scene, middle, cell);
    for (const place of places) {
      const normal = rotated(place.rotation, [0, 0, 1]);
      const { position } = this.eye;
      const height = dot(normal, position) - dot(normal, [...place.centre]);
      // A ground that is seen from behind hides nothing.
      if (height <= 0) continue;
      const square = [-half, -half, 0, half, -half, 0, half, half, 0, -half, half, 0];
      this.polygon(this.place(place, square), `fill="${this.theme.ground}"`);
    }
    if (hasGrid)
      for (const place of places.length > 0 ? places : [worldPlace(box, cell, planar)])
        for (const isStrong of [false, true]) {
          const lines = gridLines(cell, half, isStrong);
          const colour = isStrong ? this.theme.gridStrong : this.theme.grid;
          for (let i = 0; i < lines.length; i += 6)
            this.line(this.place(place, lines.subarray(i, i + 6)), `stroke="${colour}" stroke-width="0.7"`);
        }
    if (!planar) return;
    for (const { centre, angle, depth } of strips(scene, middle, half)) {
      const rotation = [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)] as const;
      const [low, high] = [-depth / 2, depth / 2];
      const at = { centre, rotation };
      const corners = [-half, low, 0, half, low, 0, half, high, 0, -half, high, 0];
      this.polygon(this.place(at, corners), `fill="${this.theme.ground}"`);
      this.line(
        this.place(at, [-half, high, 0, half, high, 0]),
        `stroke="${this.theme.fixed}" stroke-width="1.4"`,
      );
    }
  }

  /** The axes of the world in the lower left corner, those that point away first. */
  axes(): void {
    const { right, above, near, size } = this.eye;
    const [x0, y0] = [MARGIN + TRIAD, size.height - MARGIN - TRIAD];
    const axes = [0, 1, 2].map((i) => ({ x: right[i], y: above[i], towards: near[i], i }));
    for (const { x, y, i } of axes.sort((a, b) => a.towards - b.towards)) {
      const colour = this.theme.axes[i];
      const end = `x2="${fixed(x0 + 0.75 * TRIAD * x)}" y2="${fixed(y0 - 0.75 * TRIAD * y)}"`;
      this.parts.push(`<line x1="${x0}" y1="${y0}" ${end} stroke="${colour}" stroke-width="2"/>`);
      // An axis that points at the viewer has its letter beside the origin.
      const isShort = Math.hypot(x, y) < 0.2;
      const [dx, dy] = isShort ? [-9, 9] : [TRIAD * x, -TRIAD * y];
      this.text('xyz'[i], x0 + dx, y0 + dy + 4, colour, 'middle');
    }
  }

  joints(scene: Scene, poses: Float64Array): void {
    const stretches = stretchPlaces(scene);
    const place = new Float64Array(3);
    for (const { bodies, points } of scene.joints) {
      const [body] = bodies;
      const [x, y, z]: Vector3 = points[0];
      if (body < 0) place.set(points[0]);
      else {
        carryTo(place, 0, poses, body, stretches[body], x, y, z);
        for (let k = 0; k < 3; k++) place[k] += poses[POSE_NUMBERS * body + k];
      }
      const at = this.at(place[0], place[1], place[2]);
      if (at === null) continue;
      const look = `fill="${this.theme.background}" stroke="${this.theme.joint}" stroke-width="1.6"`;
      this.parts.push(`<circle cx="${fixed(at[0])}" cy="${fixed(at[1])}" r="${JOINT}" ${look}/>`);
    }
  }

  ids(scene: Scene, poses: Float64Array): void {
    scene.bodies.forEach(({ id }, body) => {
      const at = this.at(
        poses[POSE_NUMBERS * body],
        poses[POSE_NUMBERS * body + 1],
        poses[POSE_NUMBERS * body + 2],
      );
      if (at !== null) this.text(id, at[0] + 6, at[1] - 6, this.theme.text);
    });
  }
}

/** The drawing of a scene, as SVG of that size. */
export function scenePicture(picture: ScenePicture): string {
  const { scene, forms, poses, box, camera, overlays, theme, size } = picture;
  const planar = isFlatScene(scene);
  const eye = eyeOf(camera, upOf(planar), size);
  const painter = new Painter(eye, theme, planar);
  const colours = sceneColours(theme, scene);
  painter.grounds(scene, box, planar, overlays.includes('grid'));
  const solids = worldSolids(forms, poses, eye);
  // A landscape is what bodies lie on.
  const isLandscape = ({ isOpen }: WorldSolid): boolean => isOpen;
  for (const solid of solids.filter(isLandscape)) painter.solid(solid, colours[solid.body]);
  const others = solids.filter((solid) => !isLandscape(solid));
  for (const i of paintersOrder(others, eye.position)) painter.solid(others[i], colours[others[i].body]);
  if (overlays.includes('joints')) painter.joints(scene, poses);
  if (overlays.includes('ids')) painter.ids(scene, poses);
  if (overlays.includes('axes')) painter.axes();
  const { width, height } = size;
  const sides = `width="${width}" height="${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" version="1.1" ${sides} viewBox="0 0 ${width} ${height}">`,
    `<defs><clipPath id="picture"><rect ${sides}/></clipPath>${painter.definitions}</defs>`,
    `<rect ${sides} fill="${theme.background}"/>`,
    `<g clip-path="url(#picture)">${painter.parts.join('')}</g></svg>`,
  ].join('');
}
