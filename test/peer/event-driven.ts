/** The same linear Lagrangian models event-driven, here and in Siconos. */
import { EventDriven } from '@engine/event-driven/event-driven';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { placeState } from '@engine/model/state-places';
import { impact, interaction, lagrangianRelation, linearLagrangian, system } from '../engine/support/forms';
import { runPeer } from './run-siconos';

export interface EventModel {
  name: string;
  systems: { mass: number[][]; stiffness?: number[][]; q0: number[]; v0: number[]; force?: number[] }[];
  interactions: { systems: number[]; H: number[][]; b?: number[]; e: number }[];
  h: number;
  steps: number;
}

export interface EventRun {
  /** times of the events with impulses, and of take-off, each once */
  events: number[];
  /** at the points of the time discretisation but the first */
  t: number[];
  q: number[][];
  v: number[][];
}

function modelOf({ systems, interactions }: EventModel): NonSmoothDynamicalSystem {
  return {
    systems: systems.map(({ q0, v0, mass, stiffness, force }, k) =>
      system(
        `s${k}`,
        linearLagrangian(q0, v0, mass, { ...(stiffness && { stiffness }), ...(force && { force }) }),
      ),
    ),
    interactions: interactions.map(({ systems: linked, H, b, e }, k) =>
      interaction(`i${k}`, linked, lagrangianRelation(H, b), impact(e)),
    ),
  };
}

export function runEventsHere(model: EventModel): EventRun {
  const nsds = modelOf(model);
  const places = placeState(nsds);
  const { h, steps } = model;
  const simulation = new EventDriven(nsds, places, { t0: 0, tEnd: h * steps, h });
  const run: EventRun = { events: [], t: [], q: [], v: [] };
  while (simulation.hasNextEvent) {
    simulation.advanceToEvent();
    const { isGridPoint } = simulation.manager;
    simulation.processEvents();
    if (!isGridPoint) continue;
    const { state } = simulation;
    run.t.push(state[0]);
    run.q.push([...state.subarray(places.q, places.q + places.ndof)]);
    run.v.push([...state.subarray(places.v, places.v + places.ndof)]);
  }
  run.events = [...new Set(simulation.events.map(({ time }) => time))];
  return run;
}

export const runEventsInSiconos = async (model: EventModel): Promise<EventRun> =>
  (await runPeer('event-driven.py', model)) as EventRun;
