/** The integrator against exact solutions, its contract about times, and every way it can fail. */
import { describe, expect, it } from 'vitest';
import { FALLING } from '@engine/smooth/event-functions';
import { SmoothIntegrator } from '@engine/smooth/smooth-integrator';
import { observedOrder } from '../support/order';
import { events, form, integrator, logistic, oscillator, settings, system } from './support';

/** Error of the oscillator at t. */
const distance = (made: SmoothIntegrator, t: number): number =>
  Math.hypot(made.x[0] - Math.cos(t), made.x[1] + Math.sin(t));

describe('accuracy', () => {
  it.each(['explicit', 'implicit'] as const)(
    'of the %s method is proportional to the tolerance',
    (method) => {
      const tolerances = method === 'explicit' ? [1e-6, 1e-8, 1e-10, 1e-12] : [1e-4, 1e-6, 1e-8];
      const errors = tolerances.map((tolerance) => {
        const made = integrator(oscillator, [1, 0], tolerance, { method });
        expect(made.advance(20, 20)).toBe('reached');
        return distance(made, 20);
      });
      errors.forEach((error, k) => {
        expect(error).toBeLessThan(10 * tolerances[k]);
      });
      expect(observedOrder(tolerances, errors)).toBeGreaterThan(0.9);
      expect(observedOrder(tolerances, errors)).toBeLessThan(method === 'explicit' ? 1.1 : 1.4);
    },
  );

  it.each(['explicit', 'implicit'] as const)(
    'of the %s method between steps is that of the tolerance',
    (method) => {
      const tolerance = 1e-8;
      const made = integrator(oscillator, [1, 0], tolerance, { method });
      let worst = 0;
      let outputs = 0;
      for (let t = 0.01; t < 10; t += 0.0137) {
        expect(made.advance(t)).toBe('reached');
        expect(made.clock[0]).toBe(t);
        worst = Math.max(worst, distance(made, t));
        outputs++;
      }
      expect(worst).toBeLessThan(10 * tolerance);
      expect(outputs).toBeGreaterThan(2 * made.counters.steps);
    },
  );

  it('holds for the logistic equation at 1e-13', () => {
    const made = integrator(logistic, [0.5], 1e-13);
    for (const t of [0.3, 1, 2.5, 7, 20]) {
      made.advance(t);
      expect(Math.abs(made.x[0] - 1 / (1 + Math.exp(-t)))).toBeLessThan(2e-13);
    }
  });

  it.each(['explicit', 'implicit'] as const)(
    'of the %s method far from t = 0 is what rounding of the time leaves, at no cost',
    (method) => {
      // Pulses of area 1, and a ramp, of one nanosecond.
      const shapes = [
        (s: number): number => 2 * s,
        (s: number): number => (Math.PI / 2) * Math.sin(Math.PI * s),
        (s: number): number => 30 * s * s * (1 - s) * (1 - s),
      ];
      for (const start of [0.7, 2.355, 5.23, 511])
        for (const shape of shapes) {
          const end = start + 1e-9;
          const width = end - start;
          const spike = system(1, (t, _x, out) => {
            out[0] = shape((t - start) / width) / width;
          });
          const made = integrator(spike, [0], 1e-11, { method });
          made.start(start);
          expect(made.advance(end, end)).toBe('reached');
          expect(Math.abs(made.x[0] - 1)).toBeLessThan(1e-10 + (32 * Number.EPSILON * start) / width);
          expect(made.counters.steps + made.counters.rejected).toBeLessThan(150);
        }
    },
  );

  it.each(['explicit', 'implicit'] as const)(
    'of many short steps of the %s method is not lost with what times are rounded by',
    (method) => {
      // Steps of a few roundings of the time: whatever each of them lost, all would lose.
      const start = 3.737;
      const end = start + 1e-9;
      const made = integrator(
        system(1, (_t, _x, out) => {
          out[0] = 1e9;
        }),
        [0],
        1e-11,
        { method, longestStep: 1.1e-14 },
      );
      made.start(start);
      expect(made.advance(end, end)).toBe('reached');
      expect(Math.abs(made.x[0] - 1e9 * (end - start))).toBeLessThan(1e-9);
    },
  );

  it('is measured component by component', () => {
    // The second component is a million times smaller, and is asked for to the same relative accuracy.
    const made = new SmoothIntegrator(
      system(2, (_t, x, out) => {
        out[0] = -x[0];
        out[1] = -2 * x[1];
      }),
      { ...settings(2, 1e-10), tolerances: { relative: 1e-10, absolute: Float64Array.of(1e-12, 1e-20) } },
    );
    made.x.set([1, 1e-6]);
    made.advance(3, 3);
    expect(Math.abs(made.x[0] / Math.exp(-3) - 1)).toBeLessThan(1e-9);
    expect(Math.abs((made.x[1] * 1e6) / Math.exp(-6) - 1)).toBeLessThan(1e-9);
  });
});

