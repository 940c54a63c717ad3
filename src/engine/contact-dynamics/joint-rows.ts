/**
 * All rows that the joints of a system put into the friction-contact problem, and those of them that take
 * part in a step.
 */
import type { StateArchive } from '../state-archive';
import type { BlockRows } from '../linalg/block-rows';
import type { FrictionContactProblem } from '../problems/friction-contact';
import { Limit } from '../spatial/coordinates';
import { DEFAULT_TOLERANCE } from '../spatial/projection';
import type { SpatialRows } from '../spatial/rows';
import { type SpatialSystem, isDrive, lengthsOf } from '../spatial/system';
import type { ContactFrames } from './contacts/contact-frames';
import { ROUNDINGS } from './rounding';
import type { BodyMobility } from './mobility';

/*
 * An impulse with a bound that opposes a rate: |R| ≤ c h, R = −c h sgn(ż⁺ − ω) where ż⁺ ≠ ω. As a block with
 * μ = 1,
 *
 *     w 0 0      R_N         −w c h
 *     0 w 0  ·   R_T1   +    ż_f − ω     ,
 *     0 0 w      R_T2        0
 *
 * the coordinate standing in the first tangent, its coupling with other rows left out here. Coulomb's law
 * says of it:
 *
 *     normal   U_N = w (R_N − c h) ≥ 0, R_N ≥ 0, R_N U_N = 0. R_N = 0 would give U_N = −w c h < 0, so that
 *              U_N = 0 and R_N = c h, whatever happens in the tangents: the bound of friction is μ R_N = c h.
 *     stick    U_T = 0: ż⁺ = ω and w R_T2 = 0, with |R_T1| ≤ c h.
 *     slip     R_T = −c h U_T/|U_T|. The second entry, R_T2 (1 + c h w/|U_T|) = 0, leaves R_T2 = 0, so that
 *              |U_T| = |ż⁺ − ω| and R_T1 = −c h sgn(ż⁺ − ω).
 *
 * For c = 0 all of R is zero. That is dry friction with ω = 0, and a motor that pulls towards its speed ω as
 * strongly as it can until it has it. w on the diagonal, in place of 1, makes q_N the velocity that the bound
 * can bring about, of the size of the others.
 */

/** @param bound c, N or N m @param speed ω */
function writeBounded(
  { h, free, mobility, scale }: RowStep,
  bound: number,
  speed: number,
  q: Float64Array,
  at: number,
): void {
  q[at] = (-mobility * bound * h) / scale;
  q[at + 1] = free - speed * scale;
  q[at + 2] = 0;
}

/*
 * Rows of joints in the friction-contact problem: limits, dry friction and motors of a coordinate. Each takes
 * a block of three rows like a contact, in one of which the rate of its coordinate stands; the others are
 * decoupled, with the same mobility on the diagonal so that the block is of one size, and their right side
 * makes the law of cones the law that is wanted (limits, and bounded impulses of friction and motors). The
 * solver sees contacts only.
 */

type JointRowKind = 'limit' | 'friction' | 'motor';

/** Component of a block that a rate stands in: along the normal, or along the first tangent. */
export const NORMAL = 0;
const TANGENT = 1;

/** What a row needs to know of its step. */
export interface RowStep {
  /** s */
  h: number;
  /**
   * rate of the coordinate without the impulses of the problem, and at the start of the step, times `scale`,
   * m/s
   */
  free: number;
  before: number;
  /** of the row, W with itself, 1/kg; 1 where nothing moves it */
  mobility: number;
  /**
   * what rates are multiplied by, and impulses divided: a length of an angle, whose row stands among contacts
   * as a way, m; 1 of a displacement
   */
  scale: number;
}

export interface JointRow {
  readonly kind: JointRowKind;
  /** number of the joint in the system */
  readonly joint: number;
  /** one row; its rate is what an impulse works on */
  readonly rows: SpatialRows;
  readonly component: typeof NORMAL | typeof TANGENT;
  /** μ of the block */
  readonly friction: number;
  /** speed that the law compares the rate with, m/s or rad/s */
  readonly speed: number;
  /** of the stop */
  readonly restitution: number;
  /** largest force, N, or moment, N m */
  readonly bound: number;
  /**
   * Whether it takes part in a step.
   * @param h value of the row
   * @param slack of values that are zero to rounding
   */
  isActive(h: number, slack: number): boolean;
  /** Fills the three entries of the right side from `at` on. */
  write(step: RowStep, q: Float64Array, at: number): void;
}

