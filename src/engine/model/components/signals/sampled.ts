/**
 * Blocks that look at their input at instants only, and hold what they give in between; what is remembered
 * of them, `memories.ts`.
 */
import type { FieldDefinition } from '../../definition';
import type { FieldReader } from '../../field-reader';
import type { Circuit, Samples, SignalPart } from '../circuit';
import type { ComponentType } from '../component';
import { block, duration, give, number, plain } from './block';
import { limit, limitsOf } from './limits';

const FAMILY = 'Sampled';
const SOURCE = 'Åström and Wittenmark 1997, §§3, 8';

export const CLOCK: readonly FieldDefinition[] = [
  duration('period', 'Sampling period', 'T_s', 'From one sample to the next.', 1e-3),
  number('delay', 'First sample', 't_0', 'Time of one of the samples.', { default: 0 }, 's'),
];

export const samplesOf = (fields: FieldReader): Samples => ({
  period: fields.number('period'),
  first: fields.number('delay'),
});

const STAIRS = { lines: ['M-20 14H-12V6H-4V-4H4V-10H12V-14H20'] };

export const sampleAndHold: ComponentType = {
  definition: block(
    {
      type: 'Sampler',
      title: 'Sample and hold',
      summary: 'Takes its input at the samples and holds it in between: an ADC, a zero-order hold.',
      family: FAMILY,
      words: [
        'ZOH',
        'ADC',
        'zero-order hold',
        'discrete',
        'Abtaster',
        'Halteglied',
        'Abtasten',
        'échantillonneur',
      ],
      equations: ['y(t) = u(t_k) \\;(t_k \\le t < t_{k+1}), \\quad t_k = t_0 + k T_s'],
      fields: CLOCK,
      source: SOURCE,
    },
    STAIRS,
  ),
  stamp(fields: FieldReader, circuit: Circuit) {
    const u = [{ sum: [circuit.input('u')] }];
    give(circuit, [circuit.memory(u, [{ when: samplesOf(fields), to: u }])]);
  },
};

/** Most samples that a delay holds: each is a state. */
const MOST_SAMPLES = 1000;

export const sampleDelay: ComponentType = {
  definition: block(
    {
      type: 'SampleDelay',
      title: 'Delay of k samples',
      summary: 'What its input was some samples before: a shift register, the time a computation takes.',
      family: FAMILY,
      words: ['z^-1', 'unit delay', 'dead time', 'shift', 'latency', 'Totzeit', 'Verzögerung', 'retard'],
      equations: ['y(t) = u(t_{k-n}) \\;(t_k \\le t < t_{k+1})'],
      fields: [
        {
          ...{ key: 'samples', kind: 'integer', min: 1, max: MOST_SAMPLES, label: 'Samples' },
          ...{ symbol: 'n', unit: '', required: true, initial: 1, help: 'By which the output is late.' },
        },
        number('start', 'Value before', 'y_0', 'Until the first sample has come through.', { default: 0 }),
        ...CLOCK,
      ],
      source: SOURCE,
    },
    { texts: [{ x: 0, y: 0, text: 'z⁻ⁿ' }] },
  ),
  stamp(fields: FieldReader, circuit: Circuit) {
    const [samples, start, when] = [fields.number('samples'), fields.number('start'), samplesOf(fields)];
    const u = [{ sum: [circuit.input('u')] }];
    let last = circuit.memory(u, [{ when, to: u }]);
    for (let k = 0; k < samples; k++) last = circuit.memory(start, [{ when, to: [{ sum: [last] }] }]);
    give(circuit, [last]);
  },
};

