/**
 * Laws reduced to the canonical one-step problem: their unknowns, and its operator and offsets from those of
 * the rows.
 *
 * A row with a box law is a row of the variational inequality as it stands. A graph, and a contact with its
 * friction, become several, see below; all of them are linear in the multipliers and outputs of their rows
 * (below). With y = W λ + y_free the canonical problem is therefore
 *
 *     w = (S W T + K) x + S (y_free + W λ⁰) + k,
 *
 * and each entry of its operator a sum of entries of W with constant coefficients, plus a constant.
 */
import { type SparseRows, rowDot, sparseFromPattern } from '../linalg/sparse';
import type { LawRow, PiecewiseLinearGraph, Polytope } from '../model/forms';

/*
 * A contact with Coulomb friction in the plane. Row 0 is the contact, 0 ≤ y_n ⊥ λ_n ≥ 0; row 1 its friction,
 *
 *     −y_t ∈ N_[−μ λ_n, μ λ_n](λ_t),
 *
 * where y_n stands for ẏ_n⁺ + e ẏ_n⁻ and y_t for ẏ_t⁺ + e_t ẏ_t⁻. The bounds move with λ_n, so that this is
 * no box. But the cone of the plane has two edges only: with pushes β₊, β₋ ≥ 0 along +t and −t,
 * λ_t = β₊ − β₋, and a speed s ≥ |y_t|,
 *
 *     0 ≤ λ_n ⊥ y_n                    ≥ 0
 *     0 ≤ β₊  ⊥   y_t + s              ≥ 0
 *     0 ≤ β₋  ⊥ − y_t + s              ≥ 0
 *     0 ≤ s   ⊥ d (μ λ_n − β₊ − β₋)    ≥ 0
 *
 * is the law exactly. Where s > 0 all of μ λ_n is used; if y_t > 0 then y_t + s > 0, β₊ = 0 and λ_t = −μ λ_n,
 * and if y_t < 0 the same with the other sign. Where s = 0 both inequalities say y_t = 0, and
 * |λ_t| ≤ β₊ + β₋ ≤ μ λ_n. Conversely each (λ_n, λ_t) of the law has such β₊, β₋ and s = |y_t|. Stewart and
 * Trinkle 1996; Anitescu and Potra 1997. The factor d > 0, the sum of W_nn and W_tt, brings the last row to
 * units of y, so that a residual means the same in each.
 *
 * Why four unknowns where three would do (λ_n, λ_t + μ λ_n and a speed, as in Pfeiffer and Glocker 1996): the
 * matrix M of these is copositive for d = 1 and a positive semidefinite W,
 *
 *     xᵗ M x = λᵗ W λ + s (β₊ + β₋) + s (μ λ_n − β₊ − β₋) = λᵗ W λ + μ s λ_n ≥ 0     for x ≥ 0,
 *
 * and d only scales rows, that is Lemke's covering vector. His method then ends in a solution whenever qᵗ
 * λ ≥ 0 for all impulses λ within friction that have no effect, W λ = 0 (Cottle, Pang and Stone 1992 §4.4).
 * Without restitution q comes from a velocity and vanishes along those: there is a solution for any μ, and
 * the method finds it. With three unknowns the matrix has a negative diagonal where μ W_nt > W_nn, and the
 * method ends on rays where there are solutions. A solution need not be unique, and M is not monotone.
 *
 * Without friction, μ = 0, there is nothing to decide: λ_t = 0, and the slip is free.
 */

const INFINITE = Number.POSITIVE_INFINITY;

/*
 * Frémond's impact. Its row has y = ẏ⁺ + ẏ⁻, and ẏ⁻ is known. With S of λ = S + k max(0, −y) as a second
 * unknown,
 *
 *     0 ≤ λ ⊥ y + (λ − S)/k        ≥ 0
 *     0 ≤ S ⊥ (S − λ)/k − ẏ⁻       ≥ 0
 *
 * is the law. Where λ > 0 the first says λ = S − k y, and the second then ẏ⁺ = 0 or, with S = 0, ẏ⁺ ≥ 0.
 * Where λ = 0 it says y ≥ 0 for S = 0, and ẏ⁺ ≥ 0 for S = k ẏ⁻ of a contact that parts, which then is no
 * impulse of anything. The part (λ − S)²/k of the quadratic form keeps the sign that W has; friction has λ as
 * its bound.
 */

