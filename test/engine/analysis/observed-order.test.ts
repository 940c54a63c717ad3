/** Orders of convergence between the two schemes, on models with a known answer. */
import { describe, expect, it } from 'vitest';
import type { RunDifference } from '@engine/analysis/comparison/comparison';
import { observedOrder, stepLengthOrders, type SteppedRun } from '@engine/analysis/comparison/observed-order';
import type { ModelDocument } from '@engine/document/types';
import { example } from '../support/models';
import { compareRuns, recorded } from './support';

const G = 9.81;

/** q̈ + q = 0 from q = 1, or ẋ = −x from 1, and no contact. */
function smooth(integrator: string, theta: number): ModelDocument {
  const isFirstOrder = integrator === 'EulerMoreau';
  const system = isFirstOrder
    ? { id: 's', type: 'FirstOrderLinear', n: 1, A: [[-1]], x0: [1] }
    : { id: 's', type: 'LagrangianLinearTI', ndof: 1, mass: [[1]], stiffness: [[1]], q0: [1], v0: [0] };
  return {
    ...example('bouncing-ball'),
    parameters: [],
    systems: [system],
    interactions: [],
    observables: [],
    scripts: [],
    simulation: {
      scheme: 'time-stepping',
      t0: 0,
      tEnd: 4,
      h: 0.01,
      integrators: [{ type: integrator, theta }],
      problem: { type: 'LCP' },
      solver: { type: 'auto' },
    },
  };
}

describe('observed order', () => {
  it('is the exponent of the error', () => {
    expect(observedOrder({ error: 3 * 0.2 ** 1.5, h: 0.2 }, { error: 3 * 0.05 ** 1.5, h: 0.05 })).toBeCloseTo(
      1.5,
      12,
    );
  });

  it('is not told of errors that are zero, rounding or no numbers, nor of equal steps', () => {
    const coarse = { error: 1e-3, h: 0.1 };
    expect(observedOrder(coarse, { error: 0, h: 0.05 })).toBeNull();
    expect(observedOrder(coarse, { error: 1e-14, h: 0.05 }, 1e-13)).toBeNull();
    expect(observedOrder(coarse, { error: Number.NaN, h: 0.05 })).toBeNull();
    expect(observedOrder(coarse, { error: 1e-4, h: 0.1 })).toBeNull();
  });
});

describe('orders between step lengths', () => {
  /** A run with one signal and one contact with the impacts of the reference at 1 and 2, each so late. */
  const late = (place: number, h: number, delays: number[]): SteppedRun => {
    const reference = Float64Array.from(delays, (_, k) => 1 + k);
    const pairs = { reference, other: reference.map((t, k) => t + delays[k]) };
    const signal = {
      name: 'x',
      mean: 8 * h,
      maximum: 5,
      maximumTime: 1,
      awayMaximum: 4 * h * h,
      awayMaximumTime: 1,
    };
    const counts = { referenceImpacts: 2, impacts: 2, isolated: 2, matched: 2, missed: 0, extra: 0 };
    const times = { largest: null, largestTime: null, mean: null, pairs, lookedUntil: 3 };
    return {
      place,
      h,
      difference: {
        ...{ rows: 9, interpolated: 0, signals: [{ ...signal, agreesUntil: 3, notFinite: 0 }] },
        contacts: [{ signal: 'floor.impulse', element: 'floor', ...counts, ...times }],
      },
    };
  };

  it('are those of the mean and of the largest away from impacts, which the jumps do not touch', () => {
    const [{ signals, contacts }] = stepLengthOrders(
      [late(0, 0.25, [0.5, 0.25]), late(1, 0.125, [0.125, 0.0625])],
      [1],
    );
    expect(signals).toEqual([{ name: 'x', mean: 1, maximum: 2 }]);
    expect(contacts).toEqual([
      { signal: 'floor.impulse', element: 'floor', impacts: 2, mean: 2, maximum: 2 },
    ]);
  });

  it('of impacts are taken over those that both runs have', () => {
    const [{ contacts }] = stepLengthOrders([late(0, 0.25, [0.5]), late(1, 0.125, [0.25, 0.75])], [1]);
    expect(contacts).toEqual([
      { signal: 'floor.impulse', element: 'floor', impacts: 1, mean: 1, maximum: 1 },
    ]);
  });

  it('are not told of times that differ by rounding only, nor of signals that do', () => {
    const rounding = Number.EPSILON * 2;
    const [{ signals, contacts }] = stepLengthOrders(
      [late(0, 0.25, [0, 2 * rounding]), late(1, 0.125, [0, rounding])],
      [1e16],
    );
    expect(signals).toEqual([{ name: 'x', mean: null, maximum: null }]);
    expect(contacts).toMatchObject([{ impacts: 2, mean: null, maximum: null }]);
  });
});

