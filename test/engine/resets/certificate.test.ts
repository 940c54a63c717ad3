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
