/** A freewheel: it turns one way only. */
import type { MechanicalComponent } from '../component';
import { between, mechanical, MOTIONS, multiplierOf, twoFlanges } from './domains';

export const freewheel: MechanicalComponent = {
  definition: mechanical('rotational', {
    type: 'Freewheel',
    title: 'Freewheel',
    summary: 'The second flange may turn faster than the first, and is taken along where it would be slower.',
    pins: twoFlanges('rotational'),
    symbol: {
      width: 40,
      height: 18,
      lines: ['M-40 0H-18M18 0H40M-18 0a18 18 0 1 0 36 0a18 18 0 1 0 -36 0M-8 6L0 -8L8 6'],
    },
    quantities: [
      { name: 'slip', unit: 'rad/s', description: 'How much faster the second flange turns' },
      MOTIONS.rotational.force,
    ],
    words: [
      'one-way clutch',
      'overrunning',
      'ratchet',
      'sprag',
      'Freilauf',
      'Sperre',
      'Ratsche',
      'roue libre',
      'cliquet',
    ],
    equations: ['0 \\le \\omega_b - \\omega_a \\perp \\tau \\ge 0'],
    fields: [],
    source: 'Pfeiffer and Glocker 1996, §5',
  }),
  assemble(_fields, mechanism) {
    const s = between(mechanism);
    // Complementarity of a velocity and a torque, as a graph: 0 up to any torque, then free.
    const law = mechanism.law([s], {
      type: 'PiecewiseLinear',
      points: [[0, 0]],
      start: [0, -1],
      end: [1, 0],
      level: 'velocity',
    });
    mechanism.record('slip', [{ of: 'velocity', combination: s, factor: 1 }]);
    mechanism.record('tau', [multiplierOf(law)]);
  },
};