describe.each([
  ['MoreauJean', 0.5, 2],
  ['MoreauJean', 1, 1],
  ['EulerMoreau', 0.5, 2],
  ['EulerMoreau', 1, 1],
] as const)('%s with θ = %d on a smooth motion', (integrator, theta, expected) => {
  const names = integrator === 'EulerMoreau' ? ['s.x'] : ['s.q', 's.v'];
  const exact = integrator === 'EulerMoreau' ? (t: number) => Math.exp(-t) : Math.cos;
  const tEnd = 4;
  const steps = [0.04, 0.02, 0.01];
  const document = smooth(integrator, theta);
  const reference = recorded(document, 'event-driven', { h: steps[2], tEnd });
  const runs = steps.map((h) => recorded(document, 'time-stepping', { h, tEnd }));
  const comparisons = runs.map((run) => compareRuns(reference, run, names, null));

  it('has the mean and largest error that the exact solution gives', () => {
    comparisons.forEach(({ difference }, i) => {
      const { source, column } = runs[i];
      const x = source.column(0, column(names[0]));
      const h = steps[i];
      const errors = Array.from({ length: Math.round(tEnd / h) + 1 }, (_, k) =>
        Math.abs(x[k] - exact(k * h)),
      );
      const integral = errors.reduce(
        (sum, error, k) => sum + (k % (errors.length - 1) === 0 ? error / 2 : error) * h,
        0,
      );
      const [first] = difference.signals;
      expect(difference).toMatchObject({ rows: errors.length, interpolated: 0, contacts: [] });
      // The reference is an integration to its own tolerance.
      expect(Math.abs(first.maximum - Math.max(...errors))).toBeLessThan(1e-8);
      expect(Math.abs(first.mean - integral / tEnd)).toBeLessThan(1e-8);
    });
  });

  it(`shows order ${expected}`, () => {
    const stepped = comparisons.map(({ difference }, place) => ({ place, h: steps[place], difference }));
    // In whatever order the runs come, and twice the same step.
    const orders = stepLengthOrders([stepped[2], stepped[0], stepped[1], stepped[1]], comparisons[0].scales);
    expect(orders.map(({ coarse, fine }) => [coarse, fine])).toEqual([
      [0, 1],
      [1, 2],
    ]);
    for (const { signals, contacts } of orders) {
      expect(contacts).toEqual([]);
      expect(signals.map(({ name }) => name)).toEqual(names);
      for (const { mean, maximum } of signals) {
        expect(Math.abs((mean ?? 0) - expected)).toBeLessThan(0.05);
        expect(Math.abs((maximum ?? 0) - expected)).toBeLessThan(0.05);
      }
    }
  });
});

