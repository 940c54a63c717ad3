/** All solutions of a small problem, or the first of them. The search itself is below. */
import { AffineVariationalInequality } from '../../problems/avi';
import { FaceSolver } from '../face';
import { Lemke } from './lemke';
import { AT_LOWER, AT_UPPER, BETWEEN, Scaling } from '../scaling';
import {
  LARGEST_ANSWER,
  LARGEST_TOLD,
  type Solver,
  type SolverResult,
  clip,
  conclude,
  createSolverResult,
  isAnswer,
  isUnresolved,
  refuse,
} from '../solver';

/*
 * Solutions on a face whose operator W_FF is singular. They form the polyhedron
 *
 *     P = { z_F : w_F = 0,  l_F ≤ z_F ≤ u_F,  w_i ≥ 0 at lower bounds, w_i ≤ 0 at upper bounds },
 *
 * which may be empty, a point, or larger. The point of P nearest to a given one x₀ solves a monotone problem
 * of the same kind, with multipliers μ (free) of the equations and ν ≥ 0 of the inequalities:
 *
 *     x − x₀ − W_FFᵀ μ − W_BFᵀ ν ∈ −N_[l,u](x),   W_FF x + c_F = 0,   0 ≤ W_BF x + c_B ⊥ ν ≥ 0.
 *
 * P has more than one point exactly if the nearest point moves when x₀ is displaced along some axis.
 */

/** Residual of the nearest point: what Lemke leaves, with room. */
const TOLERANCE = 1e-10;
/** A nearest point that moves by more than this fraction of the displacement is another point. */
const MOVED = 1e-6;

class SingularFace {
  /** whether the face that `find` looked at has more than one point */
  isContinuum = false;
  readonly #lemke = new Lemke();
  readonly #scaling = new Scaling();
  readonly #result = createSolverResult();

  /** Leaves a point of the face in `problem.z`. @returns false when the face has none */
  find(problem: AffineVariationalInequality, states: Uint8Array): boolean {
    this.#scaling.update(problem);
    const { size: n } = problem;
    const s = this.#scaling.values;
    const free: number[] = [];
    for (let i = 0; i < n; i++) if (states[i] === BETWEEN) free.push(i);
    this.#setBounds(problem, states);
    const nearest = this.#nearestProblem(problem, states, free);
    const k = free.length;
    if (!this.#solve(nearest)) return false;
    const point = nearest.z.slice(0, k);
    this.isContinuum = this.#moves(nearest, point);
    free.forEach((row, a) => (problem.z[row] = s[row] * point[a]));
    return true;
  }

  #setBounds(problem: AffineVariationalInequality, states: Uint8Array): void {
    const { size: n, z, lower, upper } = problem;
    for (let i = 0; i < n; i++) {
      if (states[i] === BETWEEN) z[i] = 0;
      else z[i] = states[i] === AT_LOWER ? lower[i] : upper[i];
    }
    problem.multiply();
  }

  /** In scaled units; unknowns x, then the multipliers of all rows. */
  #nearestProblem(
    problem: AffineVariationalInequality,
    states: Uint8Array,
    free: readonly number[],
  ): AffineVariationalInequality {
    const { size: n, rowStart, columns, values, w, lower, upper } = problem;
    const s = this.#scaling.values;
    const k = free.length;
    const size = k + n;
    const matrix = new Float64Array(size * size);
    const q = new Float64Array(size);
    const low = new Float64Array(size);
    const high = new Float64Array(size).fill(Number.POSITIVE_INFINITY);
    free.forEach((row, a) => {
      matrix[a * size + a] = 1;
      low[a] = lower[row] / s[row];
      high[a] = upper[row] / s[row];
    });
    for (let i = 0; i < n; i++) {
      // Where z is fixed, w may be any number: no condition.
      const isFixed = states[i] !== BETWEEN && lower[i] === upper[i];
      const sign = isFixed ? 0 : states[i] === AT_UPPER ? -1 : 1;
      q[k + i] = sign * s[i] * w[i];
      if (states[i] === BETWEEN) low[k + i] = Number.NEGATIVE_INFINITY;
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
        const a = free.indexOf(columns[e]);
        if (a < 0) continue;
        const value = sign * s[i] * values[e] * s[columns[e]];
        matrix[(k + i) * size + a] = value;
        matrix[a * size + k + i] = -value;
      }
    }
    return AffineVariationalInequality.dense(matrix, q, low, high);
  }

  #solve(nearest: AffineVariationalInequality): boolean {
    this.#lemke.solve(nearest, TOLERANCE, this.#result);
    return this.#result.status === 'converged';
  }

  #moves(nearest: AffineVariationalInequality, point: Float64Array): boolean {
    const displacement = 1 + point.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    for (let a = 0; a < point.length; a++) {
      for (const direction of [1, -1]) {
        // Stationarity reads x − x₀ + …: the target enters the right side with the opposite sign.
        for (let b = 0; b < point.length; b++) nearest.q[b] = -point[b];
        nearest.q[a] -= direction * displacement;
        if (!this.#solve(nearest)) continue;
        if (point.some((x, b) => Math.abs(nearest.z[b] - x) > MOVED * displacement)) return true;
      }
    }
    return false;
  }
}

