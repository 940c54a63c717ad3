/** The classical Runge–Kutta method of order four with steps of constant length. W. Kutta, 1901. */
import type { MotionStatus } from './status';

export interface RateFunction {
  readonly size: number;
  rate(clock: Float64Array, x: Float64Array, out: Float64Array): MotionStatus;
}

export class RungeKutta4 {
  readonly #stageClock = new Float64Array(1);
  readonly #stage: Float64Array;
  readonly #rate: Float64Array;
  readonly #sum: Float64Array;

  constructor(readonly equation: RateFunction) {
    const { size } = equation;
    this.#stage = new Float64Array(size);
    this.#rate = new Float64Array(size);
    this.#sum = new Float64Array(size);
  }

  /**
   * x(t) → x(t + h).
   * @param clock t, is kept @param h s @param x stays as it was unless the status is `ok`
   */
  step(clock: Float64Array, h: Float64Array, x: Float64Array): MotionStatus {
    const { equation } = this;
    const stage = this.#stage;
    const rate = this.#rate;
    const sum = this.#sum;
    const stageClock = this.#stageClock;
    sum.fill(0);
    stage.set(x);
    for (let s = 0; s < 4; s++) {
      stageClock[0] = s === 0 ? clock[0] : s === 3 ? clock[0] + h[0] : clock[0] + 0.5 * h[0];
      const status = equation.rate(stageClock, stage, rate);
      if (status !== 'ok') return status;
      const weight = s === 0 || s === 3 ? h[0] / 6 : h[0] / 3;
      const next = s === 2 ? h[0] : 0.5 * h[0];
      for (let i = 0; i < x.length; i++) {
        sum[i] += weight * rate[i];
        stage[i] = x[i] + next * rate[i];
      }
    }
    for (let i = 0; i < x.length; i++) x[i] += sum[i];
    return 'ok';
  }
}
