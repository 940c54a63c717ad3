/** Forces within cones: the largest reserve against closed forms and bounds of its dual, least norms. */
import { describe, expect, it } from 'vitest';
import { ConeForces } from '@engine/event-driven/decision/cone-forces';
import { NullVectors } from '@engine/event-driven/decision/friction-sharing';
import { seeded, type Random } from '../support/random';

/** Contacts at points (x, y) of a plane, n, t₁, t₂ of each; C has the six rows of a rigid body's forces. */
function wrenches(points: readonly (readonly number[])[], height: number): number[][] {
  const rows = Array.from({ length: 6 }, (): number[] => []);
  for (const [x, y] of points)
    for (const [fx, fy, fz] of [
      [0, 0, 1],
      [1, 0, 0],
      [0, 1, 0],
    ]) {
      const moment = [y * fz + height * fy, -height * fx - x * fz, x * fy - y * fx];
      [fx, fy, fz, ...moment].forEach((value, r) => rows[r].push(value));
    }
  return rows;
}

function coneForces(points: readonly (readonly number[])[], height: number, mu: number, forces: number[]) {
  const C = wrenches(points, height);
  const n = forces.length;
  const gram = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) gram[i * n + j] = C.reduce((sum, row) => sum + row[i] * row[j], 0);
  const nulls = new NullVectors(n);
  nulls.find(gram, n);
  const cones = new ConeForces(n);
  const begin = (): void => {
    cones.begin(n, nulls.dimension);
    cones.directions.set(nulls.vectors);
    cones.forces.set(forces);
    cones.weights.fill(1);
    points.forEach((_, k) => {
      cones.addDisc(3 * k, mu);
    });
  };
  begin();
  return { cones, C, begin };
}

const SQUARE = [
  [1, 1],
  [-1, 1],
  [-1, -1],
  [1, -1],
];

describe('forces of four corners within their cones', () => {
  it('have a reserve of a quarter of what is left, however tangential forces are given', () => {
    const mu = 0.5;
    // 10 N of load, and 3 N along x at two corners whose moments about the vertical cancel.
    const { cones } = coneForces(SQUARE, 0, mu, [2.5, 1.5, 0, 2.5, 0, 0, 2.5, 0, 0, 2.5, 1.5, 0]);
    cones.solve(true);
    expect(cones.reserve).toBeCloseTo((mu * 10 - 3) / 4, 10);
  });

  it('have one of minus what is missing, over four, where they cannot hold', () => {
    const { cones } = coneForces(SQUARE, 0, 0.2, [2.5, 1.5, 0, 2.5, 0, 0, 2.5, 0, 0, 2.5, 1.5, 0]);
    cones.solve(true);
    expect(cones.reserve).toBeCloseTo((0.2 * 10 - 3) / 4, 10);
  });

  it('against a turn about the vertical have μ N/4 less the moment over the diagonals', () => {
    const spin = 0.6;
    const forces = SQUARE.flatMap(([x, y]) => [2.5, -spin * y, spin * x]);
    const { cones } = coneForces(SQUARE, 1, 0.5, forces);
    cones.solve(false);
    expect(cones.reserve).toBeCloseTo(0.5 * 2.5 - spin * Math.SQRT2, 10);
  });

  it('of rows with bounds have the distance to the nearer one', () => {
    const cones = new ConeForces(2);
    cones.begin(2, 1);
    cones.directions.set([1, -1]);
    cones.forces.set([3, 0]);
    cones.addBounds(0, 0, Infinity);
    cones.addBounds(1, -1, 1);
    cones.solve(false);
    expect(cones.reserve).toBeCloseTo(1, 10);
    cones.begin(2, 1);
    cones.directions.set([1, -1]);
    cones.forces.set([3, 0]);
    cones.weights.fill(1);
    cones.addBounds(0, 0, Infinity);
    cones.addBounds(1, -1, 1);
    cones.solve(true);
    // ½ (a² + b²) with a + b = 3 and b ≤ 1
    expect(cones.forces[0]).toBeCloseTo(2, 8);
    expect(cones.forces[1]).toBeCloseTo(1, 8);
  });
});

