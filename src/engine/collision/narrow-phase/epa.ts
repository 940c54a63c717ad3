/**
 * Depth of penetration of two convex shapes by an expanding polytope inside their Minkowski difference B − A,
 * which holds the origin (van den Bergen 2001): the face nearest to the origin is replaced by those to the
 * support point along its normal, until that point is not farther out than the face by the tolerance. The
 * distance of the face is then the depth and its normal the direction, within the tolerance; curved shapes
 * are made exact afterwards.
 */
import type { PlacedConvex } from './placed-polytope';
import type { Simplex } from './gjk';

const MOST_VERTICES = 160;
/** Slots of removed faces are not used again; a new vertex adds about six. */
const MOST_FACES = 8 * MOST_VERTICES;
/** Relative to the sizes; refinement starts well inside its range from there. */
const TOLERANCE = 1e-7;
/** A face or tetrahedron flatter than this, relative to the sizes, has no direction. */
const FLAT_FACE = 1e-12;

export class Epa {
  readonly w = new Float64Array(3 * MOST_VERTICES);
  readonly #a = new Float64Array(3 * MOST_VERTICES);
  readonly #b = new Float64Array(3 * MOST_VERTICES);
  /**
   * direction from the first shape to the second in which least penetrates: `normal`; and points of the
   * shapes there
   */
  readonly normal = new Float64Array(3);
  readonly pointOfFirst = new Float64Array(3);
  readonly #faces = new Int32Array(3 * MOST_FACES);
  readonly #isAlive = new Uint8Array(MOST_FACES);
  /** of each face: outward normal, distance */
  readonly #planes = new Float64Array(4 * MOST_FACES);
  readonly #horizon = new Int32Array(6 * MOST_FACES);
  readonly #direction = new Float64Array(3);
  #vertexCount = 0;
  #faceCount = 0;
  #horizonCount = 0;

