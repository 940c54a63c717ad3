/** Forcing by polynomials, exponentials and sinusoids of time, as further components of the state. */
import { describe, expect, it } from 'vitest';
import { FALLING } from '@engine/smooth/event-functions';
import { type AnalyticSignal, firstInadmissible, ForcedSystem } from '@engine/smooth-arcs/analytic-forcing';
import type { ExactArcs } from '@engine/smooth-arcs/exact-arcs';
import { events, form, integrator, system } from '../smooth/support';
import { arcs, damped, falling, GRAVITY, linear } from './support';

const direction = (...values: number[]): Float64Array => Float64Array.from(values);

const polynomial = (w: Float64Array, coefficients: readonly number[]): AnalyticSignal => ({
  direction: w,
  rate: 0,
  frequency: 0,
  cosine: Float64Array.from(coefficients),
  sine: new Float64Array(coefficients.length),
});

/** p cos ωt + q sin ωt */
const sinusoid = (w: Float64Array, frequency: number, p: number, q: number): AnalyticSignal => ({
  direction: w,
  rate: 0,
  frequency,
  cosine: Float64Array.of(p),
  sine: Float64Array.of(q),
});

/** Arcs of a forced system, begun at time t. */
function begun(
  forced: ForcedSystem,
  start: readonly number[],
  t = 0,
  watched?: Parameters<typeof arcs>[2],
): ExactArcs {
  const made = arcs(forced.system, [], watched);
  made.x.set(start);
  forced.writeSignals(Float64Array.of(t), made.x);
  made.start(t);
  return made;
}

describe('forcing by a sinusoid', () => {
  it('in resonance grows as it should', () => {
    // ẍ + 4x = cos 2t from rest: x = (t/4) sin 2t.
    const forced = new ForcedSystem(damped(2, 0), [sinusoid(direction(0, 1), 2, 1, 0)]);
    const made = begun(forced, [0, 0]);
    for (let t = 0.25; t <= 10; t += 0.25) {
      made.advance(t);
      expect(Math.abs(made.x[0] - (t / 4) * Math.sin(2 * t))).toBeLessThan(1e-14 * (1 + t / 4));
    }
  });

  it('off resonance beats, from any time and phase', () => {
    // ẍ + 9x = 2 cos 4t − sin 4t; the particular solution is its negative seventh.
    const forced = new ForcedSystem(damped(3, 0), [sinusoid(direction(0, 1), 4, 2, -1)]);
    const at = (t: number): number => -(2 * Math.cos(4 * t) - Math.sin(4 * t)) / 7;
    const rate = (t: number): number => (-4 * (-2 * Math.sin(4 * t) - Math.cos(4 * t))) / 7;
    const start = 12.75;
    const made = begun(forced, [at(start), rate(start)], start);
    for (let t = 13; t < 20; t += 0.5) {
      made.advance(t);
      expect(Math.abs(made.x[0] - at(t))).toBeLessThan(1e-14);
      expect(Math.abs(made.x[1] - rate(t))).toBeLessThan(4e-14);
    }
  });
});

describe('forcing by a polynomial', () => {
  it('leaves free flight a polynomial', () => {
    // ẍ = −g + 1 − 2t + 3t².
    const forced = new ForcedSystem(falling, [polynomial(direction(0, 1), [1, -2, 3])]);
    const made = begun(forced, [1, 2], 1);
    const velocity = (t: number): number => (1 - GRAVITY) * t - t * t + t ** 3;
    const height = (t: number): number => ((1 - GRAVITY) / 2) * t * t - t ** 3 / 3 + t ** 4 / 4;
    for (let t = 1; t <= 4; t += 0.125) {
      made.advance(t);
      const exact = 1 + (2 - velocity(1)) * (t - 1) + height(t) - height(1);
      expect(Math.abs(made.x[0] - exact)).toBeLessThan(1e-14 * 40);
    }
    expect(made.counters.steps).toBeLessThan(26);
  });
});

