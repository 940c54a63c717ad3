import { expect, it } from 'vitest';
import * as forms from '../support/forms';

it('the certificate evaluates relations only where the motion is, at the start too', () => {
  // y = |q| − 1 has no gradient at the origin, where a script would divide by zero.
  const length = (q: Float64Array): number => {
    const r = Math.hypot(q[0], q[1]);
    if (r < 0.5) throw new Error('evaluated at the origin');
    return r;
  };
  const rod = {
    ...forms.lagrangianRelation([[0, 0]]),
    C: null,
    isAffine: false,
    output: (_clock: Float64Array, q: Float64Array, _lambda: Float64Array, out: Float64Array): void => {
      out[0] = length(q) - 1;
    },
    outputJacobians: (
      _clock: Float64Array,
      q: Float64Array,
      _lambda: Float64Array,
      outC: Float64Array,
    ): void => {
      const r = length(q);
      outC[0] = q[0] / r;
      outC[1] = q[1] / r;
    },
  };
  const bob = forms.linearLagrangian(
    [1, 0],
    [0, 0],
    [
      [1, 0],
      [0, 1],
    ],
    { force: [0, -9.81] },
  );
  const joint = { ...forms.equality(), level: 'velocity', multiplier: 'impulse' } as const;
  const simulation = forms.simulate(
    { systems: [forms.system('bob', bob)], interactions: [forms.interaction('rod', [0], rod, joint)] },
    { h: 1e-3, integrators: [forms.moreauJean([0])] },
  );
  for (let k = 0; k < 500; k++) simulation.advance();
  const { dynamics, complementarity } = simulation.certificate.report;
  expect(Math.max(dynamics, complementarity)).toBeLessThan(1e-10);
});