/* Dry friction of a coordinate: |R| ≤ c h, against its rate. */

class FrictionRow implements JointRow {
  readonly kind = 'friction';
  readonly component = TANGENT;
  readonly friction = 1;
  readonly speed = 0;
  readonly restitution = 0;

  /** @param rows the coordinate @param bound c, N or N m */
  constructor(
    readonly joint: number,
    readonly rows: SpatialRows,
    readonly bound: number,
  ) {}

  isActive(): boolean {
    return true;
  }

  write(step: RowStep, q: Float64Array, at: number): void {
    writeBounded(step, this.bound, 0, q, at);
  }
}

/*
 * A limit h ≥ 0 of a coordinate: a contact with μ = 0 along the normal of its block,
 *
 *     w 0 0      R_N         ḣ_f + e ḣ⁻
 *     0 w 0  ·   R_T1   +    0             ,     K_0 = {R_N ≥ 0, R_T = 0},   K*_0 = {Û_N ≥ 0}.
 *     0 0 w      R_T2        0
 *
 * So 0 ≤ ḣ⁺ + e ḣ⁻ ⊥ R_N ≥ 0, Newton's law; the tangents have no impulse and no velocity.
 */

class LimitRow implements JointRow {
  readonly kind = 'limit';
  readonly component = NORMAL;
  readonly friction = 0;
  readonly speed = 0;
  readonly bound = Number.POSITIVE_INFINITY;

  /** @param rows h @param restitution e */
  constructor(
    readonly joint: number,
    readonly rows: SpatialRows,
    readonly restitution: number,
  ) {}

  isActive(h: number, slack: number): boolean {
    return h <= slack;
  }

  write({ free, before }: RowStep, q: Float64Array, at: number): void {
    q[at] = free + this.restitution * before;
    q[at + 1] = q[at + 2] = 0;
  }
}

/*
 * A motor of a coordinate: |R| ≤ c h, towards its speed. Motors without a bound are no rows of this kind but
 * equations (`BodyMobility`).
 */

class MotorRow implements JointRow {
  readonly kind = 'motor';
  readonly component = TANGENT;
  readonly friction = 1;
  readonly restitution = 0;

  /** @param rows the coordinate @param bound c, N or N m @param speed ω, m/s or rad/s */
  constructor(
    readonly joint: number,
    readonly rows: SpatialRows,
    readonly bound: number,
    readonly speed: number,
  ) {}

  isActive(): boolean {
    return true;
  }

  write(step: RowStep, q: Float64Array, at: number): void {
    writeBounded(step, this.bound, this.speed, q, at);
  }
}

/** Which rows take part in a problem, and the part of the step over which bounded forces act in it. */
export interface RowChoice {
  readonly takesPart: (k: number) => boolean;
  readonly part: number;
}

/**
 * Mobility below this part of that of the bodies without joints is rounding: the joints hold the coordinate.
 */
const HELD = 1e-12;

/** Stops that bodies rest on overlap by that, in units of their rows: above what projections leave. */
const CLOSED = 3 * DEFAULT_TOLERANCE;

/**
 * Part of what a stop takes that lifting may cost, before it is noticed and after it: half of it all is lost
 * in any case.
 */
const LIFTED = 0.25;

/** Part of its impulse. */
const OVERSHOT = 0.01;

export class JointRows {
  /** in the order limits, friction, motors; limits are those of `system.limits` */
  readonly list: readonly JointRow[];
  /** group by row */
  readonly groups: Int32Array;
  /** 1 where it takes part, by row */
  readonly isActive: Uint8Array;
  /**
   * b that rates aim at, m/s or rad/s: those of limits that stay closed obey their law at the ends of the
   * step, as those of joints do (`BodyMobility`)
   */
  readonly aims: Float64Array;
  /** values of the rows where their law of activation speaks of them, for limits */
  readonly #values: Float64Array;
  /** and rates there at the start of the step, where that is not q_* */
  readonly #rates: Float64Array;
  #looksFromStart = false;
  /** H of the rows, by all velocities */
  readonly #jacobian: Float64Array;
  readonly #work: Float64Array;
  readonly #row: Float64Array;
  /**
   * by row, of stops that stay closed, in the unit of the row: what changes of the step move values by. With
   * rates that are zero at the ends of a step of length h, and γ between, the value in its middle is ⅛ h² |γ|
   * below that at its ends, so that all values lie within ⅛ (h² − h'²) |γ| of the longest and shortest step.
   */
  readonly #drift: Float64Array;
  /** squares of the longest and of the shortest step since a stop has closed, s², 2 by row */
  readonly #squares: Float64Array;
  readonly #step: RowStep;
  /** by row, see `RowStep`; and what is one of its coordinate, m or 1 */
  readonly scales: Float64Array;
  readonly units: Float64Array;

