/**
 * A count with its noun, for messages: `1 row`, `2 rows`, `0 rows`.
 * @param many the plural, where it is not the singular with an s
 */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
