/**
 * Rows of a contact between two round features: how far they are apart, and how their surfaces slip. The
 * features are points P₁ and P₂ of two bodies with radii about them, or a plane of the first body and such a
 * point of the second. With n from the first to the second, and arms from P₁ (or the origin O of the plane)
 * and P₂ to the place of contact,
 *
 *     over a plane      n fixed to the first body,   a₁ = P₂ − r n − O,   a₂ = −r n
 *     point by point    n = (P₂ − P₁)/|P₂ − P₁|,     a₁ = r₁ n,           a₂ = −r₂ n
 *
 * the slip along a tangent t is
 *
 *     ẏ = t·u,   u = Ṗ₂ + ω₂×a₂ − Ṗ₁ − ω₁×a₁,
 *     ÿ = t·u̇ + ṫ·u,   of what is not accelerations u̇ = P̈₂ + ω₂×ȧ₂ − P̈₁ − ω₁×ȧ₁,
 *
 * since at constant v = (V, Ω) the angular velocity ω = R Ω is constant in the world, too: ω̇ = R (Ω×Ω) = 0.
 * No position has u as its rate: the row has no y.
 */
import { EngineError } from '../errors';
import type { Space, SpatialMarker } from './marker';
import { addCross, cross, dot } from './matrix3';
import type { SpatialRowLabel, SpatialRows } from './rows';

/** Where the surfaces meet, and how that moves. */
export interface ContactGeometry {
  readonly first: SpatialMarker;
  readonly second: SpatialMarker;
  /** unit vectors: normal, then tangents; world's frame, as everything here */
  readonly axes: Float64Array;
  /** a₁ and a₂, m */
  readonly arms: Float64Array;
  /** rates of axes and arms */
  readonly axisRates: Float64Array;
  readonly armRates: Float64Array;
  /** Brings axes and arms to positions. */
  place(q: Float64Array): void;
  /** The same, and rates; the markers have moved. */
  move(q: Float64Array, v: Float64Array): void;
}

/** Contact of a point with a radius over a plane, whose marker has its axes t₁, t₂, n. */
export class OverPlane implements ContactGeometry {
  readonly axes = new Float64Array(9);
  readonly arms = new Float64Array(6);
  readonly axisRates = new Float64Array(9);
  readonly armRates = new Float64Array(6);

  /** @param first of the plane @param radius r, m */
  constructor(
    readonly first: SpatialMarker,
    readonly second: SpatialMarker,
    private readonly radius: number,
  ) {}

  place(q: Float64Array): void {
    const { first, second, axes, arms, radius } = this;
    first.place(q);
    second.place(q);
    for (let i = 0; i < 3; i++) {
      axes[i] = first.axes[6 + i];
      axes[3 + i] = first.axes[i];
      axes[6 + i] = first.axes[3 + i];
      arms[3 + i] = -radius * axes[i];
      arms[i] = second.point[i] - first.point[i] + arms[3 + i];
    }
  }

  move(q: Float64Array, v: Float64Array): void {
    const { first, second, axisRates, armRates, radius } = this;
    this.place(q);
    first.move(q, v);
    second.move(q, v);
    for (let i = 0; i < 3; i++) {
      axisRates[i] = first.axisRates[6 + i];
      axisRates[3 + i] = first.axisRates[i];
      axisRates[6 + i] = first.axisRates[3 + i];
      armRates[3 + i] = -radius * axisRates[i];
      armRates[i] = second.velocity[i] - first.velocity[i] + armRates[3 + i];
    }
  }
}

/**
 * Direction g from which tangents of two points are turned: the shortest turn of g to n takes a fixed pair of
 * tangents of g along. It is singular at n = −g only, so that g is no direction in which one ball is usually
 * put on another.
 */
const GENERIC = Float64Array.of(0.36, 0.48, 0.8);
const GENERIC_TANGENTS = Float64Array.of(0.8, -0.6, 0, 0.48, 0.64, -0.6);

