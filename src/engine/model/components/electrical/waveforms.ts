/** Waveforms of sources, as expressions of time in what stands in their fields. */
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
  const falling = `${s} < ${rise} + ${width} + ${fall} ? ${high} - ${step}*(${s} - ${rise} - ${width})/${fall} : ${low}`;
  const onTop = `${s} < ${rise} + ${width} ? ${high} : (${falling})`;
  const rising = `${s} < ${rise} ? ${low} + ${step}*${s}/${rise} : (${onTop})`;
  return `t < ${delay} ? ${low} : (${rising})`;
};

const read = <K extends string>(raw: Raw, ...keys: K[]): Record<K, string> =>
  Object.fromEntries(keys.map((key) => [key, raw(key)])) as Record<K, string>;
