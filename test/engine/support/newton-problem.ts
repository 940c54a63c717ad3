/**
 * Random fully non-linear first-order problems (Siconos developer's notes §8): smooth f, g and h with K = ∇ₓg
 * ≠ 0 over two systems, and the violation of a step's equations computed from their definition.
 */
import type { RelationForm } from '@engine/model/forms';
import type { TimeStepping } from '@engine/time-stepping/time-stepping';
import * as forms from './forms';
import type { Random } from './random';

type Vector = Float64Array;

/** Smooth function R^n → R^m: linear part plus sines of random combinations. */
interface Smooth {
  value: (x: Vector, out: Vector) => void;
  jacobian: (x: Vector, out: Vector) => void;
}

function smooth(
  random: Random,
  n: number,
  m: number,
  linear: (i: number, j: number) => number,
  size: number,
): Smooth {
  const a = Array.from({ length: m }, (_, i) => Array.from({ length: n }, (_u, j) => linear(i, j)));
  const w = Array.from({ length: m }, () => Array.from({ length: n }, () => random.uniform(-1, 1)));
  const amplitude = Array.from({ length: m }, () => size * random.uniform(0.5, 1));
  const phase = Array.from({ length: m }, () => random.uniform(-1, 1));
  const angle = (i: number, x: Vector): number => w[i].reduce((sum, c, j) => sum + c * x[j], phase[i]);
  return {
    value: (x, out) => {
      for (let i = 0; i < m; i++)
        out[i] = a[i].reduce((sum, c, j) => sum + c * x[j], 0) + amplitude[i] * Math.sin(angle(i, x));
    },
    jacobian: (x, out) => {
      for (let i = 0; i < m; i++)
        for (let j = 0; j < n; j++) out[i * n + j] = a[i][j] + amplitude[i] * w[i][j] * Math.cos(angle(i, x));
    },
  };
}

const join = (...parts: Vector[]): Vector => Float64Array.from(parts.flatMap((part) => [...part]));

/** A relation y = h(x, λ), r = g(x, λ) from two smooth functions of (x, λ). */
function relation(h: Smooth, g: Smooth, columns: number, size: number): RelationForm {
  const split = (s: Smooth, rows: number, x: Vector, lambda: Vector, byX: Vector, byLambda: Vector): void => {
    const full = new Float64Array(rows * (columns + size));
    s.jacobian(join(x, lambda), full);
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) byX[i * columns + j] = full[i * (columns + size) + j];
      for (let j = 0; j < size; j++) byLambda[i * size + j] = full[i * (columns + size) + columns + j];
    }
  };
  return {
    order: 1,
    size,
    columns,
    C: null,
    D: null,
    B: null,
    hasFeedthrough: true,
    hasStateInput: true,
    isAffine: false,
    isTimeDependent: false,
    output: (_clock, x, lambda, out) => {
      h.value(join(x, lambda), out);
    },
    outputJacobians: (_clock, x, lambda, outC, outD) => {
      split(h, size, x, lambda, outC, outD);
    },
    timeDerivative: () => undefined,
    input: (_clock, x, lambda, out) => {
      g.value(join(x, lambda), out);
    },
    inputJacobians: (_clock, x, lambda, outK, outB) => {
      split(g, columns, x, lambda, outK, outB);
    },
  };
}

export interface NewtonProblem {
  simulation: TimeStepping;
  rates: Smooth[];
  mass: number[][];
  h: Smooth;
  g: Smooth;
  step: number;
  theta: number;
  thetaR: number;
}

const SIZES = [2, 3];
const ROWS = 3;

