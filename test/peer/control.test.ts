/**
 * Control blocks against the control toolbox of Siconos, where the algorithms coincide: every sample to
 * 1e-10. The implicit twisting controller of Debian's package is not built (it needs lp_solve).
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { SystemDocument, TypedElement } from '@engine/document/types';
import { controlled } from '../engine/control/documents';
import { run } from '../engine/support/run';
import { missingSiconos, runPeer } from './run-siconos';

const reason = missingSiconos();

interface Case {
  name: string;
  A: number[][];
  B: number[][];
  C: number[][];
  x0: number[];
  h: number;
  tEnd: number;
  /** as the script takes it */
  controller: { kind: string } & Record<string, unknown>;
  observer?: { kind: string; x0: number[]; C: number[][]; L: number[][] };
  /** the same controller here, but for its period */
  block: TypedElement;
}

interface Answer {
  /** t, x, u at each sample */
  rows: number[][];
  estimate: number[] | null;
}

const UNSTABLE = [
  [0, 1],
  [19, -2],
];
const INTEGRATORS = [
  [0, 1],
  [0, 0],
];
const SPRING = [
  [0, 1],
  [-2, -0.3],
];
const ALL = [
  [1, 0],
  [0, 1],
];
const B = [[0], [1]];
const states = ['plant.x[0]', 'plant.x[1]'];

const sliding = (kind: string, alpha: number, equivalent: boolean): Case => ({
  name: `${kind}, ${equivalent ? 'with' : 'without'} the equivalent part`,
  A: UNSTABLE,
  B,
  C: ALL,
  x0: [0.2, 0.1],
  h: 0.01,
  tEnd: 1,
  controller: { kind, surface: [[1, 1]], alpha, equivalent },
  block: {
    type: 'SlidingModeControl',
    x: states,
    A: UNSTABLE,
    B,
    C: [[1, 1]],
    alpha,
    method: kind === 'LinearSMC' ? 'implicit' : 'explicit',
    equivalent: equivalent ? 'yes' : 'no',
  },
});

const observed = (kind: string, x0: number[]): Case => ({
  name: `PID with a ${kind}`,
  A: SPRING,
  B,
  C: [[1, 0]],
  x0: [1, 0],
  h: 0.05,
  tEnd: 2,
  controller: { kind: 'PID', gains: [0.25, 0.125, 0.2], reference: 0.5 },
  observer: { kind, x0, C: [[1, 0]], L: [[3], [4]] },
  block: { type: 'PID', measured: ['plant.x[0]'], reference: ['0.5'], kp: 0.25, ki: 0.125, kd: 0.2 },
});

const CASES: readonly Case[] = [
  {
    name: 'PID',
    A: INTEGRATORS,
    B,
    C: [[1, 0]],
    x0: [10, 0],
    h: 0.05,
    tEnd: 10,
    controller: { kind: 'PID', gains: [0.25, 0.125, 2], reference: 0 },
    block: { type: 'PID', measured: ['plant.x[0]'], reference: ['0'], kp: 0.25, ki: 0.125, kd: 2 },
  },
  sliding('LinearSMC', 1, true),
  sliding('LinearSMC', 20, false),
  sliding('ExplicitLinearSMC', 1, true),
  {
    name: 'ExplicitTwisting',
    A: INTEGRATORS,
    B,
    C: ALL,
    x0: [0.5, -0.2],
    h: 0.01,
    tEnd: 2,
    controller: { kind: 'ExplicitTwisting', gain: 10, beta: 0.4 },
    block: { type: 'Twisting', x: states, gain: 10, beta: 0.4, method: 'explicit' },
  },
  {
    // Siconos has the sum of the entries of C for C Ψ / h, which is the same for one integrator.
    name: 'LinearSMCOT2',
    A: [[0]],
    B: [[1]],
    C: [[1]],
    x0: [0.5],
    h: 0.05,
    tEnd: 2,
    controller: { kind: 'LinearSMCOT2', surface: [[1]] },
    block: { type: 'SlidingModeOT2', x: ['plant.x'], A: [[0]], B: [[1]], C: [[1]], alpha: 2 },
  },
  observed('LuenbergerObserver', [0, 0]),
  observed('SlidingReducedOrderObserver', [0.3, 0.1]),
];

describe.skipIf(reason !== null)('control blocks', () => {
  let answers: Answer[] = [];
  beforeAll(async () => {
    const cases = CASES.map(({ name: _, block: __, ...given }) => given);
    answers = ((await runPeer('control.py', { cases })) as { answers: Answer[] }).answers;
  });

  it.each(CASES.map((one, k) => [one.name, k] as const))('%s', (_name, k) => {
    const { A, B: T, x0, h, tEnd, block, observer } = CASES[k];
    const blocks: SystemDocument[] = [{ ...block, id: 'block', every: h }];
    if (observer !== undefined) {
      const { kind, x0: guess, C, L } = observer;
      const inputs = { measured: ['plant.x[0]'], control: ['block.u'] };
      blocks.push({ id: 'observer', type: kind, ...inputs, A, B: T, C, L, x0: guess, every: h });
    }
    const { column } = run(controlled({ A, T, u: ['block.u'], x0 }, blocks, { h, tEnd }));
    const { rows, estimate } = answers[k];
    const n = x0.length;
    const signals = x0.map((_, i) => column(n === 1 ? 'plant.x' : `plant.x[${i}]`));
    const u = column('block.u');
    expect(rows.length).toBe(u.length);
    let worst = 0;
    for (let i = 0; i < rows.length; i++) {
      signals.forEach((x, j) => (worst = Math.max(worst, Math.abs(x[i] - rows[i][1 + j]))));
      // Theirs is λ, of which the control is G (λ₁ + β λ₂).
      const theirs =
        block.type === 'Twisting' ? 10 * (rows[i][1 + n] + 0.4 * rows[i][2 + n]) : rows[i][1 + n];
      // At the end they have not sampled any more.
      if (i < rows.length - 1) worst = Math.max(worst, Math.abs(u[i] - theirs));
    }
    if (observer !== undefined)
      ['observer.xHat[0]', 'observer.xHat[1]'].forEach((name, j) => {
        worst = Math.max(worst, Math.abs((column(name).at(-1) ?? 0) - (estimate?.[j] ?? Number.NaN)));
      });
    expect(worst).toBeLessThan(1e-10);
  });
});
