import { describe, expect, it, type TestContext } from 'vitest';
import { part } from '../support/prove';
import { compare, type Comparison, relativeDifference } from './compare';
import {
  bouncingBall,
  column,
  cradle,
  forcedOscillator,
  impactOscillator,
  type LinearModel,
  movingSurface,
  type MovingSurfaceModel,
} from './models';
import { runLinearHere, runMovingSurfaceHere } from './run-engine';
import { missingSiconos, runLinearInSiconos, runMovingSurfaceInSiconos } from './run-siconos';
import type { Trajectory } from './trajectory';

const missing = missingSiconos();

/** What sums and solutions in another order leave, relative to the largest value of the run. */
const TOLERANCE = 1e-12;

/**
 * Siconos multiplies forces by t_{k+1} − t_k of rounded times (README.md); at the end of the run that differs
 * from h by up to one unit in the last place of steps · h.
 */
function tolerance(steps: number): number {
  return TOLERANCE + Number.EPSILON * steps;
}

async function check(
  context: TestContext,
  name: string,
  here: () => Trajectory,
  there: () => Promise<Trajectory>,
): Promise<Comparison> {
  context.skip(missing !== null, missing ?? '');
  const comparison = compare(name, here(), await there());
  context.task.meta.comparison = comparison;
  expect(comparison.contacts).toBeGreaterThan(0);
  return comparison;
}

const linear: LinearModel[] = [
  ...[1e-3, 5e-3].flatMap((h) =>
    [0.5, 0.75, 1].flatMap((theta) => [0, 0.5, 0.9].map((e) => bouncingBall(h, theta, e))),
  ),
  column(10, 0, 2 ** -7, 10_000),
  column(10, 0.5, 2 ** -7, 10_000),
  column(10, 0, -(2 ** -20), 10_000),
  column(10, 0.5, -(2 ** -20), 10_000),
  cradle(5, 1),
  cradle(5, 0.5),
  ...[0.5, 0.75, 1].map((theta) => impactOscillator(theta, 0.7)),
  impactOscillator(0.5, 0),
  ...[0.5, 0.75, 1].map(forcedOscillator),
  column(100, 0.5, 2 ** -10, 1500),
  column(100, 0, -(2 ** -20), 1500),
];

const rheonomous: MovingSurfaceModel[] = [0, 3].flatMap((wavenumber) =>
  [0.5, 1].map((theta) => movingSurface(wavenumber, theta)),
);

describe('every state equals that of Siconos', () => {
  // Of each kind some; all of them in proofs.
  for (const model of part(linear, 12)) {
    it(model.name, async (context) => {
      const comparison = await check(
        context,
        model.name,
        () => runLinearHere(model),
        () => runLinearInSiconos(model),
      );
      expect(relativeDifference(comparison)).toBeLessThan(tolerance(comparison.steps));
    });
  }

  for (const model of rheonomous) {
    it(model.name, async (context) => {
      const comparison = await check(
        context,
        model.name,
        () => runMovingSurfaceHere(model),
        () => runMovingSurfaceInSiconos(model),
      );
      expect(relativeDifference(comparison)).toBeLessThan(tolerance(comparison.steps));
    });
  }
});

describe('the forecast weight', () => {
  const model = bouncingBall(1e-3, 0.5, 0.9, 3000);

  for (const gamma of [1, 1.5, 2])
    it(`of ${gamma} equals that gamma of Siconos`, async (context) => {
      const forecast = { ...model, name: `${model.name}, γ = ${gamma}`, gamma };
      const comparison = await check(
        context,
        forecast.name,
        () => runLinearHere(forecast),
        () => runLinearInSiconos(forecast),
      );
      expect(relativeDifference(comparison)).toBeLessThan(tolerance(comparison.steps));
    });

  it('of 1 is distinguished from that of 1/2', async (context) => {
    context.skip(missing !== null, missing ?? '');
    const comparison = compare('', runLinearHere({ ...model, gamma: 1 }), await runLinearInSiconos(model));
    expect(relativeDifference(comparison)).toBeGreaterThan(1e-3);
  });
});
