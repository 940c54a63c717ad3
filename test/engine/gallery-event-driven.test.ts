/** The examples of the event-driven scheme, as a user runs them, against what is known of their motion. */
import { describe, expect, it } from 'vitest';
import type { EventKind, EventRecord } from '@engine/event-driven/event-record';
import { createSandbox } from '@engine/script/sandbox';
import { elasticChain } from './impacts/spring-chain';
import { example } from './support/models';
import { run, type Run, type RunOptions } from './support/run';

const runExample = (name: string, options: RunOptions = {}): Run =>
  run(example(name), { sandbox: createSandbox, ...options });

const eventsOf = ({ session }: Run, kind: EventKind, element?: string): EventRecord[] =>
  session.eventRecords.filter((event) => event.kind === kind && (element ?? event.element) === event.element);

/** Value in the first row at or after a time. */
const valueAt = ({ column }: Run, name: string, time: number): number =>
  column(name)[column('t').findIndex((t) => t >= time - 1e-12)];

describe('three balls in contact', () => {
  const result = runExample('three-balls');

  it('leave with −1/3, 2/3 and 2/3 of the speed', () => {
    for (const [ball, speed] of [
      ['ball0', -1 / 3],
      ['ball1', 2 / 3],
      ['ball2', 2 / 3],
    ] as const)
      expect(result.column(`${ball}.v`).at(-1)).toBeCloseTo(speed, 14);
  });

  it('hit each other once, at the time of the flight', () => {
    const impacts = eventsOf(result, 'impact');
    expect(impacts.map(({ time }) => time)).toEqual([expect.closeTo(0.5, 13), expect.closeTo(0.5, 13)]);
  });
});

describe('a row of steel balls', () => {
  const BALLS = [0, 1, 2, 3, 4, 5];
  const ends = ({ column }: Run): number[] => BALLS.map((k) => column(`ball${k}.v`).at(-1) ?? NaN);

  it('struck by one spreads as springs of Hertz do, and keeps momentum and energy', () => {
    const result = runExample('ball-chain');
    const masses = BALLS.map(() => 1);
    const springs = { masses, stiffness: masses.slice(1), exponent: 1.5 };
    const { velocities } = elasticChain(springs, Float64Array.of(1, 0, 0, 0, 0, 0), 5e-4);
    ends(result).forEach((v, k) => expect(Math.abs(v - velocities[k])).toBeLessThan(1e-8));
    expect(result.column('lastShare').at(-1)).toBeCloseTo(velocities[5], 7);
    expect(result.column('momentum').at(-1)).toBeCloseTo(0.0327, 15);
    expect(result.column('energyKept').at(-1)).toBeCloseTo(1, 10);
  });

  it('depends on ratios of stiffness, and loses energy with e below 1, less than if all stayed together', () => {
    const [equal, rising] = [1, 3].map((ratio) => ends(runExample('ball-chain', { set: { ratio } })));
    expect(Math.abs(rising[5] - equal[5])).toBeGreaterThan(1e-3);
    const kept =
      runExample('ball-chain', { set: { e: 0.8 } })
        .column('energyKept')
        .at(-1) ?? NaN;
    expect(kept).toBeLessThan(1);
    expect(kept).toBeGreaterThan(1 / 6);
  });
});

describe('a ball that is lifted from rest', () => {
  const result = runExample('lift-off');

  it('takes off when the pull is its weight, without an impact', () => {
    const [first] = eventsOf(result, 'takeOff');
    expect(first.time).toBeCloseTo(Math.asin(9.81 / 15) / 3, 9);
    expect(eventsOf(result, 'impact')[0].time).toBeGreaterThan(first.time + 0.1);
  });

  it('is held by the difference of weight and pull before that', () => {
    const time = 0.1;
    expect(valueAt(result, 'floor.lambda', time)).toBeCloseTo(9.81 - 15 * Math.sin(3 * time), 10);
  });
});

describe('a ball in a groove', () => {
  it('comes to rest on both sides', () => {
    const result = runExample('ball-in-groove');
    expect(
      Math.hypot(result.column('ball.q[0]').at(-1) ?? 1, result.column('ball.q[1]').at(-1) ?? 1),
    ).toBeLessThan(1e-9);
    // 2 λ cos 0.7 = m g
    const force = 9.81 / (2 * Math.cos(0.7));
    expect(result.column('left.lambda').at(-1)).toBeCloseTo(force, 8);
    expect(result.column('right.lambda').at(-1)).toBeCloseTo(force, 8);
  });
});

describe('a mass on a spring with dry friction', () => {
  it.each([
    [0.1, [-0.08, 0.06, -0.04, 0.02, 0], 0],
    [0.105, [-0.085, 0.065, -0.045, 0.025, -0.005], -0.005],
  ])('released at %s m turns and stops where theory says', (x0, turns, rest) => {
    const result = runExample('spring-friction', { set: { x0 } });
    const { column } = result;
    // Turning points lie at multiples of half a period, π/10 s.
    const events = result.session.eventRecords;
    expect(events.map(({ time }) => time)).toEqual(
      turns.map((_, k): unknown => expect.closeTo(((k + 1) * Math.PI) / 10, 10)),
    );
    turns.forEach((x, k) => {
      expect(valueAt(result, 'mass.q', events[k].time)).toBeCloseTo(x, 10);
    });
    expect(column('mass.q').at(-1)).toBeCloseTo(rest, 10);
    expect(column('mass.v').at(-1)).toBe(0);
  });
});

