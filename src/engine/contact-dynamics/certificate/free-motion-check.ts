/**
 * What a step does besides impulses, from the equations of the schemes and the loads of the model: positions
 * from velocities, and velocities from loads, elasticity and the gyroscopic term. Nothing of the schemes is
 * called; turns are quaternions written out here. With f the loads, r what the step expects of joints, E(φ)
 * the rotation by the vector φ, and Ω_f the angular velocity after loads, the impulses of joints and contacts
 * left out:
 *
 *     by half steps    q_½ = q ⊕ ½h u⁻,   q⁺ = q_½ ⊕ ½h u⁺,   M (u_f − u⁻) = h f(t_½, q_½, u_l),
 *                      and of rigid bodies, with Ω' = Ω_f + I⁻¹ r
 *       conserving     E(½h Ω') I⁺ Ω' = E(−½h Ω⁻) I⁻ Ω⁻ + h m + r
 *       implicit       I⁺ (Ω' − Ω⁻) = h m + r − h Ω_m×I_m Ω_m − (I⁺ − I⁻) Ω⁻,   Ω_m = ½ (Ω' + Ω⁻)
 *       explicit       the same with Ω_m = Ω⁻
 *     θ-method         q_* = q ⊕ h u⁻,    q⁺ = q ⊕ h u_θ,
 *                      M (u_f − u⁻) = h (θ f(t⁺, q⁺, u⁺) + (1 − θ) f(t⁻, q⁻, u⁻)), and of rigid bodies
 *       conserving     I⁺ Ω_f = E(−h Ω_θ) (I⁻ Ω⁻ + h (1 − θ) m⁻) + h θ m⁺
 *       implicit       I⁺ (Ω_f − Ω⁻) = h m_θ − h (θ Ω⁺×I_m Ω⁺ + (1 − θ) Ω⁻×I_m Ω⁻) − (I⁺ − I⁻) Ω⁻
 *       explicit       the same with Ω⁻ in the gyroscopic term
 *
 * Moments of inertia that change are asked of their law. Defects of positions are relative to the largest
 * position, or path of a step, so far; those of velocities are momenta, with moments as forces at the radius
 * of gyration.
 */
import type { StateArchive } from '../../state-archive';
import { PseudoRigidBody } from '../../spatial/bodies/pseudo-rigid';
import { RigidBody } from '../../spatial/bodies/rigid-body';
import type { ContactDynamics } from '../contact-dynamics';
import type { ImpulseSchemeSettings } from '../schemes/registry';
import type { SpatialSystem } from '../../spatial/system';
import { larger } from '../../linalg/nan-safe';
import { lengthOf } from '../../spatial/matrix3';

/** One rigid body with moments of inertia that the check has found itself. */
interface RigidPlace {
  readonly body: RigidBody;
  /** number among all bodies */
  readonly index: number;
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly mean: Float64Array;
}

/** Whether positions follow from velocities. */
export class PositionCheck {
  /** [0] largest coordinate of a mass centre, or path in a step, [1] of a deformation, so far */
  readonly scales = new Float64Array(2);
  readonly #turn = new Float64Array(4);
  readonly #quaternion = new Float64Array(4);

  /** @param defects takes the largest relative defect in [0], and its body in [2] */
  constructor(
    private readonly system: SpatialSystem,
    private readonly defects: Float64Array,
  ) {}

  /** to = from ⊕ time · u */
  judge(from: Float64Array, u: Float64Array, time: number, to: Float64Array): void {
    const { bodies, positionsAt, velocitiesAt } = this.system;
    for (let k = 0; k < bodies.length; k++) {
      const q = positionsAt[k];
      const v = velocitiesAt[k];
      const isRigid = bodies[k] instanceof RigidBody;
      const count = isRigid ? 3 : bodies[k].positions;
      for (let i = 0; i < count; i++) {
        const scale = i < 3 ? 0 : 1;
        const path = time * u[v + i];
        this.scales[scale] = larger(this.scales[scale], Math.max(Math.abs(to[q + i]), Math.abs(path)));
        const defect = Math.abs(to[q + i] - from[q + i] - path);
        this.#raise(defect === 0 ? 0 : defect / this.scales[scale], k);
      }
      if (isRigid) this.#raise(this.#orientation(from, q + 3, u, v + 3, time, to), k);
    }
  }

