/**
 * Piecewise linear law: (y, λ) lies on a chain of straight pieces. Siconos developer's notes §7 has
 * complementarity, relays and saturations as separate laws; all are such graphs (van Bokhoven 1981).
 *
 * Where λ does not increase with y along the whole chain, its graph in (λ, −y) is maximal monotone, and a
 * one-step problem with a positive definite operator has exactly one solution. Otherwise it may have several
 * or none.
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { PiecewiseLinearGraph } from '../forms';
import type { NonSmoothLaw } from '../nsds';
import { type LawTarget, levelField, readLevel } from './common';

export const definition: ElementDefinition = {
  category: 'law',
  type: 'PiecewiseLinear',
  title: 'Piecewise linear',
  summary:
    'A characteristic curve of straight pieces, vertical and horizontal ones included: saturation, play, Zener diodes.',
  equations: [
    '(y, \\lambda) \\in \\mathcal G',
    '\\mathcal G = \\text{ray} \\cup \\text{segments} \\cup \\text{ray}',
  ],
  fields: [
    {
      key: 'points',
      kind: 'matrix',
      rows: 'any',
      columns: 2,
      label: 'Breakpoints',
      symbol: '(y_i, \\lambda_i)',
      unit: '',
      required: true,
      help: 'One row (y, λ) for each breakpoint, in the order in which the graph passes them. Slopes are dλ/dy; λ falls with y where the law takes power out, as an element of a circuit with λ the current into the circuit, −i.',
    },
    {
      key: 'start',
      kind: 'vector',
      length: 2,
      label: 'Direction into the first point',
      symbol: 'd_0',
      unit: '',
      required: true,
      help: 'Direction (dy, dλ) in which the graph comes from infinity into the first breakpoint: (1, 0) horizontally from the left, (1, −2) from the left with slope −2, (0, −1) vertically from above.',
    },
    {
      key: 'end',
      kind: 'vector',
      length: 2,
      label: 'Direction out of the last point',
      symbol: 'd_1',
      unit: '',
      required: true,
      help: 'Direction (dy, dλ) in which the graph leaves the last breakpoint to infinity: (1, 0) horizontally to the right, (0, −1) vertically downwards.',
    },
    levelField('position'),
  ],
  source: 'Siconos developer’s notes §7; van Bokhoven 1981',
};

/** Directions of all pieces, in the order in which they are passed. */
export function directions({
  y,
  lambda,
  startDirection,
  endDirection,
}: PiecewiseLinearGraph): [number, number][] {
  const inner = Array.from({ length: Math.max(0, y.length - 1) }, (_, i): [number, number] => [
    y[i + 1] - y[i],
    lambda[i + 1] - lambda[i],
  ]);
  return [[...startDirection], ...inner, [...endDirection]];
}

/** Whether λ never increases with y, so that the graph is maximal monotone in (λ, −y). */
export function isMonotone(graph: PiecewiseLinearGraph): boolean {
  const pieces = directions(graph);
  const falling = (sign: number): boolean =>
    pieces.every(([dy, dLambda]) => sign * dy >= 0 && sign * dLambda <= 0);
  return falling(1) || falling(-1);
}

function check(fields: FieldReader, graph: PiecewiseLinearGraph): void {
  const isZero = ([dy, dLambda]: readonly [number, number]): boolean => dy === 0 && dLambda === 0;
  for (const [key, direction] of [
    ['start', graph.startDirection],
    ['end', graph.endDirection],
  ] as const) {
    if (!isZero(direction)) continue;
    fields.reject(
      key,
      'zero-direction',
      'The direction (0, 0) does not lead anywhere.',
      'Give (dy, dλ), e.g. [1, 0] for a horizontal ray to the right.',
    );
  }
  const same = directions(graph).slice(1, -1).findIndex(isZero);
  if (same >= 0) {
    fields.reject(
      'points',
      'equal-points',
      `The breakpoints ${same} and ${same + 1} are the same point.`,
      'Remove one of them.',
    );
  }
}

export function build(fields: FieldReader, target: LawTarget): NonSmoothLaw {
  const count = fields.matrixRows('points');
  if (count === 0) {
    fields.reject('points', 'no-points', 'The graph has no breakpoint.', 'Give at least one, e.g. [[0, 0]].');
  }
  const reported = fields.defectCount;
  const points = fields.matrix('points', count, 2) ?? new Float64Array(0);
  const start = fields.vector('start', 2);
  const end = fields.vector('end', 2);
  const graph: PiecewiseLinearGraph = {
    y: points.filter((_, k) => k % 2 === 0),
    lambda: points.filter((_, k) => k % 2 === 1),
    startDirection: [start[0], start[1]],
    endDirection: [end[0], end[1]],
  };
  if (fields.defectCount === reported && points.every(Number.isFinite)) check(fields, graph);
  return {
    type: definition.type,
    size: 1,
    rows: [{ kind: 'graph', graph }],
    level: readLevel(fields, target, 'position'),
    multiplier: 'force',
    restitution: null,
  };
}
