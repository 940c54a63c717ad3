/**
 * Control of the step length. Between events the local error of the θ-method follows from divided differences
 * of the accepted states: with s the state and [t_{k+1}, t_k, …]s its divided differences,
 *
 *     θ = ½:  error ≈ h³ |s‴| / 12,    s‴ = 6 [t_{k+1}, t_k, t_{k−1}, t_{k−2}] s
 *     θ ≠ ½:  error ≈ |θ − ½| h² |s″|,  s″ = 2 [t_{k+1}, t_k, t_{k−1}] s
 *
 * (the leading terms of the trapezoidal rule and of Euler's rules). A step whose error exceeds the tolerance
 * is repeated with half its length; after one that is well below it the next is twice as long. Steps are h
 * 2^j, so that a run factorises for few lengths only.
 *
 * An impact has no error expansion. A step in which a contact closes is repeated with shorter steps down to
 * the smallest, so that the impact is located to within that, and the history of differences starts afresh
 * after it.
 */
import type { AssignedIntegrator } from '../integrators/registry';
import type { StepContext } from '../integrators/step';
import type { StateArchive } from '../state-archive';
import { dividedStep, fixedStep } from './failures';
import type { CarryOver, StepControlState } from './state';

export interface StepControlSettings {
  /** largest local error, relative to the largest magnitude a coordinate has had */
  readonly tolerance: number;
  /** s */
  readonly hMin: number;
  readonly hMax: number;
}

/** Accepted states that the differences reach back. */
const HISTORY = 3;
/** The next step doubles when its error is expected to stay below this part of the tolerance. */
const DOUBLING_PART = 0.5;

/** Lengths that differ by less are the same one, halved and doubled a few times. */
const LENGTH_ROUNDING = 1e-9;

export class StepControl {
  /** accepted states: positions and velocities, newest first, and their times */
  readonly #states: Float64Array[];
  readonly #times = new Float64Array(HISTORY + 1);
  #known = 0;
  /** by group */
  readonly #scale: Float64Array;
  /** by coordinate */
  readonly #groupOf: Int32Array;
  /** [0] estimate of the last step, relative to the tolerance */
  readonly #error = new Float64Array(1);
  readonly #order: 1 | 2;
  readonly #factor: number;
  #wasRejected = false;
  /** length to go on with behind a stop that a step was shortened for, s; 0 where none was */
  #resumed = 0;
  /** steps that were repeated */
  rejected = 0;

  /**
   * @param isFixed whether all steps have one length without it
   * @returns null where the step is not controlled
   * @throws {EngineError} for an integrator whose steps must have one length
   */
  static create(
    {
      stepControl,
      integrators,
    }: {
      readonly stepControl: StepControlSettings | null;
      readonly integrators: readonly AssignedIntegrator[];
    },
    context: StepContext,
    present: Float64Array,
    isFixed: boolean,
  ): StepControl | null {
    const fixed = integrators.find(({ type }) => type === 'SchatzmanPaoli');
    if (fixed !== undefined && stepControl === null && !isFixed)
      throw dividedStep(context.ids[fixed.systems[0]]);
    if (stepControl === null) return null;
    if (fixed !== undefined) throw fixedStep(context.ids[fixed.systems[0]]);
    const thetas = integrators.flatMap(({ numbers }) => (numbers.theta === undefined ? [] : [numbers.theta]));
    const control = new StepControl(stepControl, context, present, thetas);
    control.start();
    return control;
  }

  /**
   * @param present positions and velocities within the state
   * @param thetas weights of all integrators: with any other than ½ the order is 1
   */
  constructor(
    private readonly settings: StepControlSettings,
    private readonly context: Pick<StepContext, 'h' | 'clock' | 'clock0'>,
    private readonly present: Float64Array,
    thetas: readonly number[],
    /**
     * by coordinate: those with one number are measured by their largest together, as the components of a
     * vector; each by itself when left out
     */
    groupOf?: Int32Array,
  ) {
    const distance = Math.max(0, ...thetas.map((theta) => Math.abs(theta - 0.5)));
    this.#order = distance === 0 ? 2 : 1;
    this.#factor = distance === 0 ? 1 / 2 : 2 * distance;
    this.#states = Array.from({ length: HISTORY }, () => new Float64Array(present.length));
    this.#groupOf = groupOf ?? Int32Array.from(present, (_, i) => i);
    this.#scale = new Float64Array(present.length);
  }

  /** Takes the initial state. */
  start(): void {
    this.#push(this.context.clock0[0]);
  }

