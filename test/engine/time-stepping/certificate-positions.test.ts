/** Schatzman–Paoli under the certificate: what it records as velocity, and how it starts. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TimeSteppingSettings } from '@engine/time-stepping/setup';
import type { TimeStepping } from '@engine/time-stepping/time-stepping';
import * as forms from '../support/forms';
import { schatzmanPaoli, settingsFor, start } from '../support/live';
import { velocityMutations } from '../mutants/time-loop-mutations';

const oscillator = {
  systems: [
    forms.system(
      'oscillator',
      forms.linearLagrangian(
        [0.2, -0.1],
        [1, 0.5],
        [
          [2, 0.3],
          [0.3, 1],
        ],
        {
          damping: [
            [0.4, -0.1],
            [-0.1, 0.3],
          ],
          stiffness: [
            [50, -20],
            [-20, 40],
          ],
          force: [-3, 1],
        },
      ),
    ),
  ],
  interactions: [
    forms.interaction('stop', [0], forms.lagrangianRelation([[1, 0]], [0.1]), forms.impact(0.5)),
  ],
};
const settings: TimeSteppingSettings = settingsFor([schatzmanPaoli([0])], 1e-3, { loop: 'general' });

const dynamics = (simulation: TimeStepping, steps: number): number => {
  for (let k = 0; k < steps; k++) simulation.advance();
  return simulation.certificate.report.dynamics;
};

afterEach(() => {
  for (const { module } of velocityMutations) vi.doUnmock(module);
  vi.resetModules();
});

describe('Schatzman–Paoli', () => {
  it('satisfies its equations to rounding, from the first step on', () => {
    const simulation = start(oscillator, settings);
    expect(dynamics(simulation, 1)).toBeLessThan(1e-11);
    expect(dynamics(simulation, 2000)).toBeLessThan(1e-11);
    expect(simulation.state.at(-2)).toBeDefined();
  });

  it('is found out when it records a velocity that is wrong by 10⁻⁸', () => {
    const simulation = start(oscillator, settings);
    for (let k = 0; k < 100; k++) simulation.advance();
    expect(simulation.certificate.report.dynamics).toBeLessThan(1e-11);
    const [integrator] = simulation.integrators;
    const complete = integrator.complete.bind(integrator);
    integrator.complete = () => {
      complete();
      simulation.state[simulation.context.v] *= 1 + 1e-8;
    };
    expect(dynamics(simulation, 100)).toBeGreaterThan(1e-11);
    expect(simulation.certificate.report.worstElement).toBe('oscillator');
  });

  it.each(velocityMutations)('is found out when it $error', async ({ module, name }) => {
    vi.resetModules();
    vi.doMock(module, () => import(/* @vite-ignore */ `${module}?mutant=${name}`));
    const live = await import('../support/live');
    expect(dynamics(live.start(oscillator, settings), 3)).toBeGreaterThan(1e-5);
  });
});
