/**
 * Roots along an integration: where, in which direction, in which order, and which of them are not roots at
 * all.
 */
import { describe, expect, it } from 'vitest';
import {
  EITHER,
  FALLING,
  RISING,
  TOUCH_FROM_ABOVE,
  TOUCH_FROM_BELOW,
  UNWATCHED,
} from '@engine/smooth/event-functions';
import type { SmoothIntegrator } from '@engine/smooth/smooth-integrator';
import { allRoots, asGeneral, events, fall, form, integrator, oscillator, system } from './support';

/** ẋ = 1: x = t, so that event functions are functions of time. */
const time = system(1, (_t, _x, out) => {
  out[0] = 1;
});

const EXPECTED = { expected: Int8Array.of(1, 1) };

const kinds = (found: readonly { kind: number }[]): number[] => found.map(({ kind }) => kind);

describe.each(['linear', 'general'] as const)('a %s event function', (type) => {
  const made = (
    values: readonly number[],
    constant = 0,
    rate = 0,
  ): ReturnType<typeof form> | ReturnType<typeof asGeneral> => {
    const linear = form(values, constant, rate);
    return type === 'linear' ? linear : asGeneral(linear);
  };

  it('has its roots at the zeros of the cosine, each in its direction', () => {
    const found = allRoots(integrator(oscillator, [1, 0], 1e-12, {}, events([made([1, 0])])), 20);
    expect(kinds(found)).toEqual([FALLING, RISING, FALLING, RISING, FALLING, RISING]);
    found.forEach(({ time: t }, k) => {
      expect(Math.abs(t - (k + 0.5) * Math.PI)).toBeLessThan(1e-10);
    });
  });

  it.each([
    [FALLING, [0, 2, 4]],
    [RISING, [1, 3, 5]],
    [UNWATCHED, []],
  ])('watched in direction %d is reported only there', (watch, expected) => {
    const watched = events([made([1, 0])], [watch]);
    const found = allRoots(integrator(oscillator, [1, 0], 1e-10, {}, watched), 20);
    expect(found.map(({ time: t }) => Math.round(t / Math.PI - 0.5))).toEqual(expected);
  });

  it('with its time part is that of a moving target', () => {
    // cos t = 0.3 t − 0.5
    const found = allRoots(integrator(oscillator, [1, 0], 1e-12, {}, events([made([1, 0], 0.5, -0.3)])), 3);
    expect(found).toHaveLength(1);
    const t = found[0].time;
    expect(Math.abs(Math.cos(t) + 0.5 - 0.3 * t)).toBeLessThan(1e-11);
  });

  it('has both roots of a pair inside one step, however close', () => {
    // A throw that passes a height by a little on its way up and down: 0.5 g δ² above it, 2δ apart.
    for (const half of [1e-1, 1e-3, 1e-5, 1e-6]) {
      const speed = 9.81;
      const height = 0.5 * 9.81 - 0.5 * 9.81 * half * half;
      const thrown = integrator(fall, [0, speed], 1e-10, {}, events([made([1, 0], -height)]));
      const found = allRoots(thrown, 1.9);
      expect(kinds(found)).toEqual([RISING, FALLING]);
      // Each root is known to the square root of rounding over the distance of the two.
      const blur = 1e-15 / half + 1e-12;
      expect(Math.abs(found[0].time - (1 - half))).toBeLessThan(10 * blur);
      expect(Math.abs(found[1].time - (1 + half))).toBeLessThan(10 * blur);
    }
  });

  it('that only touches zero is reported as touching, from above or from below', () => {
    for (const sign of [1, -1]) {
      // The top of a throw at height 0.5 g, at t = 1.
      const thrown = integrator(fall, [0, 9.81], 1e-10, {}, events([made([-sign, 0], sign * 0.5 * 9.81)]));
      const found = allRoots(thrown, 1.9);
      expect(kinds(found)).toEqual([sign > 0 ? TOUCH_FROM_ABOVE : TOUCH_FROM_BELOW]);
      // A double root is known to the square root of rounding.
      expect(Math.abs(found[0].time - 1)).toBeLessThan(1e-6);
    }
  });

  it('that touches zero is seen to do so within the rounding of large coordinates', () => {
    const far = 1e6;
    const top = far + 0.5 * 9.81;
    const found = allRoots(integrator(fall, [far, 9.81], 1e-10, {}, events([made([-1, 0], top)])), 1.9);
    expect(kinds(found)).toEqual([TOUCH_FROM_ABOVE]);
  });

  it('that touches zero is passed over where touches are not wanted, or the direction is another', () => {
    const touching = made([-1, 0], 0.5 * 9.81);
    const silent = { touches: Uint8Array.of(0) };
    expect(
      allRoots(integrator(fall, [0, 9.81], 1e-10, {}, events([touching], [EITHER], silent)), 1.9),
    ).toEqual([]);
    expect(allRoots(integrator(fall, [0, 9.81], 1e-10, {}, events([touching], [RISING])), 1.9)).toEqual([]);
    expect(allRoots(integrator(fall, [0, 9.81], 1e-10, {}, events([touching], [FALLING])), 1.9)).toHaveLength(
      1,
    );
  });

  it('that stays clear of zero by a little has no root', () => {
    for (const clearance of [1e-12, 1e-9, 1e-3]) {
      const missing = events([made([-1, 0], 0.5 * 9.81 + clearance)]);
      expect(allRoots(integrator(fall, [0, 9.81], 1e-10, {}, missing), 1.9)).toEqual([]);
    }
  });

  it('with a band takes for a touch what comes that near', () => {
    const near = { band: Float64Array.of(1e-6) };
    const missing = (clearance: number): ReturnType<typeof events> =>
      events([made([-1, 0], 0.5 * 9.81 + clearance)], [EITHER], near);
    expect(kinds(allRoots(integrator(fall, [0, 9.81], 1e-10, {}, missing(9e-7)), 1.9))).toEqual([
      TOUCH_FROM_ABOVE,
    ]);
    expect(allRoots(integrator(fall, [0, 9.81], 1e-10, {}, missing(1.1e-6)), 1.9)).toEqual([]);
  });

  it('that is zero at the start has no root there, whichever way it leaves', () => {
    for (const speed of [9.81, -9.81]) {
      const found = allRoots(integrator(fall, [0, speed], 1e-10, {}, events([made([1, 0])])), 3);
      expect(kinds(found)).toEqual(speed > 0 ? [FALLING] : []);
      if (speed > 0) expect(Math.abs(found[0].time - 2)).toBeLessThan(1e-12);
    }
  });

  it('that is not quite zero after an impact is not found again, on either side of zero', () => {
    for (const rest of [1e-14, -1e-14, 1e-9, -1e-9]) {
      const ball = integrator(fall, [1, 0], 1e-10, {}, events([made([1, 0])]));
      expect(ball.advance(10)).toBe('root');
      ball.x[0] = rest;
      ball.x[1] = 9.81;
      ball.restart(Uint8Array.of(1));
      const hit = ball.clock[0];
      expect(ball.advance(10)).toBe('root');
      expect(Math.abs(ball.clock[0] - hit - 2)).toBeLessThan(1e-8);
      expect(ball.roots.kinds[0]).toBe(FALLING);
    }
  });

  it('that a jump of the state carries across zero has no root', () => {
    const ball = integrator(fall, [1, 0], 1e-10, {}, events([made([0, 1], 1)]));
    ball.advance(0.05);
    ball.x[1] = -5;
    ball.restart();
    expect(ball.advance(2)).toBe('reached');
  });

  it('that vanishes where the integration ends is found there', () => {
    const end = integrator(time, [-1], 1e-10, {}, events([made([1])]));
    expect(end.advance(1, 1)).toBe('root');
    expect(end.clock[0]).toBeCloseTo(1, 14);
    expect(end.advance(1, 1)).toBe('reached');
  });

  it('is found again after an integration was resumed with nothing changed', () => {
    const made1 = integrator(oscillator, [1, 0], 1e-10, {}, events([made([1, 0])]));
    const times: number[] = [];
    while (made1.advance(20) === 'root') {
      times.push(made1.clock[0]);
      made1.restart();
    }
    expect(times).toHaveLength(6);
    times.forEach((t, k) => {
      expect(Math.abs(t - (k + 0.5) * Math.PI)).toBeLessThan(1e-8);
    });
  });
});

