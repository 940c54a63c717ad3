/**
 * What forms say of their forces of time is compared with the forces, gathered, and given up where it is
 * wrong.
 */
import { EngineError } from '@engine/errors';
import { AnalyticForces } from '@engine/event-driven/flow/analytic-forces';
import type { EventDriven } from '@engine/event-driven/event-driven';
import type { EventDrivenSettings } from '@engine/event-driven/settings';
import { placeIntegrated } from '@engine/event-driven/flow/free-motion';
import { type AnalyticFunction, type AnalyticTerm, termAt } from '@engine/model/analytic-function';
import type { LagrangianForm } from '@engine/model/forms';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { describe, expect, it } from 'vitest';
import { impact, interaction, lagrangianRelation, linearLagrangian, system } from '../support/forms';
import { simulateEvents } from './support';

const term = (parts: Partial<AnalyticTerm>): AnalyticTerm => ({
  power: 0,
  rate: 0,
  frequency: 0,
  cosine: 0,
  sine: 0,
  ...parts,
});

const identity = (n: number): number[][] =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? 1 : 0)));

/** Unit masses at rest in the origin, driven by `force`, which is said to be `entries`. */
function driven(
  entries: AnalyticFunction,
  force = (t: number, i: number): number => entries[i].reduce((sum, part) => sum + termAt(part, t), 0),
): LagrangianForm {
  const n = entries.length;
  const steady = linearLagrangian(new Array<number>(n).fill(0), new Array<number>(n).fill(0), identity(n));
  const ofTime = (clock: Float64Array, out: Float64Array): void => {
    for (let i = 0; i < n; i++) out[i] = force(clock[0], i);
  };
  return {
    ...steady,
    linear: steady.linear && { ...steady.linear, force: ofTime },
    force: (clock, _q, _v, out) => {
      ofTime(clock, out);
    },
    analytic: { entries, steady },
  };
}

const alone = (form: LagrangianForm): NonSmoothDynamicalSystem => ({
  systems: [system('mass', form)],
  interactions: [],
});

const gathered = (form: LagrangianForm, end = 10): AnalyticForces => {
  const { systems, interactions } = alone(form);
  return new AnalyticForces(systems, placeIntegrated({ systems, interactions }), end);
};

const SINE = term({ frequency: 2, sine: 1 });

describe('forces that are gathered', () => {
  it('share a function where they are multiples of one, and constants are apart', () => {
    const forces = gathered(
      driven([
        [SINE, term({ cosine: 7 })],
        [term({ frequency: 2, sine: -3 })],
        [term({ frequency: 2, sine: 1, cosine: 1 })],
        [term({ power: 2, cosine: 1 }), term({ power: 1, cosine: 4 })],
        [term({ power: 2, cosine: 2 }), term({ power: 1, cosine: 8 })],
        [term({ power: 1, cosine: 1 })],
        [term({ rate: -1, cosine: 1 })],
        [],
      ]),
    );
    expect([...forces.constant]).toEqual([7, 0, 0, 0, 0, 0, 0, 0]);
    const shared = forces.functions.map(({ coordinates, factors }) => [coordinates, factors]);
    expect(shared).toEqual([
      [
        [0, 1],
        [1, -3],
      ],
      [[2], [1]],
      [
        [3, 4],
        [1, 2],
      ],
      [[5], [1]],
      [[6], [1]],
    ]);
    // two sinusoids of two components, polynomials of three and two, an exponential
    expect(forces.components).toBe(2 + 2 + 3 + 2 + 1);
  });

  it('are all followed', () => {
    const form = driven([
      [SINE],
      [term({ frequency: 2, sine: -3 }), term({ cosine: 2 })],
      [term({ power: 1, cosine: 6 })],
    ]);
    const simulation = simulateEvents(alone(form), { tEnd: 3, h: 0.1 });
    expect(simulation.flight).toBe('exact');
    simulation.run();
    const swing = 1.5 - Math.sin(6) / 4;
    [swing, 9 - 3 * swing, 27].forEach((position, i) => {
      expect(Math.abs(simulation.state[1 + i] - position)).toBeLessThan(4e-14);
    });
    expect(simulation.counters.rates).toBe(0);
  });
});

describe('a description', () => {
  it.each([
    ['a frequency', (t: number) => Math.sin(2 * (1 + 1e-11) * t)],
    ['an amplitude', (t: number) => (1 + 2e-12) * Math.sin(2 * t)],
    ['a constant', (t: number) => Math.sin(2 * t) + 2e-12],
    ['a short while', (t: number) => (t > 9.9 ? 0 : Math.sin(2 * t))],
  ])('that is wrong by %s is not used', (_what, force) => {
    expect(gathered(driven([[SINE]], force)).firstDeviation(0)).toBe('mass');
    const model = alone(driven([[SINE]], force));
    expect(simulateEvents(model, { tEnd: 10, h: 0.1 }).flight).toBe('integrated');
    expect(() => simulateEvents(model, { tEnd: 10, h: 0.1, flights: 'exact' })).toThrow(/depends on time/);
  });

  it('is used where only rounding of its phase is between them', () => {
    const far = term({ frequency: 1e5, sine: 1 });
    const late = (t: number): number => Math.sin(1e5 * t * (1 + Number.EPSILON));
    expect(gathered(driven([[far]], late)).firstDeviation(0)).toBe(null);
  });

  it('of another system does not hide one that is wrong', () => {
    const model: NonSmoothDynamicalSystem = {
      systems: [
        system('good', driven([[SINE]])),
        system(
          'bad',
          driven([[SINE]], () => 0),
        ),
      ],
      interactions: [],
    };
    expect(() => simulateEvents(model, { flights: 'exact' })).toThrow(/“bad”/);
  });

  it('is not used where the force fails', () => {
    const failing = driven([[SINE]], () => {
      throw new EngineError({ code: 'script-not-finite', message: '', where: '', remedy: '' });
    });
    expect(gathered(failing).firstDeviation(0)).toBe('mass');
  });
});

