/**
 * Resets that keep the value of their own guard, as of Clegg's integrator, whose state is set to zero where
 * its input passes zero (Clegg 1958).
 */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { sample } from '../../support/prove';
import { type Random, seeded } from '../support/random';
import { run, runFailure, start } from '../support/run';
import { linear, reset, resetting, SCHEMES } from './documents';
import { flow, product, propagator } from './exponential';

type Run = ReturnType<typeof run>;
const resetsOf = ({ session }: Run): { time: number; element: string }[] =>
  session.eventRecords.filter(({ kind }) => kind === 'reset');
const worst = ({ session }: Run): number => {
  const { dynamics, complementarity, coneViolation } = session.certificate;
  return Math.max(dynamics, complementarity, coneViolation);
};

describe('Clegg’s integrator of a sine', () => {
  /** (sin t, cos t, ∫ sin), one system. */
  const document = (direction: string, guard = 's.x[0]', more: Partial<ModelDocument['simulation']> = {}) =>
    resetting(
      [
        linear(
          's',
          [
            [0, 1, 0],
            [-1, 0, 0],
            [1, 0, 0],
          ],
          [0, 0, 0],
          [0, 1, 0],
        ),
        reset('zero', 's', guard, ['s.x[0]', 's.x[1]', '0'], direction),
      ],
      { tEnd: 10, h: 0.01, ...more },
    );
  /** ∫ sin from the last reset on. */
  const expected = (t: number, period: number, first: number): number =>
    (t < first ? 1 : Math.cos(first + period * Math.floor((t - first) / period))) - Math.cos(t);

  it.each<[string, number, number, number]>([
    ['both', Math.PI, Math.PI, 3],
    ['falling', 2 * Math.PI, Math.PI, 2],
    // It begins at zero, and passes it at once.
    ['rising', 2 * Math.PI, 0, 2],
  ])('is the integral since a zero, %s', (direction, period, first, count) => {
    for (const guard of ['s.x[0]', 'sinh(s.x[0])', '2 * s.x[0] * (3 + cos(t))']) {
      const done = run(document(direction, guard));
      expect(resetsOf(done).length, guard).toBe(count);
      resetsOf(done).forEach(({ time }, k) => expect(time).toBeCloseTo(first + period * k, 9));
      const [t, x] = [done.column('t'), done.column('s.x[2]')];
      t.forEach((time, k) => {
        // On a jump both sides are rows.
        if (Math.abs(Math.sin(time)) > 1e-6)
          expect(Math.abs(x[k] - expected(time, period, first)), `${guard} ${time}`).toBeLessThan(1e-8);
      });
      expect(worst(done), guard).toBeLessThan(1e-8);
      const stepped = run(document(direction, guard, { scheme: 'time-stepping', h: 1e-3 }));
      expect(stepped.column('zero.count').at(-1), guard).toBe(count);
      expect(Math.abs((stepped.column('s.x[2]').at(-1) ?? NaN) - expected(10, period, first))).toBeLessThan(
        1e-2,
      );
      expect(worst(stepped), guard).toBeLessThan(1e-10);
    }
  });
});

/**
 * A loop with a reset element ẋ_r = −p x_r + e, that is Clegg's integrator where p = 0, e = r + s − c·x of a
 * plant ẋ = A x + B (k x_r + d e), with r constant and s a sine of two states of its own. One system (plant,
 * x_r, sine).
 */
interface Loop {
  readonly n: number;
  readonly A: number[][];
  readonly b: number[];
  readonly x0: number[];
  /** e = c·x + r */
  readonly c: number[];
  readonly r: number;
  /** state that is set to zero */
  readonly of: number;
  readonly direction: -1 | 0 | 1;
}