/** Unknowns: λ and S of row 0; β₊, β₋ and s of row 1, where there is one. @param mu null without a row 1 */
function reducePercussion(viscosity: number, mu: number | null): ReducedLaw {
  const contact = mu === null ? reduceBox(0, INFINITE) : reduceFriction(mu);
  // S comes behind λ: what has followed it follows S.
  const moved = (unknown: number): number => (unknown === 0 ? 0 : unknown + 1);
  const both = ([i, j, value]: Entry): Entry => [moved(i), moved(j), value];
  const inserted = (values: readonly number[], own: number): number[] => [values[0], own, ...values.slice(1)];
  const softness = 1 / viscosity;
  return {
    unknowns: [2, ...contact.unknowns.slice(1)],
    lower: inserted(contact.lower, 0),
    upper: inserted(contact.upper, INFINITE),
    lambda0: contact.lambda0,
    lambda: contact.lambda.map(([row, unknown, value]): Entry => [row, moved(unknown), value]),
    conditions: contact.conditions.map(([condition, row, value]): Entry => [moved(condition), row, value]),
    own: [...contact.own.map(both), [0, 0, softness], [0, 1, -softness], [1, 0, -softness], [1, 1, softness]],
    mobile: contact.mobile.map(both),
    offset: inserted(contact.offset, 0),
    earlier: [[1, 0, -1]],
  };
}

/** Unknowns: λ_n of row 0; β₊, β₋ and s of row 1. @param mu Coulomb's coefficient μ ≥ 0 */
function reduceFriction(mu: number): ReducedLaw {
  if (mu === 0) {
    return {
      unknowns: [1, 0],
      lower: [0],
      upper: [INFINITE],
      lambda0: [0, 0],
      lambda: [[0, 0, 1]],
      conditions: [[0, 0, 1]],
      own: [],
      mobile: [],
      offset: [0],
    };
  }
  return {
    unknowns: [1, 3],
    lower: [0, 0, 0, 0],
    upper: [INFINITE, INFINITE, INFINITE, INFINITE],
    lambda0: [0, 0],
    lambda: [
      [0, 0, 1],
      [1, 1, 1],
      [1, 2, -1],
    ],
    conditions: [
      [0, 0, 1],
      [1, 1, 1],
      [2, 1, -1],
    ],
    own: [
      [1, 3, 1],
      [2, 3, 1],
    ],
    mobile: [
      [3, 0, mu],
      [3, 1, -1],
      [3, 2, -1],
    ],
    offset: [0, 0, 0, 0],
  };
}

/*
 * A law given by a graph in the (y, λ) plane. With points P_0 … P_m, coming in along d_0 and leaving along
 * d_{m+1}, the graph is run through by a parameter s:
 *
 *     P(s) = P_0 + s d_0 + Σ_{k=0}^{m} (d_{k+1} − d_k) x_k,     x_k = max(0, s − k),
 *
 * with d_k = P_k − P_{k−1} in between. x_k is a complementarity, 0 ≤ x_k ⊥ x_k − s + k ≥ 0, s is free, and
 * its equation says that the relation's y at λ = P_λ(s) is P_y(s):
 *
 *     y(λ) − P_y(s) = 0,   y(λ) = W λ + q.
 *
 * So a graph of m + 1 points takes m + 2 unknowns, and vertical and horizontal pieces cost nothing more. The
 * graph is run through in the direction in which λ grows and y falls, so that a maximal monotone law keeps
 * the diagonal positive.
 *
 * On a piece, s d_0 and the changes of direction cancel but for rounding of s d_0, with s up to m. Rays that
 * go far beyond the piece beside them in a step of s, as the stiff ends of a play of microns do in one of a
 * metre, are therefore shortened.
 */

