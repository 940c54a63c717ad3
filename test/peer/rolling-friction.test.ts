/** The law of rolling friction in blocks of three against Siconos' problem of five rows a contact. */
import { describe, expect, it } from 'vitest';
import { NonsmoothGaussSeidel } from '@engine/solvers/friction/gauss-seidel/nsgs';
import { createSolverResult } from '@engine/solvers/solver';
import { fromBlocks, inBlocks, randomRolling, velocity } from '../engine/contact-dynamics/rolling-problems';
import { missingSiconos, runPeer } from './run-siconos';

interface Answer {
  status: number;
  reaction: number[];
  velocity: number[];
}

const reason = missingSiconos();
const plain = (values: Float64Array): number[] => [...values];

describe.skipIf(reason !== null)(`rolling friction (${reason ?? 'Siconos is there'})`, () => {
  it('of random contacts is the same here and there', async () => {
    const problems = Array.from({ length: 60 }, (_, k) => randomRolling(100 + k, 1 + (k % 3), 9));
    const { answers } = (await runPeer('rolling-friction.py', {
      problems: problems.map(({ W, q, mu, rolling }) => ({
        W: plain(W),
        q: plain(q),
        mu: plain(mu),
        rolling: plain(rolling),
      })),
    })) as { answers: Answer[] };
    let worst = 0;
    problems.forEach((full, k) => {
      const problem = inBlocks(full);
      const result = createSolverResult();
      new NonsmoothGaussSeidel({ maxIterations: 20_000, relaxation: 1, depth: 5 }).solve(
        problem,
        1e-12,
        result,
      );
      expect(result.status).toBe('converged');
      expect(answers[k].status).toBe(0);
      const own = fromBlocks(problem, full.count);
      const u = velocity(full, own);
      own.forEach((value, i) => {
        const ofImpulse = Math.abs(value - answers[k].reaction[i]);
        worst = Math.max(worst, ofImpulse, Math.abs(u[i] - answers[k].velocity[i]));
      });
    });
    expect(worst).toBeLessThan(1e-9);
  });
});