  /** |Q⁺ − Q ∘ (cos ½φ, sin ½φ φ/|φ|)| with φ = time · Ω, and either sign of Q⁺ */
  #orientation(
    from: Float64Array,
    at: number,
    u: Float64Array,
    uAt: number,
    time: number,
    to: Float64Array,
  ): number {
    const turn = this.#turn;
    const angle = time * lengthOf(u, uAt);
    turn[0] = cosine(0.5 * angle);
    const factor = 0.5 * time * sineRatio(0.5 * angle);
    for (let i = 0; i < 3; i++) turn[i + 1] = factor * u[uAt + i];
    const w = turn[0];
    const x = turn[1];
    const y = turn[2];
    const z = turn[3];
    const a = from[at];
    const b = from[at + 1];
    const c = from[at + 2];
    const d = from[at + 3];
    const image = this.#quaternion;
    image[0] = a * w - b * x - c * y - d * z;
    image[1] = a * x + b * w + c * z - d * y;
    image[2] = a * y - b * z + c * w + d * x;
    image[3] = a * z + b * y - c * x + d * w;
    let same = 0;
    let opposite = 0;
    for (let i = 0; i < 4; i++) {
      same = larger(same, Math.abs(to[at + i] - image[i]));
      opposite = larger(opposite, Math.abs(to[at + i] + image[i]));
    }
    return Math.min(same, opposite);
  }

  #raise(defect: number, body: number): void {
    if (defect <= this.defects[0]) return;
    this.defects[0] = larger(defect, this.defects[0]);
    this.defects[2] = body;
  }
}

export class FreeMotionCheck {
  /** [0] largest defect of positions, relative, [1] of velocities, N s; [2], [3] the bodies */
  readonly defects = new Float64Array(4);
  readonly #rigid: readonly RigidPlace[];
  /** f, at the start of the step and where the scheme has it */
  readonly #first: Float64Array;
  readonly #force: Float64Array;
  /** velocity that loads are evaluated at, and what joints are expected to do, by velocities */
  readonly #velocity: Float64Array;
  readonly #reactions: Float64Array;
  readonly #jacobian: Float64Array;
  readonly #clock = new Float64Array(1);
  readonly #middle = new Float64Array(3);
  readonly #image = new Float64Array(3);
  readonly #other = new Float64Array(3);
  readonly #positions: PositionCheck;

