/**
 * Whether sweeps go on or hand over to a method with factors. Their rate over the second half of the sweeps so far tells how many are left, were it to stay; the
 * other method is worth as many sweeps as take its expected work (`work.ts`). A rate that is measured early says little, so sweeps first have a part of
 * that worth to show what they can; and one that is slow seldom becomes better, so that they end when those left are a third of it.
 */

/** Sweeps before the first look, and by what their number grows from look to look. */
const FIRST_LOOK = 20;
const NEXT_LOOK = 1.2;
/** So few sweeps left are made without asking what else there is. */
const FEW = 60;
const MOST_LEFT = 0.3;

/** Another method, in sweeps. */
export interface Alternative {
  /** what it costs */
  readonly worth: number;
  /** part of that which sweeps have before it may take over */
  readonly trial: number;
}

export class SweepOutlook {
  /** expected residual over the tolerance after each sweep */
  readonly #course: Float64Array;
  #look = FIRST_LOOK;
  #alternative: Alternative | null = null;

  /** @param most sweeps @param alternative asked for once a solve, when sweeps are slow */
  constructor(
    most: number,
    private readonly alternative: () => Alternative,
  ) {
    this.#course = new Float64Array(most + 1);
  }

  begin(): void {
    this.#look = FIRST_LOOK;
    this.#alternative = null;
  }

  /** @param sweep made by now, from 1 @param distance its expected residual over the tolerance */
  goesOn(sweep: number, distance: number): boolean {
    this.#course[sweep] = distance;
    if (sweep < this.#look) return true;
    this.#look = Math.ceil(NEXT_LOOK * sweep);
    const left = this.#sweepsLeft(sweep);
    if (left <= FEW) return true;
    this.#alternative ??= this.alternative();
    const { worth, trial } = this.#alternative;
    if (sweep >= trial * worth) return left <= MOST_LEFT * worth;
    this.#look = Math.min(this.#look, Math.ceil(trial * worth));
    return true;
  }

  /** Infinite where they come no nearer. */
  #sweepsLeft(sweep: number): number {
    const middle = Math.floor(sweep / 2);
    const rate = Math.log(this.#course[middle] / this.#course[sweep]) / (sweep - middle);
    return rate > 0 ? Math.log(this.#course[sweep]) / rate : Number.POSITIVE_INFINITY;
  }
}
