/** A cylinder where it stands: centre and axis along the axes of the world. */
import type { CylinderShape } from '../shapes/shape';
import { type FeaturePolygon, edgeKey, faceKey, vertexKey } from './feature-polygon';
import { NEAR_EDGE, NEAR_FACE, type PlacedConvex } from './placed-polytope';

/**
 * Corners of the polygon that stands for a cap where contact areas are cut: it is within 2 % of the radius of
 * the rim.
 */
const RIM_POINTS = 16;
const TURN = (2 * Math.PI) / RIM_POINTS;
const COS = Float64Array.from({ length: RIM_POINTS }, (_, k) => Math.cos(k * TURN));
const SIN = Float64Array.from({ length: RIM_POINTS }, (_, k) => Math.sin(k * TURN));
/** The part of a direction across the axis that is rounding, relative to the direction. */
const LEVEL = 1e-13;

/**
 * Names of its parts. Cap 0 is that of negative z. Points of a rim are counted from the cylinder's x axis.
 */
export const CYLINDER_KEYS = {
  cap: (cap: number): number => faceKey(cap),
  side: faceKey(2),
  rim: (cap: number): number => edgeKey(2 * RIM_POINTS + cap, 3 * RIM_POINTS),
  rimPoint: (cap: number, k: number): number => vertexKey(RIM_POINTS * cap + k),
  chord: (cap: number, k: number): number =>
    edgeKey(RIM_POINTS * cap + k, RIM_POINTS * cap + ((k + 1) % RIM_POINTS)),
};

export class PlacedCylinder implements PlacedConvex {
  readonly extent = new Float64Array(1);
  readonly centre = new Float64Array(3);
  readonly axis = new Float64Array(3);
  /** x axis of the cylinder: where points of a rim are counted from when nothing else says so */
  readonly zero = new Float64Array(3);
  readonly #foremost = new Float64Array(3);
  readonly #u = new Float64Array(3);
  readonly #w = new Float64Array(3);
  /** whether the last direction was along the axis */
  #isLevel = false;
  /** [0] radius, [1] half height, m */
  readonly sizes = new Float64Array(2);
  /** [0] part of the last direction along the axis */
  readonly #along = new Float64Array(1);

  place(shape: CylinderShape, frame: Float64Array, at: number, origin: Float64Array): void {
    this.sizes[0] = shape.radius;
    this.sizes[1] = shape.halfHeight;
    this.extent[0] = shape.radius + shape.halfHeight;
    for (let k = 0; k < 3; k++) {
      this.centre[k] = origin[k];
      this.axis[k] = frame[at + 5 + 3 * k];
      this.zero[k] = frame[at + 3 + 3 * k];
    }
  }

  /** The same with radius and half height smaller by `by[0]`, m. */
  placeThinner(other: PlacedCylinder, by: Float64Array): void {
    for (let k = 0; k < 2; k++) this.sizes[k] = other.sizes[k] - by[0];
    this.extent[0] = this.sizes[0] + this.sizes[1];
    for (let k = 0; k < 3; k++) {
      this.centre[k] = other.centre[k];
      this.axis[k] = other.axis[k];
      this.zero[k] = other.zero[k];
    }
  }

  /** Takes a point that is beyond the side to the side, straight across. */
  towards(point: Float64Array, out: Float64Array): void {
    const { axis, centre, sizes } = this;
    let along = 0;
    let square = 0;
    for (let k = 0; k < 3; k++) along += (point[k] - centre[k]) * axis[k];
    for (let k = 0; k < 3; k++) square += (point[k] - centre[k] - along * axis[k]) ** 2;
    const scale = sizes[0] / Math.sqrt(square);
    for (let k = 0; k < 3; k++)
      out[k] = centre[k] + along * axis[k] + scale * (point[k] - centre[k] - along * axis[k]);
  }

  support(direction: Float64Array, sign: 1 | -1, out: Float64Array, at: number): number {
    const { axis, centre, sizes } = this;
    this.#across(direction, sign);
    const cap = this.#along[0] >= 0 ? 1 : 0;
    const h = cap === 1 ? sizes[1] : -sizes[1];
    const r = this.#isLevel ? 0 : sizes[0];
    for (let k = 0; k < 3; k++) out[at + k] = centre[k] + h * axis[k] + r * this.#u[k];
    return CYLINDER_KEYS.rim(cap);
  }

