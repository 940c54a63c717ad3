/** Rows of joints at the start of the step, where it is predicted to end, and where it ends. */
import { describe, expect, it } from 'vitest';
import type { ContactDynamics, ContactDynamicsSettings } from '@engine/contact-dynamics/contact-dynamics';
import type { SpatialModel } from '@engine/spatial/compile';
import { certified, G, simulate, weight } from './worlds';

const POINTS = ['start', 'predicted', 'end'] as const;
type Point = (typeof POINTS)[number];

/** A rod on a ball joint at the origin, that whirls about two axes. */
const rod: Partial<SpatialModel> = {
  bodies: [
    {
      id: 'rod',
      mass: 1,
      inertia: [0.02, 0.08, 0.08],
      position: [0.5, 0, 0],
      velocity: [0, 2, -1],
      spin: [3, 2, 4],
    },
  ],
  joints: [
    {
      type: 'ball',
      id: 'knee',
      first: { body: 'ground', point: [0, 0, 0] },
      second: { body: 'rod', point: [-0.5, 0, 0] },
    },
  ],
  loads: [weight(0, 0, -G)],
};

const settings = (jointPoint: Point, h: number, theta = 0.5): Partial<ContactDynamicsSettings> => ({
  h,
  motion: { theta, forecast: 0.5, gyroscopic: 'implicit' },
  projects: false,
  jointPoint,
});

/** max |G(q) u| */
function defect({ system, u }: ContactDynamics, q: Float64Array): number {
  const { equations, velocities } = system;
  const jacobian = new Float64Array(equations.count * velocities);
  equations.jacobian(q, jacobian, velocities, 'velocity');
  let worst = 0;
  for (let r = 0; r < equations.count; r++) {
    const rate = u.reduce((sum, value, c) => sum + jacobian[r * velocities + c] * value, 0);
    worst = Math.max(worst, Math.abs(rate));
  }
  return worst;
}

describe('rows of joints', () => {
  it.each(POINTS)('hold where they are formed, and there only: %s', (point) => {
    const dynamics = simulate(rod, settings(point, 2e-3));
    const found = { start: 0, predicted: 0, end: 0 };
    certified(dynamics, 200, undefined, () => {
      found.start = Math.max(found.start, defect(dynamics, dynamics.start));
      found.predicted = Math.max(found.predicted, defect(dynamics, dynamics.middle));
      found.end = Math.max(found.end, defect(dynamics, dynamics.q));
    });
    for (const other of POINTS)
      if (other === point) expect(found[other]).toBeLessThan(1e-12);
      else expect(found[other]).toBeGreaterThan(1e-6);
  });

  it.each(POINTS)('are of order 1 at the %s', (point) => {
    const height = (h: number): number => {
      const dynamics = simulate(rod, { ...settings(point, h), projects: true });
      while (dynamics.time < 0.4 - h / 2) expect(dynamics.advance()).toBe('ok');
      return dynamics.q[2];
    };
    const reference = 2 * height(1.25e-4) - height(2.5e-4);
    const errors = [4e-3, 2e-3, 1e-3].map((h) => Math.abs(height(h) - reference));
    const order = Math.log2(errors[0] / errors[2]) / 2;
    expect(order).toBeGreaterThan(0.8);
    expect(order).toBeLessThan(2.2);
  });
});
