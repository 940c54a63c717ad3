/**
 * The balance of energy of event-driven runs: rounding or tolerance where all work is counted, and what is
 * missing where some is not.
 */
import { FlightEnergy } from '@engine/event-driven/certificate/flight-energy';
import type { EventDriven } from '@engine/event-driven/event-driven';
import { MotionCheck } from '@engine/event-driven/certificate/motion-check';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { createSandbox } from '@engine/script/sandbox';
import { placeState } from '@engine/model/state-places';
import { describe, expect, it } from 'vitest';
import {
  impact,
  interaction,
  lagrangianRelation,
  linearFirstOrder,
  linearLagrangian,
  system,
} from '../support/forms';
import { example } from '../support/models';
import { run } from '../support/run';
import { dryFriction, forced } from './friction-support';
import { prepareExample, simulateExample } from './gallery';
import { ball, G, kinds, simulateEvents } from './support';

/**
 * m = 1, k = 100 and dry friction 1, released at x₀: turning points at x₀ − 0.02 n with alternating signs.
 */
const frictionOscillator = (x0: number): NonSmoothDynamicalSystem => ({
  systems: [system('mass', linearLagrangian([x0], [0], [[1]], { stiffness: [[100]] }))],
  interactions: [interaction('ground', [0], lagrangianRelation([[1]]), dryFriction(1))],
});

const oscillator = (omega: number, damping = 0): NonSmoothDynamicalSystem => ({
  systems: [
    system(
      'mass',
      linearLagrangian([1], [0], [[1]], { stiffness: [[omega * omega]], damping: [[damping]], force: [0.3] }),
    ),
  ],
  interactions: [],
});

/** Largest drift on the way. */
function worstDrift(simulation: EventDriven): number {
  let worst = simulation.energyDrift ?? NaN;
  while (simulation.hasNextEvent) {
    simulation.computeOneStep();
    worst = Math.max(worst, simulation.energyDrift ?? NaN);
  }
  return worst;
}

describe('the drift is rounding', () => {
  it('of a ball that loses three quarters of its energy at each impact', () => {
    const simulation = simulateEvents(ball(0.9, 0.5), { tEnd: 3 });
    expect(worstDrift(simulation)).toBeLessThan(1e-14);
    // It has come to rest, and with it all energy but the work of the weight is gone.
    expect(kinds(simulation.events)).toContain('zeno');
    expect(Math.abs(simulation.state[2])).toBe(0);
  });

  it('of a mass that dry friction stops', () => {
    const simulation = simulateEvents(frictionOscillator(0.1), { tEnd: 2, h: 0.01 });
    expect(worstDrift(simulation)).toBeLessThan(1e-14);
    // Of ½ k x₀² nothing is left: friction 1 has worked over 0.18 + 0.14 + 0.10 + 0.06 + 0.02 = 0.5 m.
    expect(Math.abs(simulation.state[1])).toBeLessThan(1e-10);
  });

  it('of what rests, although no energy changes hands', () => {
    expect(worstDrift(simulateEvents(ball(0, 0.5), { tEnd: 100 }))).toBeLessThan(1e-14);
  });

  it('of a start with an impact', () => {
    const simulation = simulateEvents(ball(0, 0.5, -1), { tEnd: 0.05 });
    expect(simulation.rowsAtEvent).toBe(2);
    expect(worstDrift(simulation)).toBeLessThan(1e-15);
  });

  it('of coordinates that are measured from a base that moves', () => {
    const simulation = simulateExample(prepareExample('cam-follower-event-driven-358'), { tEnd: 2, h: 1e-3 });
    expect(worstDrift(simulation)).toBeLessThan(1e-13);
    expect(simulation.events.length).toBeGreaterThan(20);
  });

  it.each(['exact', 'integrated'] as const)('of an arc that is judged at a touch, too, %s', (flights) => {
    const ceiling = interaction('ceiling', [0], lagrangianRelation([[-1]], [G / 2]), impact(0.5));
    const thrown = system('ball', linearLagrangian([0], [G], [[1]], { force: [-G] }));
    const model = { systems: [thrown], interactions: [ceiling] };
    const simulation = simulateEvents(model, { tEnd: 1.5, h: 0.125, flights });
    expect(worstDrift(simulation)).toBeLessThan(1e-13);
    expect(kinds(simulation.events)).toEqual(['graze']);
  });

  it('of a flight of many arcs within one unwatched step of the discretisation', () => {
    // 20 radians in a step
    const simulation = simulateEvents(oscillator(100, 4), { tEnd: 2, h: 0.2 });
    expect(worstDrift(simulation)).toBeLessThan(1e-12);
    expect(simulation.flight).toBe('exact');
    // The damping has taken all energy.
    expect(Math.abs(simulation.state[2])).toBeLessThan(3);
  });
});

