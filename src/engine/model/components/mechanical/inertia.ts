/** A body that turns about an axis. */
import type { MechanicalComponent } from '../component';
import { mechanical, MOTIONS, recordMotion, twoSides } from './domains';

const { position, velocity } = MOTIONS.rotational;

export const inertia: MechanicalComponent = {
  definition: mechanical('rotational', {
    type: 'Inertia',
    title: 'Inertia',
    summary: 'A rigid body that turns about the axis, as a rotor or a flywheel. Both flanges turn with it.',
    pins: twoSides('rotational'),
    symbol: { width: 40, height: 24, lines: ['M-40 0H-10M10 0H40', 'M-10 -24H10V24H-10Z'], moves: 1 },
    quantities: [position, velocity],
    words: [
      'J',
      'rotor',
      'flywheel',
      'disc',
      'shaft',
      'wheel',
      'Trägheit',
      'Schwungrad',
      'Welle',
      'inertie',
      'volant',
    ],
    equations: ['J\\, \\ddot\\varphi = \\sum \\tau'],
    fields: [
      {
        key: 'inertia',
        kind: 'number',
        min: 0,
        exclusiveMin: true,
        label: 'Moment of inertia',
        symbol: 'J',
        unit: 'kg m²',
        required: true,
        initial: 1,
        help: 'About the axis.',
      },
      {
        key: 'phi0',
        kind: 'number',
        label: 'Initial angle',
        symbol: '\\varphi_0',
        unit: 'rad',
        required: false,
        default: 0,
        help: 'At the start of the run. Left out: that of what is rigidly joined with it, else 0.',
      },
      {
        key: 'omega0',
        kind: 'number',
        label: 'Initial angular velocity',
        symbol: '\\omega_0',
        unit: 'rad/s',
        required: false,
        default: 0,
        help: 'At the start of the run. Left out: that of what is rigidly joined with it, else 0.',
      },
    ],
    source: 'Pfeiffer and Glocker 1996, §2',
  }),
  assemble(fields, mechanism) {
    const [a, b] = [mechanism.flange('a'), mechanism.flange('b')];
    mechanism.tie(a, b, 1);
    mechanism.mass(a, fields.number('inertia'), {
      position: fields.has('phi0') ? fields.number('phi0') : null,
      velocity: fields.has('omega0') ? fields.number('omega0') : null,
    });
    recordMotion(mechanism, 'rotational', a);
  },
};
