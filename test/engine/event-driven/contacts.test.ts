import type { EventDriven } from '@engine/event-driven/event-driven';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { describe, expect, it } from 'vitest';
import { seeded } from '../support/random';
import {
  equality,
  impact,
  interaction,
  lagrangianRelation,
  linearLagrangian,
  system,
} from '../support/forms';
import { G, kinds, ofKind, simulateEvents } from './support';
import { sample } from '../../support/prove';

/** Balls in a row, in contact; the first comes with velocity 1. */
const cradle = (masses: readonly number[], e: number): NonSmoothDynamicalSystem => ({
  systems: masses.map((m, k) => system(`ball${k}`, linearLagrangian([k - 1], [k === 0 ? 1 : 0], [[m]]))),
  interactions: masses
    .slice(1)
    .map((_, k) => interaction(`gap${k}`, [k, k + 1], lagrangianRelation([[-1, 1]], [-1]), impact(e))),
});

describe('three equal balls with e = 1', () => {
  it('part with −1/3, 2/3, 2/3, as Newton’s law over all contacts says', () => {
    const simulation = simulateEvents(cradle([1, 1, 1], 1));
    expect([...simulation.state.subarray(4, 7)]).toEqual([
      expect.closeTo(-1 / 3, 15),
      expect.closeTo(2 / 3, 15),
      expect.closeTo(2 / 3, 15),
    ]);
    simulation.run();
    expect(kinds(simulation.events)).toEqual(['impact', 'impact']);
    expect(simulation.certificate.worst.energy).toBeLessThan(1e-15);
  });
});

describe('random impacts of several contacts with one coefficient', () => {
  it('never gain energy', () => {
    const random = seeded(7);
    const next = (): number => random.uniform(0, 1);
    let worst = -Infinity;
    let count = 0;
    const cases = sample(3000, 100_000);
    for (let trial = 0; trial < cases; trial++) {
      const n = 1 + Math.floor(4 * next());
      const m = 1 + Math.floor(4 * next());
      const values = (rows: number, columns: number): number[][] =>
        Array.from({ length: rows }, () => Array.from({ length: columns }, () => 2 * next() - 1));
      const A = values(n, n);
      const mass = A.map((row, i) =>
        A.map((other, j) => row.reduce((s, a, k) => s + a * other[k], i === j ? 0.1 : 0)),
      );
      const model: NonSmoothDynamicalSystem = {
        systems: [system('body', linearLagrangian(new Array<number>(n).fill(0), values(1, n)[0], mass))],
        interactions: [interaction('contacts', [0], lagrangianRelation(values(m, n)), impact(next()))],
      };
      const energy = (v: ArrayLike<number>): number =>
        mass.reduce((sum, row, i) => sum + row.reduce((s, a, j) => s + 0.5 * a * v[i] * v[j], 0), 0);
      const before = energy((model.systems[0].form as { v0: Float64Array }).v0);
      const simulation = simulateEvents(model);
      const after = energy(simulation.state.subarray(1 + n, 1 + 2 * n));
      worst = Math.max(worst, (after - before) / before);
      if (simulation.events.length > 0) count++;
    }
    expect(worst).toBeLessThan(1e-12);
    expect(count).toBeGreaterThan(cases / 2);
  });
});

/** A rigid beam on two feet, falling flat: y, angle; feet at ±1. */
const beam = (e: readonly [number, number], speed: number): NonSmoothDynamicalSystem => ({
  systems: [
    system(
      'beam',
      linearLagrangian(
        [1, 0],
        [speed, 0],
        [
          [2, 0],
          [0, 0.5],
        ],
        { force: [-2 * G, 0] },
      ),
    ),
  ],
  interactions: [
    interaction('left', [0], lagrangianRelation([[1, -1]]), impact(e[0])),
    interaction('right', [0], lagrangianRelation([[1, 1]]), impact(e[1])),
  ],
});

