/**
 * The bouncing ball: dropped from 0.9 m, e = 0.9, g = 9.81 m/s².
 */
import { describe, expect, it } from 'vitest';
import { example } from './support/models';
import { maximum, observedOrder } from './support/order';
import { type Run, run } from './support/run';

const G = 9.81;
const IMPACT_TIMES = [0.428353, 1.199388, 1.89332];
/** t₁ + 2 t₁ e/(1 − e): after it the exact ball rests. */
const ZENO_TIME = 8.138706;

/** Ends of the steps in which the contact begins to push. */
function impactTimes({ column }: Run): number[] {
  const impulse = column('floor.impulse');
  return [...column('t')].filter((_, k) => k > 0 && impulse[k] > 0 && impulse[k - 1] === 0);
}

describe('impact times', () => {
  it('follow the exact ones within 2h for each impact so far', () => {
    const h = 1e-4;
    const times = impactTimes(run(example('bouncing-ball'), { h, tEnd: 2 }));
    IMPACT_TIMES.forEach((exact, k) => expect(Math.abs(times[k] - exact)).toBeLessThan(2 * h * (k + 1)));
    expect(times).toHaveLength(3);
  });

  it('converge with order 1', () => {
    // Flight under θ = ½ is exact at the nodes. A step is active when y + h ẏ/2 ≤ 0 at its start, so the end
    // of the first active step lies between h/2 and 3h/2 after the impact, wherever the grid falls. One
    // height would only sample that saw-tooth; the largest error over many heights is its upper end.
    const heights = Array.from({ length: 60 }, (_, k) => 0.5 + 0.0137 * k);
    const steps = [4e-3, 2e-3, 1e-3, 5e-4];
    const errors = steps.map((h) => {
      const found = heights.map((height) => {
        const document = example('bouncing-ball');
        const [time] = impactTimes(
          run(document, { set: { height }, h, tEnd: 0.6, signals: ['floor.impulse'] }),
        );
        return time - Math.sqrt((2 * height) / G);
      });
      expect(Math.min(...found)).toBeGreaterThan(0.5 * h - h * h);
      expect(Math.max(...found)).toBeLessThan(1.5 * h + h * h);
      return Math.max(...found);
    });
    expect(Math.abs(observedOrder(steps, errors) - 1)).toBeLessThan(0.05);
  });
});

describe('rest', () => {
  it.each([1e-3, 2.5e-4])('follows the accumulation of impacts, h = %f', (h) => {
    const { column } = run(example('bouncing-ball'), { h, tEnd: 10 });
    const t = column('t');
    const from = t.findIndex((time) => time > ZENO_TIME + 0.1);
    // Below ẏ = g h/(1+e) the ball cannot leave within a step, and each further step multiplies its velocity
    // by e.
    expect(maximum(column('ball.v').subarray(from))).toBeLessThan(G * h);
    expect(maximum(column('ball.q').subarray(from))).toBeLessThan(G * h * h);
    // At rest the floor carries the weight: one impulse m g h a step.
    const carried = column('floor.impulse').subarray(-100);
    expect(maximum(carried.map((p) => p / (G * h) - 1))).toBeLessThan(1e-6);
  });

  it('is bouncing still shortly before it', () => {
    const { column } = run(example('bouncing-ball'), { h: 2.5e-4, tEnd: 8 });
    expect(maximum(column('ball.v').subarray(-400))).toBeGreaterThan(0.05);
  });
});

describe('energy', () => {
  /**
   * With v⁺ = −e v⁻ the impulse p = m (g h − (1+e) v⁻) does the work p (1−e) v⁻/2, θ = ½. It is negative
   * while the ball comes down. A ball caught below the floor on its way up, 0 < v⁻ < g h/(1+e), is held and
   * gains a little: at most m (g h)² (1−e)/(8 (1+e)), of second order, and less at each further step.
   */
  const holdingGain = (h: number, e: number): number => ((G * h) ** 2 * (1 - e)) / (8 * (1 + e));
  const ROUNDING = 1e-14;

  it.each([0, 0.5, 0.9, 1])('never grows at an impact for e = %f', (e) => {
    const h = 1e-3;
    const { column } = run(example('bouncing-ball'), { set: { e }, h, tEnd: 10 });
    const energy = column('energy');
    const v = column('ball.v');
    for (let k = 1; k < energy.length; k++) {
      const change = energy[k] - energy[k - 1];
      expect(change).toBeLessThanOrEqual(v[k - 1] <= 0 ? ROUNDING : holdingGain(h, e) + ROUNDING);
    }
  });

  it('is kept by an elastic ball and taken by a plastic one', () => {
    const elastic = run(example('bouncing-ball'), { set: { e: 1 }, tEnd: 10 }).column('energy');
    const plastic = run(example('bouncing-ball'), { set: { e: 0 }, tEnd: 10 }).column('energy');
    expect(maximum(elastic.map((x) => x / elastic[0] - 1))).toBeLessThan(1e-12);
    // What stays is m g q at a depth below h |v⁻|.
    expect(Math.abs(plastic[plastic.length - 1])).toBeLessThan(G * 1e-3 * Math.sqrt(2 * G * 0.9));
  });
});
