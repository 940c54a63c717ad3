/**
 * A trajectory in space as a drawing: pure. A camera far away looks at the box of the data, each axis scaled
 * to the same length; what is drawn are lines and texts in the plane, the same on the screen and in files.
 */
import type { SpaceCurve } from '@contract/methods';
import type { PlaneMarks } from '@engine/document/types';
import type { EChartsOption } from 'echarts';
import { FONT } from '@figures/axes';
import { formatFigureNumber } from '@figures/numbers';
import { comparedDash, type PlotTheme, seriesColor } from '@figures/palette';
import { extent, padded, type Range, roundTicks } from '@figures/ranges';

/**
 * Where the camera stands: angle about the vertical axis and above the horizon, degrees; 1 fills the picture.
 */
export interface Camera {
  readonly azimuth: number;
  readonly elevation: number;
  readonly zoom: number;
}

export const START_CAMERA: Camera = { azimuth: 35, elevation: 22, zoom: 1 };

/**
 * How far the box reaches from its middle, in halves of its edges: hardly less than its corners, so that it
 * keeps its size when turned.
 */
const REACH = 1.62;
/** Room for what is written beside it and below it, px. */
const BESIDE = 120;
const BELOW = 70;
const TICKS = 4;
/** Distance of marks, labels and names from the box, px. */
const MARK = 5;
const LABEL_AT = 17;
const NAME_AT = 34;
/** Half the width of a letter, by which a name beside the box is moved further, px. */
const SIDEWAYS = 2.6;
/** Shorter directions are seen from their end. */
const LEAST_SEEN = 0.12;
/** Of a curve whose view says nothing else, and the part of it that curves of compared runs have. */
const OPACITY = 0.9;
const COMPARED_PART = 0.6;
/** How much wider a selected part is drawn, and how faint the rest is then. */
const SELECTED_WIDTH = 1.8;
const REST_PART = 0.3;
/** Stretches of one colour where colour tells the time. */
const TIME_COLOURS = 24;

export type Vector = readonly [number, number, number];

/** Directions of the picture in space. */
interface Frame {
  readonly right: Vector;
  readonly up: Vector;
  /** towards the camera */
  readonly near: Vector;
}

const RADIAN = Math.PI / 180;

export function cameraFrame({ azimuth, elevation }: Camera): Frame {
  const [a, e] = [azimuth * RADIAN, elevation * RADIAN];
  const [ca, sa, ce, se] = [Math.cos(a), Math.sin(a), Math.cos(e), Math.sin(e)];
  return { right: [-sa, ca, 0], up: [-se * ca, -se * sa, ce], near: [ce * ca, ce * sa, se] };
}

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** A chain of points on the picture, px: x and y in turn, NaN where it is interrupted. */
interface DrawnLine {
  readonly points: Float64Array;
  readonly color: string;
  readonly width: number;
  readonly opacity: number;
  readonly dash: readonly number[];
}

interface DrawnText {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly color: string;
  readonly size: number;
}

export interface AttractorDrawing {
  readonly lines: readonly DrawnLine[];
  readonly texts: readonly DrawnText[];
  /** place of a point of space on the picture, px */
  readonly place: (point: Vector) => [number, number];
}

export interface AttractorInput {
  /** the run that is shown first, then those behind it */
  readonly curves: readonly SpaceCurve[];
  /** the part of the first one that is selected: drawn in front, the rest faint */
  readonly selected?: SpaceCurve | null;
  /** what stands at the axes, with units */
  readonly names: readonly [string, string, string];
  /** factors of the values that are shown */
  readonly factors: Vector;
  readonly camera: Camera;
  /** whether the colour of the first curve tells the time */
  readonly byTime: boolean;
  /** width of the curves, px, and their opacity, as the view says */
  readonly look?: PlaneMarks | undefined;
  readonly theme: PlotTheme;
  /** px */
  readonly width: number;
  readonly height: number;
}

/** Ranges of the box: round all curves. */
export function boxOf({
  curves,
  factors,
}: Pick<AttractorInput, 'curves' | 'factors'>): [Range, Range, Range] {
  const range = (key: 'x' | 'y' | 'z', factor: number): Range => {
    const found = extent(curves.map((curve) => curve[key]));
    return padded(found === null ? null : { min: found.min * factor, max: found.max * factor });
  };
  return [range('x', factors[0]), range('y', factors[1]), range('z', factors[2])];
}

const mixed = (from: readonly number[], to: readonly number[], at: number): string =>
  `rgb(${from.map((value, c) => Math.round(value + at * ((to[c] ?? 0) - value))).join(',')})`;

/** Colour of a part of the time, from early to late. */
export function timeColor({ density }: PlotTheme, at: number): string {
  // The rarest colour of a density is too faint for a line.
  const stops = density.slice(1);
  const position = at * (stops.length - 1);
  const k = Math.min(stops.length - 2, Math.floor(position));
  return mixed(stops[k] ?? [], stops[k + 1] ?? [], position - k);
}

