/** Random linear systems whose laws are graphs, for the engine and for the oracle. */
import type { LawForm } from '@engine/model/forms';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { graph, interaction, linearFirstOrder, system } from '../support/forms';
import type { Random } from '../support/random';
import type { GraphPiece, SwitchedModel } from '../support/switched-oracle';
import { dominant, forced, matrix, one, sine } from './switched-models';

export interface RandomGraphs {
  readonly oracle: SwitchedModel;
  readonly model: NonSmoothDynamicalSystem;
  readonly what: string;
}

type Shape = 'level' | 'falling' | 'rising' | 'vertical';

/** A graph from left to right, or written backwards, and its pieces. */
interface RandomGraph {
  readonly law: LawForm;
  readonly pieces: GraphPiece[];
  readonly shapes: string;
}

/**
 * @param canRise whether pieces may rise
 * @param canStop whether rays may be vertical
 */
export function randomGraph(random: Random, canRise: boolean, canStop: boolean): RandomGraph {
  const count = random.integer(1, 4);
  const shapes: Shape[] = [];
  for (let k = 0; k <= count; k++) {
    const isRay = k === 0 || k === count;
    const all: Shape[] = ['level', 'falling', 'vertical', ...(canRise ? (['rising'] as const) : [])];
    const choice = all.filter(
      (shape) =>
        !(shape === 'level' && shapes.at(-1) === 'level') &&
        !(shape === 'vertical' && (shapes.at(-1) === 'vertical' || (isRay && !canStop))),
    );
    shapes.push(choice[random.integer(0, choice.length - 1)]);
  }
  if (!shapes.some((shape) => shape !== 'level')) shapes.splice(0, 1, 'falling');
  let [y, lambda] = [random.uniform(-1, 0), random.uniform(-0.5, 1)];
  const slopes = shapes.map((shape) =>
    shape === 'level' ? 0 : random.uniform(0.3, 2) * (shape === 'falling' ? -1 : 0.6),
  );
  const points: [number, number][] = [[y, lambda]];
  const pieces: GraphPiece[] = [];
  const line = (k: number, from: number, to: number): GraphPiece => ({
    alpha: lambda - slopes[k] * y,
    beta: slopes[k],
    from,
    to,
  });
  shapes.forEach((shape, k) => {
    const isFirst = k === 0;
    const isLast = k === count;
    if (shape === 'vertical') {
      const drop = random.uniform(0.3, 2);
      if (isFirst) pieces.push({ at: y, from: lambda, to: Infinity });
      else if (isLast) pieces.push({ at: y, from: -Infinity, to: lambda });
      else {
        pieces.push({ at: y, from: lambda - drop, to: lambda });
        lambda -= drop;
      }
    } else {
      const width = random.uniform(0.1, 0.8);
      if (isFirst) pieces.push(line(k, -Infinity, y));
      else if (isLast) pieces.push(line(k, y, Infinity));
      else {
        pieces.push(line(k, y, y + width));
        y += width;
        lambda += slopes[k] * width;
      }
    }
    if (!isFirst && !isLast) points.push([y, lambda]);
  });
  const direction = (k: number): [number, number] => (shapes[k] === 'vertical' ? [0, -1] : [1, slopes[k]]);
  const law = random.chance(0.3)
    ? graph(points.toReversed(), reversed(direction(count)), reversed(direction(0)))
    : graph(points, direction(0), direction(count));
  return { law, pieces, shapes: shapes.join(' ') };
}

const reversed = ([dy, dLambda]: [number, number]): [number, number] => [-dy, -dLambda];

/** 1 to 4 states, 1 to 3 rows, with D or without it, driven by sines. */
export function randomGraphs(random: Random): RandomGraphs {
  const isDirect = random.chance(0.4);
  const m = random.integer(1, 3);
  const n = isDirect ? random.integer(1, 4) : random.integer(m, 4);
  const sources = [one, sine(random.uniform(1, 8), random.uniform(0, 6))];
  const A = matrix(n, n, (i, j) => random.uniform(-1, 1) - (i === j ? random.uniform(0, 1.5) : 0));
  const C = matrix(m, n, () => random.uniform(-1, 1));
  let B = matrix(n, m, () => random.uniform(-1, 1));
  let D = matrix(m, m, () => 0);
  if (isDirect) D = dominant(random, m);
  else {
    for (let r = 0; r < m; r++) for (let j = 0; j < n; j++) C[r][j] = r === j ? 1 : 0;
    const W = dominant(random, m);
    B = matrix(n, m, (i, j) => (i < m ? W[i][j] : random.uniform(-1, 1)));
  }
  const E = matrix(n, 2, () => random.uniform(-2, 2));
  const F = matrix(m, 2, () => (isDirect ? random.uniform(-1.5, 1.5) : random.uniform(-0.3, 0.3)));
  const graphs = Array.from({ length: m }, () => randomGraph(random, !isDirect, isDirect));
  const x0 = Array.from({ length: n }, () => random.uniform(-1, 1));
  const law: LawForm = { ...graphs[0].law, size: m, rows: graphs.flatMap((one_) => one_.law.rows) };
  const force = (t: number): number[] =>
    E.map((row) => row.reduce((sum, e, k) => sum + e * sources[k].value(t), 0));
  const oracle: SwitchedModel = {
    A,
    B,
    C,
    D,
    E,
    F,
    lower: [],
    upper: [],
    x0,
    sources,
    graphs: graphs.map(({ pieces }) => pieces),
  };
  return {
    oracle,
    model: {
      systems: [system('plant', linearFirstOrder(A, x0, { source: force }))],
      interactions: [interaction('law', [0], forced(C, B, D, F, sources), law)],
    },
    what: `${isDirect ? 'with D' : 'without D'}, ${n} states, ${graphs.map(({ shapes }) => shapes).join(' | ')}`,
  };
}
