/** A mass that moves along an axis. */
import type { MechanicalComponent } from '../component';
import { mechanical, MOTIONS, recordMotion, twoSides } from './domains';

const { position, velocity } = MOTIONS.translational;

export const mass: MechanicalComponent = {
  definition: mechanical('translational', {
    type: 'Mass',
    title: 'Mass',
    summary: 'A rigid body that moves along the axis. Both flanges are the same point of it.',
    pins: twoSides('translational'),
    symbol: { width: 40, height: 18, lines: ['M-40 0H-24M24 0H40', 'M-24 -18H24V18H-24Z'], moves: 1 },
    quantities: [position, velocity],
    words: [
      'm',
      'block',
      'body',
      'slider',
      'cart',
      'bead',
      'Masse',
      'Körper',
      'Schlitten',
      'masse',
      'chariot',
    ],
    equations: ['m\\, \\ddot x = m g + \\sum f'],
    fields: [
      {
        key: 'mass',
        kind: 'number',
        min: 0,
        exclusiveMin: true,
        label: 'Mass',
        symbol: 'm',
        unit: 'kg',
        required: true,
        initial: 1,
        help: 'Of the body.',
      },
      {
        key: 'x0',
        kind: 'number',
        label: 'Initial position',
        symbol: 'x_0',
        unit: 'm',
        required: false,
        default: 0,
        help: 'At the start of the run. Left out: that of what is rigidly joined with it, else 0.',
      },
      {
        key: 'v0',
        kind: 'number',
        label: 'Initial velocity',
        symbol: 'v_0',
        unit: 'm/s',
        required: false,
        default: 0,
        help: 'At the start of the run. Left out: that of what is rigidly joined with it, else 0.',
      },
      {
        key: 'gravity',
        kind: 'number',
        label: 'Gravity along the axis',
        symbol: 'g',
        unit: 'm/s²',
        required: false,
        default: 0,
        help: 'Acceleration of gravity in the direction of the axis: −9.81 where the axis points upwards.',
      },
    ],
    source: 'Pfeiffer and Glocker 1996, §2',
  }),
  assemble(fields, mechanism) {
    const [a, b] = [mechanism.flange('a'), mechanism.flange('b')];
    mechanism.tie(a, b, 1);
    const [m, gravity] = [fields.number('mass'), fields.number('gravity')];
    mechanism.mass(a, m, {
      position: fields.has('x0') ? fields.number('x0') : null,
      velocity: fields.has('v0') ? fields.number('v0') : null,
    });
    if (gravity !== 0) mechanism.force(a, m * gravity);
    recordMotion(mechanism, 'translational', a);
  },
};