/** Contact of two points with radii. In the plane z = const the first tangent is z×n. */
export class BetweenPoints implements ContactGeometry {
  readonly axes = new Float64Array(9);
  readonly arms = new Float64Array(6);
  readonly axisRates = new Float64Array(9);
  readonly armRates = new Float64Array(6);

  constructor(
    readonly first: SpatialMarker,
    readonly second: SpatialMarker,
    private readonly firstRadius: number,
    private readonly secondRadius: number,
    private readonly isPlanar: boolean,
  ) {}

  place(q: Float64Array): void {
    this.first.place(q);
    this.second.place(q);
    this.#direct();
  }

  move(q: Float64Array, v: Float64Array): void {
    const { first, second, axes, axisRates, armRates } = this;
    first.move(q, v);
    second.move(q, v);
    const distance = this.#direct();
    let along = 0;
    for (let i = 0; i < 3; i++) {
      axisRates[i] = second.velocity[i] - first.velocity[i];
      along += axes[i] * axisRates[i];
    }
    for (let i = 0; i < 3; i++) {
      axisRates[i] = distance > 0 ? (axisRates[i] - along * axes[i]) / distance : 0;
      armRates[i] = this.firstRadius * axisRates[i];
      armRates[3 + i] = -this.secondRadius * axisRates[i];
    }
    this.#turnTangents(axisRates, true);
  }

  /** @returns |P₂ − P₁| */
  #direct(): number {
    const { first, second, axes, arms } = this;
    for (let i = 0; i < 3; i++) axes[i] = second.point[i] - first.point[i];
    const distance = Math.sqrt(dot(axes, 0, axes, 0));
    for (let i = 0; i < 3; i++) {
      axes[i] = distance > 0 ? axes[i] / distance : 0;
      arms[i] = this.firstRadius * axes[i];
      arms[3 + i] = -this.secondRadius * axes[i];
    }
    this.#turnTangents(axes, false);
    return distance;
  }

  /**
   * Tangents, or their rates: of a tangent s of g it is s − (s·n) (g + n)/(1 + g·n), which is linear in s and
   * rational in n.
   */
  #turnTangents(out: Float64Array, isRate: boolean): void {
    const { axes, axisRates } = this;
    if (this.isPlanar) {
      const n = isRate ? axisRates : axes;
      out[3] = -n[1];
      out[4] = n[0];
      out[5] = 0;
      out[6] = 0;
      out[7] = 0;
      out[8] = isRate ? 0 : 1;
      return;
    }
    const below = 1 + dot(GENERIC, 0, axes, 0);
    const belowRate = isRate ? dot(GENERIC, 0, axisRates, 0) : 0;
    for (let t = 0; t < 6; t += 3) {
      const along = dot(GENERIC_TANGENTS, t, axes, 0);
      const factor = along / below;
      const rate = isRate ? (dot(GENERIC_TANGENTS, t, axisRates, 0) - factor * belowRate) / below : 0;
      for (let i = 0; i < 3; i++) {
        const sum = GENERIC[i] + axes[i];
        out[3 + t + i] = isRate
          ? -rate * sum - factor * axisRates[i]
          : GENERIC_TANGENTS[t + i] - factor * sum;
      }
    }
  }
}

/** Slip along one tangent, or both. */
export class SurfaceSlip implements SpatialRows {
  readonly labels: readonly SpatialRowLabel[];
  readonly #slip = new Float64Array(3);
  readonly #rate = new Float64Array(3);
  readonly #moment = new Float64Array(3);

  /** @param directions 1 in the plane z = const, 2 in space */
  constructor(
    private readonly geometry: ContactGeometry,
    private readonly directions: 1 | 2,
  ) {
    this.labels = Array.from({ length: directions }, (_, k) => ({
      row: `slip ${k + 1}`,
      unit: 'm',
      isSlip: true,
    }));
  }

  position(_: Float64Array, out: Float64Array, row: number): void {
    for (let k = 0; k < this.directions; k++) out[row + k] = 0;
  }

