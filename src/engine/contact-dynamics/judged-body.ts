/**
 * What the certificate asks of a body at q_½: how fast a point of it moves, what an impulse at a point is in balances of its own, what mass that
 * point feels, and how far the balances are off. One class for each kind of body; nothing of H is used.
 */
import { PseudoRigidBody } from '../spatial/pseudo-rigid';
import { invertMatrix, solveMatrix } from '../spatial/matrix3';
import { rotate, rotateBack } from '../spatial/quaternion';
import { RigidBody } from '../spatial/rigid-body';
import type { SpatialSystem } from '../spatial/system';
import { addCross, multiplyMatrix } from '../spatial/vector-product';
import { larger } from './laws/natural-map';

export interface JudgedBody {
  /** Adds sign · velocity of the point P, which stands at `at` of `points`. */
  addVelocity(
    q: Float64Array,
    u: Float64Array,
    points: Float64Array,
    at: number,
    sign: number,
    out: Float64Array,
  ): void;
  /** Adds sign · impulse at P to the sums of the body's balances, which stand where its velocities do. */
  push(
    q: Float64Array,
    points: Float64Array,
    at: number,
    impulse: Float64Array,
    sign: number,
    sums: Float64Array,
  ): void;
  /** Velocity of P along a unit normal that a unit impulse along it gives, 1/kg. */
  mobility(q: Float64Array, points: Float64Array, at: number, normalAt: number): number;
  /** angular velocity that a unit moment gives, the mean over all axes, 1/(kg m²) */
  readonly turnMobility: number;
  /** Adds sign · angular velocity, world's frame. */
  addSpin(q: Float64Array, u: Float64Array, sign: number, out: Float64Array): void;
  /** Adds sign · moment, world's frame, to the sums of the balances. */
  turn(q: Float64Array, moment: Float64Array, sign: number, sums: Float64Array): void;
  /** Adds the changes of velocities that sums of the balances make of a free body. */
  impel(q: Float64Array, sums: Float64Array, change: Float64Array): void;
  /**
   * Largest defect of the balances.
   * @param change of the velocities of all bodies by impulses @param ofJoints impulses of joints by velocities of all bodies
   */
  defect(q: Float64Array, change: Float64Array, sums: Float64Array, ofJoints: Float64Array): number;
}

export const judgedBodies = ({ bodies, positionsAt, velocitiesAt }: SpatialSystem): JudgedBody[] =>
  bodies.map((body, k) => {
    if (body instanceof RigidBody) return new JudgedRigidBody(body, positionsAt[k], velocitiesAt[k]);
    if (body instanceof PseudoRigidBody)
      return new JudgedPseudoRigidBody(body, positionsAt[k], velocitiesAt[k]);
    throw new Error(`no balances for the kind of “${body.id}”`);
  });

/** m ΔV − Σ ±R − joints, and R I ΔΩ − Σ s×(±R) − joints, in the world's frame with s = P − x. */
class JudgedRigidBody implements JudgedBody {
  readonly #arm = new Float64Array(3);
  readonly #work = new Float64Array(3);

  constructor(
    private readonly body: RigidBody,
    private readonly qAt: number,
    private readonly vAt: number,
  ) {}

  get turnMobility(): number {
    const { inverseInertia } = this.body;
    return (inverseInertia[0] + inverseInertia[4] + inverseInertia[8]) / 3;
  }

  addSpin(q: Float64Array, u: Float64Array, sign: number, out: Float64Array): void {
    rotate(q, this.qAt + 3, u, this.vAt + 3, this.#work, 0);
    for (let i = 0; i < 3; i++) out[i] += sign * this.#work[i];
  }

  turn(_: Float64Array, moment: Float64Array, sign: number, sums: Float64Array): void {
    for (let i = 0; i < 3; i++) sums[this.vAt + 3 + i] += sign * moment[i];
  }

  #placeArm(q: Float64Array, points: Float64Array, at: number): void {
    for (let i = 0; i < 3; i++) this.#arm[i] = points[at + i] - q[this.qAt + i];
  }

