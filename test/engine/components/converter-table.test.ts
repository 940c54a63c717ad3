/** The table of converters in the help is what they do. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cellsOf, CONVERTERS } from '../../support/converter-table';
import { part, sample } from '../../support/prove';

const PAGE = readFileSync(new URL('../../../docs/theory/converters.md', import.meta.url), 'utf8');

describe('the table of converters', () => {
  const taken = part(CONVERTERS, 2);
  it.each(taken.map((one) => [one.name, one] as const))('%s', (_, converter) => {
    sample(taken.length, CONVERTERS.length);
    const { cells, isCertified } = cellsOf(converter);
    expect(PAGE).toContain(`| ${cells.join(' | ')} |`);
    expect(isCertified).toBe(true);
  });
});
