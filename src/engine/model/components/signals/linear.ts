/** Linear blocks: sums, gains, integrators, transfer functions, and the controller that is made of them. */
import type { FieldReader } from '../../field-reader';
import type { Circuit, Term } from '../circuit';
import { type ComponentType, signalIn } from '../component';
import { block, duration, give, number, OUTPUT_PIN, times } from './block';
import { limit, limited, limitsOf } from './limits';

const FAMILY = 'Control';
const SOURCE = 'Åström and Murray 2008, §8';

export const gain: ComponentType = {
  definition: block(
    {
      type: 'Gain',
      title: 'Gain',
      summary: 'A signal times a number.',
      family: FAMILY,
      words: ['K', 'factor', 'amplifier', 'proportional', 'Verstärkung', 'P'],
      equations: ['y = k u'],
      fields: [number('gain', 'Gain', 'k', 'Of any sign.', { initial: 1 })],
      source: SOURCE,
    },
    { lines: ['M-14 -16V16L18 0Z'] },
  ),
  stamp(fields: FieldReader, circuit: Circuit) {
    give(circuit, [times(fields.number('gain'), circuit.input('u'))]);
  },
};

const SIGNS: readonly (readonly [pin: string, label: string, x: number, y: number, sign: number])[] = [
  ['a', 'Plus', -40, 0, 1],
  ['b', 'Minus', 0, 40, -1],
  ['c', 'Further plus', 0, -40, 1],
];

export const sum: ComponentType = {
  definition: {
    ...block(
      {
        type: 'Sum',
        title: 'Sum',
        summary: 'The sum of signals, of which one counts with a minus: reference minus measurement.',
        family: FAMILY,
        words: ['add', 'difference', 'error', 'compare', 'plus', 'minus', 'junction', 'Summe', 'Regelfehler'],
        equations: ['y = a - b + c'],
        fields: [],
        source: SOURCE,
        pins: [...SIGNS.map(([pin, label, x, y]) => signalIn(pin, label, x, y, 'isFree')), OUTPUT_PIN],
      },
      {},
    ),
    symbol: {
      width: 40,
      height: 40,
      lines: [
        'M-40 0H-18M18 0H40M0 18V40M0 -40V-18M-18 0a18 18 0 1 0 36 0a18 18 0 1 0 -36 0M-13 0H-5M-9 -4V4M-4 11H4M-4 -9H4M0 -13V-5',
      ],
      areas: ['M-26 -4L-18 0L-26 4Z', 'M-4 26L0 18L4 26Z', 'M-4 -26L0 -18L4 -26Z'],
    },
  },
  stamp(_fields: FieldReader, circuit: Circuit) {
    give(
      circuit,
      SIGNS.flatMap(([pin, , , , sign]) => (circuit.isWired(pin) ? [times(sign, circuit.input(pin))] : [])),
    );
  },
};

export const integrator: ComponentType = {
  definition: block(
    {
      type: 'Integrator',
      title: 'Integrator',
      summary: 'The integral of a signal over time.',
      family: FAMILY,
      words: ['I', '1/s', 'accumulate', 'state', 'Integrierer', 'intégrateur'],
      equations: ['\\dot y = k u, \\quad y(0) = y_0'],
      fields: [
        number('gain', 'Gain', 'k', 'Rate of the output for an input of 1.', { default: 1 }, '1/s'),
        number('start', 'Value at the start', 'y_0', 'What it begins with.', { default: 0 }),
        limit('lower', 'Lower limit', 'y_l'),
        limit('upper', 'Upper limit', 'y_u'),
      ],
      source: SOURCE,
    },
    { texts: [{ x: 0, y: 0, text: '∫' }] },
  ),
  stamp(fields: FieldReader, circuit: Circuit) {
    const u = circuit.input('u');
    const start = fields.number('start');
    const limits = limitsOf(fields);
    if (limits !== null && (start < limits[0] || start > limits[1]))
      fields.reject('start', 'beyond-limits', 'It begins beyond its limits.', 'Begin between them.');
    give(circuit, [circuit.integral([times(fields.number('gain'), u)], start, limits)]);
  },
};

/** States of 1/(s^n + a_{n-1} s^{n-1} + … + a_0): each is the rate of the one before. */
function chain(circuit: Circuit, u: Term, a: readonly number[]): Term[] {
  // The last state closes the chain, so its rate is written when all have a place.
  const states: Term[] = [];
  const rate: Term[] = [u];
  a.forEach(() => states.unshift(circuit.integral(states.length === 0 ? rate : [states[0]], 0)));
  a.forEach((value, k) => {
    if (value !== 0) rate.push(times(-value, states[k]));
  });
  return states;
}

