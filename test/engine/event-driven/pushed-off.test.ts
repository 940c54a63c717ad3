/**
 * Contacts that the impulse of a neighbour pushes off, lower than a root of their gap could be told from
 * rounding.
 */
import { EventDriven } from '@engine/event-driven/event-driven';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { placeState } from '@engine/model/state-places';
import { expect, it } from 'vitest';
import { impact, interaction, lagrangianRelation, linearLagrangian, system } from '../support/forms';
import { G, ofKind } from './support';

/** A ball between two sides, in which bounces of each accumulate until it rests on both. */
function groove(): NonSmoothDynamicalSystem {
  const [s, c] = [Math.sin(0.7), Math.cos(0.7)];
  const mass = [
    [1, 0],
    [0, 1],
  ];
  return {
    systems: [system('ball', linearLagrangian([0.12, 1], [0, 0], mass, { force: [0, -G] }))],
    interactions: [
      interaction('left', [0], lagrangianRelation([[s, c]]), impact(0.6)),
      interaction('right', [0], lagrangianRelation([[-s, c]]), impact(0.6)),
    ],
  };
}

const create = (model: NonSmoothDynamicalSystem): EventDriven =>
  new EventDriven(model, placeState(model), { t0: 0, tEnd: 3, h: 2e-3 });

it('come back with an impulse of their own, and no momentum is lost', () => {
  const simulation = create(groove());
  simulation.run();
  const { impact: momentum, energy, penetration } = simulation.certificate.worst;
  expect(momentum).toBeLessThan(1e-10);
  expect(energy).toBeLessThan(1e-10);
  expect(penetration).toBeLessThan(1e-15);
  // at rest at the bottom, each side carrying half of the weight
  expect([simulation.isActive(0), simulation.isActive(1)]).toEqual([true, true]);
  const { lambda, q, v } = placeState(simulation.model);
  const { state } = simulation;
  for (const row of [0, 1]) expect(state[lambda + row]).toBeCloseTo(G / (2 * Math.cos(0.7)), 10);
  expect(Math.hypot(state[q], state[q + 1])).toBeLessThan(1e-12);
  expect(Math.hypot(state[v], state[v + 1])).toBeLessThan(1e-12);
});

it('come back as well when the state has been exported meanwhile', () => {
  const model = groove();
  const simulation = create(model);
  let state = simulation.exportState();
  while (simulation.hasNextEvent && state.returns.every((time) => Number.isNaN(time))) {
    simulation.computeOneStep();
    if (simulation.rowsAtEvent === 2) state = simulation.exportState();
  }
  const due = Math.min(...[...state.returns].filter((time) => !Number.isNaN(time)));
  expect(due).toBeGreaterThan(state.time);
  const other = create(model);
  other.loadState(state);
  const before = simulation.events.length;
  simulation.run();
  other.run();
  expect(other.events).toEqual(simulation.events.slice(before));
  expect(ofKind(other, 'impact')[0].time).toBeLessThanOrEqual(due);
  expect([...other.state]).toEqual([...simulation.state]);
});