describe('a restart before a root', () => {
  const impact = Math.sqrt(2 / 9.81);

  it.each([0, -1, 1, -3, 3, -1e4])('by %d units of rounding does not lose it', (units) => {
    const ball = integrator(fall, [1, 0], 1e-10, {}, events([form([1, 0])], [FALLING]));
    const stop = impact * (1 + units * Number.EPSILON);
    let roots = 0;
    if (ball.advance(stop) === 'root') roots++;
    ball.restart();
    while (ball.advance(1) === 'root') {
      roots++;
      expect(Math.abs(ball.clock[0] - impact)).toBeLessThan(1e-14);
    }
    expect(roots).toBe(1);
  });

  it('after a flight of one step, by any few units of rounding, does not lose it either', () => {
    const flying = (): SmoothIntegrator => {
      const ball = integrator(fall, [1, 0], 1e-10, {}, events([form([1, 0])], [FALLING]));
      expect(ball.advance(1)).toBe('root');
      ball.x[1] *= -1;
      ball.restart();
      return ball;
    };
    const reference = flying();
    const steps = reference.counters.steps;
    expect(reference.advance(2)).toBe('root');
    expect(reference.counters.steps).toBe(steps + 1);
    const root = reference.clock[0];
    for (let units = 1; units <= 30; units++) {
      const ball = flying();
      expect(ball.advance(root * (1 - units * 0.5 * Number.EPSILON))).toBe('reached');
      ball.restart();
      expect(ball.advance(2)).toBe('root');
      expect(Math.abs(ball.clock[0] - root)).toBeLessThan(1e-14);
      expect(ball.advance(2)).toBe('reached');
    }
  });

  it('that sets a small flight in a long step does not lose its end', () => {
    const ball = integrator(fall, [0, 0], 1e-10, {}, events([form([1, 0])], [FALLING]));
    expect(ball.advance(1e6)).toBe('reached');
    ball.x.set([0, 1e-3]);
    ball.restart(Uint8Array.of(1));
    expect(ball.advance(2e6)).toBe('root');
    // To the resolution of the time itself.
    expect(Math.abs(ball.clock[0] - 1e6 - 2e-3 / 9.81)).toBeLessThan(1e-9);
  });

  it('forgets the root when the state has left it', () => {
    const ball = integrator(fall, [1, 0], 1e-10, {}, events([form([1, 0])], [FALLING]));
    expect(ball.advance(0.3)).toBe('reached');
    ball.x[1] = 9.81;
    ball.restart();
    expect(ball.advance(1.5)).toBe('reached');
    expect(ball.advance(10)).toBe('root');
    // From height 1 − 0.3²g/2 with speed g: the flight takes 1 + √(1 + 2 y/g) s.
    const height = 1 - (0.09 * 9.81) / 2;
    expect(Math.abs(ball.clock[0] - 0.3 - 1 - Math.sqrt(1 + (2 * height) / 9.81))).toBeLessThan(1e-12);
  });
});

