/**
 * The operator of the one-step problem of mixed models, both ways of assembly, against dense matrices. Items
 * 2, 5, 6.
 */
import { describe, expect, it } from 'vitest';
import type { DynamicalSystem, Interaction } from '@engine/model/nsds';
import type { TimeStepping } from '@engine/time-stepping/time-stepping';
import {
  combine,
  identity,
  type Matrix,
  multiply,
  randomGram,
  randomMatrix,
  solveMany,
  transpose,
  zeros,
} from '../support/dense';
import * as forms from '../support/forms';
import { type Random, seeded } from '../support/random';

const H = 0.03;
const THETA = 0.5;
const THETA_R = 0.7;

interface Mixed {
  systems: DynamicalSystem[];
  interactions: Interaction[];
  /** iteration matrix of each system */
  iteration: Matrix[];
  /** rows over all coordinates: weighted C, weighted B transposed, and D */
  C: Matrix;
  B: Matrix;
  D: Matrix;
}

/** Two to four systems of both orders; interactions of one order each, at velocity and position level. */
function randomMixed(random: Random): Mixed {
  const sizes = Array.from({ length: random.integer(2, 4) }, () => random.integer(1, 3));
  const orders = sizes.map((_, i) => (i < 2 ? i + 1 : random.integer(1, 2)));
  const offsets = sizes.map((_, i) => sizes.slice(0, i).reduce((a, b) => a + b, 0));
  const total = sizes.reduce((a, b) => a + b, 0);
  const iteration: Matrix[] = [];
  const systems = sizes.map((n, i) => {
    if (orders[i] === 1) {
      const A = randomMatrix(random, n, n);
      const mass = randomGram(random, n, n, 0.5);
      iteration.push(combine([1, mass], [-H * THETA, A]));
      return forms.system(`s${i}`, forms.linearFirstOrder(A, new Array<number>(n).fill(0.1), { mass }));
    }
    const [mass, damping, stiffness] = [0.5, 0.1, 0.1].map((shift) => randomGram(random, n, n, shift));
    iteration.push(combine([1, mass], [H * THETA, damping], [H * H * THETA * THETA, stiffness]));
    const zero = new Array<number>(n).fill(0);
    return forms.system(`s${i}`, forms.linearLagrangian(zero, zero, mass, { damping, stiffness }));
  });
  const [C, B]: Matrix[] = [[], []];
  const through: { row: number; D: Matrix }[] = [];
  const interactions = Array.from({ length: random.integer(2, 4) }, (_, k) => {
    const order = (k % 2) + 1;
    const candidates = orders.flatMap((o, i) => (o === order ? [i] : []));
    const linked = random
      .sample(random.integer(1, candidates.length), candidates.length)
      .map((i) => candidates[i]);
    const columns = linked.flatMap((s) => Array.from({ length: sizes[s] }, (_u, j) => offsets[s] + j));
    const size = random.integer(1, 2);
    const c = randomMatrix(random, size, columns.length);
    const spread = (row: number[], weight: number): number[] => {
      const full = new Array<number>(total).fill(0);
      row.forEach((x, j) => (full[columns[j]] = weight * x));
      return full;
    };
    const D = randomGram(random, size, size, 1);
    const append = (b: Matrix, output: number, input: number, feedthrough: boolean): void => {
      if (feedthrough) through.push({ row: C.length, D });
      C.push(...c.map((row) => spread(row, output)));
      B.push(...transpose(b).map((row) => spread(row, input)));
    };
    if (order === 1) {
      const b = randomMatrix(random, columns.length, size);
      append(b, 1, H * THETA_R, true);
      return forms.interaction(`i${k}`, linked, forms.linearRelation(c, b, { D }), forms.complementarity());
    }
    const isImpact = random.chance(0.5);
    if (isImpact) append(transpose(c), 1, 1, false);
    else append(transpose(c), H * THETA, H, true);
    return isImpact
      ? forms.interaction(`i${k}`, linked, forms.lagrangianRelation(c), forms.impact(0.3))
      : forms.interaction(`i${k}`, linked, forms.lagrangianRelation(c, [], D), forms.complementarity());
  });
  const D = zeros(C.length, C.length);
  for (const { row, D: block } of through)
    block.forEach((line, i) => line.forEach((x, j) => (D[row + i][row + j] = x)));
  return { systems, interactions, iteration, C, B, D };
}

