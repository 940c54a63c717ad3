/**
 * Random models under random sequences of changes, against simulations that are built from scratch at each
 * change from the state that was reached.
 */
import { describe, expect, it } from 'vitest';
import type { DynamicalSystem, NonSmoothDynamicalSystem } from '@engine/model/nsds';
import type { AssignedIntegrator } from '@engine/integrators/registry';
import {
  type IntegratorChoice,
  type LiveInteraction,
  LiveSimulation,
} from '@engine/time-stepping/live-simulation';
import type { TimeStepping } from '@engine/time-stepping/time-stepping';
import { graphOf } from '@engine/topology/describe';
import { settingsFor, start } from '../support/live';
import * as forms from '../support/forms';
import { type Random, seeded } from '../support/random';

const MODELS = 200;
const CHANGES = 10;
/** The two eliminate in different orders, and a rounding may grow over the steps between two changes. */
const TOLERANCE = 1e-9;

const lagrangianChoices: readonly IntegratorChoice[] = [
  { type: 'MoreauJean', numbers: { theta: 0.5, forecast: 0.5 }, choices: {} },
  { type: 'MoreauJean', numbers: { theta: 0.75, forecast: 0.5 }, choices: {} },
];
const firstOrderChoices: readonly IntegratorChoice[] = [
  { type: 'EulerMoreau', numbers: { theta: 1, thetaR: 1 }, choices: {} },
  { type: 'EulerMoreau', numbers: { theta: 0.5, thetaR: 1 }, choices: {} },
  { type: 'ZeroOrderHold', numbers: {}, choices: {} },
];

/** A world to draw from: ids are never used twice. */
class World {
  #next = 0;
  /**
   * one for all contacts of a model: v⁺ = −e v⁻ then satisfies every row, and no two contradict each other
   */
  readonly #restitution: number;

  constructor(private readonly random: Random) {
    this.#restitution = random.chance(0.5) ? 0 : 0.6;
  }

