/** Boundaries of pieces of the law: where contacts of piles leave theirs, by the law beside them. */
import { describe, expect, it, vi } from 'vitest';
import { bodyPile } from '@cli/bench/body-piles';
import { rollingPile } from '@cli/bench/rolling-pile';
import {
  type ContactFactors,
  FREEDOMS,
  type FrictionContactProblem,
} from '@engine/problems/friction-contact';
import { BodyStep } from '@engine/solvers/friction/body-step';
import { Boundary } from '@engine/solvers/friction/boundary';
import { CompliancePath } from '@engine/solvers/friction/compliance-path';
import { createSolverResult } from '@engine/solvers/solver';
import { sample } from '../../../support/prove';
import { seeded } from '../../support/random';
import { allowed, violation } from './support/problems';

const TIMEOUT = 120_000;
const MOBILITY = 0.1;

function rolling(): FrictionContactProblem {
  const dynamics = rollingPile(0.1, 3, 3);
  for (let k = 0; k < 25; k++) dynamics.advance();
  return dynamics.problem;
}

const PROBLEMS = {
  'blocks at random': () => bodyPile('blocks', 60, 0.5),
  'a wall': () => bodyPile('wall', 60, 0.3),
  'balls with rolling friction': rolling,
} as const;

function formed({ factors }: FrictionContactProblem): ContactFactors {
  if (factors?.form() !== true) throw new Error('bodies are known');
  return factors;
}

/** The equations of a step from random reactions, at random freedoms. */
function begin(problem: FrictionContactProblem, seed: number) {
  const factors = formed(problem);
  const random = seeded(seed);
  const draw = (size: number, length: number): Float64Array =>
    Float64Array.from({ length }, () => size * random.uniform(-1, 1));
  const step = new BodyStep();
  step.prepare(problem, factors);
  // The origin is that of a step.
  step.advance(problem, factors, MOBILITY, 1e-3, 10);
  step.centre.set(draw(0.1, 3 * problem.count));
  const freedoms = FREEDOMS * factors.columns;
  const [z, dz] = [draw(0.05, freedoms), draw(0.02, freedoms)];
  const at = (length: number): void => {
    const there = z.map((x, i) => x + length * dz[i]);
    step.evaluate(problem, factors, there);
  };
  step.choose(problem, factors, MOBILITY);
  at(0);
  return { factors, step, z, dz, at };
}

describe.each(Object.keys(PROBLEMS) as (keyof typeof PROBLEMS)[])('of %s', (name) => {
  it('the first one ahead is where the law finds another piece for that contact only', () => {
    const problem = PROBLEMS[name]();
    let crossed = 0;
    for (let seed = 1; seed <= sample(20, 200); seed++) {
      const { factors, step, dz, at } = begin(problem, seed);
      const boundary = new Boundary(step);
      boundary.lookAhead(problem, factors, dz, 0, 0);
      const { reach } = boundary;
      if (!(reach > 1e-6 && reach < 10)) continue;
      const here = step.pieces.slice();
      boundary.cross(factors.pressedBy);
      const across = step.pieces.slice();
      at(reach * (1 - 1e-9));
      expect(step.pieces, `before the boundary of seed ${seed}`).toEqual(here);
      at(reach * (1 + 1e-9));
      expect(step.pieces, `behind the boundary of seed ${seed}`).toEqual(across);
      expect(across).not.toEqual(here);
      crossed++;
    }
    expect(crossed).toBeGreaterThan(10);
  });

  it('the first one behind is about the first one ahead, and F has no jump there', () => {
    const problem = PROBLEMS[name]();
    for (let seed = 1; seed <= sample(5, 50); seed++) {
      const { factors, step, dz, at } = begin(problem, seed);
      const boundary = new Boundary(step);
      boundary.lookAhead(problem, factors, dz, 0, 0);
      const { reach } = boundary;
      if (!(reach > 1e-6 && reach < 10)) continue;
      step.isHeld = true;
      at(reach);
      expect(boundary.lookBack(problem, factors, reach, 1e-20)).toBe(false);
      expect(Math.abs(boundary.inside(problem))).toBeLessThan(1e-12);
      const before = step.f.slice();
      boundary.cross(factors.pressedBy);
      at(reach);
      step.f.forEach((x, i) => expect(Math.abs(x - before[i])).toBeLessThan(1e-12));
      boundary.cross(factors.pressedBy);
      boundary.clear();
      at(1.01 * reach);
      expect(boundary.lookBack(problem, factors, 1.01 * reach, 1e-30)).toBe(true);
      expect(Math.abs(boundary.reach / reach - 1)).toBeLessThan(0.02);
    }
  });

  it('changes of p with z and the compliance are differences of p', () => {
    const problem = PROBLEMS[name]();
    const { factors, step, z, dz } = begin(problem, 3);
    const changes = new Float64Array(3 * problem.count);
    for (let c = 0; c < problem.count; c++) step.change(c, factors, dz, 0.7, changes, 3 * c);
    step.isHeld = true;
    const part = 1e-6;
    const [ahead, behind] = [part, -part].map((length) => {
      step.choose(problem, factors, MOBILITY * Math.exp(0.7 * length));
      step.evaluate(
        problem,
        factors,
        z.map((x, i) => x + length * dz[i]),
      );
      return step.p.slice();
    });
    changes.forEach((x, i) =>
      expect(Math.abs((ahead[i] - behind[i]) / (2 * part) - x), `component ${i}`).toBeLessThan(
        1e-6 * (1 + Math.abs(x)),
      ),
    );
  });

  it('F does not depend on what freedoms are counted from', () => {
    const problem = PROBLEMS[name]();
    const { factors, step, z } = begin(problem, 5);
    const [f, pieces] = [step.f.slice(), step.pieces.slice()];
    const rest = z.slice();
    step.recentre(problem, factors, rest);
    expect(Math.max(...rest.map(Math.abs))).toBeLessThan(1e-15);
    step.evaluate(problem, factors, rest);
    expect(step.pieces).toEqual(pieces);
    step.f.forEach((x, i) => expect(Math.abs(x - f[i])).toBeLessThan(1e-12));
  });
});

it('a pile is solved from nothing across many of them', { timeout: TIMEOUT }, () => {
  const cross = vi.spyOn(Boundary.prototype, 'cross');
  const problem = bodyPile('blocks', 300, 0.5, 3);
  const result = createSolverResult();
  new CompliancePath(3000).solve(problem, 1e-8, result);
  expect(result.status).toBe('converged');
  expect(violation(problem)).toBeLessThan(allowed(problem));
  expect(cross.mock.calls.length).toBeGreaterThan(10);
  cross.mockRestore();
});
