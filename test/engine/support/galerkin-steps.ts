/**
 * Steps with contact forces by the book, for linear systems with constant rows, where complementarity
 * problems are enumerated; and a bob on a circle, for motion along a curve.
 */
import type { AssignedIntegrator } from '@engine/integrators/registry';
import type { LawForm, RelationForm } from '@engine/model/forms';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import type { SimulationState } from '@engine/time-stepping/state';
import type { TimeStepping } from '@engine/time-stepping/time-stepping';
import { type Matrix, dot, identity, multiply, solveMany, times, transpose } from './dense';
import * as forms from './forms';
import { enumerateLcp } from './lcp-oracle';
import { settingsFor, start } from './live';
import { seeded } from './random';

export const LEVELS = ['velocity', 'acceleration'] as const;
export type Level = (typeof LEVELS)[number];
export const BESIDE_IMPACTS = ['kept', 'dropped'] as const;
export type BesideImpacts = (typeof BESIDE_IMPACTS)[number];

export const galerkin = (
  systems: readonly number[],
  level: Level,
  choices: Record<string, string> = {},
  kept = 0.01,
): AssignedIntegrator => ({
  type: 'D1MinusLinear',
  numbers: { closedGap: 1e-8, restingRate: 1e-8, kept },
  choices: { level, direction: 'start', besideImpacts: 'kept', ...choices },
  systems,
});

export const joint = (): LawForm => ({ ...forms.equality(), level: 'velocity', multiplier: 'impulse' });

export const worstOf = ({ certificate }: TimeStepping): number => {
  const { dynamics, complementarity, coneViolation } = certificate.report;
  return Math.max(dynamics, complementarity, coneViolation);
};

/* The scheme by the book, for linear systems with constant rows. */

export interface Linear {
  M: Matrix;
  K: Matrix;
  C: Matrix;
  force: number[];
  H: Matrix;
  b: number[];
  e: number[];
}

const column = (x: readonly number[]): Matrix => x.map((value) => [value]);
const solve = (A: Matrix, x: readonly number[]): number[] => solveMany(A, column(x)).map(([value]) => value);
const plus = (...terms: [number, readonly number[]][]): number[] =>
  terms[0][1].map((_, i) => terms.reduce((sum, [s, x]) => sum + s * x[i], 0));

export function stepByTheBook(
  { M, K, C, force, H, b, e }: Linear,
  q: readonly number[],
  v: readonly number[],
  h: number,
  level: Level,
  besideImpacts: BesideImpacts,
): { q: number[]; v: number[] } {
  const tolerance = 1e-8;
  const free = (x: readonly number[], u: readonly number[]): number[] =>
    solve(M, plus([1, force], [-1, times(K, x)], [-1, times(C, u)]));
  /** what multipliers of the given rows do, 0 ≤ H w + q ⊥ λ ≥ 0 with w = w₀ + M⁻¹ ᵗH λ */
  const respond = (
    rows: readonly number[],
    w: readonly number[],
    weigh: (row: number) => number,
  ): number[] => {
    if (rows.length === 0) return [...w];
    const G = rows.map((row) => H[row]);
    const R = solveMany(M, transpose(G));
    const [z] = enumerateLcp(
      multiply(G, R),
      rows.map((row) => weigh(row) * dot(H[row], w)),
      1,
    );
    return plus([1, w], [1, times(R, z)]);
  };
  const gaps = (x: readonly number[]): number[] => H.map((row, i) => dot(row, x) + b[i]);
  const rows = H.map((_, i) => i);
  const [before, rate] = [gaps(q), times(H, [...v])];
  const a0 = free(q, v);
  const comes = rows.map((i) => before[i] > tolerance || (level === 'velocity' && rate[i] < -tolerance));
  const start = rows.filter((i) => !comes[i] && (level === 'velocity' || rate[i] <= tolerance));
  const reached =
    level === 'velocity'
      ? respond(start, plus([1, v], [h, a0]), () => 1)
      : plus([1, v], [h, respond(start, a0, () => 1)]);
  const end = plus([1, q], [h / 2, v], [h / 2, reached]);
  const after = gaps(end);
  const closed = rows.filter((i) => after[i] <= tolerance);
  const a1 = free(end, reached);
  let left = plus([1, v], [h / 2, a0], [h / 2, a1]);
  const staying = closed.filter((i) => !comes[i]);
  if (besideImpacts === 'kept' || staying.length === closed.length) {
    const done = plus([0.5, reached], [-0.5, v], [-h / 2, a0]);
    if (level === 'velocity') {
      left = respond(staying, plus([1, left], [1, done]), () => 1);
    } else {
      const approach = times(H, reached);
      const stay = staying.filter((i) => approach[i] <= tolerance);
      const force1 = plus([1, respond(stay, a1, () => 1)], [-1, a1]);
      left = plus([1, left], [1, done], [h / 2, force1]);
    }
  }
  return { q: end, v: respond(closed, left, (row) => 1 + e[row]) };
}

