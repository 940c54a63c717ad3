/** Reads the recorded sample under the cursor of a decimated plot. */
import type { ReadResult } from '@contract/methods';
import { LatestWins } from '../plot/latest-wins';
import { type Sample, sampleNear } from '../plot/readout';

/** Where the cursor stands. */
export interface CursorQuestion {
  runId: string;
  signals: string[];
  /** time under the cursor, s */
  t: number;
  /** distance of the recorded rows, s */
  spacing: number;
}

/** A read around the cursor as the host is asked for it. */
export interface CursorWindow {
  runId: string;
  signals: string[];
  from: number;
  to: number;
  buckets: number;
}

/** Rest of the cursor before its sample is asked for, ms. */
const DELAY = 60;
/** Rows asked for on either side of the cursor: the spacing is an average. */
const ROWS_EACH_SIDE = 4;
/** More than the rows that can come, so that they come as they were recorded. */
const BUCKETS = 64;

/** Asks for the sample nearest to the cursor once it rests; one question in flight, the latest wins. */
export class CursorReader {
  readonly #reader: LatestWins<CursorQuestion, ReadResult>;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param read asks the host
   * @param apply takes the sample; null when no row lies near the cursor
   */
  constructor(
    read: (window: CursorWindow) => Promise<ReadResult>,
    apply: (sample: Sample | null) => void,
    fail: (error: unknown) => void,
  ) {
    this.#reader = new LatestWins(
      ({ runId, signals, t, spacing }) => {
        const reach = ROWS_EACH_SIDE * spacing;
        return read({ runId, signals, from: t - reach, to: t + reach, buckets: BUCKETS });
      },
      (result, { t }) => apply(sampleNear(result, t)),
      fail,
    );
  }

  /** The cursor moved; null: it left the plot. */
  move(question: CursorQuestion | null): void {
    clearTimeout(this.#timer);
    if (question !== null) this.#timer = setTimeout(() => void this.#reader.ask(question), DELAY);
  }

  /** Answers that still come are dropped. */
  close(): void {
    clearTimeout(this.#timer);
    this.#reader.close();
  }
}
