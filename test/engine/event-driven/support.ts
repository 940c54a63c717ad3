/** Event-driven simulations of models of forms. */
import { EventDriven } from '@engine/event-driven/event-driven';
import type { EventRecord } from '@engine/event-driven/event-record';
import type { EventDrivenSettings } from '@engine/event-driven/settings';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { placeState } from '@engine/model/state-places';
import { impact, interaction, lagrangianRelation, linearLagrangian, system } from '../support/forms';

export const G = 9.81;

export const simulateEvents = (
  model: NonSmoothDynamicalSystem,
  settings: Partial<EventDrivenSettings> = {},
): EventDriven => new EventDriven(model, placeState(model), { t0: 0, tEnd: 1, h: 0.01, ...settings });

/** A ball of unit mass above the plane y = 0. */
export const ball = (height: number, e: number, speed = 0): NonSmoothDynamicalSystem => ({
  systems: [system('ball', linearLagrangian([height], [speed], [[1]], { force: [-G] }))],
  interactions: [interaction('ground', [0], lagrangianRelation([[1]]), impact(e))],
});

export const kinds = (events: readonly EventRecord[]): string[] => events.map(({ kind }) => kind);

export const ofKind = (simulation: EventDriven, kind: EventRecord['kind']): EventRecord[] =>
  simulation.events.filter((event) => event.kind === kind);
