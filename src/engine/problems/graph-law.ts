/**
 * A law given by a graph in the (y, λ) plane. With points P_0 … P_m, coming in along d_0 and leaving along d_{m+1}, the
 * graph is run through by a parameter s:
 *
 *     P(s) = P_0 + s d_0 + Σ_{k=0}^{m} (d_{k+1} − d_k) x_k,     x_k = max(0, s − k),
 *
 * with d_k = P_k − P_{k−1} in between. x_k is a complementarity, 0 ≤ x_k ⊥ x_k − s + k ≥ 0, s is free, and its equation
 * says that the relation's y at λ = P_λ(s) is P_y(s):
 *
 *     y(λ) − P_y(s) = 0,   y(λ) = W λ + q.
 *
 * So a graph of m + 1 points takes m + 2 unknowns, and vertical and horizontal pieces cost nothing more. The graph is
 * run through in the direction in which λ grows and y falls, so that a maximal monotone law keeps the diagonal
 * positive.
 */
import type { PiecewiseLinearGraph } from '../model/forms';
import type { Entry, ReducedLaw } from './reduced-law';

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

function orient(graph: PiecewiseLinearGraph): OrientedGraph {
  const n = graph.y.length;
  const ys = Array.from(graph.y);
  const lambdas = Array.from(graph.lambda);
  let start = graph.startDirection;
  let end = graph.endDirection;
  const progress = lambdas[n - 1] - lambdas[0] - ys[n - 1] + ys[0] + start[1] + end[1] - start[0] - end[0];
  if (progress < 0) {
    ys.reverse();
    lambdas.reverse();
    [start, end] = [
      [-end[0], -end[1]],
      [-start[0], -start[1]],
    ];
  }
  const directions = [
    start,
    ...ys.slice(1).map((y, k): [number, number] => [y - ys[k], lambdas[k + 1] - lambdas[k]]),
    end,
  ];
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
export function reduceGraph(graph: PiecewiseLinearGraph): ReducedLaw {
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
