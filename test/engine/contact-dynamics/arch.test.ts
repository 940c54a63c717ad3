/** A semicircular arch of blocks without mortar: whether it stands is a matter of its thickness. */
import { describe, expect, it } from 'vitest';
import type { MassProperties, Shape } from '@engine/collision/shapes/shape';
import { polyhedron } from '@engine/model/shapes/polyhedron';
import type { ContactDynamics } from '@engine/contact-dynamics/contact-dynamics';
import { detected, dry, G, simulate, weight } from './worlds';

const BLOCKS = 15;
const HALF_WIDTH = 0.3;
const FACES = [
  [0, 3, 2, 1],
  [4, 5, 6, 7],
  [0, 1, 5, 4],
  [1, 2, 6, 5],
  [2, 3, 7, 6],
  [3, 0, 4, 7],
];

function massOf(shape: Shape, density: number): MassProperties {
  const properties = shape.massProperties(density);
  if (properties === null) throw new Error('a polyhedron has a mass');
  return properties;
}

/**
 * Between the planes through the axis at k and k + 1 parts of 180°, of mean radius 1 m, with its mass centre.
 */
function block(k: number, thickness: number): { vertices: number[]; centre: readonly number[] } {
  const angles = [k, k + 1].map((j) => (Math.PI * j) / BLOCKS);
  const [inner, outer] = [1 - thickness / 2, 1 + thickness / 2];
  const corners = [
    [inner, angles[0]],
    [outer, angles[0]],
    [outer, angles[1]],
    [inner, angles[1]],
  ];
  const vertices = [HALF_WIDTH, -HALF_WIDTH].flatMap((y) =>
    corners.flatMap(([r, t]) => [r * Math.cos(t), y, r * Math.sin(t)]),
  );
  const { centre } = massOf(polyhedron(vertices, FACES), 1);
  return { vertices: vertices.map((x, i) => x - centre[i % 3]), centre: [...centre] };
}

function arch(thickness: number): ContactDynamics {
  const blocks = Array.from({ length: BLOCKS }, (_, k) => block(k, thickness));
  const shapes = blocks.map(({ vertices }) => polyhedron(vertices, FACES));
  return simulate(
    {
      bodies: blocks.map(({ centre }, k) => {
        const { mass, inertia } = massOf(shapes[k], 2000);
        return { id: `block${k}`, mass, inertia: [...inertia], position: centre };
      }),
      loads: [weight(0, 0, -G)],
    },
    { h: 2e-3, tolerance: 1e-7, projects: false },
    detected(shapes),
    dry(0.8),
  );
}

describe('a semicircular arch', () => {
  it('of 0.15 radii thickness stands, to the last bit', () => {
    const dynamics = arch(0.15);
    const place = dynamics.q.slice();
    for (let k = 0; k < 50; k++) expect(dynamics.advance()).toBe('ok');
    expect(dynamics.q).toEqual(place);
    expect(dynamics.resting.isAtRest.every((flag) => flag === 1)).toBe(true);
  });

  it('of 0.09, below Milankovitch’s 0.1075, falls', () => {
    const dynamics = arch(0.09);
    const crown = 7 * 7 + 2;
    const height = dynamics.q[crown];
    for (let k = 0; k < 100; k++) expect(dynamics.advance()).toBe('ok');
    expect(dynamics.q[crown]).toBeLessThan(height - 5e-3);
  });
});
