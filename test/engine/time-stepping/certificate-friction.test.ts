/** The certificate sees errors in friction that the time loop believes. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Certificate } from '@engine/certificate/residual-maxima';
import type { TimeStepping } from '@engine/time-stepping/time-stepping';
import * as forms from '../support/forms';
import { settingsFor, start } from '../support/live';
import { brick, dragSled } from '../support/planar';
import { frictionMutations } from '../mutants/time-loop-mutations';

afterEach(() => {
  for (const { module } of frictionMutations) vi.doUnmock(module);
  vi.resetModules();
});

/**
 * A brick that is thrown on a table, a sled that slips both ways, and boxes that fall on their feet to the
 * left and to the right, which normal and tangential impulses turn: impacts, slides and sticks.
 */
const thrown = brick(0, 0.4, { e: 0.6, et: 0.3, q0: [0, 0.2], v0: [-1, 0] });
const sled = dragSled(0.8, (t) => 12 * Math.cos(8 * t));
const box = (id: string, speed: number): ReturnType<typeof forms.system> =>
  forms.system(
    id,
    forms.linearLagrangian(
      [0, 0.3, 0],
      [speed, 0, 0.2],
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 0.1],
      ],
      { force: [0, -9.81, 0] },
    ),
  );
const feet = forms.lagrangianRelation(
  [
    [0, 1, -0.5],
    [1, 0, 0.25],
    [0, 1, 0.5],
    [1, 0, 0.25],
  ],
  [-0.25, 0, -0.25, 0],
);
const model = {
  systems: [...thrown.systems, ...sled.systems, box('right', 1), box('left', -1)],
  interactions: [
    thrown.interactions[0],
    { ...sled.interactions[0], systems: [1] },
    forms.interaction('feet of right', [2], feet, forms.frictionImpact(0.3, 0.2)),
    forms.interaction('feet of left', [3], feet, forms.frictionImpact(0.3, 0.2)),
  ],
};
const settings = settingsFor([forms.moreauJean([0, 1, 2, 3])], 1e-3);
const STEPS = 2000;

/** What a run is certified with; an error of the solver or the state ends it as well. */
function certified(simulation: TimeStepping): Certificate {
  for (let k = 0; k < STEPS; k++) simulation.advance();
  return simulation.certificate.report;
}

describe('a time loop without error', () => {
  it('satisfies the law of friction to rounding', () => {
    const simulation = start(model, settings);
    const { complementarity, coneViolation } = certified(simulation);
    expect(complementarity).toBeLessThan(1e-13);
    expect(coneViolation).toBeLessThan(1e-13);
    expect(simulation.certificate.energyDrift).toBeLessThan(1e-12);
    expect(simulation.events).toBeGreaterThan(10);
    // All feet stand in the end.
    expect(simulation.oneStep.activeCount).toBe(12);
  });
});

describe('a time loop that', () => {
  it.each(frictionMutations)('$error is found out', async ({ module, name }) => {
    vi.resetModules();
    vi.doMock(module, () => import(/* @vite-ignore */ `${module}?mutant=${name}`));
    const live = await import('../support/live');
    const simulation = live.start(model, settings);
    let found = 0;
    try {
      const { complementarity, coneViolation } = certified(simulation);
      found = Math.max(complementarity, coneViolation);
    } catch (error) {
      // Another law may have no solution.
      expect(String(error)).toContain('one-step problem');
      found = 1;
    }
    expect(found).toBeGreaterThan(1e-2);
  });
});