  #vector(n: number, size: number): number[] {
    return Array.from({ length: n }, () => this.random.uniform(-size, size));
  }

  system(): { system: DynamicalSystem; integrator: IntegratorChoice } {
    const { random } = this;
    const n = random.integer(1, 3);
    const id = `s${this.#next++}`;
    const diagonal = (from: number, to: number): number[][] =>
      Array.from({ length: n }, (_, i) =>
        Array.from({ length: n }, (_unused, j) => (i === j ? random.uniform(from, to) : 0)),
      );
    if (random.chance(0.6)) {
      const form = forms.linearLagrangian(this.#vector(n, 1), this.#vector(n, 1), diagonal(0.5, 2), {
        stiffness: diagonal(0, 20),
        damping: diagonal(0, 0.5),
        force: this.#vector(n, 5),
      });
      return { system: forms.system(id, form), integrator: lagrangianChoices[random.integer(0, 1)] };
    }
    const A = diagonal(-3, -0.5).map((row, i) =>
      row.map((value, j) => (i === j ? value : random.uniform(-1, 1))),
    );
    const form = forms.linearFirstOrder(A, this.#vector(n, 1), { b: this.#vector(n, 2) });
    return { system: forms.system(id, form), integrator: firstOrderChoices[random.integer(0, 2)] };
  }

  /** An interaction of one or two systems of one order; its W is positive definite or its motion unique. */
  interaction(systems: readonly DynamicalSystem[]): LiveInteraction {
    const { random } = this;
    const id = `i${this.#next++}`;
    const { order } = random.chance(0.5) ? systems[0].form : systems[systems.length - 1].form;
    const suitable = systems.filter(({ form }) => form.order === order);
    const linked = random
      .sample(Math.min(suitable.length, random.integer(1, 2)), suitable.length)
      .map((k) => suitable[k]);
    const columns = linked.reduce((sum, { form }) => sum + form.size, 0);
    const size = random.integer(1, 2);
    const H = Array.from({ length: size }, () => this.#vector(columns, 1));
    const names = linked.map((system) => system.id);
    if (order === 2) {
      const relation = { ...forms.lagrangianRelation(H, this.#vector(size, 1)), type: 'test' };
      const law = { ...forms.impact(this.#restitution), type: 'test' };
      return { id, systems: names, relation, law };
    }
    const B = Array.from({ length: columns }, (_, k) => H.map((row) => row[k]));
    const D = H.map((_, i) => H.map((_unused, j) => (i === j ? 0.5 : 0)));
    const relation = {
      ...forms.linearRelation(H, B, { D, e: this.#vector(size, 1) }),
      type: 'test',
    };
    const law = { ...(random.chance(0.5) ? forms.complementarity() : forms.relay()), type: 'test' };
    return { id, systems: names, relation, law };
  }
}

/** The model as it is, with the present state as its initial one. */
function fromScratch(live: LiveSimulation, integrators: readonly AssignedIntegrator[]): TimeStepping {
  const { context, state } = live.simulation;
  const systems = live.model.systems.map((system, i): DynamicalSystem => {
    const from = context.offsets[i];
    const to = context.offsets[i + 1];
    const q = state.slice(context.q + from, context.q + to);
    const v = state.slice(context.v + from, context.v + to);
    const { form } = system;
    return {
      ...system,
      form: form.order === 1 ? { ...form, x0: q } : { ...form, q0: q, v0: v },
    };
  });
  const model: NonSmoothDynamicalSystem = { systems, interactions: live.model.interactions };
  return start(model, settingsFor(integrators, 1e-2));
}

/** One integrator for each system: how they are grouped must not matter. */
const singly = (
  live: LiveSimulation,
  choiceOf: ReadonlyMap<string, IntegratorChoice>,
): AssignedIntegrator[] =>
  live.model.systems.map(({ id }, i) => ({ ...(choiceOf.get(id) ?? lagrangianChoices[0]), systems: [i] }));

function change(
  live: LiveSimulation,
  world: World,
  random: Random,
  choiceOf: Map<string, IntegratorChoice>,
): void {
  const { systems, interactions } = live.model;
  const kind = random.integer(0, 5);
  if (systems.length === 0 || kind === 0) {
    const { system, integrator } = world.system();
    choiceOf.set(system.id, integrator);
    live.insertSystem(system, integrator);
  } else if (kind <= 3) {
    live.insertInteraction(world.interaction(systems));
  } else if (kind === 4 && interactions.length > 0) {
    live.removeInteraction(interactions[random.integer(0, interactions.length - 1)].id);
  } else {
    live.removeSystem(systems[random.integer(0, systems.length - 1)].id, 'cascade');
  }
}

/** Largest difference of positions and velocities, relative to the largest of them. */
function difference(a: TimeStepping, b: TimeStepping): number {
  const { q, size } = a.context;
  let worst = 0;
  let scale = 1;
  for (let i = q; i < q + 2 * size; i++) {
    scale = Math.max(scale, Math.abs(a.state[i]));
    worst = Math.max(worst, Math.abs(a.state[i] - b.state[i]));
  }
  return worst / scale;
}

/** ms: thousands of simulations are built. */
const TIMEOUT = 60_000;

describe('a live simulation', () => {
  it(
    `moves as one built from scratch at each change, in ${MODELS} random models`,
    () => {
      let acting = 0;
      let carried = 0;
      for (let seed = 0; seed < MODELS; seed++) {
        const random = seeded(1000 + seed);
        const world = new World(random);
        const choiceOf = new Map<string, IntegratorChoice>();
        const live = new LiveSimulation({ systems: [], interactions: [] }, settingsFor([], 1e-2));
        for (let k = 0; k < random.integer(1, 4); k++) {
          const { system, integrator } = world.system();
          choiceOf.set(system.id, integrator);
          live.insertSystem(system, integrator);
        }
        for (let c = 0; c < CHANGES; c++) {
          const before = live.simulation.exportState();
          change(live, world, random, choiceOf);
          expectCarried(live, before);
          const scratch = fromScratch(live, singly(live, choiceOf));
          for (let k = 0; k < random.integer(1, 12); k++) {
            live.advance();
            scratch.advance();
            expect(difference(live.simulation, scratch), `seed ${seed}, change ${c}`).toBeLessThan(TOLERANCE);
          }
          acting += live.simulation.oneStep.activeCount;
          carried += live.model.systems.length;
        }
        const { dynamics, complementarity } = live.simulation.certificate.report;
        expect(Math.max(dynamics, complementarity), `seed ${seed}`).toBeLessThan(1e-8);
        expectGraph(live);
      }
      // Otherwise the models would have had nothing to show.
      expect(acting).toBeGreaterThan(2000);
      expect(carried).toBeGreaterThan(4000);
    },
    TIMEOUT,
  );
});

/** What was there before has the same bits after the change. */
function expectCarried(live: LiveSimulation, before: ReturnType<LiveSimulation['exportState']>): void {
  const after = live.exportState();
  expect(after.time).toBe(before.time);
  expect(after.step).toBe(before.step);
  expect(after.events).toBe(before.events);
  expect(after.counters).toEqual(before.counters);
  const part = (array: Float64Array | Uint8Array, offsets: Int32Array, i: number): number[] =>
    Array.from(array.slice(offsets[i], offsets[i + 1]));
  for (const [i, id] of after.systems.ids.entries()) {
    const old = before.systems.ids.indexOf(id);
    if (old < 0) continue;
    for (const key of ['q', 'v', 'previous'] as const)
      expect(part(after[key], after.systems.offsets, i)).toEqual(
        part(before[key], before.systems.offsets, old),
      );
  }
  for (const [i, id] of after.interactions.ids.entries()) {
    const old = before.interactions.ids.indexOf(id);
    if (old < 0) continue;
    for (const key of ['lambda', 'previousOutput', 'closedGap', 'pushed', 'active'] as const)
      expect(part(after[key], after.interactions.offsets, i)).toEqual(
        part(before[key], before.interactions.offsets, old),
      );
  }
}

/** The graph that was changed piece by piece is that of the model. */
function expectGraph(live: LiveSimulation): void {
  const fresh = graphOf(live.model);
  const ids = (graph: LiveSimulation['graph'], systems: readonly number[]): string[] =>
    systems.map((i) => graph.systemId(i)).sort();
  const components = (graph: LiveSimulation['graph']): string[] =>
    graph
      .components()
      .map((members) => ids(graph, members).join())
      .sort();
  expect(components(live.graph)).toEqual(components(fresh));
  for (const { id } of live.model.interactions) {
    const linked = (graph: LiveSimulation['graph']): string[] =>
      graph
        .linked(graph.findInteraction(id) ?? -1)
        .map(({ interaction, common }) => `${graph.interactionId(interaction)}: ${ids(graph, common).join()}`)
        .sort();
    expect(linked(live.graph)).toEqual(linked(fresh));
  }
}