  /** C by velocities; there is no gradient by positions. */
  jacobian(q: Float64Array, out: Float64Array, row: number, width: number, space: Space): void {
    if (space === 'position') throw new Error('a slip has no gradient');
    const { geometry } = this;
    geometry.place(q);
    const { first, second, axes, arms } = geometry;
    for (let k = 0; k < this.directions; k++) {
      const t = 3 + 3 * k;
      const at = (row + k) * width;
      second.addPointGradient(axes, t, 1, out, at, space);
      cross(arms, 3, axes, t, this.#moment, 0);
      second.addMomentRow(this.#moment, 0, 1, out, at);
      first.addPointGradient(axes, t, -1, out, at, space);
      cross(arms, 0, axes, t, this.#moment, 0);
      first.addMomentRow(this.#moment, 0, -1, out, at);
    }
  }

  gamma(q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const { geometry } = this;
    geometry.move(q, v);
    const { first, second, axes, arms, axisRates, armRates } = geometry;
    const slip = this.#slip;
    const rate = this.#rate;
    for (let i = 0; i < 3; i++) {
      slip[i] = second.velocity[i] - first.velocity[i];
      rate[i] = second.centripetal[i] - first.centripetal[i];
    }
    addCross(second.turning, 0, arms, 3, 1, slip, 0);
    addCross(first.turning, 0, arms, 0, -1, slip, 0);
    addCross(second.turning, 0, armRates, 3, 1, rate, 0);
    addCross(first.turning, 0, armRates, 0, -1, rate, 0);
    for (let k = 0; k < this.directions; k++) {
      const t = 3 + 3 * k;
      out[row + k] = -dot(axes, t, rate, 0) - dot(axisRates, t, slip, 0);
    }
  }
}

/*
 * The rim of a flat end over a plane: a circle of radius R about P₂ at right angles to a, the third axis of
 * the second marker. With p = n·a and s = √(1 − p²), its lowest point is P₂ − R e,
 *
 *     e = (n − p a)/s,     h = n·(P₂ − O) − R s,
 *     ∇h = n by P₂, (R p/s) n by a, (P₂ − O) + (R p/s) a by n,
 *     ḧ = n·d̈ + 2 ṅ·ḋ + n̈·d + R ((ṗ² + p p̈)/s + p² ṗ²/s³) of what is not accelerations,  d = P₂ − O.
 *
 * A rim that lies flat, s = 0, has no lowest point.
 */

/** s below which a rim counts as flat: what is left of e then has half the digits. */
const FLAT_RIM_SLOPE = 1e-7;

/** Marker of a plane with axes t₁, t₂, n, and of the centre of a rim with a as its third axis. */
class Rim {
  /** p, s, ṗ */
  readonly numbers = new Float64Array(3);
  readonly between = new Float64Array(3);

  constructor(
    readonly first: SpatialMarker,
    readonly second: SpatialMarker,
    readonly radius: number,
    /** of the interaction, for messages */
    private readonly name: string,
  ) {}

  /** @throws {EngineError} where the rim lies flat */
  place(): void {
    const { first, second, numbers, between } = this;
    const p = dot(first.axes, 6, second.axes, 6);
    const s = Math.sqrt(Math.max(0, 1 - p * p));
    if (s < FLAT_RIM_SLOPE) throw flatRim(this.name);
    numbers[0] = p;
    numbers[1] = s;
    for (let i = 0; i < 3; i++) between[i] = second.point[i] - first.point[i];
  }

  /** ṗ */
  move(): void {
    const { first, second, numbers } = this;
    numbers[2] = dot(first.axisRates, 6, second.axes, 6) + dot(first.axes, 6, second.axisRates, 6);
  }
}

const flatRim = (where: string): EngineError =>
  new EngineError({
    code: 'rim-flat',
    where,
    message: `A flat end lies on a plane (“${where}”): it touches with all of its rim, and no point of it is the lowest.`,
    remedy: 'Simulate the model by time-stepping.',
  });

export class RimGap implements SpatialRows {
  readonly labels = [{ row: 'gap', unit: 'm' }] as const;
  readonly #rim: Rim;
  readonly #gradient = new Float64Array(3);

  /** @param radius R, m @param name of the interaction, for messages */
  constructor(first: SpatialMarker, second: SpatialMarker, radius: number, name: string) {
    this.#rim = new Rim(first, second, radius, name);
  }

  position(q: Float64Array, out: Float64Array, row: number): void {
    const { first, between, numbers, radius } = this.#place(q);
    out[row] = dot(first.axes, 6, between, 0) - radius * numbers[1];
  }

  jacobian(q: Float64Array, out: Float64Array, row: number, width: number, space: Space): void {
    const { first, second, between, numbers, radius } = this.#place(q);
    const lever = (radius * numbers[0]) / numbers[1];
    const at = row * width;
    const gradient = this.#gradient;
    first.addPointGradient(first.axes, 6, -1, out, at, space);
    second.addPointGradient(first.axes, 6, 1, out, at, space);
    second.addAxisGradient(2, first.axes, 6, lever, out, at, space);
    for (let i = 0; i < 3; i++) gradient[i] = between[i] + lever * second.axes[6 + i];
    first.addAxisGradient(2, gradient, 0, 1, out, at, space);
  }

  gamma(q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const rim = this.#rim;
    const { first, second, between, numbers, radius } = rim;
    first.move(q, v);
    second.move(q, v);
    rim.place();
    rim.move();
    const [p, s, rate] = [numbers[0], numbers[1], numbers[2]];
    let sum = dot(first.axisCentripetal, 6, between, 0);
    let bend = dot(first.axisCentripetal, 6, second.axes, 6) + dot(first.axes, 6, second.axisCentripetal, 6);
    for (let i = 0; i < 3; i++) {
      sum += 2 * first.axisRates[6 + i] * (second.velocity[i] - first.velocity[i]);
      sum += first.axes[6 + i] * (second.centripetal[i] - first.centripetal[i]);
      bend += 2 * first.axisRates[6 + i] * second.axisRates[6 + i];
    }
    out[row] = -sum - radius * ((rate * rate + p * bend) / s + (p * p * rate * rate) / (s * s * s));
  }

  #place(q: Float64Array): Rim {
    const rim = this.#rim;
    rim.first.place(q);
    rim.second.place(q);
    rim.place();
    return rim;
  }
}

/** Contact of the lowest point of a rim with a plane. */
export class RimOverPlane implements ContactGeometry {
  readonly axes = new Float64Array(9);
  readonly arms = new Float64Array(6);
  readonly axisRates = new Float64Array(9);
  readonly armRates = new Float64Array(6);
  readonly #rim: Rim;

  constructor(
    readonly first: SpatialMarker,
    readonly second: SpatialMarker,
    radius: number,
    name: string,
  ) {
    this.#rim = new Rim(first, second, radius, name);
  }

  place(q: Float64Array): void {
    this.first.place(q);
    this.second.place(q);
    this.#lay();
  }

  #lay(): void {
    const { first, second, axes, arms } = this;
    const rim = this.#rim;
    rim.place();
    const [p, s] = [rim.numbers[0], rim.numbers[1]];
    for (let i = 0; i < 3; i++) {
      axes[i] = first.axes[6 + i];
      axes[3 + i] = first.axes[i];
      axes[6 + i] = first.axes[3 + i];
      arms[3 + i] = (-rim.radius * (first.axes[6 + i] - p * second.axes[6 + i])) / s;
      arms[i] = rim.between[i] + arms[3 + i];
    }
  }

  move(q: Float64Array, v: Float64Array): void {
    const { first, second, arms, axisRates, armRates } = this;
    first.move(q, v);
    second.move(q, v);
    this.#lay();
    const rim = this.#rim;
    rim.move();
    const [p, s, rate] = [rim.numbers[0], rim.numbers[1], rim.numbers[2]];
    const sRate = (-p * rate) / s;
    for (let i = 0; i < 3; i++) {
      axisRates[i] = first.axisRates[6 + i];
      axisRates[3 + i] = first.axisRates[i];
      axisRates[6 + i] = first.axisRates[3 + i];
      const top = first.axisRates[6 + i] - rate * second.axes[6 + i] - p * second.axisRates[6 + i];
      armRates[3 + i] = (-rim.radius * top - arms[3 + i] * sRate) / s;
      armRates[i] = second.velocity[i] - first.velocity[i] + armRates[3 + i];
    }
  }
}

/*
 * An ellipsoid over a plane. With n the normal of the plane, e_k and a_k the axes and semi-axes of the
 * ellipsoid, P its centre, O a point of the plane and d = P − O,
 *
 *     m_k = n·e_k,   s = √Σ a_k² m_k²,   lowest point P + p,   p = −Σ (a_k² m_k/s) e_k,
 *     h = n·d − s,
 *     ∇h = n by P, −(a_k² m_k/s) n by e_k, d + p by n,
 *     ḧ = n·d̈ + 2 ṅ·ḋ + n̈·d − s̈ of what is not accelerations,   s ṡ = Σ a_k² m_k ṁ_k,
 *     s s̈ = Σ a_k² (ṁ_k² + m_k m̈_k) − ṡ².
 */

/** Markers of a plane with axes t₁, t₂, n, and of an ellipsoid with its own axes. */
class EllipsoidPlace {
  /** a_k² m_k/s */
  readonly levers = new Float64Array(3);
  /** m_k, ṁ_k */
  readonly along = new Float64Array(3);
  readonly rates = new Float64Array(3);
  /** [0] s, [1] ṡ */
  readonly reach = new Float64Array(2);
  /** d, and p */
  readonly between = new Float64Array(3);
  readonly lowest = new Float64Array(3);

  constructor(
    readonly first: SpatialMarker,
    readonly second: SpatialMarker,
    readonly semiAxes: Float64Array,
  ) {}

  /** Of the axes and points that the markers have. */
  place(): void {
    const { first, second, semiAxes, levers, along, reach, between, lowest } = this;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      along[k] = dot(first.axes, 6, second.axes, 3 * k);
      levers[k] = semiAxes[k] * semiAxes[k] * along[k];
      square += levers[k] * along[k];
    }
    reach[0] = Math.sqrt(square);
    for (let k = 0; k < 3; k++) levers[k] /= reach[0];
    for (let i = 0; i < 3; i++) {
      between[i] = second.point[i] - first.point[i];
      lowest[i] = 0;
      for (let k = 0; k < 3; k++) lowest[i] -= levers[k] * second.axes[3 * k + i];
    }
  }

  /** Rates, too. */
  move(): void {
    const { first, second, levers, rates, reach } = this;
    this.place();
    reach[1] = 0;
    for (let k = 0; k < 3; k++) {
      rates[k] = dot(first.axisRates, 6, second.axes, 3 * k) + dot(first.axes, 6, second.axisRates, 3 * k);
      reach[1] += levers[k] * rates[k];
    }
  }
}

export class EllipsoidGap implements SpatialRows {
  readonly labels = [{ row: 'gap', unit: 'm' }] as const;
  readonly #place: EllipsoidPlace;
  readonly #gradient = new Float64Array(3);

