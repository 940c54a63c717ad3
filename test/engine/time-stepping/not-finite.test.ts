/**
 * What is no longer finite after a step is named: state, multiplier, energy or residual, with element and
 * time.
 */
import { describe, expect, it } from 'vitest';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import type { AssignedIntegrator } from '@engine/integrators/registry';
import type { TimeStepping } from '@engine/time-stepping/time-stepping';
import * as forms from '../support/forms';
import { failure, settingsFor, start } from '../support/live';

const simulate = (
  systems: NonSmoothDynamicalSystem['systems'],
  interactions: NonSmoothDynamicalSystem['interactions'],
  integrator: AssignedIntegrator,
  loop: 'general' | undefined = 'general',
): TimeStepping => start({ systems, interactions }, settingsFor([integrator], 0.25, { loop }));

const still = forms.system('still', forms.linearFirstOrder([[-1]], [1]));

describe('a step that leaves something that is not finite', () => {
  it('names the state', () => {
    const source = (t: number): number[] => [t > 0.6 ? Number.POSITIVE_INFINITY : 0];
    const broken = forms.system('broken', forms.linearFirstOrder([[-1]], [1], { source }));
    const simulation = simulate([still, broken], [], forms.eulerMoreau([0, 1]));
    simulation.advance();
    simulation.advance();
    const { details } = failure(() => {
      simulation.advance();
    });
    expect(details).toMatchObject({
      code: 'not-finite',
      message: 'The state of “broken” is no longer finite at t = 0.75 s.',
      where: 'broken',
      time: 0.75,
    });
  });

  it('names the multiplier', () => {
    // λ enters no equation, so that nothing else shows it.
    const idle = forms.linearRelation([[1]], [[0]]);
    const simulation = simulate(
      [still],
      [
        forms.interaction('quiet', [0], idle, forms.complementarity()),
        forms.interaction('loud', [0], idle, forms.complementarity()),
      ],
      forms.eulerMoreau([0]),
    );
    const [integrator] = simulation.integrators;
    const complete = integrator.complete.bind(integrator);
    integrator.complete = () => {
      complete();
      // t, x, v, y (2), ẏ (2), λ (2)
      simulation.state[8] = Number.POSITIVE_INFINITY;
    };
    const { details } = failure(() => {
      simulation.advance();
    });
    expect(details).toMatchObject({
      message: 'The multiplier of “loud” is no longer finite at t = 0.25 s.',
      where: 'loud',
      time: 0.25,
    });
  });

  it('names the energy, and the system that has grown most', () => {
    const calm = forms.system('calm', forms.linearLagrangian([1], [0], [[1]]));
    const fast = forms.system('fast', forms.linearLagrangian([0], [0], [[1]], { force: [1e160] }));
    const simulation = simulate([calm, fast], [], forms.moreauJean([0, 1]));
    const { details } = failure(() => {
      simulation.advance();
    });
    expect(details).toMatchObject({
      message: 'The energy of “fast” is no longer finite at t = 0.25 s.',
      where: 'fast',
      time: 0.25,
    });
  });

  it('names the residual of an equation of motion', () => {
    // h A x overflows at the end of a step whose x has not.
    const growing = forms.system('growing', forms.linearFirstOrder([[4e10]], [1e295]));
    const simulation = simulate([still, growing], [], forms.eulerMoreau([0, 1], 0));
    const { details } = failure(() => {
      simulation.advance();
    });
    expect(Number.isFinite(simulation.state[2])).toBe(true);
    expect(details).toMatchObject({
      message:
        'The residual of the equation of motion that the certificate computes of “growing” is no longer finite at t = 0.25 s.',
      where: 'growing',
      time: 0.25,
    });
  });

  it.each(['general', undefined] as const)('names the residual of a law, loop %s', (loop) => {
    // y = 10 x overflows where x has not; the law is that of a relay that is never in doubt.
    const huge = forms.system('huge', forms.linearFirstOrder([[0]], [1e308]));
    const simulation = simulate(
      [still, huge],
      [forms.interaction('meter', [1], forms.linearRelation([[10]], [[0]]), forms.relay())],
      forms.eulerMoreau([0, 1]),
      loop,
    );
    const { details } = failure(() => {
      simulation.advance();
    });
    expect(details).toMatchObject({
      message:
        'The residual of the law that the certificate computes of “meter” is no longer finite at t = 0.25 s.',
      where: 'meter',
      time: 0.25,
    });
  });
});

describe('states so large that their sum is not finite', () => {
  it.each(['general', undefined] as const)('are finite themselves, loop %s', (loop) => {
    const large = (id: string): ReturnType<typeof forms.system> =>
      forms.system(id, forms.linearFirstOrder([[-1e-3]], [1e308]));
    const simulation = simulate([large('a'), large('b'), large('c')], [], forms.eulerMoreau([0, 1, 2]), loop);
    for (let k = 0; k < 3; k++) simulation.advance();
    expect(simulation.time).toBe(0.75);
    expect(simulation.certificate.report.dynamics).toBeLessThan(1e-12);
  });
});
