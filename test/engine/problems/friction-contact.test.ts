/**
 * The residual of friction-contact problems, against the projection onto cones and a product by definition.
 */
import { expect, it } from 'vitest';
import { projectOntoCone } from '@engine/linalg/friction-cone';
import { FrictionContactProblem } from '@engine/problems/friction-contact';
import { type Random, seeded } from '../support/random';

const CONTACTS = 4;

/** All blocks of W are there, and neither symmetric nor definite: the residual has no need of that. */
function randomProblem(random: Random, dimension: 2 | 3): FrictionContactProblem {
  const problem = new FrictionContactProblem(dimension, CONTACTS, CONTACTS * CONTACTS);
  const { W } = problem;
  problem.count = CONTACTS;
  W.rows = CONTACTS;
  for (let i = 0; i < CONTACTS; i++) {
    W.rowStart[i + 1] = (i + 1) * CONTACTS;
    W.diagonal[i] = i * CONTACTS + i;
    for (let j = 0; j < CONTACTS; j++) W.columns[i * CONTACTS + j] = j;
    // Without friction now and then.
    problem.mu[i] = Math.max(0, random.uniform(-0.3, 1.5));
  }
  for (const values of [W.values, problem.q, problem.r])
    for (let k = 0; k < values.length; k++) values[k] = random.uniform(-1, 1);
  if (random.uniform(0, 1) < 0.2) problem.r.fill(0);
  return problem;
}

it.each([2, 3] as const)('is the natural map over the largest of |q|, |r| and |u| in %i dimensions', (d) => {
  const random = seeded(d);
  const [inside, polar, beside] = [0, 1, 2];
  const met = [0, 0, 0];
  for (let k = 0; k < 500; k++) {
    const problem = randomProblem(random, d);
    const { W, q, r, mu } = problem;
    const u = q.map((value, i) => {
      let sum = value;
      for (let j = 0; j < d * CONTACTS; j++) {
        const block = Math.floor(i / d) * CONTACTS + Math.floor(j / d);
        sum += W.values[d * d * block + d * (i % d) + (j % d)] * r[j];
      }
      return sum;
    });
    let defect = 0;
    for (let c = 0; c < CONTACTS; c++) {
      const at = d * c;
      const point = new Float64Array(3);
      for (let i = 0; i < d; i++) point[i] = r[at + i] - u[at + i];
      point[0] -= mu[c] * Math.hypot(...u.subarray(at + 1, at + d));
      const projected = point.slice();
      projectOntoCone(projected, 0, mu[c]);
      met[
        projected.every((x, i) => x === point[i]) ? inside : projected.every((x) => x === 0) ? polar : beside
      ]++;
      for (let i = 0; i < d; i++) defect += (r[at + i] - projected[i]) ** 2;
    }
    const norm = (x: Float64Array): number => Math.hypot(...x);
    const scale = Math.max(norm(q), norm(r), norm(u));
    expect(problem.certify()).toBeCloseTo(Math.sqrt(defect) / scale, 13);
    expect(problem.measure[1]).toBeCloseTo(scale, 12);
    expect(problem.measure[2]).toBeCloseTo(norm(q), 12);
    problem.u.forEach((value, i) => expect(value).toBeCloseTo(u[i], 13));
  }
  expect(Math.min(...met)).toBeGreaterThan(40);
});

it('is not a number where the problem is none', () => {
  const problem = randomProblem(seeded(1), 3);
  problem.q[4] = Number.NaN;
  expect(problem.certify()).toBeNaN();
});