export function randomProblem(random: Random, theta: number, thetaR: number): NewtonProblem {
  const n = SIZES.reduce((a, b) => a + b, 0);
  const near = (value: number, spread: number): number => value + random.uniform(-spread, spread);
  const rates = SIZES.map((size) => smooth(random, size, size, (i, j) => near(i === j ? -1 : 0, 0.5), 0.5));
  const mass = SIZES.map(() => near(1.5, 0.4));
  const h = smooth(random, n + ROWS, ROWS, (i, j) => (j === n + i ? 2 : random.uniform(-0.4, 0.4)), 0.2);
  const g = smooth(random, n + ROWS, n, () => random.uniform(-0.5, 0.5), 0.4);
  const step = 0.05;
  const systems = rates.map((rate, k) =>
    forms.system(
      `s${k}`,
      forms.nonlinearFirstOrder(
        Array.from({ length: SIZES[k] }, () => random.uniform(-1, 1)),
        (_t, x, out) => {
          rate.value(x, out);
        },
        (_t, x, out) => {
          rate.jacobian(x, out);
        },
        Array.from({ length: SIZES[k] }, (_, i) =>
          Array.from({ length: SIZES[k] }, (_u, j) => (i === j ? mass[k] : 0)),
        ),
      ),
    ),
  );
  const laws = [forms.complementarity(), forms.relay(-0.3, 0.4), forms.equality()];
  const law = { ...laws[0], size: ROWS, rows: laws.flatMap(({ rows }) => rows) };
  const simulation = forms.simulate(
    { systems, interactions: [forms.interaction('i', [0, 1], relation(h, g, n, ROWS), law)] },
    {
      h: step,
      integrators: [forms.eulerMoreau([0, 1], theta, thetaR)],
      solver: 'auto',
      tolerance: 1e-12,
      newton: { tolerance: 1e-15, maxIterations: 7 },
    },
  );
  return { simulation, rates, mass: mass.map((m) => [m]), h, g, step, theta, thetaR };
}

/**
 * Largest violation of the step's equations, from their definition, in units of the largest value in them.
 */
function violationOf(problem: NewtonProblem, before: Vector, lambdaBefore: Vector): number {
  const { simulation, rates, mass, h, g, step, theta, thetaR } = problem;
  const n = before.length;
  const x = simulation.state.slice(1, 1 + n);
  const lambda = simulation.state.slice(1 + 2 * n + 2 * ROWS, 1 + 2 * n + 3 * ROWS);
  const [r, rBefore, y] = [new Float64Array(n), new Float64Array(n), new Float64Array(ROWS)];
  g.value(join(x, lambda), r);
  g.value(join(before, lambdaBefore), rBefore);
  h.value(join(x, lambda), y);
  let worst = 0;
  let at = 0;
  SIZES.forEach((size, k) => {
    const [f0, f1] = [new Float64Array(size), new Float64Array(size)];
    rates[k].value(before.slice(at, at + size), f0);
    rates[k].value(x.slice(at, at + size), f1);
    for (let i = 0; i < size; i++) {
      const residual =
        mass[k][0] * (x[at + i] - before[at + i]) -
        step * (theta * f1[i] + (1 - theta) * f0[i]) -
        step * (thetaR * r[at + i] + (1 - thetaR) * rBefore[at + i]);
      worst = Math.max(worst, Math.abs(residual));
    }
    at += size;
  });
  const bounds = [
    [0, Number.POSITIVE_INFINITY],
    [-0.3, 0.4],
    [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  ];
  bounds.forEach(([l, u], i) => {
    const natural = lambda[i] - Math.min(u, Math.max(l, lambda[i] - y[i]));
    worst = Math.max(worst, Math.abs(natural));
  });
  return worst / Math.max(1, ...[x, lambda, r, y].flatMap((values) => [...values].map(Math.abs)));
}

const n = SIZES[0] + SIZES[1];
const stateOf = ({ simulation }: NewtonProblem): Vector => simulation.state.slice(1, 1 + n);
const multipliersOf = ({ simulation }: NewtonProblem): Vector =>
  simulation.state.slice(1 + 2 * n + 2 * ROWS, 1 + 2 * n + 3 * ROWS);

/** Performs a step. @returns the largest violation of its equations */
export function advanceAndMeasure(problem: NewtonProblem): number {
  const [before, lambdaBefore] = [stateOf(problem), multipliersOf(problem)];
  problem.simulation.advance();
  return violationOf(problem, before, lambdaBefore);
}
