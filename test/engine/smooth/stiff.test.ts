/** Stiff systems: references from the literature and from independent codes, and the change of methods. */
import { describe, expect, it } from 'vitest';
import { SmoothIntegrator } from '@engine/smooth/smooth-integrator';
import { integrator, oscillator, settings, system } from './support';

/** ε ÿ = (1 − y²) ẏ − y with ε = 1/μ², which is Van der Pol's oscillator for μ = 1000 in units of μ. */
const vanDerPol = system(2, (_t, x, out) => {
  out[0] = x[1];
  out[1] = 1e6 * ((1 - x[0] ** 2) * x[1] - x[0]);
});

/** Robertson's reaction. */
const robertson = system(3, (_t, y, out) => {
  out[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
  out[2] = 3e7 * y[1] * y[1];
  out[1] = -out[0] - out[2];
});

const robertsonAt = (tolerance: number, more = {}): SmoothIntegrator => {
  const made = new SmoothIntegrator(robertson, {
    ...settings(3, tolerance, more),
    tolerances: {
      relative: tolerance,
      absolute: Float64Array.of(1e-2 * tolerance, 1e-6 * tolerance, 1e-2 * tolerance),
    },
  });
  made.x[0] = 1;
  return made;
};

describe("Van der Pol's oscillator, μ = 1000", () => {
  it('has at t = 2 the reference of the test set for initial value problems (problem VDPOL)', () => {
    const made = integrator(vanDerPol, [2, 0], 1e-8);
    expect(made.advance(2, 2)).toBe('reached');
    expect(Math.abs(made.x[0] - 1.706167732170483)).toBeLessThan(1e-7);
    expect(Math.abs(made.x[1] + 0.892809701024795)).toBeLessThan(1e-7);
    expect(made.counters.steps).toBeLessThan(3000);
  });

  it('is solved by both methods in turn: implicit on the slow branches, explicit through the jump', () => {
    const made = integrator(vanDerPol, [2, 0], 1e-6);
    made.advance(2, 2);
    const { switchesToImplicit, switchesToExplicit, implicitSteps, steps } = made.counters;
    expect(switchesToImplicit).toBeGreaterThanOrEqual(2);
    expect(switchesToExplicit).toBeGreaterThanOrEqual(1);
    expect(implicitSteps).toBeGreaterThan(50);
    expect(implicitSteps).toBeLessThan(steps);
  });
});

describe("Robertson's reaction", () => {
  it('has the literature values at t = 40 and t = 1e11 (test set, problem ROBER)', () => {
    const made = robertsonAt(1e-9);
    made.advance(40);
    expect(Math.abs(made.x[0] / 0.7158270687194 - 1)).toBeLessThan(1e-8);
    expect(Math.abs(made.x[1] / 9.185534764558e-6 - 1)).toBeLessThan(1e-8);
    expect(Math.abs(made.x[2] / 0.284163745745831 - 1)).toBeLessThan(1e-8);
    made.advance(1e11, 1e11);
    expect(Math.abs(made.x[0] / 0.2083340149701255e-7 - 1)).toBeLessThan(1e-6);
    expect(Math.abs(made.x[1] / 0.8333360770334713e-13 - 1)).toBeLessThan(1e-6);
    expect(made.counters.switchesToImplicit).toBe(1);
    expect(made.counters.switchesToExplicit).toBe(0);
  });

  it('defeats the explicit method alone: it needs fifty times as many steps', () => {
    const automatic = robertsonAt(1e-6);
    automatic.advance(200, 200);
    const explicit = robertsonAt(1e-6, { method: 'explicit' });
    explicit.advance(200, 200);
    expect(explicit.counters.steps).toBeGreaterThan(50 * automatic.counters.steps);
  });
});

describe('linear stiff decay', () => {
  /** ẋ = −λ (x − cos t) − sin t: x = cos t after a transient e^{−λt}. */
  const prothero = (lambda: number): ReturnType<typeof system> =>
    system(1, (t, x, out) => {
      out[0] = -lambda * (x[0] - Math.cos(t)) - Math.sin(t);
    });

  it.each([1e3, 1e4, 1e6, 1e9])(
    'with λ = %d follows its slow solution in a bounded number of steps',
    (lambda) => {
      const made = integrator(prothero(lambda), [1.5], 1e-7);
      made.advance(5, 5);
      expect(Math.abs(made.x[0] - Math.cos(5))).toBeLessThan(1e-6);
      expect(made.counters.switchesToImplicit).toBeGreaterThanOrEqual(1);
      expect(made.counters.steps).toBeLessThan(1500);
    },
  );

  it('that ends brings the explicit method back', () => {
    // Stiff for t < 1, an oscillator after.
    const changing = system(2, (t, x, out) => {
      const lambda = 1e5 / (1 + Math.exp(100 * (t - 1)));
      out[0] = x[1];
      out[1] = -x[0] - lambda * x[1];
    });
    const made = integrator(changing, [1, 0], 1e-7);
    made.advance(20, 20);
    expect(made.counters.switchesToImplicit).toBeGreaterThanOrEqual(1);
    expect(made.counters.switchesToExplicit).toBeGreaterThanOrEqual(1);
    const implicitSteps = made.counters.implicitSteps;
    made.advance(40, 40);
    expect(made.counters.implicitSteps).toBe(implicitSteps);
  });
});

describe('a given Jacobian', () => {
  it('takes the place of differences and gives the same solution', () => {
    const differences = integrator(vanDerPol, [2, 0], 1e-7, { method: 'implicit' });
    const given = integrator(
      {
        ...vanDerPol,
        jacobian: (_clock, x, out) => {
          out[0] = 0;
          out[1] = 1e6 * (-2 * x[0] * x[1] - 1);
          out[2] = 1;
          out[3] = 1e6 * (1 - x[0] ** 2);
        },
      },
      [2, 0],
      1e-7,
      { method: 'implicit' },
    );
    for (const made of [differences, given]) expect(made.advance(2, 2)).toBe('reached');
    expect(Math.abs(differences.x[0] - given.x[0])).toBeLessThan(1e-6);
    expect(given.counters.rates).toBeLessThan(differences.counters.rates);
  });
});

describe('what is not stiff', () => {
  it('stays with the explicit method, at loose and tight tolerances', () => {
    for (const tolerance of [1e-3, 1e-6, 1e-10, 1e-13]) {
      const made = integrator(oscillator, [1, 0], tolerance);
      made.advance(200, 200);
      expect(made.counters.switchesToImplicit).toBe(0);
    }
  });
});
