/** What time-stepping cannot do with friction is said before the first step. */
import { describe, expect, it } from 'vitest';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import * as forms from '../support/forms';
import { failure, schatzmanPaoli } from '../support/live';
import { brick } from '../support/planar';

const start = (model: NonSmoothDynamicalSystem, options: Partial<forms.FormsRun> = {}): unknown =>
  forms.simulate(model, { h: 1e-3, integrators: [forms.moreauJean([0])], ...options });

const formulation = (type: string): Partial<forms.FormsRun> => ({ problem: { type, choices: {} } });

describe('friction', () => {
  it('is not expressed by a quadratic programme or a relay problem', () => {
    for (const type of ['QP', 'Relay']) {
      const error = failure(() => start(brick(0.3, 0.5), formulation(type)));
      expect(error.details).toMatchObject({ code: 'problem-unsuitable', where: 'slope' });
      expect(error.details.message).toContain('slope');
    }
  });

  it.each(['auto', 'LCP', 'MLCP', 'AVI'])('is expressed by %s', (type) => {
    expect(() => start(brick(0.3, 0.5), formulation(type))).not.toThrow();
  });

  it('is refused where contacts are solved for positions', () => {
    const error = failure(() => start(brick(0.3, 0.5), { integrators: [schatzmanPaoli([0])] }));
    expect(error.details).toMatchObject({ code: 'friction-on-positions', where: 'slope' });
    expect(error.details.remedy).toContain('Moreau–Jean');
  });

  it('with Poisson’s restitution is left to the event-driven scheme', () => {
    const { systems, interactions } = brick(0.3, 0.5);
    const [interaction] = interactions;
    const poisson = { ...interaction, law: { ...interaction.law, hypothesis: 'poisson' as const } };
    const error = failure(() => start({ systems, interactions: [poisson] }));
    expect(error.details).toMatchObject({ code: 'poisson-restitution', where: 'slope' });
    expect(error.details.remedy).toContain('event-driven');
  });

  it('that no impulse can satisfy ends the step with the interactions in question', () => {
    // Pressed between plates that approach each other: whatever friction does, one of them is entered.
    const point = forms.linearLagrangian(
      [0, 0],
      [0, 0],
      [
        [1, 0],
        [0, 1],
      ],
    );
    const plate = (id: string, side: number): ReturnType<typeof forms.interaction> =>
      forms.interaction(
        id,
        [0],
        {
          ...forms.lagrangianRelation([
            [0, side],
            [1, 0],
          ]),
          isTimeDependent: true,
          output: (clock, q, _lambda, out) => {
            out[0] = side * q[1] - clock[0];
            out[1] = q[0];
          },
          timeDerivative: (_clock, _q, out) => {
            out[0] = -1;
            out[1] = 0;
          },
        },
        forms.frictionImpact(0.5),
      );
    const simulation = forms.simulate(
      { systems: [forms.system('point', point)], interactions: [plate('below', 1), plate('above', -1)] },
      { h: 1e-3, integrators: [forms.moreauJean([0])] },
    );
    const error = failure(() => {
      simulation.advance();
    });
    expect(error.details.code).toBe('solver-infeasible');
    expect(error.details.where).toBe('below, above');
  });
});
