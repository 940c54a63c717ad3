/** Events in time, smooth forces at contacts that slide or curve, failures, and going on from a state. */
import {
  EventsManager,
  TICKS,
  TimeGrid,
  compareStamps,
  createStamp,
} from '@engine/event-driven/events-manager';
import { EventDriven } from '@engine/event-driven/event-driven';
import { EngineError } from '@engine/errors';
import type { LagrangianForm, LawForm, RelationForm } from '@engine/model/forms';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { placeState } from '@engine/model/state-places';
import { describe, expect, it } from 'vitest';
import { observedOrder } from '../support/order';
import {
  equality,
  impact,
  interaction,
  lagrangianRelation,
  linearLagrangian,
  moreauJean,
  simulate,
  system,
} from '../support/forms';
import { ball, G, kinds, ofKind, simulateEvents } from './support';

describe('time stamps', () => {
  const grid = new TimeGrid(1, 0.1);
  const stampOf = (t: number): Float64Array => {
    const stamp = createStamp();
    grid.stamp(Float64Array.of(t), stamp);
    return stamp;
  };

  it('of grid points are exact however they are formed', () => {
    for (let k = 0; k < 2000; k++) expect([...stampOf(grid.pointTime(k))]).toEqual([k, 0]);
    // 0.3 is not 3 · 0.1 in doubles
    const fromZero = new TimeGrid(0, 0.1);
    const stamp = createStamp();
    expect(fromZero.pointTime(3)).not.toBe(0.3);
    fromZero.stamp(Float64Array.of(0.3), stamp);
    expect([...stamp]).toEqual([3, 0]);
  });

  it('order times between them, and give them back', () => {
    const [a, b] = [stampOf(1.25), stampOf(1.25000000001)];
    expect(compareStamps(a, b)).toBeLessThan(0);
    expect(compareStamps(b, stampOf(1.3))).toBeLessThan(0);
    expect(grid.time(a)).toBeCloseTo(1.25, 15);
    expect(grid.ticks(stampOf(1.2))).toBe(2n * BigInt(TICKS));
  });
});