function draw(random: Random): Loop {
  const m = random.integer(1, 2);
  const n = m + 3;
  const A = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  const [sine, frequency] = [random.chance(0.5) ? random.uniform(0.3, 1) : 0, random.uniform(1, 4)];
  const r = random.uniform(-1, 1);
  const c = Array.from({ length: n }, (_, i) => (i < m ? -random.uniform(0.5, 2) : 0));
  c[m + 1] = sine;
  // With d = 0 and the output of the last of a chain, x_r does not act on ė.
  if (m === 2 && random.chance(0.5)) c[0] = 0;
  const [k, d, p] = [
    random.uniform(1, 6),
    random.uniform(0, 1),
    random.chance(0.5) ? 0 : random.uniform(0, 2),
  ];
  const b = new Array<number>(n).fill(0);
  for (let i = 0; i < m; i++) A[i][i] = -random.uniform(0, 1.5);
  if (m === 2) A[1][0] = random.uniform(0.5, 3);
  A[0][m] = k;
  for (let j = 0; j < n; j++) A[0][j] += d * c[j];
  b[0] = d * r;
  A[m] = [...c];
  A[m][m] = -p;
  b[m] = r;
  A[m + 1][m + 2] = frequency;
  A[m + 2][m + 1] = -frequency;
  const x0 = b.map((_, i) => (i < m ? random.uniform(-1, 1) : 0));
  x0[m + 2] = 1;
  return { n, A, b, x0, c, r, of: m, direction: ([-1, 0, 0, 1] as const)[random.integer(0, 3)] };
}

const END = 6;
const GRID = 3000;

/** Times of resets and the state at the end; null where something is ill-conditioned. */
function oracle(one: Loop): { times: number[]; returns: number; x: number[] } | null {
  const { n, A, b, c, r, of, direction } = one;
  const e = (x: readonly number[]): number => c.reduce((sum, value, i) => sum + value * x[i], r);
  const rate = (x: readonly number[]): number => {
    const v = product(A, x);
    return c.reduce((sum, value, i) => sum + value * (v[i] + b[i]), 0);
  };
  const step = END / GRID;
  const whole = propagator({ n, A, b }, step);
  const times: number[] = [];
  let [t, x, returns] = [0, one.x0, 0];
  let side = Math.sign(e(x));
  if (Math.abs(e(x)) < 1e-3) return null;
  while (t < END - 1e-12) {
    const h = Math.min(step, END - t);
    const next = h === step ? product(whole, [...x, 1]) : flow(one, x, h);
    const before = Math.abs(e(x)) < 1e-12 ? side : Math.sign(e(x));
    if (before !== side) return null;
    // What nearly touches zero, or comes back within a step of the grid, is left out.
    if (Math.abs(e(next)) < 2e-3 && Math.abs(rate(next)) < 0.05) return null;
    if (Math.sign(e(next)) === side) {
      t += h;
      x = next;
      continue;
    }
    let [low, high] = [Math.abs(e(x)) < 1e-12 ? h / 16 : 0, h];
    if (Math.sign(e(flow(one, x, low))) === -side) return null;
    for (let i = 0; i < 60; i++) {
      const at = (low + high) / 2;
      if (Math.sign(e(flow(one, x, at))) === side) low = at;
      else high = at;
    }
    x = flow(one, x, high);
    t += high;
    if (Math.abs(rate(x)) < 0.1) return null;
    if (direction !== 0 && direction === side) {
      side = -side;
      continue;
    }
    x = x.map((value, i) => (i === of ? 0 : value));
    times.push(t);
    if (Math.abs(rate(x)) < 0.1 || times.length > 60) return null;
    if (Math.sign(rate(x)) === side) returns++;
    side = Math.sign(rate(x));
  }
  return { times, returns, x };
}

