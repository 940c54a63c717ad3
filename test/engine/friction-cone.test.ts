/** Projection onto the cones of friction. */
import { describe, expect, it } from 'vitest';
import { projectOntoCone } from '@engine/linalg/friction-cone';
import { seeded } from './support/random';

const project = (x: readonly number[], mu: number): number[] => {
  const point = Float64Array.from(x);
  projectOntoCone(point, 0, mu);
  return [...point];
};

it('is the nearest point of the cone: the rest is in the polar cone and normal to it', () => {
  const random = seeded(7);
  for (let k = 0; k < 2000; k++) {
    const mu = random.chance(0.2) ? 0 : random.uniform(0, 2);
    const x = [0, 1, 2].map(() => random.uniform(-1, 1));
    const p = project(x, mu);
    const rest = x.map((entry, i) => entry - p[i]);
    expect(Math.hypot(p[1], p[2])).toBeLessThanOrEqual(mu * p[0] + 1e-15);
    expect(mu * Math.hypot(rest[1], rest[2])).toBeLessThanOrEqual(-rest[0] + 1e-15);
    expect(Math.abs(p.reduce((sum, entry, i) => sum + entry * rest[i], 0))).toBeLessThan(1e-15);
  }
});

describe('without friction the cone is a ray', () => {
  it('a pull straight along the normal is projected to zero', () =>
    expect(project([-0.4, 0, 0], 0)).toEqual([0, 0, 0]));
  it('a push is kept', () => expect(project([0.4, 0, 0], 0)).toEqual([0.4, 0, 0]));
});
