/**
 * Whether steps are too long for bodies that joints pull taut. A body that is pulled by F at s, off its mass
 * centre, turns back like a pendulum: to its turning about an axis across s belongs the stiffness F·s, and
 * with all joints of the body and the inertia I about such an axis
 *
 *     ω² = Σ F·s / I.
 *
 * A step takes F along the directions of its middle, which is stable up to h ω = 2. Beyond that links turn to
 * and fro ever faster, and where positions are not projected the joints come apart. The estimate leaves out
 * what neighbours add, which is of the same size in a chain.
 */
import type { StateArchive } from '../../state-archive';
import type { ContactDynamics } from '../../contact-dynamics/contact-dynamics';
import { rotateBack } from '../../spatial/quaternion';
import { RigidBody } from '../../spatial/bodies/rigid-body';
import type { CompiledSpace } from '../../preparation/spatial/compile';

const STABLE = 2;
const REACTION = 6;

export class TautLinks {
  /** number of the first body that was too taut, −1 for none */
  #body = -1;
  /** [0] its ω, 1/s; [1] the largest pull on it, N; [2] the time, s */
  readonly #numbers = new Float64Array(3);
  /** Σ F·s and largest |F| by body */
  readonly #stiffness: Float64Array;
  readonly #pull: Float64Array;
  /** s of the largest pull, 3 by body, m */
  readonly #levers: Float64Array;
  readonly #lever = new Float64Array(3);
  readonly #wrench = new Float64Array(REACTION);

  constructor(
    private readonly dynamics: ContactDynamics,
    private readonly space: CompiledSpace,
  ) {
    this.#stiffness = new Float64Array(space.system.bodies.length);
    this.#pull = new Float64Array(space.system.bodies.length);
    this.#levers = new Float64Array(3 * space.system.bodies.length);
  }

  exchange(archive: StateArchive): void {
    this.#body = archive.value(this.#body);
    archive.fixed(this.#numbers);
    archive.fixed(this.#pull);
    archive.fixed(this.#levers);
  }

  /** Looks at the step that has just been computed, until one is found. */
  look(): void {
    if (this.#body >= 0) return;
    const { system } = this.space;
    const { h, middle, time } = this.dynamics;
    this.#stiffness.fill(0);
    this.#pull.fill(0);
    for (let j = 0; j < system.joints.length; j++) {
      const { first, second } = system.joints[j];
      this.dynamics.appliedOn(j, this.#wrench);
      second.place(middle);
      this.#add(second.body, second.point, 1);
      this.#add(first.body, second.point, -1);
    }
    for (let k = 0; k < system.bodies.length; k++) {
      const body = system.bodies[k];
      if (!(body instanceof RigidBody) || !(this.#stiffness[k] > 0)) continue;
      const omega = Math.sqrt(this.#stiffness[k] * this.#mobility(body, k));
      if (!(h * omega > STABLE)) continue;
      this.#body = k;
      this.#numbers.set([omega, this.#pull[k], time]);
      return;
    }
  }

  /** Mean of I⁻¹ over axes across the lever of the largest pull, 1/(kg m²). */
  #mobility({ inverseInertia }: RigidBody, k: number): number {
    const lever = this.#lever;
    rotateBack(this.dynamics.middle, this.space.system.positionsAt[k] + 3, this.#levers, 3 * k, lever, 0);
    let [along, square, trace] = [0, 0, 0];
    for (let i = 0; i < 3; i++) {
      trace += inverseInertia[4 * i];
      square += lever[i] * lever[i];
      for (let j = 0; j < 3; j++) along += lever[i] * inverseInertia[3 * i + j] * lever[j];
    }
    return 0.5 * (trace - along / square);
  }

  /** What is to be said where joints have come apart; null where no body was too taut. */
  get finding(): string | null {
    if (this.#body < 0) return null;
    const [omega, pull, time] = this.#numbers;
    const { id } = this.space.system.bodies[this.#body];
    const limit = (STABLE / omega).toPrecision(3);
    return `The step of ${this.dynamics.h} s is too long for “${id}”: joints that pull it with ${pull.toPrecision(3)} N make it vibrate with ω = ${omega.toPrecision(3)} 1/s (t = ${time.toPrecision(4)} s), and steps are stable up to 2/ω = ${limit} s. The joints come apart: reduce the step below ${limit} s, project positions onto joints, or make the light bodies between heavy ones heavier.`;
  }

  /** @param sign of the force that a joint puts on a body, to that on its second body */
  #add(body: number, point: Float64Array, sign: number): void {
    if (body < 0) return;
    const { positionsAt } = this.space.system;
    const { middle } = this.dynamics;
    let [product, square] = [0, 0];
    for (let i = 0; i < 3; i++) {
      const force = sign * this.#wrench[i];
      product += force * (point[i] - middle[positionsAt[body] + i]);
      square += force * force;
    }
    this.#stiffness[body] += product;
    if (Math.sqrt(square) <= this.#pull[body]) return;
    this.#pull[body] = Math.sqrt(square);
    for (let i = 0; i < 3; i++) this.#levers[3 * body + i] = point[i] - middle[positionsAt[body] + i];
  }
}