describe('times', () => {
  it('beyond tStop are never asked of the rate, and tStop is met exactly', () => {
    let latest = 0;
    const watched = system(1, (t, x, out) => {
      latest = Math.max(latest, t);
      out[0] = -x[0];
    });
    for (const method of ['explicit', 'implicit'] as const) {
      const made = integrator(watched, [1], 1e-10, { method });
      for (const stop of [0.1, 0.7, 1.9]) {
        latest = 0;
        expect(made.advance(stop, stop)).toBe('reached');
        expect(made.clock[0]).toBe(stop);
        expect(latest).toBe(stop);
        expect(Math.abs(made.x[0] - Math.exp(-stop))).toBeLessThan(1e-9);
        made.restart();
      }
    }
  });

  it('before the present or not a number are refused', () => {
    const made = integrator(logistic, [0.5]);
    made.advance(1);
    expect(made.advance(0.5)).toBe('invalidTarget');
    expect(made.advance(NaN)).toBe('invalidTarget');
    expect(made.advance(2, 1.5)).toBe('invalidTarget');
    expect(made.advance(Infinity)).toBe('invalidTarget');
    expect(made.clock[0]).toBe(1);
    expect(made.advance(1)).toBe('reached');
  });

  it('asked for one by one give the steps of one long integration', () => {
    const once = integrator(oscillator, [1, 0]);
    once.advance(10);
    const often = integrator(oscillator, [1, 0]);
    for (let k = 1; k <= 1000; k++) often.advance(k / 100);
    expect([...often.x]).toEqual([...once.x]);
    expect(often.counters.steps).toBe(once.counters.steps);
  });

  it('of a step cut short do not shorten the steps after it', () => {
    const free = integrator(oscillator, [1, 0]);
    free.advance(20);
    const cut = integrator(oscillator, [1, 0]);
    for (const stop of [5, 10, 15]) cut.advance(stop, stop);
    cut.advance(20);
    expect(cut.counters.steps).toBeLessThan(free.counters.steps + 6);
  });

  it('respect the longest step', () => {
    const made = integrator(logistic, [0.5], 1e-6, { longestStep: 0.05 });
    made.advance(5, 5);
    expect(made.counters.steps).toBeGreaterThanOrEqual(100);
  });

  it('far from zero cost no accuracy but that of the time itself', () => {
    const late = integrator(oscillator, [1, 0], 1e-10, {}, events([form([1, 0])], [FALLING]));
    late.start(1e6);
    late.x.set([1, 0]);
    late.start(1e6);
    expect(late.advance(1e6 + 3)).toBe('root');
    expect(Math.abs(late.clock[0] - 1e6 - Math.PI / 2)).toBeLessThan(1e-9);
  });
});

describe('the same integration', () => {
  it('gives the same bits, in a new integrator and in one that has done something else', () => {
    const run = (made: SmoothIntegrator): number[] => {
      made.x.set([2, -0.66]);
      made.start(0);
      made.advance(3);
      return [...made.x];
    };
    const stiff = system(2, (_t, x, out) => {
      out[0] = x[1];
      out[1] = 1e3 * ((1 - x[0] ** 2) * x[1] - x[0]);
    });
    const first = integrator(stiff, [2, -0.66], 1e-7);
    const expected = run(first);
    expect(first.counters.switchesToImplicit).toBeGreaterThan(0);
    expect(run(first)).toEqual(expected);
    expect(run(integrator(stiff, [1, 1], 1e-7))).toEqual(expected);
  });
});

