/** Contacts at a moment, gathered by the bodies between which they are. */
import type { ContactPattern, MomentContacts } from '@engine/inspection/contacts-at';

export interface ContactPair {
  readonly interaction: string;
  /** places in the scene; −1 for what does not move */
  readonly bodies: readonly [number, number];
  /** numbers of its contacts, ascending */
  readonly contacts: readonly number[];
}

/** Pairs in the order of their first contacts. */
export function contactPairs({ count, bodies, interactions, interactionOf }: MomentContacts): ContactPair[] {
  const pairs = new Map<string, ContactPair & { contacts: number[] }>();
  for (let contact = 0; contact < count; contact++) {
    const [first = -1, second = -1] = bodies.subarray(2 * contact, 2 * contact + 2);
    const place = interactionOf[contact] ?? -1;
    const key = `${place} ${first} ${second}`;
    const known = pairs.get(key);
    if (known !== undefined) known.contacts.push(contact);
    else
      pairs.set(key, {
        interaction: interactions[place] ?? '',
        bodies: [first, second],
        contacts: [contact],
      });
  }
  return [...pairs.values()];
}

/** Contacts of other pairs that those of a pair act on, ascending. */
export function actsOn({ contacts }: ContactPair, { rowStart, columns }: ContactPattern): number[] {
  const own = new Set(contacts);
  const found = new Set<number>();
  for (const row of contacts)
    for (const column of columns.subarray(rowStart[row], rowStart[row + 1]))
      if (!own.has(column)) found.add(column);
  return [...found].sort((a, b) => a - b);
}

/**
 * A body that has both contacts and can be pushed; −1 where there is none.
 * @param isFree whether contacts move a body, by its place in the scene
 */
export function sharedBody(
  { bodies }: Pick<MomentContacts, 'bodies'>,
  row: number,
  column: number,
  isFree: (body: number) => boolean,
): number {
  const others = bodies.subarray(2 * column, 2 * column + 2);
  const own = bodies.subarray(2 * row, 2 * row + 2);
  return own.find((body) => body >= 0 && isFree(body) && others.includes(body)) ?? -1;
}

export const hasBlock = ({ rowStart, columns }: ContactPattern, row: number, column: number): boolean =>
  columns.subarray(rowStart[row], rowStart[row + 1]).includes(column);
