/** integrate(t0, t1, tout, istate) and the figures of the specification for the bouncing ball. */
import { describe, expect, it } from 'vitest';
import { FALLING } from '@engine/smooth/event-functions';
import { FAILED, FIRST_CALL, integrate, type IntegrationState, NO_ROOT, ROOT } from './integrate';
import { events, fall, form, integrator, system } from './support';

const DROP = 0.9;
const RESTITUTION = 0.9;
const GRAVITY = 9.81;

const ball = (): ReturnType<typeof integrator> =>
  integrator(fall, [DROP, 0], 1e-10, {}, events([form([1, 0])], [FALLING]));

/** Time of impact number k (from 0): t₀ (1 + 2e + … + 2e^k). */
function impact(k: number): number {
  const first = Math.sqrt((2 * DROP) / GRAVITY);
  let sum = 1;
  for (let i = 1; i <= k; i++) sum += 2 * RESTITUTION ** i;
  return first * sum;
}

describe('the contract of the integrator', () => {
  it('answers 3 with the time of the root, 2 without one', () => {
    const made = ball();
    const state: IntegrationState = { istate: FIRST_CALL, status: 'reached' };
    const tout = new Float64Array(1);
    integrate(made, 0, 0.2, tout, state);
    expect([state.istate, tout[0]]).toEqual([NO_ROOT, 0.2]);
    integrate(made, 0.2, 2, tout, state);
    expect(state.istate).toBe(ROOT);
    expect(tout[0]).toBeCloseTo(0.428353, 6);
    expect(Math.abs(tout[0] - impact(0))).toBeLessThan(1e-12);
  });

  it('begins where asked, and refuses to go on from elsewhere', () => {
    const made = ball();
    const state: IntegrationState = { istate: FIRST_CALL, status: 'reached' };
    const tout = new Float64Array(1);
    integrate(made, 7, 8, tout, state);
    expect(state.istate).toBe(ROOT);
    expect(Math.abs(tout[0] - 7 - impact(0))).toBeLessThan(1e-12);
    integrate(made, 3, 8, tout, state);
    expect([state.istate, state.status]).toEqual([FAILED, 'invalidTarget']);
  });

  it('finds the impacts of the specification, and goes on towards their limit at 8.138706', () => {
    const made = ball();
    const figures = [0.428353, 1.199388, 1.89332];
    let last = 0;
    let height = Infinity;
    for (let k = 0; k < 120; k++) {
      expect(made.advance(9)).toBe('root');
      const time = made.clock[0];
      if (k < figures.length) expect(time).toBeCloseTo(figures[k], 6);
      expect(time).toBeGreaterThan(last);
      // A flight is exact to some units of rounding; the time of impact k carries those of all flights before
      // it.
      expect(Math.abs(time - impact(k))).toBeLessThan(k < 10 ? 1e-12 : 1e-11);
      height = made.x[1] ** 2 / (2 * GRAVITY);
      made.x[1] *= -RESTITUTION;
      made.restart();
      last = time;
    }
    expect(height).toBeLessThan(1e-9);
    const limit = last + (2 * Math.abs(made.x[1])) / GRAVITY / (1 - RESTITUTION);
    expect(limit).toBeCloseTo(8.138706, 6);
    // One step a flight, after the first few.
    expect(made.counters.steps).toBeLessThan(140);
    expect(made.counters.roots).toBe(120);
  });

  it('loses no impact of many balls that share the steps', () => {
    const count = 6;
    const balls = Array.from({ length: count }, (_, i) => ({ drop: 0.2 + 0.31 * i, e: 0.97 - 0.03 * i }));
    const sharing = system(2 * count, (_t, x, out) => {
      for (let i = 0; i < count; i++) {
        out[2 * i] = x[2 * i + 1];
        out[2 * i + 1] = -GRAVITY;
      }
    });
    const heights = balls.map((_, i) => ({
      indices: Int32Array.of(2 * i),
      values: Float64Array.of(1),
      offset: new Float64Array(2),
    }));
    const made = integrator(
      sharing,
      balls.flatMap(({ drop }) => [drop, 0]),
      1e-10,
      {},
      events(
        heights,
        heights.map(() => FALLING),
      ),
    );
    const end = 4;
    const expected = balls
      .flatMap(({ drop, e }, i) => {
        const times: { time: number; index: number }[] = [];
        let time = Math.sqrt((2 * drop) / GRAVITY);
        let speed = GRAVITY * time;
        while (time < end) {
          times.push({ time, index: i });
          speed *= e;
          time += (2 * speed) / GRAVITY;
        }
        return times;
      })
      .sort((a, b) => a.time - b.time);
    expect(expected.length).toBeGreaterThan(40);
    for (const { time, index } of expected) {
      expect(made.advance(end)).toBe('root');
      expect([made.roots.count, made.roots.indices[0]]).toEqual([1, index]);
      expect(Math.abs(made.clock[0] - time)).toBeLessThan(1e-11);
      made.x[2 * index + 1] *= -balls[index].e;
      made.restart();
    }
    expect(made.advance(end)).toBe('reached');
  });
});