describe('failures', () => {
  it('a limit of steps, after which a further call goes on', () => {
    const made = integrator(oscillator, [1, 0], 1e-10, { maxSteps: 10 });
    expect(made.advance(20)).toBe('tooManySteps');
    expect(made.clock[0]).toBeGreaterThan(0);
    expect(made.clock[0]).toBeLessThan(20);
    let calls = 1;
    while (made.advance(20) === 'tooManySteps') calls++;
    expect(calls).toBeGreaterThan(3);
    expect(distance(made, 20)).toBeLessThan(1e-9);
  });

  it.each(['explicit', 'implicit'] as const)(
    'but not jumps of the rate, which the %s method passes',
    (method) => {
      // At t = 600 a step that the tolerance allows across a jump is shorter than rounding of the time.
      const jumping = system(2, (t, x, out) => {
        out[0] = x[1];
        out[1] = Math.floor(7 * t) % 2 === 0 ? 300 : -300;
      });
      const made = integrator(jumping, [0, 0], 1e-13, { method });
      made.start(600);
      // Of each pair of sevenths the speed goes up and down again.
      expect(made.advance(604)).toBe('reached');
      expect(Math.abs(made.x[1])).toBeLessThan(1e-7);
      expect(Math.abs(made.x[0] / ((4 * 300) / 14) - 1)).toBeLessThan(1e-8);
      // The error estimate of the implicit method is filtered, and lets it step over.
      if (method === 'explicit') expect(made.counters.crossings).toBeGreaterThan(0);
    },
  );

  it.each(['explicit', 'implicit'] as const)('a pole, which no step of the %s method can pass', (method) => {
    // ẋ = x²: x = 1/(1 − t).
    const pole = system(1, (_t, x, out) => {
      out[0] = x[0] * x[0];
    });
    const made = integrator(pole, [1], 1e-8, { method });
    expect(['stepTooSmall', 'rateNotFinite']).toContain(made.advance(2));
    expect(Math.abs(made.clock[0] - 1)).toBeLessThan(1e-6);
    expect(Number.isFinite(made.x[0])).toBe(true);
  });

  it.each(['explicit', 'implicit'] as const)(
    'a rate that ends, with its component and time (%s)',
    (method) => {
      const ending = system(2, (t, x, out) => {
        out[0] = -x[0];
        out[1] = Math.sqrt(1 - t) * x[0];
      });
      const made = integrator(ending, [1, 0], 1e-8, { method });
      expect(made.advance(2)).toBe('rateNotFinite');
      expect(made.failure.index).toBe(1);
      expect(Math.abs(made.failure.clock[0] - 1)).toBeLessThan(1e-9);
      expect(made.clock[0]).toBeLessThanOrEqual(1);
      expect(Math.abs(made.x[0] - Math.exp(-made.clock[0]))).toBeLessThan(1e-6);
    },
  );

  it('a rate that is not defined at the start', () => {
    const made = integrator(
      system(2, (_t, x, out) => {
        out[0] = 1;
        out[1] = Math.log(x[0]);
      }),
      [-1, 0],
    );
    made.start(4);
    expect(made.advance(5)).toBe('rateNotFinite');
    expect(made.failure.index).toBe(1);
    expect(made.failure.clock[0]).toBe(4);
  });

  it('a state that is not finite', () => {
    const made = integrator(oscillator, [1, NaN]);
    expect(made.advance(1)).toBe('stateNotFinite');
    expect(made.failure.index).toBe(1);
  });

  it('a Jacobian that is not finite, with its column', () => {
    const made = integrator(
      {
        ...oscillator,
        jacobian: (_clock, _x, out) => {
          out.set([0, -1, 1, Infinity]);
        },
      },
      [1, 0],
      1e-8,
      { method: 'implicit' },
    );
    expect(made.advance(1)).toBe('jacobianNotFinite');
    expect(made.failure.index).toBe(1);
    expect(made.failure.clock[0]).toBe(0);
  });
});