  feature(direction: Float64Array, sign: 1 | -1, out: FeaturePolygon): void {
    this.#across(direction, sign);
    const along = this.#along[0];
    this.#complete();
    const cap = along >= 0 ? 1 : 0;
    if (Math.abs(along) >= NEAR_FACE) this.#capFeature(cap, out);
    else if (Math.abs(along) <= NEAR_EDGE) this.#generator(out);
    else {
      out.reset(false, false, CYLINDER_KEYS.rim(cap));
      this.#rimPoint(cap, 0, CYLINDER_KEYS.rim(cap), out);
    }
  }

  /**
   * Leaves in u the direction across the axis in which the rim is foremost. What is left of a direction
   * nearly along the axis is mostly rounding, and not across it: taking off the part along the axis a second
   * time makes it so.
   */
  #across(direction: Float64Array, sign: 1 | -1): void {
    const { axis, zero } = this;
    const u = this.#u;
    const along = sign * (direction[0] * axis[0] + direction[1] * axis[1] + direction[2] * axis[2]);
    for (let k = 0; k < 3; k++) u[k] = sign * direction[k] - along * axis[k];
    const rest = u[0] * axis[0] + u[1] * axis[1] + u[2] * axis[2];
    for (let k = 0; k < 3; k++) u[k] -= rest * axis[k];
    const length = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    this.#isLevel = length <= LEVEL * (length + Math.abs(along));
    for (let k = 0; k < 3; k++) u[k] = this.#isLevel ? zero[k] : u[k] / length;
    this.#along[0] = along;
  }

  /** w from u, for a turn about the axis. */
  #complete(): void {
    const { axis } = this;
    const u = this.#u;
    const w = this.#w;
    w[0] = axis[1] * u[2] - axis[2] * u[1];
    w[1] = axis[2] * u[0] - axis[0] * u[2];
    w[2] = axis[0] * u[1] - axis[1] * u[0];
  }

  /**
   * Corners are counted from the x axis of the cylinder, so that they stay where they are while rounding
   * decides which is foremost; the one that is nearest to the foremost point moves there.
   */
  #capFeature(cap: number, out: FeaturePolygon): void {
    out.reset(true, true, CYLINDER_KEYS.cap(cap));
    const { axis, zero } = this;
    const foremost = this.#foremost;
    const u = this.#u;
    const w = this.#w;
    for (let k = 0; k < 3; k++) foremost[k] = u[k];
    let x = 0;
    let y = 0;
    for (let k = 0; k < 3; k++) u[k] = zero[k];
    this.#complete();
    for (let k = 0; k < 3; k++) {
      x += foremost[k] * u[k];
      y += foremost[k] * w[k];
    }
    const nearest = (Math.round(Math.atan2(y, x) / TURN) + RIM_POINTS) % RIM_POINTS;
    // Counterclockwise as seen from outside: the lower cap is gone round the other way.
    for (let k = 0; k < RIM_POINTS; k++) {
      const own = cap === 1 || k === 0 ? k : RIM_POINTS - k;
      const chord = cap === 1 ? own : RIM_POINTS - 1 - k;
      this.#rimPoint(cap, own, CYLINDER_KEYS.chord(cap, chord), out);
      if (own !== nearest) continue;
      const at = 3 * (out.count - 1);
      const h = cap === 1 ? this.sizes[1] : -this.sizes[1];
      for (let i = 0; i < 3; i++)
        out.points[at + i] = this.centre[i] + h * axis[i] + this.sizes[0] * foremost[i];
    }
    for (let k = 0; k < 3; k++) out.normal[k] = cap === 1 ? axis[k] : -axis[k];
  }

  #generator(out: FeaturePolygon): void {
    out.reset(false, false, CYLINDER_KEYS.side);
    this.#rimPoint(0, 0, CYLINDER_KEYS.side, out);
    this.#rimPoint(1, 0, CYLINDER_KEYS.side, out);
  }

  #rimPoint(cap: number, k: number, side: number, out: FeaturePolygon): void {
    const { centre, axis, sizes } = this;
    const at = out.add(CYLINDER_KEYS.rimPoint(cap, k), side);
    const h = cap === 1 ? sizes[1] : -sizes[1];
    for (let i = 0; i < 3; i++)
      out.points[at + i] = centre[i] + h * axis[i] + sizes[0] * (COS[k] * this.#u[i] + SIN[k] * this.#w[i]);
  }
}
