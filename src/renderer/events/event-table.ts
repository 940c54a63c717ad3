/** Events of a run in columns: half a million of them take some megabytes instead of as many objects. */
import type { RunEvent } from '@contract/methods';

export type EventRowKind = RunEvent['kind'];

/** An event as the window shows it. */
export interface EventRow {
  /** position among the events of the run, from 0 */
  index: number;
  /** s */
  time: number;
  kind: EventRowKind;
  element: string;
  before: number;
  after: number;
  impulse: number;
}

/** Where impacts accumulate. */
export interface Accumulation {
  element: string;
  /** time of the event, from which the contact rests, s */
  from: number;
  /** limit of the impact times and its error bar, s; null where the flights showed no limit */
  limit: { time: number; error: number } | null;
}

/** Which events are listed. */
export interface EventFilter {
  /** null: all */
  element: string | null;
  kind: EventRowKind | null;
}

const FIRST_CAPACITY = 256;

/** Places a number, so that a column of kinds and one of elements are as compact as the others. */
class Dictionary<T> {
  readonly values: T[] = [];
  readonly #places = new Map<T, number>();

  place(value: T): number {
    const known = this.#places.get(value);
    if (known !== undefined) return known;
    const made = this.values.push(value) - 1;
    this.#places.set(value, made);
    return made;
  }

  /** −1 for a value that has not been met */
  find(value: T): number {
    return this.#places.get(value) ?? -1;
  }
}

export class EventTable {
  length = 0;
  readonly accumulations: Accumulation[] = [];
  readonly #kinds = new Dictionary<EventRowKind>();
  readonly #elements = new Dictionary<string>();
  #kind = new Uint8Array(FIRST_CAPACITY);
  #element = new Uint32Array(FIRST_CAPACITY);
  #time = new Float64Array(FIRST_CAPACITY);
  #before = new Float64Array(FIRST_CAPACITY);
  #after = new Float64Array(FIRST_CAPACITY);
  #impulse = new Float64Array(FIRST_CAPACITY);

  /** Kinds met so far, in the order of their first event. */
  get kinds(): readonly EventRowKind[] {
    return this.#kinds.values;
  }

  /**
   * Elements met so far, in the order of their first event; of events that belong to none, the empty name.
   */
  get elements(): readonly string[] {
    return this.#elements.values;
  }

  append(events: readonly RunEvent[]): void {
    this.#reserve(this.length + events.length);
    for (const { time, kind, element, before, after, impulse, accumulation } of events) {
      const at = this.length++;
      this.#time[at] = time;
      this.#kind[at] = this.#kinds.place(kind);
      this.#element[at] = this.#elements.place(element);
      this.#before[at] = before;
      this.#after[at] = after;
      this.#impulse[at] = impulse;
      if (kind === 'zeno') this.accumulations.push({ element, from: time, limit: accumulation });
    }
  }

  /** @throws {RangeError} where there is no such event */
  row(index: number): EventRow {
    const kind = this.#kinds.values[this.#kind[index] ?? -1];
    const element = this.#elements.values[this.#element[index] ?? -1];
    if (index >= this.length || kind === undefined || element === undefined)
      throw new RangeError(`there is no event ${index}`);
    return {
      index,
      time: this.#time[index] ?? NaN,
      kind,
      element,
      before: this.#before[index] ?? NaN,
      after: this.#after[index] ?? NaN,
      impulse: this.#impulse[index] ?? NaN,
    };
  }

  /** Indices of the events that pass, in time order; null where all do. */
  select({ element, kind }: EventFilter): Uint32Array | null {
    if (element === null && kind === null) return null;
    const elementPlace = element === null ? -1 : this.#elements.find(element);
    const kindPlace = kind === null ? -1 : this.#kinds.find(kind);
    const found = new Uint32Array(this.length);
    let count = 0;
    for (let i = 0; i < this.length; i++) {
      if (element !== null && this.#element[i] !== elementPlace) continue;
      if (kind !== null && this.#kind[i] !== kindPlace) continue;
      found[count++] = i;
    }
    return found.slice(0, count);
  }

  /** Index of the first event at or after a time. */
  indexAt(time: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#time[middle] ?? 0) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Different times of events in a window, s; null where there are more than `most`. */
  timesWithin(from: number, to: number, most: number): Float64Array | null {
    const times: number[] = [];
    for (let i = this.indexAt(from); i < this.length; i++) {
      const time = this.#time[i] ?? Infinity;
      if (time > to) break;
      if (times.at(-1) === time) continue;
      if (times.length === most) return null;
      times.push(time);
    }
    return Float64Array.from(times);
  }

  #reserve(count: number): void {
    if (count <= this.#time.length) return;
    const capacity = Math.max(count, 2 * this.#time.length);
    const grown = <T extends Uint8Array | Uint32Array | Float64Array>(old: T, made: T): T => {
      made.set(old);
      return made;
    };
    this.#kind = grown(this.#kind, new Uint8Array(capacity));
    this.#element = grown(this.#element, new Uint32Array(capacity));
    this.#time = grown(this.#time, new Float64Array(capacity));
    this.#before = grown(this.#before, new Float64Array(capacity));
    this.#after = grown(this.#after, new Float64Array(capacity));
    this.#impulse = grown(this.#impulse, new Float64Array(capacity));
  }
}

/** The events as comma-separated values, numbers in full. @param selected indices; null for all */
export function eventsCsv(table: EventTable, selected: Uint32Array | null): string {
  const lines = ['time [s],element,kind,velocity before,velocity after,impulse'];
  const count = selected?.length ?? table.length;
  for (let i = 0; i < count; i++) {
    const { time, element, kind, before, after, impulse } = table.row(selected?.[i] ?? i);
    lines.push(`${time},${element},${kind},${before},${after},${impulse}`);
  }
  return `${lines.join('\n')}\n`;
}
