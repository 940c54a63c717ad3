/**
 * Random passive circuits: stores P ẋ = (J − R) x + ᵗE λ, ports y = E x + (G + K) λ with R, G semidefinite
 * and J, K skew, so that d/dt ½ ᵗx P x ≤ ᵗy λ, which ideal diodes make zero. Their one-step problems are
 * solvable, with operators that are semidefinite, not symmetric, and singular where diodes form loops.
 */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { sample } from '../../support/prove';
import { model } from '../support/models';
import { type Random, seeded } from '../support/random';
import { start } from '../support/run';

interface Circuit {
  readonly document: ModelDocument;
  /** P by state */
  readonly stores: number[];
}

/** @param decades stores are of 10^±decades, conductances of half of that */
function circuit(random: Random, decades: number): Circuit {
  const n = random.integer(1, 4);
  const m = random.integer(1, 6);
  const size = (d: number): number => 10 ** random.uniform(-d, d);
  const incidence = (): number => [0, 0, 1, -1][random.integer(0, 3)];
  const zeros = (rows: number, columns: number): number[][] =>
    Array.from({ length: rows }, () => new Array<number>(columns).fill(0));
  const stores = Array.from({ length: n }, () => size(decades));
  const E = zeros(m, n).map((row) => row.map(incidence));
  const D = zeros(m, m);
  for (let r = random.integer(0, m); r > 0; r--) {
    const g = size(decades / 2);
    const a = D.map(incidence);
    D.forEach((row, i) => row.forEach((_, j) => (row[j] += g * a[i] * a[j])));
  }
  for (let i = 0; i < m; i++)
    for (let j = 0; j < i; j++) {
      const skew = random.chance(0.4) ? incidence() : 0;
      D[i][j] += skew;
      D[j][i] -= skew;
    }
  const A = zeros(n, n);
  for (let i = 0; i < n; i++) {
    if (random.chance(0.5)) A[i][i] = -size(decades / 2) / stores[i];
    for (let j = 0; j < i; j++) {
      const skew = random.chance(0.5) ? incidence() : 0;
      A[i][j] = skew / stores[i];
      A[j][i] = -skew / stores[j];
    }
  }
  const h = 10 ** random.uniform(-6, -1);
  const document = model(
    [{ id: 'stores', type: 'FirstOrderLinear', n, x0: stores.map(() => random.uniform(-1, 1) * size(1)), A }],
    [
      {
        id: 'diodes',
        systems: ['stores'],
        relation: {
          type: 'FirstOrderLinearTI',
          C: E,
          D,
          B: stores.map((p, i) => E.map((row) => row[i] / p)),
        },
        law: { type: 'Complementarity' },
      },
    ],
    { h, tEnd: 100 * h },
  );
  const { simulation } = document;
  return {
    stores,
    document: {
      ...document,
      simulation: {
        ...simulation,
        integrators: [{ type: 'EulerMoreau', theta: 1 }],
        problem: { type: 'auto' },
      },
    },
  };
}

/** Runs one; by the implicit Euler method its energy falls, too. @returns how the run ended */
function judge({ document, stores }: Circuit, place: string): string {
  const { session, column } = start(document);
  if (session.advance(Number.MAX_SAFE_INTEGER) === 'failed') return session.error?.code ?? '';
  const { complementarity, coneViolation, dynamics } = session.certificate;
  expect(Math.max(complementarity, coneViolation, dynamics), place).toBeLessThan(1e-6);
  const states = stores.map((_, i) => column(stores.length > 1 ? `stores.x[${i}]` : 'stores.x'));
  const energies = Array.from(states[0], (_, k) =>
    stores.reduce((sum, p, i) => sum + 0.5 * p * states[i][k] ** 2, 0),
  );
  energies.forEach((energy, k) => {
    if (k > 0) expect(energy, place).toBeLessThanOrEqual(energies[k - 1] + 1e-9 * energies[0]);
  });
  return 'done';
}

/** The first circuits of a sequence, then some of the others. */
function* circuits(
  seed: number,
  decades: number,
  count: number,
  others: readonly number[],
): Generator<[number, Circuit]> {
  const random = seeded(seed);
  for (let k = 0; k < Math.max(count, ...others.map((other) => other + 1)); k++) {
    const one = circuit(random, decades);
    if (k < count || others.includes(k)) yield [k, one];
  }
}

describe('random circuits of stores, resistors, gyrators and ideal diodes', () => {
  it('are solved and lose energy, with stores of four decades', () => {
    // 349 has multipliers of 10⁵ times the data, which the conditions could be taken to contradict.
    for (const [k, one] of circuits(31, 2, sample(150, 5000), [349]))
      expect(judge(one, `circuit ${k}`), `circuit ${k}`).toBe('done');
  });

  it('are solved with stores of twelve decades, but for some whose digits do not tell, which is said', () => {
    const count = sample(200, 5000);
    let unsolved = 0;
    // In 1503 two currents cancel but for rounding; the others have entries that decide, and are near
    // rounding. That there is no solution would be wrong to say of any of them.
    for (const [k, one] of circuits(32, 6, count, [1503, 2666, 4083, 4639, 4736])) {
      const end = judge(one, `circuit ${k}`);
      if (end === 'done') continue;
      expect(end, `circuit ${k}`).toBe('solver-unresolved');
      if (k < count) unsolved++;
    }
    expect(unsolved).toBeLessThan(0.02 * count);
  });
});
