/**
 * Distance of two convex shapes by the algorithm of E. G. Gilbert, D. W. Johnson and S. S. Keerthi, 1988, doi:10.1109/56.2083: the point v of
 * the Minkowski difference B − A nearest to the origin, approached by simplices of support points. With the support point w against v,
 *
 *     v·w/|v| ≤ distance ≤ |v|,
 *
 * so that the answer comes with its error. Between polytopes the method ends after finitely many steps at the exact answer.
 */
import type { PlacedConvex } from './placed-convex';
import { Simplex } from './simplex';

export type GjkStatus = 'separated' | 'beyond' | 'overlapping' | 'maxIterations';

/** Bounds of |v|² this close, relative, are equal to rounding: for answers that are taken as they are. */
export const EXACT = 1e-15;
/** Normals are right to about the root of this: enough where they are refined afterwards. */
export const ROUGH = 1e-10;
/** Enough where what comes of them is proved, or else done again. */
export const COARSE = 1e-3;
/** Relative to the sizes: nearer than this the direction between two shapes is rounding, and they count as overlapping. */
const TOUCHING = 1e-13;
/** Curved shapes converge linearly at worst; polytopes end long before. */
const MOST_ITERATIONS = 200;

export class Gjk {
  readonly simplex = new Simplex();
  /** from the first shape to the second, its length is the distance */
  readonly v = new Float64Array(3);
  readonly #kept = new Simplex();

  /**
   * Leaves the answer in `v` and in the simplex.
   * @param start direction to begin with, not zero
   * @param limit [0] m: shapes that are farther apart are `beyond`, and how far is left open
   * @param accuracy of the square of the distance, relative
   */
  run(
    a: PlacedConvex,
    b: PlacedConvex,
    start: Float64Array,
    limit: Float64Array,
    accuracy: typeof EXACT | typeof ROUGH | typeof COARSE,
  ): GjkStatus {
    const { simplex, v } = this;
    simplex.count = 0;
    v.set(start);
    const size = a.extent[0] + b.extent[0];
    const touching = TOUCHING * TOUCHING * size * size;
    for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
      const k = simplex.count;
      simplex.keysA[k] = a.support(v, 1, simplex.a, 3 * k);
      simplex.keysB[k] = b.support(v, -1, simplex.b, 3 * k);
      let vv = 0;
      let vw = 0;
      for (let i = 0; i < 3; i++) {
        const w = simplex.b[3 * k + i] - simplex.a[3 * k + i];
        simplex.w[3 * k + i] = w;
        vv += v[i] * v[i];
        vw += v[i] * w;
      }
      if (vw > 0 && vw * vw > limit[0] * limit[0] * vv) return 'beyond';
      if (k > 0 && (vv - vw <= accuracy * vv || this.#isKnown(k))) return 'separated';
      if (k > 0) this.#keep();
      simplex.count = k + 1;
      if (!simplex.reduce()) return 'overlapping';
      if (simplex.nearest[3] <= touching) return 'overlapping';
      // Rounding ends progress before the bounds meet: the best simplex stays.
      if (k > 0 && simplex.nearest[3] >= vv) {
        this.#restore();
        return 'separated';
      }
      for (let i = 0; i < 3; i++) v[i] = simplex.nearest[i];
    }
    return 'maxIterations';
  }

  #isKnown(k: number): boolean {
    const { w } = this.simplex;
    for (let j = 0; j < k; j++)
      if (w[3 * j] === w[3 * k] && w[3 * j + 1] === w[3 * k + 1] && w[3 * j + 2] === w[3 * k + 2])
        return true;
    return false;
  }

  #keep(): void {
    copySimplex(this.simplex, this.#kept);
  }

  #restore(): void {
    copySimplex(this.#kept, this.simplex);
  }
}

function copySimplex(from: Simplex, to: Simplex): void {
  to.count = from.count;
  to.w.set(from.w);
  to.a.set(from.a);
  to.b.set(from.b);
  to.keysA.set(from.keysA);
  to.keysB.set(from.keysB);
  to.weights.set(from.weights);
  to.nearest.set(from.nearest);
}