/*
 * The search tree of the enumeration. Row by row, one of up to three states is assumed (at the lower bound,
 * between the bounds, at the upper bound), and the assumption is used at once: "between" eliminates a z with
 * the equation w_i = 0 (a pivot). All rows then depend on the z that are still undecided only,
 *
 *     (z or w of the row) = c + Σ_j T_j z_j,   z_j ∈ [l_j, u_j],
 *
 * and a branch ends as soon as some z cannot get into its box, or some w not to its sign, whatever the
 * undecided z.
 *
 * An equation whose pivots vanish is set aside with its unknown, and tried again when later rows have brought
 * further unknowns. What is still aside at a leaf is a singular face; `SingularFace` finds out whether it has
 * points and whether it has more than one. Murty 1988 §1.3.
 */

/**
 * A pivot below this, in units in which the diagonal of W is near 1, is zero to rounding, or too small to
 * divide by. A branch that it could save, with a z of which anything could be told, is no proof.
 */
const PIVOT_TOLERANCE = 1e-11;
/** A branch ends only when a condition is missed by more than this fraction of the data. */
const PRUNE = 1e-9;

/** A residual below this may be what rounding has left of an answer. */
const DOUBTFUL = 1e-6;

/** What a row of the tableau expresses. */
const W_OF_ROW = -1;

export class EnumerationTree {
  /** AT_LOWER, BETWEEN or AT_UPPER for each row of the last solution */
  states = new Uint8Array(0);
  /** whether the last solution is a point of a continuum */
  isContinuum = false;
  /**
   * whether a combination was rejected for the residual of its answer, or for an entry near zero, alone: the
   * search is no proof then, and `doubtful` is that answer, or zero
   */
  isDoubtful = false;
  doubtful = new Float64Array(0);
  /** whether `doubtful` is an answer */
  #hasAnswer = false;
  nodes = 0;
  /** whether the search has come to its end */
  isExhausted = false;
  /** whether it was ended by the limit on nodes */
  isCutOff = false;
  #problem: AffineVariationalInequality | null = null;
  #n = 0;
  #depth = 0;
  #maxNodes = 0;
  readonly #numbers = new Float64Array(2);
  /** rows in the order in which they are decided: free ones first */
  #order = new Int32Array(0);
  /** last state tried at each depth, −1 for none */
  #tried = new Int8Array(0);
  /** for each depth: n × (n + 1) tableau, its last column the constants */
  #tableau = new Float64Array(0);
  /** for each depth: what rounding may have left of an entry of W that is zero */
  #rounding = new Float64Array(0);
  /** for each depth and row: W_OF_ROW, or the unknown that the row expresses */
  #meaning = new Int32Array(0);
  /** for each depth and column: 1 while z_j is undecided or aside */
  #isLive = new Uint8Array(0);
  /** for each depth and row: 1 while its equation w = 0 is aside; for each column: while its z is */
  #equationAside = new Uint8Array(0);
  #unknownAside = new Uint8Array(0);
  readonly #scaling = new Scaling();
  readonly #singular = new SingularFace();
  #face = new FaceSolver(0);

