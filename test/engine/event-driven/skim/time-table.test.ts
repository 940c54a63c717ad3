/**
 * Tables of functions of time: they are right to rounding, and find after which time a function repeats
 * itself.
 */
import { DEGREE, type SampledFunction, TimeTable } from '@engine/event-driven/skim/time-table';
import { describe, expect, it } from 'vitest';

/** A function with one condition, and how often it has been asked for its value. */
function sampled(
  value: (t: number) => number,
  outcome: (t: number) => number,
): SampledFunction & { asked: number } {
  let noted = NaN;
  const source = {
    asked: 0,
    value: (time: number) => {
      source.asked++;
      return value(time);
    },
    note: (time: number) => {
      noted = outcome(time);
    },
    isAsNoted: (time: number) => outcome(time) === noted,
  };
  return source;
}

function read(table: TimeTable, time: number): number {
  if (!table.seek(time)) return NaN;
  const { piece, coefficients } = table;
  const u = (time - piece[2]) * piece[3];
  let sum = 0;
  for (let k = DEGREE; k >= 0; k--) sum = coefficients[k] + u * sum;
  return sum;
}

const T = 0.37;
const phase = (t: number): number => t / T - Math.floor(t / T);
const lift = (t: number): number => (phase(t) < 0.4 ? 0.2 * Math.sin((Math.PI * phase(t)) / 0.4) ** 2 : 0);
const side = (t: number): number => 2 * Math.floor(t / T) + (phase(t) < 0.4 ? 0 : 1);

/** Largest difference at places of many turns, and how often the function was asked on the way. */
function follow(source: SampledFunction & { asked: number }, value: (t: number) => number): [number, number] {
  const table = new TimeTable(source, null, 0.25);
  let off = 0;
  for (let k = 0; k < 20_000; k++) {
    const time = 0.01 + 0.0137 * k;
    // A border is where rounding puts it.
    const isBorder = Math.min(Math.abs(phase(time)), Math.abs(phase(time) - 0.4), 1 - phase(time)) < 1e-9;
    if (!isBorder) off = Math.max(off, Math.abs(read(table, time) - value(time)));
  }
  return [off, source.asked];
}

describe('a table of a function of time', () => {
  it('whose period is not known finds it by its corners', () => {
    const [off, asked] = follow(sampled(lift, side), lift);
    expect(off).toBeLessThan(1e-11);
    expect(asked).toBeLessThan(5000);
  });

  it('that does not repeat itself is formed as time goes on', () => {
    const drifting = (t: number): number => lift(t) + 1e-3 * Math.sin(0.1 * t);
    const [off, asked] = follow(sampled(drifting, side), drifting);
    expect(off).toBeLessThan(1e-11);
    expect(asked).toBeGreaterThan(20_000);
  });

  it('that rests for longer than a window takes no rest for a period', () => {
    const late = (t: number): number => (t < 5.3 ? 0 : lift(t));
    const sides = (t: number): number => (t < 5.3 ? 0 : 1 + side(t));
    const [off] = follow(sampled(late, sides), late);
    expect(off).toBeLessThan(1e-11);
  });

  it('begins once more when it is rewound', () => {
    const source = sampled(lift, side);
    const table = new TimeTable(source, null, 0.25);
    const values = (): number[] => Array.from({ length: 300 }, (_, k) => read(table, 0.02 + 0.011 * k));
    const first = values();
    table.rewind();
    expect(values()).toStrictEqual(first);
  });

  it('that comes back when it has become another one is looked at, and not formed once more', () => {
    let turn = 0;
    let bump = 0;
    let asked = 0;
    const value = (t: number): number => {
      asked++;
      return Math.sin(3 * (t - turn)) + bump * Math.exp(-(((t - turn - 0.503) / 0.002) ** 2));
    };
    const source = { value, note: () => undefined, isAsNoted: () => true, lengthFrom: () => 1 };
    const table = new TimeTable(source, null, 1 / 16, 1);
    const turns = (): number => {
      let off = 0;
      for (let k = 0; k < 500; k++) {
        const time = turn + k / 500;
        const found = read(table, time);
        off = Math.max(off, Math.abs(found - Math.sin(3 * (time - turn))));
      }
      return off;
    };
    expect(turns()).toBeLessThan(1e-13);
    const first = asked;
    turn = 1;
    table.forget();
    expect(turns()).toBeLessThan(1e-12);
    expect(asked - first).toBeLessThan(0.8 * first);
    // What is narrow is seen as it is in windows of the usual length.
    [turn, bump] = [2, 1];
    table.forget();
    expect(turns()).toBeGreaterThan(0.5);
  });
});