describe('a moving target', () => {
  it('that is a further component is met exactly', () => {
    // A ball falls on a table that goes up and down by 0.2 sin 5t.
    const forced = new ForcedSystem(falling, [sinusoid(direction(0, 0), 5, 0, 0.2)]);
    const gap = form([1, 0, -1, 0]);
    const made = begun(forced, [0.9, 0], 0, events([gap], [FALLING]));
    const ode = system(2, (_t, x, out) => {
      out[0] = x[1];
      out[1] = -GRAVITY;
    });
    const table = (t: number): number => 0.2 * Math.sin(5 * t);
    const general = integrator(ode, [0.9, 0], 1e-13, {}, events([(t, x) => x[0] - table(t)], [FALLING]));
    for (let k = 0; k < 12; k++) {
      expect(made.advance(10)).toBe('root');
      expect(general.advance(10)).toBe('root');
      expect(Math.abs(made.clock[0] - general.clock[0])).toBeLessThan(1e-11);
      for (const flight of [made, general]) {
        const speed = Math.cos(5 * flight.clock[0]);
        flight.x[1] = speed - 0.6 * (flight.x[1] - speed);
      }
      forced.writeSignals(made.clock, made.x);
      made.restart(Uint8Array.of(1));
      general.restart(Uint8Array.of(1));
    }
  });
});

describe('forcing by products of polynomials, exponentials and sinusoids', () => {
  it('is followed from any time', () => {
    // x = t² e^(−t/2) sin 3t is driven by its own rate, as ẋ = −x + (x + ẋ).
    const at = (t: number): number => t * t * Math.exp(-t / 2) * Math.sin(3 * t);
    const forced = new ForcedSystem(linear([[-1]]), [
      {
        direction: direction(1),
        rate: -0.5,
        frequency: 3,
        // x + ẋ = e^(−t/2) (3t² cos 3t + (t²/2 + 2t) sin 3t)
        cosine: Float64Array.of(0, 0, 3),
        sine: Float64Array.of(0, 2, 0.5),
      },
    ]);
    expect(forced.system.size).toBe(7);
    for (const start of [0, 1.25, 6]) {
      const made = begun(forced, [at(start)], start);
      for (let t = start + 0.375; t < start + 5; t += 0.375) {
        made.advance(t);
        expect(Math.abs(made.x[0] - at(t))).toBeLessThan(2e-14);
      }
    }
  });

  it('that grows or decays by e^(σt) needs one component', () => {
    // ẋ = −x + 3 e^(t/2): x = 2 e^(t/2) + C e^(−t), and C = −1 from x = 1.
    const forced = new ForcedSystem(linear([[-1]]), [
      {
        direction: direction(1),
        rate: 0.5,
        frequency: 0,
        cosine: Float64Array.of(3),
        sine: Float64Array.of(0),
      },
    ]);
    expect(forced.system.size).toBe(2);
    const made = begun(forced, [1]);
    for (const t of [0.5, 3, 9]) {
      made.advance(t);
      const exact = 2 * Math.exp(t / 2) - Math.exp(-t);
      expect(Math.abs(made.x[0] / exact - 1)).toBeLessThan(1e-14);
    }
  });
});

describe('signals that are none', () => {
  const good = polynomial(direction(1), [1]);
  const swinging = (more: Partial<AnalyticSignal>): AnalyticSignal => ({
    ...sinusoid(direction(1), 1, 1, 1),
    ...more,
  });

  it.each<[string, AnalyticSignal]>([
    ['has no coefficients', polynomial(direction(1), [])],
    ['has a coefficient that is not finite', polynomial(direction(1), [1, NaN])],
    ['acts on too many components', polynomial(direction(1, 1), [1])],
    ['acts by what is not finite', polynomial(direction(Infinity), [1])],
    ['has a sine of frequency zero', swinging({ frequency: 0 })],
    ['has no finite frequency', swinging({ frequency: NaN })],
    ['has no finite rate', swinging({ rate: Infinity })],
    ['has no finite amplitude', swinging({ sine: Float64Array.of(Infinity) })],
    ['has more cosines than sines', swinging({ cosine: Float64Array.of(1, 2) })],
  ])('are named: one that %s', (_what, bad) => {
    expect(firstInadmissible([good, bad], 1)).toBe(1);
    expect(firstInadmissible([good, swinging({})], 1)).toBe(-1);
  });
});

describe('several signals', () => {
  it('stand side by side', () => {
    const forced = new ForcedSystem(linear([[-1]]), [
      polynomial(direction(1), [0, 1]),
      sinusoid(direction(2), 1, 1, 0),
    ]);
    expect(forced.places).toEqual([1, 3]);
    // ẋ = −x + t + 2 cos t: x = t − 1 + cos t + sin t + C e^(−t), and C = 0 from x = 0.
    const made = begun(forced, [0]);
    for (const t of [0.5, 3, 9]) {
      made.advance(t);
      const exact = t - 1 + Math.cos(t) + Math.sin(t);
      expect(Math.abs(made.x[0] - exact)).toBeLessThan(1e-14 * 10);
    }
  });
});