  exchange(archive: StateArchive): void {
    for (const state of this.#states) archive.fixed(state);
    archive.fixed(this.#times);
    archive.fixed(this.#scale);
    archive.fixed(this.#error);
    archive.fixed(this.context.h);
    this.#known = archive.value(this.#known);
    this.#wasRejected = archive.value(this.#wasRejected);
    this.#resumed = archive.value(this.#resumed);
    this.rejected = archive.value(this.rejected);
  }

  /** A copy of what it remembers. */
  save(): StepControlState {
    return {
      states: this.#states.map((state) => state.slice()),
      times: this.#times.slice(),
      known: this.#known,
      scale: this.#scale.slice(),
      resumed: this.#resumed,
      rejected: this.rejected,
    };
  }

  /**
   * Goes on from a state, after `start`. Where the change of the model is an event, the history of
   * differences starts again, as it does after an impact.
   */
  load(saved: StepControlState, carried: CarryOver): void {
    this.rejected = saved.rejected;
    this.#resumed = saved.resumed;
    const scale = new Float64Array(this.#scale.length);
    carried.phases(saved.scale, scale);
    for (let i = 0; i < scale.length; i++) this.#scale[i] = Math.max(this.#scale[i], scale[i]);
    if (carried.isEvent) return;
    this.#known = saved.known;
    this.#times.set(saved.times);
    saved.states.forEach((state, k) => {
      carried.phases(state, this.#states[k]);
    });
  }

  #push(t: number): void {
    const last = this.#states[HISTORY - 1];
    for (let k = HISTORY - 1; k > 0; k--) {
      this.#states[k] = this.#states[k - 1];
      this.#times[k] = this.#times[k - 1];
    }
    this.#states[0] = last;
    last.set(this.present);
    this.#times[0] = t;
    this.#known = Math.min(HISTORY, this.#known + 1);
    const groupOf = this.#groupOf;
    for (let i = 0; i < last.length; i++)
      this.#scale[groupOf[i]] = Math.max(this.#scale[groupOf[i]], Math.abs(last[i]));
  }

  /**
   * Judges the step to the present state.
   * @param isEvent whether a contact closed in it
   * @returns whether it stands; otherwise h of the context is the length to repeat it with
   */
  accept(isEvent: boolean): boolean {
    const { h } = this.context;
    const { hMin } = this.settings;
    this.#estimate();
    const isTooLarge = isEvent || this.#error[0] > 1;
    if (isTooLarge && this.canShrink) {
      h[0] = Math.max(hMin, 0.5 * h[0]);
      this.#wasRejected = true;
      this.#resumed = 0;
      this.rejected++;
      return false;
    }
    if (isEvent) this.#known = 0;
    this.#push(this.context.clock[0]);
    return true;
  }

  /** A source has jumped: the states before it say nothing of the error behind it. */
  forget(): void {
    this.#known = 0;
    this.#push(this.context.clock[0]);
  }

  get canShrink(): boolean {
    return this.context.h[0] > this.settings.hMin * (1 + LENGTH_ROUNDING);
  }

  /** Halves the step after a failure. @returns false when it is at its smallest */
  shrink(): boolean {
    if (!this.canShrink) return false;
    const { h } = this.context;
    const { hMin } = this.settings;
    h[0] = Math.max(hMin, 0.5 * h[0]);
    this.#wasRejected = true;
    this.#resumed = 0;
    this.rejected++;
    return true;
  }

  /** Relative local error of the step, into `#error[0]`; 0 while too few states are known. */
  #estimate(): void {
    const { clock, h } = this.context;
    this.#error[0] = 0;
    const order = this.#order;
    if (this.#known < order + 1) return;
    const s0 = this.#states[0];
    const s1 = this.#states[1];
    const s2 = this.#states[2];
    const t = clock[0];
    const t0 = this.#times[0];
    const t1 = this.#times[1];
    const t2 = this.#times[2];
    const step = h[0];
    const { tolerance } = this.settings;
    for (let i = 0; i < this.present.length; i++) {
      const first = (this.present[i] - s0[i]) / (t - t0);
      const second = (s0[i] - s1[i]) / (t0 - t1);
      let difference = (first - second) / (t - t1);
      let error = this.#factor * step * step * Math.abs(difference);
      if (order === 2) {
        const third = (s1[i] - s2[i]) / (t1 - t2);
        difference = (difference - (second - third) / (t0 - t2)) / (t - t2);
        error = this.#factor * step * step * step * Math.abs(difference);
      }
      const largest = this.#scale[this.#groupOf[i]];
      const scale = largest > 0 ? largest : 1;
      const relative = error / (tolerance * scale);
      if (!(relative <= this.#error[0]) && !Number.isNaN(this.#error[0])) this.#error[0] = relative;
    }
  }

  /**
   * Length of the next step into the context.
   * @param stop time that it must not go beyond, s
   * @returns whether it differs
   */
  next(stop: number): boolean {
    const { h } = this.context;
    const before = h[0];
    if (this.#resumed > 0) h[0] = this.#resumed;
    this.#resumed = 0;
    const { hMax } = this.settings;
    const growth = 2 ** (this.#order + 1);
    const isSmall = this.#known > this.#order && this.#error[0] * growth < DOUBLING_PART;
    if (isSmall && !this.#wasRejected && 2 * h[0] <= hMax * (1 + LENGTH_ROUNDING)) {
      h[0] *= 2;
    }
    this.#wasRejected = false;
    this.limit(stop);
    return h[0] !== before;
  }

  /** Shortens the step to one that ends at a stop, where it would go beyond. @returns whether it does */
  limit(stop: number): boolean {
    const { h, clock } = this.context;
    const left = stop - clock[0];
    if (!(left > 0 && h[0] > left * (1 - LENGTH_ROUNDING))) return false;
    if (left < h[0]) this.#resumed = h[0];
    h[0] = left;
    return true;
  }
}