  exchange(archive: StateArchive): void {
    archive.fixed(this.#positions.scales);
  }

  constructor(
    private readonly dynamics: ContactDynamics,
    private readonly motion: ImpulseSchemeSettings,
  ) {
    const { system } = dynamics;
    this.#positions = new PositionCheck(system, this.defects);
    this.#rigid = system.bodies.flatMap((body, index) => {
      if (!(body instanceof RigidBody)) return [];
      const matrices = { start: body.inertia.slice(), end: body.inertia.slice(), mean: body.inertia.slice() };
      return [{ body, index, ...matrices }];
    });
    const vector = (): Float64Array => new Float64Array(system.velocities);
    this.#first = vector();
    this.#force = vector();
    this.#velocity = vector();
    this.#reactions = vector();
    const rows = system.equations.count + system.drives.count;
    this.#jacobian = new Float64Array(rows * system.velocities);
  }

  judge(): void {
    const { dynamics, defects, motion } = this;
    defects.fill(0);
    this.#readInertia();
    if ('theta' in motion) {
      this.#theta(motion.theta, motion.gyroscopic);
      return;
    }
    const { h, start, middle, uncorrected, before, u } = dynamics;
    // Other updates of orientations are there for comparison.
    if (
      !('orientation' in motion) ||
      motion.orientation === undefined ||
      motion.orientation === 'exponential'
    ) {
      this.#positions.judge(start, before, 0.5 * h, middle);
      this.#positions.judge(middle, u, 0.5 * h, uncorrected);
    }
    this.#halfSteps(motion.gyroscopic, motion.loads === 'predicted');
  }

  #readInertia(): void {
    const { clock, h } = this.dynamics;
    for (let k = 0; k < this.#rigid.length; k++) {
      const { body, start, end, mean } = this.#rigid[k];
      if (body.law === null) continue;
      this.#clock[0] = clock[0] - h;
      body.law(this.#clock, start.fill(0));
      body.law(clock, end.fill(0));
      for (let i = 0; i < 9; i++) mean[i] = 0.5 * (start[i] + end[i]);
    }
  }

  #halfSteps(term: 'conserving' | 'explicit' | 'implicit', isPredicted: boolean): void {
    const { system, clock, h, middle, before, unbound } = this.dynamics;
    const force = this.#force;
    const velocity = this.#velocity;
    const reactions = this.#reactions.fill(0);
    this.#expect(reactions);
    this.#clock[0] = clock[0] - 0.5 * h;
    velocity.set(before);
    system.force(this.#clock, middle, velocity, force);
    if (isPredicted) {
      this.#predict(force, reactions, velocity);
      system.force(this.#clock, middle, velocity, force);
    }
    for (let i = 0; i < force.length; i++) force[i] *= h;
    this.#linear(force);
    for (let k = 0; k < this.#rigid.length; k++) {
      const { body, index, start, end, mean } = this.#rigid[k];
      const at = system.velocitiesAt[index] + 3;
      const full = this.#other;
      // Ω' = Ω_f + I⁻¹ r
      for (let i = 0; i < 3; i++) full[i] = reactions[at + i];
      solveSymmetric(end, full);
      for (let i = 0; i < 3; i++) full[i] += unbound[at + i];
      const rest = this.#image;
      if (term === 'conserving') {
        multiply(start, before, at, rest);
        rotateBy(before, at, -0.5 * h, rest);
        for (let i = 0; i < 3; i++) rest[i] += force[at + i] + reactions[at + i];
        rotateBy(full, 0, -0.5 * h, rest);
        subtractProduct(end, full, 0, rest);
      } else {
        for (let i = 0; i < 3; i++) rest[i] = force[at + i] + reactions[at + i];
        const omega = this.#middle;
        for (let i = 0; i < 3; i++)
          omega[i] = term === 'implicit' ? 0.5 * (full[i] + before[at + i]) : before[at + i];
        addGyroscopic(mean, omega, 0, -h, rest);
        subtractProduct(end, full, 0, rest);
        addProduct(start, before, at, rest);
      }
      this.#moment(body, end, index);
    }
  }

  #theta(theta: number, term: 'conserving' | 'explicit' | 'implicit'): void {
    const { system, clock, h, start: q, middle, uncorrected, before, u, unbound } = this.dynamics;
    const mean = this.#velocity;
    for (let i = 0; i < u.length; i++) mean[i] = theta * u[i] + (1 - theta) * before[i];
    this.#positions.judge(q, before, h, middle);
    this.#positions.judge(q, mean, h, uncorrected);
    const first = this.#first;
    const force = this.#force;
    this.#clock[0] = clock[0] - h;
    system.force(this.#clock, q, before, first);
    system.force(clock, uncorrected, u, force);
    for (let i = 0; i < force.length; i++) {
      force[i] *= h * theta;
      first[i] *= h * (1 - theta);
    }
    const sum = this.#reactions;
    for (let i = 0; i < sum.length; i++) sum[i] = force[i] + first[i];
    this.#linear(sum);
    for (let k = 0; k < this.#rigid.length; k++) {
      const { body, index, start, end, mean: between } = this.#rigid[k];
      const at = system.velocitiesAt[index] + 3;
      const rest = this.#image;
      if (term === 'conserving') {
        multiply(start, before, at, rest);
        for (let i = 0; i < 3; i++) rest[i] += first[at + i];
        rotateBy(mean, at, -h, rest);
        for (let i = 0; i < 3; i++) rest[i] += force[at + i];
      } else {
        for (let i = 0; i < 3; i++) rest[i] = sum[at + i];
        const weight = term === 'implicit' ? theta : 0;
        addGyroscopic(between, before, at, -h * (1 - weight), rest);
        addGyroscopic(between, u, at, -h * weight, rest);
        addProduct(start, before, at, rest);
      }
      subtractProduct(end, unbound, at, rest);
      this.#moment(body, end, index);
    }
  }

  /** out ← ᵗG r of what joints are expected to do in a step by half steps, at q_½ */
  #expect(out: Float64Array): void {
    const { system, middle, expected } = this.dynamics;
    if (expected === null) return;
    const { equations, drives, velocities } = system;
    const jacobian = this.#jacobian;
    equations.jacobian(middle, jacobian, velocities, 'velocity');
    drives.jacobian(middle, jacobian, velocities, 'velocity', equations.count);
    for (let r = 0; r < expected.length; r++)
      for (let c = 0; c < velocities; c++) out[c] += jacobian[r * velocities + c] * expected[r];
  }

  /** velocity ← u⁻ + ½h M⁻¹ (f − Ω×I Ω − (I⁺ − I⁻) Ω/h + r/h) */
  #predict(force: Float64Array, reactions: Float64Array, velocity: Float64Array): void {
    const { system, before, h } = this.dynamics;
    const rest = this.#image;
    for (let i = 0; i < velocity.length; i++) velocity[i] = 0.5 * (h * force[i] + reactions[i]);
    for (let k = 0; k < this.#rigid.length; k++) {
      const { body, index, start, end, mean } = this.#rigid[k];
      const at = system.velocitiesAt[index];
      rest.fill(0);
      addGyroscopic(mean, before, at + 3, -0.5 * h, rest);
      for (let i = 0; i < 3; i++)
        for (let j = 0; j < 3; j++) rest[i] -= 0.5 * (end[3 * i + j] - start[3 * i + j]) * before[at + 3 + j];
      for (let i = 0; i < 3; i++) rest[i] += velocity[at + 3 + i];
      solveSymmetric(end, rest);
      for (let i = 0; i < 3; i++) {
        velocity[at + i] /= body.mass;
        velocity[at + 3 + i] = rest[i];
      }
    }
    for (let k = 0; k < system.pseudoRigid.length; k++) {
      const { body, vAt } = system.pseudoRigid[k];
      body.applyInverseMass(velocity, vAt);
    }
    for (let i = 0; i < velocity.length; i++) velocity[i] += before[i];
  }

  /** M (u_f − u⁻) − impulses of loads, of mass centres and deformations. */
  #linear(impulse: Float64Array): void {
    const { system, before, unbound } = this.dynamics;
    const { bodies, velocitiesAt } = system;
    for (let k = 0; k < bodies.length; k++) {
      const body = bodies[k];
      const at = velocitiesAt[k];
      for (let i = at; i < at + 3; i++)
        this.#raise(Math.abs(body.mass * (unbound[i] - before[i]) - impulse[i]), k);
      if (!(body instanceof PseudoRigidBody)) continue;
      for (let i = at + 3; i < at + body.velocities; i += 3)
        for (let j = 0; j < 3; j++) {
          let rest = -impulse[i + j];
          for (let m = 0; m < 3; m++) rest += (unbound[i + m] - before[i + m]) * body.euler[3 * m + j];
          this.#raise(Math.abs(rest), k);
        }
    }
  }

  /** What is left of the balance of a turn counts by the force at the radius of gyration. */
  #moment({ mass }: RigidBody, inertia: Float64Array, index: number): void {
    const rest = this.#image;
    const gyration = Math.sqrt((inertia[0] + inertia[4] + inertia[8]) / (3 * mass));
    for (let i = 0; i < 3; i++) this.#raise(Math.abs(rest[i]) / gyration, index);
  }

  #raise(defect: number, body: number): void {
    if (defect <= this.defects[1]) return;
    this.defects[1] = larger(defect, this.defects[1]);
    this.defects[3] = body;
  }
}