describe('several event functions', () => {
  it('are reported in the order of their roots, with the times asked for between them', () => {
    const crossings = [0.31, 0.3, 0.7, 0.30001];
    const made = integrator(time, [0], 1e-10, {}, events(crossings.map((c) => form([1], -c))));
    expect(made.advance(0.305)).toBe('root');
    expect(made.roots.indices[0]).toBe(1);
    expect(made.advance(0.305)).toBe('root');
    expect(made.roots.indices[0]).toBe(3);
    expect(made.advance(0.305)).toBe('reached');
    expect(made.x[0]).toBeCloseTo(0.305, 14);
    expect(allRoots(made, 1).map(({ index }) => index)).toEqual([0, 2]);
  });

  it('that vanish together are reported together, linear or not, rising or falling', () => {
    const together = events([form([1], -0.7), form([-3], 2.1), (_t, x) => x[0] ** 2 - 0.49, form([1], -0.9)]);
    const made = integrator(time, [0], 1e-10, {}, together);
    expect(made.advance(0.8)).toBe('root');
    expect([...made.roots.indices.subarray(0, made.roots.count)]).toEqual([0, 1, 2]);
    expect([...made.roots.kinds.subarray(0, made.roots.count)]).toEqual([RISING, FALLING, RISING]);
    expect(made.advance(0.8)).toBe('reached');
  });

  it('that leave zero where another one has its root are not part of it', () => {
    // Both are expected to be positive: the second one is at its root at once, the first one later.
    const pairs: Parameters<typeof events>[0][] = [
      [form([0, -1]), form([0, 1])],
      [asGeneral(form([0, -1])), (_t, x) => x[1]],
      [(t) => Math.sin(6283 * t), (t) => -Math.sin(6283 * t)],
    ];
    for (const functions of pairs) {
      const made = integrator(oscillator, [1, 0], 1e-10, {}, events(functions, [EITHER, EITHER], EXPECTED));
      made.restart();
      expect(made.advance(5)).toBe('root');
      expect([...made.roots.indices.subarray(0, made.roots.count)]).toEqual([1]);
      expect(made.clock[0]).toBeLessThan(1e-12);
    }
  });

  it('can be taken out and put back between', () => {
    const both = events([form([1, 0]), form([0, 1])]);
    const made = integrator(oscillator, [1, 0], 1e-10, {}, both);
    both.watch[1] = UNWATCHED;
    expect(made.advance(10)).toBe('root');
    expect(made.roots.indices[0]).toBe(0);
    both.watch[1] = EITHER;
    both.watch[0] = UNWATCHED;
    made.restart();
    expect(made.advance(10)).toBe('root');
    expect(made.roots.indices[0]).toBe(1);
    expect(Math.abs(made.clock[0] - Math.PI)).toBeLessThan(1e-9);
  });
});