export const transferFunction: ComponentType = {
  definition: block(
    {
      type: 'TransferFunction',
      title: 'Transfer function',
      summary: 'A filter, a lag, a plant: a ratio of polynomials in s.',
      family: FAMILY,
      words: ['filter', 'lag', 'lead', 'plant', 'Laplace', 'G(s)', 'low-pass', 'PT1', 'Übertragungsfunktion'],
      equations: ['Y(s) = \\frac{b_m s^m + \\dots + b_0}{a_n s^n + \\dots + a_0}\\, U(s)'],
      fields: [
        {
          ...{ key: 'numerator', kind: 'vector', length: 'any', label: 'Numerator', symbol: 'b', unit: '' },
          ...{
            required: true,
            initial: 1,
            help: 'Coefficients, the highest power of s first: [1, 2] is s + 2.',
          },
        },
        {
          ...{
            key: 'denominator',
            kind: 'vector',
            length: 'any',
            label: 'Denominator',
            symbol: 'a',
            unit: '',
          },
          ...{
            required: true,
            initial: 1,
            help: 'Coefficients, the highest power of s first: [0.1, 1] is 0.1 s + 1.',
          },
        },
      ],
      source: 'Åström and Murray 2008, §8.2',
    },
    {
      lines: ['M-20 0H20'],
      texts: [
        { x: 0, y: -12, text: 'b(s)' },
        { x: 0, y: 12, text: 'a(s)' },
      ],
    },
  ),
  stamp(fields: FieldReader, circuit: Circuit) {
    const polynomial = (key: string): number[] => [...fields.vector(key, fields.vectorLength(key))].reverse();
    const [b, a] = [polynomial('numerator'), polynomial('denominator')];
    const u = circuit.input('u');
    const leading = a.pop() ?? 0;
    if (leading === 0)
      fields.reject(
        'denominator',
        'leading-zero',
        'The first coefficient of the denominator is 0.',
        'Leave it out: the first is that of the highest power of s.',
      );
    else if (b.length > a.length + 1)
      fields.reject(
        'numerator',
        'improper',
        'The numerator is of a higher degree than the denominator: the output would be a rate of the input.',
        'Give the denominator further poles, fast beside the others.',
      );
    if (leading === 0 || b.length > a.length + 1) {
      give(circuit, []);
      return;
    }
    const monic = a.map((value) => value / leading);
    const states = chain(circuit, u, monic);
    const direct = b.length > a.length ? b[a.length] / leading : 0;
    give(circuit, [
      ...states.map((state, k) => times((b[k] ?? 0) / leading - direct * monic[k], state)),
      ...(direct === 0 ? [] : [times(direct, u)]),
    ]);
  },
};

export const pid: ComponentType = {
  definition: block(
    {
      type: 'ContinuousPID',
      title: 'PID controller',
      summary:
        'Proportional, integral and filtered derivative of an error, in continuous time. Without Ki and Kd a P controller.',
      family: FAMILY,
      words: ['PID', 'PI', 'PD', 'controller', 'compensator', 'regulator', 'Regler', 'régulateur'],
      equations: ['U = \\left(K_p + \\frac{K_i}{s} + \\frac{K_d s}{1 + T_f s}\\right) E'],
      fields: [
        number('Kp', 'Proportional gain', 'K_p', 'Of the error.', { initial: 1 }),
        number('Ki', 'Integral gain', 'K_i', 'Of the integral of the error.', { default: 0 }, '1/s'),
        number(
          'Kd',
          'Derivative gain',
          'K_d',
          'Of the filtered derivative of the error.',
          { default: 0 },
          's',
        ),
        {
          ...duration('Tf', 'Filter time', 'T_f', 'Time constant of the filter of the derivative.', 1e-3),
          ...{ required: false, default: 1e-3 },
        },
        number('start', 'Integral at the start', 'I_0', 'What the integral part begins with.', {
          default: 0,
        }),
        limit('lower', 'Lower limit', 'u_l'),
        limit('upper', 'Upper limit', 'u_u'),
        {
          ...duration('Tt', 'Tracking time', 'T_t', '', 1),
          ...{ required: false },
          help: 'Time constant in which the integral follows the limits of the output. Left out, it winds up.',
        },
      ],
      source: 'Åström and Murray 2008, §10.1 and equation (10.13)',
    },
    { texts: [{ x: 0, y: 0, text: 'PID' }] },
  ),
  stamp(fields: FieldReader, circuit: Circuit) {
    const [Kp, Ki, Kd] = [fields.number('Kp'), fields.number('Ki'), fields.number('Kd')];
    const e = circuit.input('u');
    const terms = [times(Kp, e)];
    const growth = [times(Ki, e)];
    if (Ki !== 0) terms.push(circuit.integral(growth, fields.number('start')));
    if (Kd !== 0) {
      const Tf = fields.number('Tf');
      // The filter follows the error; how far it lags behind is the derivative.
      const rate = [times(1 / Tf, e)];
      const filtered = circuit.integral(rate, 0);
      rate.push(times(-1 / Tf, filtered));
      terms.push(times(Kd / Tf, e), times(-Kd / Tf, filtered));
    }
    const limits = limitsOf(fields);
    if (limits === null) {
      give(circuit, terms);
      return;
    }
    const { term, parts } = limited(circuit, terms, ...limits);
    // The integral is taken back by how far the output is beyond its limits.
    if (fields.has('Tt')) {
      const rate = 1 / fields.number('Tt');
      growth.push(times(rate, term), ...terms.map((one) => times(-rate, one)));
    }
    give(circuit, [term], parts);
  },
};
