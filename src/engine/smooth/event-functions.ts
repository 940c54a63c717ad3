/** Functions g_j(t, x) whose zeros end an integration. */
import type { PieceForms } from '../model/piece-forms';
import type { TimedSign } from '../model/timed-sign';
import { bernsteinFromNested } from './bernstein';
import type { ScalarFunction } from './bracketing';
import {
  type DenseOutput,
  END,
  LENGTH,
  MAX_DEGREE,
  START,
  type StepData,
  evaluateNested,
} from './step-method';

/**
 * g = constant + rate · t + Σ values_k x_{indices_k}. The arrays are read again at every step, so that their
 * owner may change them, as at a restart.
 */
export interface LinearForm {
  readonly indices: Int32Array;
  readonly values: Float64Array;
  /** [0] constant, [1] rate of change with time at constant x */
  readonly offset: Float64Array;
}

export interface Twin {
  readonly index: number;
  /** 1: the same values, −1: the opposite ones */
  readonly sign: number;
}

/** Entries of `EventFunctions.watch`: the direction in which a function must pass through zero. */
export const FALLING = -1;
export const EITHER = 0;
export const RISING = 1;
export const UNWATCHED = 2;

/**
 * Kinds of roots that are reported, besides FALLING and RISING: touches from above (g ≥ 0 nearby) and from
 * below.
 */
export const TOUCH_FROM_ABOVE = 2;
export const TOUCH_FROM_BELOW = -2;

export interface EventFunctions {
  /** The owner may make it larger before a restart. */
  readonly count: number;
  /** functions from this one on are others after each restart; none when absent */
  readonly changing?: number;
  /** The function as a linear form, null when it is none. Asked once. */
  linear(index: number): LinearForm | null;
  /** Signs of a function of the time alone, which `expected` has one of; null of others. Asked once. */
  timed?(index: number): TimedSign | null;
  /**
   * Of a function that `expected` has the sign of: what it is made of, by which its sign can be followed;
   * null of others. Asked once.
   */
  pieces?(index: number): PieceForms | null;
  /** A function before it that has the same values, or the opposite ones; null of others. Asked once. */
  twin?(index: number): Twin | null;
  /**
   * g_index(t, x) into `out[0]`; for functions that are not linear. An answer that is not finite ends the
   * integration.
   */
  value(index: number, clock: Float64Array, x: Float64Array, out: Float64Array): void;
  /** FALLING, RISING, EITHER or UNWATCHED, of each function. The owner may change them before a restart. */
  readonly watch: Int8Array;
  /**
   * 0 for functions whose touches (double roots) are to be passed over; all are reported when it is absent
   */
  readonly touches?: Uint8Array;
  /**
   * values up to this count as zero in the classification, when that is more than rounding leaves; 0 when
   * absent
   */
  readonly band?: Float64Array;
  /**
   * Sign that each function has while the motion goes on as its owner has decided: 1 or −1, 0 where nothing
   * is expected. After a restart a function on the other side, or one that leaves zero to the other side, is
   * at a root at once, whatever it was before the restart.
   */
  readonly expected?: Int8Array;
  /**
   * how far on the other side a function may begin, and stay, before that counts: what drift may have left of
   * zero; 0 when absent
   */
  readonly slack?: Float64Array;
  /**
   * how far on its own side a function that begins at zero has to come before it has left it; what counts as
   * zero when absent
   */
  readonly departure?: Float64Array;
}

export const NO_EVENTS: EventFunctions = {
  count: 0,
  linear: () => null,
  value: () => undefined,
  watch: new Int8Array(0),
};

/** The roots that ended an integration: all that coincide to rounding. */
export class RootReport {
  count = 0;
  /** numbers of the functions, ascending */
  readonly indices: Int32Array;
  /** FALLING, RISING, TOUCH_FROM_ABOVE or TOUCH_FROM_BELOW */
  readonly kinds: Int8Array;
  /**
   * 1 where the function jumps across zero, which with a motion that does not jump it does at a given time
   */
  readonly jumps: Uint8Array;

  constructor(size: number) {
    this.indices = new Int32Array(size);
    this.kinds = new Int8Array(size);
    this.jumps = new Uint8Array(size);
  }

  add(index: number, kind: number, jump = 0): void {
    this.indices[this.count] = index;
    this.kinds[this.count] = kind;
    this.jumps[this.count] = jump;
    this.count++;
  }
}

/*
 * One event function along the step: g_j(t(θ), x(θ)), for the enclosure of its zeros and for their
 * refinement.
 */

/** Rounding of a sum of a few products and of the polynomial, in units of its largest term. */
const ROUNDING = 4 * Number.EPSILON;

