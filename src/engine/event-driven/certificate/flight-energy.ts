/**
 * What an event-driven simulation hands in to the balance of energy: T + V of rows of the result, and the
 * work
 *
 *     ∫ ᵗv (F + K q + ᵗC λ) dt + Σ ½ ᵗ(v⁻ + v⁺) ᵗC P,
 *
 * where F + K q is what forces are besides springs, −C v included, and q, v are absolute. At an impact
 * M (v⁺ − v⁻) = ᵗC P, so that T changes by the last term; it is the limit of time-stepping's with θ = ½.
 * Between events T and V change by the integral, which is that of `motion-check.ts` over the same nodes. What
 * is left is what the integration, its roots and the projections have missed.
 *
 * As in time-stepping, there is no T + V unless all forces are linear and all K symmetric.
 */
import { EnergyBalance } from '../../certificate/energy-balance';
import { type SparseRows, isSparseSymmetric, rowDot } from '../../linalg/sparse';
import type { BaseMotion } from '../../model/forms';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { StatePlaces } from '../../model/state-places';
import { LinkedRows } from './linked-rows';

/** Units of rounding of the time within which a stretch begins where the last one ended. */
const SAME_TIME = 8 * Number.EPSILON;

/** One Lagrangian system with its workspace. */
interface Member {
  readonly size: number;
  /** first coordinate */
  readonly first: number;
  readonly mass: SparseRows;
  /** M_kk by coordinate, 1 where that is not positive */
  readonly inertia: Float64Array;
  readonly stiffness: SparseRows | null;
  readonly base: BaseMotion | null;
  /** absolute coordinates and velocities */
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly moved: Float64Array;
  /** ∫ max(|F + K q|, |p|) dt since the last summation, N s */
  readonly load: Float64Array;
}

function readMembers({ systems }: NonSmoothDynamicalSystem): (Member | null)[] | null {
  let first = 0;
  const members: (Member | null)[] = [];
  for (const { form } of systems) {
    const { size } = form;
    if (form.order === 1) members.push(null);
    else {
      const { constantMass: mass, linear } = form;
      if (mass === null || linear === null || !isSparseSymmetric(linear.stiffness)) return null;
      const vector = (): Float64Array => new Float64Array(size);
      const inertia = vector().fill(1);
      for (let i = 0; i < size; i++)
        for (let k = mass.rowStart[i]; k < mass.rowStart[i + 1]; k++)
          if (mass.columns[k] === i && mass.values[k] > 0) inertia[i] = mass.values[k];
      const { stiffness, base } = linear;
      const own = { q: vector(), v: vector(), moved: vector(), load: vector() };
      members.push({ size, first, mass, inertia, stiffness, base, ...own });
    }
    first += size;
  }
  return members.some((member) => member !== null) ? members : null;
}

export class FlightEnergy {
  readonly #members: readonly (Member | null)[];
  readonly #rows: LinkedRows;
  readonly #input: Float64Array;
  readonly #clock = new Float64Array(1);
  readonly #balance = new EnergyBalance();
  /** [0] time up to which work has been summed up, s */
  readonly #time = new Float64Array(1);
  #isKnown: boolean;

  /** @param h step of the discretisation, s */
  constructor(
    model: NonSmoothDynamicalSystem,
    private readonly places: StatePlaces,
    private readonly h: number,
  ) {
    const members = readMembers(model);
    this.#members = members ?? [];
    this.#isKnown = members !== null;
    this.#rows = new LinkedRows(model, places);
    this.#input = new Float64Array(places.ndof);
  }

  /** Whether T + V is defined and all work has been summed up. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** See `EnergyBalance.drift`, up to the last stretch that was judged; null where it is not known. */
  get drift(): number | null {
    return this.#isKnown ? this.#balance.drift : null;
  }

