/** From numbers to what is on or off: comparison, modulation of the width of pulses, logic. */
import type { FieldReader } from '../../field-reader';
import type { Circuit, SignalPart } from '../circuit';
import { type ComponentDefinition, type ComponentType, signalIn, signalOut } from '../component';
import { block, duration, number, OUTPUT_PIN, plain } from './block';

const FAMILY = 'Logic';
const ON_OFF = 'On or off, as 1 or 0';

export const comparison: ComponentType = {
  definition: block(
    {
      type: 'Comparison',
      title: 'Comparison',
      summary: 'On while one signal is above another. What is not connected is zero.',
      family: FAMILY,
      words: ['compare', 'comparator', 'greater', 'less', 'threshold', 'Vergleicher', 'if'],
      equations: ['y = 1 \\;(a > b), \\quad y = 0 \\;(a < b)'],
      fields: [],
      source: 'Erickson and Maksimović 2020, §7.3',
      quantities: [{ name: 'y', unit: '', description: ON_OFF }],
      pins: [
        signalIn('a', 'On while this is above', -40, -20, 'isFree'),
        signalIn('b', 'The other', -40, 20, 'isFree'),
        OUTPUT_PIN,
      ],
    },
    { texts: [{ x: 0, y: 0, text: 'a>b' }] },
  ),
  stamp(_fields: FieldReader, circuit: Circuit) {
    const read = (pin: string): SignalPart => ({
      sum: circuit.isWired(pin) ? [circuit.input(pin)] : [],
    });
    circuit.logic('y', [read('a'), ' - ', read('b')]);
  },
};

/** The modulator of a converter: compares a signal with a carrier. */
export const pwm: ComponentType = {
  definition: block(
    {
      type: 'PWM',
      title: 'PWM modulator',
      summary:
        'On while its input is above a carrier, with a second output for the other switch of a half bridge and dead time between the two.',
      family: FAMILY,
      words: ['PWM', 'pulse width', 'duty', 'carrier', 'chopper', 'half bridge', 'inverter', 'Pulsweite'],
      equations: [
        'c(t) = c_l + (c_h - c_l)\\, \\varphi(t), \\quad \\varphi = ((t - t_0) \\bmod T)/T \\;\\text{or}\\; 1 - |2 \\varphi - 1|',
        'y = 1 \\;(u > c), \\quad n = 1 \\;(u < c)',
      ],
      fields: [
        duration('period', 'Period', 'T', 'Of the carrier.', 1e-4),
        {
          ...{
            key: 'carrier',
            kind: 'choice',
            label: 'Carrier',
            symbol: '\\varphi',
            unit: '',
            required: false,
          },
          default: 'sawtooth',
          options: [
            { value: 'sawtooth', label: 'Sawtooth', help: 'On from the beginning of each period.' },
            {
              value: 'triangle',
              label: 'Triangle',
              help: 'Low at the beginning of each period: symmetric pulses.',
            },
          ],
          help: 'How it runs from its low to its high value.',
        },
        number('low', 'Low value', 'c_l', 'Of the carrier, at the beginning of each period.', { default: 0 }),
        number('high', 'High value', 'c_h', 'Of the carrier: an input above it is always on.', {
          default: 1,
        }),
        {
          ...{ key: 'deadTime', kind: 'number', min: 0, label: 'Dead time', symbol: 't_d', unit: 's' },
          ...{ required: false, default: 0 },
          help: 'For which both outputs are off between one and the other.',
        },
        number('delay', 'Delay', 't_0', 'Start of a period.', { default: 0 }, 's'),
      ],
      source: 'Erickson and Maksimović 2020, §7.3',
      quantities: [
        { name: 'y', unit: '', description: ON_OFF },
        { name: 'n', unit: '', description: 'The other output, 1 or 0' },
      ],
      pins: [
        signalIn('u', 'Input', -40, 0),
        signalOut('y', 'On while the input is above the carrier', 40, -20),
        signalOut('n', 'On while it is below', 40, 20),
      ],
    },
    { lines: ['M-20 -4L-8 -14V-4L4 -14V-4L16 -14V-4M-20 14H-12V4H-6V14H0V4H6V14H12V4H18V14'] },
  ),
  stamp(fields: FieldReader, circuit: Circuit) {
    const [T, low, high] = [fields.number('period'), fields.number('low'), fields.number('high')];
    const [dead, delay] = [fields.number('deadTime'), fields.number('delay')];
    if (low >= high)
      fields.reject(
        'high',
        'limits-crossed',
        'The carrier’s high value is not above its low one.',
        'Exchange them.',
      );
    if (dead >= T / 2)
      fields.reject(
        'deadTime',
        'dead-time',
        'The dead time is half a period or more: neither output would ever be on.',
        'Choose a shorter one.',
      );
    const isTriangle = fields.choice('carrier') === 'triangle';
    const phase = `((t - ${plain(delay)}) mod ${plain(T)})/${plain(T)}`;
    const carrier = `(${plain(low)} + ${plain(high - low)}*${isTriangle ? `(1 - abs(2*${phase} - 1))` : phase})`;
    const u = { sum: [circuit.input('u')] };
    if (dead === 0) {
      circuit.logic('y', [u, ` - ${carrier}`]);
      circuit.logic('n', [`${carrier} - `, u]);
      return;
    }
    // What a carrier rises by in the dead time, which the outputs share where it rises and falls.
    const rise = ((high - low) * dead) / T;
    if (isTriangle) {
      circuit.logic('y', [u, ` - ${carrier} - ${plain(rise)}`]);
      circuit.logic('n', [`${carrier} - ${plain(rise)} - `, u]);
      return;
    }
    // Where a sawtooth jumps, the first output waits, but where the other was not on before.
    const wait = `${phase} - ${plain(dead / T)}`;
    circuit.logic('y', ['min(', u, ` - ${carrier}, max(${wait}, `, u, ` - ${plain(high - rise)}))`]);
    circuit.logic('n', [`${carrier} - ${plain(rise)} - `, u]);
  },
};

