/**
 * Laws given by a graph of straight pieces, as sums of simple elements. A graph that is passed from left to
 * right, with vertical pieces that fall, is
 *
 *     λ = Σ σ_k μ_k,     −w_k ∈ N_[l_k, u_k](μ_k),
 *     w_k = y − y_k                         (vertical: a relay, or a stop where one end is infinite),
 *     w_k = y − y_k + c_k (μ_k − m_k)       (sloped; c_k = |Δy/Δλ|, μ_k = m_k where y = y_k),
 *
 * one element for each piece that is not horizontal, with σ_k = 1 where it falls and −1 where it rises: a
 * sloped element is at its upper bound to the left of its piece, on it where w_k = 0, at its lower bound to
 * the right of it, and all others are at bounds meanwhile. Levels of horizontal pieces are sums of bounds.
 * So the mode of each element says on which piece the row is, and all that is known of boxes (modes by
 * problems, ties, exact arcs, disturbances) holds for graphs. Where D = 0 the elements of a row do not act on
 * each other, and with D they are a problem whose solution is the point of the graph with y = h + D λ.
 *
 * Sloped elements yield: they have degree 0, whatever the relation has. Vertical ones have the degree of the
 * relation. A sloped piece that ends at a vertical one does so where that is left or reached: its mode there
 * follows from the one of the vertical element (`mode-decision.ts`).
 */
import { determination, graphOf } from '../../model/laws/determined-graphs';
import { directions } from '../../model/laws/piecewise-linear';
import type { PiecewiseLinearGraph } from '../../model/forms';
import {
  type Interaction,
  type NonSmoothDynamicalSystem,
  type Relation,
  partAt,
  rowName,
  velocitiesOf,
} from '../../model/nsds';
import { unsupported } from '../failures';

/** One element; counted within its interaction. */
export interface GraphElement {
  /** row of the relation */
  readonly row: number;
  /** σ: 1 where λ is μ, −1 where it is −μ */
  readonly sign: 1 | -1;
  /** y_k */
  readonly target: number;
  /** c_k; 0 of vertical pieces */
  readonly compliance: number;
  /** m_k */
  readonly reference: number;
  readonly lower: number;
  readonly upper: number;
  /** vertical elements at the left and right end of a sloped piece; −1 where there is none */
  readonly left: number;
  readonly right: number;
}

/** An interaction whose rows are elements of graphs. */
export interface ExpandedInteraction extends Interaction {
  readonly elements?: readonly GraphElement[];
}

/* From a graph to its elements. */

/** A straight piece; an end that is null is infinitely far. */
interface Piece {
  readonly from: readonly [number, number] | null;
  readonly to: readonly [number, number] | null;
  readonly dy: number;
  readonly dLambda: number;
  /** a point on it, for a line without ends */
  readonly at: readonly [number, number];
}

/** Pieces from left to right, or from above where all are vertical; those along one line are one. */
function piecesOf(graph: PiecewiseLinearGraph): Piece[] {
  const { y, lambda } = graph;
  const point = (k: number): readonly [number, number] | null =>
    k < 0 || k >= y.length ? null : [y[k], lambda[k]];
  const passed = directions(graph).map(([dy, dLambda], k): Piece => {
    const [from, to] = [point(k - 1), point(k)];
    return { from, to, dy, dLambda, at: from ?? to ?? [0, 0] };
  });
  const isLevel = passed.every(({ dy }) => dy === 0);
  const isBackwards = passed.some(({ dy, dLambda }) => dy < 0 || (isLevel && dLambda > 0));
  const isForwards = passed.some(({ dy, dLambda }) => dy > 0 || (isLevel && dLambda < 0));
  const pieces =
    isBackwards && !isForwards
      ? passed.toReversed().map(({ from, to, dy, dLambda, at }) => ({
          from: to,
          to: from,
          dy: 0 - dy,
          dLambda: 0 - dLambda,
          at,
        }))
      : passed;
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    const isAligned =
      last !== undefined &&
      last.dy * piece.dLambda === last.dLambda * piece.dy &&
      last.dy * piece.dy + last.dLambda * piece.dLambda > 0;
    if (isAligned) joined[joined.length - 1] = { ...last, to: piece.to };
    else joined.push(piece);
  }
  return joined;
}

/** What keeps a graph from being a sum of elements; null where nothing does. */
function obstacleOf(pieces: readonly Piece[]): string | null {
  const place = ({ at }: Piece): string => `(${at[0]}, ${at[1]})`;
  const back = pieces.find(({ dy }) => dy < 0);
  if (back !== undefined) return `its graph turns back in y at ${place(back)}, so that one y has several λ`;
  const rising = pieces.find(({ dy, dLambda }) => dy === 0 && dLambda > 0);
  if (rising !== undefined) return `its graph rises vertically at ${place(rising)}, which gives no motion`;
  if (pieces.every(({ dLambda }) => dLambda === 0))
    return 'its graph is a constant λ, which is no law but a force';
  return null;
}

