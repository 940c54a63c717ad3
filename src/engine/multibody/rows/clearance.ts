/**
 * A pin in a hole with clearance c = R − r: with d = P₂ − P₁ from the centre of the hole to that of the pin, ρ = |d| and
 * n = d/ρ, the gap and the slip are
 *
 *     y_n = c − ρ,     ẏ_n = −n·ḋ,     ÿ_n = −(n·d̈ + ((k×n)·ḋ)²/ρ)
 *     ẏ_t = (c/ρ) (k×n)·ḋ + r φ̇₂ − R φ̇₁
 *
 * At contact, ρ = c, ẏ_t is the velocity of the pin's surface along that of the hole. It belongs to y_t = c θ + r φ₂ − R φ₁ with θ
 * the direction of d. (d/dt (k×n)/ρ = (k×ḋ)/ρ² − 2 (k×d) (d·ḋ)/ρ⁴, of which the first is normal to ḋ.) A pin that is nearer to the
 * centre than a part of the clearance has no direction to speak of; it touches nothing, and its gradients are bounded there.
 */
import type { ConstraintRows } from '../constraint';
import type { Marker } from '../marker';

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
