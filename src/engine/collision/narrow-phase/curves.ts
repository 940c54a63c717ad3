/**
 * The curves that touch where a cylinder is one of two shapes: a vertex is a point, an edge and the axis of a cylinder are lines, the rim
 * of a cap is a circle. The side of a cylinder is its axis with the radius as a tube.
 */
import { edgeKey, vertexKey } from './feature-key';
import { CYLINDER_KEYS, type PlacedCylinder } from './placed-cylinder';
import type { PlacedPolytope } from './placed-polytope';

export const POINT = 0;
export const LINE = 1;
export const CIRCLE = 2;

/** Of the length of a line: this little beyond its end is at its end. */
const BEYOND = 1e-10;

export class Curve {
  kind = POINT;
  key = 0;
  /** the point; a point of the line; the centre of the circle */
  readonly centre = new Float64Array(3);
  /** direction of the line; x axis of the circle, times its radius */
  readonly u = new Float64Array(3);
  /** y axis of the circle, times its radius */
  readonly w = new Float64Array(3);
  /** [0] m */
  readonly tube = new Float64Array(1);
  /** [0] where on the curve: metres over the length of u along a line, radians round a circle */
  readonly parameter = new Float64Array(1);
  /** lines: where they begin and end */
  readonly range = new Float64Array(2);
  /** position, first and second derivative at the parameter */
  readonly position = new Float64Array(3);
  readonly tangent = new Float64Array(3);
  readonly bend = new Float64Array(3);

  asPoint(from: Float64Array, at: number, key: number): void {
    this.kind = POINT;
    this.key = key;
    this.tube[0] = 0;
    for (let k = 0; k < 3; k++) this.centre[k] = from[at + k];
  }

  /** From one vertex to another, by their places in the array. */
  asEdge(vertices: Float64Array, from: number, to: number, key: number): void {
    this.kind = LINE;
    this.key = key;
    this.tube[0] = 0;
    for (let k = 0; k < 3; k++) {
      this.centre[k] = vertices[from + k];
      this.u[k] = vertices[to + k] - vertices[from + k];
    }
    this.range[0] = 0;
    this.range[1] = 1;
  }

  asSide(cylinder: PlacedCylinder): void {
    this.kind = LINE;
    this.key = CYLINDER_KEYS.side;
    this.tube[0] = cylinder.sizes[0];
    this.centre.set(cylinder.centre);
    this.u.set(cylinder.axis);
    this.range[0] = -cylinder.sizes[1];
    this.range[1] = cylinder.sizes[1];
  }

  asRim(cylinder: PlacedCylinder, cap: number): void {
    this.kind = CIRCLE;
    this.key = CYLINDER_KEYS.rim(cap);
    this.tube[0] = 0;
    const { axis, zero, sizes } = cylinder;
    const radius = sizes[0];
    const h = cap === 1 ? sizes[1] : -sizes[1];
    for (let k = 0; k < 3; k++) {
      const j = (k + 1) % 3;
      const l = (k + 2) % 3;
      this.centre[k] = cylinder.centre[k] + h * axis[k];
      this.u[k] = radius * zero[k];
      this.w[k] = radius * (axis[j] * zero[l] - axis[l] * zero[j]);
    }
  }

  /** Position and derivatives at the parameter. */
  evaluate(): void {
    const s = this.parameter[0];
    const { centre, u, w, position, tangent, bend } = this;
    const c = this.kind === CIRCLE ? Math.cos(s) : this.kind === LINE ? s : 0;
    const d = this.kind === CIRCLE ? Math.sin(s) : 0;
    for (let k = 0; k < 3; k++) {
      position[k] = centre[k] + c * u[k] + (this.kind === CIRCLE ? d * w[k] : 0);
      tangent[k] = this.kind === CIRCLE ? c * w[k] - d * u[k] : this.kind === LINE ? u[k] : 0;
      bend[k] = this.kind === CIRCLE ? -c * u[k] - d * w[k] : 0;
    }
  }

  /** Goes to the point nearest to x. */
  approach(x: Float64Array): void {
    const { centre, u, w, parameter } = this;
    let along = 0;
    let across = 0;
    let uu = 0;
    for (let k = 0; k < 3; k++) {
      along += (x[k] - centre[k]) * u[k];
      across += (x[k] - centre[k]) * w[k];
      uu += u[k] * u[k];
    }
    if (this.kind === POINT) parameter[0] = 0;
    else parameter[0] = this.kind === CIRCLE ? Math.atan2(across, along) : along / uu;
  }

  /** Whether the parameter is on the curve: a line goes on beyond its ends, where there is no shape. */
  isWithin(): boolean {
    if (this.kind !== LINE) return true;
    const { range, parameter } = this;
    const slack = BEYOND * (range[1] - range[0]);
    return parameter[0] >= range[0] - slack && parameter[0] <= range[1] + slack;
  }
}

/** Curves of a shape that can be nearest when the normal is about n. */
export class NearCurves {
  count = 0;
  readonly list: Curve[] = Array.from({ length: 12 }, () => new Curve());

  /** The rim of the cap on that side, and the side where it looks along the normal. */
  ofCylinder(cylinder: PlacedCylinder, n: Float64Array, sign: 1 | -1, near: number): void {
    const { axis } = cylinder;
    const along = sign * (n[0] * axis[0] + n[1] * axis[1] + n[2] * axis[2]);
    this.count = 0;
    this.list[this.count++].asRim(cylinder, along >= 0 ? 1 : 0);
    if (Math.abs(along) > near) return;
    this.list[this.count++].asSide(cylinder);
    // Nearly across, rounding of n decides which cap is foremost.
    this.list[this.count++].asRim(cylinder, along >= 0 ? 0 : 1);
  }

  /** The foremost vertex, and the edges from there that lie nearly across the normal. */
  ofPolytope(polytope: PlacedPolytope, n: Float64Array, sign: 1 | -1, near: number): void {
    const { vertices, core } = polytope;
    const vertex = polytope.supportVertex(n, sign);
    this.count = 0;
    this.list[this.count++].asPoint(vertices, 3 * vertex, vertexKey(vertex));
    for (let e = 0; e < core.edgeCount && this.count < this.list.length; e++) {
      const p = core.edges[2 * e];
      const q = core.edges[2 * e + 1];
      if (p !== vertex && q !== vertex) continue;
      let along = 0;
      let square = 0;
      for (let k = 0; k < 3; k++) {
        const d = vertices[3 * q + k] - vertices[3 * p + k];
        along += d * n[k];
        square += d * d;
      }
      if (along * along > near * near * square) continue;
      this.list[this.count++].asEdge(vertices, 3 * p, 3 * q, edgeKey(p, q));
    }
  }
}
