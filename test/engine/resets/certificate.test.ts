/** The certificate objects to resets that are not what their guards and maps say. */
import { expect, it } from 'vitest';
import { ResetCheck } from '@engine/certificate/reset-check';
import type { ResetRule } from '@engine/model/resets/reset';

/** ẋ = 1. */
const system = {
  form: {
    order: 1,
    size: 1,
    mass: null,
    rate: (_clock: unknown, _x: unknown, out: Float64Array) => out.fill(1),
  },
};
const model = { systems: [system], interactions: [] } as never;
const places = { q: 1, v: 3, ndof: 0, lambda: 3, resets: 2 };
/** x rises to 1 and falls to 0. Rows are t, x, number of resets. */
const rule: ResetRule = {
  id: 'fire',
  system: 0,
  size: 1,
  direction: 1,
  every: null,
  text: 'x - 1',
  sets: [0],
  readsOwn: true,
  readsSet: true,
  slots: [1],
  affine: null,
  guard: (row, out) => (out[0] = row[1] - 1),
  map: (_row, out) => (out[0] = 0),
};
const row = (t: number, x: number, count: number): Float64Array => Float64Array.of(t, x, count);

function judged(act: (check: ResetCheck) => void): { map: number; guard: number } {
  const found = { map: 0, guard: 0 };
  const check = new ResetCheck(model, [rule], places, (isMap, value) => {
    if (isMap) found.map = Math.max(found.map, value);
    else found.guard = Math.max(found.guard, value);
  });
  check.start(row(0, 0, 0));
  act(check);
  return found;
}

it.each<[string, (check: ResetCheck) => void, { map: number; guard: number }]>([
  [
    'nothing to a reset as it should be',
    (check) => {
      check.row(row(1, 1, 0));
      check.round(row(1, 1, 0), row(1, 0, 1));
      check.row(row(1, 0, 1));
    },
    { map: 0, guard: 0 },
  ],
  ['another state behind it', (check) => check.round(row(1, 1, 0), row(1, 0.25, 1)), { map: 0.25, guard: 0 }],
  ['a jump without a reset', (check) => check.round(row(1, 0.5, 0), row(1, 0, 0)), { map: 1, guard: 0 }],
  [
    'a reset before the guard is passed',
    (check) => check.round(row(1, 0.5, 0), row(1, 0, 1)),
    { map: 0, guard: 0.5 },
  ],
  ['a passage without a reset', (check) => check.row(row(1, 2, 0)), { map: 0, guard: 1 }],
  [
    'a reset from the wrong side',
    (check) => {
      check.row(row(1, 2, 0));
      check.round(row(2, 2, 0), row(2, 0, 1));
    },
    { map: 0, guard: 1 },
  ],
])('%s', (_, act, expected) => {
  expect(judged(act)).toEqual(expected);
});

/** A clock of period 1, whose rows are all a hair behind its passages. */
const ticks: ResetRule = {
  ...rule,
  ...{
    direction: 0,
    every: 1,
    readsOwn: false,
    readsSet: false,
    slots: [0],
    map: (_row, out) => (out[0] = 7),
  },
  guard: ([t], out) => (out[0] = Math.abs(((t + 0.5 + 1e-9) % 2) - 1) - 0.5),
};

it.each([
  ['each sample', [1, 2, 3], [1, 2, 3], 0],
  ['a sample that was left out', [1, 2, 3], [1, 3], 1],
  ['none at all', [1, 2, 3], [], 1],
  ['two samples between rows', [2.5], [], 1],
])('of a clock: %s', (_, times, samples, expected) => {
  let worst = 0;
  const check = new ResetCheck(model, [ticks], places, (isMap, value) => {
    if (!isMap) worst = Math.max(worst, value);
  });
  check.start(row(0, 7, 0));
  let count = 0;
  for (const t of times) {
    if (samples.includes(t)) check.round(row(t, 7, count), row(t, 7, ++count));
    check.row(row(t, 7, count));
  }
  expect(worst).toBe(expected);
});
