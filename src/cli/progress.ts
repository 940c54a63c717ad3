/** Progress on standard error: a bar on a terminal, plain lines elsewhere. */
import type { RunInfo } from '@contract/methods';
import { runShare } from '@contract/progress';

const BAR_WIDTH = 30;
/** Least time between two plain lines, ms. */
const LINE_INTERVAL_MS = 1000;

/** `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

export class ProgressDisplay {
  readonly #note: (text: string) => void;
  readonly #terminal: boolean;
  readonly #now: () => number;
  #lastLine: number;
  #drawn = 0;
  #shownWarnings = new Set<string>();

  /** @param now milliseconds, monotonic */
  constructor(note: (text: string) => void, terminal: boolean, now: () => number) {
    this.#note = note;
    this.#terminal = terminal;
    this.#now = now;
    this.#lastLine = now();
  }

  show(run: RunInfo): void {
    const { statistics: s } = run;
    const share = runShare(run);
    const toGo = s.secondsToGo === null ? '' : `, ${duration(s.secondsToGo)} to go`;
    const text = `${Math.floor(100 * share)} %  t = ${s.simulatedTime.toPrecision(6)} s${toGo}`;
    if (this.#terminal) {
      const full = Math.round(BAR_WIDTH * share);
      this.#draw(`[${'#'.repeat(full)}${' '.repeat(BAR_WIDTH - full)}] ${text}`);
      return;
    }
    if (this.#now() - this.#lastLine < LINE_INTERVAL_MS) return;
    this.#lastLine = this.#now();
    const stalled = run.warnings.at(-1);
    const news = stalled !== undefined && !this.#shownWarnings.has(stalled) ? `  ${stalled}` : '';
    if (stalled !== undefined) this.#shownWarnings.add(stalled);
    this.#note(`${text}${news}\n`);
  }

  /** How many of several parts are done. */
  count(done: number, of: number, what: string): void {
    const share = of === 0 ? 1 : done / of;
    const text = `${Math.floor(100 * share)} %  ${done} of ${of} ${what}`;
    if (this.#terminal) {
      const full = Math.round(BAR_WIDTH * share);
      this.#draw(`[${'#'.repeat(full)}${' '.repeat(BAR_WIDTH - full)}] ${text}`);
      return;
    }
    if (this.#now() - this.#lastLine < LINE_INTERVAL_MS) return;
    this.#lastLine = this.#now();
    this.#note(`${text}\n`);
  }

  /** A line of its own, e.g. output of a script. */
  line(text: string): void {
    this.clear();
    this.#note(`${text}\n`);
  }

  /** Removes the bar. */
  clear(): void {
    if (this.#drawn > 0) this.#note(`\r${' '.repeat(this.#drawn)}\r`);
    this.#drawn = 0;
  }

  #draw(line: string): void {
    this.#note(`\r${line.padEnd(this.#drawn)}`);
    this.#drawn = line.length;
  }
}
