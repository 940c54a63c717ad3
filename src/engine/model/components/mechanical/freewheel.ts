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
    equations: ['-(\\omega_b - \\omega_a) \\in N_{[0, T_{max}]}(\\tau)'],
    fields: [
      {
        key: 'limit',
        kind: 'number',
        min: 0,
        exclusiveMin: true,
        label: 'Largest torque',
        symbol: 'T_{max}',
        unit: 'N m',
        required: false,
        default: 1e6,
        help: 'That it holds; it slips beyond. A law without a bound would need impulses where a velocity jumps.',
      },
    ],
    source: 'Pfeiffer and Glocker 1996, §5',
  }),
  assemble(fields, mechanism) {
    const s = between(mechanism);
    const law = mechanism.law([s], {
      type: 'Relay',
      lower: [0],
      upper: [fields.number('limit')],
      level: 'velocity',
    });
    mechanism.record('slip', [{ of: 'velocity', combination: s, factor: 1 }]);
    mechanism.record('tau', [multiplierOf(law)]);
  },
};