/** A graph in the direction of its parameter. */
interface OrientedGraph {
  readonly y0: number;
  readonly lambda0: number;
  /** direction before the first point */
  readonly dy: number;
  readonly dLambda: number;
  /** change of direction at each point */
  readonly kinkY: readonly number[];
  readonly kinkLambda: readonly number[];
}

/** Of the length of the piece beside a ray, up to which the ray stays as it is given. */
const LONGEST_RAY = 64;

type Direction = readonly [y: number, lambda: number];

/** A ray of about the length of the piece beside it, where it is far longer; exactly, by a power of two. */
function shortened(ray: Direction, piece: Direction | undefined): Direction {
  const ratios = piece === undefined ? [] : ray.map((part, k) => Math.abs(piece[k] / part));
  const ratio = Math.min(...ratios.filter((one) => one > 0 && Number.isFinite(one)));
  if (!(ratio * LONGEST_RAY < 1)) return ray;
  const factor = 2 ** Math.round(Math.log2(ratio));
  return [factor * ray[0], factor * ray[1]];
}

function orient(graph: PiecewiseLinearGraph): OrientedGraph {
  const n = graph.y.length;
  const ys = Array.from(graph.y);
  const lambdas = Array.from(graph.lambda);
  let start: Direction = graph.startDirection;
  let end: Direction = graph.endDirection;
  const progress = lambdas[n - 1] - lambdas[0] - ys[n - 1] + ys[0] + start[1] + end[1] - start[0] - end[0];
  if (progress < 0) {
    ys.reverse();
    lambdas.reverse();
    [start, end] = [
      [-end[0], -end[1]],
      [-start[0], -start[1]],
    ];
  }
  const pieces = ys.slice(1).map((y, k): Direction => [y - ys[k], lambdas[k + 1] - lambdas[k]]);
  start = shortened(start, pieces[0]);
  end = shortened(end, pieces.at(-1));
  const directions = [start, ...pieces, end];
  return {
    y0: ys[0],
    lambda0: lambdas[0],
    dy: start[0],
    dLambda: start[1],
    kinkY: ys.map((_, k) => directions[k + 1][0] - directions[k][0]),
    kinkLambda: ys.map((_, k) => directions[k + 1][1] - directions[k][1]),
  };
}

/** Unknowns: s, then x_0 … x_m. */
function reduceGraph(graph: PiecewiseLinearGraph): ReducedLaw {
  const { y0, lambda0, dy, dLambda, kinkY, kinkLambda } = orient(graph);
  const complementary = kinkY.map((_, k) => k);
  return {
    unknowns: [1 + kinkY.length],
    lower: [Number.NEGATIVE_INFINITY, ...kinkY.map(() => 0)],
    upper: [Number.POSITIVE_INFINITY, ...kinkY.map(() => Number.POSITIVE_INFINITY)],
    lambda0: [lambda0],
    lambda: [dLambda, ...kinkLambda].map((value, x): Entry => [0, x, value]),
    conditions: [[0, 0, 1]],
    own: [
      [0, 0, -dy],
      ...kinkY.map((value, k): Entry => [0, 1 + k, -value]),
      ...complementary.flatMap((k): Entry[] => [
        [1 + k, 0, -1],
        [1 + k, 1 + k, 1],
      ]),
    ],
    mobile: [],
    offset: [-y0, ...complementary],
  };
}