/** Bounds of μ relative to its level at the reference. */
function boundsOf({ from, to, dLambda, at }: Piece): {
  level: number;
  lower: number;
  upper: number;
} {
  const level = (from ?? to ?? at)[1];
  if (from === null) return { level, lower: to === null ? -Infinity : 0, upper: Infinity };
  return { level, lower: to === null ? -Infinity : -Math.abs(dLambda), upper: 0 };
}

/**
 * @param row of the relation
 * @param first number of the first element
 */
function elementsOf(pieces: readonly Piece[], row: number, first: number): GraphElement[] {
  const isSteep = (k: number): boolean => pieces[k]?.dy === 0;
  const numbers: number[] = [];
  let count = first;
  for (const { dLambda } of pieces) numbers.push(dLambda === 0 ? -1 : count++);
  let base: number | null = null;
  return pieces.flatMap((piece, k): GraphElement[] => {
    if (numbers[k] < 0) return [];
    const { dy, dLambda } = piece;
    const sign = dLambda < 0 ? 1 : -1;
    const { level, lower, upper } = boundsOf(piece);
    // The first element carries the level of λ to the left of all.
    const shift: number = base === null ? sign * level : 0;
    base = 0;
    return [
      {
        row,
        sign,
        target: (piece.from ?? piece.to ?? piece.at)[0],
        compliance: dy === 0 ? 0 : dy / Math.abs(dLambda),
        reference: shift,
        lower: lower + shift,
        upper: upper + shift,
        left: dy > 0 && isSteep(k - 1) ? numbers[k - 1] : -1,
        right: dy > 0 && isSteep(k + 1) ? numbers[k + 1] : -1,
      },
    ];
  });
}

/* Which graphs a relation can have. */

/** @throws {EngineError} naming the interaction */
function checkRelation(
  { id, relation, law }: Interaction,
  graphs: readonly PiecewiseLinearGraph[],
  byRow: readonly (readonly Piece[])[],
): void {
  const { order, hasFeedthrough, D, size } = relation;
  if (hasFeedthrough && D === null)
    throw unsupported(id, 'its output does not depend on the multiplier through a constant matrix D');
  if (law.multiplier !== 'force') throw unsupported(id, 'the λ of its graph is an impulse over a step');
  const yields = (r: number): boolean =>
    hasFeedthrough && D !== null && D.subarray(r * size, (r + 1) * size).some((entry) => entry !== 0);
  const isStop = byRow.some((pieces, r) => !yields(r) && pieces.some(({ dy }) => dy === 0));
  if (order === 2 && law.level === 'position' && isStop)
    throw unsupported(
      id,
      'its graph has a vertical piece on positions, which is a stop without a law of impact',
    );
  if (order === 2 && law.level === 'velocity' && hasFeedthrough)
    throw unsupported(id, 'its output depends on the multiplier, and its graph is one of velocities');
  if (!hasFeedthrough || D === null) return;
  const found = determination(D, size, graphs);
  const isRising = byRow.some((pieces) => pieces.some(({ dLambda }) => dLambda > 0));
  if (found === 'yes' || (found === 'nearly' && !isRising)) return;
  throw unsupported(
    id,
    isRising
      ? 'a piece of its graph rises so steeply that y = h + D λ does not determine λ'
      : 'its D is so negative that y = h + D λ does not determine λ, though its graphs fall',
  );
}

/* The model whose rows are elements. */