  /** @param semiAxes a_k, m */
  constructor(first: SpatialMarker, second: SpatialMarker, semiAxes: Float64Array) {
    this.#place = new EllipsoidPlace(first, second, semiAxes);
  }

  position(q: Float64Array, out: Float64Array, row: number): void {
    const { first, between, reach } = this.#at(q);
    out[row] = dot(first.axes, 6, between, 0) - reach[0];
  }

  jacobian(q: Float64Array, out: Float64Array, row: number, width: number, space: Space): void {
    const { first, second, between, lowest, levers } = this.#at(q);
    const at = row * width;
    first.addPointGradient(first.axes, 6, -1, out, at, space);
    second.addPointGradient(first.axes, 6, 1, out, at, space);
    for (let k = 0; k < 3; k++) second.addAxisGradient(k, first.axes, 6, -levers[k], out, at, space);
    for (let i = 0; i < 3; i++) this.#gradient[i] = between[i] + lowest[i];
    first.addAxisGradient(2, this.#gradient, 0, 1, out, at, space);
  }

  gamma(q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const place = this.#place;
    const { first, second, between, levers, rates, reach, semiAxes } = place;
    first.move(q, v);
    second.move(q, v);
    place.move();
    let sum = dot(first.axisCentripetal, 6, between, 0);
    for (let i = 0; i < 3; i++) {
      sum += 2 * first.axisRates[6 + i] * (second.velocity[i] - first.velocity[i]);
      sum += first.axes[6 + i] * (second.centripetal[i] - first.centripetal[i]);
    }
    let bend = -reach[1] * reach[1];
    let turn = 0;
    for (let k = 0; k < 3; k++) {
      let bendOf = dot(first.axisCentripetal, 6, second.axes, 3 * k);
      bendOf += dot(first.axes, 6, second.axisCentripetal, 3 * k);
      for (let i = 0; i < 3; i++) bendOf += 2 * first.axisRates[6 + i] * second.axisRates[3 * k + i];
      turn += levers[k] * bendOf;
      bend += (semiAxes[k] * rates[k]) ** 2;
    }
    out[row] = -sum + turn + bend / reach[0];
  }

  #at(q: Float64Array): EllipsoidPlace {
    const place = this.#place;
    place.first.place(q);
    place.second.place(q);
    place.place();
    return place;
  }
}

/** Contact of the lowest point of an ellipsoid with a plane. */
export class EllipsoidOverPlane implements ContactGeometry {
  readonly axes = new Float64Array(9);
  readonly arms = new Float64Array(6);
  readonly axisRates = new Float64Array(9);
  readonly armRates = new Float64Array(6);
  readonly #place: EllipsoidPlace;

