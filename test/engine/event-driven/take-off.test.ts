import type { RelationForm } from '@engine/model/forms';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { describe, expect, it } from 'vitest';
import { impact, interaction, lagrangianRelation, linearLagrangian, system } from '../support/forms';
import { G, kinds, ofKind, simulateEvents } from './support';

/** y = q − a sin(ωt): a table that moves. */
const table = (amplitude: number, omega: number): RelationForm => ({
  ...lagrangianRelation([[1]]),
  isTimeDependent: true,
  output: (clock, q, _lambda, out) => (out[0] = q[0] - amplitude * Math.sin(omega * clock[0])),
  timeDerivative: (clock, _q, out) => (out[0] = -amplitude * omega * Math.cos(omega * clock[0])),
});

const onTable = (amplitude: number, omega: number, e: number): NonSmoothDynamicalSystem => ({
  systems: [system('ball', linearLagrangian([0], [amplitude * omega], [[1]], { force: [-G] }))],
  interactions: [interaction('table', [0], table(amplitude, omega), impact(e))],
});

describe('a ball on a moving table', () => {
  it('stays while the table accelerates by less than g, with force m (g + ä)', () => {
    const simulation = simulateEvents(onTable(0.5, 4, 0.5), { tEnd: 3, h: 0.01 });
    let worst = 0;
    while (simulation.hasNextEvent) {
      simulation.computeOneStep();
      const [t, q] = simulation.state;
      worst = Math.max(worst, Math.abs(simulation.state[5] - (G - 8 * Math.sin(4 * t))));
      expect(Math.abs(q - 0.5 * Math.sin(4 * t))).toBeLessThan(2e-12);
    }
    expect(simulation.events).toEqual([]);
    expect(worst).toBeLessThan(1e-9);
  });

  it('takes off where the force vanishes, and lands again', () => {
    const [a, omega] = [0.5, 6];
    const simulation = simulateEvents(onTable(a, omega, 0), { tEnd: 1, h: 0.01 });
    simulation.run();
    const takeOff = Math.asin(G / (a * omega ** 2)) / omega;
    expect(kinds(simulation.events).slice(0, 3)).toEqual(['takeOff', 'impact', 'closing']);
    const [off, landing] = simulation.events;
    expect(Math.abs(off.time - takeOff)).toBeLessThan(1e-10);
    // the flight from there: a parabola against the table
    const q0 = a * Math.sin(omega * takeOff);
    const v0 = a * omega * Math.cos(omega * takeOff);
    const s = landing.time - takeOff;
    expect(Math.abs(q0 + v0 * s - (G / 2) * s * s - a * Math.sin(omega * landing.time))).toBeLessThan(1e-9);
    expect(simulation.certificate.worst.penetration).toBeLessThan(1e-11);
  });
});

describe('ties, w = 0 = λ, decided by the next derivative', () => {
  /** A particle at rest on the ground under the force F(t). */
  const pushed = (force: (t: number) => number): NonSmoothDynamicalSystem => {
    const form = linearLagrangian([0], [0], [[1]]);
    return {
      systems: [
        system('body', { ...form, linear: null, force: (clock, _q, _v, out) => (out[0] = force(clock[0])) }),
      ],
      interactions: [interaction('ground', [0], lagrangianRelation([[1]]), impact(0.5))],
    };
  };

  it('open when the force grows upwards', () => {
    const simulation = simulateEvents(
      pushed((t) => 6 * t),
      { tEnd: 1 },
    );
    simulation.run();
    expect(simulation.isActive(0)).toBe(false);
    expect(simulation.state[1]).toBeCloseTo(1, 11);
  });

  it('stay when it grows downwards', () => {
    const simulation = simulateEvents(
      pushed((t) => -6 * t),
      { tEnd: 1 },
    );
    simulation.run();
    expect(simulation.events).toEqual([]);
    expect(simulation.state[1]).toBe(0);
    expect(simulation.state[5]).toBeCloseTo(6, 11);
  });

  it('stay without any force, and open when one comes later', () => {
    const simulation = simulateEvents(
      pushed((t) => Math.max(0, t - 0.5) ** 2),
      { tEnd: 1 },
    );
    simulation.run();
    expect(kinds(simulation.events)).toEqual(['takeOff']);
    expect(simulation.events[0].time).toBeGreaterThan(0.5);
    expect(simulation.events[0].time).toBeLessThan(0.5001);
    expect(simulation.state[1]).toBeCloseTo(0.5 ** 4 / 12, 9);
  });

  it('do not open where the force only touches zero', () => {
    const simulation = simulateEvents(
      pushed((t) => -((t - 0.4) ** 2)),
      { tEnd: 1 },
    );
    simulation.run();
    expect(ofKind(simulation, 'takeOff')).toEqual([]);
    expect(simulation.state[1]).toBe(0);
  });
});

describe('scheduled events', () => {
  it('let a force that jumps there open a contact at that time', () => {
    let force = -1;
    const form = linearLagrangian([0], [0], [[1]]);
    const simulation = simulateEvents(
      {
        systems: [system('body', { ...form, linear: null, force: (_c, _q, _v, out) => (out[0] = force) })],
        interactions: [interaction('ground', [0], lagrangianRelation([[1]]), impact(0))],
      },
      { tEnd: 1, h: 0.1 },
    );
    const later = (): void => {
      force = 2;
    };
    simulation.computeOneStep();
    expect(simulation.schedule(0.05, later)).toBe(false);
    expect(simulation.schedule(1.5, later)).toBe(false);
    expect(simulation.schedule(0.55, later)).toBe(true);
    simulation.run();
    expect(kinds(simulation.events)).toEqual(['takeOff']);
    expect(simulation.events[0].time).toBe(0.55);
    expect(simulation.state[1]).toBeCloseTo(0.45 ** 2, 13);
  });
});
