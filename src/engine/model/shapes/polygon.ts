/**
 * Convex polygon in the plane. Area, centre and second moments are sums over the triangles from the first
 * corner to each side (Green's theorem): with a = p_k − p_0, b = p_{k+1} − p_0, c = a × b,
 *
 *     A = Σ c/2,    s = Σ c (a + b)/6 / A,    S = ρ Σ c (2 a ᵗa + a ᵗb + b ᵗa + 2 b ᵗb)/24 − m s ᵗs,
 *     I = tr(S) 1 − S,
 *
 * I being the inertia of a thin plate about its centre, with I_z = I_x + I_y = tr S.
 */
import { polygonPolytope, polytopeBounds } from '../../collision/shapes/polytope';
import {
  type MassProperties,
  type RoundedShape,
  refuseShape,
  requireDensity,
  requireFinite,
} from '../../collision/shapes/shape';
import type { FieldReader } from '../field-reader';
import { buildShape, shapeDefinition, type ShapeParts } from './shape-type';

/** A corner this close to the line through its neighbours, relative to the polygon's size, is none. */
const FLAT_CORNER_PER_SIZE = 1e-12;

/**
 * @param corners x0, y0, x1, y1, …, counterclockwise, in the frame of the shape, m
 * @throws {EngineError} `shape-not-finite`, `polygon-too-few-corners`, `polygon-without-area`,
 *   `polygon-crosses-itself`, `polygon-clockwise`, `polygon-not-convex`
 */
export function polygon(corners: readonly number[]): RoundedShape {
  requireFinite('polygon', 'corners', corners);
  if (corners.length < 6 || corners.length % 2 !== 0)
    refuseShape(
      'polygon-too-few-corners',
      `The polygon has ${corners.length} coordinates.`,
      'Give x and y of three corners at least.',
    );
  const count = corners.length / 2;
  const vertices = new Float64Array(3 * count);
  for (let k = 0; k < count; k++) {
    vertices[3 * k] = corners[2 * k];
    vertices[3 * k + 1] = corners[2 * k + 1];
  }
  requireConvex(vertices, count);
  const core = polygonPolytope(vertices);
  return {
    kind: 'polygon',
    dimensions: [2],
    core,
    radius: 0,
    bounds: (frame, at, out, outAt) => polytopeBounds(core, 0, frame, at, out, outAt),
    massProperties(density) {
      requireDensity(density);
      return polygonMass(vertices, count, density);
    },
  };
}

/** Twice the signed area of the triangle of corners a, b, c. */
function doubleArea(v: Float64Array, a: number, b: number, c: number): number {
  return (
    (v[3 * b] - v[3 * a]) * (v[3 * c + 1] - v[3 * a + 1]) -
    (v[3 * b + 1] - v[3 * a + 1]) * (v[3 * c] - v[3 * a])
  );
}

function requireConvex(v: Float64Array, count: number): void {
  let area = 0;
  let reach = 0;
  let largest = 0;
  for (let k = 1; k < count; k++) {
    reach = Math.max(reach, Math.hypot(v[3 * k] - v[0], v[3 * k + 1] - v[1]));
    for (let other = k + 1; other < count; other++)
      largest = Math.max(largest, Math.abs(doubleArea(v, 0, k, other)));
    if (k + 1 < count) area += doubleArea(v, 0, k, k + 1);
  }
  const tolerance = FLAT_CORNER_PER_SIZE * reach * reach;
  if (!(largest > tolerance))
    refuseShape(
      'polygon-without-area',
      'The corners of the polygon lie on one line.',
      'Give corners that enclose an area.',
    );
  requireSimple(v, count, tolerance);
  if (area < 0)
    refuseShape(
      'polygon-clockwise',
      'The corners of the polygon go round clockwise.',
      'List them counterclockwise.',
    );
  // Locally convex corners could still go round twice; that every corner is left of every side excludes it.
  for (let side = 0; side < count; side++) {
    const end = (side + 1) % count;
    for (let k = 0; k < count; k++) {
      if (k === side || k === end) continue;
      const left = doubleArea(v, side, end, k);
      if (left > tolerance) continue;
      refuseShape(
        'polygon-not-convex',
        left < -tolerance
          ? `Corner ${k} of the polygon is outside the side from corner ${side} to corner ${end}.`
          : `Corners ${side}, ${end} and ${k} of the polygon lie on one line.`,
        'Leave out corners that are not needed, or divide the polygon into convex ones.',
      );
    }
  }
}

