import { describe, expect, it } from 'vitest';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { sample } from '../../support/prove';
import { impact, interaction, lagrangianRelation, linearLagrangian, system } from '../support/forms';
import { seeded } from '../support/random';
import { ball, G, kinds, ofKind, simulateEvents } from './support';

/** Time of the k-th impact of a ball dropped from rest, and of their accumulation. */
const drop = (height: number): number => Math.sqrt((2 * height) / G);
const impactTime = (height: number, e: number, k: number): number =>
  drop(height) * (1 + (2 * e * (1 - e ** (k - 1))) / (1 - e));
const zenoTime = (height: number, e: number): number => (drop(height) * (1 + e)) / (1 - e);

describe('a ball dropped from 0.9 m with e = 0.9', () => {
  it('has its impacts at the exact times', () => {
    const simulation = simulateEvents(ball(0.9, 0.9), { tEnd: 7, h: 0.005 });
    simulation.run();
    const impacts = ofKind(simulation, 'impact');
    expect(impacts[0].time).toBeCloseTo(0.4283529368781, 12);
    expect(impacts[1].time).toBeCloseTo(1.199388, 6);
    expect(impacts[2].time).toBeCloseTo(1.89332, 6);
    expect(impacts.length).toBeGreaterThan(15);
    impacts.forEach(({ time, before, after, impulse }, k) => {
      expect(Math.abs(time - impactTime(0.9, 0.9, k + 1))).toBeLessThan(1e-12);
      expect(Math.abs(after + 0.9 * before)).toBeLessThan(1e-14);
      expect(Math.abs(impulse - after + before)).toBeLessThan(1e-14);
    });
  });

  it('comes to rest at the time of accumulation, which the result gives with an error bar', () => {
    const simulation = simulateEvents(ball(0.9, 0.9), { tEnd: 9, h: 0.005 });
    simulation.run();
    const [zeno] = ofKind(simulation, 'zeno');
    const { time, error } = zeno.accumulation!;
    expect(Math.abs(time - 8.138705801)).toBeLessThan(1e-8);
    expect(Math.abs(time - zenoTime(0.9, 0.9))).toBeLessThan(error);
    expect(error).toBeLessThan(1e-9);
    expect(Math.abs(zeno.time - time)).toBeLessThan(2e-5);
    expect(simulation.isActive(0)).toBe(true);
    expect(simulation.events.length).toBeLessThan(200);
    expect(kinds(simulation.events).at(-1)).toBe('closing');
    const { state } = simulation;
    expect(Math.abs(state[1])).toBeLessThan(1e-15);
    expect(state[2]).toBe(0);
    // the smooth force carries the weight
    expect(state[5]).toBeCloseTo(G, 12);
  });

  it('has a certificate at rounding', () => {
    const simulation = simulateEvents(ball(0.9, 0.9), { tEnd: 9, h: 0.005 });
    simulation.run();
    const { impact, law, energy, motion, penetration, pull } = simulation.certificate.worst;
    expect(impact).toBeLessThan(1e-14);
    expect(law).toBeLessThan(1e-14);
    expect(energy).toBeLessThan(1e-14);
    expect(motion).toBeLessThan(1e-9);
    expect(penetration).toBeLessThan(1e-14);
    expect(pull).toBe(0);
  });

  it.each([0.5, 0.9, 0.99])('needs finitely many events at e = %f', (e) => {
    const end = zenoTime(0.9, e);
    const simulation = simulateEvents(ball(0.9, e), { tEnd: Math.ceil(end) + 1, h: 0.1 });
    simulation.run();
    const { time, error } = ofKind(simulation, 'zeno')[0].accumulation!;
    expect(Math.abs(time - end)).toBeLessThan(error);
    expect(error).toBeLessThan(1e-8);
  });
});

