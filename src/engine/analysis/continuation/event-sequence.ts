/** The contacts and switches of orbits, one after the other, whatever their times. */
import type { EventRecord } from '../../event-driven/event-record';

type Events = readonly EventRecord[];

const same = (a: EventRecord, b: EventRecord): boolean => a.kind === b.kind && a.element === b.element;

export function sameEvents(a: Events, b: Events): boolean {
  return a.length === b.length && a.every((event, k) => same(event, b[k]));
}

/** Whether one sequence is the other with one event put in. */
export function differByOne(a: Events, b: Events): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (long.length !== short.length + 1) return false;
  let k = 0;
  while (k < short.length && same(short[k], long[k])) k++;
  return short.slice(k).every((event, l) => same(event, long[k + l + 1]));
}
