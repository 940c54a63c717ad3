/** Waveforms of sources, as expressions of time in what stands in their fields. */
import type { FieldDefinition } from '../../definition';

type Raw = (key: string) => string;

export const sineOf = (raw: Raw): string =>
  `${raw('offset')} + ${raw('amplitude')}*sin(2*pi*${raw('frequency')}*t + ${raw('phase')})`;

export const sawtoothOf = (raw: Raw): string => {
  const { low, high, period, delay } = read(raw, 'low', 'high', 'period', 'delay');
  return `${low} + (${high} - ${low})*((t - ${delay}) mod ${period})/${period}`;
};

/** Low before the first pulse; a rise or fall of no duration is a jump. */
export const pulseOf = (raw: Raw): string => {
  const { low, high, period, width, delay, rise, fall } = read(
    raw,
    'low',
    'high',
    'period',
    'width',
    'delay',
    'rise',
    'fall',
  );
  const s = `((t - ${delay}) mod ${period})`;
  const step = `(${high} - ${low})`;
  // Without a rise there is no piece of it: rounding of the remainder would lead there, and divide by zero.
  const falling =
    fall === '0'
      ? low
      : `${s} < ${rise} + ${width} + ${fall} ? ${high} - ${step}*(${s} - ${rise} - ${width})/${fall} : ${low}`;
  const onTop = `${s} < ${rise} + ${width} ? ${high} : (${falling})`;
  const rising = rise === '0' ? onTop : `${s} < ${rise} ? ${low} + ${step}*${s}/${rise} : (${onTop})`;
  return `t < ${delay} ? ${low} : (${rising})`;
};

/** A table of the document, times a factor. */
export const tableOf = (raw: Raw): string => `${raw('factor')}*table(${raw('table')}, t)`;

const read = <K extends string>(raw: Raw, ...keys: K[]): Record<K, string> =>
  Object.fromEntries(keys.map((key) => [key, raw(key)])) as Record<K, string>;

/** Fields of a sine. @param unit of its value */
export const sineFields = (unit: string): FieldDefinition[] => [
  {
    key: 'amplitude',
    kind: 'number',
    label: 'Amplitude',
    symbol: 'A',
    unit,
    required: true,
    initial: 10,
    help: 'Peak value.',
  },
  {
    key: 'frequency',
    kind: 'number',
    min: 0,
    exclusiveMin: true,
    label: 'Frequency',
    symbol: 'f',
    unit: 'Hz',
    required: true,
    initial: 50,
    help: 'Periods in a second.',
  },
  {
    key: 'offset',
    kind: 'number',
    label: 'Offset',
    symbol: 'A_0',
    unit,
    required: false,
    default: 0,
    help: 'Mean value.',
  },
  {
    key: 'phase',
    kind: 'number',
    label: 'Phase',
    symbol: '\\varphi',
    unit: 'rad',
    required: false,
    default: 0,
    help: 'At t = 0.',
  },
];

/** Fields of a table. @param unit of its value */
export const tableFields = (unit: string): FieldDefinition[] => [
  {
    key: 'table',
    kind: 'reference',
    to: 'table',
    label: 'Table',
    symbol: 'w',
    unit: '',
    required: true,
    help: 'Data of the document, imported from a CSV file; straight from point to point.',
  },
  {
    key: 'factor',
    kind: 'number',
    label: 'Factor',
    symbol: 'k',
    unit,
    required: false,
    default: 1,
    help: 'Value where the table is 1.',
  },
];

/** Fields of pulses. @param unit of its value */
export const pulseFields = (unit: string): FieldDefinition[] => [
  {
    key: 'low',
    kind: 'number',
    label: 'Low value',
    symbol: 'A_1',
    unit,
    required: false,
    default: 0,
    help: 'Before each pulse.',
  },
  {
    key: 'high',
    kind: 'number',
    label: 'High value',
    symbol: 'A_2',
    unit,
    required: true,
    initial: 10,
    help: 'During each pulse.',
  },
  {
    key: 'period',
    kind: 'number',
    min: 0,
    exclusiveMin: true,
    label: 'Period',
    symbol: 'T',
    unit: 's',
    required: true,
    initial: 1e-3,
    help: 'From pulse to pulse.',
  },
  {
    key: 'width',
    kind: 'number',
    min: 0,
    label: 'Width',
    symbol: 't_w',
    unit: 's',
    required: true,
    initial: 5e-4,
    help: 'Of the high part.',
  },
  {
    key: 'delay',
    kind: 'number',
    label: 'Delay',
    symbol: 't_d',
    unit: 's',
    required: false,
    default: 0,
    help: 'Start of the first pulse.',
  },
  {
    key: 'rise',
    kind: 'number',
    min: 0,
    label: 'Rise time',
    symbol: 't_r',
    unit: 's',
    required: false,
    default: 0,
    help: 'From low to high; 0 is a jump.',
  },
  {
    key: 'fall',
    kind: 'number',
    min: 0,
    label: 'Fall time',
    symbol: 't_f',
    unit: 's',
    required: false,
    default: 0,
    help: 'From high to low; 0 is a jump.',
  },
];
