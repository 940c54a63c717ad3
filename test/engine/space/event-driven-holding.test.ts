/**
 * Whether bodies that stand on many corners hold, under random loads: the decision of the event-driven scheme
 * against another way to ask whether forces within the cones exist, cones of rays and least squares with
 * bounds.
 */
import { expect, it } from 'vitest';
import { run, type Run } from '../support/run';
import type { ModelDocument } from '@engine/document/types';
import { seeded } from '../support/random';
import { sample } from '../../support/prove';
import { floor, rigid, spaceModel, touch } from '../support/space';

const RAYS = 48;

/**
 * Distance of a right side from the cone of columns, by Lawson and Hanson’s method.
 * @param columns of six entries
 */
function distance(columns: readonly (readonly number[])[], right: readonly number[]): number {
  const size = right.length;
  const weights = columns.map(() => 0);
  const passive: number[] = [];
  const residual = (): number[] =>
    right.map((value, r) => value - columns.reduce((sum, column, k) => sum + column[r] * weights[k], 0));
  for (let round = 0; round < 300; round++) {
    const left = residual();
    let best = -1;
    let most = 1e-12;
    columns.forEach((column, k) => {
      if (passive.includes(k)) return;
      const along = column.reduce((sum, c, r) => sum + c * left[r], 0);
      if (along > most) [best, most] = [k, along];
    });
    if (best < 0) break;
    passive.push(best);
    for (;;) {
      const target = leastSquares(
        passive.map((k) => columns[k]),
        right,
        size,
      );
      const negative = target.some((value) => value <= 0);
      if (!negative) {
        passive.forEach((k, i) => (weights[k] = target[i]));
        break;
      }
      let part = 1;
      passive.forEach((k, i) => {
        if (target[i] <= 0) part = Math.min(part, weights[k] / (weights[k] - target[i]));
      });
      passive.forEach((k, i) => (weights[k] += part * (target[i] - weights[k])));
      for (let i = passive.length - 1; i >= 0; i--)
        if (weights[passive[i]] <= 1e-13) {
          weights[passive[i]] = 0;
          passive.splice(i, 1);
        }
      if (passive.length === 0) break;
    }
  }
  return Math.hypot(...residual());
}

/** By Householder’s method. */
function leastSquares(
  columns: number[][] | readonly (readonly number[])[],
  right: readonly number[],
  size: number,
): number[] {
  const Q = columns.map((column) => [...column]);
  const n = Q.length;
  const R = Q.map(() => new Array<number>(n).fill(0));
  for (let pass = 0; pass < 2; pass++)
    for (let k = 0; k < n; k++) {
      for (let j = 0; j < k; j++) {
        const along = Q[j].reduce((sum, q, r) => sum + q * Q[k][r], 0);
        if (pass === 0) R[j][k] += along;
        for (let r = 0; r < size; r++) Q[k][r] -= along * Q[j][r];
      }
      const length = Math.hypot(...Q[k]);
      if (pass === 0) R[k][k] = length;
      Q[k] = Q[k].map((q) => q / length);
    }
  const x = Q.map((q) => q.reduce((sum, value, r) => sum + value * right[r], 0));
  for (let k = n - 1; k >= 0; k--) {
    for (let j = k + 1; j < n; j++) x[k] -= R[k][j] * x[j];
    x[k] /= R[k][k];
  }
  return x;
}

/** A run, or null where forces have no solution that the scheme takes. */
function attempt(document: ModelDocument): Run | null {
  try {
    return run(document);
  } catch (error) {
    expect((error as Error).message).toMatch(/leave what Coulomb’s law admits|problem of accelerations/u);
    return null;
  }
}

it('holds exactly where forces within the cones do', () => {
  const { uniform, integer } = seeded(2027);
  const count = sample(60, 600);
  const found = { holds: 0, gives: 0, close: 0, refused: 0 };
  for (let round = 0; round < count; round++) {
    const corners = integer(3, 6);
    const depth = uniform(0.05, 0.3);
    const base = Array.from({ length: corners }, (_, k) => {
      const angle = (2 * Math.PI * (k + uniform(0, 0.6))) / corners;
      return [0.2 * Math.cos(angle), 0.2 * Math.sin(angle), -depth];
    });
    const mu = uniform(0.2, 0.9);
    const load = [uniform(-6, 6), uniform(-6, 6), -uniform(5, 20)];
    const moment = [uniform(-0.5, 0.5), uniform(-0.5, 0.5), uniform(-1, 1)];
    const turn = uniform(0, 2 * Math.PI);
    const body = rigid('body', [0, 0, depth], {
      mass: 1,
      inertia: [0.02, 0.03, 0.035],
      gravity: [0, 0, 0],
      orientation: [Math.cos(turn / 2), 0, 0, Math.sin(turn / 2)],
      force: load,
      moment,
      momentFrame: 'world',
      shapes: [{ type: 'Polyhedron', points: [...base, [0, 0, 0.1]] }],
    });
    const distanceOf = (factor: number): number => {
      const columns = base.flatMap(([p, q, z]) => {
        const [x, y] = [Math.cos(turn) * p - Math.sin(turn) * q, Math.sin(turn) * p + Math.cos(turn) * q];
        return Array.from({ length: RAYS }, (_, k) => {
          const angle = (2 * Math.PI * k) / RAYS;
          const [fx, fy] = [factor * mu * Math.cos(angle), factor * mu * Math.sin(angle)];
          return [fx, fy, 1, y - z * fy, z * fx - x, x * fy - y * fx];
        });
      });
      return distance(
        columns,
        [...load, ...moment].map((value) => -value),
      );
    };
    const document = spaceModel([body, floor()], [touch('ground', ['body', 'floor'], mu)], {
      h: 1e-2,
      tEnd: 1e-2,
    });
    document.simulation.scheme = 'event-driven';
    // Where the rule of springs and Coulomb’s law do not agree, the run says so; but never where forces hold.
    const result = attempt(document);
    if (result === null) {
      expect(distanceOf(1), `round ${round}`).toBeGreaterThan(1e-8);
      found.refused++;
      continue;
    }
    const { complementarity, coneViolation, dynamics } = result.session.certificate;
    expect(Math.max(complementarity, coneViolation)).toBeLessThan(1e-9);
    // While slips are small, friction turns them so fast that tolerances of velocities are seen in it.
    expect(dynamics).toBeLessThan(1e-8);
    const fastest = Math.max(
      ...[0, 1, 2, 3, 4, 5].map((k) => Math.abs(result.column(`body.v[${k}]`).at(-1) ?? Number.NaN)),
    );
    if (distanceOf(1) < 1e-8) {
      found.holds++;
      expect(fastest, `round ${round}`).toBeLessThan(1e-12);
    } else if (distanceOf(1 / Math.cos(Math.PI / RAYS)) > 1e-4) {
      found.gives++;
      expect(fastest, `round ${round}`).toBeGreaterThan(1e-10);
    } else found.close++;
  }
  expect(found.holds).toBeGreaterThan(count / 6);
  expect(found.gives).toBeGreaterThan(count / 6);
  expect(found.close).toBeLessThan(count / 10);
  expect(found.refused).toBeLessThan(count / 10);
});