describe('the events manager', () => {
  it('takes events in the order of their times, those of one time together', () => {
    const manager = new EventsManager(new TimeGrid(0, 0.1), 3);
    const done: string[] = [];
    const add = (t: number, name: string): boolean => manager.schedule(t, () => done.push(name));
    expect([add(0.25, 'c'), add(0.05, 'a'), add(0.2, 'b'), add(0.05, 'a2')]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    const times: number[] = [];
    while (manager.hasNextEvent) {
      times.push(manager.nextTime);
      manager.advance();
      manager.prepare();
    }
    expect(times).toEqual([0.05, 0.1, 0.2, 0.25, 3 * 0.1]);
    expect(done).toEqual(['a', 'a2', 'b', 'c']);
    expect(manager.past.map(({ time }) => time)).toEqual([0.05, 0.05, 0.2, 0.25]);
    expect(manager.unprocessed).toEqual([]);
    expect(add(0.1, 'late')).toBe(false);
  });

  it('takes events that are inserted while it runs, non-smooth ones too', () => {
    const manager = new EventsManager(new TimeGrid(0, 1), 2);
    manager.schedule(0.5, () => manager.schedule(0.75, () => undefined));
    manager.advance();
    manager.prepare();
    expect([manager.startingTime, manager.nextTime, manager.isGridPoint]).toEqual([0.5, 0.75, false]);
    manager.insertNonSmooth(Float64Array.of(0.6));
    expect([manager.nextTime, manager.isNonSmooth]).toEqual([0.6, true]);
    manager.advance();
    manager.prepare();
    expect(manager.nextTime).toBe(0.75);
    manager.advance();
    manager.prepare();
    // within rounding of the grid point: one event
    manager.insertNonSmooth(Float64Array.of(1 - Number.EPSILON / 2));
    expect([manager.nextTime, manager.isNonSmooth, manager.isGridPoint]).toEqual([1, true, true]);
  });
});

describe('a mass on a curved constraint', () => {
  /** √(x² + y²) = 1 under gravity, as a joint or as a contact from inside, released from the horizontal. */
  const pendulum = (law: LawForm): NonSmoothDynamicalSystem => {
    const sign = law.restitution === null ? 1 : -1;
    const relation: RelationForm = {
      ...lagrangianRelation([[1, 0]]),
      C: null,
      isAffine: false,
      output: (_clock, q, _lambda, out) => (out[0] = sign * (Math.hypot(q[0], q[1]) - 1)),
      outputJacobians: (_clock, q, _lambda, outC) => {
        const length = Math.hypot(q[0], q[1]);
        outC[0] = (sign * q[0]) / length;
        outC[1] = (sign * q[1]) / length;
      },
    };
    return {
      systems: [
        system(
          'bob',
          linearLagrangian(
            [1, 0],
            [0, 0],
            [
              [1, 0],
              [0, 1],
            ],
            { force: [0, -G] },
          ),
        ),
      ],
      interactions: [interaction('string', [0], relation, law)],
    };
  };

  it('moves as the pendulum, without drift', () => {
    const simulation = simulateEvents(pendulum(equality()), { tEnd: 10, h: 0.01 });
    let drift = 0;
    while (simulation.hasNextEvent) {
      simulation.computeOneStep();
      drift = Math.max(drift, Math.abs(Math.hypot(simulation.state[1], simulation.state[2]) - 1));
    }
    // the published position after 10 s
    expect(simulation.state[1]).toBeCloseTo(0.27508746, 7);
    expect(simulation.state[2]).toBeCloseTo(-0.96141921, 7);
    expect(drift).toBeLessThan(3e-12);
    expect(simulation.certificate.worst.motion).toBeLessThan(1e-7);
  });

  it('is held from inside by a contact too: its force is 3 g sin φ', () => {
    const simulation = simulateEvents(pendulum(impact(0)), { tEnd: 0.5, h: 0.01 });
    simulation.run();
    expect(ofKind(simulation, 'impact')).toEqual([]);
    const [, , y] = simulation.state;
    expect(Math.abs(simulation.state[7] - 3 * G * -y)).toBeLessThan(1e-7);
  });
});

describe('a mass matrix that depends on q', () => {
  it('bounces with M (q) at the impact', () => {
    const m = (q: number): number => 1 + q * q;
    const form: LagrangianForm = {
      order: 2,
      size: 1,
      q0: Float64Array.of(0),
      v0: Float64Array.of(1),
      constantMass: null,
      mass: (q, out) => (out[0] = m(q[0])),
      linear: null,
      // ½ m v² is kept: m v̇ = −½ m′ v²
      force: (_clock, q, v, out) => (out[0] = -q[0] * v[0] * v[0]),
      forceJacobians: () => undefined,
    };
    const simulation = simulateEvents(
      {
        systems: [system('slider', form)],
        interactions: [interaction('wall', [0], lagrangianRelation([[-1]], [1]), impact(1))],
      },
      { tEnd: 3, h: 0.05 },
    );
    simulation.run();
    // ∫ √(1 + q²) dq from 0 to 1
    const time = (Math.SQRT2 + Math.asinh(1)) / 2;
    const [event] = simulation.events;
    expect(Math.abs(event.time - time)).toBeLessThan(1e-10);
    expect(Math.abs(event.impulse - 2 * m(1) * Math.SQRT1_2)).toBeLessThan(1e-9);
    expect(Math.abs(0.5 * m(simulation.state[1]) * simulation.state[2] ** 2 - 0.5)).toBeLessThan(1e-9);
  });
});

describe('dry friction with a constant limit, as a relay on the velocity', () => {
  it('has the exact turning points and stops where the spring is too weak', () => {
    // m = 1, k = 100, F = 1 from 0.1: −0.08, 0.06, −0.04, 0.02, 0 at multiples of π/10
    const friction: LawForm = {
      size: 1,
      rows: [{ kind: 'box', lower: -1, upper: 1 }],
      level: 'velocity',
      multiplier: 'force',
      restitution: null,
    };
    const simulation = simulateEvents(
      {
        systems: [system('block', linearLagrangian([0.1], [0], [[1]], { stiffness: [[100]] }))],
        interactions: [interaction('friction', [0], lagrangianRelation([[1]]), friction)],
      },
      { tEnd: 2, h: 0.01 },
    );
    const turning: [number, number][] = [];
    while (simulation.hasNextEvent) {
      simulation.computeOneStep();
      if (simulation.rowsAtEvent === 2) turning.push([simulation.state[0], simulation.state[1]]);
    }
    expect(kinds(simulation.events)).toEqual(['switch', 'switch', 'switch', 'switch', 'slidingOn']);
    turning.forEach(([t, q], k) => {
      expect(Math.abs(t - ((k + 1) * Math.PI) / 10)).toBeLessThan(1e-10);
      expect(Math.abs(q - (-1) ** (k + 1) * (0.08 - 0.02 * k))).toBeLessThan(1e-10);
    });
    expect(simulation.state[2]).toBe(0);
  });
});

describe('time-stepping on the same model', () => {
  it('approaches the impact time like h', () => {
    const exact = Math.sqrt((2 * 0.9) / G);
    const [event] = ((): EventDriven['events'] => {
      const simulation = simulateEvents(ball(0.9, 0.9), { tEnd: 0.5 });
      simulation.run();
      return simulation.events;
    })();
    expect(Math.abs(event.time - exact)).toBeLessThan(1e-13);
    // averaged over starts within one step, which the grid rounds up or down
    const steps = [4e-3, 2e-3, 1e-3, 5e-4];
    const errors = steps.map((h) => {
      let sum = 0;
      const starts = 16;
      for (let k = 0; k < starts; k++) {
        const height = 0.9 + (G * exact * h * k) / starts;
        const stepping = simulate(ball(height, 0.9), { h, integrators: [moreauJean([0])] });
        while (!(stepping.state[2] > 0)) stepping.advance();
        const simulation = simulateEvents(ball(height, 0.9), { tEnd: 0.6, h: 0.1 });
        simulation.run();
        sum += Math.abs(stepping.state[0] - simulation.events[0].time);
      }
      return sum / starts;
    });
    expect(Math.abs(observedOrder(steps, errors) - 1)).toBeLessThan(0.1);
  });
});

describe('going on from an exported state', () => {
  it('gives the same bits', () => {
    const model = ball(0.9, 0.7);
    const settings = { t0: 0, tEnd: 5, h: 0.01 };
    const first = new EventDriven(model, placeState(model), settings);
    while (first.startingTime < 1.5) first.computeOneStep();
    const state = structuredClone(first.exportState());
    const before = first.events.length;
    const second = new EventDriven(model, placeState(model), settings);
    second.loadState(state);
    first.run();
    second.run();
    expect(second.events.length).toBeGreaterThan(10);
    expect(second.events).toEqual(first.events.slice(before));
    expect([...second.state]).toEqual([...first.state]);
  });
});

describe('failures', () => {
  const failure = (run: () => unknown): EngineError['details'] => {
    try {
      run();
    } catch (error) {
      if (error instanceof EngineError) return error.details;
      throw error;
    }
    throw new Error('nothing failed');
  };

  it('name a contact that overlaps at the start, and by how much', () => {
    const details = failure(() => simulateEvents(ball(-0.25, 0.5)));
    expect(details).toMatchObject({ code: 'inconsistent-start', where: 'ground', time: 0 });
    expect(details.message).toContain('2.500e-1');
  });

  it('name a gap that is not a number', () => {
    const model = ball(0.5, 0.5);
    const relation = {
      ...model.interactions[0].relation,
      isTimeDependent: true,
      output: (_clock: Float64Array, q: Float64Array, _lambda: Float64Array, out: Float64Array) =>
        (out[0] = Math.sqrt(q[0] - 0.2)),
    };
    const broken = { ...model, interactions: [{ ...model.interactions[0], relation }] };
    const details = failure(() => simulateEvents(broken).run());
    expect(details.code).toBe('smooth-eventNotFinite');
    expect(details.where).toBe('gap of “ground”');
    expect(details.time).toBeGreaterThan(0.2);
  });

  it('name a singular mass', () => {
    const model = { systems: [system('dust', linearLagrangian([1], [0], [[0]]))], interactions: [] };
    expect(failure(() => simulateEvents(model))).toMatchObject({ code: 'singular-mass', where: 'dust' });
  });

  it('name a force that is not finite', () => {
    const form = linearLagrangian([1], [0], [[1]]);
    const force = (_c: Float64Array, _q: Float64Array, _v: Float64Array, out: Float64Array): number =>
      (out[0] = NaN);
    const model = { systems: [system('lost', { ...form, linear: null, force })], interactions: [] };
    expect(failure(() => simulateEvents(model).run())).toMatchObject({
      code: 'smooth-rateNotFinite',
      where: 'lost.v[0]',
    });
  });

  it('end a run whose events do not end', () => {
    const details = failure(() =>
      simulateEvents(ball(0.9, 0.9), { tEnd: 9, h: 9, maxEventsPerStep: 20 }).run(),
    );
    expect(details).toMatchObject({ code: 'infinite-events', where: 'ground' });
  });

  it('say that contacts contradict each other', () => {
    // two plates that close on a body that cannot yield
    const wall = (sign: number): RelationForm => ({
      ...lagrangianRelation([[sign]]),
      isTimeDependent: true,
      output: (clock, q, _lambda, out) => (out[0] = sign * q[0] + 0.5 - clock[0]),
      timeDerivative: (_clock, _q, out) => (out[0] = -1),
    });
    const model = {
      systems: [system('body', linearLagrangian([0], [0], [[1]]))],
      interactions: [
        interaction('left', [0], wall(1), impact(0)),
        interaction('right', [0], wall(-1), impact(0)),
      ],
    };
    const details = failure(() => simulateEvents(model).run());
    expect(details.code).toMatch(/^solver-/);
    expect(details.where).toBe('left, right');
    expect(details.time).toBeCloseTo(0.5, 12);
  });
});
