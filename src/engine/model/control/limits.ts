/** Bounds of a signal, which many blocks have. */
import type { FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';

export interface Limits {
  readonly lower: number;
  readonly upper: number;
}

const bound = (key: 'lower' | 'upper', label: string, symbol: string, help: string): FieldDefinition => ({
  key,
  kind: 'number',
  label,
  symbol,
  unit: '',
  required: false,
  help,
});

export const lowerBound = bound('lower', 'Lower bound', 'u_{min}', 'Smallest output; none when left out.');
export const upperBound = bound('upper', 'Upper bound', 'u_{max}', 'Largest output; none when left out.');

/** Reads the fields `lower` and `upper`; a missing one is infinite. */
export function readLimits(fields: FieldReader): Limits {
  const lower = fields.has('lower') ? fields.number('lower') : Number.NEGATIVE_INFINITY;
  const upper = fields.has('upper') ? fields.number('upper') : Number.POSITIVE_INFINITY;
  if (lower > upper)
    fields.reject(
      'upper',
      'bounds-order',
      `The upper bound ${upper} is below the lower bound ${lower}.`,
      'Exchange the two.',
    );
  return { lower, upper };
}

export const clip = (x: number, { lower, upper }: Limits): number => Math.min(upper, Math.max(lower, x));
