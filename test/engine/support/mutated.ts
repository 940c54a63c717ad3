/** Models with one or two values in the place of others, drawn at random. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readDocument } from '@engine/document/read';
import type { ModelDocument } from '@engine/document/types';
import type { Random } from './random';

type Way = readonly (string | number)[];

const FOLDER = fileURLToPath(new URL('../../../resources/examples/', import.meta.url));
/** Larger models take their time, and have the same fields. */
const LARGEST_TEXT = 20_000;

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
};

/** What is put in the place of a value. */
const VALUES: readonly unknown[] = [
  ...['0/0', '1/0', '-1/0', '1e308*10', 'log(0)', 'sqrt(-1)', '1/(1-1)', 'x', '', 'm', '__proto__'],
  ...[1e308, -1e308, 1e200, 1e-308, 5e-324, 0, -0, -1, 1, 0.5, NaN, Infinity],
  ...[null, true, [], {}, [0], [[0]], ['0/0'], { function: 'nothing' }, nested(500)],
];

export interface Origin {
  readonly name: string;
  readonly document: ModelDocument;
}

/** Models of the gallery that no builder makes. */
export const gallery: readonly Origin[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.moreau.json'))
  .map((name) => ({ name, text: readFileSync(`${FOLDER}${name}`, 'utf8') }))
  .filter(({ text }) => text.length < LARGEST_TEXT)
  .flatMap(({ name, text }) => {
    const { document } = readDocument(text);
    // What builders are asked to build has no limit but memory.
    return document === null || document.scripts.some(({ role }) => role === 'builder')
      ? []
      : [{ name, document }];
  });

/** Ways to everything in the sections of a model that a run reads. */
function waysOf(value: unknown, way: Way = []): Way[] {
  if (typeof value !== 'object' || value === null) return [way];
  const inside = Object.entries(value).flatMap(([key, own]) =>
    way.length === 0 && ['scripts', 'layout', 'references', 'title', 'description'].includes(key)
      ? []
      : waysOf(own, [...way, Array.isArray(value) ? Number(key) : key]),
  );
  return way.length === 0 ? inside : [way, ...inside];
}

function put(document: ModelDocument, way: Way, value: unknown): void {
  const owner = way
    .slice(0, -1)
    .reduce<unknown>(
      (node, key) => (node as Record<string | number, unknown> | null | undefined)?.[key],
      document,
    );
  // An array without some of its elements is no JSON.
  const isThere = !Array.isArray(owner) || Number(way[way.length - 1]) <= owner.length;
  if (typeof owner === 'object' && owner !== null && isThere)
    (owner as Record<string | number, unknown>)[way[way.length - 1]] = value;
}

/** Something else that happens to a model; what it says it did, null where it does not apply. */
export type Change = (document: ModelDocument, random: Random) => string | null;

/** Draws one of the models in which something else stands, and says what that is. */
export function mutating(origins: readonly Origin[], changes: readonly Change[] = []) {
  const ways = origins.map(({ document }) => waysOf(document));
  return (random: Random): { document: ModelDocument; what: string } => {
    const { chance, integer } = random;
    const pick = <T>(list: readonly T[]): T => list[integer(0, list.length - 1)];
    const i = integer(0, origins.length - 1);
    const document = structuredClone(origins[i].document);
    const said: string[] = [];
    let left = chance(0.7) ? 1 : 2;
    // Changes first: they are of models that are still what their types say.
    for (; left > 0 && changes.length > 0 && chance(0.6); left--) {
      const done = pick(changes)(document, random);
      if (done !== null) said.push(done);
    }
    for (; left > 0; left--) {
      const [way, value] = [pick(ways[i]), pick(VALUES)];
      put(document, way, structuredClone(value));
      said.push(`${way.join('/')} = ${JSON.stringify(value)?.slice(0, 40) ?? String(value)}`);
    }
    return { document, what: `${origins[i].name}: ${said.join(', ')}` };
  };
}
