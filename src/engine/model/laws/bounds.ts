/** Bounds of laws: one entry for every row of the law. */
import type { FieldReader } from '../field-reader';

export interface Bounds {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/**
 * Reads the fields `lower` and `upper`, whose length is the size of the law; one that is left out has one entry, its
 * default.
 * @param strict whether each interval must have an inside
 */
export function readBounds(fields: FieldReader, strict: boolean): Bounds {
  const lengths = ['lower', 'upper'].map((key) => (fields.has(key) ? fields.vectorLength(key) : 1));
  const size = Math.max(...lengths);
  const reported = fields.issueCount;
  const [lower, upper] = ['lower', 'upper'].map((key, k) => {
    const given = fields.vector(key, lengths[k]);
    // One entry stands for all rows.
    return lengths[k] === 1 ? new Float64Array(size).fill(given[0]) : given;
  });
  if (Math.min(...lengths) === 0) {
    fields.reject(
      lengths[0] === 0 ? 'lower' : 'upper',
      'empty-law',
      'The law has no rows: its list of bounds is empty.',
      'Give one bound for each row, or one for all.',
    );
  } else if (lengths[0] !== lengths[1] && Math.min(...lengths) !== 1) {
    fields.reject(
      'upper',
      'bounds-length',
      `The law has ${lengths[0]} lower and ${lengths[1]} upper bounds.`,
      'Give as many of each, or one for all rows.',
    );
  } else if (fields.issueCount === reported) {
    checkOrder(fields, { lower, upper }, strict);
  }
  return { lower, upper };
}

function checkOrder(fields: FieldReader, { lower, upper }: Bounds, strict: boolean): void {
  for (let i = 0; i < lower.length; i++) {
    if (strict ? lower[i] < upper[i] : lower[i] <= upper[i]) continue;
    fields.reject(
      'upper',
      'bounds-order',
      `In row ${i} the upper bound ${upper[i]} is ${strict ? 'not above' : 'below'} the lower bound ${lower[i]}.`,
      strict && lower[i] === upper[i]
        ? 'Enlarge the interval; a value that is held fixed is an equality.'
        : 'Exchange the two.',
    );
    return;
  }
}
