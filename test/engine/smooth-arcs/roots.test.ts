/** Roots on exact arcs: the ball, pairs, touches, what is zero at the start, and functions of time. */
import { describe, expect, it } from 'vitest';
import {
  EITHER,
  type EventFunctions,
  FALLING,
  RISING,
  TOUCH_FROM_ABOVE,
  TOUCH_FROM_BELOW,
  UNWATCHED,
} from '@engine/smooth/event-functions';
import { integrate, ROOT } from '../smooth/integrate';
import type { ExactArcs } from '@engine/smooth-arcs/exact-arcs';
import type { FlightIntegrator } from '@engine/smooth-arcs/linear-flight';
import { asGeneral, events, fall, form, integrator } from '../smooth/support';
import { arcs, damped, falling, GRAVITY, linear } from './support';

interface Root {
  readonly t: number;
  readonly index: number;
  readonly kind: number;
}

function rootsUntil(made: FlightIntegrator, tEnd: number): Root[] {
  const found: Root[] = [];
  for (let guard = 0; guard < 100_000; guard++) {
    const status = made.advance(tEnd);
    if (status === 'reached') return found;
    if (status !== 'root') throw new Error(status);
    for (let k = 0; k < made.roots.count; k++) {
      found.push({ t: made.clock[0], index: made.roots.indices[k], kind: made.roots.kinds[k] });
    }
  }
  throw new Error('roots without end');
}

const gap = (): EventFunctions => events([form([1, 0])], [FALLING]);

describe('the bouncing ball', () => {
  const DROP = 0.9;
  const E = 0.9;
  const first = Math.sqrt((2 * DROP) / GRAVITY);
  const impact = (k: number): number => {
    let sum = 1;
    for (let i = 1; i <= k; i++) sum += 2 * E ** i;
    return first * sum;
  };

  function bounce(made: FlightIntegrator, count: number): number[] {
    return Array.from({ length: count }, () => {
      expect(made.advance(9)).toBe('root');
      made.x[1] *= -E;
      made.restart();
      return made.clock[0];
    });
  }

  it('has 120 impacts to some units of rounding, and their limit', () => {
    const made = arcs(falling, [DROP, 0], gap());
    const times = bounce(made, 120);
    times.forEach((t, k) => expect(Math.abs(t - impact(k))).toBeLessThan(1e-14));
    expect(Math.abs(times[0] - 0.4283529368781)).toBeLessThan(1e-13);
    expect(Math.abs(times[1] - 1.199388)).toBeLessThan(5e-7);
    expect(Math.abs(times[2] - 1.89332)).toBeLessThan(5e-7);
    const limit = made.clock[0] + (2 * Math.abs(made.x[1])) / GRAVITY / (1 - E);
    expect(Math.abs(limit - 8.138705801)).toBeLessThan(1e-9);
    // One arc a flight.
    expect(made.counters.steps).toBe(120);
    expect(made.counters.roots).toBe(120);
  });

  it('has its impacts down to flights of a nanometre', () => {
    const made = arcs(falling, [DROP, 0], gap());
    bounce(made, 170);
    expect(made.x[1] ** 2 / (2 * GRAVITY)).toBeLessThan(1e-15);
    expect(Math.abs(made.clock[0] - impact(169))).toBeLessThan(1e-14);
  });

  it('loses nothing between impacts to a clock that is coarse', () => {
    // At a million seconds the clock tells times apart by 1.2e-10 s.
    const made = arcs(falling, [DROP, 0], gap());
    made.start(1e6);
    expect(made.advance(2e6)).toBe('root');
    made.x[1] *= -E;
    made.restart();
    expect(made.advance(1e6 + 0.75, 1e6 + 1)).toBe('reached');
    const [t, v] = [0.75 - first, E * GRAVITY * first];
    expect(Math.abs(made.x[0] - (v * t - (GRAVITY / 2) * t * t))).toBeLessThan(1e-14);
    expect(Math.abs(made.x[1] - (v - GRAVITY * t))).toBeLessThan(1e-14);
  });

  it('has the impacts of the general integrator', () => {
    const general = bounce(integrator(fall, [DROP, 0], 1e-12, {}, gap()), 10);
    bounce(arcs(falling, [DROP, 0], gap()), 10).forEach((t, k) =>
      expect(Math.abs(t - general[k])).toBeLessThan(1e-12),
    );
  });

  it('has the same impacts with the gap as a function that is not known to be linear', () => {
    const general = events([asGeneral(form([1, 0]))], [FALLING]);
    const times = bounce(arcs(falling, [DROP, 0], general, { longestStep: 0.5 }), 40);
    times.forEach((t, k) => expect(Math.abs(t - impact(k))).toBeLessThan(1e-12));
  });

  it('goes through the contract of the integrator like the general one', () => {
    const made = arcs(falling, [DROP, 0], gap());
    const state = { istate: 1, status: 'reached' as const };
    const tout = new Float64Array(1);
    // The contract takes whatever has the interface of a flight.
    const step = integrate as (
      flight: FlightIntegrator,
      t0: number,
      t1: number,
      out: Float64Array,
      s: typeof state,
    ) => void;
    step(made, 0, 2, tout, state);
    expect(state.istate).toBe(ROOT);
    expect(Math.abs(tout[0] - first)).toBeLessThan(1e-15);
  });
});