const PAIR = [signalIn('a', 'First', -40, -20), signalIn('b', 'Second', -40, 20), OUTPUT_PIN];

/** @param write what is positive where the output is on, of what is positive where the inputs are */
const logic = (
  parts: Pick<ComponentDefinition, 'type' | 'title' | 'summary' | 'words' | 'equations'>,
  sign: string,
  pins: ComponentDefinition['pins'],
  write: (gates: readonly SignalPart[]) => readonly SignalPart[],
): ComponentType => ({
  definition: block(
    {
      ...parts,
      ...{ family: FAMILY, fields: [], source: 'Erickson and Maksimović 2020, §7.3', pins },
      quantities: [{ name: 'y', unit: '', description: ON_OFF }],
    },
    { texts: [{ x: 0, y: 0, text: sign }] },
  ),
  stamp(_fields: FieldReader, circuit: Circuit) {
    const inputs = pins.filter(({ direction }) => direction === 'in');
    circuit.logic('y', write(inputs.map(({ name }) => ({ gate: circuit.gate(name) }))));
  },
});

export const and = logic(
  {
    type: 'And',
    title: 'And',
    summary: 'On while both inputs are. A number is on while it is above ½.',
    words: ['logic', 'both', 'und', 'et', '&'],
    equations: ['y = a \\wedge b'],
  },
  '&',
  PAIR,
  ([a, b]) => ['min(', a, ', ', b, ')'],
);

export const or = logic(
  {
    type: 'Or',
    title: 'Or',
    summary: 'On while one of its inputs is. A number is on while it is above ½.',
    words: ['logic', 'either', 'any', 'oder', 'ou'],
    equations: ['y = a \\vee b'],
  },
  '≥1',
  PAIR,
  ([a, b]) => ['max(', a, ', ', b, ')'],
);

export const not = logic(
  {
    type: 'Not',
    title: 'Not',
    summary: 'On while its input is off. A number is on while it is above ½.',
    words: ['logic', 'inverter', 'negate', 'nicht', 'non'],
    equations: ['y = \\neg u'],
  },
  '1̅',
  [signalIn('u', 'Input', -40, 0), OUTPUT_PIN],
  ([u]) => ['-(', u, ')'],
);