describe('two contacts at once', () => {
  const time = Math.sqrt(2 / G);

  it('are one event, with one problem', () => {
    const simulation = simulateEvents(beam([0.5, 0.5], 0), { tEnd: 0.6 });
    simulation.run();
    const impacts = ofKind(simulation, 'impact');
    expect(impacts.map(({ element }) => element)).toEqual(['left', 'right']);
    for (const { time: t, impulse, before, after } of impacts) {
      expect(Math.abs(t - time)).toBeLessThan(1e-13);
      expect(impulse).toBeCloseTo(0.5 * 2 * 1.5 * G * time, 12);
      expect(after).toBeCloseTo(-0.5 * before, 13);
    }
  });

  it('may have different coefficients', () => {
    const simulation = simulateEvents(beam([0.2, 0.8], 0), { tEnd: 0.5 });
    simulation.run();
    const [left, right] = ofKind(simulation, 'impact');
    expect(left.after).toBeCloseTo(-0.2 * left.before, 13);
    expect(right.after).toBeCloseTo(-0.8 * right.before, 13);
    expect(simulation.certificate.worst.law).toBeLessThan(1e-14);
    expect(simulation.certificate.worst.impact).toBeLessThan(1e-14);
  });

  it('come to rest and share the weight', () => {
    const simulation = simulateEvents(beam([0, 0], 0), { tEnd: 1 });
    simulation.run();
    expect(kinds(simulation.events)).toEqual(['impact', 'closing', 'impact', 'closing']);
    expect(simulation.state[9]).toBeCloseTo(G, 12);
    expect(simulation.state[10]).toBeCloseTo(G, 12);
  });
});

describe('redundant contacts', () => {
  /** A plate on four feet at the corners of a square: height, two tilts; W has rank 3. */
  const plate: NonSmoothDynamicalSystem = {
    systems: [
      system(
        'plate',
        linearLagrangian(
          [0.5, 0, 0],
          [0, 0, 0],
          [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
          ],
          { force: [-G, 0.1, 0] },
        ),
      ),
    ],
    interactions: [
      interaction(
        'feet',
        [0],
        lagrangianRelation([
          [1, 1, 1],
          [1, -1, 1],
          [1, -1, -1],
          [1, 1, -1],
        ]),
        { ...impact(0), rows: impact(0).rows },
      ),
    ],
  };

  it('rest with some distribution of forces and the one acceleration', () => {
    const simulation = simulateEvents(plate, { tEnd: 1 });
    simulation.run();
    const [y, tilt, otherTilt] = simulation.state.subarray(1, 4);
    expect([y, tilt, otherTilt].every((value) => Math.abs(value) < 1e-12)).toBe(true);
    const lambda = simulation.state.subarray(15, 19);
    expect(lambda.reduce((sum, value) => sum + value, 0)).toBeCloseTo(G, 10);
    expect(Math.min(...lambda)).toBeGreaterThanOrEqual(-1e-12);
    expect(simulation.certificate.worst.motion).toBeLessThan(1e-9);
  });
});

describe('a grazing contact', () => {
  /** A particle thrown under a ceiling, which it touches exactly. */
  const thrown = (gap: number): EventDriven => {
    const simulation = simulateEvents(
      {
        systems: [system('ball', linearLagrangian([0], [G], [[1]], { force: [-G] }))],
        interactions: [interaction('ceiling', [0], lagrangianRelation([[-1]], [G / 2 + gap]), impact(0.5))],
      },
      { tEnd: 1.5, h: 0.125 },
    );
    simulation.run();
    return simulation;
  };

  it('is an event without impulse', () => {
    const simulation = thrown(0);
    expect(kinds(simulation.events)).toEqual(['graze']);
    expect(simulation.events[0].time).toBeCloseTo(1, 7);
    expect(simulation.state[2]).toBeCloseTo(-G / 2, 12);
  });

  it('is none when the gap stays open, and an impact when it does not', () => {
    expect(thrown(1e-6).events).toEqual([]);
    const [event] = thrown(-1e-6).events;
    expect(event.kind).toBe('impact');
    expect(event.time).toBeCloseTo(1 - Math.sqrt(2e-6 / G), 10);
  });
});

describe('joints', () => {
  it('pass an impact on: two masses on a rod against a wall', () => {
    const simulation = simulateEvents(
      {
        systems: [
          system('front', linearLagrangian([1], [-1], [[1]])),
          system('rear', linearLagrangian([2], [-1], [[3]])),
        ],
        interactions: [
          interaction('rod', [0, 1], lagrangianRelation([[-1, 1]], [-1]), equality()),
          interaction('wall', [0], lagrangianRelation([[1]]), impact(0.5)),
        ],
      },
      { tEnd: 2, h: 0.1 },
    );
    simulation.run();
    const wall = simulation.events.find(({ element }) => element === 'wall')!;
    expect(wall.time).toBeCloseTo(1, 13);
    expect(wall.impulse).toBeCloseTo(4 * 1.5, 12);
    expect(simulation.state[3]).toBeCloseTo(0.5, 13);
    expect(simulation.state[4]).toBeCloseTo(0.5, 13);
    expect(simulation.state[2] - simulation.state[1]).toBeCloseTo(1, 13);
  });
});
