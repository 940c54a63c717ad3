/**
 * Convex polygon in the plane. Area, centre and inertia are sums over the triangles from the first corner to each side (Green's theorem):
 * with a = p_k − p_0, b = p_{k+1} − p_0, c = a × b,
 *
 *     A = Σ c/2,    s = Σ c (a + b)/6 / A,    I_0 = ρ Σ c (a·a + a·b + b·b)/12,    I_s = I_0 − m |s|².
 */
import { polytopeBounds } from './bounds';
import { refuseShape, requireDensity, requireFinite } from './checks';
import type { MassProperties } from './mass-properties';
import { polygonPolytope } from './polytope';
import type { RoundedShape } from './shape';

/** A corner this close to the line through its neighbours, relative to the polygon's size, is none. */
const FLAT = 1e-12;

/**
 * @param corners x0, y0, x1, y1, …, counterclockwise, in the frame of the shape, m
 * @throws {EngineError} `shape-not-finite`, `polygon-too-few-corners`, `polygon-without-area`, `polygon-clockwise`,
 * `polygon-not-convex`
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
  for (let k = 1; k < count; k++) {
    reach = Math.max(reach, Math.hypot(v[3 * k] - v[0], v[3 * k + 1] - v[1]));
    if (k + 1 < count) area += doubleArea(v, 0, k, k + 1);
  }
  const tolerance = FLAT * reach * reach;
  if (!(Math.abs(area) > tolerance))
    refuseShape(
      'polygon-without-area',
      'The corners of the polygon lie on one line.',
      'Give corners that enclose an area.',
    );
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

function polygonMass(v: Float64Array, count: number, density: number): MassProperties {
  let area = 0;
  let sx = 0;
  let sy = 0;
  let inertia = 0;
  for (let k = 1; k + 1 < count; k++) {
    const ax = v[3 * k] - v[0];
    const ay = v[3 * k + 1] - v[1];
    const bx = v[3 * k + 3] - v[0];
    const by = v[3 * k + 4] - v[1];
    const cross = ax * by - ay * bx;
    area += cross / 2;
    sx += (cross * (ax + bx)) / 6;
    sy += (cross * (ay + by)) / 6;
    inertia += (cross * (ax * ax + ay * ay + ax * bx + ay * by + bx * bx + by * by)) / 12;
  }
  sx /= area;
  sy /= area;
  const mass = density * area;
  const about = density * inertia - mass * (sx * sx + sy * sy);
  return {
    mass,
    centre: Float64Array.of(v[0] + sx, v[1] + sy, 0),
    inertia: Float64Array.of(0, 0, 0, 0, 0, 0, 0, 0, about),
  };
}
