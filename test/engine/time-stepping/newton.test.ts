/** Newton's linearisation of the fully non-linear step. Items 10 and 11. */
import { describe, expect, it } from 'vitest';
import { advanceAndMeasure, randomProblem } from '../support/newton-problem';
import { seeded } from '../support/random';

describe.each([
  [1, 1],
  [0.5, 1],
  [0.5, 0.5],
])('the non-linear step at θ = %f, θ_r = %f', (theta, thetaR) => {
  it('is solved to 1e-14 in at most seven iterations', () => {
    const random = seeded(11);
    for (let k = 0; k < 40; k++) {
      const problem = randomProblem(random, theta, thetaR);
      for (let step = 0; step < 3; step++) expect(advanceAndMeasure(problem)).toBeLessThan(1e-14);
    }
  });

  it('is reached quadratically', () => {
    const random = seeded(12);
    for (let k = 0; k < 20; k++) {
      const { simulation } = randomProblem(random, theta, thetaR);
      const residuals: number[] = [];
      const { residual } = simulation.context;
      // Every write of the residual is an iteration's: it starts from zero and only grows within one.
      const probe = simulation.integrators[0];
      const original = probe.residual.bind(probe);
      probe.residual = () => {
        original();
        residuals.push(residual[0]);
      };
      simulation.advance();
      for (let i = 1; i < residuals.length && residuals[i] > 1e-13; i++)
        expect(residuals[i]).toBeLessThan(50 * residuals[i - 1] ** 2);
    }
  });
});