describe('a ball that starts at rest on the ground', () => {
  it('stays there without an event', () => {
    const simulation = simulateEvents(ball(0, 0.9), { tEnd: 1 });
    simulation.run();
    expect(simulation.events).toEqual([]);
    expect(simulation.state[1]).toBe(0);
    expect(simulation.state[5]).toBeCloseTo(G, 13);
  });

  it('bounces at once when it starts downwards', () => {
    const simulation = simulateEvents(ball(0, 0.5, -1), { tEnd: 0.05 });
    expect(kinds(simulation.events)).toEqual(['impact']);
    expect(simulation.rowsAtEvent).toBe(2);
    expect(simulation.before[2]).toBe(-1);
    expect(simulation.state[2]).toBeCloseTo(0.5, 14);
  });

  it('leaves with an upward velocity', () => {
    const simulation = simulateEvents(ball(0, 0.5, 1), { tEnd: 1, h: 0.02 });
    simulation.run();
    expect(ofKind(simulation, 'impact')[0].time).toBeCloseTo(2 / G, 13);
  });
});

describe('rows of the result', () => {
  it('are two at a non-smooth event and one at a point of the discretisation', () => {
    const simulation = simulateEvents(ball(0.9, 0.9), { tEnd: 0.5, h: 0.1 });
    const rows: [number, number][] = [];
    while (simulation.hasNextEvent) {
      simulation.computeOneStep();
      rows.push([simulation.state[0], simulation.rowsAtEvent]);
      if (simulation.rowsAtEvent === 1) continue;
      expect(simulation.before[0]).toBe(simulation.state[0]);
      expect(simulation.before[2]).toBeLessThan(0);
      expect(simulation.state[2]).toBeGreaterThan(0);
      expect(simulation.impulses[0]).toBeGreaterThan(0);
    }
    expect(rows.map(([, count]) => count)).toEqual([1, 1, 1, 1, 2, 1]);
    expect(rows.map(([t]) => t)).toEqual([0.1, 0.2, 3 * 0.1, 0.4, expect.closeTo(0.428353, 6), 0.5]);
  });
});

describe('a mass on a spring that is pressed onto a stop', () => {
  const pressed = (stiffness: number, force: number, speed: number, e: number): NonSmoothDynamicalSystem => ({
    systems: [
      system('mass', linearLagrangian([0], [speed], [[1]], { stiffness: [[stiffness]], force: [-force] })),
    ],
    interactions: [interaction('stop', [0], lagrangianRelation([[1]]), impact(e))],
  });

  it.each(['exact', 'integrated'] as const)(
    'whose stop is where the spring is at rest swings from there and back, however far apart rows are (%s)',
    (flights) => {
      const [omega, e] = [10, 0.9];
      for (const h of [0.01, 0.5, 2]) {
        const simulation = simulateEvents(pressed(omega ** 2, 0, 1, e), { tEnd: 2, h, flights });
        simulation.run();
        const impacts = ofKind(simulation, 'impact');
        expect(impacts).toHaveLength(Math.floor((2 * omega) / Math.PI));
        impacts.forEach(({ time, after }, k) => {
          expect(time).toBeCloseTo(((k + 1) * Math.PI) / omega, 9);
          expect(after).toBeCloseTo(e ** (k + 1), 9);
        });
      }
    },
  );

  it('comes to rest within the error bar, also where its flights are integrated', () => {
    const random = seeded(11);
    for (let trial = 0; trial < sample(30, 2000); trial++) {
      const [stiffness, force] = [random.uniform(0, 200), random.uniform(1, 40)];
      const [speed, e] = [random.uniform(0.2, 3), random.uniform(0.2, 0.85)];
      const [exact, integrated] = (['exact', 'integrated'] as const).map((flights) => {
        const model = pressed(stiffness, force, speed, e);
        const simulation = simulateEvents(model, { tEnd: 60, h: 0.5, flights, fastest: 60 });
        simulation.run();
        return ofKind(simulation, 'zeno')[0].accumulation!;
      });
      const off = Math.abs(integrated.time - exact.time);
      const name = `stiffness ${stiffness}, force ${force}, speed ${speed}, e ${e}`;
      expect(off, name).toBeLessThan(integrated.error + exact.error);
      expect(integrated.error, name).toBeLessThan(1e-6 * exact.time);
    }
  });
});
