/**
 * A block that rocks on a rough plane (Housner 1963): while it turns about a corner,
 *
 *     I₀ θ̈ = −m g R sin(α − θ),  I₀ = (4/3) m R²,   p² = m g R / I₀,   tan α = half width / half height,
 *
 * and where it passes θ = 0 without bouncing or slipping, the angular momentum about the other corner is
 * kept: θ̇⁺/θ̇⁻ = 1 − (3/2) sin²α.
 */
import type { EventDriven } from '@engine/event-driven/event-driven';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { describe, expect, it } from 'vitest';
import { interaction, linearLagrangian, system } from '../support/forms';
import { coulomb, curved, expectCertified } from './friction-support';
import { G, kinds, ofKind, simulateEvents } from './support';

/**
 * Block of unit mass and half diagonal R, tilted by θ₀ about its right corner, which stands at x = 0; q = (x,
 * y, θ).
 */
function rocking(alpha: number, R: number, theta0: number, mu: number): NonSmoothDynamicalSystem {
  const [b, h] = [R * Math.sin(alpha), R * Math.cos(alpha)];
  const corners = curved(
    4,
    3,
    (q, out) => {
      const [s, c] = [Math.sin(q[2]), Math.cos(q[2])];
      [-b, b].forEach((x, k) => {
        out[2 * k] = q[1] + x * s - h * c;
        out[2 * k + 1] = q[0] + x * c + h * s;
      });
    },
    (q, out) => {
      const [s, c] = [Math.sin(q[2]), Math.cos(q[2])];
      [-b, b].forEach((x, k) => {
        out.set([0, 1, x * c + h * s, 1, 0, -x * s + h * c], 6 * k);
      });
    },
  );
  // Turning about the right corner lowers the angle: θ = −θ₀.
  const [s, c] = [Math.sin(-theta0), Math.cos(-theta0)];
  const q0 = [-b * c - h * s, h * c - b * s, -theta0];
  const inertia = (R * R) / 3;
  return {
    systems: [
      system(
        'block',
        linearLagrangian(
          q0,
          [0, 0, 0],
          [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, inertia],
          ],
          { force: [0, -G, 0] },
        ),
      ),
    ],
    interactions: [interaction('corners', [0], corners, coulomb(mu))],
  };
}

/** Times and angular velocities, before and after, of the impacts. */
function impacts(simulation: EventDriven, count: number): { time: number; before: number; after: number }[] {
  const found: { time: number; before: number; after: number }[] = [];
  while (found.length < count && simulation.hasNextEvent) {
    simulation.computeOneStep();
    if (simulation.impulses.some((P) => P !== 0))
      found.push({ time: simulation.state[0], before: simulation.before[6], after: simulation.state[6] });
  }
  return found;
}

/**
 * ∫ dθ/θ̇ from rest at θ₀ to 0 with θ̇² = 2 p² (cos(α − θ₀) ... ), by the substitution θ = θ₀ (1 − u²) and
 * Simpson's rule.
 */
function quarterPeriod(alpha: number, theta0: number, p: number): number {
  const n = 20_000;
  const integrand = (u: number): number => {
    if (u === 0) return Math.sqrt((2 * theta0) / (p * p * Math.sin(alpha - theta0)));
    const theta = theta0 * (1 - u * u);
    const speed = Math.sqrt(2 * p * p * (Math.cos(alpha - theta0) - Math.cos(alpha - theta)));
    return (2 * theta0 * u) / speed;
  };
  let sum = integrand(0) + integrand(1);
  for (let k = 1; k < n; k++) sum += (k % 2 === 1 ? 4 : 2) * integrand(k / n);
  return sum / (3 * n);
}

describe.each([
  [0.25, 0.1],
  [0.4, 0.2],
])('a block with α = %f, released at %f', (alpha, theta0) => {
  const R = 1.2;
  const p = Math.sqrt((3 * G) / (4 * R));
  const ratio = 1 - 1.5 * Math.sin(alpha) ** 2;
  const run = (): EventDriven => simulateEvents(rocking(alpha, R, theta0, 0.8), { tEnd: 4, h: 0.05 });

  it('reaches the ground after a quarter of Housner’s period', () => {
    const [first] = impacts(run(), 1);
    expect(Math.abs(first.time - quarterPeriod(alpha, theta0, p))).toBeLessThan(1e-9);
    // Energy: θ̇² = 2 p² (cos(α − θ₀) − cos α)
    const speed = Math.sqrt(2 * p * p * (Math.cos(alpha - theta0) - Math.cos(alpha)));
    expect(Math.abs(first.before - speed)).toBeLessThan(1e-10);
  });

  it('keeps 1 − (3/2) sin²α of its angular velocity at each impact', () => {
    const simulation = run();
    const found = impacts(simulation, 5);
    expect(found).toHaveLength(5);
    for (const { before, after } of found) expect(Math.abs(after / before - ratio)).toBeLessThan(1e-11);
    expectCertified(simulation, 20);
    expect(ofKind(simulation, 'slip')).toEqual([]);
  });
});

describe('a slender block', () => {
  it('has the quarter period acosh(1/(1 − θ₀/α))/p of the linearised motion', () => {
    const [alpha, theta0, R] = [0.01, 0.004, 1];
    const p = Math.sqrt((3 * G) / (4 * R));
    const [first] = impacts(simulateEvents(rocking(alpha, R, theta0, 0.8), { tEnd: 1, h: 0.05 }), 1);
    // relative error of the order α²
    expect(first.time / (Math.acosh(1 / (1 - theta0 / alpha)) / p)).toBeCloseTo(1, 4);
  });
});

describe('a block that rocks on a plane that is too smooth', () => {
  it('slips', () => {
    const simulation = simulateEvents(rocking(0.6, 1, 0.3, 0.15), { tEnd: 0.5, h: 0.05 });
    simulation.run();
    expect(kinds(simulation.events).some((kind) => kind === 'slip' || kind === 'impact')).toBe(true);
    expect(Math.abs(simulation.state[1])).toBeGreaterThan(1e-3);
    const { worst } = simulation.certificate;
    expect(worst.slip).toBeLessThan(1e-6);
    expect(worst.cone).toBeLessThan(1e-6);
  });
});
