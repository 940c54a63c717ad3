/** The difference of two recordings, on rows of which the answer is known. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compared, compareRows } from './support';

/** Times 0, h, …, n h. */
const grid = (n: number, h: number): number[] => Array.from({ length: n + 1 }, (_, k) => k * h);
const rowsOf = (times: readonly number[], x: (t: number) => number): number[][] =>
  times.map((t) => [t, x(t)]);

describe('recordings on a common grid', () => {
  it('give the largest difference, its time and the mean over time', () => {
    const h = 1 / 128;
    const reference = compared(
      rowsOf(grid(256, h), () => -3),
      h,
    );
    const other = compared(
      rowsOf(grid(256, h), (t) => -3 + t * (2 - t)),
      h,
    );
    const { scales, difference } = compareRows(reference, other, { from: 0, to: 2 });
    expect(scales[0]).toBe(3);
    expect(difference).toMatchObject({ rows: 257, interpolated: 0 });
    const [x] = difference.signals;
    expect(x).toMatchObject({
      name: 'x',
      maximum: 1,
      maximumTime: 1,
      awayMaximum: 1,
      awayMaximumTime: 1,
      notFinite: 0,
    });
    // ∫ t (2 − t) dt over [0, 2] is 4/3; the trapezoidal rule misses h²/12 · (f′(0) − f′(2)) = h²/3.
    expect(x.mean).toBeCloseTo((4 / 3 - (h * h) / 3) / 2, 14);
    // 1 % of 3 is passed where t (2 − t) = 0.03; the last row before that is given.
    expect(x.agreesUntil).toBe(Math.floor((1 - Math.sqrt(1 - 0.03)) / h) * h);
  });

  it('are compared within the span that is asked for', () => {
    const h = 1 / 64;
    const reference = compared(
      rowsOf(grid(640, h), () => 0),
      h,
    );
    const other = compared(
      rowsOf(grid(640, h), (t) => t),
      h,
    );
    const { difference } = compareRows(reference, other, { from: 3, to: 5 });
    expect(difference.rows).toBe(129);
    expect(difference.signals[0]).toMatchObject({ maximum: 5, maximumTime: 5, mean: 4 });
  });

  it('are compared at the rows of the longer step', () => {
    const [h, n] = [0.1, 100];
    const coarse = compared(rowsOf(grid(n, h), Math.sin), h);
    const fine = compared(
      rowsOf(grid(4 * n, h / 4), (t) => Math.sin(t) + 0.25),
      h / 4,
    );
    for (const [a, b] of [
      [coarse, fine],
      [fine, coarse],
    ]) {
      const { difference } = compareRows(a, b, { from: 0, to: 10 });
      expect(difference).toMatchObject({ rows: n + 1, interpolated: 0 });
      expect(difference.signals[0].mean).toBeCloseTo(0.25, 14);
    }
  });

  it('are found again where times differ by rounding only', () => {
    const h = 1e-3;
    let t = 0;
    const summed = Array.from({ length: 1001 }, (_, k) => (k === 0 ? 0 : (t += h)));
    expect(summed.some((time, k) => time !== k * h)).toBe(true);
    const { difference } = compareRows(
      compared(
        rowsOf(summed, () => 1),
        h,
      ),
      compared(
        rowsOf(grid(1000, h), () => 1),
        h,
      ),
      { from: 0, to: 1 },
    );
    expect(difference).toMatchObject({ rows: 1001, interpolated: 0 });
  });
});