/** out ← A x */
function multiply(a: Float64Array, x: Float64Array, at: number, out: Float64Array): void {
  out.fill(0);
  addProduct(a, x, at, out);
}

function addProduct(a: Float64Array, x: Float64Array, at: number, out: Float64Array): void {
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) out[i] += a[3 * i + j] * x[at + j];
}

function subtractProduct(a: Float64Array, x: Float64Array, at: number, out: Float64Array): void {
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) out[i] -= a[3 * i + j] * x[at + j];
}

/** out += factor · Ω×(A Ω) */
function addGyroscopic(
  a: Float64Array,
  omega: Float64Array,
  at: number,
  factor: number,
  out: Float64Array,
): void {
  const x = omega[at];
  const y = omega[at + 1];
  const z = omega[at + 2];
  const p = a[0] * x + a[1] * y + a[2] * z;
  const q = a[3] * x + a[4] * y + a[5] * z;
  const r = a[6] * x + a[7] * y + a[8] * z;
  out[0] += factor * (y * r - z * q);
  out[1] += factor * (z * p - x * r);
  out[2] += factor * (x * q - y * p);
}

/**
 * Angles, rad, up to which three terms behind the first are all digits of the series of sine and cosine; most
 * turns of a step are smaller.
 */
const SMALL_TURN = 2 ** -6;

