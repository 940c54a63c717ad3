/**
 * Random linear systems with switching rows and sources of time, from event to event, against an enumeration
 * of modes with matrix exponentials: no switching is missed, none is invented, whatever the step of the
 * recording and the order of the rows.
 */
import { describe, expect, it } from 'vitest';
import type { EventDriven } from '@engine/event-driven/event-driven';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { sample } from '../../support/prove';
import { seeded } from '../support/random';
import { SwitchedOracle } from '../support/switched-oracle';
import { simulateEvents } from './support';
import { permuted, type RandomSwitched, randomSwitched } from './switched-models';

const END = 4;
/** Steps of the recording: none of them may show in the result. */
const STEPS = [0.001, 0.01, 0.1, 0.4];
/** States and times of switchings, relative to 1. */
const STATES = 1e-8;
const TIMES = 1e-6;
/**
 * A pair of switchings that are so close that what lies between them is below the tolerance of the states.
 */
const PAIR = 2e-3;
const SWITCHES = new Set(['closing', 'release', 'switch', 'slidingOn', 'slidingOff']);

function simulated(model: NonSmoothDynamicalSystem, random: RandomSwitched, h: number): EventDriven {
  const simulation = simulateEvents(model, {
    tEnd: END,
    h,
    relativeTolerance: 1e-11,
    absoluteTolerance: 1e-12,
  });
  for (const time of random.jumps(END)) simulation.schedule(time, () => undefined);
  simulation.run();
  return simulation;
}

const switchTimes = ({ events }: EventDriven): number[] => [
  ...new Set(events.filter(({ kind }) => SWITCHES.has(kind)).map(({ time }) => time)),
];

/** Times of one list that have no counterpart in the other. */
const without = (times: readonly number[], others: readonly number[]): number[] =>
  times.filter((time) => !others.some((other) => Math.abs(other - time) < TIMES));

/** The same, but for pairs in which a row only touches its limit. */
const missed = (times: readonly number[], others: readonly number[]): number[] => {
  const left = without(times, others);
  return left.length === 2 && left[1] - left[0] < PAIR ? [] : left;
};

const distance = (a: ArrayLike<number>, b: readonly number[]): number =>
  Math.max(...b.map((value, i) => Math.abs(a[i] - value) / Math.max(1, Math.abs(value))));

/**
 * Ties just before a source jumps, outputs that leave zero with a curvature only, rows that were at their
 * bounds whenever they were recorded.
 */
const HARD = [575, 648, 1127, 1323, 4153, 8040];

describe('random switched systems with sources of time', () => {
  const seeds = Array.from({ length: sample(24, 10_000) }, (_, seed) => seed);

  it('switch when an enumeration of their modes does', { timeout: sample(180_000, 7_200_000) }, () => {
    for (const seed of new Set([...seeds.slice(0, sample(24, 10_000)), ...HARD])) {
      const random = randomSwitched(seeded(seed));
      const expected = new SwitchedOracle(random.oracle).run(END, 0.01);
      const simulation = simulated(random.model, random, STEPS[seed % STEPS.length]);
      const found = switchTimes(simulation);
      const label = `${seed}: ${random.what}`;
      expect(missed(expected.switches, found), `missed, ${label}`).toEqual([]);
      expect(without(found, expected.switches), `invented, ${label}`).toEqual([]);
      expect(distance(simulation.x, expected.x), label).toBeLessThan(STATES);
      expect(simulation.certificate.report.complementarity, label).toBeLessThan(1e-8);
    }
  });

  it(
    'do not depend on the order of their rows and interactions',
    { timeout: sample(180_000, 7_200_000) },
    () => {
      for (const seed of [...seeds.slice(0, sample(8, 1000)), 648]) {
        const random = randomSwitched(seeded(seed));
        const expected = simulated(random.model, random, 0.1);
        const other = simulated(permuted(random, seeded(seed + 1)), random, 0.1);
        const x = Array.from({ length: random.oracle.x0.length }, (_, i) => expected.x[i]);
        expect(distance(other.x, x), random.what).toBeLessThan(STATES);
        expect(without(switchTimes(other), switchTimes(expected))).toEqual([]);
        expect(without(switchTimes(expected), switchTimes(other))).toEqual([]);
      }
    },
  );
});