describe('recordings without common times', () => {
  it('are interpolated linearly, and told so', () => {
    const reference = compared(
      rowsOf(grid(300, 0.01), (t) => 2 * t + 1),
      0.01,
    );
    const other = compared(
      rowsOf(grid(99, 0.03), (t) => 2 * t + 1.5),
      0.03,
    );
    const { difference } = compareRows(reference, other, { from: 0, to: 2.97 });
    expect(difference).toMatchObject({ rows: 100, interpolated: 0 });
    const shifted = compared(
      rowsOf(
        grid(99, 0.03).map((t) => t + 0.004),
        (t) => 2 * t + 1.5,
      ),
      0.03,
    );
    const between = compareRows(reference, shifted, { from: 0.004, to: 2.974 }).difference;
    expect(between).toMatchObject({ rows: 100, interpolated: 100 });
    expect(between.signals[0].maximum).toBeCloseTo(0.5, 12);
    expect(between.signals[0].mean).toBeCloseTo(0.5, 12);
  });

  it('are interpolated on the side of a jump on which the time lies', () => {
    // The reference jumps from 0 to 10 at t = 0.5, between the rows of the other run.
    const reference = compared(
      [
        [0, 0],
        [0.25, 0],
        [0.5, 0],
        [0.5, 10],
        [0.75, 10],
        [1, 10],
      ],
      0.25,
      'event-driven',
    );
    const other = compared(
      [
        [0, 0],
        [0.4, 0],
        [0.6, 10],
        [1, 10],
      ],
      0.4,
    );
    const { difference } = compareRows(reference, other, { from: 0, to: 1 });
    expect(difference).toMatchObject({ rows: 4, interpolated: 2 });
    expect(difference.signals[0].maximum).toBe(0);
  });

  it('leave the rows of an event out that fall between those of the other run', () => {
    const events = compared(
      [
        [0, 0],
        [0.3, 1],
        [0.3, 5],
        [1, 5],
        [2, 5],
      ],
      1,
      'event-driven',
    );
    const steps = compared(
      [
        [0, 0],
        [0.5, 5],
        [1, 5],
        [1.5, 5],
        [1.75, 5],
        [2, 5],
      ],
      0.5,
    );
    const { difference } = compareRows(events, steps, { from: 0, to: 2 });
    expect(difference).toMatchObject({ rows: 3, interpolated: 0 });
    expect(difference.signals[0].maximum).toBe(0);
  });
});

describe('jumps', () => {
  it('are compared by the value after them', () => {
    const events = compared(
      [
        [0, 0],
        [1, 7],
        [1, -4],
        [2, -4],
      ],
      1,
      'event-driven',
    );
    const steps = compared(
      [
        [0, 0],
        [1, -4],
        [2, -4],
      ],
      1,
    );
    const { difference } = compareRows(events, steps, { from: 0, to: 2 });
    expect(difference.rows).toBe(3);
    expect(difference.signals[0].maximum).toBe(0);
  });

  it('do not count in the largest difference away from impacts, and nothing else is left out', () => {
    // Both jump from 1 to −1; the other run 0.025 later. Away from the jump they are 0.125 apart.
    const h = 1 / 64;
    const impact = 0.5;
    const later = impact + 2 * h;
    const reference = compared(
      [
        ...grid(32, h).map((t) => [t, 1, 0]),
        [impact, -1, 3],
        ...grid(32, h)
          .slice(1)
          .map((t) => [impact + t, -1, 0]),
      ],
      h,
      'event-driven',
    );
    const other = compared(
      grid(64, h).map((t) => [t, t < later ? 1.125 : -0.875, t === later ? 3 : 0]),
      h,
    );
    const { difference } = compareRows(reference, other, { from: 0, to: 1 });
    const [x] = difference.signals;
    expect(x.maximum).toBe(2.125);
    expect(x.awayMaximum).toBe(0.125);
    expect(difference.contacts).toMatchObject([
      {
        ...{ signal: 'floor.impulse', element: 'floor', referenceImpacts: 1, impacts: 1 },
        isolated: 1,
        matched: 1,
      },
    ]);
    expect(difference.contacts[0]).toMatchObject({
      missed: 0,
      extra: 0,
      largest: 2 * h,
      largestTime: impact,
      mean: 2 * h,
    });
    // Without the impact in the other run its neighbourhood is two steps wide, and the rest counts in full.
    const silent = compared(
      grid(64, h).map((t) => [t, t < impact + 4 * h ? 1 : -1, 0]),
      h,
    );
    const missed = compareRows(reference, silent, { from: 0, to: 1 }).difference;
    expect(missed.contacts[0]).toMatchObject({ matched: 0, missed: 1, largest: null, mean: null });
    expect(missed.signals[0]).toMatchObject({ awayMaximum: 2, awayMaximumTime: impact + 3 * h });
  });

  it('of time-stepping are the steps in which a contact begins to push', () => {
    const h = 0.125;
    const impulse = [0, 0, 2, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0];
    const rows = impulse.map((p, k) => [k * h, 0, p]);
    const span = { from: 0, to: 13 * h };
    const { contacts } = compareRows(compared(rows, h), compared(rows, h), span).difference;
    expect([...contacts[0].pairs.reference]).toEqual([2 * h, 8 * h]);
    // From event to event each impulse is an impact, whatever stands in the row before.
    const events = compared(rows, h, 'event-driven');
    const { pairs } = compareRows(events, events, span).difference.contacts[0];
    expect([...pairs.reference]).toEqual([2, 8, 9, 10, 11].map((k) => k * h));
  });

  it('that lie before the span are not seen, nor a contact that pushes already when it begins', () => {
    const rows = [0, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 0].map((p, k) => [k, 0, p]);
    const { contacts } = compareRows(compared(rows, 1), compared(rows, 1), { from: 4, to: 11 }).difference;
    expect([...contacts[0].pairs.reference]).toEqual([10]);
  });
});