/*
 * A vector related to a polytope C = {z : A z ≤ b}, by the multipliers μ of its facets. Where the output is
 * confined, −λ ∈ N_C(y),
 *
 *     λ = −ᵗA μ,      0 ≤ μ ⊥ b − A y ≥ 0,      b − A y = A W ᵗA μ + b − A q:
 *
 * one unknown for each facet, of an operator as symmetric and positive semidefinite as W, singular where
 * there are more facets than components. Where the multiplier is confined, −y ∈ N_C(λ), λ stays an unknown,
 * and
 *
 *     y + ᵗA μ = 0,      0 ≤ μ ⊥ d (b − A λ) ≥ 0
 *
 * has a saddle: d, the sum of the W_ii of the rows, brings the conditions to units of y, and with ν = μ/d for
 * unknowns, y + d ᵗA ν = 0, what couples λ and ν is skew, xᵗ M x = λᵗ W λ, and the operator monotone with W.
 */

/** Unknowns: μ by facet. */
function reduceConfinedOutput({ size: n, A, b }: Polytope): ReducedLaw {
  const facets = Array.from(b);
  const entries = facets.flatMap((_, i) =>
    Array.from({ length: n }, (__, k): Entry => [i, k, -A[i * n + k]]),
  );
  return {
    unknowns: [facets.length, ...new Array<number>(n - 1).fill(0)],
    lower: facets.map(() => 0),
    upper: facets.map(() => INFINITE),
    lambda0: new Array<number>(n).fill(0),
    lambda: entries.map(([i, k, value]): Entry => [k, i, value]),
    conditions: entries,
    own: [],
    mobile: [],
    offset: facets,
  };
}

/** Unknowns: λ by component, then ν by facet. */
function reduceConfinedMultiplier({ size: n, A, b }: Polytope): ReducedLaw {
  const facets = Array.from(b);
  const components = Array.from({ length: n }, (_, k) => k);
  const entries = facets.flatMap((_, i) => components.map((k): Entry => [i, k, A[i * n + k]]));
  return {
    unknowns: [n + facets.length, ...new Array<number>(n - 1).fill(0)],
    lower: [...components.map(() => -INFINITE), ...facets.map(() => 0)],
    upper: [...components, ...facets].map(() => INFINITE),
    lambda0: components.map(() => 0),
    lambda: components.map((k): Entry => [k, k, 1]),
    conditions: components.map((k): Entry => [k, k, 1]),
    own: [],
    mobile: entries.flatMap(([i, k, value]): Entry[] => [
      [n + i, k, -value],
      [k, n + i, value],
    ]),
    offset: [...components, ...facets].map(() => 0),
    mobileOffset: [...components.map(() => 0), ...facets],
  };
}

/*
 * What a law on one or several rows of relations becomes in the canonical one-step problem. With unknowns x
 * in a box, multipliers λ of the rows and their outputs y,
 *
 *     λ = λ⁰ + T x,       w = S y + K x + k,       −w ∈ N_[l,u](x).
 *
 * A row may have no unknown: its λ then follows from the others, and its y is free.
 */

/** [row, column, value] of a small matrix */
type Entry = readonly [number, number, number];

interface ReducedLaw {
  /** number of unknowns of each row */
  readonly unknowns: readonly number[];
  /** bounds by unknown */
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  /** λ⁰ by row */
  readonly lambda0: readonly number[];
  /** T: [row, unknown, value]; zeros that are listed are stored */
  readonly lambda: readonly Entry[];
  /** S: [condition, row, value]; the rows of a condition one after the other */
  readonly conditions: readonly Entry[];
  /** K: [condition, unknown, value] */
  readonly own: readonly Entry[];
  /**
   * Part of K in units of y per λ: values to be multiplied by the sum of the W_ii of the rows. A condition
   * between multipliers alone is so brought to units of y.
   */
  readonly mobile: readonly Entry[];
  /** k by condition */
  readonly offset: readonly number[];
  /** part of k that what restitution compares with has: [condition, row, value]; none where absent */
  readonly earlier?: readonly Entry[];
  /** part of k in units of λ, to be multiplied like `mobile`; none where absent */
  readonly mobileOffset?: readonly number[];
}