describe('roots of an oscillator', () => {
  it('are all found over a thousand periods, and none is invented', () => {
    const made = arcs(damped(1, 0), [1, 0], events([form([1, 0])]));
    const found = rootsUntil(made, 2000 * Math.PI + 0.1);
    expect(found).toHaveLength(2000);
    found.forEach(({ t, kind }, k) => {
      expect(kind).toBe(k % 2 === 0 ? FALLING : RISING);
      expect(Math.abs(t - (k + 0.5) * Math.PI)).toBeLessThan(Number.EPSILON * (4 + t));
    });
  });

  it('are found behind many arcs on which nothing happens', () => {
    // e^(−2t) comes down to 1e-6 after 6.9 s, and nowhere to −1e-9.
    const decay = (level: number): Root[] =>
      rootsUntil(arcs(linear([[-2]]), [1], events([form([1], level)])), 20);
    const [root, ...others] = decay(-1e-6);
    expect(others).toEqual([]);
    expect(root.kind).toBe(FALLING);
    expect(Math.abs(root.t - Math.log(1e6) / 2)).toBeLessThan(1e-13);
    expect(decay(1e-9)).toEqual([]);
  });

  it.each([1e-3, 1e-5, 1e-6, 1e-7])('come in pairs %f apart at a maximum', (distance) => {
    // The form cos t − d, scaled so that nothing but the maximum at 2π k is near zero; half the distance each
    // side.
    const depth = -2 * Math.sin(distance / 4) ** 2;
    // cos t − 1 and the depth: the start is moved by the constant, so that no digit is lost in 1 − depth.
    const flat = linear(
      [
        [0, 1],
        [-1, 0],
      ],
      [0, -1],
    );
    // x = cos t − 1 = −2 sin²(t/2) from t = −1.
    const made = arcs(flat, [-2 * Math.sin(0.5) ** 2, Math.sin(1)], events([form([1, 0], -depth)]));
    made.start(-1);
    const found = rootsUntil(made, 1);
    const isBelowRounding = distance < 1e-7 * 1.001;
    if (isBelowRounding) {
      // The excursion is 1.2e-15 of what rounds by 1e-16 several times: a pair, or a touch in its middle.
      expect(found.length).toBeGreaterThan(0);
      found.forEach(({ t }) => expect(Math.abs(t)).toBeLessThan(2e-7));
      return;
    }
    expect(found.map(({ kind }) => kind)).toEqual([RISING, FALLING]);
    const noise = (4 * Number.EPSILON) / (distance / 2);
    expect(Math.abs(found[0].t + distance / 2)).toBeLessThan(noise);
    expect(Math.abs(found[1].t - distance / 2)).toBeLessThan(noise);
  });

  it('are none at a near miss, and a touch at a hit', () => {
    const made = (height: number): ExactArcs => arcs(damped(1, 0), [1, 0], events([form([1, 0], height)]));
    expect(rootsUntil(made(1 + 1e-13), 12)).toEqual([]);
    const touches = rootsUntil(made(1), 12);
    expect(touches.map(({ kind }) => kind)).toEqual([TOUCH_FROM_ABOVE, TOUCH_FROM_ABOVE]);
    touches.forEach(({ t }, k) => expect(Math.abs(t - (2 * k + 1) * Math.PI)).toBeLessThan(1e-7));
  });
});

describe('touches', () => {
  // Height ½ g (t − 1)², thrown against gravity: a parabola that touches the ground at 1.
  const rising = linear(
    [
      [0, 1],
      [0, 0],
    ],
    [0, 2],
  );
  const touching = (sign: number, touches?: Uint8Array): ExactArcs =>
    arcs(rising, [1, -2], events([form([sign, 0])], [EITHER], touches ? { touches } : {}));

  it('are distinguished by their side', () => {
    expect(rootsUntil(touching(1), 3)).toEqual([{ t: 1, index: 0, kind: TOUCH_FROM_ABOVE }]);
    expect(rootsUntil(touching(-1), 3)).toEqual([{ t: 1, index: 0, kind: TOUCH_FROM_BELOW }]);
  });

  it('are passed over where they are not wanted', () => {
    expect(rootsUntil(touching(1, Uint8Array.of(0)), 3)).toEqual([]);
  });

  it('take in what a band counts as zero', () => {
    const made = (band: number): ExactArcs =>
      arcs(rising, [1 + 1e-6, -2], events([form([1, 0])], [EITHER], { band: Float64Array.of(band) }));
    expect(rootsUntil(made(0), 3)).toEqual([]);
    expect(rootsUntil(made(1e-5), 3)).toHaveLength(1);
  });
});