describe('impacts at the borders of a recording', () => {
  const impactsOf = (impulse: readonly number[], from: number): number[] => {
    const rows = impulse.map((p, k) => [k, 0, p]);
    const span = { from, to: impulse.length - 1 };
    const { contacts } = compareRows(compared(rows, 1), compared(rows, 1), span).difference;
    return [...contacts[0].pairs.reference];
  };

  it('are not seen where a contact pushes in the first row', () => {
    expect(impactsOf([1, 1, 0, 0, 0, 0, 1, 0], 0)).toEqual([6]);
  });

  it('are seen in the first row of a chunk with which the span begins', () => {
    const impulse = Array.from({ length: 100 }, (_, k) => (k === 64 ? 1 : 0));
    expect(impactsOf(impulse, 64)).toEqual([64]);
    expect(
      impactsOf(
        impulse.map((p, k) => (k === 63 ? 1 : p)),
        64,
      ),
    ).toEqual([]);
  });
});

describe('values that are no numbers', () => {
  it('are left out and counted', () => {
    const x = [1, 1, Number.NaN, 1, 1, Infinity, 1, 1];
    const reference = compared(
      x.map((value, k) => [k, value]),
      1,
    );
    const other = compared(
      x.map((_, k) => [k, 3]),
      1,
    );
    const { scales, difference } = compareRows(reference, other, { from: 0, to: 7 });
    expect(scales[0]).toBe(1);
    expect(difference.signals[0]).toMatchObject({ maximum: 2, mean: 2, notFinite: 2 });
  });
});

/** The same by plain search in whole arrays. */
function byHand(reference: number[][], other: number[][]): { maximum: number; mean: number; rows: number } {
  const after = (rows: number[][]): Map<number, number> => new Map(rows.map(([t, x]) => [t, x]));
  const [a, b] = [after(reference), after(other)];
  const common = [...a.keys()].filter((t) => b.has(t)).sort((s, t) => s - t);
  const d = common.map((t) => Math.abs((a.get(t) ?? NaN) - (b.get(t) ?? NaN)));
  let integral = 0;
  for (let i = 1; i < d.length; i++) integral += ((d[i - 1] + d[i]) / 2) * (common[i] - common[i - 1]);
  return {
    maximum: Math.max(...d),
    mean: integral / (common[common.length - 1] - common[0]),
    rows: d.length,
  };
}

describe('random recordings', () => {
  it('give what plain search gives, across chunks and with events', () => {
    const value = fc.double({ min: -10, max: 10, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 70, maxLength: 400 }),
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), value, value), { maxLength: 12 }),
        (xs, factor, events) => {
          const h = 1 / 32;
          const count = Math.floor((xs.length - 1) / factor);
          const coarse = Array.from({ length: count + 1 }, (_, k) => [k * factor * h, Math.sin(k)]);
          const end = count * factor * h;
          const fine = xs.slice(0, count * factor + 1).map((x, k) => [k * h, x]);
          // Two rows for each event, halfway between the steps or at one of them.
          const extra = events
            .map(([place, before, after]) => [(place * h) / 2, before, after])
            .filter(([t]) => t < end)
            .flatMap(([t, before, after]) => [
              [t, before],
              [t, after],
            ]);
          const reference = [...fine, ...extra]
            .map((row, i) => ({ row, i }))
            .sort((a, b) => a.row[0] - b.row[0] || a.i - b.i)
            .map(({ row }) => row);
          const { difference } = compareRows(
            compared(reference, h, 'event-driven'),
            compared(coarse, factor * h),
            { from: 0, to: end },
          );
          const expected = byHand(reference, coarse);
          expect(difference.rows).toBe(expected.rows);
          expect(difference.interpolated).toBe(0);
          expect(difference.signals[0].maximum).toBe(expected.maximum);
          expect(difference.signals[0].mean).toBeCloseTo(expected.mean, 10);
        },
      ),
    );
  });
});