/** The relation between the same coordinates and the multipliers μ of elements. */
function expandRelation(relation: Relation, elements: readonly GraphElement[]): Relation {
  const { size: rows, columns } = relation;
  const velocities = velocitiesOf(relation);
  const size = elements.length;
  const pick = (source: Float64Array, width: number, out: Float64Array): void => {
    elements.forEach(({ row }, k) => {
      for (let j = 0; j < width; j++) out[k * width + j] = source[row * width + j];
    });
  };
  const expandC = (C: Float64Array): Float64Array => {
    const out = new Float64Array(size * velocities);
    pick(C, velocities, out);
    return out;
  };
  const expandD = (D: Float64Array | null, out: Float64Array): void => {
    elements.forEach(({ row, compliance }, k) => {
      elements.forEach((other, l) => {
        const own = D === null ? 0 : D[row * rows + other.row] * other.sign;
        out[k * size + l] = own + (k === l ? compliance : 0);
      });
    });
  };
  const expandB = (B: Float64Array, out: Float64Array): void => {
    elements.forEach(({ row, sign }, k) => {
      for (let j = 0; j < columns; j++) out[j * size + k] = sign * B[j * rows + row];
    });
  };
  const lambda = new Float64Array(rows);
  const y = new Float64Array(rows);
  const add = (mu: Float64Array): void => {
    lambda.fill(0);
    for (let k = 0; k < size; k++) lambda[elements[k].row] += elements[k].sign * mu[k];
  };
  const fullC = new Float64Array(rows * velocities);
  const fullD = new Float64Array(rows * rows);
  const fullB = new Float64Array(columns * rows);
  const D = new Float64Array(size * size);
  expandD(relation.D, D);
  const B = relation.B === null ? null : new Float64Array(columns * size);
  if (B !== null && relation.B !== null) expandB(relation.B, B);
  const { curvature } = relation;
  return {
    type: relation.type,
    order: relation.order,
    size,
    columns,
    velocities,
    C: relation.C === null ? null : expandC(relation.C),
    D,
    B,
    hasFeedthrough: D.some((entry) => entry !== 0),
    hasStateInput: relation.hasStateInput,
    isAffine: relation.isAffine,
    isTimeDependent: relation.isTimeDependent,
    output(clock, z, mu, out) {
      add(mu);
      relation.output(clock, z, lambda, y);
      for (let k = 0; k < size; k++) {
        const { row, target, compliance, reference } = elements[k];
        out[k] = y[row] - target;
        if (compliance !== 0) out[k] += compliance * (mu[k] - reference);
      }
    },
    outputJacobians(clock, z, mu, outC, outD) {
      add(mu);
      relation.outputJacobians(clock, z, lambda, fullC, fullD);
      pick(fullC, velocities, outC);
      outD.set(D);
    },
    timeDerivative(clock, z, out) {
      relation.timeDerivative(clock, z, y);
      for (let k = 0; k < size; k++) out[k] = y[elements[k].row];
    },
    ...(curvature === undefined
      ? {}
      : {
          curvature(clock: Float64Array, z: Float64Array, v: Float64Array, out: Float64Array) {
            curvature(clock, z, v, y);
            for (let k = 0; k < size; k++) out[k] = y[elements[k].row];
          },
        }),
    input(clock, z, mu, out) {
      add(mu);
      relation.input(clock, z, lambda, out);
    },
    inputJacobians(clock, z, mu, outK, outB) {
      add(mu);
      relation.inputJacobians(clock, z, lambda, outK, fullB);
      expandB(fullB, outB);
    },
  };
}

/** A row beside graphs that is a box itself: one element, at y = 0. */
const boxElement = ({ lower, upper }: { lower: number; upper: number }, row: number): GraphElement => ({
  row,
  sign: 1,
  target: 0,
  compliance: 0,
  reference: 0,
  lower,
  upper,
  left: -1,
  right: -1,
});

/** Whether a row of an interaction may be absent. */
const comesAndGoes = ({ law, presence }: Interaction, row: number): boolean =>
  presence !== undefined || partAt(law, row)?.presence !== undefined;

function expand(interaction: Interaction): ExpandedInteraction {
  const { id, relation, law } = interaction;
  if (law.rows.every(({ kind }) => kind !== 'graph')) return interaction;
  const rows = Array.from({ length: relation.size }, (_, r) => law.rows[r % law.size]);
  const graphs = rows.map((own, r): PiecewiseLinearGraph => {
    const graph = graphOf(own, comesAndGoes(interaction, r));
    if (graph === null) throw unsupported(id, 'its law has a graph beside rows that are one vector');
    return graph;
  });
  const byRow = graphs.map((graph, r): readonly Piece[] => {
    const pieces = piecesOf(graph);
    const obstacle = rows[r].kind === 'graph' ? obstacleOf(pieces) : null;
    if (obstacle !== null) throw unsupported(rowName(interaction, r), obstacle);
    return pieces;
  });
  checkRelation(interaction, graphs, byRow);
  const elements: GraphElement[] = [];
  byRow.forEach((pieces, r) => {
    const own = rows[r];
    elements.push(...(own.kind === 'box' ? [boxElement(own, r)] : elementsOf(pieces, r, elements.length)));
  });
  const isLine = elements.some(({ lower, upper }) => lower === -Infinity && upper === Infinity);
  if (isLine && relation.order === 2 && law.level === 'velocity')
    for (const { lower, upper, compliance } of elements)
      if (lower === -Infinity && upper === Infinity && compliance === 0)
        throw unsupported(id, 'its graph is one vertical line, which is an equality and not a graph');
  return {
    ...interaction,
    relation: expandRelation(relation, elements),
    law: {
      ...law,
      size: elements.length,
      rows: elements.map(({ lower, upper }) => ({ kind: 'box', lower, upper })),
    },
    elements,
  };
}

/**
 * The model with the elements of graphs as rows; the model itself where no law is a graph.
 * @throws {EngineError} naming an interaction whose graph the scheme cannot treat
 */
export function expandGraphs(
  model: NonSmoothDynamicalSystem,
): NonSmoothDynamicalSystem & { readonly interactions: readonly ExpandedInteraction[] } {
  const { interactions } = model;
  if (interactions.every(({ law }) => law.rows.every(({ kind }) => kind !== 'graph'))) return model;
  return { ...model, interactions: interactions.map(expand) };
}
