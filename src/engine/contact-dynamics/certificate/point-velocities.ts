/**
 * Relative velocities Ṗ₂ − Ṗ₁ at contacts of any list, as the certificate forms them: from velocities of
 * points, and from motions at a time of their own.
 */
import { addCross, dot, lengthOf } from '../../spatial/matrix3';
import type { ContactDynamics } from '../contact-dynamics';
import { FRAME_NUMBERS } from '../contacts/contact-frames';
import type { ContactList } from '../contacts/contact-list';
import { kinematicBodyOf } from '../contacts/kinematic-bodies';
import { type CheckedBodies, CheckedKinematicBody } from './checked-bodies';

const DIMENSION = 3;
const SIGNS = [-1, 1] as const;

/** Motions at one moment; null where no body moves as prescribed. */
export type Moment = CheckedKinematicBody | null;

export class PointVelocities {
  readonly #frame = new Float64Array(FRAME_NUMBERS);

  constructor(
    private readonly dynamics: ContactDynamics,
    private readonly bodies: CheckedBodies,
  ) {}

  createMoment(): Moment {
    const { kinematicBodies = [] } = this.dynamics.settings;
    return kinematicBodies.length === 0 ? null : new CheckedKinematicBody(kinematicBodies);
  }

  /**
   * out ← Ṗ₂ − Ṗ₁, m/s.
   * @param points the point of the contact from `at` on, and its normal
   * @param moment of what is prescribed; null leaves that out
   */
  read(
    { bodies }: ContactList,
    c: number,
    points: Float64Array,
    at: number,
    q: Float64Array,
    u: Float64Array,
    moment: Moment,
    out: Float64Array,
  ): void {
    out.fill(0);
    for (let side = 0; side < 2; side++) {
      const body = bodies[2 * c + side];
      if (body >= 0) this.bodies.list[body].addVelocity(q, u, points, at, SIGNS[side], out, 0);
      else if (moment !== null && kinematicBodyOf(body) >= 0) {
        this.#place(points, at);
        moment.addVelocity(kinematicBodyOf(body), true, this.#frame, 0, SIGNS[side], out, 0);
      }
    }
  }

  /** A frame about a normal: surfaces that slide do so across it. */
  #place(points: Float64Array, at: number): void {
    const frame = this.#frame.fill(0);
    let least = 0;
    for (let i = 0; i < 2 * DIMENSION; i++) frame[i] = points[at + i];
    for (let i = 1; i < DIMENSION; i++) if (Math.abs(frame[3 + i]) < Math.abs(frame[3 + least])) least = i;
    frame[9 + least] = 1;
    addCross(frame, 3, frame, 9, 1, frame, 6);
    const length = lengthOf(frame, 6);
    for (let i = 6; i < 9; i++) frame[i] /= length;
    frame.fill(0, 9);
    addCross(frame, 3, frame, 6, 1, frame, 9);
  }
}

/**
 * out ← a vector that turns with a normal, by the shortest way, from n to n': it keeps its part along the
 * axis w = n×n', and those along n and w×n become parts along n' and w×n'.
 */
export class NormalTurn {
  readonly #axis = new Float64Array(DIMENSION);
  readonly #across = new Float64Array(DIMENSION);

  turn(
    vector: Float64Array,
    from: Float64Array,
    fromAt: number,
    to: Float64Array,
    toAt: number,
    out: Float64Array,
  ): void {
    const [axis, across] = [this.#axis.fill(0), this.#across.fill(0)];
    addCross(from, fromAt, to, toAt, 1, axis, 0);
    const sine = lengthOf(axis, 0);
    if (!(sine > 0)) {
      out.set(vector);
      return;
    }
    for (let i = 0; i < DIMENSION; i++) axis[i] /= sine;
    addCross(axis, 0, from, fromAt, 1, across, 0);
    const held = dot(axis, 0, vector, 0);
    const along = dot(from, fromAt, vector, 0);
    const beside = dot(across, 0, vector, 0);
    addCross(axis, 0, to, toAt, 1, across.fill(0), 0);
    for (let i = 0; i < DIMENSION; i++) out[i] = held * axis[i] + along * to[toAt + i] + beside * across[i];
  }
}