/** No side passes through another one: the ends of each are not on both sides of the other. */
function requireSimple(v: Float64Array, count: number, tolerance: number): void {
  const divides = (a: number, b: number, c: number, d: number): boolean => {
    const [one, other] = [doubleArea(v, a, b, c), doubleArea(v, a, b, d)];
    return Math.min(one, other) < -tolerance && Math.max(one, other) > tolerance;
  };
  for (let side = 0; side < count; side++) {
    const end = (side + 1) % count;
    for (let other = side + 2; other < count; other++) {
      const otherEnd = (other + 1) % count;
      if (!divides(side, end, other, otherEnd) || !divides(other, otherEnd, side, end)) continue;
      refuseShape(
        'polygon-crosses-itself',
        `The side of the polygon from corner ${side} to corner ${end} crosses that from corner ${other} to corner ${otherEnd}.`,
        'List the corners in the order in which they follow one another around it.',
      );
    }
  }
}

function polygonMass(v: Float64Array, count: number, density: number): MassProperties {
  let area = 0;
  const first = [0, 0];
  // S_xx, S_xy, S_yy about the first corner.
  const second = [0, 0, 0];
  for (let k = 1; k + 1 < count; k++) {
    const ax = v[3 * k] - v[0];
    const ay = v[3 * k + 1] - v[1];
    const bx = v[3 * k + 3] - v[0];
    const by = v[3 * k + 4] - v[1];
    const cross = ax * by - ay * bx;
    area += cross / 2;
    first[0] += (cross * (ax + bx)) / 6;
    first[1] += (cross * (ay + by)) / 6;
    second[0] += (cross * (ax * ax + ax * bx + bx * bx)) / 12;
    second[1] += (cross * (2 * ax * ay + ax * by + bx * ay + 2 * bx * by)) / 24;
    second[2] += (cross * (ay * ay + ay * by + by * by)) / 12;
  }
  const [sx, sy] = [first[0] / area, first[1] / area];
  const mass = density * area;
  const xx = density * second[0] - mass * sx * sx;
  const xy = density * second[1] - mass * sx * sy;
  const yy = density * second[2] - mass * sy * sy;
  return {
    mass,
    centre: Float64Array.of(v[0] + sx, v[1] + sy, 0),
    inertia: Float64Array.of(yy, -xy, 0, -xy, xx, 0, 0, 0, xx + yy),
  };
}

export const definition = shapeDefinition(
  'Polygon',
  'Convex polygon in the plane',
  'A plate with corners. All shapes of the model are discs, polygons and planes then, and all bodies move in one plane z = const.',
  'x \\in \\operatorname{conv}\\{p_1, \\dots, p_n\\}',
  [
    {
      key: 'points',
      kind: 'matrix',
      rows: 'any',
      columns: 2,
      label: 'Corners',
      symbol: 'p',
      unit: 'm',
      required: true,
      help: 'A row x, y for each, anticlockwise; three or more, none of them on the line between its neighbours. What is not convex is several polygons on one body.',
    },
  ],
);

export function build(fields: FieldReader): ShapeParts | null {
  const reported = fields.defectCount;
  const points = fields.matrix('points', fields.matrixRows('points'), 2);
  if (points === null || fields.defectCount > reported) return null;
  const corners = [...points];
  return buildShape(fields, 'points', () => ({
    shape: polygon(corners),
    geometry: { kind: 'polygon', corners },
  }));
}
