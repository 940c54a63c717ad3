/** Equations of constraints between bodies of the plane, and the motions that some of them prescribe. */
import type { RowLabel } from './constrained-system';
import type { Marker } from './marker';

/**
 * One kind of constraint equations, Φ(t, q) = 0, with its derivatives written out. Functions write from row
 * `row` on; `width` is the number of coordinates of the system, and the rows of `jacobian` are zero on entry.
 */
export interface ConstraintRows {
  readonly labels: readonly Omit<RowLabel, 'constraint'>[];
  /** Φ */
  position(clock: Float64Array, q: Float64Array, out: Float64Array, row: number): void;
  /** Φ_q */
  jacobian(clock: Float64Array, q: Float64Array, out: Float64Array, row: number, width: number): void;
  /** Φ_t; absent where time does not appear */
  timeDerivative?(clock: Float64Array, q: Float64Array, out: Float64Array, row: number): void;
  /** γ = −(Φ_q q̇)_q q̇ − 2 Φ_qt q̇ − Φ_tt */
  gamma(clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array, row: number): void;
}

/* A number prescribed as a function of time, such as the angle of a driven crank. */

/** Fills value, first and second derivative by time into out[0 … 2]. `clock[0]` is the time, s. */
export type PrescribedCoordinate = (clock: Float64Array, out: Float64Array) => void;

export const constantMotion =
  (value: number): PrescribedCoordinate =>
  (_, out) => {
    out[0] = value;
    out[1] = 0;
    out[2] = 0;
  };

/** value(t) = start + rate t */
export const uniformMotion =
  (start: number, rate: number): PrescribedCoordinate =>
  (clock, out) => {
    out[0] = start + rate * clock[0];
    out[1] = rate;
    out[2] = 0;
  };

/* Two points in one place: Φ = P₂ − P₁ = 0, γ = φ̇₂² s₂ − φ̇₁² s₁. */

export class PlanarCoincidence implements ConstraintRows {
  readonly labels = [
    { row: 'x', unit: 'm' },
    { row: 'y', unit: 'm' },
  ] as const;

  constructor(
    readonly first: Marker,
    readonly second: Marker,
  ) {}

  position(_: Float64Array, q: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.place(q);
    second.place(q);
    out[row] = second.point[0] - first.point[0];
    out[row + 1] = second.point[1] - first.point[1];
  }

  jacobian(_: Float64Array, q: Float64Array, out: Float64Array, row: number, width: number): void {
    const { first, second } = this;
    first.place(q);
    second.place(q);
    first.addGradient(-1, 0, out, row * width);
    second.addGradient(1, 0, out, row * width);
    first.addGradient(0, -1, out, (row + 1) * width);
    second.addGradient(0, 1, out, (row + 1) * width);
  }

  gamma(_: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.move(q, v);
    second.move(q, v);
    out[row] = first.centripetal[0] - second.centripetal[0];
    out[row + 1] = first.centripetal[1] - second.centripetal[1];
  }
}

/*
 * A pin in a hole with clearance c = R − r: with d = P₂ − P₁ from the centre of the hole to that of the pin,
 * ρ = |d| and n = d/ρ, the gap and the slip are
 *
 *     y_n = c − ρ,     ẏ_n = −n·ḋ,     ÿ_n = −(n·d̈ + ((k×n)·ḋ)²/ρ)
 *     ẏ_t = (c/ρ) (k×n)·ḋ + r φ̇₂ − R φ̇₁
 *
 * At contact, ρ = c, ẏ_t is the velocity of the pin's surface along that of the hole. It belongs to y_t = c
 * θ + r φ₂ − R φ₁ with θ the direction of d. (d/dt (k×n)/ρ = (k×ḋ)/ρ² − 2 (k×d) (d·ḋ)/ρ⁴, of which the first
 * is normal to ḋ.) A pin that is nearer to the centre than a part of the clearance has no direction to speak
 * of; it touches nothing, and its gradients are bounded there.
 */

/** Part of the clearance below which ρ is not divided by. */
const NEAR_CENTRE = 1e-3;

export class Clearance implements ConstraintRows {
  readonly labels: ConstraintRows['labels'];
  /** n_x, n_y, ρ, and what ρ is divided by */
  readonly #polar = new Float64Array(4);

  /**
   * @param clearance c, m, positive
   * @param pin r, m
   * @param hasSlip whether there is the row of y_t
   */
  constructor(
    readonly first: Marker,
    readonly second: Marker,
    readonly clearance: number,
    readonly pin: number,
    readonly hasSlip: boolean,
  ) {
    const gap = { row: 'gap', unit: 'm' } as const;
    this.labels = hasSlip ? [gap, { row: 'slip', unit: 'm' }] : [gap];
  }

