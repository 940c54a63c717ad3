/**
 * What a relation's output does at constant velocities. Of a Lagrangian relation y = h(t, q), with C = ∇_q h,
 *
 *     ẏ = C v + ∂h/∂t,     ÿ = C v̇ + γ,     γ = d/dt (C v + ∂h/∂t) at constant v.
 *
 * γ vanishes where C and ∂h/∂t are constant, and forms of joints give it exactly. Where a form gives no
 * derivative beyond ∂h/∂t, γ is the derivative at s = 0 of s ↦ f(s) = ẏ(t + s, q + s v, v), from two central
 * differences,
 *
 *     D₁ = (f(δ) − f(−δ)) / 2δ,     D₂ = (f(2δ) − f(−2δ)) / 4δ,     γ = D₁ + (D₁ − D₂)/3  (order 4).
 *
 * Where a derivative that is prescribed jumps within 2δ, as between the arcs of a cam, D₁ and D₂ disagree,
 * and extrapolation would overshoot: a force that stays positive on both sides of the jump could become
 * negative. There γ = D₁, which lies between the values on the two sides.
 *
 * Where D₁ and D₂ agree too little, they are formed once more with shorter δ, so that no choice of δ shows in
 * the result.
 *
 * Of a first-order relation y = h(t, x, λ), ẏ = C ẋ + ∂h/∂t + D λ̇, where ∂h/∂t is formed by the same
 * differences. Truncation is δ⁴/30 of the fifth derivative, rounding about ε/δ: with δ about a thousandth of
 * the time over which the motion prescribed changes, both stay below 1e-11 of it. Times at which a function
 * may jump are not crossed.
 */
import type { RelationForm } from './forms';
import { velocitiesOf } from './nsds';

/*
 * Derivatives of functions of time of which only values are known.
 *
 * From two central differences, D₁ over 2δ and D₂ over 4δ: D₁ + (D₁ − D₂)/3, of order 4, where they agree.
 * Where they do not, δ is too long for the function, or a jump of the derivative lies between. With shorter δ
 * they come to agree in the first case; in the second, extrapolation would overshoot, and D₁ lies between the
 * values on the two sides.
 *
 * Next to a time at which the function itself may jump, from five places on this side of it: the derivative
 * of the polynomial through them.
 */

/**
 * D₁ and D₂ differ by less where the function is smooth, by far, and by more when its derivative jumps in
 * between.
 */
const AGREEMENT = 1e-3;
/** Differences that agree so well leave less than 1e-11 once they are extrapolated. */
const EXACT = 1e-6;
/** Rounding of a difference, in units of the rounding of a value over δ. */
const ROUNDING = 64 * Number.EPSILON;

/** @param near D₁, @param far D₂ */
export function extrapolated(near: number, far: number): number {
  const change = near - far;
  const isSmooth = Math.abs(change) <= AGREEMENT * Math.max(Math.abs(near), Math.abs(far));
  return isSmooth ? near + change / 3 : near;
}

/** Whether no shorter δ would do better. @param value magnitude of the function, @param delta δ, s */
function isExact(near: number, far: number, value: number, delta: number): boolean {
  const change = Math.abs(near - far);
  return change <= EXACT * Math.max(Math.abs(near), Math.abs(far)) || change <= (ROUNDING * value) / delta;
}

/** Places of a difference on one side. */
const PLACES_OF_SIDE = 5;

/**
 * Weights of the values at 0, 1, … 4 in the derivative at s of the polynomial of degree 4 through them
 * (Lagrange's form).
 * @param out 5 entries
 */
function sideWeights(s: number, out: Float64Array): void {
  for (let k = 0; k < PLACES_OF_SIDE; k++) {
    let sum = 0;
    for (let j = 0; j < PLACES_OF_SIDE; j++) {
      if (j === k) continue;
      let term = 1 / (k - j);
      for (let m = 0; m < PLACES_OF_SIDE; m++) if (m !== j && m !== k) term *= (s - m) / (k - m);
      sum += term;
    }
    out[k] = sum;
  }
}

/** Between jumps at known times: [0] last one, s, [1] next one, s; infinite where there is none. */
export const createWindow = (): Float64Array => Float64Array.of(-Infinity, Infinity);

/** δ becomes shorter by this factor, and so often at most. */
const SHORTER = 8;
const MOST_LEVELS = 4;
/** A difference on one side is of the same order with larger factors, and takes shorter steps. */
const OF_SIDE = 32;

export class RelationDrift {
  /** whether it is anything but zero */
  readonly isNeeded: boolean;
  readonly #y: Float64Array;
  readonly #z: Float64Array;
  readonly #far: Float64Array;
  readonly #lambda: Float64Array;
  readonly #C: Float64Array;
  readonly #D: Float64Array;
  readonly #clock = new Float64Array(1);
  readonly #weights = new Float64Array(PLACES_OF_SIDE);