export const digitalPid: ComponentType = {
  definition: block(
    {
      type: 'DigitalPID',
      title: 'Digital PID controller',
      summary:
        'A PID controller that computes at its samples and holds its output in between. Before the first of them the error counts as zero. With limits its integral grows by no more than brings the output to one of them.',
      family: FAMILY,
      words: [
        'PID',
        'PI',
        'controller',
        'discrete',
        'microcontroller',
        'anti-windup',
        'Regler',
        'digitaler Regler',
      ],
      equations: [
        'r_k = K_p e_k + I_{k-1} + \\frac{K_d}{T_s} (e_k - e_{k-1})',
        '\\Delta_k = \\min(\\max(0, u_u - r_k), \\max(\\min(0, u_l - r_k), K_i T_s e_k))',
        'I_k = I_{k-1} + \\Delta_k, \\quad u_k = \\min(\\max(r_k + \\Delta_k, u_l), u_u)',
      ],
      fields: [
        number('Kp', 'Proportional gain', 'K_p', 'Of the error.', { initial: 1 }),
        number('Ki', 'Integral gain', 'K_i', 'Of the sum of the errors.', { default: 0 }, '1/s'),
        number('Kd', 'Derivative gain', 'K_d', 'Of the difference of two errors.', { default: 0 }, 's'),
        number('start', 'Integral at the start', 'I_0', 'What the integral part begins with.', {
          default: 0,
        }),
        limit('lower', 'Lower limit', 'u_l'),
        limit('upper', 'Upper limit', 'u_u'),
        ...CLOCK,
      ],
      source: 'Åström and Hägglund 2006, §13',
    },
    { texts: [{ x: 0, y: 0, text: 'PID*' }] },
  ),
  stamp(fields: FieldReader, circuit: Circuit) {
    const [Kp, Ki, Kd] = ['Kp', 'Ki', 'Kd'].map((key) => plain(fields.number(key)));
    const [T, start] = [plain(fields.number('period')), plain(fields.number('start'))];
    const [limits, when] = [limitsOf(fields), samplesOf(fields)];
    const e: SignalPart = { sum: [circuit.input('u')] };
    /** The output but for the growth of the integral; and that growth. */
    const parts = (I: SignalPart, before: SignalPart): { rest: SignalPart[]; growth: SignalPart[] } => {
      const rest = [`(${Kp}*`, e, ' + ', I, ` + ${Kd}/${T}*(`, e, ' - ', before, '))'];
      const free = [`${Ki}*${T}*`, e];
      if (limits === null) return { rest, growth: free };
      const [lower, upper] = limits.map(plain);
      return {
        rest,
        growth: [
          `min(max(0, ${upper} - `,
          ...rest,
          `), max(min(0, ${lower} - `,
          ...rest,
          '), ',
          ...free,
          '))',
        ],
      };
    };
    const output = ({ rest, growth }: ReturnType<typeof parts>): SignalPart[] => {
      const sum = [...rest, ' + ', ...growth];
      if (limits === null) return sum;
      const [lower, upper] = limits.map(plain);
      return [`min(max(`, ...sum, `, ${lower}), ${upper})`];
    };
    // The first sample is that of the start.
    const first = parts(start, '0');
    const integralJump: { when: Samples; to: SignalPart[] } = { when, to: [] };
    const integral = circuit.memory([start, ' + ', ...first.growth], [integralJump]);
    const before = circuit.memory([e], [{ when, to: [e] }]);
    const next = parts({ sum: [integral] }, { sum: [before] });
    integralJump.to.push({ sum: [integral] }, ' + ', ...next.growth);
    give(circuit, [circuit.memory(output(first), [{ when, to: output(next) }])]);
  },
};

export const slewLimit: ComponentType = {
  definition: block(
    {
      type: 'SlewLimit',
      title: 'Rate limit',
      summary: 'Follows its input by no more than a largest rate, in steps at its samples.',
      family: FAMILY,
      words: ['slew rate', 'rate limiter', 'ramp', 'soft start', 'Anstiegsbegrenzer', 'Rampe', 'Sanftanlauf'],
      equations: ['y_k = y_{k-1} + \\min(\\max(u_k - y_{k-1}, -r T_s), r T_s)'],
      fields: [
        {
          ...{ key: 'rate', kind: 'number', min: 0, exclusiveMin: true, label: 'Largest rate', symbol: 'r' },
          ...{ unit: '1/s', required: true, initial: 1, help: 'Of the output, up and down.' },
        },
        number('start', 'Value at the start', 'y_0', 'What it begins with.', { default: 0 }),
        ...CLOCK,
      ],
      source: SOURCE,
    },
    { lines: ['M-20 12H-10L8 -12H20'] },
  ),
  stamp(fields: FieldReader, circuit: Circuit) {
    const most = plain(fields.number('rate') * fields.number('period'));
    const u: SignalPart = { sum: [circuit.input('u')] };
    const to: SignalPart[] = [];
    const y = circuit.memory(fields.number('start'), [{ when: samplesOf(fields), to }]);
    to.push({ sum: [y] }, ' + min(max(', u, ' - ', { sum: [y] }, `, -${most}), ${most})`);
    give(circuit, [y]);
  },
};