  /** Needs markers that have been placed. */
  #measure(): void {
    const { first, second } = this;
    const polar = this.#polar;
    const x = second.point[0] - first.point[0];
    const y = second.point[1] - first.point[1];
    polar[2] = Math.sqrt(x * x + y * y);
    polar[3] = Math.max(polar[2], NEAR_CENTRE * this.clearance);
    polar[0] = x / polar[3];
    polar[1] = y / polar[3];
  }

  position(_: Float64Array, q: Float64Array, out: Float64Array, row: number): void {
    const { first, second, clearance, pin } = this;
    first.place(q);
    second.place(q);
    this.#measure();
    out[row] = clearance - this.#polar[2];
    if (!this.hasSlip) return;
    const direction = Math.atan2(this.#polar[1], this.#polar[0]);
    out[row + 1] = clearance * direction + pin * second.angle(q) - (pin + clearance) * first.angle(q);
  }

  jacobian(_: Float64Array, q: Float64Array, out: Float64Array, row: number, width: number): void {
    const { first, second, clearance, pin } = this;
    first.place(q);
    second.place(q);
    this.#measure();
    const x = this.#polar[0];
    const y = this.#polar[1];
    first.addGradient(x, y, out, row * width);
    second.addGradient(-x, -y, out, row * width);
    if (!this.hasSlip) return;
    const at = (row + 1) * width;
    const factor = clearance / this.#polar[3];
    first.addGradient(factor * y, -factor * x, out, at);
    second.addGradient(-factor * y, factor * x, out, at);
    first.addAngleGradient(-(pin + clearance), out, at);
    second.addAngleGradient(pin, out, at);
  }

  gamma(_: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const { first, second, clearance } = this;
    first.move(q, v);
    second.move(q, v);
    this.#measure();
    const x = this.#polar[0];
    const y = this.#polar[1];
    const divisor = this.#polar[3];
    const vx = second.velocity[0] - first.velocity[0];
    const vy = second.velocity[1] - first.velocity[1];
    const ax = second.centripetal[0] - first.centripetal[0];
    const ay = second.centripetal[1] - first.centripetal[1];
    const across = x * vy - y * vx;
    out[row] = x * ax + y * ay + (across * across) / divisor;
    if (!this.hasSlip) return;
    const outwards = x * vx + y * vy;
    out[row + 1] = (-clearance / divisor) * (x * ay - y * ax - (2 * across * outwards) / divisor);
  }
}

/*
 * A coordinate of a point in a prescribed place: Φ = P_x − f(t) = 0 or P_y − f(t) = 0, γ = f̈ + φ̇² s_x or
 * s_y.
 */

export class PointCoordinate implements ConstraintRows {
  readonly labels: ConstraintRows['labels'];
  readonly #prescribed = new Float64Array(3);

  /** @param axis 0 for x, 1 for y @param motion f, m */
  constructor(
    readonly marker: Marker,
    readonly axis: 0 | 1,
    readonly motion: PrescribedCoordinate,
  ) {
    this.labels = [{ row: axis === 0 ? 'x' : 'y', unit: 'm' }];
  }

