/**
 * Bodies that contacts and joints hold at rest have the velocity zero, exactly.
 *
 * The law at a contact with R in the inside of its cone says U = 0, and at one that pushes U_N = 0; of a
 * limit that pushes and of friction that sticks it says the same of a rate. A solver gives these velocities
 * up to its tolerance, and a body would creep by what is left, however small, for ever: by 10⁻¹⁰ m/s, say, or
 * in a random walk of roundings. But where the rows that hold a group, together with its joints, are as many
 * independent ones as it has velocities, and what is on their other sides is at rest too, u⁺ = 0 is what the
 * law says, in the mode that the solver has found. So it is set, and no size of a velocity decides about it:
 * a body that begins to slide has R on the boundary of the cone, and is left alone.
 *
 * A contact sticks when R − Û is within the cone (for R on its boundary and any Û ≠ 0 it is not), and pushes
 * when R_N > U_N. With restitution U⁺ = −e U⁻ is zero only if U⁻ is; what the solver leaves of it counts as
 * zero.
 *
 * Where rolling friction sticks, ω_T = 0, and where spinning friction does, ω_N = 0. A ball that both hold on
 * one contact has no velocity left. Without spinning friction one is: z, to spin about the normal through the
 * contact, at which no impulse of this contact works. So ᵗz M u⁺ = ᵗz M u_f, and where that is zero the ball,
 * that does not spin, is at rest. A spin that is below what the solver leaves and rounding counts as none.
 *
 * Groups at rest are found from what does not move upwards, as when a wall is built. Where bodies move in a
 * plane, the velocities that would lead out of it are held already.
 */
import { factorCholesky } from '../linalg/cholesky';
import type { FrictionContactProblem } from '../problems/friction-contact';
import { OUT_OF_PLANE } from '../spatial/plane-of-motion';
import { RigidBody, VELOCITIES } from '../spatial/bodies/rigid-body';
import type { SpatialSystem } from '../spatial/system';
import { addCross, dot, multiplyMatrix } from '../spatial/matrix3';
import type { ContactFrames } from './contacts/contact-frames';
import { type JointRow, NORMAL } from './joint-rows';
import type { BodyMobility } from './mobility';
import { contactOf, contactKindOf, PERCUSSION, ROLLING } from './contacts/contact-list';
import { ROUNDINGS } from './rounding';

/**
 * Rows are independent when the least eigenvalue of their Gram matrix is above this part of its trace:
 * directions 10⁻⁵ apart.
 */
const INDEPENDENT = 1e-10;
/**
 * Momentum that bodies may lose where they stop, in tolerances of the impulses of the step: a third of
 * what counts as certified.
 */
const EXPLAINED = 10;
const NONE = -1;

/** Components that a block row holds fast, as bits; and how many those are. */
const [NOTHING, FIRST, SECOND, TANGENTS, ALL] = [0, 1, 2, 6, 7];
const COUNTS = Uint8Array.of(0, 1, 1, 2, 1, 2, 2, 3);

export class RestingGroups {
  /** [0] what the solver leaves of velocities that should be zero, m/s */
  readonly #noise = new Float64Array(1);
  /** [0] the largest momentum that a group had before its velocities were set to zero, kg m/s */
  readonly #lost = new Float64Array(1);
  /** 1 where a group is at rest in this step */
  readonly isAtRest: Uint8Array;
  /** what each block row holds, components [0] … [2] as bits */
  #holds = new Uint8Array(0);
  /** row of the contact whose rolling a block row holds, by row; −1 for other rows */
  #rollsAt = new Int32Array(0);
  /** block rows by group */
  readonly #starts: Int32Array;
  /** number of block rows by group, those that hold nothing included */
  readonly #acting: Int32Array;
  #rows = new Int32Array(0);
  readonly #cursor: Int32Array;
  readonly #queue: Int32Array;
  readonly #isQueued: Uint8Array;
  readonly #gram: Float64Array;
  readonly #scaled: Float64Array;
  /** √ of the diagonal of M⁻¹ */
  readonly #scale: Float64Array;
  /** ω_N of a body, by its velocities; z; M z */
  readonly #spin = new Float64Array(VELOCITIES);
  readonly #spinning = new Float64Array(VELOCITIES);
  readonly #momentum = new Float64Array(VELOCITIES);

