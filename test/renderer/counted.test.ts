/** Counts with their nouns in singular and plural. */
import { describe, expect, it } from 'vitest';
import { plural } from '@engine/plural';
import { counted, type TextKey } from '@renderer/i18n';
import { en } from '@renderer/locales/en';

describe('a count in the window', () => {
  it.each<[number, string]>([
    [0, '0 impacts'],
    [1, '1 impact'],
    [2, '2 impacts'],
    [12_345, '12.3 k impacts'],
  ])('of %i is “%s”', (count, words) => {
    expect(counted('run.events', count)).toBe(words);
  });

  it('goes with other values', () => {
    expect(counted('run.planned', 1, { end: 2 })).toBe('1 step to t = 2 s');
    expect(counted('run.planned', 100, { end: 2 })).toBe('100 steps to t = 2 s');
    expect(counted('inspector.sparse', 1, { rows: 30, columns: 20 })).toBe('30 × 20, 1 entry');
  });

  it('has its place in singular and plural of every text that has both', () => {
    const texts: [string, string][] = [];
    const collect = (group: object, path: string): void => {
      for (const [key, value] of Object.entries(group) as [string, unknown][]) {
        if (typeof value === 'string') texts.push([`${path}${key}`, value]);
        else if (typeof value === 'object' && value !== null) collect(value, `${path}${key}.`);
      }
    };
    collect(en, '');
    const both = texts.filter(([, value]) => value.includes('|'));
    expect(both.length).toBeGreaterThan(10);
    for (const [key, value] of both) {
      expect(value.split(' | '), key).toHaveLength(2);
      const [one, many] = [1, 2].map((count) => counted(key as TextKey, count));
      expect(one, key).not.toBe(many);
      expect(one.includes('1'), key).toBe(many.includes('2'));
    }
  });
});

describe('a count in a message', () => {
  it('takes the plural except for one', () => {
    expect([0, 1, 2].map((count) => plural(count, 'row'))).toEqual(['0 rows', '1 row', '2 rows']);
    expect([1, 3].map((count) => plural(count, 'entry', 'entries'))).toEqual(['1 entry', '3 entries']);
  });
});