  constructor(
    private readonly system: SpatialSystem,
    mobility: BodyMobility,
    /** [0] of the step, s */
    private readonly length: Float64Array,
    /** q at the start of the step */
    private readonly start: Float64Array,
  ) {
    this.list = rowsOf(system);
    const count = this.list.length;
    this.groups = Int32Array.from(this.list, ({ joint }) => {
      const { first, second } = system.joints[joint];
      return mobility.groupOf[Math.max(first.body, second.body)];
    });
    this.isActive = new Uint8Array(count);
    this.aims = new Float64Array(count);
    this.#values = new Float64Array(count);
    this.#rates = new Float64Array(count);
    this.#jacobian = new Float64Array(count * system.velocities);
    this.#work = new Float64Array(system.velocities);
    this.#row = new Float64Array(system.velocities);
    this.#drift = new Float64Array(count);
    this.#squares = new Float64Array(2 * count);
    this.#step = { h: length[0], free: 0, before: 0, mobility: 0, scale: 1 };
    const lengths = lengthsOf(system);
    const unit = ({ rows }: JointRow): string => rows.labels[0].unit;
    this.scales = Float64Array.from(this.list, (row) => (unit(row) === 'rad' ? lengths[row.joint] : 1));
    this.units = Float64Array.from(this.list, (row) => (unit(row) === 'm' ? lengths[row.joint] : 1));
  }

