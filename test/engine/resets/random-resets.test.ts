/**
 * Random linear systems with random resets against another way of computing: the flow by the exponential of a
 * matrix, the passages by bisection on a fine grid.
 */
import { expect, it } from 'vitest';
import { sample } from '../../support/prove';
import { seeded } from '../support/random';
import { run } from '../support/run';
import { resetting } from './documents';
import { flow, product, propagator } from './exponential';
import { type Case, draw, written } from './random-cases';

const END = 6;
const GRID = 3000;
/** Passages slower than this, and guards that come so near to zero without passing, are left out. */
const GRAZING = 1e-3;

/**
 * Times of resets with their numbers, and the state at the end; null where something is too near to another.
 */
function oracle(one: Case): { times: number[]; which: number[]; x: number[] } | null {
  const g = ({ c, d, e }: Case['guards'][number], x: readonly number[]): number =>
    c.reduce((sum, value, i) => sum + value * x[i], 0) + d * x[0] * x[0] - e;
  const times: number[] = [];
  const which: number[] = [];
  let t = 0;
  let x = one.x0;
  const armed = (values: readonly number[]): boolean[] =>
    values.map((value, k) => Math.sign(value) === -one.guards[k].direction);
  const valuesOf = (at: readonly number[]): number[] => one.guards.map((guard) => g(guard, at));
  let sides = valuesOf(x);
  if (sides.some((value) => Math.abs(value) < GRAZING)) return null;
  const step = END / GRID;
  const [whole, half] = [propagator(one, step), propagator(one, step / 2)];
  while (t < END - 1e-12) {
    const h = Math.min(step, END - t);
    const next = h === step ? product(whole, [...x, 1]) : flow(one, x, h);
    const values = valuesOf(next);
    // A guard that turns round near zero may have passed it twice.
    const middle = valuesOf(h === step ? product(half, [...x, 1]) : flow(one, x, h / 2));
    const speeds = values.map((value, k) => Math.abs(value - sides[k]) / h);
    if (values.some((value, k) => Math.abs(value) < GRAZING * 5 && speeds[k] < 0.05)) return null;
    if (
      middle.some(
        (value, k) =>
          Math.sign(sides[k]) === Math.sign(values[k]) && Math.sign(value) !== Math.sign(values[k]),
      )
    )
      return null;
    const fired = armed(sides).flatMap((is, k) =>
      is && Math.sign(values[k]) === one.guards[k].direction ? [k] : [],
    );
    if (fired.length === 0) {
      t += h;
      x = next;
      sides = values;
      continue;
    }
    if (fired.length > 1) return null;
    const [k] = fired;
    let [low, high] = [0, h];
    for (let i = 0; i < 60; i++) {
      const at = (low + high) / 2;
      if (Math.sign(g(one.guards[k], flow(one, x, at))) === one.guards[k].direction) high = at;
      else low = at;
    }
    const { R, s } = one.guards[k];
    const before = flow(one, x, high);
    const jumped = product(R, before).map((value, i) => value + s[i]);
    const after = valuesOf(jumped);
    // A reset that fails or calls others belongs to other tests; so do passages that are ill-conditioned.
    if (Math.sign(after[k]) === one.guards[k].direction || speeds[k] < 0.1) return null;
    if (after.some((value) => Math.abs(value) < GRAZING)) return null;
    const there = valuesOf(before);
    if (after.some((value, j) => j !== k && Math.sign(value) !== Math.sign(there[j]))) return null;
    t += high;
    x = jumped;
    sides = after;
    times.push(t);
    which.push(k);
    if (times.length > 60) return null;
  }
  return { times, which, x };
}

it('random resets happen when and as another way of computing has them', () => {
  const random = seeded(2604);
  const count = sample(40, 1000);
  let compared = 0;
  let jumps = 0;
  for (let k = 0; k < count; k++) {
    const one = draw(random);
    const expected = oracle(one);
    if (expected === null) continue;
    compared++;
    const { session, column } = run(resetting(written(one), { tEnd: END, h: 0.05 }));
    const found = session.eventRecords.filter(({ kind }) => kind === 'reset');
    expect(
      found.map(({ element }) => element),
      `case ${k}`,
    ).toEqual(expected.which.map((j) => `r${j}`));
    jumps += found.length;
    found.forEach(({ time }, i) => {
      expect(Math.abs(time - expected.times[i]), `case ${k}, reset ${i}`).toBeLessThan(1e-8);
    });
    const scale = 1 + Math.max(...expected.x.map(Math.abs));
    expected.x.forEach((value, i) => {
      const end = column(one.n === 1 ? 's.x' : `s.x[${i}]`).at(-1) ?? Number.NaN;
      expect(Math.abs(end - value) / scale, `case ${k}, state ${i}`).toBeLessThan(1e-7);
    });
    const { dynamics, complementarity } = session.certificate;
    expect(Math.max(dynamics, complementarity), `case ${k}`).toBeLessThan(1e-8);
  }
  expect(compared).toBeGreaterThan(count / 4);
  expect(jumps).toBeGreaterThan(compared / 2);
}, 600_000);
