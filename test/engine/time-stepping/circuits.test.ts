/** Linear complementarity systems with closed solutions: diode bridge, RLCD circuit, relay. Items 12–14. */
import { describe, expect, it } from 'vitest';
import type { TimeStepping } from '@engine/time-stepping/time-stepping';
import * as forms from '../support/forms';

const [L, C, R] = [1e-2, 1e-6, 1e3];

/** Bridge of four ideal diodes over an LC oscillator, loaded by R. State (voltage of C, current of L). */
function diodeBridge(h: number, theta: number, thetaR = theta): TimeStepping {
  const system = forms.linearFirstOrder(
    [
      [0, -1 / C],
      [1 / L, 0],
    ],
    [10, 0],
  );
  const relation = forms.linearRelation(
    [
      [0, 0],
      [0, 0],
      [-1, 0],
      [1, 0],
    ],
    [
      [0, 0, -1 / C, 1 / C],
      [0, 0, 0, 0],
    ],
    {
      D: [
        [1 / R, 1 / R, -1, 0],
        [1 / R, 1 / R, 0, -1],
        [1, 0, 0, 0],
        [0, 1, 0, 0],
      ],
    },
  );
  return forms.simulate(
    {
      systems: [forms.system('lc', system)],
      interactions: [forms.interaction('bridge', [0], relation, forms.complementarity())],
    },
    { h, integrators: [forms.eulerMoreau([0], theta, thetaR)], solver: 'Lemke' },
  );
}

const voltageAt = (simulation: TimeStepping, t: number, h: number): number => {
  const steps = Math.round(t / h);
  while (simulation.step < steps) simulation.advance();
  return simulation.state[1];
};

/** v(t) = e^{−500t} [10 cos ω t − 0.500626 sin ω t] */
function exactVoltage(t: number): number {
  const rate = 1 / (2 * R * C);
  const omega = Math.sqrt(1 / (L * C) - rate * rate);
  return Math.exp(-rate * t) * (10 * Math.cos(omega * t) - ((10 * rate) / omega) * Math.sin(omega * t));
}

describe('the diode bridge', () => {
  it('is exactly linear in its voltage: v(0.5 ms) and v(5 ms)', () => {
    expect(exactVoltage(5e-4)).toBeCloseTo(2.53697, 5);
    expect(exactVoltage(5e-3)).toBeCloseTo(0.790323, 6);
    expect(voltageAt(diodeBridge(1e-7, 0.5, 0.5), 5e-4, 1e-7)).toBeCloseTo(2.53697, 2);
  });

  it.each([
    [1, [-0.4032, -0.203, -0.0814]],
    [0.5, [-0.052, -0.0242, -0.0092]],
  ])('has the errors of order one at θ = %f', (theta, expected) => {
    const errors = [5e-6, 2.5e-6, 1e-6].map(
      (h) => voltageAt(diodeBridge(h, theta, 1), 5e-4, h) - exactVoltage(5e-4),
    );
    errors.forEach((error, k) => {
      expect(error).toBeCloseTo(expected[k], 4);
    });
  });

  it('factorises its iteration matrix once', () => {
    const simulation = diodeBridge(1e-6, 0.5, 1);
    for (let k = 0; k < 1000; k++) simulation.advance();
    expect(simulation.context.counters).toMatchObject({ factorisations: 1, newtonIterations: 1000 });
  });
});

/**
 * Ideal diode and resistor in series across an LC oscillator: y = v + R λ, current λ drawn from the
 * capacitor.
 */
function rlcd(h: number): TimeStepping {
  const system = forms.linearFirstOrder(
    [
      [0, -1 / C],
      [1 / L, 0],
    ],
    [10, 0],
  );
  const relation = forms.linearRelation([[1, 0]], [[1 / C], [0]], { D: [[R]] });
  return forms.simulate(
    {
      systems: [forms.system('lc', system)],
      interactions: [forms.interaction('diode', [0], relation, forms.complementarity())],
    },
    { h, integrators: [forms.eulerMoreau([0], 0.5, 1)] },
  );
}

describe('the RLCD circuit', () => {
  it('swings freely while the diode blocks, and loses 14.6 % in each half period in which it conducts', () => {
    const h = 1e-8;
    const simulation = rlcd(h);
    const crossings: number[] = [];
    const peaks: number[] = [];
    let peak = 0;
    let before = simulation.state[1];
    while (crossings.length < 4) {
      simulation.advance();
      const v = simulation.state[1];
      peak = Math.max(peak, Math.abs(v));
      if (before * v < 0) {
        crossings.push(simulation.time - (h * v) / (v - before));
        peaks.push(peak);
        peak = 0;
      }
      before = v;
    }
    const halves = crossings.slice(1).map((t, k) => (t - crossings[k]) * 1e3);
    // The first whole half period is negative, where the diode conducts.
    expect(halves[0]).toBeCloseTo(0.314553, 5);
    expect(halves[1]).toBeCloseTo(0.314159, 5);
    expect(peaks[2] / peaks[0]).toBeCloseTo(0.854468, 4);
    expect(simulation.certificate.report.complementarity).toBeLessThan(1e-10);
  });
});

describe('a relay ẋ ∈ −sgn x', () => {
  const oscillator = (thetaR: number): TimeStepping =>
    forms.simulate(
      {
        systems: [forms.system('x', forms.linearFirstOrder([[0]], [1]))],
        interactions: [forms.interaction('sgn', [0], forms.linearRelation([[1]], [[1]]), forms.relay())],
      },
      { h: 0.1, integrators: [forms.eulerMoreau([0], 1, thetaR)], solver: 'Lemke' },
    );

  it('brings the implicit scheme to zero at step 10, where it stays', () => {
    const simulation = oscillator(1);
    for (let k = 0; k < 10; k++) {
      expect(simulation.state[1]).toBeGreaterThan(0.05);
      simulation.advance();
    }
    for (let k = 0; k < 50; k++) {
      expect(Math.abs(simulation.state[1])).toBeLessThan(1e-15);
      simulation.advance();
    }
    // In the discrete sliding mode the multiplier is the equivalent control.
    expect(Math.abs(simulation.state[5])).toBeLessThan(1e-12);
  });

  it('makes the explicit scheme chatter about zero with the amplitude of a step', () => {
    const simulation = oscillator(0);
    for (let k = 0; k < 30; k++) simulation.advance();
    let changes = 0;
    for (let k = 0; k < 50; k++) {
      const before = simulation.state[1];
      simulation.advance();
      if (before * simulation.state[1] < 0) changes++;
      expect(Math.abs(simulation.state[1])).toBeLessThan(0.1 + 1e-12);
    }
    expect(changes).toBeGreaterThan(40);
  });
});
