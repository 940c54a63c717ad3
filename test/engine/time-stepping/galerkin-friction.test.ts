/** Random linear models with friction by Galerkin steps: their certificate has nothing to say. */
import { expect, it } from 'vitest';
import { sample } from '../../support/prove';
import * as forms from '../support/forms';
import { BESIDE_IMPACTS, LEVELS, galerkin, randomModel, worstOf } from '../support/galerkin-steps';
import { settingsFor, start } from '../support/live';
import { seeded } from '../support/random';

/** Of the first that has an impact, so that a few have some. */
const FIRST = 7;

it.each(LEVELS)('strike, slide and stick without an alarm (%s)', (level) => {
  let impacts = 0;
  const count = sample(6, 300);
  for (let seed = FIRST; seed < FIRST + count; seed++) {
    const { linear, q, v } = randomModel(seed);
    const { M, K, C, force, H, b, e } = linear;
    const random = seeded(5000 + seed);
    const simulation = start(
      {
        systems: [forms.system('body', forms.linearLagrangian(q, v, M, { stiffness: K, damping: C, force }))],
        interactions: H.map((row, i) => {
          const across = row.map(() => random.uniform(-1, 1));
          const law = forms.frictionImpact(random.uniform(0.05, 0.8), e[i]);
          return forms.interaction(`c${i}`, [0], forms.lagrangianRelation([row, across], [b[i], 0]), law);
        }),
      },
      settingsFor([galerkin([0], level, { besideImpacts: BESIDE_IMPACTS[seed % 2] })], 2e-3),
    );
    for (let k = 0; k < 300; k++) simulation.advance();
    expect(worstOf(simulation), `seed ${seed}`).toBeLessThan(1e-7);
    impacts += simulation.events;
  }
  expect(impacts).toBeGreaterThan(count / 2);
});
