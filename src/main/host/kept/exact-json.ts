/**
 * JSON that gives every number back with its bits: what JSON has no word for (−0, infinities, not-a-number)
 * and arrays of floats are spelt out as objects of one key.
 */
const NUMBER = '$number';
const FLOATS = '$floats';

const hasWord = (value: number): boolean => Number.isFinite(value) && !Object.is(value, -0);
const spelt = (value: number): unknown =>
  hasWord(value) ? value : { [NUMBER]: Object.is(value, -0) ? '-0' : String(value) };

export const exactJson = (content: unknown): string =>
  JSON.stringify(content, (_key, value: unknown) => {
    if (typeof value === 'number') return spelt(value);
    if (value instanceof Float64Array) return { [FLOATS]: [...value] };
    return value;
  });

/** @throws {SyntaxError} */
export const parseExactJson = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    const keys = Object.keys(value);
    if (keys.length !== 1) return value;
    const { [NUMBER]: number, [FLOATS]: floats } = value as Record<string, unknown>;
    if (typeof number === 'string') return Number(number);
    return Array.isArray(floats) ? Float64Array.from(floats as number[]) : value;
  });