/** The smallest reserve of all contacts. */
function worst(cones: ConeForces, mu: number): number {
  let least = Infinity;
  for (let i = 0; i < cones.rows; i += 3)
    least = Math.min(least, mu * cones.forces[i] - Math.hypot(cones.forces[i + 1], cones.forces[i + 2]));
  return least;
}

describe('of random contacts', () => {
  const draw = ({ uniform }: Random, count: number): number[][] =>
    Array.from({ length: count }, () => [uniform(-1, 1), uniform(-1, 1)]);

  it('the forces found have the effect, the reserve, and no neighbour has a larger one', () => {
    const random = seeded(7);
    const next = random.uniform;
    for (let round = 0; round < 60; round++) {
      const points = draw(random, 3 + (round % 4));
      const [height, mu] = [next(0, 1), next(0.2, 1)];
      const forces = points.flatMap(() => [next(0.5, 2), next(-0.4, 0.4), next(-0.4, 0.4)]);
      const { cones, C, begin } = coneForces(points, height, mu, forces);
      cones.solve(true);
      const { reserve } = cones;
      for (const row of C) {
        const effect = row.reduce((sum, c, k) => sum + c * cones.forces[k], 0);
        expect(effect).toBeCloseTo(
          row.reduce((sum, c, k) => sum + c * forces[k], 0),
          9,
        );
      }
      const held = worst(cones, mu);
      expect(held).toBeGreaterThan(Math.min(0, reserve) - 1e-9);
      // Steps along N from the best forces of a search never come above the reserve.
      begin();
      let best = worst(cones, mu);
      const N = cones.directions.slice();
      for (let k = 0, size = 1; k < 3000; k++) {
        const a = Math.floor(next(0, cones.dimension));
        const step = size * next(-1, 1);
        const before = cones.forces.slice();
        for (let i = 0; i < cones.rows; i++) cones.forces[i] += step * N[a * cones.rows + i];
        const value = worst(cones, mu);
        if (value > best) best = value;
        else {
          cones.forces.set(before);
          if (k % 30 === 29) size = Math.max(0.7 * size, 1e-6);
        }
      }
      expect(best).toBeLessThan(reserve + 1e-9);
    }
  });

  it('those of least norm are at right angles to all that leaves the motion, but for cones at their bound', () => {
    const random = seeded(8);
    const next = random.uniform;
    let inside = 0;
    for (let round = 0; round < 40; round++) {
      const points = draw(random, 4);
      const forces = points.flatMap(() => [next(1, 2), next(-0.3, 0.3), next(-0.3, 0.3)]);
      const { cones } = coneForces(points, 0.3, 0.8, forces);
      cones.solve(true);
      if (!(cones.reserve > 0.01)) continue;
      const norm = cones.forces.reduce((sum, x) => sum + x * x, 0);
      const N = cones.directions;
      // Of a convex problem a local minimum is the least: no small step within the cones has less.
      for (let k = 0; k < 200; k++) {
        const trial = cones.forces.slice();
        for (let a = 0; a < cones.dimension; a++) {
          const step = next(-1e-3, 1e-3);
          for (let i = 0; i < cones.rows; i++) trial[i] += step * N[a * cones.rows + i];
        }
        const other = trial.reduce((sum, x) => sum + x * x, 0);
        const found = cones.forces.slice();
        cones.forces.set(trial);
        const isAllowed = worst(cones, 0.8) >= 0;
        cones.forces.set(found);
        if (isAllowed) expect(other).toBeGreaterThan(norm - 1e-7);
      }
      inside++;
    }
    expect(inside).toBeGreaterThan(10);
  });
});
