/**
 * How far joints are off at the end of a step. Where positions are projected, h(q⁺) = 0 up to what the
 * projection leaves. Where they are not, a step of half steps changes h about q_½, with G u⁺ = ½h γ⁻ there
 * (`BodyMobility`) and u·∇²h·u = −γ, by
 *
 *     h(q⁺) − h(q⁻) = ½h G (u⁺ + u⁻) − ⅛h² (γ⁺ − γ⁻) + O(h³),
 *     ½h G u⁺ = ¼h² γ⁻,     ½h G u⁻ = ½h G(q⁻) u⁻ − ¼h² γ⁻,
 *
 * γ± = γ(q_½, u±), and G(q⁻) u⁻ is ½h (γ⁻⁻ − γ⁻) of the last step in the same way. What remains is ¼h²
 * (γ⁻⁻ − γ⁻) − ⅛h² (γ⁺ − γ⁻), differences that cancel from step to step where motion is smooth: the drift is
 * of order 2 then. A step of the θ-method, with G u⁺ = 0 at q_* or q⁺, leaves (θ − ½) h² γ. None changes h by
 * more than ½h² (|γ⁻| + |γ⁺|), and their sum is what the scheme explains when nothing cancels, as at impacts,
 *
 *     |h(q⁺)| ≤ |h(q⁰)| + Σ ½h² (|γ⁻| + |γ⁺|).
 *
 * With G(q⁻) u⁺ = 0 the same expansion leaves (θ − 3/2) h² γ, always in one direction, which is explained by
 * twice that sum, however far it leads.
 *
 * The expansion is one for steps in which bodies turn by little. Where a step is too long for bodies that are
 * pulled taut (`TautLinks`), they turn to and fro ever faster, γ grows with the square of that, and its sum
 * would explain everything. So a step in which a body turns by more than `SMALL_TURN` explains nothing, and
 * no joint may be off by more than its two sides have moved in any one step so far, h Σ |G_c u_c|, as no
 * contact may overlap by more (`GapCheck`). A violation counts by what it is beyond that, in the length of
 * the joint (`unitsOfEquations`), or in radians.
 *
 * h itself and G are two texts: at the start of a run, and then ever more rarely, the rate of h along
 * disturbances of all velocities is compared with G. A row that is lost from one of them, or has another
 * sign, would otherwise hold by itself.
 */
import type { StateArchive } from '../../state-archive';
import { STAGNANT_VIOLATION } from '../../spatial/projection';
import { RigidBody } from '../../spatial/bodies/rigid-body';
import type { SpatialRows } from '../../spatial/rows';
import { type SpatialSystem, isDrive, lengthsOf, unitsOfEquations } from '../../spatial/system';
import type { ContactDynamics } from '../contact-dynamics';
import type { JointRow } from '../joint-rows';
import { larger } from '../../linalg/nan-safe';
import { ROUNDINGS } from '../rounding';

/** rad: the next terms of the expansion are smaller by that. */
const SMALL_TURN = 0.1;

/**
 * Disturbance of a coordinate by which the rate of h is found, in m or rad, and parts of G that this leaves
 * open: its third derivative, and rounding.
 */
const DISTURBANCE = 1e-4;
const UNRESOLVED = 1e-5;

export class JointPositionCheck {
  /** [0] the largest violation of the step */
  readonly defect = new Float64Array(1);
  /** its row among all equations */
  readonly place = new Int32Array(1);
  /** by row: what is a violation of one, m or 1; how far it may be off by the sum, and at most, in m or 1 */
  readonly #units: Float64Array;
  readonly #bounds: Float64Array;
  /** joint by row */
  readonly #jointOf: Int32Array;
  readonly #most: Float64Array;
  readonly #values: Float64Array;
  /** γ⁺ and γ⁻ by row */
  readonly #curvatures: Float64Array;
  readonly #earlier: Float64Array;
  /** G by all velocities */
  readonly #jacobian: Float64Array;
  readonly #moved: Float64Array;
  readonly #unit: Float64Array;
  readonly #ahead: Float64Array;
  /** step at which h and G are compared next */
  #next = 1;