  /**
   * Finds the rows that take part at q_*, and their H.
   * @param slack by row, of those that pushed in the last step: what noise may have moved them
   * @param before velocities at the start of the step
   * @param forecast where that is not null, limits are judged where the step starts: those are closed whose h
   *   + forecast ḣ ≤ 0 there, s. They are closed at q_* by h alone where it is.
   * @param aim from q_* to where their law should hold, s
   */
  update(
    q: Float64Array,
    slack: (row: number) => number,
    before: Float64Array,
    forecast: number | null,
    aim: number,
  ): void {
    const { list, system } = this;
    if (list.length === 0) return;
    const { h: former } = this.#step;
    [this.#step.h] = this.length;
    const extent = extentOf(q, system);
    this.#looksFromStart = forecast !== null;
    this.#jacobian.fill(0);
    this.aims.fill(0);
    for (let k = 0; k < list.length; k++) {
      const { rows, component } = list[k];
      const size = rows.labels[0].unit === 'm' ? extent : Math.PI;
      const wasClosed = this.isActive[k] === 1;
      if (!wasClosed) this.#close(k);
      else if (former !== this.#step.h && component === NORMAL) this.#follow(k, q, before);
      const noise = slack(k) / this.scales[k];
      const room = ROUNDINGS * size + this.#drift[k];
      if (forecast !== null && component === NORMAL)
        this.isActive[k] = this.#isClosedAtStart(k, before, forecast, noise, room, wasClosed) ? 1 : 0;
      else {
        if (component === NORMAL) rows.position(q, this.#values, k);
        this.isActive[k] = list[k].isActive(this.#values[k], noise + room) ? 1 : 0;
      }
      if (this.isActive[k] === 0) continue;
      rows.jacobian(q, this.#jacobian, k, system.velocities, 'velocity');
      if (aim === 0 || component !== NORMAL || !wasClosed) continue;
      rows.gamma(q, before, this.aims, k);
      this.aims[k] *= aim;
    }
  }

  /**
   * The law of activation of a limit at the start of a step. One that stays closed keeps its distance up to
   * what its motion along the stop does to its rate in a step, h |γ|, and to its value, h² |γ| with what the
   * next step leads back: it aims at b = −h(q⁻)/h, so that it neither falls back every other step nor leaves
   * the stop for good.
   * Any other that moves by more than noise in a step is let go where it opens, as contacts are.
   * @param room besides noise, in the unit of the row
   */
  #isClosedAtStart(
    k: number,
    before: Float64Array,
    forecast: number,
    noise: number,
    room: number,
    wasClosed: boolean,
  ): boolean {
    const { rows } = this.list[k];
    const [h] = this.length;
    const row = this.#row.fill(0);
    rows.position(this.start, this.#values, k);
    rows.jacobian(this.start, row, 0, row.length, 'velocity');
    let rate = 0;
    for (let c = 0; c < row.length; c++) rate += row[c] * before[c];
    this.#rates[k] = rate;
    if (wasClosed && this.#values[k] > room) {
      rows.gamma(this.start, before, this.aims, k);
      const turning = h * Math.abs(this.aims[k]);
      const isHeld = Math.abs(rate) <= turning && this.#values[k] <= h * turning;
      this.aims[k] = isHeld ? -this.#values[k] / h : 0;
      if (isHeld) return true;
    }
    const value = this.#values[k] + forecast * rate;
    return value <= room || (value <= noise + room && Math.abs(rate) * h <= noise);
  }

  /**
   * Takes rows by the choice of a scheme, which aim at nothing, and forms H of all. @param q where they act
   */
  select(q: Float64Array, { takesPart, part }: RowChoice): void {
    const { list, system } = this;
    this.#step.h = part * this.length[0];
    this.#looksFromStart = false;
    this.#jacobian.fill(0);
    for (let k = 0; k < list.length; k++) {
      const { rows, component } = list[k];
      this.isActive[k] = takesPart(k) ? 1 : 0;
      rows.jacobian(q, this.#jacobian, k, system.velocities, 'velocity');
      if (component === NORMAL) rows.position(q, this.#values, k);
    }
  }

  /** Whether a limit is closed at a place. @param gap up to which it is, in the unit of the row */
  isClosed(k: number, q: Float64Array, gap: number): boolean {
    const { rows } = this.list[k];
    const size = rows.labels[0].unit === 'm' ? extentOf(q, this.system) : Math.PI;
    rows.position(q, this.#values, k);
    return this.#values[k] <= Math.max(gap, ROUNDINGS * size);
  }

  /** out ← H of all rows at a place. */
  formAll(q: Float64Array, out: Float64Array): void {
    const { list, system } = this;
    out.fill(0);
    for (let k = 0; k < list.length; k++) list[k].rows.jacobian(q, out, k, system.velocities, 'velocity');
  }

  /** Forms H of the rows that take part at other positions than q_*. */
  linearise(q: Float64Array): void {
    const { list, system } = this;
    this.#jacobian.fill(0);
    for (let k = 0; k < list.length; k++)
      if (this.isActive[k] === 1) list[k].rows.jacobian(q, this.#jacobian, k, system.velocities, 'velocity');
  }

  /** A stop that is open, or closes in this step. */
  #close(k: number): void {
    const { h } = this.#step;
    this.#drift[k] = 0;
    this.#squares[2 * k] = this.#squares[2 * k + 1] = h * h;
  }

  /** A stop that stays closed while the step changes. */
  #follow(k: number, q: Float64Array, before: Float64Array): void {
    const squares = this.#squares;
    const square = this.#step.h * this.#step.h;
    squares[2 * k] = Math.max(squares[2 * k], square);
    squares[2 * k + 1] = Math.min(squares[2 * k + 1], square);
    this.list[k].rows.gamma(q, before, this.aims, k);
    const drift = 0.125 * (squares[2 * k] - squares[2 * k + 1]) * Math.abs(this.aims[k]);
    this.#drift[k] = Math.max(this.#drift[k], drift);
    this.aims[k] = 0;
  }

  /** Whether stops that take no part are passed at the end of the step. @param q q⁺ */
  arePassed(q: Float64Array): boolean {
    const { list, system } = this;
    const extent = extentOf(q, system);
    for (let k = 0; k < list.length; k++) {
      if (this.isActive[k] === 1 || list[k].kind !== 'limit') continue;
      list[k].rows.position(q, this.#values, k);
      const size = list[k].rows.labels[0].unit === 'm' ? extent : Math.PI;
      if (this.#values[k] < -ROUNDINGS * size) return true;
    }
    return false;
  }

  exchange(archive: StateArchive): void {
    archive.fixed(this.isActive);
    archive.fixed(this.#drift);
    archive.fixed(this.#squares);
    this.#step.h = archive.value(this.#step.h);
  }

  /** Adds the frame of a row, as one of lengths. */
  addTo(frames: ContactFrames, k: number): void {
    const n = this.system.velocities;
    for (let c = 0; c < n; c++) this.#work[c] = this.scales[k] * this.#jacobian[k * n + c];
    frames.addRow(this.groups[k], this.list[k].component, this.#work, 0);
  }

  /** out ← H of a row at the last `update`, by all velocities. */
  readRow(k: number, out: Float64Array): void {
    const n = this.system.velocities;
    for (let c = 0; c < n; c++) out[c] = this.#jacobian[k * n + c];
  }

  /** Value of a limit at the last `update`, m or rad. */
  value(k: number): number {
    return this.#values[k];
  }

  /** Rate of a row at velocities u of all bodies. */
  rate(k: number, u: Float64Array): number {
    const n = this.system.velocities;
    let sum = 0;
    for (let c = 0; c < n; c++) sum += this.#jacobian[k * n + c] * u[c];
    return sum;
  }

  /** Σ |H u|: what cancels in a rate of what moves along a stop. */
  #sizeOfRate(k: number, u: Float64Array): number {
    const n = this.system.velocities;
    let sum = 0;
    for (let c = 0; c < n; c++) sum += Math.abs(this.#jacobian[k * n + c] * u[c]);
    return sum;
  }

  /**
   * Gives what a row leaves unused of its block the mobility of what it uses.
   * @param row of W, which has been formed for it
   */
  decouple(k: number, row: number, { values, diagonal }: BlockRows): void {
    const block = 9 * diagonal[row];
    const { component } = this.list[k];
    const own = values[block + 4 * component];
    const isHeld = !(own > HELD * this.scales[k] ** 2 * this.#freeMobility(k));
    const w = isHeld ? 1 : own;
    for (let i = 0; i < 3; i++) if (i !== component) values[block + 4 * i] = w;
    // What friction and motors act on cannot move: their impulse changes nothing. A limit shows that it
    // cannot be kept.
    if (isHeld && component !== NORMAL) values[block + 4 * component] = w;
  }

  /** Fills right side and μ of a row. @param row of the problem @param former which takes up e (ḣ⁻ + b) */
  write(
    k: number,
    row: number,
    problem: FrictionContactProblem,
    free: Float64Array,
    before: Float64Array,
    former: Float64Array,
  ): void {
    const step = this.#step;
    const { values, diagonal } = problem.W;
    const own = this.list[k];
    step.scale = this.scales[k];
    step.free = step.scale * (this.rate(k, free) - this.aims[k]);
    step.before = step.scale * this.#approach(k, before);
    // The second tangent is unused by all kinds.
    step.mobility = values[9 * diagonal[row] + 8];
    problem.mu[row] = own.friction;
    former[3 * row] = own.restitution * step.before;
    own.write(step, problem.q, 3 * row);
  }

  /**
   * Where the projection of positions is to leave the stops. One that bodies rest on stays closed by more
   * than the projection leaves; in the air they would fall back in the next step, and never come to rest.
   * Others are lifted, as far as it costs less than the stop takes: with v⁻, v⁺ and v of the step without
   * contacts, a = (v⁻ − v)/h the acceleration of the load onto the stop and w the mobility of its row, its
   * impulse (v⁺ − v)/w takes the energy −(v⁺ − v)(v⁺ + v⁻)/(2w), and lifting by δ gives a δ/w. What comes
   * onto the stop and has not been noticed yet is going to lose (1 − e²) v⁺²/(2w). Without this, what is
   * about to come to rest would be lifted for ever by what it falls in a step, and with e = 1 bounce ever
   * higher. What stays of an overlap is taken away by the rebound.
   * @param q, u at the end of the step
   * @param free, before velocities without contacts, and at the start
   *   @param noise what the solver leaves of velocities that should be zero
   * @param bounds by limit, m or rad
   * @param holds 1 where a stop stays closed
   */
  writeBounds(
    q: Float64Array,
    u: Float64Array,
    free: Float64Array,
    before: Float64Array,
    noise: number,
    bounds: Float64Array,
    holds: Uint8Array,
  ): void {
    for (let k = 0; k < bounds.length; k++) {
      const { rows, restitution } = this.list[k];
      const wasClosed = this.isActive[k] === 1;
      rows.position(q, bounds, k);
      const closed = CLOSED * this.units[k];
      const still = noise + ROUNDINGS * this.scales[k] * this.#sizeOfRate(k, u);
      holds[k] = wasClosed && this.scales[k] * Math.abs(this.rate(k, u) - this.aims[k]) <= still ? 1 : 0;
      if (holds[k] === 1 || bounds[k] >= -closed) {
        bounds[k] = -closed;
        continue;
      }
      if (!wasClosed) rows.jacobian(q, this.#jacobian, k, this.system.velocities, 'velocity');
      const [start, alone, end] = [this.rate(k, before), this.rate(k, free), this.rate(k, u)];
      const loss = wasClosed
        ? (alone - end) * (end + start)
        : (1 - restitution * restitution) * Math.min(0, end) ** 2;
      const load = (start - alone) / this.#step.h;
      const lift = load > 0 ? (LIFTED * 0.5 * Math.max(0, loss)) / load : Number.POSITIVE_INFINITY;
      bounds[k] = Math.min(-closed, bounds[k] + lift);
    }
  }

  /**
   * Betters the guess where a coordinate has dry friction and rests on a stop that springs back. Both act on
   * the one coordinate, and the stop says how it moves, ḣ⁺ = −e ḣ⁻, however slowly: friction is at its bound
   * against that. Sweeps would go there by ḣ⁺/w each, for ever where ḣ⁻ is what is left of a bounce. The stop
   * is guessed a little off, so that whichever row is swept first friction stays at that bound.
   * @param active, count rows that take part
   * @param first row of the problem of the first of them @param
   *   before velocities at the start of the step
   */
  guess(
    active: Int32Array,
    count: number,
    first: number,
    before: Float64Array,
    { r }: FrictionContactProblem,
  ): void {
    for (let a = 0; a < count; a++) {
      const k = active[a];
      const { rows, restitution } = this.list[k];
      if (restitution === 0 || !(rows instanceof Limit)) continue;
      for (let b = 0; b < count; b++) {
        const { kind, rows: coordinate, bound } = this.list[active[b]];
        if (kind !== 'friction' || coordinate !== rows.coordinate) continue;
        const side = rows.side === 'lower' ? 1 : -1;
        const stop = 3 * (first + a) + NORMAL;
        const friction = 3 * (first + b) + TANGENT;
        const slip = -side * Math.sign(this.#approach(k, before));
        const change = (-slip * bound * this.#step.h) / this.scales[k] - r[friction];
        if (slip === 0 || !(r[stop] > side * change)) continue;
        r[friction] += change;
        r[stop] += side * (OVERSHOT * slip * r[stop] - change);
      }
    }
  }

  /**
   * ḣ⁻ that restitution compares with, without what is no impact: −b of a stop that stays closed, in the
   * frame of q_*; where it is held from the start of the step, all of ḣ⁻ there.
   */
  #approach(k: number, before: Float64Array): number {
    if (this.#looksFromStart && this.list[k].component === NORMAL)
      return this.aims[k] === 0 ? this.#rates[k] : 0;
    return this.rate(k, before) + this.aims[k];
  }

  /** H M⁻¹ ᵗH of a row, without joints. */
  #freeMobility(k: number): number {
    const n = this.system.velocities;
    const work = this.#work;
    for (let c = 0; c < n; c++) work[c] = this.#jacobian[k * n + c];
    this.system.applyInverseMass(work);
    return this.rate(k, work);
  }
}

function rowsOf({ joints }: SpatialSystem): JointRow[] {
  return [
    ...joints.flatMap(({ limits, restitution }, joint) =>
      limits.map((limit) => new LimitRow(joint, limit, restitution)),
    ),
    ...joints.flatMap(({ frictions }, joint) =>
      frictions
        .filter(({ bound }) => bound > 0)
        .map(({ coordinate, bound }) => new FrictionRow(joint, coordinate, bound)),
    ),
    ...joints.flatMap(({ motors }, joint) =>
      motors
        .filter((motor) => motor.limit > 0 && !isDrive(motor))
        .map(({ coordinate, limit, speed }) => new MotorRow(joint, coordinate, limit, speed)),
    ),
  ];
}

/** Largest coordinate of a mass centre. */
function extentOf(q: Float64Array, { positionsAt }: SpatialSystem): number {
  let extent = 0;
  for (let k = 0; k < positionsAt.length; k++)
    for (let i = positionsAt[k]; i < positionsAt[k] + 3; i++) extent = Math.max(extent, Math.abs(q[i]));
  return extent;
}
