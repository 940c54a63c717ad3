/** A motor whose torque falls linearly with its speed. */
import type { MechanicalComponent } from '../component';
import { between, mechanical, MOTIONS, twoFlanges } from './domains';

export const motor: MechanicalComponent = {
  definition: mechanical('rotational', {
    type: 'Motor',
    title: 'Motor',
    summary:
      'Drives its shaft with a torque that is constant, or falls linearly with the speed up to that of no load.',
    pins: twoFlanges('rotational').map((own, k) => ({ ...own, label: ['Housing', 'Shaft'][k] })),
    symbol: {
      width: 40,
      height: 18,
      lines: ['M-40 0H-18M18 0H40M-18 0a18 18 0 1 0 36 0a18 18 0 1 0 -36 0'],
      texts: [{ x: 0, y: 0, text: 'M' }],
    },
    quantities: [MOTIONS.rotational.force],
    words: ['drive', 'actuator', 'engine', 'Antrieb', 'Motor', 'moteur', 'entraînement'],
    equations: ['\\tau = T_0 - c\\, (\\omega_b - \\omega_a)'],
    fields: [
      {
        key: 'torque',
        kind: 'number',
        label: 'Torque at rest',
        symbol: 'T_0',
        unit: 'N m',
        required: true,
        initial: 1,
        help: 'On the shaft, while it stands.',
      },
      {
        key: 'slope',
        kind: 'number',
        min: 0,
        label: 'Loss of torque with speed',
        symbol: 'c',
        unit: 'N m s/rad',
        required: false,
        default: 0,
        help: 'T₀ divided by the speed of no load; 0 for a constant torque.',
      },
    ],
    source: 'Pfeiffer and Glocker 1996, §2',
  }),
  assemble(fields, mechanism) {
    const [torque, slope] = [fields.number('torque'), fields.number('slope')];
    mechanism.force(mechanism.flange('b'), torque);
    mechanism.force(mechanism.flange('a'), -torque);
    const s = between(mechanism);
    if (slope !== 0) mechanism.damper(s, slope);
    mechanism.record('tau', [
      { of: 'value', value: torque, factor: 1 },
      { of: 'velocity', combination: s, factor: -slope },
    ]);
  },
};