describe('the bouncing ball', () => {
  const ball = example('bouncing-ball');

  it('has an impact between h/2 and 3h/2 late, by order 1 on the average', () => {
    // The delay is a saw-tooth of where the impact falls in its step. Impacts spread evenly over the longest
    // step are spread evenly over the shorter ones too, and the mean delay is h.
    const steps = [2e-3, 1e-3, 5e-4];
    const count = 16;
    const impacts = Array.from({ length: count }, (_, k) => 0.4 + ((k + 0.5) / count) * steps[0]);
    const sums = steps.map(() => 0);
    for (const time of impacts) {
      const options = { tEnd: 0.5, set: { height: 0.5 * G * time * time } };
      const reference = recorded(ball, 'event-driven', { ...options, h: steps[2] });
      steps.forEach((h, i) => {
        const other = recorded(ball, 'time-stepping', { ...options, h });
        const [floor] = compareRuns(reference, other, ['ball.q'], 'floor').difference.contacts;
        expect(floor).toMatchObject({ referenceImpacts: 1, impacts: 1, matched: 1, missed: 0, extra: 0 });
        expect(Math.abs(floor.pairs.reference[0] - time)).toBeLessThan(1e-12);
        const late = floor.pairs.other[0] - floor.pairs.reference[0];
        expect(late).toBeGreaterThan(0.5 * h - h * h);
        expect(late).toBeLessThan(1.5 * h + h * h);
        expect(floor.largest).toBe(Math.abs(late));
        sums[i] += late;
      });
    }
    for (let i = 1; i < steps.length; i++) {
      const order = observedOrder({ error: sums[i - 1], h: steps[i - 1] }, { error: sums[i], h: steps[i] });
      expect(Math.abs((order ?? 0) - 1)).toBeLessThan(0.02);
    }
  });

  it('comes to rest with impacts that no step resolves, and those are not missed', () => {
    const h = 1e-3;
    const tEnd = 9;
    const reference = recorded(ball, 'event-driven', { h, tEnd });
    const other = recorded(ball, 'time-stepping', { h, tEnd });
    const { difference } = compareRuns(reference, other, ['ball.q', 'ball.v'], 'floor');
    const [floor] = difference.contacts;
    // Flights last 2 t₁ eᵏ, k ≥ 1; an impact is isolated when the one after it is at least four steps away.
    const first = Math.sqrt(1.8 / G);
    const isolated = Math.floor(Math.log((4 * h) / (2 * first)) / Math.log(0.9));
    expect(floor.isolated).toBe(isolated);
    expect(floor.matched + floor.missed).toBe(isolated);
    expect(floor.referenceImpacts).toBeGreaterThan(isolated + 10);
    // Delays add up, each at most 3h/2 and carried on by the flights after it. After 20 impacts flights still
    // last 100 h, and the nearest impact is the right one.
    const { reference: exact, other: late } = floor.pairs;
    for (let k = 0; k < 20; k++) {
      const time = first + (2 * first * 0.9 * (1 - 0.9 ** k)) / 0.1;
      expect(Math.abs(exact[k] - time)).toBeLessThan(1e-9);
      expect(Math.abs(late[k] - exact[k])).toBeLessThan(1.5 * h * (k + 1) * 2);
    }
    const [q, v] = difference.signals;
    expect(q.maximum).toBeLessThan(0.03);
    // Rows on different sides of the second impact differ by (1 + e) e g t₁ (less the flight of a delay);
    // between the first and its counterpart lies no row. Away from impacts speeds differ by g times the
    // delay, and at the end, when delays are as long as flights, by what speed is left.
    expect(v.maximum).toBeGreaterThan(1.9 * 0.9 * G * first - 0.1);
    expect(v.maximum).toBeLessThan(1.9 * 0.9 * G * first + 0.1);
    expect(v.awayMaximum).toBeLessThan(0.05 * v.maximum);
  });
});

describe('the cam-follower at 358 rpm', () => {
  it('has its first two impacts where exact flights have them', () => {
    const document = example('cam-follower-358');
    const h = 2e-5;
    const tEnd = 0.12;
    const reference = recorded(document, 'event-driven', { h: h / 2, tEnd });
    const runs = [h, h / 2].map((step) => recorded(document, 'time-stepping', { h: step, tEnd }));
    const differences = runs.map(
      (run) => compareRuns(reference, run, ['follower.q', 'follower.v', 'lift'], 'cam').difference,
    );
    differences.forEach(({ signals, contacts: [cam] }, i) => {
      expect(cam).toMatchObject({ matched: 2, missed: 0, extra: 0 });
      expect(Math.abs(cam.pairs.reference[0] - 0.0311581)).toBeLessThan(1e-7);
      expect(Math.abs(cam.pairs.reference[1] - 0.1041964)).toBeLessThan(1e-7);
      expect(cam.largest).toBeLessThan(2 * runs[i].session.h);
      // The lift is a function of time alone, and the same in both.
      expect(signals[2].maximum).toBe(0);
    });
    const orders = stepLengthOrders(
      differences.map((difference: RunDifference, place) => ({
        place,
        h: runs[place].session.h,
        difference,
      })),
      [1, 1, 1],
    );
    expect(orders[0].contacts).toMatchObject([{ element: 'cam', impacts: 2 }]);
    expect(orders[0].signals[2]).toEqual({ name: 'lift', mean: null, maximum: null });
  });
});
