/** All solutions of a small problem, or the first of them. The search itself is in `enumeration-tree.ts`. */
import type { AffineVariationalInequality } from '../problems/avi';
import { EnumerationTree } from './enumeration-tree';
import { AT_LOWER, AT_UPPER } from './row-state';
import { conclude, refuse, type Solver } from './solver';
import type { SolverResult } from './status';

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