const cosine = (angle: number): number => {
  if (Math.abs(angle) > SMALL_TURN) return Math.cos(angle);
  const square = angle * angle;
  return 1 - square * (1 / 2 - square * (1 / 24 - square / 720));
};

/** sin φ / φ */
const sineRatio = (angle: number): number => {
  if (Math.abs(angle) > SMALL_TURN) return Math.sin(angle) / angle;
  const square = angle * angle;
  return 1 - square * (1 / 6 - square * (1 / 120 - square / 5040));
};

/** x ← the turn of x by the vector φ = time · Ω: x + φ×x sin φ / φ + 2 φ×(φ×x) (sin ½φ / φ)² */
function rotateBy(omega: Float64Array, at: number, time: number, x: Float64Array): void {
  const angle = time * lengthOf(omega, at);
  const half = 0.5 * sineRatio(0.5 * angle);
  const sine = sineRatio(angle);
  const versine = 2 * half * half;
  const p0 = time * omega[at];
  const p1 = time * omega[at + 1];
  const p2 = time * omega[at + 2];
  const c0 = p1 * x[2] - p2 * x[1];
  const c1 = p2 * x[0] - p0 * x[2];
  const c2 = p0 * x[1] - p1 * x[0];
  x[0] += sine * c0 + versine * (p1 * c2 - p2 * c1);
  x[1] += sine * c1 + versine * (p2 * c0 - p0 * c2);
  x[2] += sine * c2 + versine * (p0 * c1 - p1 * c0);
}

/** x ← A⁻¹ x, A symmetric, by cofactors */
function solveSymmetric(a: Float64Array, x: Float64Array): void {
  const c00 = a[4] * a[8] - a[5] * a[5];
  const c01 = a[2] * a[5] - a[1] * a[8];
  const c02 = a[1] * a[5] - a[2] * a[4];
  const c11 = a[0] * a[8] - a[2] * a[2];
  const c12 = a[1] * a[2] - a[0] * a[5];
  const c22 = a[0] * a[4] - a[1] * a[1];
  const determinant = a[0] * c00 + a[1] * c01 + a[2] * c02;
  const p = x[0];
  const q = x[1];
  const r = x[2];
  x[0] = (c00 * p + c01 * q + c02 * r) / determinant;
  x[1] = (c01 * p + c11 * q + c12 * r) / determinant;
  x[2] = (c02 * p + c12 * q + c22 * r) / determinant;
}