  /** @param tolerance largest residual of a solution */
  begin(problem: AffineVariationalInequality, tolerance: number, maxNodes: number): void {
    const { size: n } = problem;
    if (this.states.length < n || this.#problem === null) this.#grow(n);
    this.#problem = problem;
    this.#n = n;
    this.#maxNodes = maxNodes;
    this.nodes = 0;
    this.isExhausted = false;
    this.isCutOff = false;
    this.isDoubtful = false;
    this.doubtful.fill(0, 0, n);
    this.#hasAnswer = false;
    this.#scaling.update(problem);
    this.#setRoot(problem);
    this.#numbers[1] = tolerance;
    this.#depth = 0;
    this.#tried[0] = -1;
  }

  #grow(n: number): void {
    this.states = new Uint8Array(n);
    this.doubtful = new Float64Array(n);
    this.#order = new Int32Array(n);
    this.#tried = new Int8Array(n + 1);
    this.#tableau = new Float64Array((n + 1) * n * (n + 1));
    this.#rounding = new Float64Array(n + 1);
    this.#meaning = new Int32Array((n + 1) * n);
    this.#isLive = new Uint8Array((n + 1) * n);
    this.#equationAside = new Uint8Array((n + 1) * n);
    this.#unknownAside = new Uint8Array((n + 1) * n);
    this.#face = new FaceSolver(n);
  }

