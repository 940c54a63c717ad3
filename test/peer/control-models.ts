/** Linear plants with a controller and, some, an observer, as both programs have them. */
import type { ModelDocument, SystemDocument, TypedElement } from '@engine/document/types';
import { controlled } from '../engine/control/documents';

export interface ControlCase {
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

const sliding = (kind: string, alpha: number, equivalent: boolean): ControlCase => ({
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

const observed = (kind: string, x0: number[]): ControlCase => ({
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

export const CASES: readonly ControlCase[] = [
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

/** A case as a document. */
export function controlDocument({ name, A, B: T, x0, h, tEnd, block, observer }: ControlCase): ModelDocument {
  const blocks: SystemDocument[] = [{ ...block, id: 'block', every: h }];
  if (observer !== undefined) {
    const { kind, x0: guess, C, L } = observer;
    const inputs = { measured: ['plant.x[0]'], control: ['block.u'] };
    blocks.push({ id: 'observer', type: kind, ...inputs, A, B: T, C, L, x0: guess, every: h });
  }
  return { ...controlled({ A, T, u: ['block.u'], x0 }, blocks, { h, tEnd }), title: name };
}