  position(clock: Float64Array, q: Float64Array, out: Float64Array, row: number): void {
    this.marker.place(q);
    this.motion(clock, this.#prescribed);
    out[row] = this.marker.point[this.axis] - this.#prescribed[0];
  }

  jacobian(_: Float64Array, q: Float64Array, out: Float64Array, row: number, width: number): void {
    this.marker.place(q);
    this.marker.addGradient(1 - this.axis, this.axis, out, row * width);
  }

  timeDerivative(clock: Float64Array, _: Float64Array, out: Float64Array, row: number): void {
    this.motion(clock, this.#prescribed);
    out[row] = -this.#prescribed[1];
  }

  gamma(clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    this.marker.move(q, v);
    this.motion(clock, this.#prescribed);
    out[row] = this.#prescribed[2] - this.marker.centripetal[this.axis];
  }
}

/*
 * How much longer than L the line between two points is: Φ = ρ − L with ρ = |d|, d = P₂ − P₁. With n = d/ρ,
 *
 *     Φ̇ = n·ḋ,   Φ̈ = n·d̈ + ((k×n)·ḋ)²/ρ.
 *
 * Points in one place have no direction.
 */

export class Length implements ConstraintRows {
  readonly labels = [{ row: 'length', unit: 'm' }] as const;
  /** n_x, n_y, ρ */
  readonly #polar = new Float64Array(3);

  /**
   * @param length L, m
   * @param meeting the error that a gradient of points in one place is
   */
  constructor(
    readonly first: Marker,
    readonly second: Marker,
    readonly length: number,
    private readonly meeting: () => Error,
  ) {}

  /** Needs markers that have been placed. */
  #measure(): void {
    const { first, second } = this;
    const polar = this.#polar;
    const x = second.point[0] - first.point[0];
    const y = second.point[1] - first.point[1];
    const distance = Math.sqrt(x * x + y * y);
    polar[0] = distance === 0 ? 0 : x / distance;
    polar[1] = distance === 0 ? 0 : y / distance;
    polar[2] = distance;
  }

  position(_: Float64Array, q: Float64Array, out: Float64Array, row: number): void {
    this.first.place(q);
    this.second.place(q);
    this.#measure();
    out[row] = this.#polar[2] - this.length;
  }

  jacobian(_: Float64Array, q: Float64Array, out: Float64Array, row: number, width: number): void {
    const { first, second } = this;
    first.place(q);
    second.place(q);
    this.#measure();
    if (this.#polar[2] === 0) throw this.meeting();
    first.addGradient(-this.#polar[0], -this.#polar[1], out, row * width);
    second.addGradient(this.#polar[0], this.#polar[1], out, row * width);
  }

  gamma(_: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.move(q, v);
    second.move(q, v);
    this.#measure();
    const x = this.#polar[0];
    const y = this.#polar[1];
    const across =
      x * (second.velocity[1] - first.velocity[1]) - y * (second.velocity[0] - first.velocity[0]);
    const along =
      x * (second.centripetal[0] - first.centripetal[0]) + y * (second.centripetal[1] - first.centripetal[1]);
    out[row] = -along;
    if (this.#polar[2] > 0) out[row] -= (across * across) / this.#polar[2];
  }
}

/*
 * A point on a line of another body, or at a distance c from it: Φ = n·d − c = 0 with d = P₂ − P₁, and n the
 * normal of the line through P₁, which turns with the first body: ṅ = φ̇₁ k×n, n̈ = φ̈₁ k×n − φ̇₁² n. Twice
 * differentiated,
 *
 *     Φ̈ = n̈·d + 2 ṅ·ḋ + n·d̈,   so   γ = φ̇₁² n·d − 2 φ̇₁ (k×n)·ḋ + n·(φ̇₂² s₂ − φ̇₁² s₁).
 *
 * With the direction of the line in place of its normal this is how far the point has moved along the line; a
 * disc of radius r about P₂ slips by that and by what it has turned, r (φ₂ − φ₁), which is linear and adds
 * nothing to γ.
 */

export class PointOnLine implements ConstraintRows {
  readonly labels: ConstraintRows['labels'];
  /** n in the frame of the first body */
  readonly #local: Float64Array;
  readonly #normal = new Float64Array(2);

  /**
   * @param axis direction of the line in the frame of the first body, rad; the normal is 90° ahead of it
   * @param distance c, m
   * @param rolling r, m: factor of φ₂ − φ₁
   */
  constructor(
    readonly first: Marker,
    readonly second: Marker,
    axis: number,
    readonly distance = 0,
    readonly rolling = 0,
    row = 'across',
  ) {
    this.labels = [{ row, unit: 'm' }];
    this.#local = Float64Array.of(-Math.sin(axis), Math.cos(axis));
  }

  #turn(q: Float64Array): void {
    const angle = this.first.angle(q);
    const cosine = Math.cos(angle);
    const sine = Math.sin(angle);
    this.#normal[0] = cosine * this.#local[0] - sine * this.#local[1];
    this.#normal[1] = sine * this.#local[0] + cosine * this.#local[1];
  }

  position(_: Float64Array, q: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.place(q);
    second.place(q);
    this.#turn(q);
    const normal = this.#normal;
    out[row] =
      normal[0] * (second.point[0] - first.point[0]) +
      normal[1] * (second.point[1] - first.point[1]) -
      this.distance;
    if (this.rolling !== 0) out[row] += this.rolling * (second.angle(q) - first.angle(q));
  }

  jacobian(_: Float64Array, q: Float64Array, out: Float64Array, row: number, width: number): void {
    const { first, second } = this;
    first.place(q);
    second.place(q);
    this.#turn(q);
    const x = this.#normal[0];
    const y = this.#normal[1];
    const at = row * width;
    first.addGradient(-x, -y, out, at);
    second.addGradient(x, y, out, at);
    // (k×n)·d
    const turning = x * (second.point[1] - first.point[1]) - y * (second.point[0] - first.point[0]);
    first.addAngleGradient(turning - this.rolling, out, at);
    second.addAngleGradient(this.rolling, out, at);
  }

  gamma(_: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.move(q, v);
    second.move(q, v);
    this.#turn(q);
    const x = this.#normal[0];
    const y = this.#normal[1];
    const rate = first.rate(v);
    const across = x * (second.point[0] - first.point[0]) + y * (second.point[1] - first.point[1]);
    const turning =
      x * (second.velocity[1] - first.velocity[1]) - y * (second.velocity[0] - first.velocity[0]);
    const centripetal =
      x * (second.centripetal[0] - first.centripetal[0]) + y * (second.centripetal[1] - first.centripetal[1]);
    out[row] = rate * rate * across - 2 * rate * turning - centripetal;
  }
}

/* Two angles in a prescribed relation: Φ = φ₂ − ρ φ₁ − f(t) = 0, Φ_t = −ḟ, γ = f̈. */

export class RelativeAngle implements ConstraintRows {
  readonly labels = [{ row: 'angle', unit: 'rad' }] as const;
  readonly #prescribed = new Float64Array(3);

  /** @param ratio ρ @param motion f, rad */
  constructor(
    readonly first: Marker,
    readonly second: Marker,
    readonly ratio: number,
    readonly motion: PrescribedCoordinate,
  ) {}

  position(clock: Float64Array, q: Float64Array, out: Float64Array, row: number): void {
    this.motion(clock, this.#prescribed);
    out[row] = this.second.angle(q) - this.ratio * this.first.angle(q) - this.#prescribed[0];
  }

  jacobian(_: Float64Array, __: Float64Array, out: Float64Array, row: number, width: number): void {
    this.first.addAngleGradient(-this.ratio, out, row * width);
    this.second.addAngleGradient(1, out, row * width);
  }

  timeDerivative(clock: Float64Array, _: Float64Array, out: Float64Array, row: number): void {
    this.motion(clock, this.#prescribed);
    out[row] = -this.#prescribed[1];
  }

  gamma(clock: Float64Array, _: Float64Array, __: Float64Array, out: Float64Array, row: number): void {
    this.motion(clock, this.#prescribed);
    out[row] = this.#prescribed[2];
  }
}

/*
 * Two points at a prescribed distance L(t): Φ = ½ (d·d/L − L) = 0 with d = P₂ − P₁. This is (|d| − L) to
 * first order, so that Φ is in metres and the multiplier is the tension of the rod in newtons, but polynomial
 * in the positions.
 *
 *     Φ_q q̇ = d·ḋ/L
 *     Φ_t = −½ (D/L² + 1) L̇,   D = d·d
 *     Φ̈ = (ḋ·ḋ + d·d̈)/L − 2 d·ḋ L̇/L² + D L̇²/L³ − ½ (D/L² + 1) L̈
 *
 * and γ is minus what stands there besides d·(r̈ + φ̈ k×s)/L.
 */

export class PlanarSeparation implements ConstraintRows {
  readonly labels = [{ row: 'length', unit: 'm' }] as const;
  readonly #length = new Float64Array(3);

  /** @param length L, m, positive */
  constructor(
    readonly first: Marker,
    readonly second: Marker,
    readonly length: PrescribedCoordinate,
  ) {}

  position(clock: Float64Array, q: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.place(q);
    second.place(q);
    this.length(clock, this.#length);
    const x = second.point[0] - first.point[0];
    const y = second.point[1] - first.point[1];
    const length = this.#length[0];
    out[row] = 0.5 * ((x * x + y * y) / length - length);
  }

  jacobian(clock: Float64Array, q: Float64Array, out: Float64Array, row: number, width: number): void {
    const { first, second } = this;
    first.place(q);
    second.place(q);
    this.length(clock, this.#length);
    const x = (second.point[0] - first.point[0]) / this.#length[0];
    const y = (second.point[1] - first.point[1]) / this.#length[0];
    first.addGradient(-x, -y, out, row * width);
    second.addGradient(x, y, out, row * width);
  }

  timeDerivative(clock: Float64Array, q: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.place(q);
    second.place(q);
    this.length(clock, this.#length);
    const x = (second.point[0] - first.point[0]) / this.#length[0];
    const y = (second.point[1] - first.point[1]) / this.#length[0];
    out[row] = -0.5 * (x * x + y * y + 1) * this.#length[1];
  }

  gamma(clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.move(q, v);
    second.move(q, v);
    this.length(clock, this.#length);
    const length = this.#length[0];
    const stretching = this.#length[1];
    // d/L, ḋ and the centripetal part of d̈
    const x = (second.point[0] - first.point[0]) / length;
    const y = (second.point[1] - first.point[1]) / length;
    const vx = second.velocity[0] - first.velocity[0];
    const vy = second.velocity[1] - first.velocity[1];
    const ax = second.centripetal[0] - first.centripetal[0];
    const ay = second.centripetal[1] - first.centripetal[1];
    const square = x * x + y * y;
    out[row] =
      -(vx * vx + vy * vy) / length -
      (x * ax + y * ay) +
      (2 * (x * vx + y * vy) * stretching) / length -
      (square * stretching * stretching) / length +
      0.5 * (square + 1) * this.#length[2];
  }
}