  #setRoot(problem: AffineVariationalInequality): void {
    const { size: n, rowStart, columns, values, q, lower, upper } = problem;
    const width = n + 1;
    const s = this.#scaling.values;
    this.#tableau.fill(0, 0, n * width);
    let scale = 0;
    let count = 0;
    for (let i = 0; i < n; i++) {
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++)
        this.#tableau[i * width + columns[k]] = s[i] * values[k] * s[columns[k]];
      this.#tableau[i * width + n] = s[i] * q[i];
      scale = Math.max(scale, Math.abs(s[i] * q[i]));
      if (lower[i] !== Number.NEGATIVE_INFINITY) scale = Math.max(scale, Math.abs(lower[i] / s[i]));
      if (upper[i] !== Number.POSITIVE_INFINITY) scale = Math.max(scale, Math.abs(upper[i] / s[i]));
      this.#meaning[i] = W_OF_ROW;
      this.#isLive[i] = 1;
      this.#equationAside[i] = 0;
      this.#unknownAside[i] = 0;
    }
    this.#numbers[0] = PRUNE * scale;
    this.#rounding[0] = Number.EPSILON;
    for (let i = 0; i < n; i++) if (isFree(problem, i)) this.#order[count++] = i;
    for (let i = 0; i < n; i++) if (!isFree(problem, i)) this.#order[count++] = i;
  }

  /** Goes on to the next solution, which is left in `problem.z`. @returns false at the end of the search */
  next(): boolean {
    const problem = this.#problem;
    if (problem === null || this.isExhausted) return false;
    const n = this.#n;
    while (this.#depth >= 0) {
      const depth = this.#depth;
      if (depth === n) {
        this.#depth--;
        if (this.#acceptLeaf(problem)) return true;
        continue;
      }
      const state = this.#nextState(problem, this.#order[depth], this.#tried[depth]);
      if (state < 0) {
        this.#depth--;
        continue;
      }
      this.#tried[depth] = state;
      if (++this.nodes > this.#maxNodes) {
        this.isCutOff = true;
        break;
      }
      this.#copyDown(depth);
      this.#assume(problem, depth + 1, this.#order[depth], state);
      if (!this.#isPossible(problem, depth + 1)) continue;
      this.#depth = depth + 1;
      this.#tried[depth + 1] = -1;
    }
    this.isExhausted = true;
    return false;
  }

  /** The state to try after `last`: lower bound, between, upper bound; −1 when there is none. */
  #nextState(problem: AffineVariationalInequality, i: number, last: number): number {
    const hasLower = problem.lower[i] !== Number.NEGATIVE_INFINITY;
    const hasUpper = problem.upper[i] !== Number.POSITIVE_INFINITY;
    if (last < 0 && hasLower) return AT_LOWER;
    if (problem.lower[i] === problem.upper[i]) return -1;
    if (last < 0 || last === AT_LOWER) return BETWEEN;
    return last === BETWEEN && hasUpper ? AT_UPPER : -1;
  }

  #copyDown(depth: number): void {
    const n = this.#n;
    const size = n * (n + 1);
    this.#tableau.copyWithin((depth + 1) * size, depth * size, (depth + 1) * size);
    const from = depth * n;
    const to = from + n;
    this.#rounding[depth + 1] = this.#rounding[depth];
    this.#meaning.copyWithin(to, from, to);
    this.#isLive.copyWithin(to, from, to);
    this.#equationAside.copyWithin(to, from, to);
    this.#unknownAside.copyWithin(to, from, to);
  }

  #assume(problem: AffineVariationalInequality, depth: number, i: number, state: number): void {
    const n = this.#n;
    this.states[i] = state;
    if (state === BETWEEN) {
      this.#equationAside[depth * n + i] = 1;
      this.#unknownAside[depth * n + i] = 1;
      while (this.#pivotOnce(depth)) {
        // A pivot may make another one possible.
      }
      return;
    }
    const width = n + 1;
    const base = depth * n * width;
    const bound = (state === AT_LOWER ? problem.lower[i] : problem.upper[i]) / this.#scaling.values[i];
    this.#isLive[depth * n + i] = 0;
    if (bound === 0) return;
    for (let r = 0; r < n; r++)
      this.#tableau[base + r * width + n] += this.#tableau[base + r * width + i] * bound;
  }

  /**
   * Solves the equation aside with the largest pivot for its unknown.
   * @returns false when all pivots vanish
   */
  #pivotOnce(depth: number): boolean {
    const n = this.#n;
    const width = n + 1;
    const base = depth * n * width;
    const tableau = this.#tableau;
    let best = PIVOT_TOLERANCE;
    let row = -1;
    let column = -1;
    for (let r = 0; r < n; r++) {
      if (this.#equationAside[depth * n + r] === 0) continue;
      for (let c = 0; c < n; c++) {
        if (this.#unknownAside[depth * n + c] === 0) continue;
        const size = Math.abs(tableau[base + r * width + c]);
        if (!(size > best)) continue;
        best = size;
        row = r;
        column = c;
      }
    }
    if (row < 0) return false;
    this.#equationAside[depth * n + row] = 0;
    this.#unknownAside[depth * n + column] = 0;
    this.#isLive[depth * n + column] = 0;
    this.#meaning[depth * n + row] = column;
    this.#eliminate(depth, row, column);
    return true;
  }

  /**
   * z_column from row, put into every other row. Errors ρ of entries a grow by (1 + |a_pj/p|) (1 + |a_rc/p|),
   * p = a_pc.
   */
  #eliminate(depth: number, row: number, column: number): void {
    const n = this.#n;
    const width = n + 1;
    const base = depth * n * width;
    let inRow = 0;
    let inColumn = 0;
    const tableau = this.#tableau;
    const pivotRow = base + row * width;
    const factor = -1 / tableau[pivotRow + column];
    for (let j = 0; j <= n; j++) tableau[pivotRow + j] *= factor;
    tableau[pivotRow + column] = 0;
    for (let j = 0; j < n; j++) inRow = Math.max(inRow, Math.abs(tableau[pivotRow + j]));
    for (let r = 0; r < n; r++) {
      if (r === row) continue;
      const other = base + r * width;
      const value = tableau[other + column];
      if (value === 0) continue;
      inColumn = Math.max(inColumn, Math.abs(value));
      for (let j = 0; j <= n; j++) tableau[other + j] += value * tableau[pivotRow + j];
      tableau[other + column] = 0;
    }
    const grown = this.#rounding[depth] * (1 + inRow) * (1 + inColumn * Math.abs(factor));
    this.#rounding[depth] = grown + Number.EPSILON * inRow * inColumn;
  }

  /** Whether every decided row can still keep its condition, with z up to what an answer may have. */
  #isPossible(problem: AffineVariationalInequality, depth: number): boolean {
    if (this.#everyRowIsPossible(problem, depth, LARGEST_ANSWER)) return true;
    this.isDoubtful ||= this.#everyRowIsPossible(problem, depth, LARGEST_TOLD);
    return false;
  }

  /** @param largest size of z, relative to the data, with which entries near zero count */
  #everyRowIsPossible(problem: AffineVariationalInequality, depth: number, largest: number): boolean {
    for (let k = 0; k < depth; k++)
      if (!this.#rowIsPossible(problem, depth, this.#order[k], largest)) return false;
    return true;
  }

  #rowIsPossible(problem: AffineVariationalInequality, depth: number, row: number, largest: number): boolean {
    const n = this.#n;
    const width = n + 1;
    const start = depth * n * width + row * width;
    const s = this.#scaling.values;
    const rounding = this.#rounding[depth];
    let noise = this.#numbers[0];
    let least = this.#tableau[start + n];
    let most = least;
    for (let j = 0; j < n; j++) {
      if (this.#isLive[depth * n + j] === 0) continue;
      const value = this.#tableau[start + j];
      // What the elimination has left of zero must not count as a way out to infinity, nor be one.
      if (Math.abs(value) <= PIVOT_TOLERANCE) {
        if (Math.abs(value) > rounding) noise += (Math.abs(value) * largest * this.#numbers[0]) / PRUNE;
        continue;
      }
      const l = (value * problem.lower[j]) / s[j];
      const u = (value * problem.upper[j]) / s[j];
      least += Math.min(l, u);
      most += Math.max(l, u);
    }
    const unknown = this.#meaning[depth * n + row];
    if (unknown >= 0)
      return (
        most >= problem.lower[unknown] / s[unknown] - noise &&
        least <= problem.upper[unknown] / s[unknown] + noise
      );
    if (this.states[row] === BETWEEN) return most >= -noise && least <= noise;
    if (problem.lower[row] === problem.upper[row]) return true;
    return this.states[row] === AT_LOWER ? most >= -noise : least <= noise;
  }

  /** Whether the present leaf has a solution, which is then left in `problem.z`. */
  #acceptLeaf(problem: AffineVariationalInequality): boolean {
    const n = this.#n;
    let aside = 0;
    for (let r = 0; r < n; r++) aside += this.#equationAside[n * n + r];
    this.isContinuum = false;
    if (aside > 0) {
      const face = this.#singular;
      if (!face.find(problem, this.states)) {
        // Only entries that count as zero here have let the branch come as far as this.
        if (!this.#everyRowIsPossible(problem, n, 0)) this.isDoubtful = true;
        return false;
      }
      this.isContinuum = face.isContinuum;
    } else {
      this.#face.state.set(this.states.subarray(0, n));
      if (!this.#face.solve(problem)) return false;
      this.states.set(this.#face.state.subarray(0, n));
    }
    clip(problem);
    problem.certify();
    if (isAnswer(problem, this.#numbers[1])) return true;
    // What is left may be the digits that have been lost, and no proof.
    if (this.#hasAnswer) return false;
    this.#hasAnswer = problem.measure[0] <= DOUBTFUL || isUnresolved(problem, this.#numbers[1]);
    if (!this.#hasAnswer) return false;
    this.isDoubtful = true;
    for (let i = 0; i < n; i++) this.doubtful[i] = problem.z[i];
    return false;
  }
}

const isFree = ({ lower, upper }: AffineVariationalInequality, i: number): boolean =>
  lower[i] === Number.NEGATIVE_INFINITY && upper[i] === Number.POSITIVE_INFINITY;

/** Largest problem: the work is exponential, and each level of the tree keeps a dense matrix. */
const LARGEST = 48;
/** Points of one solution, found from different faces, agree to this, relative to its size. */
const SAME = 1e-8;
/** How exactly a point has to lie on the face of a continuum to belong to it, relative to the data. */
const ON_FACE = 1e-9;
const DEFAULT_TOLERANCE = 1e-10;
const DEFAULT_NODES = 10_000_000;

export interface EnumeratedSolution {
  readonly z: Float64Array;
  /** AT_LOWER, BETWEEN or AT_UPPER for each row: a face of the box on which it was found */
  readonly states: Uint8Array;
  /** false for a point of a continuum of solutions */
  readonly isIsolated: boolean;
}

export interface Enumeration {
  /** each solution once, in the order of the search; of each continuum one or more points */
  readonly solutions: readonly EnumeratedSolution[];
  readonly hasContinuum: boolean;
  /** whether every combination was decided: then there is no further isolated solution */
  readonly isExhaustive: boolean;
  /** partial combinations looked at */
  readonly nodes: number;
}

export interface EnumerationLimits {
  /** largest residual of a solution */
  readonly tolerance?: number;
  readonly maxNodes?: number;
  readonly maxSolutions?: number;
}

/**
 * All solutions of a problem. `problem.z` and `problem.w` are overwritten.
 * @returns no solutions and `isExhaustive` false for problems above 48 unknowns
 */
export function enumerateSolutions(
  problem: AffineVariationalInequality,
  limits: EnumerationLimits = {},
): Enumeration {
  const { tolerance = DEFAULT_TOLERANCE, maxNodes = DEFAULT_NODES } = limits;
  const { maxSolutions = Number.POSITIVE_INFINITY } = limits;
  if (problem.size > LARGEST) return { solutions: [], hasContinuum: false, isExhaustive: false, nodes: 0 };
  const tree = new EnumerationTree();
  const found: { z: Float64Array; states: Uint8Array; isIsolated: boolean }[] = [];
  tree.begin(problem, tolerance, maxNodes);
  while (found.length < maxSolutions && tree.next()) {
    const z = problem.z.slice(0, problem.size);
    const states = tree.states.slice(0, problem.size);
    const known = found.find((other) => isSame(other.z, z));
    if (known === undefined) found.push({ z, states, isIsolated: !tree.isContinuum });
    else if (tree.isContinuum && known.isIsolated) found.push({ z, states, isIsolated: false });
  }
  const faces = found.filter(({ isIsolated }) => !isIsolated).map(({ states }) => states);
  const solutions = found
    .map((one) => ({
      ...one,
      isIsolated: one.isIsolated && !faces.some((face) => isOn(problem, one.z, face)),
    }))
    // A point that a continuum repeats.
    .filter((one, k, all) => !all.some((other, j) => j < k && isSame(other.z, one.z)));
  return {
    solutions,
    hasContinuum: faces.length > 0,
    isExhaustive: tree.isExhausted && !tree.isCutOff && !tree.isDoubtful,
    nodes: tree.nodes,
  };
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  let size = 0;
  for (const x of a) size = Math.max(size, Math.abs(x));
  return a.every((x, i) => Math.abs(x - b[i]) <= SAME * size);
}

/** Whether a solution lies on the closure of a face. */
function isOn(problem: AffineVariationalInequality, z: Float64Array, face: Uint8Array): boolean {
  problem.z.set(z);
  problem.multiply();
  let scale = 0;
  for (let i = 0; i < problem.size; i++) scale = Math.max(scale, Math.abs(problem.q[i]));
  return face.every((state, i) => {
    if (state === AT_LOWER) return z[i] === problem.lower[i];
    if (state === AT_UPPER) return z[i] === problem.upper[i];
    return Math.abs(problem.w[i]) <= ON_FACE * scale;
  });
}

/** The first solution of the search. */
export class EnumerationSolver implements Solver {
  readonly #tree = new EnumerationTree();

  /** @param maxNodes partial combinations to look at */
  constructor(private readonly maxNodes: number) {}

  solve(problem: AffineVariationalInequality, tolerance: number, result: SolverResult): void {
    result.solver = 'Enumeration';
    if (problem.size > LARGEST) {
      refuse(problem, result, 'unsuitable');
      return;
    }
    const tree = this.#tree;
    tree.begin(problem, tolerance, this.maxNodes);
    const isFound = tree.next();
    result.iterations = tree.nodes;
    if (!isFound && tree.isDoubtful) {
      for (let i = 0; i < problem.size; i++) problem.z[i] = tree.doubtful[i];
      conclude(problem, tolerance, result, tree.isCutOff ? 'maxIterations' : 'unresolved');
      return;
    }
    const failure = tree.isCutOff ? 'maxIterations' : 'noSolution';
    conclude(problem, tolerance, result, isFound ? 'converged' : failure);
  }
}
