/**
 * What joints do: their impulses over a step and the force and moment that these are. The impulse of a joint
 * is ᵗG λ of its equations and of motors that prescribe a speed, plus ᵗH R of its limits, friction and
 * motors, all at q_½; its part on one body is a force at the mass centre and a moment about it
 * (`SpatialBody.wrench`), and is given at the joint's point there. Divided by h they are the mean force and
 * moment over the step.
 */
import { isDrive, type SpatialSystem } from '../spatial/system';
import type { JointRows } from './joint-rows';
import type { BodyMobility } from './mobility';

export class JointReactions {
  /** λ by row of G: `system.equations`, then `system.drives`, N s or N m s */
  readonly impulses: Float64Array;
  /** impulse of each row of limits, friction and motors (`JointRows.list`); zero where it took no part */
  readonly rowImpulses: Float64Array;
  /** numbers of the rows of G by joint */
  readonly #equations: readonly (readonly number[])[];
  readonly #jacobian: Float64Array;
  /** force by velocities on one body */
  readonly #work: Float64Array;

  /** @param forces null where joints have none besides their impulses */
  constructor(
    private readonly system: SpatialSystem,
    private readonly mobility: BodyMobility,
    private readonly rows: JointRows,
    private readonly forces: {
      jointImpulse(row: number): number;
      rowImpulse(k: number): number;
    } | null = null,
  ) {
    this.impulses = new Float64Array(mobility.rows);
    this.rowImpulses = new Float64Array(rows.list.length);
    this.#jacobian = new Float64Array(system.velocities);
    this.#work = new Float64Array(
      system.bodies.reduce((most, { velocities }) => Math.max(most, velocities), 0),
    );
    let row = 0;
    let drive = system.equations.count;
    this.#equations = system.joints.map(({ rows: kinds, motors }) => [
      ...kinds.flatMap(({ labels }) => labels.map(() => row++)),
      ...motors.filter(isDrive).map(() => drive++),
    ]);
  }

  clear(): void {
    this.impulses.fill(0);
    this.rowImpulses.fill(0);
  }

  /** Over the step, forces and impact together, by row of G; and by row of `JointRows.list`. */
  ofEquation(row: number): number {
    return this.impulses[row] + (this.forces?.jointImpulse(row) ?? 0);
  }

  ofRow(k: number): number {
    return this.rowImpulses[k] + (this.forces?.rowImpulse(k) ?? 0);
  }

  /**
   * Whether λ of all equations of a joint are determined; where joints say the same, their shares are one
   * choice of many.
   */
  isDetermined(joint: number): boolean {
    return this.#equations[joint].every((row) => this.mobility.isDetermined(row));
  }

  /**
   * Force and moment on the second body of a joint.
   * @param q positions that the impulses belong to, q_½ @param h s
   * @param out six numbers: force, N, and moment about the joint's point on the second body, N m, both in the
   *   world's frame
   */
  appliedOn(joint: number, q: Float64Array, h: number, out: Float64Array): void {
    const { system } = this;
    this.#impulseOn(joint, system.reactingBody(joint));
    system.jointWrench(joint, q, this.#work, 0, 1 / h, out);
  }

  /** Its part over the step on a body, by the velocities of the body. */
  #impulseOn(joint: number, body: number): void {
    const { velocities, velocitiesAt, bodies } = this.system;
    const at = velocitiesAt[body];
    const size = bodies[body].velocities;
    const work = this.#work.fill(0);
    const { jacobian } = this.mobility;
    for (const row of this.#equations[joint]) {
      const impulse = this.ofEquation(row);
      for (let c = 0; c < size; c++) work[c] += jacobian[row * velocities + at + c] * impulse;
    }
    for (let k = 0; k < this.rows.list.length; k++) {
      const impulse = this.ofRow(k);
      if (this.rows.list[k].joint !== joint || impulse === 0) continue;
      this.rows.readRow(k, this.#jacobian);
      for (let c = 0; c < size; c++) work[c] += this.#jacobian[at + c] * impulse;
    }
  }
}
