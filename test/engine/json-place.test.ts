/** The place of a defect in a text, against the judgement of JSON.parse. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonDefectAt } from '@engine/document/read';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('the place where a text stops being JSON', () => {
  it.each<[string, number]>([
    ['', 0],
    ['{', 1],
    ['{"a"', 4],
    ['{"a":', 5],
    ['{"a": 1', 7],
    ['[1, 2', 5],
    ['"abc', 4],
    ['"ab\\u00', 7],
    ['tru', 3],
    ['-', 1],
    ['1.', 2],
    ['1e+', 3],
    ['{"a": NaN}', 6],
    ['{"a": 1,}', 8],
    ['[1,]', 3],
    ['[1 2]', 3],
    ["{'a': 1}", 1],
    ['{a: 1}', 1],
    ['{"a" 1}', 5],
    ['[01]', 2],
    ['["a\nb"]', 3],
    ['["\\x"]', 3],
    ['{} {}', 3],
    ['[1}', 2],
    ['truth', 0],
    ['// no', 0],
  ])('%j: %i', (text, place) => {
    expect(isJson(text)).toBe(false);
    expect(jsonDefectAt(text)).toBe(place);
  });

  it('is none for JSON, whatever its form (property)', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 0, max: 3 }), (text, indent) => {
        expect(jsonDefectAt(text)).toBe(-1);
        expect(jsonDefectAt(JSON.stringify(JSON.parse(text), null, indent))).toBe(-1);
      }),
      { seed: 3, numRuns: 500 },
    );
  });

  it('agrees with JSON.parse on texts with one character changed or cut (property)', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', '"', ',', ':', '{', ']', '\\', 'e', '0', '-', ' '),
        (text, n, put) => {
          const at = n % (text.length + 1);
          for (const changed of [text.slice(0, at) + put + text.slice(at + 1), text.slice(0, at)]) {
            const place = jsonDefectAt(changed);
            expect(place === -1).toBe(isJson(changed));
            expect(place).toBeLessThanOrEqual(changed.length);
          }
        },
      ),
      { seed: 4, numRuns: 2000 },
    );
  });
});
