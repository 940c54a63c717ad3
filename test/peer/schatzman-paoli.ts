/** The Schatzman–Paoli scheme in both programs. */
import type { Toolchain } from '@cli/bench/siconos/toolchain';
import type { ModelDocument } from '@engine/document/types';
import { runModel } from './run-engine';
import { runProgram } from './run-program';
import type { Trajectory } from './trajectory';

export interface PositionModel {
  name: string;
  mass: number[][];
  stiffness: number[][];
  damping: number[][];
  force: number[];
  q0: number[];
  v0: number[];
  H: number[][];
  b: number[];
  e: number;
  /** s */
  h: number;
  steps: number;
  theta: number;
}

/** Runs a model in Siconos. */
export function runPositionInSiconos(
  model: PositionModel,
  { toolchain }: { toolchain: Toolchain },
): Trajectory {
  const { mass, stiffness, damping, force, q0, v0, H, b, e, h, steps, theta } = model;
  const n = q0.length;
  const numbers = [n, b.length, h, steps, theta, e, mass, stiffness, damping, force, q0, v0, H, b].flat(2);
  const rows = runProgram('schatzman-paoli.cpp', numbers, toolchain)
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().split(' ').map(Number));
  return {
    t: rows.map((_, k) => (k + 1) * h),
    q: rows.map((row) => row.slice(0, n)),
    v: rows.map((row) => row.slice(n, 2 * n)),
    // Their multiplier is in N·s², ours is an impulse.
    p: rows.map((row) => row.slice(2 * n).map((multiplier) => multiplier / h)),
  };
}

/**
 * Initial values with which our scheme has the first two positions of Siconos, q_{−1} = q_0 and q_0 = q_0 + h
 * v_0 of the model. Ours starts from q_{−1} = q_0 − h v_0 + ½h² a_0 with a_0 = M⁻¹(F − C v_0 − K q_0); this
 * is solved for v_0 where M, C and K are diagonal.
 */
function shiftedStart({ mass, stiffness, damping, force, q0, v0, h }: PositionModel): {
  q0: number[];
  v0: number[];
} {
  const start = q0.map((q, i) => q + h * v0[i]);
  const velocity = start.map((q, i) => {
    const rest = 0.5 * h * h * ((force[i] - stiffness[i][i] * q) / mass[i][i]);
    return (q - q0[i] + rest) / (h + (0.5 * h * h * damping[i][i]) / mass[i][i]);
  });
  return { q0: start, v0: velocity };
}

/**
 * Runs a model here, from the start that Siconos gives itself. Ours records the velocity of the start of a
 * step beside the position of its end, theirs beside the same position.
 */
export function runPositionHere(model: PositionModel): Trajectory {
  const { name, mass, stiffness, damping, force, H, b, e, h, steps, theta } = model;
  const { q0, v0 } = shiftedStart(model);
  const n = q0.length;
  const document: ModelDocument = {
    formatVersion: 3,
    title: name,
    parameters: [],
    systems: [
      { id: 'body', type: 'LagrangianLinearTI', ndof: n, mass, stiffness, damping, fExt: force, q0, v0 },
    ],
    interactions: [
      {
        id: 'contact',
        systems: ['body'],
        relation: { type: 'LagrangianLinear', H, b },
        law: { type: 'NewtonImpact', e },
      },
    ],
    simulation: {
      scheme: 'time-stepping',
      t0: 0,
      tEnd: h * steps,
      h,
      integrators: [{ type: 'SchatzmanPaoli', theta }],
      problem: { type: 'auto' },
      solver: { type: 'auto' },
    },
    observables: [],
    scripts: [],
    views: [],
    layout: { nodes: {} },
  };
  const signals = runModel(document);
  const rows = (base: string, count: number): number[][] =>
    Array.from({ length: steps }, (_, k) =>
      Array.from({ length: count }, (_unused, i) => {
        const name = count === 1 ? base : `${base}[${i}]`;
        const values = signals.get(name);
        if (values === undefined)
          throw new Error(`no signal ${name} among ${[...signals.keys()].join(', ')}`);
        return values[k + 1];
      }),
    );
  return {
    t: Array.from({ length: steps }, (_, k) => (k + 1) * h),
    q: rows('body.q', n),
    v: rows('body.v', n),
    p: rows('contact.impulse', b.length),
  };
}