describe('the drift of an integrated run', () => {
  it('shows the error of the integration: it falls with the tolerance', () => {
    const drift = (relativeTolerance: number): number =>
      worstDrift(
        simulateEvents(frictionOscillator(0.1), { tEnd: 2, flights: 'integrated', relativeTolerance }),
      );
    const [coarse, fine] = [drift(1e-6), drift(1e-11)];
    expect(coarse).toBeGreaterThan(1e-9);
    expect(coarse).toBeLessThan(1e-4);
    expect(fine).toBeLessThan(coarse / 100);
  });

  it('goes on over an export of the state, and begins again where one is loaded', () => {
    const settings = { tEnd: 3, h: 0.3, flights: 'integrated' } as const;
    const first = simulateEvents(ball(0.9, 0.5), settings);
    first.computeOneStep();
    const state = first.exportState();
    expect(worstDrift(first)).toBeLessThan(1e-9);
    const second = simulateEvents(ball(0.9, 0.5), settings);
    second.run();
    second.loadState(state);
    expect(second.energyDrift).toBe(0);
    expect(worstDrift(second)).toBeLessThan(1e-9);
  });
});

describe('what is not counted is missing', () => {
  it('the impulse of an impact: (1 − e²) of the energy', () => {
    const model = ball(0.9, 0.5);
    const places = placeState(model);
    const balance = new FlightEnergy(model, places, 0.01);
    const row = (t: number, v: number): Float64Array => {
      const values = new Float64Array(places.size);
      values[0] = t;
      values[places.v] = v;
      return values;
    };
    balance.start(row(0, -4));
    balance.impact(row(0, -4), row(0, 2), Float64Array.of(6));
    expect(balance.drift).toBe(0);
    balance.start(row(0, -4));
    balance.impact(row(0, -4), row(0, 2), Float64Array.of(0));
    expect(balance.drift).toBe(0.75);
  });

  it('the work of dry friction over half a period: F (x₀ + 0.08) of ½ k x₀²', () => {
    const model = frictionOscillator(0.1);
    const places = placeState(model);
    // x = 0.01 + 0.09 cos 10 t, against a velocity that is negative
    const drift = (force: number): number | null => {
      const balance = new FlightEnergy(model, places, 0.01);
      const states = {
        write: (clock: Float64Array, _x: Float64Array, row: Float64Array): void => {
          row[0] = clock[0];
          row[places.q] = 0.01 + 0.09 * Math.cos(10 * clock[0]);
          row[places.v] = -0.9 * Math.sin(10 * clock[0]);
          row[places.lambda] = force;
        },
      };
      const row = new Float64Array(places.size);
      states.write(Float64Array.of(0), row, row);
      balance.start(row);
      const stretch = Float64Array.of(0, Math.PI / 10);
      const flight = { stretch, x: new Float64Array(2), sample: (): void => undefined };
      const resolution = Float64Array.of(0.15);
      const check = new MotionCheck(model, places, flight, resolution, states, certificate, balance);
      check.judge();
      // Nothing of a stretch is summed up twice.
      check.judge();
      return balance.drift;
    };
    const certificate = { motion: (): void => undefined };
    expect(drift(1)).toBeLessThan(1e-12);
    expect(drift(0)).toBeCloseTo(0.18 / 0.5, 12);
    expect(drift(-1)).toBeCloseTo(0.36 / 0.5, 12);
  });
});

describe('there is no drift', () => {
  it('where T + V is not defined: forces that are not linear, a stiffness without a potential, states of first order', () => {
    const skew = linearLagrangian(
      [1, 0],
      [0, 0],
      [
        [1, 0],
        [0, 1],
      ],
      {
        stiffness: [
          [1, 2],
          [0, 1],
        ],
      },
    );
    const cubic = forced([1], [0], [[1]], (_t, q, _v, out) => (out[0] = -(q[0] ** 3)));
    const decay = linearFirstOrder([[-1]], [1]);
    for (const form of [skew, cubic, decay]) {
      const simulation = simulateEvents({ systems: [system('s', form)], interactions: [] });
      simulation.run();
      expect(simulation.energyDrift).toBeNull();
    }
  });

  it('where the motion is not judged', () => {
    expect(simulateEvents(ball(1, 0.5), { certify: false }).energyDrift).toBeNull();
  });

  it('where exact flights are asked for that have too many arcs in a step', () => {
    const settings = { tEnd: 1, h: 0.1, flights: 'exact' } as const;
    const many = simulateEvents(oscillator(1e4), settings);
    const few = simulateEvents(oscillator(100), settings);
    many.run();
    few.run();
    expect(many.energyDrift).toBeNull();
    expect(few.energyDrift).toBeLessThan(1e-12);
  });
});

describe('a run of a document', () => {
  it.each(['bouncing-ball', 'spring-friction'])('has it, by both schemes: %s', (name) => {
    const drift = (scheme: 'time-stepping' | 'event-driven'): number | null =>
      run(example(name), { scheme, tEnd: 1, sandbox: createSandbox }).session.energyDrift;
    expect(drift('event-driven')).toBeLessThan(1e-13);
    expect(drift('time-stepping')).toBeLessThan(1e-9);
  });
});
