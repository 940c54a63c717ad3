import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { describe, expect, it } from 'vitest';
import { impact, interaction, lagrangianRelation, linearLagrangian, system } from '../support/forms';
import { seeded } from '../support/random';
import { G, ofKind, simulateEvents } from './support';

/** Beads of unit mass above one another, dropped with gaps that differ. */
function column(count: number, e: number, gap: (k: number) => number): NonSmoothDynamicalSystem {
  let height = 0;
  return {
    systems: Array.from({ length: count }, (_, k) => {
      height += gap(k) + (k > 0 ? 0.2 : 0);
      return system(`bead${k}`, linearLagrangian([height], [0], [[1]], { force: [-G] }));
    }),
    interactions: Array.from({ length: count }, (_, k) =>
      k === 0
        ? interaction('ground', [0], lagrangianRelation([[1]]), impact(e))
        : interaction(`contact${k}`, [k - 1, k], lagrangianRelation([[-1, 1]], [-0.2]), impact(e)),
    ),
  };
}

describe('a column of beads', () => {
  it.each([2, 20])('of %i at rest carries the weight above each contact', (count) => {
    const simulation = simulateEvents(
      column(count, 0.5, () => 0),
      { tEnd: 0.2, h: 0.05 },
    );
    simulation.run();
    expect(simulation.events).toEqual([]);
    const lambda = simulation.state.subarray(1 + 4 * count, 1 + 5 * count);
    lambda.forEach((force, k) => expect(Math.abs(force / (G * (count - k)) - 1)).toBeLessThan(1e-12));
  });

  it.each([
    [3, 0.3],
    [4, 0.6],
    [6, 0.4],
  ])('of %i that falls with e = %f comes to rest after finitely many events', (count, e) => {
    const random = seeded(count);
    const simulation = simulateEvents(
      column(count, e, () => random.uniform(0.1, 0.4)),
      { tEnd: 6, h: 0.05 },
    );
    simulation.run();
    const { worst } = simulation.certificate;
    expect(ofKind(simulation, 'zeno').length).toBeGreaterThan(0);
    expect(simulation.events.at(-1)!.time).toBeLessThan(5);
    for (let k = 0; k < count; k++) {
      expect(simulation.isActive(k)).toBe(true);
      expect(simulation.state[1 + 4 * count + k] / (G * (count - k))).toBeCloseTo(1, 9);
    }
    expect(worst.penetration).toBeLessThan(1e-9);
    expect(worst.pull).toBeLessThan(1e-9);
    expect(worst.impact).toBeLessThan(1e-12);
    expect(worst.energy).toBeLessThan(1e-12);
    expect(worst.law).toBeLessThan(1e-9);
  });
});

describe('random masses on springs between walls', () => {
  it('keep their gaps open and their energy in balance', () => {
    const random = seeded(11);
    let impacts = 0;
    for (let trial = 0; trial < 30; trial++) {
      const n = random.integer(1, 3);
      const mass = Array.from({ length: n }, () => random.uniform(0.5, 2));
      const stiff = Array.from({ length: n }, () => random.uniform(10, 300));
      const diagonal = (values: number[]): number[][] =>
        values.map((d, i) => values.map((_, j) => (i === j ? d : 0)));
      const H = Array.from({ length: n + 1 }, () => Array.from({ length: n }, () => random.uniform(-1, 1)));
      const model: NonSmoothDynamicalSystem = {
        systems: [
          system(
            'masses',
            linearLagrangian(
              mass.map(() => 0),
              mass.map(() => random.uniform(-3, 3)),
              diagonal(mass),
              { stiffness: diagonal(stiff), force: mass.map(() => random.uniform(-20, 20)) },
            ),
          ),
        ],
        interactions: [
          interaction(
            'walls',
            [0],
            lagrangianRelation(
              H,
              Array.from({ length: n + 1 }, () => random.uniform(0.02, 0.2)),
            ),
            impact(random.uniform(0, 0.9)),
          ),
        ],
      };
      const simulation = simulateEvents(model, { tEnd: 3, h: 0.01 });
      simulation.run();
      const { worst } = simulation.certificate;
      impacts += ofKind(simulation, 'impact').length;
      expect(worst.penetration).toBeLessThan(1e-10);
      expect(worst.pull).toBeLessThan(1e-7);
      // Drift of contacts that rest is taken out at events, and counts as a change without impulse.
      expect(Math.max(worst.impact, worst.energy)).toBeLessThan(1e-10);
      expect(worst.law).toBeLessThan(1e-9);
      expect(worst.motion).toBeLessThan(1e-5);
    }
    expect(impacts).toBeGreaterThan(300);
  });
});