  constructor(
    private readonly relation: RelationForm,
    /** δ, s */
    private readonly difference: number,
    /** [0] last and [1] next time at which h may jump, s */
    private readonly window = createWindow(),
  ) {
    const { size, columns, order, isTimeDependent, C } = relation;
    const velocities = velocitiesOf(relation);
    if (velocities !== columns && relation.curvature === undefined && (isTimeDependent || C === null))
      throw new Error('a relation between bodies with orientations gives its curvature');
    this.isNeeded = isTimeDependent || (order === 2 && C === null);
    this.#y = new Float64Array(size);
    this.#z = new Float64Array(columns);
    this.#far = new Float64Array(size);
    this.#lambda = new Float64Array(size);
    this.#C = new Float64Array(size * velocities);
    this.#D = new Float64Array(size * size);
  }

  /**
   * γ of a Lagrangian relation, ∂h/∂t of a first-order one.
   * @param v velocities of z; not read of a first-order relation
   */
  read(clock: Float64Array, z: Float64Array, v: Float64Array, out: Float64Array): void {
    const { relation } = this;
    if (!this.isNeeded) {
      out.fill(0);
      return;
    }
    if (relation.curvature !== undefined) {
      relation.curvature(clock, z, v, out);
      return;
    }
    const { difference, window } = this;
    const far = this.#far;
    const isNear = clock[0] - 2 * difference < window[0] || clock[0] + 2 * difference > window[1];
    if (isNear) {
      this.#differentiateOnSide(clock, z, v, out);
      return;
    }
    for (let level = 0, delta = difference; ; level++, delta /= SHORTER) {
      this.#differentiate(clock, z, v, 2 * delta, far);
      this.#differentiate(clock, z, v, delta, out);
      let isDone = level === MOST_LEVELS;
      if (!isDone) {
        isDone = true;
        // y is that at t + δ.
        for (let r = 0; r < out.length; r++)
          if (!isExact(out[r], far[r], Math.abs(this.#y[r]), delta)) isDone = false;
      }
      if (isDone) break;
    }
    for (let r = 0; r < out.length; r++) out[r] = extrapolated(out[r], far[r]);
  }

  /** From places between the jumps before and behind the time. */
  #differentiateOnSide(clock: Float64Array, z: Float64Array, v: Float64Array, out: Float64Array): void {
    const { difference, window } = this;
    const y = this.#y;
    const step = Math.min(difference / OF_SIDE, (window[1] - window[0]) / (PLACES_OF_SIDE - 1));
    const width = (PLACES_OF_SIDE - 1) * step;
    const first = Math.max(window[0], Math.min(clock[0] - 0.5 * width, window[1] - width));
    sideWeights((clock[0] - first) / step, this.#weights);
    out.fill(0);
    for (let k = 0; k < PLACES_OF_SIDE; k++) {
      this.#clock[0] = Math.min(window[1], first + k * step);
      this.#displaced(z, v, this.#clock[0] - clock[0]);
      for (let r = 0; r < y.length; r++) out[r] += (this.#weights[k] * y[r]) / step;
    }
  }

  /** (f(s) − f(−s)) / 2s */
  #differentiate(clock: Float64Array, z: Float64Array, v: Float64Array, s: number, out: Float64Array): void {
    const y = this.#y;
    this.#clock[0] = clock[0] - s;
    const before = this.#clock[0];
    this.#displaced(z, v, before - clock[0]);
    out.set(y);
    this.#clock[0] = clock[0] + s;
    // Divided by the distance that rounding of the times has left.
    const distance = this.#clock[0] - before;
    this.#displaced(z, v, this.#clock[0] - clock[0]);
    for (let r = 0; r < y.length; r++) out[r] = (y[r] - out[r]) / distance;
  }

  /** ẏ(t + s, q + s v, v) of a Lagrangian relation, or y(t + s, x, 0) of a first-order one. */
  #displaced(z: Float64Array, v: Float64Array, s: number): void {
    const { relation } = this;
    const y = this.#y;
    this.#lambda.fill(0);
    if (relation.order === 1) {
      relation.output(this.#clock, z, this.#lambda, y);
      return;
    }
    const moved = this.#z;
    for (let k = 0; k < moved.length; k++) moved[k] = z[k] + s * v[k];
    if (relation.isTimeDependent) relation.timeDerivative(this.#clock, moved, y);
    else y.fill(0);
    let C = relation.C;
    if (C === null) {
      relation.outputJacobians(this.#clock, moved, this.#lambda, this.#C, this.#D);
      C = this.#C;
    }
    for (let r = 0; r < y.length; r++) {
      let sum = y[r];
      for (let k = 0; k < moved.length; k++) sum += C[r * moved.length + k] * v[k];
      y[r] = sum;
    }
  }
}
