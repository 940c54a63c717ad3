/**
 * A box or a convex polyhedron on a body that deforms affinely, x = x̄ + F ξ. The image of a convex polytope
 * under such a map with det F > 0 is one again, with the same corners, edges and faces: corners are F ξ,
 * edges along F d, and the normal of a face is along the cofactors of F,
 *
 *     n ∝ cof(F) n₀ = det F · F⁻ᵀ n₀,     since n·F d = 0 for each d in the face.
 *
 * The polytope is that of the body at hand, relative to its mass centre and along the axes of the world;
 * `deform` brings it up to date. The narrow phase sees a polyhedron like any other. Balls, capsules and
 * cylinders would become ellipsoids and their like, and are refused.
 */
import { FRAME } from '../frame';
import { type Polytope, polytopeBounds } from './polytope';
import { type MassProperties, type RoundedShape, type Shape, refuseShape } from './shape';

export class DeformedPolytope implements RoundedShape {
  readonly kind = 'polyhedron';
  readonly dimensions = [3] as const;
  readonly radius = 0;
  readonly core: Polytope;
  /** of the reference configuration, in the frame of the body */
  readonly #vertices: Float64Array;
  readonly #normals: Float64Array;
  readonly #directions: Float64Array;
  readonly #size = new Float64Array(1);
  readonly #cofactors = new Float64Array(9);

  /**
   * @param placement frame of the shape on the undeformed body
   * @throws {EngineError} `shape-not-deformable`
   */
  constructor(
    private readonly reference: Shape,
    placement: Float64Array,
    placementAt: number,
  ) {
    if (reference.kind !== 'box' && reference.kind !== 'polyhedron')
      refuseShape(
        'shape-not-deformable',
        `A ${reference.kind} cannot be on a pseudo-rigid body: it would not stay one when the body deforms.`,
        'Give the body boxes or convex polyhedra, or make it rigid.',
      );
    const { core } = reference;
    const frame = placement.slice(placementAt, placementAt + FRAME);
    this.#vertices = Float64Array.from(core.vertices);
    this.#normals = Float64Array.from(core.normals);
    this.#directions = Float64Array.from(core.directions);
    for (let r = 0; r < 3; r++) {
      turn(frame, r, core.vertices, this.#vertices, frame[r]);
      turn(frame, r, core.normals, this.#normals, 0);
      turn(frame, r, core.directions, this.#directions, 0);
    }
    const size = this.#size;
    size[0] = core.size;
    this.core = {
      ...core,
      vertices: this.#vertices.slice(),
      normals: this.#normals.slice(),
      directions: this.#directions.slice(),
      get size() {
        return size[0];
      },
    };
  }

  bounds(frame: Float64Array, at: number, out: Float64Array, outAt: number): void {
    polytopeBounds(this.core, 0, frame, at, out, outAt);
  }

  /** Of the reference shape, about its own mass centre. */
  massProperties(density: number): MassProperties | null {
    return this.reference.massProperties(density);
  }

  /**
   * Takes on the shape of F, which stands in `q` at `at`, row by row.
   * @returns false when it is not finite
   */
  deform(q: Float64Array, at: number): boolean {
    const { vertices, normals, directions } = this.core;
    map(q, at, this.#vertices, vertices);
    map(q, at, this.#directions, directions);
    const cofactors = this.#cofactors;
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) {
        const a = at + 3 * ((i + 1) % 3);
        const b = at + 3 * ((i + 2) % 3);
        const c = (j + 1) % 3;
        const d = (j + 2) % 3;
        cofactors[3 * i + j] = q[a + c] * q[b + d] - q[a + d] * q[b + c];
      }
    map(cofactors, 0, this.#normals, normals);
    normalise(directions);
    normalise(normals);
    return this.#measure();
  }

  /** The size, half the diagonal of the bounds. */
  #measure(): boolean {
    const { vertices, vertexCount } = this.core;
    let square = 0;
    for (let i = 0; i < 3; i++) {
      let lower = Infinity;
      let upper = -Infinity;
      for (let k = i; k < 3 * vertexCount; k += 3) {
        lower = Math.min(lower, vertices[k]);
        upper = Math.max(upper, vertices[k]);
      }
      square += (upper - lower) * (upper - lower);
    }
    this.#size[0] = 0.5 * Math.sqrt(square);
    return Number.isFinite(square);
  }
}

/** Row r of a frame's rotation times vectors, plus a shift. */
function turn(frame: Float64Array, r: number, from: Float64Array, to: Float64Array, shift: number): void {
  const row = 3 + 3 * r;
  for (let k = 0; k < from.length; k += 3)
    to[k + r] = shift + frame[row] * from[k] + frame[row + 1] * from[k + 1] + frame[row + 2] * from[k + 2];
}

/** to ← m from, vector by vector; m 3 × 3 at `at` */
function map(m: Float64Array, at: number, from: Float64Array, to: Float64Array): void {
  for (let k = 0; k < from.length; k += 3)
    for (let r = 0; r < 3; r++) {
      const row = at + 3 * r;
      to[k + r] = m[row] * from[k] + m[row + 1] * from[k + 1] + m[row + 2] * from[k + 2];
    }
}

function normalise(vectors: Float64Array): void {
  for (let k = 0; k < vectors.length; k += 3) {
    const x = vectors[k];
    const y = vectors[k + 1];
    const z = vectors[k + 2];
    const length = Math.sqrt(x * x + y * y + z * z);
    vectors[k] = x / length;
    vectors[k + 1] = y / length;
    vectors[k + 2] = z / length;
  }
}
