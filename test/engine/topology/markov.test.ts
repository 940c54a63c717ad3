/** Markov rows of coupled models against dense products, and ranks of matrices whose rank is known. */
import { describe, expect, it } from 'vitest';
import { eliminate, trackedMatrix } from '@engine/topology/elimination';
import { Linearisation, MarkovRows } from '@engine/topology/linearisation';
import type { TopologyInteraction, TopologyModel } from '@engine/topology/topology-model';
import {
  combine,
  identity,
  type Matrix,
  multiply,
  randomGram,
  randomMatrix,
  solveMany,
  zeros,
} from '../support/dense';
import { type Random, seeded } from '../support/random';
import * as forms from './forms';

const ORDERS = 6;

interface Case {
  model: TopologyModel;
  /** D, C E⁻¹B, C A E⁻¹B, … of the whole model */
  parameters: Matrix[];
}

/** First-order and Lagrangian systems side by side, with interactions of either order. */
function randomCase(random: Random): Case {
  const kinds = Array.from({ length: random.integer(1, 4) }, () => random.integer(1, 2));
  const sizes = kinds.map(() => random.integer(1, 3));
  const offsets = kinds.map((_, i) => kinds.slice(0, i).reduce((sum, order, k) => sum + order * sizes[k], 0));
  const n = kinds.reduce((sum, order, i) => sum + order * sizes[i], 0);
  const [E, F] = [identity(n), zeros(n, n)];
  const place = (target: Matrix, block: Matrix, row: number, column: number, sign = 1): void =>
    block.forEach((line, i) => line.forEach((x, j) => (target[row + i][column + j] += sign * x)));
  const systems = kinds.map((order, i) => {
    const [size, at] = [sizes[i], offsets[i]];
    if (order === 1) {
      const [A, M] = [
        randomMatrix(random, size, size),
        combine([3, identity(size)], [1, randomMatrix(random, size, size)]),
      ];
      place(F, A, at, at);
      place(E, combine([1, M], [-1, identity(size)]), at, at);
      return forms.firstOrder(`s${i}`, A, M);
    }
    const [M, K, C] = [
      randomGram(random, size, size, 0.5),
      randomMatrix(random, size, size),
      randomMatrix(random, size, size),
    ];
    place(F, identity(size), at, at + size);
    place(F, K, at + size, at, -1);
    place(F, C, at + size, at + size, -1);
    place(E, combine([1, M], [-1, identity(size)]), at + size, at + size);
    return forms.lagrangian(`s${i}`, M, { stiffness: K, damping: C });
  });
  const outputs: Matrix = [];
  const inputs: Matrix = [];
  const feedthrough: Matrix[] = [];
  const interactions = Array.from({ length: random.integer(1, 4) }, (_, a): TopologyInteraction => {
    const order = kinds[random.integer(0, kinds.length - 1)];
    const candidates = kinds.flatMap((kind, i) => (kind === order ? [i] : []));
    const linked = random
      .sample(random.integer(1, Math.min(2, candidates.length)), candidates.length)
      .map((k) => candidates[k]);
    const rows = random.integer(1, 2);
    const columns = linked.reduce((sum, i) => sum + sizes[i], 0);
    const [C, B, D, K] = [
      randomMatrix(random, rows, columns),
      randomMatrix(random, columns, rows),
      randomMatrix(random, rows, rows),
      randomMatrix(random, columns, columns),
    ];
    const states = linked.flatMap((i) => Array.from({ length: sizes[i] }, (_x, k) => offsets[i] + k));
    const forces = linked.flatMap((i) =>
      Array.from({ length: sizes[i] }, (_x, k) => offsets[i] + (order - 1) * sizes[i] + k),
    );
    for (let row = 0; row < rows; row++) {
      outputs.push(new Array<number>(n).fill(0));
      inputs.push(new Array<number>(n).fill(0));
      states.forEach((state, k) => (outputs.at(-1)![state] = C[row][k]));
      forces.forEach((state, k) => (inputs.at(-1)![state] = order === 1 ? B[k][row] : C[row][k]));
    }
    feedthrough.push(D);
    if (order === 1) states.forEach((i, row) => states.forEach((j, column) => (F[i][j] += K[row][column])));
    const relation = order === 1 ? forms.firstOrderRelation(C, B, D, K) : forms.lagrangianRelation(C, D);
    return forms.interaction(`i${a}`, linked, relation);
  });
  const m = outputs.length;
  const D = zeros(m, m);
  let row = 0;
  for (const block of feedthrough) {
    place(D, block, row, row);
    row += block.length;
  }
  const B = inputs[0].map((_, i) => inputs.map((column) => column[i]));
  const parameters = [D];
  for (let state = solveMany(E, B); parameters.length <= ORDERS; state = solveMany(E, multiply(F, state)))
    parameters.push(multiply(outputs, state));
  return { model: forms.model(systems, interactions), parameters };
}

