import { describe, expect, it } from 'vitest';
import { compare, relativeDifference } from './compare';
import { toolchain } from './run-program';
import { type PositionModel, runPositionHere, runPositionInSiconos } from './schatzman-paoli';

/** Two masses on springs above stops, the lighter one close to its stop. */
function twoMasses(theta: number, e: number, damping: number): PositionModel {
  return {
    name: `Schatzman–Paoli, θ = ${theta}, e = ${e}${damping > 0 ? ', damped' : ''}`,
    mass: [
      [1, 0],
      [0, 2],
    ],
    stiffness: [
      [300, 0],
      [0, 100],
    ],
    damping: [
      [damping, 0],
      [0, 2 * damping],
    ],
    force: [1, -30],
    q0: [0.1, 0.2],
    v0: [1, 0],
    H: [
      [1, 0],
      [-0.5, 1],
    ],
    b: [0.05, 0.1],
    e,
    h: 1e-3,
    // Bounces on two stops that act on each other amplify rounding errors; later rows would compare those.
    steps: 400,
    theta,
  };
}

/**
 * The velocity is a difference of positions divided by 2h, so it carries 1/2h = 500 times their rounding
 * errors.
 */
const TOLERANCE = 1e-10;

const models = [0.5, 1].flatMap((theta) =>
  // With θ < 1 the damping force needs a velocity before the start, which the two programs choose
  // differently.
  [0, 0.7].flatMap((e) => (theta === 1 ? [0, 2] : [0]).map((damping) => twoMasses(theta, e, damping))),
);

describe('positions equal those of Siconos', () => {
  for (const model of models) {
    it(model.name, (context) => {
      if (!toolchain.ok) return context.skip(toolchain.reason);
      const comparison = compare(model.name, runPositionHere(model), runPositionInSiconos(model, toolchain));
      context.task.meta.comparison = comparison;
      expect(comparison.contacts).toBeGreaterThan(0);
      expect(relativeDifference(comparison)).toBeLessThan(TOLERANCE);
    });
  }
});
