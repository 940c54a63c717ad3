/**
 * Keeps console.log of a script from flooding the channel: a force function is called thousands of times a
 * second, and messages too many to read would fill the memory of the host.
 */
import { plural } from '@engine/plural';
import type { ConsoleLine, ConsoleMessage } from '@engine/script/sandbox';

/** Lines let through in one period; enough for a user to see a pattern. */
const LINES_PER_PERIOD = 100;
const PERIOD_MS = 1000;
/** Longest line let through, characters. */
const MAX_LINE = 2000;

export class ConsoleLimiter {
  readonly #send: (message: ConsoleMessage) => void;
  readonly #now: () => number;
  #periodBegan = -Infinity;
  #sent = 0;
  #dropped = 0;
  #last: ConsoleMessage | null = null;

  /** @param now milliseconds, monotonic */
  constructor(send: (message: ConsoleMessage) => void, now: () => number) {
    this.#send = send;
    this.#now = now;
  }

  /**
   * Sends the line, or counts it as left out when too many came in this period.
   * @param time simulated, s; null before a run has begun
   */
  log({ script, level, text, line }: ConsoleLine, time: number | null): void {
    const now = this.#now();
    if (now - this.#periodBegan >= PERIOD_MS) {
      this.flush();
      this.#periodBegan = now;
      this.#sent = 0;
    }
    if (this.#sent >= LINES_PER_PERIOD) {
      this.#dropped++;
      this.#last = { script, level: 'info', text, line: null, time };
      return;
    }
    this.#sent++;
    const shown = text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)} …` : text;
    this.#send({ script, level, text: shown, line: line(), time });
  }

  /** Says how many lines were left out since it was last said. */
  flush(): void {
    if (this.#dropped === 0 || this.#last === null) return;
    this.#send({ ...this.#last, text: `… ${plural(this.#dropped, 'more line')} left out` });
    this.#dropped = 0;
  }
}
