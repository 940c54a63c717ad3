/**
 * Steps with several solutions are reported: Painlevé's rod, parted from the floor by its own rotation or
 * pressed on by its friction.
 */
import { expect, it } from 'vitest';
import { solveOneContact } from '@engine/solvers/one-contact/one-contact';
import { start } from '../support/run';
import { floor, rigid, spaceModel, touch } from '../support/space';

const TILT = 0.6;

/** A slender rod whose lower end slides and rises by 1 cm/s, just overlapping the floor. */
const rod = (mu: number, speed: number): ReturnType<typeof spaceModel> =>
  spaceModel(
    [
      floor(),
      rigid('rod', [-0.5 * Math.sin(TILT), 0, 0.5 * Math.cos(TILT) + 0.01 - 1e-4], {
        mass: 1,
        inertia: [1 / 12, 1 / 12, 5e-5],
        orientation: [Math.cos(TILT / 2), 0, -Math.sin(TILT / 2), 0],
        velocity: [speed, 0, 0.02],
        shapes: [{ type: 'Capsule', radius: 0.01, length: 1 }],
      }),
    ],
    [touch('table', ['floor', 'rod'], mu)],
    { h: 1e-4, tEnd: 1e-4 },
  );

/** How many solutions the first step has, from W in closed form: the rod is in the plane of x and z. */
function expected(mu: number, speed: number): number {
  // The point that touches is the lowest of the sphere at the end, seen from the mass centre.
  const x = 0.5 * Math.sin(TILT);
  const z = -0.5 * Math.cos(TILT) - 0.01;
  const I = 1 / 12;
  // Rows of the normal and of the tangent along x in (V_x, V_z, Ω_y): U_N = V_z − x Ω_y, U_T = V_x + z Ω_y.
  const W = [
    [1 + (x * x) / I, -(x * z) / I],
    [-(x * z) / I, 1 + (z * z) / I],
  ];
  return solveOneContact({ M: W, q: [0.02 - 9.81 * 1e-4, speed], mu }).solutions.length;
}

it.each([
  [1.8, -2],
  [1.8, 2],
  [0.3, -2],
  [0.3, 2],
])('μ = %d, sliding at %d m/s', (mu, speed) => {
  const { session } = start(rod(mu, speed));
  expect(session.advance(1)).toBe('done');
  const told = session.warnings.filter((text) => text.includes('Painlevé'));
  const solutions = expected(mu, speed);
  if (solutions > 1) expect(told.join()).toMatch(new RegExp(`“table” has ${solutions} solutions`));
  else expect(told).toEqual([]);
  // One of the four is the paradox.
  expect(solutions > 1).toBe(mu === 1.8 && speed === 2);
});
