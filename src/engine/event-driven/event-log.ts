/**
 * The events of a simulation so far. Impacts of motion that is not recorded come by the hundred thousand and
 * are seldom asked for: numbers of theirs are kept in blocks, which become records where they are read.
 */
import type { StepWriter } from '../straight-line/writer';
import type { EventKind, EventRecord } from './event-record';

/**
 * Time, row, ẏ before and after, and impulse of an impact; of another kind of event the row is that and the
 * number of the kind times that of the rows.
 */
const WIDTH = 5;
/** Kinds of events that are kept as numbers, by their number. */
const KINDS: readonly EventKind[] = [
  'impact',
  'closing',
  'takeOff',
  'release',
  'slidingOn',
  'slidingOff',
  'switch',
];
/** Impacts in a block. */
const LENGTH = 1024;

/** What impacts are of, by row. */
export interface EventElements {
  readonly ids: readonly string[];
  /** row of the model */
  readonly owner: ArrayLike<number>;
}

/** What of an impact is written: text of numbers. */
interface WrittenImpact {
  readonly time: string;
  readonly before: string;
  readonly after: string;
  readonly impulse: string;
}

export class EventLog {
  readonly #records: EventRecord[] = [];
  /** blocks of events that are not among the records yet, full but for `#block`, which follows them */
  readonly #blocks: Float64Array[] = [];
  readonly #block = new Float64Array(WIDTH * LENGTH);
  /** [0] numbers in the last block, [1] events in the others */
  readonly #used = new Int32Array(2);
  /** those that are no plain impacts: the k-th stands for the row −1 − k */
  readonly #others: EventRecord[] = [];

  constructor(private readonly elements: EventElements) {}

  get length(): number {
    return this.#records.length + this.#used[1] + this.#used[0] / WIDTH;
  }

  /** Element of the last event; empty where there was none. */
  get lastElement(): string {
    const used = this.#used[0];
    if (used > 0) return this.#elementAt(this.#block, used - WIDTH);
    const block = this.#blocks.at(-1);
    if (block !== undefined) return this.#elementAt(block, block.length - WIDTH);
    return this.#records.at(-1)?.element ?? '';
  }

  #elementAt(block: Float64Array, at: number): string {
    const row = block[at + 1];
    const { ids } = this.elements;
    return row < 0 ? this.#others[-1 - row].element : ids[row % ids.length];
  }

  /** All records, in the order of events; read where it stands. */
  get records(): readonly EventRecord[] {
    for (const block of this.#blocks) this.#tell(block);
    this.#tell(this.#block.subarray(0, this.#used[0]));
    this.#forget();
    return this.#records;
  }

  push(record: EventRecord): void {
    if (this.#used[0] === WIDTH * LENGTH) this.turn();
    this.#block[this.#used[0] + 1] = -1 - this.#others.length;
    this.#used[0] += WIDTH;
    this.#others.push(record);
  }

  /** Adds an event without impulse. @param kind its number */
  add(clock: Float64Array, kind: number, row: number, before: number, after: number): void {
    if (this.#used[0] === WIDTH * LENGTH) this.turn();
    const block = this.#block;
    const at = this.#used[0];
    this.#used[0] = at + WIDTH;
    block[at] = clock[0];
    block[at + 1] = row + kind * this.elements.ids.length;
    block[at + 2] = before;
    block[at + 3] = after;
    block[at + 4] = 0;
  }

  /** Number of a kind of event; −1 of those that are kept as records only. */
  static numberOf(kind: EventKind): number {
    return KINDS.indexOf(kind);
  }

  clear(): void {
    this.#records.length = 0;
    this.#forget();
  }

  #forget(): void {
    this.#blocks.length = 0;
    this.#others.length = 0;
    this.#used.fill(0);
  }

  /** Writes the entry of an impact. */
  write(w: StepWriter, row: number, { time, before, after, impulse }: WrittenImpact): void {
    const [block, used] = [w.bind(this.#block), w.bind(this.#used)];
    w.line(`{ if (${used}[0] === ${WIDTH * LENGTH}) ${w.bind(this)}.turn();`);
    w.line(`const at = ${used}[0]; ${used}[0] = at + ${WIDTH};`);
    w.line(`${block}[at] = ${time}; ${block}[at + 1] = ${row}; ${block}[at + 2] = ${before};`);
    w.line(`${block}[at + 3] = ${after}; ${block}[at + 4] = ${impulse}; }`);
  }

  /** The block is full: another one begins. */
  turn(): void {
    this.#blocks.push(this.#block.slice());
    this.#used[0] = 0;
    this.#used[1] += LENGTH;
  }

  #tell(block: Float64Array): void {
    const { ids, owner } = this.elements;
    for (let at = 0; at < block.length; at += WIDTH) {
      const row = block[at + 1];
      if (row < 0) {
        this.#records.push(this.#others[-1 - row]);
        continue;
      }
      const own = row % ids.length;
      this.#records.push({
        time: block[at],
        kind: KINDS[(row - own) / ids.length],
        element: ids[own],
        row: owner[own],
        before: block[at + 2],
        after: block[at + 3],
        impulse: block[at + 4],
        accumulation: null,
      });
    }
  }
}