describe('an oscillator on a belt', () => {
  it('sticks and slips in turn, and moves with the belt while it sticks', () => {
    const result = runExample('friction-belt');
    const releases = eventsOf(result, 'slidingOff');
    const catches = eventsOf(result, 'slidingOn');
    expect(releases.length).toBeGreaterThan(3);
    // It is let go where the spring pulls with the largest friction force.
    for (const { time } of releases) expect(valueAt(result, 'mass.q', time)).toBeCloseTo(1, 9);
    const middle = (catches[1].time + releases[1].time) / 2;
    expect(valueAt(result, 'mass.v', middle)).toBeCloseTo(0.2, 12);
    // A limit cycle: all later periods are equal.
    const periods = releases.slice(2).map(({ time }, k) => time - releases[k + 1].time);
    for (const period of periods) expect(period).toBeCloseTo(periods[0], 8);
  });
});

describe('a rocking block', () => {
  const result = runExample('rocking-block');

  it('keeps the part of its angular velocity that Housner says', () => {
    const impacts = eventsOf(result, 'impact');
    const { column } = result;
    const t = column('t');
    const rate = column('block.v[2]');
    const row = t.findIndex((time) => time === impacts[0].time);
    expect(rate[row + 1] / rate[row]).toBeCloseTo(1 - 1.5 * (0.2 ** 2 / (0.2 ** 2 + 0.6 ** 2)), 10);
  });

  it('comes to rest upright, with half its weight on each corner', () => {
    expect(Math.abs(result.column('block.q[2]').at(-1) ?? 1)).toBeLessThan(1e-9);
    expect(result.column('left.normalForce').at(-1)).toBeCloseTo((10 * 9.81) / 2, 8);
  });
});

describe('a woodpecker toy', () => {
  it('pecks once in a period and comes down with each', () => {
    const result = runExample('woodpecker');
    const pecks = eventsOf(result, 'impact', 'beak').filter(({ before }) => before < -0.05);
    const periods = pecks.slice(1).map(({ time }, k) => time - pecks[k].time);
    // Its equations integrated by a scheme of its own agree on the period; see
    // `event-driven/friction-woodpecker.test.ts`.
    for (const period of periods.slice(3)) expect(period).toBeCloseTo(0.146, 3);
    const heights = pecks.map(({ time }) => valueAt(result, 'toy.q[0]', time));
    const drops = heights.slice(1).map((height, k) => heights[k] - height);
    for (const drop of drops.slice(3)) expect(drop).toBeCloseTo(0.0194, 3);
    expect(drops.length).toBeGreaterThan(6);
  });
});

describe('a follower that has settled', () => {
  /** Times of its impacts in revolutions, within a span of them. */
  const impacts = (rpm: number, from: number, to: number): number[] =>
    eventsOf(runExample(`cam-follower-event-driven-${rpm}`), 'impact')
      .map(({ time }) => (time * rpm) / 60)
      .filter((turn) => turn > from && turn <= to);

  it('repeats its motion every three revolutions with eight impacts at 358 rpm', () => {
    const turns = impacts(358, 23.8, 29.8);
    expect(turns).toHaveLength(16);
    for (let k = 8; k < 16; k++) expect(Math.abs(turns[k] - turns[k - 8] - 3)).toBeLessThan(3e-3);
  });

  it('has one impact in each revolution at 700 rpm', () => {
    const turns = impacts(700, 50, 58);
    expect(turns).toHaveLength(8);
    for (let k = 1; k < 8; k++) expect(turns[k] - turns[k - 1]).toBeCloseTo(1, 5);
  });
});

describe('a follower below the speed of detachment', () => {
  it('stays on the cam, held by the spring and the inertia that the cam imposes', () => {
    const result = runExample('cam-follower-event-driven-110');
    expect(result.session.eventRecords).toEqual([]);
    const force = result.column('cam.lambda');
    expect(Math.min(...force)).toBeGreaterThan(0);
    // Where the cam does not lift, as after 0.82 revolutions, the force is that of the spring.
    expect(valueAt(result, 'cam.lambda', 0.45)).toBeCloseTo(1430.8 * 0.1, 9);
  });

  it('takes off just above it', () => {
    const result = runExample('cam-follower-event-driven-110', { set: { rpm: 116 } });
    expect(eventsOf(result, 'takeOff').length).toBeGreaterThan(0);
  });
});

describe('pendulums with joints', () => {
  const FORMULATIONS = [
    { type: 'Direct' },
    { type: 'Baumgarte', alpha: 5, beta: 5 },
    { type: 'Projection' },
    { type: 'SimplePartitioning' },
    { type: 'FullPartitioning' },
  ];

  it.each(FORMULATIONS)('the simple one is where the elliptic functions say, by $type', (constraints) => {
    const document = example('pendulum-joint');
    document.simulation.eventDriven = { constraints };
    const { column } = run(document);
    expect(column('bob.q[0]').at(-1)).toBeCloseTo(0.27508746, 7);
    expect(column('bob.q[1]').at(-1)).toBeCloseTo(-0.96141921, 7);
  });

  it('the double one keeps its energy by all formulations', () => {
    for (const constraints of FORMULATIONS) {
      const document = example('double-pendulum');
      document.simulation.eventDriven = { constraints };
      document.simulation.tEnd = 2;
      const { column } = run(document);
      const energy = column('energy');
      expect(Math.max(...energy) - Math.min(...energy)).toBeLessThan(1e-7);
    }
  });
});