export function randomModel(seed: number): { linear: Linear; q: number[]; v: number[] } {
  const random = seeded(seed);
  const n = random.integer(1, 4);
  const m = random.integer(1, 3);
  const vector = (size: number, width: number): number[] =>
    Array.from({ length: size }, () => random.uniform(-width, width));
  const square = (): Matrix => Array.from({ length: n }, () => vector(n, 1));
  const root = square();
  const M = multiply(root, transpose(root)).map((row, i) => row.map((x, j) => x + (i === j ? 1 : 0)));
  const spring = square();
  const K = multiply(spring, transpose(spring)).map((row) => row.map((x) => 20 * x));
  const C = identity(n).map((row) => row.map((x) => 0.3 * x));
  const H = Array.from({ length: m }, () => vector(n, 1));
  const q = vector(n, 0.3);
  // Open at the start.
  const b = H.map((row) => random.uniform(0.05, 0.4) - dot(row, q));
  const e = H.map(() => (random.chance(0.4) ? 0 : random.uniform(0.05, 1)));
  return { linear: { M, K, C, force: vector(n, 5), H, b, e }, q, v: vector(n, 1) };
}

export function built(
  { M, K, C, force, H, b, e }: Linear,
  q: number[],
  v: number[],
): NonSmoothDynamicalSystem {
  return {
    systems: [forms.system('body', forms.linearLagrangian(q, v, M, { stiffness: K, damping: C, force }))],
    interactions: H.map((row, i) =>
      forms.interaction(`c${i}`, [0], forms.lagrangianRelation([row], [b[i]]), forms.impact(e[i])),
    ),
  };
}

export const statesOf = ({ state, context: { q, v, size } }: TimeStepping): { q: number[]; v: number[] } => ({
  q: [...state.subarray(q, q + size)],
  v: [...state.subarray(v, v + size)],
});

/* A bob of 2 kg on a circle about the origin. */

/** y = c − |q|² / 2c in the plane: a circle of radius √2 c, or the inside of it. */
const circle = (c: number): RelationForm => ({
  ...forms.lagrangianRelation([[0, 0]]),
  C: null,
  isAffine: false,
  output: (_clock, q, _lambda, out) => {
    out[0] = c - (q[0] * q[0] + q[1] * q[1]) / (2 * c);
  },
  outputJacobians: (_clock, q, _lambda, C) => {
    C[0] = -q[0] / c;
    C[1] = -q[1] / c;
  },
  curvature: (_clock, _q, v, out) => {
    out[0] = -(v[0] * v[0] + v[1] * v[1]) / c;
  },
});

export const bob = (
  law: LawForm,
  h: number,
  level: Level,
  choices: Record<string, string> = {},
  from?: SimulationState,
  speed = 0.3,
): TimeStepping => {
  const mass = identity(2).map((row) => row.map((x) => 2 * x));
  const form = forms.linearLagrangian([1, 0], [0, speed], mass, { force: [0, -19.62] });
  return start(
    {
      systems: [forms.system('bob', form)],
      interactions: [forms.interaction('rod', [0], circle(Math.SQRT1_2), law)],
    },
    settingsFor([galerkin([0], level, choices)], h),
    from,
  );
};

/** Angle of the bob at a time, by fourth-order steps: θ̈ = −g cos θ. */
export function angleAt(time: number): number {
  const steps = 20_000;
  const h = time / steps;
  let [theta, rate] = [0, -0.3];
  const pull = (angle: number): number => -9.81 * Math.cos(angle);
  for (let k = 0; k < steps; k++) {
    const [k1, l1] = [rate, pull(theta)];
    const [k2, l2] = [rate + (h / 2) * l1, pull(theta + (h / 2) * k1)];
    const [k3, l3] = [rate + (h / 2) * l2, pull(theta + (h / 2) * k2)];
    const [k4, l4] = [rate + h * l3, pull(theta + h * k3)];
    theta += (h / 6) * (k1 + 2 * k2 + 2 * k3 + k4);
    rate += (h / 6) * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return theta;
}