  constructor(
    private readonly system: SpatialSystem,
    private readonly mobility: BodyMobility,
    private readonly frames: ContactFrames,
  ) {
    const groups = mobility.members.length;
    const largest = mobility.sizes.reduce((most, size) => Math.max(most, size), 0);
    this.isAtRest = new Uint8Array(groups);
    this.#starts = new Int32Array(groups + 1);
    this.#acting = new Int32Array(groups);
    this.#cursor = new Int32Array(groups);
    this.#queue = new Int32Array(groups);
    this.#isQueued = new Uint8Array(groups);
    this.#gram = new Float64Array(largest * largest);
    this.#scaled = new Float64Array(largest);
    this.#scale = new Float64Array(system.velocities);
    system.bodies.forEach(({ inverseMassDiagonal }, k) => {
      this.#scale.set(inverseMassDiagonal.map(Math.sqrt), system.velocitiesAt[k]);
    });
  }

  /** Nothing is at rest, as in a step without contacts and rows of joints. */
  clear(): void {
    this.isAtRest.fill(0);
  }

  /**
   * Room for that many block rows, none of which holds anything.
   * @param noise what counts as zero of velocities, m/s
   */
  begin(rows: number, noise: number): void {
    this.#noise[0] = noise;
    this.#lost[0] = 0;
    if (this.#holds.length < rows) {
      this.#holds = new Uint8Array(2 * rows);
      this.#rows = new Int32Array(4 * rows);
      this.#rollsAt = new Int32Array(2 * rows);
    }
    this.#rollsAt.fill(NONE, 0, rows);
    this.#holds.fill(NOTHING, 0, rows);
  }

  /** Finds what a contact holds. @param former e U⁻, three entries from `3 row` on */
  addContact(row: number, { r, u, mu }: FrictionContactProblem, former: Float64Array): void {
    const at = 3 * row;
    const noise = this.#noise[0];
    if (!(r[at] > 0 && r[at] > u[at] && Math.abs(former[at]) <= noise)) return;
    this.#holds[row] = FIRST;
    const slip = Math.sqrt(u[at + 1] * u[at + 1] + u[at + 2] * u[at + 2]);
    const within = mu[row] * (r[at] - u[at] - mu[row] * slip);
    const first = r[at + 1] - u[at + 1];
    const second = r[at + 2] - u[at + 2];
    const hasRested = Math.abs(former[at + 1]) <= noise && Math.abs(former[at + 2]) <= noise;
    if (hasRested && Math.sqrt(first * first + second * second) < within) this.#holds[row] = ALL;
  }