/** D + C Ŵ⁻¹ ᵗB with the block-diagonal Ŵ. */
function denseOperator({ iteration, C, B, D }: Mixed): Matrix {
  const total = iteration.reduce((sum, W) => sum + W.length, 0);
  const W = identity(total).map((row) => row.map(() => 0));
  let at = 0;
  for (const block of iteration) {
    block.forEach((row, i) => row.forEach((x, j) => (W[at + i][at + j] = x)));
    at += block.length;
  }
  return combine([1, D], [1, multiply(C, solveMany(W, transpose(B)))]);
}

function compile({ systems, interactions }: Mixed, assembly: string): TimeStepping {
  const of = (order: number): number[] => systems.flatMap(({ form }, i) => (form.order === order ? [i] : []));
  return forms.simulate(
    { systems, interactions },
    {
      h: H,
      integrators: [forms.eulerMoreau(of(1), THETA, THETA_R), forms.moreauJean(of(2), THETA)],
      problem: { type: 'auto', choices: { assembly } },
    },
  );
}

function operatorOf(simulation: TimeStepping): Matrix {
  const { rows, rowStart, columns, values } = simulation.delassus.operator;
  const W = zeros(rows, rows);
  for (let i = 0; i < rows; i++)
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) W[i][columns[k]] = values[k];
  return W;
}

const distance = (a: Matrix, b: Matrix): number =>
  Math.max(...combine([1, a], [-1, b]).flat().map(Math.abs)) / Math.max(1, ...b.flat().map(Math.abs));

describe('the operator of 200 random mixed models', () => {
  const models = Array.from({ length: 200 }, (_, k) => randomMixed(seeded(500 + k)));

  it.each(['blocks', 'product'])('assembled by %s equals D + a C Ŵ⁻¹ γ B', (assembly) => {
    for (const model of models)
      expect(distance(operatorOf(compile(model, assembly)), denseOperator(model))).toBeLessThan(1e-12);
  });

  it('is the same in both ways to the last bits', () => {
    for (const model of models)
      expect(operatorOf(compile(model, 'product'))).toEqual(operatorOf(compile(model, 'blocks')));
  });
});

describe('a formulation that does not fit the laws', () => {
  const model = (law: ReturnType<typeof forms.relay>): Parameters<typeof forms.simulate>[0] => ({
    systems: [forms.system('x', forms.linearFirstOrder([[0]], [1]))],
    interactions: [forms.interaction('law', [0], forms.linearRelation([[1]], [[2]]), law)],
  });
  const run = (type: string, law: ReturnType<typeof forms.relay>) => (): TimeStepping =>
    forms.simulate(model(law), {
      h: 0.1,
      integrators: [forms.eulerMoreau([0])],
      problem: { type, choices: {} },
    });

  it.each([
    ['LCP', forms.relay()],
    ['LCP', forms.equality()],
    ['MLCP', forms.relay()],
    ['Relay', forms.complementarity()],
    ['QP', forms.graph([[0, 0]], [1, -1], [1, -1])],
  ] as const)('%s is refused with the interaction', (type, law) => {
    expect(run(type, law)).toThrow(/“law”/);
  });

  it.each([
    ['LCP', forms.complementarity()],
    ['MLCP', forms.equality()],
    ['Relay', forms.relay()],
    ['AVI', forms.relay()],
    ['QP', forms.relay()],
  ] as const)('%s takes the law it is for', (type, law) => {
    expect(run(type, law)).not.toThrow();
  });
});

describe('factorisations', () => {
  const cubic = (theta: number): TimeStepping =>
    forms.simulate(
      {
        systems: [
          forms.system(
            'cubic',
            forms.nonlinearFirstOrder(
              [1],
              (_t, x, out) => {
                out[0] = -(x[0] ** 3);
              },
              (_t, x, out) => {
                out[0] = -3 * x[0] ** 2;
              },
            ),
          ),
        ],
        interactions: [],
      },
      { h: 0.1, integrators: [forms.eulerMoreau([0], theta)] },
    );

  it('are one a run with θ = 0, where ∇f drops out of W', () => {
    const simulation = cubic(0);
    for (let k = 0; k < 20; k++) simulation.advance();
    expect(simulation.context.counters.factorisations).toBe(1);
  });

  it('are one a Newton iteration otherwise', () => {
    const simulation = cubic(1);
    for (let k = 0; k < 20; k++) simulation.advance();
    const { factorisations, newtonIterations } = simulation.context.counters;
    expect(factorisations).toBe(newtonIterations);
    expect(newtonIterations).toBeLessThan(20 * 7);
  });
});