/** All that is drawn. */
export function drawAttractor(input: AttractorInput): AttractorDrawing {
  const { curves, factors, names, camera, theme, width, height, byTime } = input;
  const { size = 1, opacity = OPACITY } = input.look ?? {};
  const frame = cameraFrame(camera);
  const box = boxOf(input);
  const room = Math.max(40, Math.min(width - BESIDE, height - BELOW));
  const scale = (camera.zoom * room) / (2 * REACH);
  const [cx, cy] = [width / 2, height / 2];
  const onPicture = (p: Vector): [number, number] => [
    cx + scale * dot(frame.right, p),
    cy - scale * dot(frame.up, p),
  ];
  const inBox = (value: number, axis: 0 | 1 | 2): number => {
    const { min, max } = box[axis];
    return (2 * (value * factors[axis] - min)) / (max - min) - 1;
  };
  const place = ([x, y, z]: Vector): [number, number] => onPicture([inBox(x, 0), inBox(y, 1), inBox(z, 2)]);
  const { lines, texts } = drawBox({ box, frame, names, theme, onPicture });
  const last = curves.length - 1;
  const { selected = null } = input;
  const hasSelected = selected !== null && selected.t.length > 0;
  const placed = (curve: SpaceCurve): Float64Array => {
    const points = new Float64Array(2 * curve.t.length);
    for (let i = 0; i < curve.t.length; i++) {
      const [x, y] = place([curve.x[i] ?? NaN, curve.y[i] ?? NaN, curve.z[i] ?? NaN]);
      points[2 * i] = x;
      points[2 * i + 1] = y;
    }
    return points;
  };
  [...curves].reverse().forEach((curve, k) => {
    const index = last - k;
    const points = placed(curve);
    const isRest = hasSelected && index === 0;
    const look = { width: size, opacity: isRest ? REST_PART * opacity : opacity, dash: [] as number[] };
    if (index > 0)
      lines.push({
        ...look,
        points,
        color: seriesColor(theme, index),
        opacity: COMPARED_PART * opacity,
        dash: comparedDash(index - 1),
      });
    else if (byTime) lines.push(...inTime(curve, points, theme).map((line) => ({ ...look, ...line })));
    else lines.push({ ...look, points, color: seriesColor(theme, 0) });
  });
  if (hasSelected)
    lines.push({
      points: placed(selected),
      // Where colours tell the time, none of them is another one's.
      color: byTime ? theme.text : seriesColor(theme, 0),
      width: SELECTED_WIDTH * size,
      opacity,
      dash: [],
    });
  return { lines, texts: texts.map((one) => within(one, width)), place };
}

/** Mean width of a character, in parts of its size. */
const CHARACTER = 0.56;

/** A text that would reach over the edge of the picture, moved into it. */
function within(one: DrawnText, width: number): DrawnText {
  const half = Math.min(width, CHARACTER * one.size * one.text.length) / 2;
  return { ...one, x: Math.min(Math.max(one.x, half), width - half) };
}

/** A curve in stretches of time, each in its colour. */
function inTime(
  { t }: SpaceCurve,
  points: Float64Array,
  theme: PlotTheme,
): { points: Float64Array; color: string }[] {
  const first = t[0] ?? 0;
  const span = (t[t.length - 1] ?? 1) - first;
  const stretchOf = (i: number): number =>
    Math.min(TIME_COLOURS - 1, Math.floor((((t[i] ?? 0) - first) / (span > 0 ? span : 1)) * TIME_COLOURS));
  const found: { points: Float64Array; color: string }[] = [];
  for (let from = 0; from < t.length;) {
    if (Number.isNaN(t[from])) {
      from++;
      continue;
    }
    const stretch = stretchOf(from);
    let to = from;
    while (to + 1 < t.length && (Number.isNaN(t[to + 1]) || stretchOf(to + 1) === stretch)) to++;
    // One point more, so that stretches join.
    const color = timeColor(theme, stretch / (TIME_COLOURS - 1));
    found.push({ points: points.subarray(2 * from, 2 * Math.min(t.length, to + 2)), color });
    from = to + 1;
  }
  return found;
}

type OnPicture = (p: Vector) => [number, number];

