/**
 * The events of a simulation so far. Impacts of motion that is not recorded come by the hundred thousand and
 * are seldom asked for: numbers of theirs are kept in blocks, and become records when somebody reads them.
 */
import type { StepWriter } from '../straight-line/writer';
import type { EventRecord } from './event-record';

/** Time, row, ẏ before and after, and impulse of an impact. */
const WIDTH = 5;
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
  /** blocks of impacts without records, full but for `#block`, which follows them */
  readonly #blocks: Float64Array[] = [];
  readonly #block = new Float64Array(WIDTH * LENGTH);
  /** [0] numbers in the last block, [1] impacts in the others */
  readonly #used = new Int32Array(2);
  #lastElement = '';

  constructor(private readonly elements: EventElements) {}

  get length(): number {
    return this.#records.length + this.#used[1] + this.#used[0] / WIDTH;
  }

  /** Element of the last event; empty where there was none. */
  get lastElement(): string {
    const used = this.#used[0];
    if (used === 0) return this.#lastElement;
    return this.elements.ids[this.#block[used - WIDTH + 1]];
  }

  /** All records, in the order of events; read where it stands. */
  get records(): readonly EventRecord[] {
    if (this.#used[0] > 0 || this.#blocks.length > 0) this.#tell();
    return this.#records;
  }

  push(...records: readonly EventRecord[]): void {
    if (this.#used[0] > 0 || this.#blocks.length > 0) this.#tell();
    for (const record of records) {
      this.#records.push(record);
      this.#lastElement = record.element;
    }
  }

  clear(): void {
    this.#records.length = 0;
    this.#blocks.length = 0;
    this.#used.fill(0);
    this.#lastElement = '';
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
    this.#lastElement = this.lastElement;
    this.#blocks.push(this.#block.slice());
    this.#used[0] = 0;
    this.#used[1] += LENGTH;
  }

  #tell(): void {
    this.#lastElement = this.lastElement;
    for (const block of this.#blocks) this.#tellOf(block);
    this.#tellOf(this.#block.subarray(0, this.#used[0]));
    this.#blocks.length = 0;
    this.#used.fill(0);
  }

  #tellOf(block: Float64Array): void {
    const { ids, owner } = this.elements;
    for (let at = 0; at < block.length; at += WIDTH)
      this.#records.push({
        time: block[at],
        kind: 'impact',
        element: ids[block[at + 1]],
        row: owner[block[at + 1]],
        before: block[at + 2],
        after: block[at + 3],
        impulse: block[at + 4],
        accumulation: null,
      });
  }
}
