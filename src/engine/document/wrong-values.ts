/** What is wrong with a value of a document, and what it may be, in words. */
import type { z } from 'zod';
import { closest } from '../closest';

const KINDS: Readonly<Record<string, readonly [what: string, form: string]>> = {
  array: ['a list', 'a list, [ … ]'],
  object: ['an object', 'an object, { … }'],
  record: ['an object', 'an object, { … }'],
  string: ['a text', 'a text, in quotation marks'],
  number: ['a number', 'a number, without quotation marks'],
  int: ['a whole number', 'a whole number'],
  boolean: ['true or false', 'true or false, without quotation marks'],
};

const joined = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words[words.length - 1]}`;

/** How many, or how much: of lists entries, of texts characters. */
const amount = (limit: number | bigint, origin: string): string =>
  origin === 'array'
    ? `${limit} ${Number(limit) === 1 ? 'entry' : 'entries'}`
    : origin === 'string'
      ? `${limit} ${Number(limit) === 1 ? 'character' : 'characters'}`
      : String(limit);

/** @param shown the value, as messages show it */
export function wrongValue(
  issue: z.core.$ZodIssue,
  key: string,
  value: unknown,
  shown: string,
): { readonly message: string; readonly remedy: string } {
  const is = `“${key}” is ${shown}`;
  switch (issue.code) {
    case 'invalid_value': {
      const words = issue.values.map((one) => JSON.stringify(one));
      const texts = issue.values.filter((one) => typeof one === 'string');
      const near = typeof value === 'string' ? closest(value, texts) : null;
      const meant = near === null ? '' : ` Did you mean "${near}"?`;
      return { message: `${is}, which it cannot be.`, remedy: `Give ${joined(words)}.${meant}` };
    }
    case 'invalid_type': {
      const [what, form] = KINDS[issue.expected] ?? [issue.expected, issue.expected];
      const isLonely = issue.expected === 'array' && typeof value === 'string';
      return {
        message: `${is}, and not ${what}.`,
        remedy: isLonely ? `Write it as a list: [${JSON.stringify(value)}].` : `Give ${form}.`,
      };
    }
    case 'too_small': {
      const { minimum, origin, inclusive = true } = issue;
      const least = `${inclusive ? 'at least' : 'more than'} ${amount(minimum, origin)}`;
      return { message: `${is}; it must be ${least}.`, remedy: `Give ${least}.` };
    }
    case 'too_big': {
      const { maximum, origin, inclusive = true } = issue;
      const most = `${inclusive ? 'at most' : 'less than'} ${amount(maximum, origin)}`;
      return { message: `${is}; it must be ${most}.`, remedy: `Give ${most}.` };
    }
    case 'custom':
      return { message: `${is}: ${issue.message}.`, remedy: 'Correct it, as the reference says.' };
    default:
      return { message: `${is}, which it cannot be.`, remedy: 'The reference says what it may be.' };
  }
}