  /** @returns false when the shapes overlap by too little to span a tetrahedron around the origin */
  run(a: PlacedConvex, b: PlacedConvex, simplex: Simplex): boolean {
    const size = a.extent[0] + b.extent[0];
    this.#faceCount = 0;
    this.#vertexCount = simplex.count;
    for (let k = 0; k < 3 * simplex.count; k++) {
      this.w[k] = simplex.w[k];
      this.#a[k] = simplex.a[k];
      this.#b[k] = simplex.b[k];
    }
    if (!this.#complete(a, b, size)) return false;
    if (!this.#tetrahedron(size)) return false;
    while (this.#vertexCount < MOST_VERTICES && this.#faceCount + 64 < MOST_FACES) {
      const face = this.#nearestFace();
      if (face < 0) return false;
      const plane = 4 * face;
      for (let k = 0; k < 3; k++) this.#direction[k] = -this.#planes[plane + k];
      this.#support(a, b);
      const at = 3 * (this.#vertexCount - 1);
      let reach = -this.#planes[plane + 3];
      for (let k = 0; k < 3; k++) reach += this.#planes[plane + k] * this.w[at + k];
      if (reach <= TOLERANCE * size) break;
      if (!this.#expand(size)) break;
    }
    return this.#answer();
  }

  /** Adds the support point against #direction: the one of the difference farthest along −direction. */
  #support(a: PlacedConvex, b: PlacedConvex): void {
    const at = 3 * this.#vertexCount++;
    a.support(this.#direction, 1, this.#a, at);
    b.support(this.#direction, -1, this.#b, at);
    for (let k = 0; k < 3; k++) this.w[at + k] = this.#b[at + k] - this.#a[at + k];
  }

  /**
   * From the simplex that GJK ended with to a tetrahedron of some volume, with support points along
   * directions across it.
   */
  #complete(a: PlacedConvex, b: PlacedConvex, size: number): boolean {
    const { w } = this;
    for (let attempt = 0; attempt < 12 && this.#vertexCount < 4; attempt++) {
      const count = this.#vertexCount;
      const axis = attempt % 3;
      const sign = attempt % 6 < 3 ? 1 : -1;
      this.#direction.fill(0);
      this.#direction[axis] = sign;
      if (count >= 3) {
        crossOf(w, 0, 3, 6, this.#direction);
        for (let k = 0; k < 3; k++) this.#direction[k] *= sign;
      } else if (count === 2) {
        // Across the segment and the axis.
        const j = (axis + 1) % 3;
        const l = (axis + 2) % 3;
        this.#direction[axis] = 0;
        this.#direction[j] = sign * (w[3 + l] - w[l]);
        this.#direction[l] = -sign * (w[3 + j] - w[j]);
      }
      if (
        Math.sqrt(
          this.#direction[0] * this.#direction[0] +
            this.#direction[1] * this.#direction[1] +
            this.#direction[2] * this.#direction[2],
        ) <=
        FLAT_FACE * size
      )
        continue;
      this.#support(a, b);
      if (!this.#isSpanning(size)) this.#vertexCount = count;
    }
    return this.#vertexCount === 4;
  }

  /** Whether the last of the vertices is off the hull of those before it. */
  #isSpanning(size: number): boolean {
    const { w } = this;
    const last = 3 * (this.#vertexCount - 1);
    let square = 0;
    for (let k = 0; k < 3; k++) square += (w[last + k] - w[k]) ** 2;
    if (this.#vertexCount > 1 && square <= (FLAT_FACE * size) ** 2) return false;
    if (this.#vertexCount < 3) return true;
    const n = this.normal;
    crossOf(w, 0, 3, 6, n);
    const area = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (area <= FLAT_FACE * size * size) return false;
    if (this.#vertexCount < 4) return true;
    let height = 0;
    for (let k = 0; k < 3; k++) height += (n[k] / area) * (w[last + k] - w[k]);
    return Math.abs(height) > FLAT_FACE * size;
  }

  #tetrahedron(size: number): boolean {
    const { w } = this;
    const n = this.#direction;
    crossOf(w, 0, 3, 6, n);
    let height = 0;
    for (let k = 0; k < 3; k++) height += n[k] * (w[9 + k] - w[k]);
    // Counterclockwise from outside: the fourth vertex is behind the face of the first three.
    const isFlipped = height > 0;
    return isFlipped
      ? this.#addFace(0, 2, 1, size) &&
          this.#addFace(0, 1, 3, size) &&
          this.#addFace(1, 2, 3, size) &&
          this.#addFace(2, 0, 3, size)
      : this.#addFace(0, 1, 2, size) &&
          this.#addFace(0, 3, 1, size) &&
          this.#addFace(1, 3, 2, size) &&
          this.#addFace(2, 3, 0, size);
  }

  #addFace(i: number, j: number, k: number, size: number): boolean {
    const f = this.#faceCount++;
    this.#faces[3 * f] = i;
    this.#faces[3 * f + 1] = j;
    this.#faces[3 * f + 2] = k;
    this.#isAlive[f] = 1;
    const n = this.#direction;
    crossOf(this.w, 3 * i, 3 * j, 3 * k, n);
    const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > FLAT_FACE * FLAT_FACE * size * size)) return false;
    let distance = 0;
    for (let c = 0; c < 3; c++) {
      this.#planes[4 * f + c] = n[c] / length;
      distance += (n[c] / length) * this.w[3 * i + c];
    }
    this.#planes[4 * f + 3] = distance;
    return true;
  }

  #nearestFace(): number {
    let best = -1;
    let least = Infinity;
    for (let f = 0; f < this.#faceCount; f++) {
      if (this.#isAlive[f] === 0 || this.#planes[4 * f + 3] >= least) continue;
      least = this.#planes[4 * f + 3];
      best = f;
    }
    return best;
  }

  /** Replaces the faces that the last vertex sees by those from their rim to it. */
  #expand(size: number): boolean {
    const last = this.#vertexCount - 1;
    const { w } = this;
    this.#horizonCount = 0;
    for (let f = 0; f < this.#faceCount; f++) {
      if (this.#isAlive[f] === 0) continue;
      let height = -this.#planes[4 * f + 3];
      for (let k = 0; k < 3; k++) height += this.#planes[4 * f + k] * w[3 * last + k];
      if (height <= FLAT_FACE * size) continue;
      this.#isAlive[f] = 0;
      for (let k = 0; k < 3; k++) this.#toggle(this.#faces[3 * f + k], this.#faces[3 * f + ((k + 1) % 3)]);
    }
    for (let e = 0; e < this.#horizonCount; e++) {
      if (this.#faceCount === MOST_FACES) return false;
      if (!this.#addFace(this.#horizon[2 * e], this.#horizon[2 * e + 1], last, size)) return false;
    }
    return this.#horizonCount > 0;
  }

  /** An edge that two removed faces share is not on the rim. */
  #toggle(i: number, j: number): void {
    const horizon = this.#horizon;
    for (let e = 0; e < this.#horizonCount; e++) {
      if (horizon[2 * e] !== j || horizon[2 * e + 1] !== i) continue;
      this.#horizonCount--;
      horizon[2 * e] = horizon[2 * this.#horizonCount];
      horizon[2 * e + 1] = horizon[2 * this.#horizonCount + 1];
      return;
    }
    horizon[2 * this.#horizonCount] = i;
    horizon[2 * this.#horizonCount + 1] = j;
    this.#horizonCount++;
  }

  /** Normal of the nearest face, and the point of the first shape at the foot of the perpendicular. */
  #answer(): boolean {
    const f = this.#nearestFace();
    if (f < 0) return false;
    const n = this.#direction;
    const distance = this.#planes[4 * f + 3];
    for (let c = 0; c < 3; c++) n[c] = this.#planes[4 * f + c];
    this.pointOfFirst.fill(0);
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const weight = this.#doubleArea(
        3 * this.#faces[3 * f + ((k + 1) % 3)],
        3 * this.#faces[3 * f + ((k + 2) % 3)],
        distance,
      );
      const own = 3 * this.#faces[3 * f + k];
      for (let c = 0; c < 3; c++) this.pointOfFirst[c] += weight * this.#a[own + c];
      sum += weight;
    }
    for (let c = 0; c < 3; c++) {
      this.pointOfFirst[c] /= sum;
      this.normal[c] = -n[c];
    }
    return true;
  }

  /**
   * n·((w_p − o) × (w_q − o)) with o = distance · n, n in #direction: a barycentric coordinate of o, times a
   * common factor.
   */
  #doubleArea(p: number, q: number, distance: number): number {
    const { w } = this;
    const n = this.#direction;
    const x = w[p] - distance * n[0];
    const y = w[p + 1] - distance * n[1];
    const z = w[p + 2] - distance * n[2];
    const u = w[q] - distance * n[0];
    const v = w[q + 1] - distance * n[1];
    const t = w[q + 2] - distance * n[2];
    return n[0] * (y * t - z * v) + n[1] * (z * u - x * t) + n[2] * (x * v - y * u);
  }
}

/** out = (w_j − w_i) × (w_k − w_i), by offsets */
function crossOf(w: Float64Array, i: number, j: number, k: number, out: Float64Array): void {
  const ax = w[j] - w[i];
  const ay = w[j + 1] - w[i + 1];
  const az = w[j + 2] - w[i + 2];
  const bx = w[k] - w[i];
  const by = w[k + 1] - w[i + 1];
  const bz = w[k + 2] - w[i + 2];
  out[0] = ay * bz - az * by;
  out[1] = az * bx - ax * bz;
  out[2] = ax * by - ay * bx;
}