const written = ({ n, A, b, x0, c, r, of, direction }: Loop, nonlinear: boolean, hasMass: boolean) => {
  const e = `${c.map((value, i) => `(${value}) * s.x[${i}]`).join(' + ')} + (${r})`;
  const map = Array.from({ length: n }, (_, i) => (i === of ? '0' : `s.x[${i}]`));
  const name = ['falling', 'both', 'rising'][direction + 1];
  // M ẋ = M A x + M b, with a mass matrix of two diagonals.
  const M = A.map((_, i) => A.map((__, j) => (i === j ? 2 + 0.5 * i : j === i + 1 ? 0.7 : 0)));
  const columns = A[0].map((_, j) =>
    product(
      M,
      A.map((row) => row[j]),
    ),
  );
  const weighted = A.map((_, i) => columns.map((column) => column[i]));
  const plant = hasMass ? { ...linear('s', weighted, product(M, b), x0), mass: M } : linear('s', A, b, x0);
  return [plant, reset('zero', 's', nonlinear ? `sinh(${e})` : e, map, name)];
};

describe('a loop with a reset element', () => {
  it('resets when and as another way of computing has it', { timeout: 600_000 }, () => {
    const random = seeded(58);
    const count = sample(12, 1000);
    let [compared, jumps, returns] = [0, 0, 0];
    for (let k = 0; k < count; k++) {
      const one = draw(random);
      const expected = oracle(one);
      if (expected === null) continue;
      compared++;
      jumps += expected.times.length;
      returns += expected.returns;
      const systems = written(one, k % 3 === 0, k % 2 === 0);
      const done = run(resetting(systems, { tEnd: END, h: 0.05 }));
      const times = resetsOf(done).map(({ time }) => time);
      expect(times.length, `case ${k}`).toBe(expected.times.length);
      times.forEach((time, i) => {
        expect(Math.abs(time - expected.times[i]), `case ${k}, reset ${i}`).toBeLessThan(1e-7);
      });
      const scale = 1 + Math.max(...expected.x.map(Math.abs));
      const off = ({ column }: Run): number =>
        Math.max(
          ...expected.x.map((value, i) => Math.abs((column(`s.x[${i}]`).at(-1) ?? NaN) - value) / scale),
        );
      expect(off(done), `case ${k}`).toBeLessThan(1e-7);
      expect(worst(done), `case ${k}`).toBeLessThan(1e-8);
      // Of order 1: resets at ends of steps, as many of them.
      const stepped = run(resetting(systems, { scheme: 'time-stepping', tEnd: END, h: 1e-3 }));
      expect(worst(stepped), `case ${k}`).toBeLessThan(1e-8);
      const gaps = expected.times.map((time, i) => time - (i === 0 ? 0 : expected.times[i - 1]));
      if (gaps.some((gap) => gap < 0.05) || END - (expected.times.at(-1) ?? 0) < 0.05) continue;
      expect(stepped.column('zero.count').at(-1), `case ${k} by steps`).toBe(expected.times.length);
      expect(off(stepped), `case ${k} by steps`).toBeLessThan(0.1);
    }
    expect(compared).toBeGreaterThan(count / 3);
    expect(jumps).toBeGreaterThan(compared);
    expect(returns).toBeGreaterThan(0);
  });
});