describe('a force that a scheduled event changes', () => {
  const changing = (settings: Partial<EventDrivenSettings>): EventDriven => {
    let factor = 1;
    const model = alone(driven([[SINE]], (t) => factor * Math.sin(2 * t)));
    const simulation = simulateEvents(model, { tEnd: 4, h: 0.1, ...settings });
    simulation.schedule(2, () => {
      factor = 3;
    });
    return simulation;
  };

  it('is integrated from there on', () => {
    const simulation = changing({});
    while (simulation.startingTime < 2) simulation.computeOneStep();
    expect(simulation.flight).toBe('integrated');
    expect(Math.abs(simulation.state[2] - (1 - Math.cos(4)) / 2)).toBeLessThan(1e-14);
    simulation.run();
    const speed = (1 - Math.cos(4)) / 2 + 1.5 * (Math.cos(4) - Math.cos(8));
    expect(Math.abs(simulation.state[2] - speed)).toBeLessThan(1e-10);
    expect(simulation.certificate.worst.motion).toBeLessThan(1e-10);
  });

  it('ends a run that was to be exact', () => {
    const simulation = changing({ flights: 'exact' });
    expect(() => {
      simulation.run();
    }).toThrow(/“mass”: its force is no longer the function of time/);
  });

  it('and that does not change flies on', () => {
    const simulation = simulateEvents(alone(driven([[SINE]])), { tEnd: 4, h: 0.1 });
    simulation.schedule(2, () => undefined);
    simulation.run();
    expect(simulation.flight).toBe('exact');
    expect(Math.abs(simulation.state[2] - (1 - Math.cos(8)) / 2)).toBeLessThan(1e-14);
  });
});

describe('the choice of the flight', () => {
  it('counts what forces add to the state', () => {
    const many = (count: number, ...first: AnalyticTerm[]): NonSmoothDynamicalSystem =>
      alone(driven(Array.from({ length: count }, (_, i) => (i === 0 ? first : []))));
    const other = term({ frequency: 5, sine: 1 });
    expect(simulateEvents(many(15, SINE)).flight).toBe('exact');
    expect(simulateEvents(many(15, SINE, other)).flight).toBe('integrated');
    expect(simulateEvents(many(15, SINE, other), { flights: 'exact' }).flight).toBe('exact');
  });

  it('is integration where a force swings too fast for the discretisation', () => {
    const fast = alone(driven([[term({ frequency: 1e5, sine: 1 })]]));
    expect(simulateEvents(fast, { h: 0.1 }).flight).toBe('integrated');
    expect(simulateEvents(fast, { h: 0.0001, tEnd: 0.01 }).flight).toBe('exact');
  });
});

describe('bits', () => {
  it('are the same after going on from an exported state, also at another time', () => {
    const model: NonSmoothDynamicalSystem = {
      systems: [system('ball', driven([[term({ frequency: 3, sine: 15 }), term({ cosine: -9.81 })]]))],
      interactions: [interaction('floor', [0], lagrangianRelation([[1]]), impact(0.5))],
    };
    const settings = { tEnd: 5, h: 0.01, flights: 'exact' } as const;
    const rest = (simulation: EventDriven): number[][] => {
      const rows: number[][] = [];
      while (simulation.hasNextEvent) {
        simulation.computeOneStep();
        rows.push([...simulation.state]);
      }
      return rows;
    };
    const first = simulateEvents(model, settings);
    while (first.startingTime < 1.6) first.computeOneStep();
    const state = first.exportState();
    const rows = rest(first);
    const fresh = simulateEvents(model, settings);
    fresh.loadState(state);
    expect(rest(fresh)).toEqual(rows);
    // one that has flown elsewhere, and carries the forces of another time
    const used = simulateEvents(model, settings);
    while (used.startingTime < 4) used.computeOneStep();
    used.loadState(state);
    expect(rest(used)).toEqual(rows);
  });
});

describe('a derivative of a force that is no number', () => {
  it('ends the flight without naming an unknown component', () => {
    // The eighth derivative of 1e305 t⁸ is 4e309.
    const form = driven([[term({ power: 8, cosine: 1e305 })]]);
    const simulation = simulateEvents(alone(form), { tEnd: 1, h: 0.1, certify: false });
    expect(simulation.flight).toBe('exact');
    expect(() => {
      simulation.run();
    }).toThrow('At t = 0 s the integration between events starts from a state that is not finite.');
  });
});