/** Relative disturbance that measures how a function passes on the rounding of its argument. */
const DISTURBANCE = 2 ** -26;

/** Largest values of 1, θ, θσ, θ²σ, θ²σ², θ³σ², θ³σ³, θ⁴σ³ on the step. */
const LARGEST = Float64Array.of(1, 1, 1 / 4, 4 / 27, 1 / 16, 108 / 3125, 1 / 64, 6912 / 823543);

export class EventValues implements ScalarFunction {
  readonly place = new Float64Array(1);
  readonly result = new Float64Array(1);
  readonly forms: readonly (LinearForm | null)[];
  /** [0] rounding in the values of the function on this step */
  readonly noise = new Float64Array(1);
  readonly #nested = new Float64Array(MAX_DEGREE + 1);
  readonly #x: Float64Array;
  readonly #clock = new Float64Array(1);
  #index = 0;
  #isNested = false;

  constructor(
    private readonly events: EventFunctions,
    private readonly data: StepData,
    private readonly dense: DenseOutput,
  ) {
    this.forms = Array.from({ length: events.count }, (_, j) => events.linear(j));
    this.#x = new Float64Array(data.system.size);
  }

  /** of the polynomial that a linear form is on this step */
  get degree(): number {
    return this.dense.degree;
  }

  /**
   * Function j from now on. A linear one becomes a polynomial in θ, in the nested form of the dense output.
   */
  select(index: number): void {
    this.#index = index;
    const form = this.forms[index];
    this.#isNested = form !== null;
    if (!form) return;
    const { span } = this.data;
    const f = this.dense.coefficients;
    const n = this.dense.size;
    const g = this.#nested;
    const { indices, values, offset } = form;
    g.fill(0);
    g[0] = offset[0] + offset[1] * span[START];
    g[1] = offset[1] * span[LENGTH];
    let size =
      Math.abs(offset[0]) + Math.abs(offset[1]) * Math.max(Math.abs(span[START]), Math.abs(span[END]));
    for (let entry = 0; entry < indices.length; entry++) {
      const i = indices[entry];
      const a = values[entry];
      for (let k = 0; k <= this.dense.degree; k++) {
        const term = a * f[k * n + i];
        g[k] += term;
        size += LARGEST[k] * Math.abs(term);
      }
    }
    this.noise[0] = ROUNDING * size;
  }

  /** Bernstein coefficients of the linear form selected. */
  toBernstein(b: Float64Array): void {
    bernsteinFromNested(this.#nested, this.dense.degree, b);
  }

  evaluate(): void {
    if (this.#isNested) {
      evaluateNested(this.#nested, this.dense.degree, this.place, this.result);
      return;
    }
    this.#call(this.#index);
  }

  /**
   * Rounding that reaches a general function through its argument, from two disturbances of the state at the
   * place. Their signs differ, so that what cancels in one does not in the other.
   */
  estimateNoise(): void {
    const f = this.dense.coefficients;
    const n = this.dense.size;
    let sum = 0;
    this.#call(this.#index);
    const value = this.result[0];
    for (let pattern = 0; pattern < 2; pattern++) {
      for (let i = 0; i < n; i++) {
        const size = DISTURBANCE * (Math.abs(f[i]) + Math.abs(f[n + i]));
        this.#x[i] += pattern === 0 ? size : (i % 2 === 0 ? -2 : 0) * size;
      }
      this.data.counters.eventValues++;
      this.events.value(this.#index, this.#clock, this.#x, this.result);
      sum += Math.abs(this.result[0] - value);
    }
    this.noise[0] = Number.isFinite(sum) ? (ROUNDING * sum) / DISTURBANCE : 0;
  }

  /** Any function at the place, without selecting it. */
  evaluateAt(index: number): void {
    const form = this.forms[index];
    if (!form) {
      this.#call(index);
      return;
    }
    this.#locate();
    const { indices, values, offset } = form;
    let sum = offset[0] + offset[1] * this.#clock[0];
    for (let entry = 0; entry < indices.length; entry++) sum += values[entry] * this.#x[indices[entry]];
    this.result[0] = sum;
  }

  #call(index: number): void {
    this.#locate();
    this.data.counters.eventValues++;
    this.events.value(index, this.#clock, this.#x, this.result);
  }

  #locate(): void {
    const { span } = this.data;
    this.dense.evaluate(this.place, this.#x);
    timeAt(span, this.place, this.#clock);
  }
}

/** Time at θ = `place[0]` into `clock[0]`; the very end of the step at 1. */
export function timeAt(span: Float64Array, place: Float64Array, clock: Float64Array): void {
  clock[0] = place[0] === 1 ? span[END] : span[START] + place[0] * span[LENGTH];
}