  addVelocity(
    q: Float64Array,
    u: Float64Array,
    points: Float64Array,
    at: number,
    sign: number,
    out: Float64Array,
  ): void {
    this.#placeArm(q, points, at);
    rotate(q, this.qAt + 3, u, this.vAt + 3, this.#work, 0);
    for (let i = 0; i < 3; i++) out[i] += sign * u[this.vAt + i];
    addCross(this.#work, 0, this.#arm, 0, sign, out, 0);
  }

  push(
    q: Float64Array,
    points: Float64Array,
    at: number,
    impulse: Float64Array,
    sign: number,
    sums: Float64Array,
  ): void {
    this.#placeArm(q, points, at);
    for (let i = 0; i < 3; i++) sums[this.vAt + i] += sign * impulse[i];
    addCross(this.#arm, 0, impulse, 0, sign, sums, this.vAt + 3);
  }

  /** 1/m + (s×n)·I⁻¹ (s×n) */
  mobility(q: Float64Array, points: Float64Array, at: number, normalAt: number): number {
    const work = this.#work;
    this.#placeArm(q, points, at);
    work.fill(0);
    addCross(this.#arm, 0, points, normalAt, 1, work, 0);
    rotateBack(q, this.qAt + 3, work, 0, work, 0);
    return 1 / this.body.mass + quadratic(this.body.inverseInertia, work);
  }

  impel(q: Float64Array, sums: Float64Array, change: Float64Array): void {
    const { vAt, body } = this;
    const work = this.#work;
    rotateBack(q, this.qAt + 3, sums, vAt + 3, work, 0);
    multiplyMatrix(body.inverseInertia, work, 0, work, 0);
    for (let i = 0; i < 3; i++) {
      change[vAt + i] += sums[vAt + i] / body.mass;
      change[vAt + 3 + i] += work[i];
    }
  }

  defect(q: Float64Array, change: Float64Array, sums: Float64Array, ofJoints: Float64Array): number {
    const { vAt, body } = this;
    const work = this.#work;
    let defect = 0;
    for (let i = vAt; i < vAt + 3; i++)
      defect = larger(defect, Math.abs(body.mass * change[i] - sums[i] - ofJoints[i]));
    multiplyMatrix(body.inertia, change, vAt + 3, work, 0);
    for (let i = 0; i < 3; i++) work[i] -= ofJoints[vAt + 3 + i];
    rotate(q, this.qAt + 3, work, 0, work, 0);
    for (let i = 0; i < 3; i++) defect = larger(defect, Math.abs(work[i] - sums[vAt + 3 + i]));
    return defect;
  }
}

/**
 * m Δx̄˙ − Σ ±R − joints, and ΔḞ E − Σ ±R⊗ξ − joints with the point ξ = F⁻¹ (P − x̄) of the reference configuration. The angular velocity is the
 * skew part of Ḟ F⁻¹, and a moment M a pair of forces with f⊗ξ = ½ skew(M) F⁻ᵀ.
 */
class JudgedPseudoRigidBody implements JudgedBody {
  readonly #point = new Float64Array(3);
  readonly #moved = new Float64Array(3);
  readonly #matrix = new Float64Array(9);

  constructor(
    private readonly body: PseudoRigidBody,
    private readonly qAt: number,
    private readonly vAt: number,
  ) {}

  /** ⅙ tr E⁻¹ */
  get turnMobility(): number {
    const inverse = this.#matrix;
    invertMatrix(this.body.euler, 0, inverse);
    return (inverse[0] + inverse[4] + inverse[8]) / 6;
  }

  addSpin(q: Float64Array, u: Float64Array, sign: number, out: Float64Array): void {
    const inverse = this.#matrix;
    invertMatrix(q, this.qAt + 3, inverse);
    const gradient = (i: number, j: number): number => {
      const row = this.vAt + 3 + 3 * i;
      return u[row] * inverse[j] + u[row + 1] * inverse[3 + j] + u[row + 2] * inverse[6 + j];
    };
    for (let i = 0; i < 3; i++) {
      const [j, k] = [(i + 1) % 3, (i + 2) % 3];
      out[i] += 0.5 * sign * (gradient(k, j) - gradient(j, k));
    }
  }

  turn(q: Float64Array, moment: Float64Array, sign: number, sums: Float64Array): void {
    const inverse = this.#matrix;
    invertMatrix(q, this.qAt + 3, inverse);
    for (let i = 0; i < 3; i++) {
      const [a, b] = [(i + 1) % 3, (i + 2) % 3];
      // Row i of skew(M): M_a at b, −M_b at a with the sign of (a, b, i).
      for (let l = 0; l < 3; l++)
        sums[this.vAt + 3 + 3 * i + l] +=
          0.5 * sign * (moment[a] * inverse[3 * l + b] - moment[b] * inverse[3 * l + a]);
    }
  }

  #placePoint(q: Float64Array, points: Float64Array, at: number): void {
    for (let i = 0; i < 3; i++) this.#point[i] = points[at + i] - q[this.qAt + i];
    solveMatrix(q, this.qAt + 3, this.#point);
  }

  addVelocity(
    q: Float64Array,
    u: Float64Array,
    points: Float64Array,
    at: number,
    sign: number,
    out: Float64Array,
  ): void {
    this.#placePoint(q, points, at);
    for (let i = 0; i < 3; i++) {
      let velocity = u[this.vAt + i];
      for (let j = 0; j < 3; j++) velocity += u[this.vAt + 3 + 3 * i + j] * this.#point[j];
      out[i] += sign * velocity;
    }
  }

  push(
    q: Float64Array,
    points: Float64Array,
    at: number,
    impulse: Float64Array,
    sign: number,
    sums: Float64Array,
  ): void {
    this.#placePoint(q, points, at);
    for (let i = 0; i < 3; i++) {
      sums[this.vAt + i] += sign * impulse[i];
      for (let j = 0; j < 3; j++) sums[this.vAt + 3 + 3 * i + j] += sign * impulse[i] * this.#point[j];
    }
  }

  /** 1/m + ξ·E⁻¹ ξ, whatever the normal */
  mobility(q: Float64Array, points: Float64Array, at: number): number {
    this.#placePoint(q, points, at);
    const moved = this.#moved;
    moved.set(this.#point);
    solveMatrix(this.body.euler, 0, moved);
    let sum = 1 / this.body.mass;
    for (let i = 0; i < 3; i++) sum += this.#point[i] * moved[i];
    return sum;
  }

  impel(_: Float64Array, sums: Float64Array, change: Float64Array): void {
    const { vAt, body } = this;
    const row = this.#moved;
    for (let i = 0; i < 3; i++) {
      change[vAt + i] += sums[vAt + i] / body.mass;
      const at = vAt + 3 + 3 * i;
      for (let j = 0; j < 3; j++) row[j] = sums[at + j];
      solveMatrix(body.euler, 0, row);
      for (let j = 0; j < 3; j++) change[at + j] += row[j];
    }
  }

  defect(_: Float64Array, change: Float64Array, sums: Float64Array, ofJoints: Float64Array): number {
    const { vAt, body } = this;
    let defect = 0;
    for (let i = 0; i < 3; i++) {
      const own = vAt + i;
      defect = larger(defect, Math.abs(body.mass * change[own] - sums[own] - ofJoints[own]));
      for (let j = 0; j < 3; j++) {
        const entry = vAt + 3 + 3 * i + j;
        let rate = -sums[entry] - ofJoints[entry];
        for (let k = 0; k < 3; k++) rate += change[vAt + 3 + 3 * i + k] * body.euler[3 * k + j];
        defect = larger(defect, Math.abs(rate));
      }
    }
    return defect;
  }
}

/** x·A x */
function quadratic(a: Float64Array, x: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) sum += x[i] * a[3 * i + j] * x[j];
  return sum;
}