  /** The same of a limit, or of what sticks to the speed 0. @param former e U⁻ as above */
  addJointRow(
    row: number,
    { r, u }: FrictionContactProblem,
    { component, speed }: JointRow,
    former: Float64Array,
  ): void {
    const at = 3 * row;
    if (component === NORMAL) {
      if (r[at] > 0 && r[at] > u[at] && Math.abs(former[at]) <= this.#noise[0]) this.#holds[row] = FIRST;
    } else if (speed === 0 && Math.abs(r[at + 1] - u[at + 1]) < r[at]) this.#holds[row] = SECOND;
  }

  /** The same of further rows of a contact, which has been added. @param momentRow see `momentRowOf` */
  addMomentRow(row: number, { r, u, mu }: FrictionContactProblem, momentRow: number): void {
    const at = 3 * row;
    const kind = contactKindOf(momentRow);
    if (kind === PERCUSSION) {
      // What is dissipated alone says nothing of U_N⁺.
      if (!(r[at] > 0 && r[at] > u[at])) this.#holds[contactOf(momentRow)] = NOTHING;
      return;
    }
    const slip = Math.sqrt(u[at + 1] * u[at + 1] + u[at + 2] * u[at + 2]);
    const within = mu[row] * (r[at] - u[at] - mu[row] * slip);
    const first = r[at + 1] - u[at + 1];
    const second = r[at + 2] - u[at + 2];
    if (!(Math.sqrt(first * first + second * second) < within)) return;
    this.#holds[row] = kind === ROLLING ? TANGENTS : SECOND;
    if (kind === ROLLING) this.#rollsAt[row] = contactOf(momentRow);
  }

  /**
   * Sets u to zero where it is held.
   * @param u velocities of all bodies
   * @param free the same without contacts
   */
  settle(u: Float64Array, free: Float64Array): void {
    this.#sortRows();
    this.clear();
    const queue = this.#queue;
    let end = 0;
    for (let group = 0; group < this.isAtRest.length; group++) {
      // The others wait for a neighbour.
      const isFirst = this.#isAnchored(group);
      this.#isQueued[group] = isFirst ? 1 : 0;
      if (isFirst) queue[end++] = group;
    }
    // A queue in a ring: a group stands in it once at a time.
    for (let begin = 0; begin < end; begin++) {
      const group = queue[begin % queue.length];
      this.#isQueued[group] = 0;
      if (this.isAtRest[group] === 1 || !this.#isHeld(group, free)) continue;
      this.isAtRest[group] = 1;
      const entries = this.mobility.entries[group];
      this.#stop(entries, u);
      end = this.#awaken(group, end);
    }
  }

  /**
   * Whether what stops had more momentum than the tolerance of the reactions explains: from the ground to
   * the top of a tall stack what a solver leaves of velocities adds up. More precise reactions leave less
   * of it.
   */
  haveLost({ r, dimension, count }: FrictionContactProblem, tolerance: number): boolean {
    let square = 0;
    for (let i = 0; i < dimension * count; i++) square += r[i] * r[i];
    return this.#lost[0] > EXPLAINED * tolerance * Math.sqrt(square);
  }

  /** √(ᵗu M u) of what stops, times √m, is its momentum, turns being counted at the radius of gyration. */
  #stop(entries: Int32Array, u: Float64Array): void {
    let square = 0;
    for (let c = 0; c < entries.length; c++) {
      square += (u[entries[c]] / this.#scale[entries[c]]) ** 2;
      u[entries[c]] = 0;
    }
    this.#lost[0] = Math.max(this.#lost[0], Math.sqrt(square) / this.#scale[entries[0]]);
  }

  /** Puts the neighbours of a group into the queue. */
  #awaken(group: number, last: number): number {
    let end = last;
    for (let k = this.#starts[group]; k < this.#starts[group + 1]; k++) {
      const other = this.#other(this.#rows[k], group);
      if (other < 0 || this.isAtRest[other] === 1 || this.#isQueued[other] === 1) continue;
      this.#isQueued[other] = 1;
      this.#queue[end++ % this.#queue.length] = other;
    }
    return end;
  }

  #isAnchored(group: number): boolean {
    for (let k = this.#starts[group]; k < this.#starts[group + 1]; k++)
      if (this.#other(this.#rows[k], group) < 0) return true;
    return false;
  }

  /** Group on the other side of a block row, −1 for what does not move and for a row within the group. */
  #other(row: number, group: number): number {
    const { groups } = this.frames;
    return groups[2 * row] === group ? groups[2 * row + 1] : groups[2 * row];
  }

  /** Rows that hold something, by group. */
  #sortRows(): void {
    const { groups, count } = this.frames;
    const starts = this.#starts;
    starts.fill(0);
    this.#acting.fill(0);
    for (let side = 0; side < 2 * count; side++) {
      if (groups[side] < 0) continue;
      this.#acting[groups[side]]++;
      if (this.#holds[side >> 1] !== NOTHING) starts[groups[side] + 1]++;
    }
    for (let group = 1; group < starts.length; group++) starts[group] += starts[group - 1];
    for (let group = 0; group < this.#cursor.length; group++) this.#cursor[group] = starts[group];
    for (let side = 0; side < 2 * count; side++)
      if (groups[side] >= 0 && this.#holds[side >> 1] !== NOTHING)
        this.#rows[this.#cursor[groups[side]]++] = side >> 1;
  }

  /** Whether rows at what is at rest, and joints, leave a group no velocity. */
  #isHeld(group: number, free: Float64Array): boolean {
    const { frames, mobility } = this;
    const n = mobility.sizes[group];
    let known = mobility.rankOf(group) + (this.system.isPlanar ? OUT_OF_PLANE.length * (n / VELOCITIES) : 0);
    for (let k = this.#starts[group]; k < this.#starts[group + 1]; k++)
      if (this.#holdsAtRest(this.#rows[k], group)) known += COUNTS[this.#holds[this.#rows[k]]];
    const rolling = known === n - 1 ? this.#ballOn(group) : NONE;
    if (known < n && rolling === NONE) return false;
    for (const row of mobility.rowsOf(group))
      if (!(Math.abs(mobility.targets[row]) <= this.#noise[0])) return false;
    const gram = this.#gram;
    gram.fill(0, 0, n * n);
    for (let k = this.#starts[group]; k < this.#starts[group + 1]; k++) {
      const row = this.#rows[k];
      if (!this.#holdsAtRest(row, group)) continue;
      const side = this.#sideOf(row, group);
      const holds = this.#holds[row];
      for (let a = 0; a < 3; a++)
        if (((holds >> a) & 1) === 1) this.#addRow(group, frames.values, frames.at[side] + a * n, 0);
    }
    for (const row of mobility.rowsOf(group))
      this.#addRow(group, mobility.jacobian, row * this.system.velocities, 1);
    if (rolling !== NONE) {
      if (!this.#doesNotSpin(rolling, group, free)) return false;
      this.#addRow(group, this.#spin, 0, 0);
    }
    if (this.system.isPlanar) this.#addPlane(n);
    return isRegular(gram, n);
  }

  /** Row of rolling friction of a single body that nothing but this contact acts on; −1 for others. */
  #ballOn(group: number): number {
    const begin = this.#starts[group];
    // What holds nothing acts, too.
    if (this.mobility.members[group].length > 1 || this.#acting[group] !== 2) return NONE;
    if (this.#starts[group + 1] - begin !== 2) return NONE;
    const [one, other] = [this.#rows[begin], this.#rows[begin + 1]];
    const contact = Math.max(this.#rollsAt[one], this.#rollsAt[other]);
    const rolling = this.#rollsAt[one] === NONE ? other : one;
    return contact === Math.min(one, other) && this.#holds[contact] === ALL ? rolling : NONE;
  }

  /**
   * Whether ᵗz M u_f is zero. The rows of H at the contact are (a, s×a), those of rolling ℓ (0, t): t₁ × t₂
   * gives the normal in the body's frame, and a V + (s×a) Ω = 0 of all three axes the velocity of the mass
   * centre that belongs to it.
   */
  #doesNotSpin(rolling: number, group: number, free: Float64Array): boolean {
    const { values, at } = this.frames;
    const z = this.#spinning;
    const side = this.#sideOf(rolling, group);
    const [one, other] = [at[side] + VELOCITIES + 3, at[side] + 2 * VELOCITIES + 3];
    const lever = Math.sqrt(values[one] ** 2 + values[one + 1] ** 2 + values[one + 2] ** 2);
    z.fill(0);
    addCross(values, one, values, other, 1 / (lever * lever), z, 3);
    this.#spin.set(z);
    const rows = at[this.#sideOf(this.#rollsAt[rolling], group)];
    for (let a = rows; a < rows + 3 * VELOCITIES; a += VELOCITIES) {
      const turn = dot(values, a + 3, z, 3);
      for (let i = 0; i < 3; i++) z[i] -= turn * values[a + i];
    }
    const [body] = this.mobility.members[group];
    const { bodies, velocitiesAt } = this.system;
    const ball = bodies[body];
    if (!(ball instanceof RigidBody)) return false;
    const { mass, inertia } = ball;
    const momentum = this.#momentum;
    for (let i = 0; i < 3; i++) momentum[i] = mass * z[i];
    multiplyMatrix(inertia, z, 3, momentum, 3);
    let [spin, size, fastest] = [0, 0, 0];
    for (let i = 0; i < VELOCITIES; i++) {
      const speed = free[velocitiesAt[body] + i];
      spin += momentum[i] * speed;
      size += momentum[i] * z[i];
      if (i < 3) fastest = Math.max(fastest, Math.abs(speed));
    }
    return (lever * Math.abs(spin)) / size <= this.#noise[0] + ROUNDINGS * fastest;
  }

  #sideOf(row: number, group: number): number {
    return this.frames.groups[2 * row] === group ? 2 * row : 2 * row + 1;
  }

  #holdsAtRest(row: number, group: number): boolean {
    const other = this.#other(row, group);
    return other < 0 || this.isAtRest[other] === 1;
  }

  /**
   * Adds x ᵗx, x being a row scaled to velocities of one size.
   * @param among 0 where it stands in the group's velocities, 1 in those of all
   */
  #addRow(group: number, values: Float64Array, at: number, among: 0 | 1): void {
    const n = this.mobility.sizes[group];
    const entries = this.mobility.entries[group];
    const x = this.#scaled;
    for (let c = 0; c < n; c++) x[c] = values[at + (among === 1 ? entries[c] : c)] * this.#scale[entries[c]];
    for (let i = 0; i < n; i++) {
      if (x[i] === 0) continue;
      for (let j = 0; j <= i; j++) this.#gram[i * n + j] += x[i] * x[j];
    }
  }

  /** Adds the velocities out of the plane, each as large as the largest entry there is. */
  #addPlane(n: number): void {
    let largest = 0;
    for (let i = 0; i < n; i++) largest = Math.max(largest, this.#gram[i * (n + 1)]);
    for (let body = 0; body < n; body += VELOCITIES)
      for (const k of OUT_OF_PLANE) this.#gram[(body + k) * (n + 1)] += largest;
  }
}

/**
 * Whether a symmetric semidefinite matrix, lower triangle, is regular, with room to spare. It is overwritten.
 */
function isRegular(gram: Float64Array, n: number): boolean {
  let trace = 0;
  for (let i = 0; i < n; i++) trace += gram[i * (n + 1)];
  for (let i = 0; i < n; i++) gram[i * (n + 1)] -= INDEPENDENT * trace;
  return factorCholesky(gram, n);
}
