/** Laws that are graphs beside resets and conditions, against exponentials from change to change. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { sample } from '../../support/prove';
import { linear, reset, resetting } from '../resets/documents';
import { run } from '../support/run';
import { type Random, seeded } from '../support/random';
import { type GraphPiece, type SwitchedModel, SwitchedOracle } from '../support/switched-oracle';
import { randomGraphs } from './graph-models';
import { one } from './switched-models';

const END = 3;
/** λ = 0 whatever y is: a row that is absent. */
const NOTHING: readonly GraphPiece[] = [{ alpha: 0, beta: 0, from: -Infinity, to: Infinity }];

interface Change {
  readonly time: number;
  readonly what: 'reset' | 'leaves' | 'comes';
}

/** Times in (0, END) at which sin(ω t + φ) passes a level, upwards or downwards. */
function passages(omega: number, phase: number, level: number, isUp: boolean): number[] {
  const first = ((isUp ? Math.asin(level) : Math.PI - Math.asin(level)) - phase) / omega;
  const period = (2 * Math.PI) / omega;
  const start = first - Math.floor(first / period) * period;
  return Array.from({ length: 20 }, (_, k) => start + k * period).filter((t) => t > 0 && t < END);
}

/** A random model whose sine is two more states of its plant, so that all of it is autonomous. */
function draw(random: Random): {
  document: ModelDocument;
  oracle: SwitchedModel;
  changes: Change[];
  map: number[][];
  /** value of the sine up to which the first law is there */
  limit: number;
} {
  const { oracle: plain, model } = randomGraphs(random);
  const { A, B, C, D, E, F, graphs = [] } = plain;
  const [n, m] = [A.length, C.length];
  const [omega, phase] = [random.uniform(1, 6), random.uniform(0, 6)];
  const wide = (row: readonly number[], driven: number): number[] => [...row, driven, 0];
  const whole = {
    A: [
      ...A.map((row, i) => wide(row, E[i][1])),
      [...A.map(() => 0), 0, omega],
      [...A.map(() => 0), -omega, 0],
    ],
    B: [...B, C.map(() => 0), C.map(() => 0)],
    C: C.map((row, r) => wide(row, F[r][1])),
    D: D.map((row, i) => row.map((d, j) => (i === j ? d : 0))),
    E: [...E.map(([e]) => [e]), [0], [0]],
    F: F.map(([f]) => [f]),
  };
  const x0 = [...plain.x0, Math.sin(phase), Math.cos(phase)];
  const oracle: SwitchedModel = { ...whole, lower: [], upper: [], x0, sources: [one], graphs };
  // A time resets the states; a level of the sine has the first law come and go.
  const at = random.uniform(0.5, 2.5);
  const limit = random.uniform(0.65, 0.9);
  const map = A.map(() => Array.from({ length: n + 1 }, () => random.uniform(-0.8, 0.8)));
  const hasReset = random.chance(0.7);
  const hasCondition = !hasReset || random.chance(0.6);
  const texts = map.map((row) =>
    row.map((c, j) => (j === n ? `${c}` : `(${c}) * plant.x[${j}]`)).join(' + '),
  );
  const guard = `t - ${at}`;
  const points = model.interactions[0].law.rows.map((row) => {
    if (row.kind !== 'graph') throw new Error('the law is a graph');
    const { y, lambda, startDirection, endDirection } = row.graph;
    return {
      type: 'PiecewiseLinear',
      points: Array.from(y, (value, k) => [value, lambda[k]]),
      start: [...startDirection],
      end: [...endDirection],
    };
  });
  const document: ModelDocument = {
    ...resetting(
      [
        linear(
          'plant',
          whole.A,
          whole.E.map(([e]) => e),
          x0,
        ),
        ...(hasReset
          ? [reset('jump', 'plant', guard, [...texts, `plant.x[${n}]`, `plant.x[${n + 1}]`])]
          : []),
      ],
      { tEnd: END, h: END / random.integer(10, 300) },
    ),
    interactions: Array.from({ length: m }, (_, r) => ({
      id: `law${r}`,
      systems: ['plant'],
      relation: {
        type: 'FirstOrderLinearTI',
        C: [whole.C[r]],
        B: whole.B.map((row) => [row[r]]),
        D: [[whole.D[r][r]]],
        e: whole.F[r],
      },
      law: points[r],
      ...(r === 0 && hasCondition
        ? { while: { type: 'Condition', condition: [`${limit} - plant.x[${n}]`] } }
        : {}),
    })),
  };
  const changes: Change[] = [
    ...(hasReset ? [{ time: at, what: 'reset' } as const] : []),
    ...(hasCondition
      ? [
          ...passages(omega, phase, limit, true).map((time) => ({ time, what: 'leaves' }) as const),
          ...passages(omega, phase, limit, false).map((time) => ({ time, what: 'comes' }) as const),
        ]
      : []),
  ].sort((a, b) => a.time - b.time);
  return { document, oracle, changes, map, limit: hasCondition ? limit : Infinity };
}

/** The end of the motion, from change to change. */
function endOf({ oracle, changes, map, limit }: ReturnType<typeof draw>): number[] {
  const n = map.length;
  let x = [...oracle.x0];
  let isPresent = x[n] <= limit;
  let t = 0;
  for (const change of [...changes, { time: END, what: 'end' as const }]) {
    const graphs = (oracle.graphs ?? []).map((own, r) => (r === 0 && !isPresent ? NOTHING : own));
    x = new SwitchedOracle({ ...oracle, graphs, x0: x }).run(change.time - t, 0.01).x;
    t = change.time;
    if (change.what === 'reset')
      x = x.map((value, i) =>
        i < n ? map[i].reduce((sum, c, j) => sum + c * (j === n ? 1 : x[j]), 0) : value,
      );
    else if (change.what !== 'end') isPresent = change.what === 'comes';
  }
  return x;
}

describe('graphs beside resets and conditions', () => {
  it('move as an enumeration of their pieces does from change to change', { timeout: 3_600_000 }, () => {
    let resets = 0;
    let conditions = 0;
    const count = sample(12, 2000);
    for (let seed = 0; seed < count; seed++) {
      const drawn = draw(seeded(7000 + seed));
      const expected = endOf(drawn);
      const { column, session } = run(drawn.document);
      const label = `seed ${seed}`;
      const { complementarity, dynamics } = session.certificate;
      expect(Math.max(complementarity, dynamics), label).toBeLessThan(1e-8);
      expected.forEach((value, i) => {
        const found = column(`plant.x[${i}]`).at(-1) ?? NaN;
        expect(Math.abs(found - value) / Math.max(1, Math.abs(value)), label).toBeLessThan(1e-7);
      });
      resets += drawn.changes.filter(({ what }) => what === 'reset').length;
      conditions += drawn.changes.filter(({ what }) => what !== 'reset').length;
    }
    expect(resets).toBeGreaterThan(count / 2);
    expect(conditions).toBeGreaterThan(count);
  });
});
