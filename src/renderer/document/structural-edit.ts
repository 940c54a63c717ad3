/** Brings a document to another one by the least change of its structure: what is equal is left as it is. */

type Json = unknown;
type Section = Record<string, Json>;

const isSection = (value: Json): value is Section =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True when two values of JSON are the same; the order of keys does not count. */
export function sameJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    const other: Json[] = b;
    return a.every((entry, i) => sameJson(entry, other[i]));
  }
  if (!isSection(a) || !isSection(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}

/** What tells an entry of a list from the others; undefined where it has no name. */
function identity(value: Json): Json {
  if (!isSection(value)) return undefined;
  return value['id'] ?? value['name'];
}

/** Whether an entry is the same thing as another, perhaps changed. */
const isSameThing = (a: Json, b: Json): boolean => {
  const name = identity(a);
  return name !== undefined && name === identity(b);
};

/** How many entries from the start of both lists pass a test; `limit` at most. */
function run(limit: number, test: (k: number) => boolean): number {
  let count = 0;
  while (count < limit && test(count)) count++;
  return count;
}

function changeList(target: Json[], before: readonly Json[], after: readonly Json[]): void {
  const shortest = Math.min(before.length, after.length);
  const last = (list: readonly Json[], k: number): Json => list[list.length - 1 - k];
  const isKept = (a: Json, b: Json): boolean => sameJson(a, b) || isSameThing(a, b);
  const isPairwise = before.length === after.length;
  const head = isPairwise ? shortest : run(shortest, (k) => isKept(before[k], after[k]));
  const tail = run(shortest - head, (k) => isKept(last(before, k), last(after, k)));
  for (let k = 0; k < head; k++) changeAt(target, k, before[k], after[k]);
  // From the end, so that the places before stay what they are.
  for (let k = 0; k < tail; k++) changeAt(target, before.length - 1 - k, last(before, k), last(after, k));
  const removed = before.length - head - tail;
  const added = after.slice(head, after.length - tail);
  if (removed > 0 || added.length > 0) target.splice(head, removed, ...added);
}

function changeAt(target: Section | Json[], key: string | number, before: Json, after: Json): void {
  const holder = target as Section;
  if (sameJson(before, after)) return;
  if (isSection(before) && isSection(after)) changeSection(holder[key] as Section, before, after);
  else if (Array.isArray(before) && Array.isArray(after)) changeList(holder[key] as Json[], before, after);
  else holder[key] = after;
}

function changeSection(target: Section, before: Section, after: Section): void {
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) delete target[key];
  for (const [key, value] of Object.entries(after)) {
    if (Object.hasOwn(before, key)) changeAt(target, key, before[key], value);
    else target[key] = value;
  }
}

/**
 * Changes `target`, which is a draft of `before`, so that it is `after`. `before` is compared in place of the
 * draft: reading a draft makes copies.
 */
export function changeInto<T extends object>(target: T, before: T, after: T): void {
  changeSection(target as Section, before as Section, after as Section);
}
