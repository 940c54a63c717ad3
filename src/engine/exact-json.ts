/**
 * JSON that gives every number back with its bits: what JSON has no word for (−0, infinities, not-a-number),
 * arrays of machine numbers and maps are spelt out as objects of one key.
 */
const NUMBER = '$number';
const MAP = '$map';

/** Arrays by the key that they are spelt out with. */
const ARRAYS = {
  $floats: Float64Array,
  $integers: Int32Array,
  $bytes: Uint8Array,
  $signs: Int8Array,
} as const;

const hasWord = (value: number): boolean => Number.isFinite(value) && !Object.is(value, -0);
const spelt = (value: number): unknown =>
  hasWord(value) ? value : { [NUMBER]: Object.is(value, -0) ? '-0' : String(value) };

export const exactJson = (content: unknown): string =>
  JSON.stringify(content, (_key, value: unknown) => {
    if (typeof value === 'number') return spelt(value);
    if (value instanceof Map) return { [MAP]: [...(value as Map<unknown, unknown>)] };
    if (!ArrayBuffer.isView(value)) return value;
    for (const [key, type] of Object.entries(ARRAYS)) if (value instanceof type) return { [key]: [...value] };
    throw new TypeError('an array of a kind that is not written');
  });

/** @throws {SyntaxError} */
export const parseExactJson = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    const keys = Object.keys(value);
    if (keys.length !== 1) return value;
    const [key] = keys;
    const content = (value as Record<string, unknown>)[key];
    if (key === NUMBER && typeof content === 'string') return Number(content);
    if (!Array.isArray(content)) return value;
    if (key === MAP) return new Map(content as [unknown, unknown][]);
    return Object.hasOwn(ARRAYS, key) ? ARRAYS[key as keyof typeof ARRAYS].from(content as number[]) : value;
  });
