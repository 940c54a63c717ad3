/**
 * What ends a flight: functions g(t, x) that pass zero together. A motion that is δ off passes them later by
 * −∇g δ/ġ, with ġ = ∂g/∂t + ∇g f⁻. Those of one event have to say the same of all disturbances that are
 * followed; where they do not, motions nearby pass them one after the other, in an order that depends on
 * where they are. A function of time, and one that is the same for all that is left of disturbances, say that
 * all motions meet the event together.
 */

/** Times at which functions are passed, relative to what cancels in them, that are the same. */
const PARALLEL = 1e-6;
/** Speeds of passing, relative to what cancels in them, that count as none. */
const GRAZING = 1e-9;
/** What rounding leaves of a sum that is zero, as a part of its terms. */
const ROUNDING = 1e-10;

export class EventLimit {
  /** ∇g of the first function that depends on the state */
  readonly gradient: Float64Array;
  /** ġ of it; NaN where there is none */
  speed = Number.NaN;
  /** whether something happens at a given time */
  isTimed = false;
  /** whether functions say different things */
  isCorner = false;
  #terms = 0;
  /** when and by how much later, by disturbance, the last event was passed */
  #lastTime = Number.NaN;
  readonly #last: Float64Array;

  /** @param frame disturbances, n entries of each */
  constructor(
    private readonly n: number,
    private readonly frame: Float64Array,
  ) {
    this.gradient = new Float64Array(n);
    this.#last = new Float64Array(frame.length / n);
  }

  begin(): void {
    this.speed = Number.NaN;
    this.isTimed = false;
    this.isCorner = false;
  }

  /** Whether a function that depends on the state is known. */
  get isByState(): boolean {
    return !Number.isNaN(this.speed);
  }

  /** Whether motions pass it at no speed. */
  get isGrazing(): boolean {
    return !(Math.abs(this.speed) > GRAZING * this.#terms);
  }

  /** A function of time. */
  meetTime(): void {
    this.isTimed = true;
    if (this.isByState) this.isCorner = true;
  }

  /**
   * @param gradient ∇g
   * @param byTime ∂g/∂t; NaN where g has no derivative
   * @param rate f⁻
   */
  meet(gradient: Float64Array, byTime: number, rate: Float64Array): void {
    let speed = byTime;
    let terms = Math.abs(byTime);
    for (let i = 0; i < rate.length; i++) {
      speed += gradient[i] * rate[i];
      terms += Math.abs(gradient[i] * rate[i]);
    }
    if (Number.isNaN(speed)) this.isCorner = true;
    else if (!this.#dependsOnState(gradient)) this.meetTime();
    else if (!this.isByState) {
      this.gradient.set(gradient);
      this.speed = speed;
      this.#terms = terms;
      if (this.isTimed) this.isCorner = true;
    } else if (!this.isMetBy(gradient, speed)) this.isCorner = true;
  }

  /**
   * Whether motions nearby pass this event behind the last one, as this motion does. To be asked once at
   * each.
   * @param near s, within which events may be in another order there
   */
  isApart(time: number, near: number): boolean {
    const { n, frame } = this;
    const isNear = time - this.#lastTime <= near;
    let isApart = true;
    for (let c = 0; c < this.#last.length; c++) {
      let [sum, terms] = [0, 0];
      for (let i = 0; i < n && this.isByState; i++) {
        const term = (this.gradient[i] / this.speed) * frame[c * n + i];
        sum += term;
        terms += Math.abs(term);
      }
      const difference = Math.abs(sum - this.#last[c]);
      if (isNear && difference > PARALLEL * (terms + Math.abs(this.#last[c]))) isApart = false;
      this.#last[c] = sum;
    }
    this.#lastTime = time;
    return isApart;
  }

  /** Disturbances are combined with each other: times that they were late by mean nothing any more. */
  forget(): void {
    this.#lastTime = Number.NaN;
  }

  #dependsOnState(gradient: Float64Array): boolean {
    const { n, frame } = this;
    for (let at = 0; at < frame.length; at += n) {
      let [sum, terms] = [0, 0];
      for (let i = 0; i < n; i++) {
        const term = gradient[i] * frame[at + i];
        sum += term;
        terms += Math.abs(term);
      }
      if (Math.abs(sum) > ROUNDING * terms) return true;
    }
    return false;
  }

  /** Whether a function with this ∇g and ġ is passed by motions nearby when this limit is. */
  isMetBy(gradient: Float64Array, speed: number): boolean {
    const { n, frame } = this;
    for (let at = 0; at < frame.length; at += n) {
      let [difference, terms] = [0, 0];
      for (let i = 0; i < n; i++) {
        const [own, other] = [this.gradient[i] / this.speed, gradient[i] / speed];
        difference += (other - own) * frame[at + i];
        terms += (Math.abs(own) + Math.abs(other)) * Math.abs(frame[at + i]);
      }
      if (Math.abs(difference) > PARALLEL * terms) return false;
    }
    return true;
  }
}