  /** Begins at a row of the result. */
  start(row: Float64Array): void {
    if (!this.#isKnown) return;
    this.#balance.begin();
    this.#time[0] = row[0];
    this.#take(row);
    this.#balance.start();
  }

  /** Gives up: some work will not be summed up. */
  abandon(): void {
    this.#isKnown = false;
  }

  /**
   * Where on a stretch of the flight work has been summed up to, into `out[0]`, s behind its start. A stretch
   * may have been judged before it was over.
   */
  resume(stretch: Float64Array, out: Float64Array): void {
    const done = this.#time[0] - stretch[0];
    out[0] = done > SAME_TIME * Math.abs(stretch[0]) ? Math.min(done, stretch[1]) : 0;
  }

  /**
   * Adds the power at a node of the integral.
   * @param system number of the system, with its coordinates and velocities, and F
   * @param input ᵗC λ by coordinate of the model
   */
  add(
    system: number,
    weight: number,
    clock: Float64Array,
    q: Float64Array,
    v: Float64Array,
    force: Float64Array,
    input: Float64Array,
  ): void {
    const member = this.#members[system];
    if (member === null) return;
    const { size, first, stiffness, load } = member;
    for (let k = 0; k < size; k++) {
      member.q[k] = q[k];
      member.v[k] = v[k];
    }
    this.#addBase(member, clock);
    let power = 0;
    for (let k = 0; k < size; k++) {
      const own = stiffness === null ? force[k] : force[k] + rowDot(stiffness, k, member.q);
      const p = input[first + k];
      power += member.v[k] * (own + p);
      load[k] += weight * Math.max(Math.abs(own), Math.abs(p));
    }
    this.#balance.sums.work[0] += weight * power;
  }

  /** Sums up to the end of a stretch. @param row its end, as a row of the result */
  finish(row: Float64Array): void {
    const duration = row[0] - this.#time[0];
    // A stretch may be long. At rest, the impulse over a step tells what is small, as in time-stepping.
    const share = duration > this.h ? this.h / duration : 1;
    const { exchanged } = this.#balance.sums;
    for (let s = 0; s < this.#members.length; s++) {
      const member = this.#members[s];
      if (member === null) continue;
      const { inertia, load } = member;
      for (let k = 0; k < load.length; k++) exchanged[0] += (0.5 * (load[k] * share) ** 2) / inertia[k];
      load.fill(0);
    }
    this.#enter(row);
  }

  /**
   * Sums up an event.
   * @param before, after rows of the result
   * @param impulses P by row
   */
  impact(before: Float64Array, after: Float64Array, impulses: Float64Array): void {
    if (!this.#isKnown) return;
    const input = this.#input.fill(0);
    const { work, exchanged } = this.#balance.sums;
    this.#clock[0] = after[0];
    this.#rows.addInputs(this.#clock, after, impulses, 2, input);
    for (let s = 0; s < this.#members.length; s++) {
      const member = this.#members[s];
      if (member === null) continue;
      const { size, first, inertia } = member;
      const from = this.places.v + first;
      for (let k = 0; k < size; k++) member.v[k] = 0.5 * (before[from + k] + after[from + k]);
      this.#addBase(member, this.#clock);
      for (let k = 0; k < size; k++) {
        const p = input[first + k];
        work[0] += member.v[k] * p;
        exchanged[0] += (0.5 * p * p) / inertia[k];
      }
    }
    this.#enter(after);
  }

  /** Enters what has been gathered since the last time. */
  #enter(row: Float64Array): void {
    this.#time[0] = row[0];
    this.#take(row);
    this.#balance.finish();
    this.#balance.sums.work[0] = 0;
    this.#balance.sums.exchanged[0] = 0;
  }

  /** T + V of a row of the result. */
  #take(row: Float64Array): void {
    const { places } = this;
    this.#clock[0] = row[0];
    let kinetic = 0;
    let potential = 0;
    for (let s = 0; s < this.#members.length; s++) {
      const member = this.#members[s];
      if (member === null) continue;
      const { size, first, mass, stiffness, q, v } = member;
      for (let k = 0; k < size; k++) {
        q[k] = row[places.q + first + k];
        v[k] = row[places.v + first + k];
      }
      this.#addBase(member, this.#clock);
      for (let k = 0; k < size; k++) {
        kinetic += 0.5 * v[k] * rowDot(mass, k, v);
        if (stiffness !== null) potential += 0.5 * q[k] * rowDot(stiffness, k, q);
      }
    }
    this.#balance.sums.kinetic[0] = kinetic;
    this.#balance.sums.potential[0] = potential;
  }

  /** Coordinates that are measured from a base become absolute. */
  #addBase({ base, q, v, moved }: Member, clock: Float64Array): void {
    if (base === null) return;
    base.position(clock, moved);
    for (let k = 0; k < q.length; k++) q[k] += moved[k];
    base.velocity(clock, moved);
    for (let k = 0; k < v.length; k++) v[k] += moved[k];
  }
}
