/**
 * Disturbances carried across events, against differences of whole simulations that start beside each other.
 */
import type { EventDriven } from '@engine/event-driven/event-driven';
import { TangentMotion } from '@engine/event-driven/tangent/tangent-motion';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { describe, expect, it } from 'vitest';
import { impact, interaction, lagrangianRelation, linearLagrangian, system } from '../support/forms';
import { kinds, simulateEvents } from './support';
import { type Case, cases, table } from './tangent-cases';

/** x = q | v at the end */
function endOf(simulation: EventDriven, model: NonSmoothDynamicalSystem): number[] {
  const coordinates = model.systems.reduce((sum, { form }) => sum + form.size, 0);
  const rates = model.systems.flatMap(({ form }) =>
    Array.from({ length: form.size }, () => form.order === 2),
  );
  const { state } = simulation;
  const q = Array.from({ length: coordinates }, (_, k) => state[1 + k]);
  const v = Array.from({ length: coordinates }, (_, k) => state[1 + coordinates + k]);
  return [...q, ...v.filter((_, k) => rates[k])];
}

function differences({ model, start, settings }: Case): number[] {
  const run = (x: readonly number[]): number[] => {
    const made = model(x);
    const simulation = simulateEvents(made, { certify: false, ...settings });
    simulation.run();
    return endOf(simulation, made);
  };
  return start.flatMap((_, j) => {
    const delta = 2e-4;
    const at = (k: number): number[] => run(start.map((value, i) => (i === j ? value + k * delta : value)));
    const [a, b, c, d] = [at(-2), at(-1), at(1), at(2)];
    return a.map((_value, i) => (a[i] - 8 * b[i] + 8 * c[i] - d[i]) / (12 * delta));
  });
}

describe('a disturbance that is carried along', () => {
  it.each(Object.keys(cases))('of %s is the difference of motions', (name) => {
    const one = cases[name];
    const made = one.model(one.start);
    const simulation = simulateEvents(made, one.settings);
    const n = one.start.length;
    const tangent = simulation.observe((parts) => new TangentMotion(parts, n, true));
    simulation.run();
    expect(tangent.broken).toBeNull();
    const seen = new Set(kinds(simulation.events));
    expect([...seen].sort()).toEqual([...one.expected].sort());
    const reference = differences(one);
    const size = Math.max(...reference.map(Math.abs));
    reference.forEach((value, k) =>
      expect(Math.abs(tangent.frame[k] - value) / size).toBeLessThan(one.tolerance ?? 1e-8),
    );
  });
});

describe('a disturbance that has no tangent', () => {
  const cradle = (): NonSmoothDynamicalSystem => ({
    systems: [
      system('left', linearLagrangian([0], [1], [[1]])),
      system('middle', linearLagrangian([0.5], [0], [[1]])),
      system('right', linearLagrangian([1], [-1], [[1]])),
    ],
    interactions: [
      interaction('first', [0, 1], lagrangianRelation([[-1, 1]]), impact(0.5)),
      interaction('second', [1, 2], lagrangianRelation([[-1, 1]]), impact(0.5)),
    ],
  });

  it('of two impacts at one time at one body says so, with its place', () => {
    const simulation = simulateEvents(cradle());
    const tangent = simulation.observe((parts) => new TangentMotion(parts, 6, true));
    simulation.run();
    expect(tangent.broken).toMatchObject({ status: 'simultaneous', element: 'first' });
    expect(tangent.broken?.time).toBeCloseTo(0.5, 12);
  });

  /**
   * A particle hits a wall that takes all but a trace of its speed, and comes back to it from another one:
   * the second approach is none beside the first.
   */
  const slot = (restitution: number): NonSmoothDynamicalSystem => ({
    systems: [system('particle', linearLagrangian([0.5], [-1e3], [[1]]))],
    interactions: [
      interaction('left', [0], lagrangianRelation([[1]]), impact(restitution)),
      interaction('right', [0], lagrangianRelation([[-1]], [1]), impact(1)),
    ],
  });

  it.each([
    [2e-10, 'grazing'],
    [2e-8, null],
  ])('of an approach %d times as slow as the fastest is grazing: %s', (restitution, status) => {
    const back = 2 / (1e3 * restitution);
    const simulation = simulateEvents(slot(restitution), {
      tEnd: 1.5 * back,
      h: back / 8,
      smallestBounce: 1e-13,
    });
    const tangent = simulation.observe((parts) => new TangentMotion(parts, 2, true));
    simulation.run();
    expect(kinds(simulation.events).slice(0, 3)).toEqual(['impact', 'impact', 'impact']);
    expect(tangent.broken?.status ?? null).toBe(status);
    if (status === null) return;
    expect(tangent.broken?.element).toBe('left');
    expect(Math.abs((tangent.broken?.time ?? NaN) / back - 1)).toBeLessThan(1e-4);
  });

  it('is none of a single contact without friction, whose impact is the same by all laws', () => {
    const simulation = simulateEvents(cases['a ball that bounces'].model([0.9, 0]));
    const tangent = simulation.observe((parts) => new TangentMotion(parts, 2, false));
    simulation.run();
    expect(tangent.broken).toBeNull();
  });
});

describe('looking on', () => {
  it('changes no bit of the motion', () => {
    const { model, start, settings } = cases['a pendulum and a wall'];
    const plain = simulateEvents(model(start), { ...settings, certify: false });
    plain.run();
    const watched = simulateEvents(model(start), { ...settings, certify: false });
    watched.observe((parts) => new TangentMotion(parts, 2, true));
    watched.run();
    expect([...watched.state]).toEqual([...plain.state]);
    expect(watched.events).toEqual(plain.events);
  });
});

describe('the saltation matrix of an impact', () => {
  it('is [−e 0; (a⁺ + e a⁻)/v⁻ −e], with determinant e²', () => {
    const [e, k, m] = [0.8, 1430.8, 1.221];
    const model: NonSmoothDynamicalSystem = {
      systems: [
        system('follower', linearLagrangian([0.5], [0.4], [[m]], { stiffness: [[k]], damping: [[3]] })),
      ],
      interactions: [interaction('table', [0], table(0.1, 60, true), impact(e))],
    };
    const simulation = simulateEvents(model, { tEnd: 2, h: 1e-3 });
    const tangent = simulation.observe((parts) => new TangentMotion(parts, 2, true));
    let compared = 0;
    while (simulation.hasNextEvent) {
      simulation.computeOneStep();
      const last = simulation.events.at(-1);
      if (simulation.rowsAtEvent === 1 || last?.kind !== 'impact') continue;
      const t = last.time;
      const moving = -0.1 * 3600 * Math.sin(60 * t);
      const relative = (v: number): number => (-k * simulation.state[1] - 3 * v) / m - moving;
      const [before, after] = [relative(simulation.before[2]), relative(simulation.state[2])];
      const [a, b, c, d] = tangent.saltation.matrix;
      const expected = (after + e * before) / last.before;
      expect(Math.abs(a + e)).toBeLessThan(1e-12);
      expect(c).toBe(0);
      expect(Math.abs(d + e)).toBeLessThan(1e-12);
      expect(Math.abs(a * d - b * c - e ** 2)).toBeLessThan(1e-12);
      // In relative coordinates; in absolute ones the table's own speed and acceleration come in, which
      // cancel in this entry.
      expect(Math.abs(b / expected - 1)).toBeLessThan(1e-10);
      compared++;
    }
    expect(compared).toBeGreaterThan(10);
  });
});