describe('several functions', () => {
  it('are reported together where they vanish together', () => {
    const made = arcs(
      damped(1, 0),
      [1, 0],
      events([form([1, 0]), form([0, 1], 1), form([2, 0]), (_t, x) => x[0] ** 3 + 3 * x[0]]),
    );
    expect(made.advance(3)).toBe('root');
    expect(Math.abs(made.clock[0] - Math.PI / 2)).toBeLessThan(4e-16);
    // Velocity + 1 touches zero at the same time, and rounds to it.
    expect([...made.roots.indices.subarray(0, made.roots.count)]).toEqual([0, 1, 2, 3]);
    expect([...made.roots.kinds.subarray(0, 4)]).toEqual([FALLING, TOUCH_FROM_ABOVE, FALLING, FALLING]);
    expect(made.advance(3)).toBe('reached');
  });

  it('are watched in their direction, or not at all', () => {
    const form1 = form([1, 0]);
    const kinds = (watch: number): number[] =>
      rootsUntil(arcs(damped(1, 0), [1, 0], events([form1], [watch])), 6).map(({ kind }) => kind);
    expect(kinds(EITHER)).toEqual([FALLING, RISING]);
    expect(kinds(FALLING)).toEqual([FALLING]);
    expect(kinds(RISING)).toEqual([RISING]);
    expect(kinds(UNWATCHED)).toEqual([]);
  });
});

describe('a function that is zero', () => {
  it('at the start is no root, wherever it goes', () => {
    for (const speed of [3, -3]) {
      const made = arcs(falling, [0, speed], events([form([1, 0])]));
      const times = rootsUntil(made, 2).map(({ t }) => t);
      expect(times).toEqual(speed > 0 ? [expect.closeTo((2 * speed) / GRAVITY, 14)] : []);
    }
  });

  it('because the caller says so is none either', () => {
    const made = arcs(falling, [1e-9, -1], gap());
    made.start(0);
    made.restart(Uint8Array.of(1));
    expect(made.advance(1)).toBe('reached');
  });

  it('at the very end of a flight is one if its slope leads through', () => {
    const t = Math.sqrt(2 / GRAVITY);
    const made = arcs(falling, [(GRAVITY / 2) * t * t, 0], gap());
    expect(made.advance(t, t)).toBe('root');
    expect(Math.abs(made.clock[0] - t)).toBeLessThan(2e-16);
  });

  it('at the end of an arc is one root, on the next', () => {
    // The longest arc ends where the ball lands.
    const made = arcs(falling, [GRAVITY / 2, 0], gap(), { longestStep: 1 });
    const found = rootsUntil(made, 3);
    expect(found).toHaveLength(1);
    expect(Math.abs(found[0].t - 1)).toBeLessThan(1e-15);
  });

  it('ahead counts only when the present comes there', () => {
    const made = arcs(damped(1, 0), [1, 0], gap());
    expect(made.advance(1)).toBe('reached');
    made.x[0] = 10;
    made.x[1] = 0;
    made.restart();
    expect(made.advance(2)).toBe('reached');
    expect(made.advance(3)).toBe('root');
    expect(Math.abs(made.clock[0] - 1 - Math.PI / 2)).toBeLessThan(1e-15);
  });
});

describe('functions of time', () => {
  it('that are linear in it are met exactly', () => {
    // A floor that rises at 2 m/s under a ball at rest at 1 m.
    const made = arcs(falling, [1, 0], events([form([1, 0], 0, -2)], [FALLING]));
    made.start(0);
    expect(made.advance(1)).toBe('root');
    const exact = (-2 + Math.sqrt(4 + 2 * GRAVITY)) / GRAVITY;
    expect(Math.abs(made.clock[0] - exact)).toBeLessThan(2e-16);
  });

  it('are the only ones that move when the state does not', () => {
    const made = arcs(linear([[0]]), [3], events([form([1], 0, -2)]));
    expect(rootsUntil(made, 9)).toEqual([{ t: 1.5, index: 0, kind: FALLING }]);
  });

  it('that a script computes are met to rounding', () => {
    const floor = (t: number): number => 0.3 * Math.sin(7 * t);
    const made = arcs(falling, [1, 0], events([(t, x) => x[0] - floor(t)], [FALLING]), { longestStep: 0.5 });
    expect(made.advance(1)).toBe('root');
    let left = 0;
    let right = 0.5;
    const height = (t: number): number => 1 - (GRAVITY / 2) * t * t - floor(t);
    expect(height(right)).toBeLessThan(0);
    for (let k = 0; k < 60; k++) {
      const middle = (left + right) / 2;
      if (height(middle) > 0) left = middle;
      else right = middle;
    }
    expect(Math.abs(made.clock[0] - left)).toBeLessThan(1e-15);
  });
});