describe('Markov rows', () => {
  it('of 200 random models equal the dense C A^{r−1} E⁻¹B', () => {
    const random = seeded(77);
    for (let k = 0; k < 200; k++) {
      const { model, parameters } = randomCase(random);
      const rows = new MarkovRows(model, new Linearisation(model, Float64Array.of(0)));
      parameters[0].forEach((_, j) => {
        rows.start(j);
        for (let order = 0; order <= ORDERS; order++) {
          const expected = parameters[order][j];
          const scale = Math.max(1e-3, ...expected.map(Math.abs));
          expected.forEach((x, i) => {
            expect(Math.abs(rows.markov.value[i] - x) / scale).toBeLessThan(1e-9);
            expect(rows.markov.magnitude[i]).toBeGreaterThanOrEqual(Math.abs(rows.markov.value[i]));
          });
          rows.advance();
        }
      });
    }
  });

  it('do not ask for the forces of bodies in contact', () => {
    const { form } = forms.lagrangian('body', [[1]]);
    if (form.order !== 2) throw new Error('Lagrangian expected');
    const refuse = (): never => {
      throw new Error('no force may be differentiated');
    };
    const model = forms.model(
      [{ id: 'body', form: { ...form, linear: null, forceJacobians: refuse } }],
      [forms.interaction('contact', [0], forms.lagrangianRelation([[1]]), forms.impact)],
    );
    const rows = new MarkovRows(model, new Linearisation(model, Float64Array.of(0)));
    rows.start(0);
    rows.advance();
    rows.advance();
    expect(rows.markov.value[0]).toBe(1);
    expect(() => rows.advance()).toThrow('no force');
  });
});

describe('elimination', () => {
  const withUnits = (random: Random, matrix: Matrix, decades: number): Matrix => {
    const units = (n: number): number[] =>
      Array.from({ length: n }, () => 10 ** random.uniform(-decades, decades));
    const [row, column] = [units(matrix.length), units(matrix[0].length)];
    return matrix.map((line, i) => line.map((x, j) => x * row[i] * column[j]));
  };

  it.each([0, 8])('finds the rank of products of thin matrices, in units over ±%i decades', (decades) => {
    const random = seeded(50 + decades);
    for (let k = 0; k < 60; k++) {
      const [rows, columns] = [random.integer(1, 100), random.integer(1, 100)];
      const rank = random.integer(0, Math.min(rows, columns));
      const product = multiply(randomMatrix(random, rows, rank), randomMatrix(random, rank, columns));
      const full = rank === 0 ? zeros(rows, columns) : product;
      const tracked = trackedMatrix(rows, columns);
      withUnits(random, full, decades).forEach((line, i) => tracked.values.set(line, i * columns));
      tracked.magnitudes.set(tracked.values.map(Math.abs));
      const result = eliminate(tracked);
      expect(result.rank).toBe(rank);
      expect(result.isPivot.reduce((a, b) => a + b, 0)).toBe(rank);
    }
  });

  it('keeps full rank of matrices with a large condition number', () => {
    // Hilbert's matrix of 6 rows: condition number 1.5e7.
    const n = 6;
    const tracked = trackedMatrix(n, n);
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) tracked.values[i * n + j] = 1 / (i + j + 1);
    tracked.magnitudes.set(tracked.values);
    expect(eliminate(tracked).rank).toBe(n);
  });

  it('is not led astray by units that make a small pivot look large', () => {
    // det = −2 + O(ε) with ε = 1e-12; in these units ε has become by far the largest entry.
    const epsilon = 1e-12;
    const a = [
      [epsilon, 1, 1],
      [1, 1, 2],
      [1, 2, 1],
    ];
    const units = [1e20, 1, 1];
    const tracked = trackedMatrix(3, 3);
    a.forEach((line, i) => line.forEach((x, j) => (tracked.values[i * 3 + j] = x * units[i] * units[j])));
    tracked.magnitudes.set(tracked.values);
    expect(eliminate(tracked).rank).toBe(3);
  });

  it('carries further columns along: the combinations that vanish', () => {
    const random = seeded(9);
    const a = randomMatrix(random, 4, 4);
    const rows = [...a, combine([2, [a[0]]], [-1, [a[3]]])[0]];
    const tracked = trackedMatrix(5, 9);
    rows.forEach((line, i) => {
      tracked.values.set(line, i * 9);
      tracked.values[i * 9 + 4 + i] = 1;
    });
    tracked.magnitudes.set(tracked.values.map(Math.abs));
    const { rank, isPivot } = eliminate(tracked, 4);
    expect(rank).toBe(4);
    const dependent = isPivot.indexOf(0);
    const weights = [...tracked.values.subarray(dependent * 9 + 4, dependent * 9 + 9)];
    const sum = rows[0].map((_, j) => rows.reduce((s, line, i) => s + weights[i] * line[j], 0));
    expect(Math.max(...sum.map(Math.abs))).toBeLessThan(1e-12);
    expect(weights.map((w) => w !== 0)).toEqual([true, false, false, true, true]);
  });
});
