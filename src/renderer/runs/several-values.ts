/** Values of a parameter for runs side by side, as they are typed. */

/** Most runs started together: the host computes no more at a time. */
export const MOST_VALUES = 16;

/** `0.2, 0.5` or `from:to:number`; null where it is neither, or too many. */
export function parseValues(typed: string, most = MOST_VALUES): number[] | null {
  const text = typed.trim();
  if (text === '') return null;
  const range = text.split(':').map((part) => Number(part.trim()));
  if (range.length === 3) {
    const [from, to, count] = range;
    if (!range.every(Number.isFinite) || !Number.isInteger(count) || count < 2 || count > most) return null;
    return Array.from({ length: count }, (_, k) => from + ((to - from) * k) / (count - 1));
  }
  const parts = text.split(/[,;\s]+/).filter((part) => part !== '');
  const values = parts.map(Number);
  return values.length <= most && values.every(Number.isFinite) ? values : null;
}