/** The edges of the box away from the camera, and scales along three of the others. */
function drawBox({
  box,
  frame,
  names,
  theme,
  onPicture,
}: {
  box: readonly [Range, Range, Range];
  frame: Frame;
  names: readonly [string, string, string];
  theme: PlotTheme;
  onPicture: OnPicture;
}): { lines: DrawnLine[]; texts: DrawnText[] } {
  // Signs of the corner away from the camera; scales stand at the floor and at one side.
  const far = frame.near.map((part) => (part > 0 ? -1 : 1)) as [number, number, number];
  const floor = frame.near[2] >= 0 ? -1 : 1;
  const points: number[] = [];
  const segment = (a: Vector, b: Vector): void => {
    points.push(...onPicture(a), ...onPicture(b), NaN, NaN);
  };
  const corner = (x: number, y: number, z: number): Vector => [x, y, z];
  // The three faces away from the camera.
  for (const u of [-1, 1]) {
    segment(corner(far[0], -1, u), corner(far[0], 1, u));
    segment(corner(far[0], u, -1), corner(far[0], u, 1));
    segment(corner(-1, far[1], u), corner(1, far[1], u));
    segment(corner(u, far[1], -1), corner(u, far[1], 1));
    segment(corner(-1, u, floor), corner(1, u, floor));
    segment(corner(u, -1, floor), corner(u, 1, floor));
  }
  const texts: DrawnText[] = [];
  const marks: number[] = [];
  const write = ([x, y]: [number, number], words: string, size: number, color: string): void => {
    texts.push({ x, y, text: words, size, color });
  };
  /**
   * A scale along an edge.
   * @param at the point of the edge with a coordinate
   * @param out direction away from the box
   * @param otherwise direction on the picture, px, where that cannot be seen
   */
  const scaleOf = (
    axis: 0 | 1 | 2,
    at: (value: number) => Vector,
    out: Vector,
    otherwise: [number, number],
  ): void => {
    const seen: [number, number] = [dot(frame.right, out), -dot(frame.up, out)];
    const length = Math.hypot(...seen);
    const [ox, oy] = length < LEAST_SEEN ? otherwise : [seen[0] / length, seen[1] / length];
    const moved = (value: number, by: number): [number, number] => {
      const [x, y] = onPicture(at(value));
      return [x + by * ox, y + by * oy];
    };
    const range = box[axis];
    for (const tick of roundTicks(range, TICKS)) {
      const value = (2 * (tick - range.min)) / (range.max - range.min) - 1;
      marks.push(...onPicture(at(value)), ...moved(value, MARK), NaN, NaN);
      write(moved(value, LABEL_AT), formatFigureNumber(tick, 4), 10.5, theme.muted);
    }
    write(moved(0, NAME_AT + Math.abs(ox) * SIDEWAYS * names[axis].length), names[axis], 11.5, theme.text);
  };
  const sideX = -far[1];
  const sideY = -far[0];
  scaleOf(0, (value) => [value, sideX, floor], [0, sideX, floor], [0, 1]);
  scaleOf(1, (value) => [sideY, value, floor], [sideY, 0, floor], [0, 1]);
  // The upright edge that stands farthest to the left of the picture.
  const edges: [number, number][] = [
    [far[0], -far[1]],
    [-far[0], far[1]],
  ];
  const [left] = edges.sort(
    ([ax, ay], [bx, by]) => dot(frame.right, [ax, ay, 0]) - dot(frame.right, [bx, by, 0]),
  );
  const [x, y] = left ?? [1, -1];
  scaleOf(2, (value) => [x, y, value], [x, y, 0], [-1, 0]);
  const look = { width: 1, opacity: 1, dash: [] };
  return {
    lines: [
      { ...look, points: Float64Array.from(points), color: theme.grid },
      { ...look, points: Float64Array.from(marks), color: theme.axis },
    ],
    texts,
  };
}

/**
 * Index of the drawn point of the first curve nearest to a place, and how far it is, px; null of an empty
 * one.
 */
export function nearestDrawn(
  curve: SpaceCurve,
  place: AttractorDrawing['place'],
  [px, py]: readonly [number, number],
): { index: number; distance: number } | null {
  let best = -1;
  let least = Infinity;
  for (let i = 0; i < curve.t.length; i++) {
    const [x, y] = place([curve.x[i] ?? NaN, curve.y[i] ?? NaN, curve.z[i] ?? NaN]);
    const away = (x - px) ** 2 + (y - py) ** 2;
    if (away < least) {
      least = away;
      best = i;
    }
  }
  return best < 0 ? null : { index: best, distance: Math.sqrt(least) };
}

function pathOf(points: Float64Array): string {
  const parts: string[] = [];
  let isDown = false;
  for (let i = 0; i < points.length; i += 2) {
    const [x, y] = [points[i] ?? NaN, points[i + 1] ?? NaN];
    if (Number.isNaN(x) || Number.isNaN(y)) {
      isDown = false;
      continue;
    }
    parts.push(`${isDown ? 'L' : 'M'}${x.toFixed(2)} ${y.toFixed(2)}`);
    isDown = true;
  }
  return parts.join('');
}

/** The same drawing as a chart, for files. */
export function attractorOption(input: AttractorInput): EChartsOption {
  const { lines, texts } = drawAttractor(input);
  return {
    animation: false,
    backgroundColor: input.theme.background,
    series: [
      {
        type: 'custom',
        coordinateSystem: 'none',
        silent: true,
        animation: false,
        data: [0],
        renderItem: () => ({
          type: 'group',
          children: [
            ...lines.map(({ points, color, width, opacity, dash }) => ({
              type: 'path' as const,
              shape: { pathData: pathOf(points) },
              style: { fill: 'none', stroke: color, lineWidth: width, opacity, lineDash: [...dash] },
              silent: true,
            })),
            ...texts.map(({ x, y, text, color, size }) => ({
              type: 'text' as const,
              x,
              y,
              style: {
                text,
                fill: color,
                font: `${size}px ${FONT}`,
                align: 'center' as const,
                verticalAlign: 'middle' as const,
              },
              silent: true,
            })),
          ],
        }),
      },
    ],
  };
}
