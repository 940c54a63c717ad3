/** Signals of time. */
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import type { ComponentDefinition, ComponentType, Waveforms } from '../component';
import { pulseFields, pulseOf, sineFields, sineOf, tableFields, tableOf } from '../electrical/waveforms';
import { block, give, number, OUTPUT_PIN } from './block';

const FAMILY = 'Signals';
const SOURCE = 'Åström and Murray 2008, §5';

const ofTime = (definition: ComponentDefinition, value: Waveforms[string]): ComponentType => ({
  definition,
  waveforms: { value },
  stamp(_fields: FieldReader, circuit: Circuit) {
    give(circuit, [circuit.given('value')]);
  },
});

/** A constant, or an expression of time. */
export const signal = ofTime(
  block(
    {
      pins: [OUTPUT_PIN],
      type: 'Signal',
      title: 'Constant or expression',
      summary: 'A signal that is a number, or an expression of time: a reference, an offset, a table.',
      family: FAMILY,
      words: ['const', 'constant', 'reference', 'set point', 'value', 'table', 'Konstante', 'Sollwert'],
      equations: ['y = w(t)'],
      fields: [
        {
          ...{ key: 'value', kind: 'expression', of: 'time', label: 'Value', symbol: 'w', unit: '' },
          ...{ required: true, initial: 1, help: 'A number, or an expression of the time t and parameters.' },
        },
      ],
      source: SOURCE,
    },
    { lines: ['M-20 16V-16M-20 16H20M-20 -4H20'] },
  ),
  (raw) => raw('value'),
);

export const sine = ofTime(
  block(
    {
      pins: [OUTPUT_PIN],
      type: 'SineSignal',
      title: 'Sine',
      summary: 'A signal that is a sine.',
      family: FAMILY,
      words: ['sin', 'wave', 'harmonic', 'sinus', 'Sinus'],
      equations: ['y = A_0 + A \\sin(2\\pi f t + \\varphi)'],
      fields: sineFields(''),
      source: SOURCE,
    },
    { lines: ['M-18 0C-12 -20 -6 -20 0 0S12 20 18 0'] },
  ),
  sineOf,
);

export const step = ofTime(
  block(
    {
      pins: [OUTPUT_PIN],
      type: 'StepSignal',
      title: 'Step',
      summary: 'A signal that jumps from one value to another.',
      family: FAMILY,
      words: ['jump', 'Heaviside', 'Sprung', 'échelon'],
      equations: ['y = w_0 \\;(t < t_s), \\quad y = w_1 \\;(t \\ge t_s)'],
      fields: [
        number('before', 'Value before', 'w_0', 'Until the step.', { default: 0 }),
        number('after', 'Value after', 'w_1', 'From the step on.', { initial: 1 }),
        number('time', 'Time of the step', 't_s', 'When it jumps.', { default: 0 }, 's'),
      ],
      source: SOURCE,
    },
    { lines: ['M-18 12H-2V-12H18'] },
  ),
  (raw) => `t < ${raw('time')} ? ${raw('before')} : ${raw('after')}`,
);

export const ramp = ofTime(
  block(
    {
      pins: [OUTPUT_PIN],
      type: 'RampSignal',
      title: 'Ramp',
      summary: 'A signal that rises evenly from a time on.',
      family: FAMILY,
      words: ['slope', 'sweep', 'Rampe'],
      equations: ['y = w_0 + r \\max(t - t_s, 0)'],
      fields: [
        number('start', 'Value before', 'w_0', 'Until it begins to rise.', { default: 0 }),
        number('rate', 'Rate', 'r', 'Rise in a second.', { initial: 1 }, '1/s'),
        number('time', 'Time of the beginning', 't_s', 'When it begins to rise.', { default: 0 }, 's'),
      ],
      source: SOURCE,
    },
    { lines: ['M-18 12H-8L16 -14'] },
  ),
  (raw) => `${raw('start')} + (t < ${raw('time')} ? 0 : ${raw('rate')}*(t - ${raw('time')}))`,
);

export const pulse = ofTime(
  block(
    {
      pins: [OUTPUT_PIN],
      type: 'PulseSignal',
      title: 'Pulses',
      summary: 'A signal of trapezoidal or rectangular pulses.',
      family: FAMILY,
      words: ['square', 'clock', 'rectangle', 'Rechteck', 'trapezoid', 'triangle'],
      equations: ['y = A_2 \\;(0 \\le (t - t_d) \\bmod T < t_w), \\quad y = A_1 \\;\\text{else}'],
      fields: pulseFields('').map((field) => (field.key === 'high' ? { ...field, initial: 1 } : field)),
      source: SOURCE,
    },
    { lines: ['M-20 12H-12V-12H0V12H12V-12H20'] },
  ),
  pulseOf,
);

export const table = ofTime(
  block(
    {
      pins: [OUTPUT_PIN],
      type: 'TableSignal',
      title: 'Table of data',
      summary: 'A signal that follows data which have been imported into the document.',
      family: FAMILY,
      words: ['table', 'data', 'CSV', 'look-up', 'lookup', 'profile', 'Tabelle', 'Kennlinie'],
      equations: ['y = k\\,w(t)'],
      fields: tableFields(''),
      source: SOURCE,
    },
    { lines: ['M-20 16V-16M-20 16H20M-18 8L-8 -6L2 2L10 -10L18 -4'] },
  ),
  tableOf,
);