describe('a general event function', () => {
  it('with a kink away from its roots has both of them', () => {
    const kinked = events([(_t, x) => Math.abs(x[0] - 0.5) - 0.01]);
    const made = integrator(time, [0], 1e-10, {}, kinked);
    const found = allRoots(made, 1);
    expect(kinds(found)).toEqual([FALLING, RISING]);
    expect(Math.abs(found[0].time - 0.49)).toBeLessThan(1e-12);
    expect(Math.abs(found[1].time - 0.51)).toBeLessThan(1e-12);
    expect(made.counters.unresolvedPieces).toBe(0);
  });

  it('with a kink at its root is resolved as far as sampling goes, and says so', () => {
    const kinked = events([(_t, x) => (x[0] < 0.43 ? 3 : 1) * (x[0] - 0.43)]);
    const made = integrator(time, [0], 1e-10, {}, kinked);
    const found = allRoots(made, 1);
    expect(kinds(found)).toEqual([RISING]);
    expect(Math.abs(found[0].time - 0.43)).toBeLessThan(1e-12);
    expect(made.counters.unresolvedPieces).toBeGreaterThan(0);
  });

  it('that jumps across zero has a root where it jumps', () => {
    const jumping = events([(_t, x) => (x[0] < Math.SQRT1_2 ? 1 : -2)]);
    const found = allRoots(integrator(time, [0], 1e-10, {}, jumping), 1);
    expect(kinds(found)).toEqual([FALLING]);
    expect(Math.abs(found[0].time - Math.SQRT1_2)).toBeLessThan(1e-12);
  });

  it('that is not finite ends the integration there, with its number and time', () => {
    const ending = events([form([1], -5), (_t, x) => Math.sqrt(0.6 - x[0]) + 1]);
    const made = integrator(time, [0], 1e-10, {}, ending);
    expect(made.advance(1)).toBe('eventNotFinite');
    expect(made.failure.index).toBe(1);
    expect(made.failure.clock[0]).toBe(made.clock[0]);
    expect(Math.abs(made.clock[0] - 0.6)).toBeLessThan(1e-3);
  });

  it('that is not finite behind a root does not hide the root', () => {
    const made = integrator(
      time,
      [0],
      1e-10,
      {},
      events([form([1], -0.5), (_t, x) => Math.sqrt(0.6 - x[0]) + 1]),
    );
    expect(made.advance(1)).toBe('root');
    expect(made.clock[0]).toBeCloseTo(0.5, 13);
    expect(made.advance(1)).toBe('eventNotFinite');
  });

  it('that is not finite at the start says so at once', () => {
    const made = integrator(time, [0], 1e-10, {}, events([() => NaN]));
    made.start(3);
    expect(made.advance(4)).toBe('eventNotFinite');
    expect(made.failure.clock[0]).toBe(3);
  });
});

describe('events of a stiff system', () => {
  it('are located on the collocation polynomial to the tolerance', () => {
    const stiff = system(1, (t, x, out) => {
      out[0] = -1e6 * (x[0] - Math.cos(t)) - Math.sin(t);
    });
    const made = integrator(stiff, [1], 1e-8, { method: 'implicit' }, events([form([1])]));
    const found = allRoots(made, 20);
    expect(kinds(found)).toEqual([FALLING, RISING, FALLING, RISING, FALLING, RISING]);
    found.forEach(({ time: t }, k) => {
      expect(Math.abs(t - (k + 0.5) * Math.PI)).toBeLessThan(1e-7);
    });
  });
});