  constructor(private readonly dynamics: ContactDynamics) {
    const { system, q } = dynamics;
    const { equations, joints } = system;
    this.#units = unitsOfEquations(system);
    this.#jointOf = Int32Array.from(
      joints.flatMap(({ rows }, j) => rows.flatMap(({ labels }) => labels.map(() => j))),
    );
    this.#values = new Float64Array(equations.count);
    this.#curvatures = new Float64Array(equations.count);
    this.#earlier = new Float64Array(equations.count);
    this.#most = new Float64Array(equations.count);
    this.#jacobian = new Float64Array(equations.count * system.velocities);
    this.#moved = q.slice();
    this.#unit = new Float64Array(system.velocities);
    this.#ahead = new Float64Array(equations.count);
    equations.position(q, this.#values);
    this.#bounds = this.#values.map((value, r) => Math.abs(value) + STAGNANT_VIOLATION * this.#units[r]);
  }

  judge(): void {
    const { system, q, settings } = this.dynamics;
    const { equations } = system;
    const values = this.#values;
    this.defect[0] = 0;
    equations.position(q, values);
    if (!settings.projects) this.#explain();
    const left = Math.max(STAGNANT_VIOLATION, settings.projection?.tolerance ?? 0);
    for (let r = 0; r < values.length; r++) {
      const least = left * this.#units[r];
      const most = settings.jointPoint === 'start' ? Number.POSITIVE_INFINITY : this.#most[r] + least;
      const bound = settings.projects ? least : Math.min(this.#bounds[r], most);
      const excess = (Math.abs(values[r]) - bound) / this.#units[r];
      if (excess <= this.defect[0]) continue;
      this.defect[0] = larger(excess, this.defect[0]);
      this.place[0] = r;
    }
    if (this.dynamics.steps < this.#next || equations.count === 0) return;
    this.#next *= 8;
    this.#compareRates();
  }

  /** G against differences of h. */
  #compareRates(): void {
    const { system, q } = this.dynamics;
    const { equations, velocities } = system;
    const jacobian = this.#jacobian;
    const values = this.#values;
    equations.jacobian(q, jacobian, velocities, 'velocity');
    for (let c = 0; c < velocities; c++) {
      this.#displaced(c, DISTURBANCE, this.#ahead);
      this.#displaced(c, -DISTURBANCE, values);
      for (let r = 0; r < equations.count; r++) {
        const rate = (this.#ahead[r] - values[r]) / (2 * DISTURBANCE);
        const defect = Math.abs(rate - jacobian[r * velocities + c]);
        const scale = Math.max(1, Math.abs(jacobian[r * velocities + c]));
        if (defect <= UNRESOLVED * scale || defect / scale <= this.defect[0]) continue;
        this.defect[0] = larger(defect / scale, this.defect[0]);
        this.place[0] = r;
      }
    }
  }

  /** h where one velocity has acted for a while. */
  #displaced(c: number, part: number, out: Float64Array): void {
    const { system, q } = this.dynamics;
    const { bodies, positionsAt, velocitiesAt } = system;
    const moved = this.#moved;
    moved.set(q);
    this.#unit.fill(0);
    this.#unit[c] = 1;
    for (let k = 0; k < bodies.length; k++) {
      if (!bodies[k].displace(moved, positionsAt[k], this.#unit, velocitiesAt[k], part)) continue;
      bodies[k].normalise(moved, positionsAt[k]);
    }
    out.fill(0);
    system.equations.position(moved, out);
  }

  exchange(archive: StateArchive): void {
    archive.fixed(this.#bounds);
    archive.fixed(this.#most);
    this.#next = archive.value(this.#next);
  }

  /** What the step explains. */
  #explain(): void {
    const { system, u, before, middle, h, settings } = this.dynamics;
    const { equations, velocities } = system;
    const jacobian = this.#jacobian.fill(0);
    const part = settings.jointPoint === 'start' ? 1 : 0.5;
    equations.gamma(middle, u, this.#curvatures);
    equations.gamma(middle, before, this.#earlier);
    equations.jacobian(middle, jacobian, velocities, 'velocity');
    for (let r = 0; r < equations.count; r++) {
      if (!this.#turnsLittle(r)) continue;
      this.#bounds[r] += part * h * h * (Math.abs(this.#curvatures[r]) + Math.abs(this.#earlier[r]));
      let speed = 0;
      for (let c = 0; c < velocities; c++)
        speed += Math.abs(jacobian[r * velocities + c]) * larger(Math.abs(u[c]), Math.abs(before[c]));
      this.#most[r] = larger(this.#most[r], h * speed);
    }
  }

  /** Whether the bodies of a row turn by little in the step. */
  #turnsLittle(r: number): boolean {
    const { system, u, before, h } = this.dynamics;
    const { first, second } = system.joints[this.#jointOf[r]];
    for (let side = 0; side < 2; side++) {
      const { body } = side === 0 ? first : second;
      if (body < 0 || !(system.bodies[body] instanceof RigidBody)) continue;
      const at = system.velocitiesAt[body] + 3;
      if (!(h * larger(speedOf(u, at), speedOf(before, at)) <= SMALL_TURN)) return false;
    }
    return true;
  }
}

const speedOf = (u: Float64Array, at: number): number =>
  Math.sqrt(u[at] * u[at] + u[at + 1] * u[at + 1] + u[at + 2] * u[at + 2]);

/*
 * The laws of limits, dry friction and motors of a step, from rates and impulses alone; H comes from the rows
 * again. With ρ the mass that the coordinate feels of bodies without joints, which turns rates into impulses,
 *
 *     limits             |R − max(0, R − ρ (ḣ⁺ − b + e (ḣ⁻ + b)))|, with b = aim h γ(q_*, u⁻) of the
 *                        scheme where it was closed in the step before; of a limit that is open |R|. Where
 *                        gaps are those at the start of a step ḣ⁻ is the rate there, and b = −h(q⁻)/h with
 *                        e = 0 of one that its motion has taken off by no more than h² |γ|
 *     friction, motors   |R − clamp(R − ρ (ż⁺ − ω), −c h, c h)|
 *
 * relative to the largest R of the row so far, or to what its velocity without impulses asks for. A row that
 * nothing asks for still gets impulses of rounding from the joints solved with it; a defect below the
 * rounding of the fastest velocity of the step, ε |H|₁ |v|∞ ρ, is none. Nor is one below what the solver may
 * leave of rates, its tolerance times the largest of them, ρ: dry friction that sticks beside a joint that
 * turns fast is found no better.
 */

const [LIMITS, DRIVES] = [0, 1];

/** A row that a joint asks for, whether or not the step has it. */
export interface AskedRow {
  readonly joint: number;
  readonly kind: JointRow['kind'];
  readonly rows: SpatialRows;
  /** e of a stop */
  readonly restitution: number;
  /** ω, m/s or rad/s */
  readonly speed: number;
  /** c, N or N m */
  readonly bound: number;
}

export const askedOf = ({ joints }: SpatialSystem): AskedRow[] =>
  joints.flatMap(({ limits, frictions, motors, restitution }, joint): AskedRow[] => [
    ...limits.map((rows) => ({
      joint,
      kind: 'limit' as const,
      rows,
      restitution,
      speed: 0,
      bound: Infinity,
    })),
    ...frictions.map(({ coordinate: rows, bound }) => ({
      joint,
      kind: 'friction' as const,
      rows,
      restitution: 0,
      speed: 0,
      bound,
    })),
    ...motors
      .filter((motor) => !isDrive(motor))
      .map(({ coordinate: rows, limit: bound, speed }) => ({
        joint,
        kind: 'motor' as const,
        rows,
        restitution: 0,
        speed,
        bound,
      })),
  ]);

const isAngle = ({ rows }: AskedRow): boolean => rows.labels[0].unit === 'rad';

/** By row that is asked for: its number among the rows of the scheme, −1 where that has none. */
export const numbersOf = (asked: readonly AskedRow[], { jointRows }: ContactDynamics): Int32Array =>
  Int32Array.from(asked, ({ kind, rows }) =>
    jointRows.list.findIndex((row) => row.kind === kind && row.rows === rows),
  );

/** By row that is asked for: what turns its rate into m/s, the length of the joint for angles. */
export function waysOf(asked: readonly AskedRow[], system: SpatialSystem): Float64Array {
  const lengths = lengthsOf(system);
  return Float64Array.from(asked, (row) => (isAngle(row) ? lengths[row.joint] : 1));
}

/** In units of the row; far above what the noise of a thousand steps adds to a limit that pushes. */
const DOUBTFUL = 1e-6;

/** Speeds that motors without a bound prescribe, joint by joint, m/s or rad/s. */
export const driveSpeedsOf = ({ joints }: SpatialSystem): Float64Array =>
  Float64Array.from(joints.flatMap(({ motors }) => motors.filter(isDrive).map(({ speed }) => speed)));

export class JointRowCheck {
  /** [0] of limits, [1] of friction and motors: the largest of this step, relative */
  readonly defects = new Float64Array(2);
  /** numbers of the joints they were found at */
  readonly joints = new Int32Array(2);
  readonly #asked: readonly AskedRow[];
  /** by row, as all that follows: its number among the rows of the scheme, −1 where that has none */
  readonly #numbers: Int32Array;
  /** what turns its rate into m/s, and what is one of its coordinate, m or 1 */
  readonly #lengths: Float64Array;
  readonly #units: Float64Array;
  /** the largest impulse so far */
  readonly #scales: Float64Array;
  /** 1 where it took part in the step before */
  readonly #wasClosed: Uint8Array;
  /** of stops that stay closed: what changes of the step explain of their values (`JointRows`) */
  readonly #drift: Float64Array;
  /** squares of the longest and of the shortest step since then, s², 2 by row */
  readonly #squares: Float64Array;
  readonly #row: Float64Array;
  readonly #moved: Float64Array;
  readonly #value = new Float64Array(1);
  /** by the settings: γ of stops that are looked at where the step starts, null of those at q_*; and ε */
  readonly #forecast: number | null;
  readonly #closedGap: number;
  /** m/s or rad/s, the largest of the velocities of the step */
  #fastest = 0;
  /** and of the rates without impulses, m/s, of angles at the length of their joint */
  #rate = 0;

  constructor(private readonly dynamics: ContactDynamics) {
    const { system, settings } = dynamics;
    const { motion } = settings;
    this.#forecast = 'theta' in motion ? motion.forecast : null;
    this.#closedGap = 'closedGap' in motion ? motion.closedGap : 0;
    this.#asked = askedOf(system);
    this.#numbers = numbersOf(this.#asked, dynamics);
    this.#lengths = waysOf(this.#asked, system);
    const lengths = lengthsOf(system);
    this.#units = Float64Array.from(this.#asked, (row) => (isAngle(row) ? 1 : lengths[row.joint]));
    const { length } = this.#asked;
    this.#scales = new Float64Array(length);
    this.#wasClosed = new Uint8Array(length);
    this.#drift = new Float64Array(length);
    this.#squares = new Float64Array(2 * length);
    this.#row = new Float64Array(system.velocities);
    this.#moved = new Float64Array(system.velocities);
  }

  exchange(archive: StateArchive): void {
    archive.fixed(this.#scales);
    archive.fixed(this.#wasClosed);
    archive.fixed(this.#drift);
    archive.fixed(this.#squares);
  }

  /** @param impulse takes up ᵗH R of the rows, by velocities of all bodies */
  judge(impulse: Float64Array): void {
    this.defects.fill(0);
    const { free, u } = this.dynamics;
    this.#fastest = this.#rate = 0;
    for (let c = 0; c < u.length; c++)
      this.#fastest = larger(this.#fastest, larger(Math.abs(free[c]), Math.abs(u[c])));
    for (let k = 0; k < this.#asked.length; k++) {
      if (!this.#takesPart(k)) continue;
      this.#readRow(k);
      this.#rate = larger(this.#rate, this.#lengths[k] * Math.abs(product(this.#row, free)));
    }
    for (let k = 0; k < this.#asked.length; k++) this.#judgeRow(k, impulse);
    for (let k = 0; k < this.#asked.length; k++) this.#wasClosed[k] = this.#takesPart(k) ? 1 : 0;
  }

  #takesPart(k: number): boolean {
    const number = this.#numbers[k];
    return number >= 0 && this.dynamics.jointRows.isActive[number] === 1;
  }

  /** H of a row. */
  #readRow(k: number): void {
    const { system, jointPositions } = this.dynamics;
    this.#row.fill(0);
    this.#asked[k].rows.jacobian(jointPositions, this.#row, 0, system.velocities, 'velocity');
  }

  #judgeRow(k: number, impulse: Float64Array): void {
    const { system, middle, start, u, free, before, reactions, stages } = this.dynamics;
    const { scheme, settings, h } = this.dynamics;
    const { joint, kind, rows, restitution, speed, bound } = this.#asked[k];
    // Friction and motors have forces in Galerkin steps (`StageRowsCheck`), and no part in impacts.
    if (stages !== null && kind !== 'limit') return;
    const number = this.#numbers[k];
    const r = number < 0 ? 0 : reactions.rowImpulses[number];
    const row = this.#row;
    this.#readRow(k);
    for (let c = 0; c < row.length; c++) impulse[c] += row[c] * r;
    this.#moved.set(row);
    system.applyInverseMass(this.#moved);
    const mobility = product(row, this.#moved);
    if (mobility === 0) return;
    let wanted = speed;
    let approach = product(row, this.dynamics.approach);
    if (this.#wasClosed[k] === 0) {
      this.#drift[k] = 0;
      this.#squares[2 * k] = this.#squares[2 * k + 1] = h * h;
    } else if (kind === 'limit') {
      rows.gamma(middle, before, this.#value, 0);
      const squares = this.#squares;
      squares[2 * k] = larger(squares[2 * k], h * h);
      squares[2 * k + 1] = Math.min(squares[2 * k + 1], h * h);
      const drift = 0.125 * (squares[2 * k] - squares[2 * k + 1]) * Math.abs(this.#value[0]);
      this.#drift[k] = larger(this.#drift[k], drift);
      wanted = (1 - restitution) * scheme.aim * h * this.#value[0];
    }
    if (kind === 'limit' && this.#forecast !== null) {
      this.#moved.fill(0);
      rows.jacobian(start, this.#moved, 0, system.velocities, 'velocity');
      approach = product(this.#moved, before);
      wanted = this.#wasClosed[k] === 0 ? 0 : this.#returning(k, approach);
      if (wanted !== 0) approach = 0;
    }
    const asked = (product(row, free) + restitution * approach - wanted) / mobility;
    const cap = bound * h;
    this.#scales[k] = larger(this.#scales[k], larger(Math.abs(r), Math.min(Math.abs(asked), cap)));
    const goal = r - (product(row, u) + restitution * approach - wanted) / mobility;
    let defect;
    if (kind !== 'limit') defect = Math.abs(r - Math.max(-cap, Math.min(cap, goal)));
    else if (this.#isOpen(k)) defect = Math.abs(r);
    else defect = Math.abs(r - Math.max(0, goal));
    const which = kind === 'limit' ? LIMITS : DRIVES;
    const left = larger(
      ROUNDINGS * extentOf(row) * this.#fastest,
      (settings.tolerance * this.#rate) / this.#lengths[k],
    );
    if (defect <= left / mobility) return;
    const relative = this.#scales[k] > 0 ? defect / this.#scales[k] : defect;
    if (relative <= this.defects[which] || Number.isNaN(this.defects[which])) return;
    this.defects[which] = relative;
    this.joints[which] = joint;
  }

  /**
   * Whether a limit is open beyond doubt; near zero, noise decides whether it takes part, and it is judged by
   * the law if it does.
   */
  #isOpen(k: number): boolean {
    const { middle, start, before, h } = this.dynamics;
    const { rows } = this.#asked[k];
    const forecast = this.#forecast;
    const place = forecast === null ? middle : start;
    rows.position(place, this.#value, 0);
    let explained = this.#drift[k] + this.#closedGap;
    if (forecast !== null) {
      const [value] = this.#value;
      const row = this.#moved.fill(0);
      rows.jacobian(place, row, 0, row.length, 'velocity');
      const ahead = value + forecast * h * product(row, before);
      if (this.#wasClosed[k] === 1) {
        rows.gamma(place, before, this.#value, 0);
        explained += h * h * (1 + forecast) * Math.abs(this.#value[0]);
      }
      this.#value[0] = ahead;
    }
    if (this.#value[0] > DOUBTFUL * this.#units[k] + explained) return true;
    if (this.#takesPart(k)) return false;
    return this.#value[0] > ROUNDINGS * this.#units[k] + explained;
  }

  /** b of a limit that was closed in the step before, m/s or rad/s. @param rate ḣ⁻ at the start */
  #returning(k: number, rate: number): number {
    const { start, before, h } = this.dynamics;
    const { rows } = this.#asked[k];
    rows.gamma(start, before, this.#value, 0);
    const turning = h * Math.abs(this.#value[0]);
    rows.position(start, this.#value, 0);
    const [value] = this.#value;
    const isHeld = value > 0 && value <= h * turning && Math.abs(rate) <= turning;
    return isHeld ? -value / h : 0;
  }
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** |H|₁ */
function extentOf(row: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < row.length; i++) sum += Math.abs(row[i]);
  return sum;
}