  /** @param semiAxes a_k, m */
  constructor(
    readonly first: SpatialMarker,
    readonly second: SpatialMarker,
    semiAxes: Float64Array,
  ) {
    this.#place = new EllipsoidPlace(first, second, semiAxes);
  }

  place(q: Float64Array): void {
    this.first.place(q);
    this.second.place(q);
    this.#place.place();
    this.#lay();
  }

  move(q: Float64Array, v: Float64Array): void {
    const { first, second, axisRates, armRates } = this;
    first.move(q, v);
    second.move(q, v);
    const place = this.#place;
    place.move();
    this.#lay();
    const { levers, rates, reach, semiAxes } = place;
    for (let i = 0; i < 3; i++) {
      axisRates[i] = first.axisRates[6 + i];
      axisRates[3 + i] = first.axisRates[i];
      axisRates[6 + i] = first.axisRates[3 + i];
      armRates[3 + i] = 0;
      for (let k = 0; k < 3; k++) {
        const leverRate = (semiAxes[k] * semiAxes[k] * rates[k] - levers[k] * reach[1]) / reach[0];
        armRates[3 + i] -= leverRate * second.axes[3 * k + i] + levers[k] * second.axisRates[3 * k + i];
      }
      armRates[i] = second.velocity[i] - first.velocity[i] + armRates[3 + i];
    }
  }

  #lay(): void {
    const { first, axes, arms } = this;
    const { between, lowest } = this.#place;
    for (let i = 0; i < 3; i++) {
      axes[i] = first.axes[6 + i];
      axes[3 + i] = first.axes[i];
      axes[6 + i] = first.axes[3 + i];
      arms[3 + i] = lowest[i];
      arms[i] = between[i] + lowest[i];
    }
  }
}
