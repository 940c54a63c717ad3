/** Kinds of attractors, and the motions of a ball that comes to rest on a moving table again and again. */
import {
  FAILED_START,
  UNSETTLED,
  kindNumber,
  motionKindOf,
  settledKind,
} from '@engine/analysis/basins/attractors';
import { type BasinGrid, findAttractors, settlePart } from '@engine/analysis/basins/grid';
import { analysedMotion } from '@engine/analysis/jobs/motion-of';
import { createSandbox } from '@engine/script/sandbox';
import { describe, expect, it } from 'vitest';
import { example } from '../support/models';

describe('a kind of attractors', () => {
  it('has a number of its own, in the order of periods and then of events, accumulation last', () => {
    const kinds = [1, 2, 200].flatMap((cycle) => [0, 1, 7, null].map((events) => ({ cycle, events })));
    const numbers = kinds.map(kindNumber);
    expect(numbers.map(motionKindOf)).toEqual(kinds);
    expect([...numbers].sort((a, b) => a - b)).toEqual(numbers);
    // In journals they are int32.
    expect(Math.max(...numbers)).toBeLessThan(2 ** 31);
  });
});

describe('an autonomous model', () => {
  it('has its points of rest as attractors, and the starts between them: Lorenz’ below the chaos', () => {
    const [rho, beta] = [10, 8 / 3];
    const { motion } = analysedMotion(example('lorenz'), { rho }, { sandbox: createSandbox });
    const settings = {
      ...{ period: 0.5, isAutonomous: false, t0: 0, maxPeriods: 400 },
      ...{ longestCycle: 4, tolerance: 1e-3, confirm: 4 },
    };
    const grid: BasinGrid = {
      start: motion.initialState,
      x: { place: 0, from: -8, to: 8, count: 4 },
      y: { place: 1, from: -8, to: 8, count: 4 },
    };
    const known = findAttractors(motion, settings, grid, 1);
    expect(known.list.map(({ cycle }) => cycle)).toEqual([1, 1]);
    const side = Math.sqrt(beta * (rho - 1));
    const rest = known.list.map(({ points }) => [...points]).sort((a, b) => a[0] - b[0]);
    rest.forEach(([x, y, z], k) => {
      const sign = k === 0 ? -1 : 1;
      expect([x, y, z]).toEqual(
        [sign * side, sign * side, rho - 1].map((value): unknown => expect.closeTo(value, 6)),
      );
    });
    // One exponent of the points of rest decides how fast a motion comes there.
    for (const { largest } of known.list) expect(largest).toBeLessThan(1);
    const { attractor } = settlePart(motion, settings, grid, known, 0, 16);
    expect(new Set(attractor)).toEqual(new Set([0, 1]));
  });
});

describe('a ball on a vibrating table', () => {
  const settings = {
    isAutonomous: false,
    t0: 0,
    maxPeriods: 400,
    longestCycle: 4,
    tolerance: 1e-3,
    confirm: 4,
  };
  const kindAt = (set: Readonly<Record<string, number>>, more: Partial<typeof settings> = {}): number => {
    const { motion } = analysedMotion(example('vibrating-table'), set, { sandbox: createSandbox });
    return settledKind(motion, { ...settings, ...more, period: 1 / 20 }, motion.initialState).kind;
  };

  it('bounces once a period below the doubling, twice in two above, and comes to rest where the table is weak', () => {
    expect(motionKindOf(kindAt({ Gamma: 1.2 }))).toEqual({ cycle: 1, events: 1 });
    expect(motionKindOf(kindAt({ Gamma: 1.6 }))).toEqual({ cycle: 2, events: 2 });
    expect(motionKindOf(kindAt({ Gamma: 1.03 }))).toEqual({ cycle: 1, events: null });
  });

  it('is undecided where the time is too short, and not simulated from below the table', () => {
    expect(kindAt({}, { maxPeriods: 8 })).toBe(UNSETTLED);
    const { motion } = analysedMotion(example('vibrating-table'), {}, { sandbox: createSandbox });
    const { kind, failure } = settledKind(motion, { ...settings, period: 1 / 20 }, Float64Array.of(-1, 0));
    expect(kind).toBe(FAILED_START);
    expect(failure?.message).toContain('table');
  });
});
