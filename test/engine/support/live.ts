/** Models of every kind in one, for simulations that are interrupted or change. */
import { EngineError } from '@engine/errors';
import type { AssignedIntegrator } from '@engine/integrators/registry';
import type { Interaction, NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { type SimulationState, originOf } from '@engine/time-stepping/state';
import { type LiveInteraction, LiveSimulation } from '@engine/time-stepping/live-simulation';
import { layoutState } from '@engine/preparation/layout';
import type { TimeSteppingSettings } from '@engine/time-stepping/setup';
import { TimeStepping } from '@engine/time-stepping/time-stepping';
import * as forms from './forms';

export const schatzmanPaoli = (systems: readonly number[], theta = 0.5): AssignedIntegrator => ({
  type: 'SchatzmanPaoli',
  numbers: { theta },
  choices: {},
  systems,
});

const zeroOrderHold = (systems: readonly number[]): AssignedIntegrator => ({
  type: 'ZeroOrderHold',
  numbers: {},
  choices: {},
  systems,
});

export const settingsFor = (
  integrators: readonly AssignedIntegrator[],
  h: number,
  options: Partial<TimeSteppingSettings> = {},
): TimeSteppingSettings => ({
  t0: 0,
  tEnd: 1e9,
  h,
  stepControl: null,
  newton: { tolerance: 1e-12, maxIterations: 30 },
  integrators,
  problem: { type: 'auto', choices: {} },
  solver: { type: 'auto', numbers: { tolerance: 1e-10 } },
  ...options,
});

export const start = (
  model: NonSmoothDynamicalSystem,
  settings: TimeSteppingSettings,
  state?: SimulationState,
): TimeStepping =>
  new TimeStepping(
    model,
    layoutState(model, [], []),
    settings,
    state === undefined ? null : originOf(model, state),
  );

/** M = 1, gravity, started at height q with velocity v */
export const ball = (id: string, q: number, v = 0, gravity = 9.81): ReturnType<typeof forms.system> =>
  forms.system(id, forms.linearLagrangian([q], [v], [[1]], { force: [-gravity] }));

/** A column of touching or separate beads of mass 1 and diameter 1 over the floor. */
export function column(count: number, gap: number, e: number): NonSmoothDynamicalSystem {
  const systems = Array.from({ length: count }, (_, k) => ball(`bead-${k}`, (k + 1) * (1 + gap)));
  const interactions = systems.map((_, k): Interaction =>
    k === 0
      ? forms.interaction('floor', [0], forms.lagrangianRelation([[1]], [-1]), forms.impact(e))
      : forms.interaction(`gap-${k}`, [k - 1, k], forms.lagrangianRelation([[-1, 1]], [-1]), forms.impact(e)),
  );
  return { systems, interactions };
}

/**
 * One system for each integrator, each with an interaction whose law works: a bouncing ball on Moreau–Jean, a
 * pendulum against a stop on its non-linear form, a ball on Schatzman–Paoli, a relay and a diode with a graph
 * on Euler–Moreau with θ_r ≠ 1, and a relay behind a zero-order hold.
 */
export function everyKind(): { model: NonSmoothDynamicalSystem; integrators: AssignedIntegrator[] } {
  const pendulum = forms.linearLagrangian([0.6], [0], [[1]]);
  const nonlinear = {
    ...pendulum,
    constantMass: null,
    linear: null,
    force: (_clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array): void => {
      out[0] = -9.81 * Math.sin(q[0]) - 0.1 * v[0];
    },
    forceJacobians: (
      _clock: Float64Array,
      q: Float64Array,
      _v: Float64Array,
      outQ: Float64Array,
      outV: Float64Array,
    ): void => {
      outQ[0] = -9.81 * Math.cos(q[0]);
      outV[0] = -0.1;
    },
  };
  const systems = [
    ball('bouncer', 0.3),
    forms.system('pendulum', nonlinear),
    ball('thrown', 0.2, 0.5),
    forms.system(
      'oscillator',
      forms.linearFirstOrder(
        [
          [0, 1],
          [-30, -0.2],
        ],
        [1, 0],
        { source: (t) => [0, Math.sin(7 * t)] },
      ),
    ),
    forms.system(
      'sampled',
      forms.linearFirstOrder(
        [
          [0, 1],
          [-4, -0.1],
        ],
        [0.5, 1],
      ),
    ),
  ];
  const soft = forms.graph(
    [
      [-0.2, 2],
      [0, 0],
    ],
    [1, -10],
    [1, 0],
  );
  const interactions = [
    forms.interaction('floor', [0], forms.lagrangianRelation([[1]]), forms.impact(0.7)),
    forms.interaction('stop', [1], forms.lagrangianRelation([[1]], [0.2]), forms.impact(0.5)),
    forms.interaction('table', [2], forms.lagrangianRelation([[1]]), forms.impact(0.6)),
    forms.interaction('relay', [3], forms.linearRelation([[0, 1]], [[0], [1]]), forms.relay(-2, 2)),
    forms.interaction('spring', [3], forms.linearRelation([[1, 0]], [[0], [1]]), soft),
    forms.interaction('held', [4], forms.linearRelation([[1, 1]], [[0], [1]]), forms.relay(-1, 1)),
  ];
  return {
    model: { systems, interactions },
    integrators: [
      forms.moreauJean([0, 1]),
      schatzmanPaoli([2]),
      forms.eulerMoreau([3], 0.5, 0.6),
      zeroOrderHold([4]),
    ],
  };
}

export const moreauJean = { type: 'MoreauJean', numbers: { theta: 0.5, forecast: 0.5 }, choices: {} };
/** y = q + offset, or q_b − q_a + offset; beads touch at −1 */
export const contact = (id: string, systems: readonly string[], offset = -1, e = 0): LiveInteraction => ({
  id,
  systems,
  relation: {
    ...forms.lagrangianRelation([systems.length === 1 ? [1] : [-1, 1]], [offset]),
    type: 'test',
  },
  law: { ...forms.impact(e), type: 'test' },
});

export const columnOf = (count: number, gap: number, e: number, h = 1e-2): LiveSimulation =>
  new LiveSimulation(
    column(count, gap, e),
    settingsFor([forms.moreauJean(Array.from({ length: count }, (_, k) => k))], h),
  );

export function advance(live: LiveSimulation | TimeStepping, steps: number): void {
  for (let k = 0; k < steps; k++) live.advance();
}

/** Position, velocity, y, ẏ and λ of every element, by id. */
export function byElement(live: LiveSimulation): Map<string, number[]> {
  const { context, state, rows } = live.simulation;
  const found = new Map<string, number[]>();
  live.model.systems.forEach(({ id, form }, i) => {
    const slots = Array.from({ length: form.size }, (_, k) => context.offsets[i] + k);
    found.set(
      id,
      slots.flatMap((dof) => [state[context.q + dof], state[context.v + dof]]),
    );
  });
  const y = context.v + context.size;
  live.model.interactions.forEach(({ id, relation }, i) => {
    const at = Array.from({ length: relation.size }, (_, k) => y + rows.offsets[i] + k);
    found.set(
      id,
      at.flatMap((slot) => [state[slot], state[slot + rows.count], state[slot + 2 * rows.count]]),
    );
  });
  return found;
}

export const failure = (act: () => unknown): EngineError => {
  try {
    act();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};