describe('a ball in first-order form', () => {
  const ball = (
    map: string[],
    more: Partial<ModelDocument['simulation']> = {},
    direction = 'falling',
    guard = 'ball.x[0]',
  ) =>
    resetting(
      [
        linear(
          'ball',
          [
            [0, 1],
            [0, 0],
          ],
          [0, -10],
          [1, 0],
        ),
        reset('bounce', 'ball', guard, map, direction),
      ],
      { tEnd: 3, h: 0.01, ...more },
    );

  it.each([
    ['falling', 'ball.x[0]'],
    ['both', 'ball.x[0]'],
    ['falling', 'exp(2 + ball.x[0]) - exp(2)'],
  ])('whose speed is turned round does not fall through, %s at %s', (direction, guard) => {
    for (const map of [
      ['0', '-0.5 * ball.x[1]'],
      ['ball.x[0]', '-0.5 * ball.x[1]'],
      ['0', '0'],
      ['ball.x[0]', '0'],
    ]) {
      const { error } = runFailure(ball(map, {}, direction, guard));
      expect(error).toMatchObject({ code: 'infinite-events', where: 'bounce' });
      const stepped = run(ball(map, { scheme: 'time-stepping' }, direction, guard));
      const [y, v] = [stepped.column('ball.x[0]'), stepped.column('ball.x[1]')];
      // A map that keeps the height leaves it as deep as the deepest steps have come.
      const deep = map[0] === '0' ? 0.05 : 0.5;
      expect(Math.min(...y), map.join()).toBeGreaterThan(-deep);
      expect(Math.abs(v.at(-1) ?? NaN)).toBeLessThan(0.2);
      expect(stepped.session.warnings.join()).toContain('“bounce” has acted');
      // Held beyond zero, it has sunk.
      if (map[0] === '0') expect(worst(stepped), map.join()).toBeLessThan(1e-12);
      else expect(worst(stepped), map.join()).toBeGreaterThan(1e-3);
    }
  });

  it.each(SCHEMES)('that a plate brakes goes on through it: %s', (scheme) => {
    const done = run(ball(['ball.x[0]', '0.5 * ball.x[1]'], { scheme, tEnd: 1 }));
    expect(done.column('bounce.count').at(-1)).toBe(1);
    const rest = 1 - Math.sqrt(0.2);
    const end = -0.5 * Math.sqrt(20) * rest - 5 * rest ** 2;
    expect(done.column('ball.x[0]').at(-1)).toBeCloseTo(end, scheme === 'event-driven' ? 10 : 0.5);
    expect(worst(done)).toBeLessThan(1e-12);
  });

  it(
    'of random bounces on guards of any form comes to an end and falls through none',
    { timeout: 600_000 },
    () => {
      const random = seeded(5);
      for (let k = 0; k < sample(12, 400); k++) {
        const [e, g, y0, v0] = [
          random.uniform(0, 0.8),
          random.uniform(1, 20),
          random.uniform(0.1, 2),
          random.uniform(-2, 2),
        ];
        const level = random.uniform(-5, 5);
        const isDriven = k % 4 === 3;
        const [plate, speed] = isDriven ? ['0.05 * sin(7 * t)', '0.35 * cos(7 * t)'] : ['0', '0'];
        const gap = `ball.x[0] - (${level}) - ${plate}`;
        const guard = [gap, `exp(2 + ${gap}) - exp(2)`, `sinh(3 * (${gap}))`, gap][k % 4];
        const kept = random.chance(0.5) ? 'ball.x[0]' : `(${level}) + ${plate}`;
        const systems = [
          linear(
            'ball',
            [
              [0, 1],
              [0, 0],
            ],
            [0, -g],
            [level + y0, v0],
          ),
          reset(
            'bounce',
            'ball',
            guard,
            [kept, `${speed} - ${e} * (ball.x[1] - ${speed})`],
            random.chance(0.5) ? 'both' : 'falling',
          ),
        ];
        const { session, column } = start(resetting(systems, { tEnd: 20, h: 0.05 }));
        const state = session.advance(Number.MAX_SAFE_INTEGER);
        // On a plate that is driven it may be thrown up again before it comes to rest.
        if (!isDriven || state !== 'done') expect(session.error?.code, `case ${k}`).toBe('infinite-events');
        expect(Math.min(...column('ball.x[0]')) - level, `case ${k}`).toBeGreaterThan(-0.051);
      }
    },
  );

  it('of random bounces by steps is certified as far as it has come back between two', () => {
    const random = seeded(77);
    let [held, free] = [0, 0];
    for (let k = 0; k < sample(40, 2000); k++) {
      const [e, g, y0] = [random.uniform(0, 1.1), random.uniform(1, 20), random.uniform(0.1, 2)];
      const guard = ['ball.x[0]', '3 * ball.x[0]', 'sinh(ball.x[0])', 'exp(ball.x[0]) - 1'][k % 4];
      const value = [(y: number) => y, (y: number) => 3 * y, Math.sinh, Math.expm1][k % 4];
      const kept = random.chance(0.7) ? 'ball.x[0]' : '0';
      const { session, column } = run(
        resetting(
          [
            linear(
              'ball',
              [
                [0, 1],
                [0, 0],
              ],
              [0, -g],
              [y0, 0],
            ),
            reset('bounce', 'ball', guard, [kept, `${-e} * ball.x[1]`]),
          ].map((one) => (one.type === 'Reset' ? { ...one, direction: 'falling' } : one)),
          { scheme: 'time-stepping', tEnd: random.uniform(1, 4), h: random.uniform(0.002, 0.02) },
        ),
      );
      // From the rows alone: how far below the first of several resets the later ones are.
      const [y, count] = [column('ball.x[0]'), column('bounce.count')];
      let [largest, first, sunk] = [Math.abs(value(y0)), 0, 0];
      for (let i = 1; i < y.length; i++) {
        const at = value(y[i]);
        largest = Math.max(largest, Math.abs(at));
        if (at > 0) first = 0;
        if (count[i] === count[i - 1] || at >= 0) continue;
        if (first === 0) first = -at;
        else sunk = Math.max(sunk, (-at - first) / largest);
      }
      expect(Math.abs(session.certificate.complementarity - sunk), `case ${k}`).toBeLessThan(1e-11);
      if (sunk > 1e-6) held++;
      else free++;
    }
    expect(held).toBeGreaterThan(0);
    expect(free).toBeGreaterThan(0);
  });
});