/** −y ∈ N_[l,u](λ): the row as it stands. */
const reduceBox = (lower: number, upper: number): ReducedLaw => ({
  unknowns: [1],
  lower: [lower],
  upper: [upper],
  lambda0: [0],
  lambda: [[0, 0, 1]],
  conditions: [[0, 0, 1]],
  own: [],
  mobile: [],
  offset: [0],
});

/** A reduced law at its place: its first row and its first unknown. */
interface PlacedLaw {
  readonly law: ReducedLaw;
  readonly row: number;
  readonly unknown: number;
}

/** An entry of the canonical operator: a constant, and places in W with their coefficients. */
interface Sum {
  constant: number;
  readonly terms: [number, number][];
}

/** Laws of all rows, those of a contact and its friction together. */
function placeLaws(laws: readonly LawRow[]): PlacedLaw[] {
  const placed: PlacedLaw[] = [];
  let unknown = 0;
  for (let row = 0; row < laws.length;) {
    const law = reduce(laws[row], laws[row + 1]);
    placed.push({ law, row, unknown });
    row += law.unknowns.length;
    unknown += law.lower.length;
  }
  return placed;
}

function reduce(law: LawRow, next: LawRow | undefined): ReducedLaw {
  if (law.kind === 'percussion')
    return reducePercussion(law.viscosity, next?.kind === 'friction' ? next.coefficient : null);
  if (next?.kind === 'friction') return reduceFriction(next.coefficient);
  if (law.kind === 'friction') throw new Error('friction without the contact it belongs to');
  if (law.kind === 'cone') throw new Error('an affine problem has no room for a cone');
  if (law.kind === 'polytope')
    return law.polytope.confines === 'output'
      ? reduceConfinedOutput(law.polytope)
      : reduceConfinedMultiplier(law.polytope);
  return law.kind === 'graph' ? reduceGraph(law.graph) : reduceBox(law.lower, law.upper);
}

export class LawReduction {
  /** operator of the canonical problem over all rows; the given one where every law is a box */
  readonly operator: SparseRows;
  /** number of canonical rows */
  readonly count: number;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** first canonical row of each row; one more entry at the end */
  readonly first: Int32Array;
  /** whether every law is a box, so that the canonical problem is that of the rows */
  readonly isPlain: boolean;

  readonly hasFriction: boolean;
  /** whether the operator is as symmetric as W */
  readonly isSymmetric: boolean;

  /** T: λ by canonical unknown, by row */
  readonly #expansion: SparseRows;
  readonly #lambda0: Float64Array;
  /** S: factors of the outputs that a canonical row takes */
  readonly #outputs: SparseRows;
  /** k by canonical row */
  readonly #offset: Float64Array;
  /** its part of ẏ⁻: canonical rows, rows of ẏ⁻ and factors */
  readonly #earlier: readonly Entry[];
  /** by canonical row, the part of k in units of λ, and the rows by whose W_ii it is multiplied */
  readonly #mobileOffset: Float64Array;
  readonly #mobileStart: Int32Array;
  readonly #mobilePlaces: Int32Array;
  /** rows of friction, and the coefficient of each */
  readonly #friction: Int32Array;
  readonly #mu: Float64Array;
  // Each entry of the operator: a constant, and the entries of W in it with their coefficients.
  #constants = new Float64Array(0);
  #termStart = new Int32Array(0);
  #places = new Int32Array(0);
  #coefficients = new Float64Array(0);

