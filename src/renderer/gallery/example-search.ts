/** Finds examples by words of their titles, descriptions and references. */
import type { ExampleInfo } from '@contract/methods';

const plain = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase();

/** Examples in which every word of a query occurs; all of them for an empty one. */
export function matching(examples: readonly ExampleInfo[], query: string): ExampleInfo[] {
  const words = plain(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  return examples.filter(({ name, title, description, references }) => {
    const all = plain([name, title, description, ...references].join(' '));
    return words.every((word) => all.includes(word));
  });
}