describe('a guard of a velocity', () => {
  /** A mass on a spring, and z with a slope that each passage of z − ẋ through zero turns round. */
  const loop = (more: Partial<ModelDocument['simulation']>, one: Record<string, number>): ModelDocument =>
    resetting(
      [
        {
          ...{ id: 'mass', type: 'LagrangianLinearTI', ndof: 1 },
          ...{ mass: [[2]], stiffness: [['2*k']], damping: [['2*c']], q0: ['q'], v0: ['u'] },
        },
        linear(
          'z',
          [
            [0, 1],
            [0, 0],
          ],
          [0, 0],
          ['z', 's'],
        ),
        reset('turn', 'z', 'z.x[0] - mass.v', ['z.x[0]', '-z.x[1]'], 'both'),
      ],
      { tEnd: 6, h: 0.02, ...more },
      one,
    );

  it('goes on as accelerations say, in both schemes', () => {
    const random = seeded(91);
    let [jumps, compared] = [0, 0];
    for (let k = 0; k < sample(24, 600); k++) {
      const one = {
        ...{ k: random.uniform(2, 20), c: random.uniform(0, 0.3), z: random.uniform(-0.5, 0.5) },
        ...{ s: random.uniform(-1, 1), q: random.uniform(-1, 1), u: random.uniform(-1, 1) },
      };
      const exact = run(loop({}, one));
      const times = resetsOf(exact).map(({ time }) => time);
      jumps += times.length;
      expect(worst(exact), `case ${k}`).toBeLessThan(1e-8);
      const gaps = [...times, 6].map((time, i) => time - (i === 0 ? 0 : times[i - 1]));
      if (gaps.some((gap) => gap < 0.05)) continue;
      compared++;
      const stepped = run(loop({ scheme: 'time-stepping', h: 1e-3 }, one));
      expect(worst(stepped), `case ${k} by steps`).toBeLessThan(1e-8);
      expect(stepped.column('turn.count').at(-1), `case ${k} by steps`).toBe(times.length);
    }
    expect(jumps).toBeGreaterThan(24);
    expect(compared).toBeGreaterThan(8);
  });
});