  /** @param laws law of each row; @param delassus its operator, whose values may change later */
  constructor(
    laws: readonly LawRow[],
    private readonly delassus: SparseRows,
  ) {
    const placed = placeLaws(laws);
    const all = <T>(part: (law: ReducedLaw) => readonly T[]): T[] =>
      placed.flatMap(({ law }) => [...part(law)]);
    this.isPlain = laws.every(({ kind }) => kind === 'box');
    this.lower = Float64Array.from(all(({ lower }) => lower));
    this.upper = Float64Array.from(all(({ upper }) => upper));
    this.count = this.lower.length;
    this.first = new Int32Array(laws.length + 1);
    all(({ unknowns }) => unknowns).forEach((size, row) => (this.first[row + 1] = this.first[row] + size));
    this.#lambda0 = Float64Array.from(all(({ lambda0 }) => lambda0));
    this.isSymmetric = laws.every(
      (law) =>
        law.kind === 'box' ||
        law.kind === 'percussion' ||
        (law.kind === 'polytope' && law.polytope.confines === 'output'),
    );
    this.#outputs = outputs(placed, this.count);
    this.#offset = Float64Array.from(all(({ offset }) => offset));
    this.#earlier = placed.flatMap(({ law, row, unknown }) =>
      (law.earlier ?? []).map(([condition, r, value]): Entry => [unknown + condition, row + r, value]),
    );
    this.#mobileOffset = Float64Array.from(
      all(({ offset, mobileOffset }) => mobileOffset ?? offset.map(() => 0)),
    );
    const mobile = placed.flatMap(({ law, row }) =>
      law.offset.map((_, c) =>
        (law.mobileOffset?.[c] ?? 0) === 0
          ? []
          : law.unknowns.map((__, k) => diagonalPlace(delassus, row + k)),
      ),
    );
    this.#mobileStart = new Int32Array(this.count + 1);
    mobile.forEach((places, c) => (this.#mobileStart[c + 1] = this.#mobileStart[c] + places.length));
    this.#mobilePlaces = Int32Array.from(mobile.flat());
    const friction = laws.flatMap((law, row) => (law.kind === 'friction' ? [[row, law.coefficient]] : []));
    this.hasFriction = friction.length > 0;
    this.#friction = Int32Array.from(friction, ([row]) => row);
    this.#mu = Float64Array.from(friction, ([, mu]) => mu);
    this.#expansion = expansion(placed, laws.length);
    this.operator = this.isPlain ? delassus : this.#layOut(placed);
    this.update();
  }

  /** Pattern of the operator, and what each entry is made of. */
  #layOut(placed: readonly PlacedLaw[]): SparseRows {
    const rows = this.#sums(placed).map((row) => [...row].sort(([a], [b]) => a - b));
    const sums = rows.flatMap((row) => row.map(([, sum]) => sum));
    this.#constants = Float64Array.from(sums, ({ constant }) => constant);
    this.#termStart = new Int32Array(sums.length + 1);
    sums.forEach(({ terms }, e) => (this.#termStart[e + 1] = this.#termStart[e] + terms.length));
    const terms = sums.flatMap((sum) => sum.terms);
    this.#places = Int32Array.from(terms, ([place]) => place);
    this.#coefficients = Float64Array.from(terms, ([, coefficient]) => coefficient);
    return sparseFromPattern(rows.map((row) => row.map(([column]) => column)));
  }

  /** S W T + K by canonical row and column. */
  #sums(placed: readonly PlacedLaw[]): Map<number, Sum>[] {
    const { delassus } = this;
    const { rowStart, columns, values } = this.#expansion;
    const sums = Array.from({ length: this.count }, () => new Map<number, Sum>());
    const at = (row: number, column: number): Sum => {
      const sum = sums[row].get(column) ?? { constant: 0, terms: [] };
      sums[row].set(column, sum);
      return sum;
    };
    const S = this.#outputs;
    for (let condition = 0; condition < this.count; condition++)
      for (let s = S.rowStart[condition]; s < S.rowStart[condition + 1]; s++) {
        const row = S.columns[s];
        const sign = S.values[s];
        for (let k = delassus.rowStart[row]; k < delassus.rowStart[row + 1]; k++) {
          const other = delassus.columns[k];
          for (let c = rowStart[other]; c < rowStart[other + 1]; c++)
            at(condition, columns[c]).terms.push([k, sign * values[c]]);
        }
      }
    for (const { law, row, unknown } of placed) {
      for (const [i, j, value] of law.own) at(unknown + i, unknown + j).constant += value;
      const diagonals = law.unknowns.map((_, k) => diagonalPlace(delassus, row + k));
      for (const [i, j, value] of law.mobile)
        for (const place of diagonals) at(unknown + i, unknown + j).terms.push([place, value]);
    }
    return sums;
  }

  /** Brings the operator to the present values of W. */
  update(): void {
    if (this.isPlain) return;
    const W = this.delassus.values;
    const { values } = this.operator;
    const constants = this.#constants;
    const termStart = this.#termStart;
    const places = this.#places;
    const coefficients = this.#coefficients;
    for (let e = 0; e < values.length; e++) {
      let sum = 0;
      const end = termStart[e + 1];
      for (let k = termStart[e]; k < end; k++) sum += W[places[k]] * coefficients[k];
      values[e] = sum + constants[e];
    }
  }

  /**
   * Offsets of the canonical problem.
   * @param free y at λ = 0, by row
   * @param reference what restitution compares with, by row
   * @param q filled by canonical row
   */
  offsets(free: Float64Array, reference: Float64Array, q: Float64Array): void {
    const { rowStart, columns, values } = this.delassus;
    const lambda0 = this.#lambda0;
    const S = this.#outputs;
    for (let c = 0; c < q.length; c++) {
      let value = this.#offset[c];
      for (let s = S.rowStart[c]; s < S.rowStart[c + 1]; s++) value += S.values[s] * free[S.columns[s]];
      for (let s = S.rowStart[c]; s < S.rowStart[c + 1]; s++) {
        const row = S.columns[s];
        for (let k = rowStart[row]; k < rowStart[row + 1]; k++)
          value += S.values[s] * values[k] * lambda0[columns[k]];
      }
      for (let k = this.#mobileStart[c]; k < this.#mobileStart[c + 1]; k++)
        value += this.#mobileOffset[c] * values[this.#mobilePlaces[k]];
      q[c] = value;
    }
    for (let k = 0; k < this.#earlier.length; k++) {
      const [c, row, value] = this.#earlier[k];
      q[c] += value * reference[row];
    }
  }

  /** λ by row from the canonical unknowns. */
  recover(x: Float64Array, lambda: Float64Array): void {
    for (let i = 0; i < lambda.length; i++) lambda[i] = this.#lambda0[i] + rowDot(this.#expansion, i, x);
    const friction = this.#friction;
    for (let k = 0; k < friction.length; k++) {
      const row = friction[k];
      // What rounding leaves outside the cone would be friction of a contact that does not press.
      const limit = this.#mu[k] * lambda[row - 1];
      if (lambda[row] > limit) lambda[row] = limit;
      else if (lambda[row] < -limit) lambda[row] = limit === 0 ? 0 : -limit;
    }
  }
}

/** T of all laws. */
function expansion(placed: readonly PlacedLaw[], count: number): SparseRows {
  const rows = Array.from({ length: count }, (): Entry[] => []);
  for (const { law, row, unknown } of placed)
    for (const [r, x, value] of law.lambda) rows[row + r].push([row + r, unknown + x, value]);
  const matrix = sparseFromPattern(rows.map((row) => row.map(([, x]) => x)));
  matrix.values.set(rows.flat().map(([, , value]) => value));
  return matrix;
}

/** S of all laws. */
function outputs(placed: readonly PlacedLaw[], count: number): SparseRows {
  const rows = Array.from({ length: count }, (): Entry[] => []);
  for (const { law, row, unknown } of placed)
    for (const [condition, r, value] of law.conditions)
      rows[unknown + condition].push([unknown + condition, row + r, value]);
  const matrix = sparseFromPattern(rows.map((row) => row.map(([, r]) => r)));
  matrix.values.set(rows.flat().map(([, , value]) => value));
  return matrix;
}

/** Place of W_ii; the pattern of W has its diagonal. */
function diagonalPlace({ rowStart, columns }: SparseRows, row: number): number {
  return columns.subarray(0, rowStart[row + 1]).indexOf(row, rowStart[row]);
}
