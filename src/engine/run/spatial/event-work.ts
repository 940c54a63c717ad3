/**
 * Energy of 3D bodies from event to event, by the same names as in steps: what loads without a potential,
 * damping, contacts, stops, friction and motors of joints have done since the start,
 *
 *     between events   ∫ λ (ẏ − ∂h/∂t) dt, ∫ ᵗv f dt       at an event   Σ ½ P (ẏ⁻ + ẏ⁺ − 2 ∂h/∂t)
 *
 * where M (v⁺ − v⁻) = ᵗC P makes the latter T⁺ − T⁻ exactly, however many impacts there are. The integral is
 * by Gauss–Legendre quadrature over the continuous extension of the flight; it looks on and changes nothing.
 * What T + V + W − T₀ − V₀ − W₀ has besides is what the integration has missed.
 */
import { type FlightObserver, type ObservedParts, UnseenPart } from '../../event-driven/flow/flight-observer';
import { RowSampler } from '../../event-driven/rows/row-sampler';
import type { StatePlaces } from '../../model/state-places';
import type { CanonicalModel } from '../../preparation/spatial/canonical-model';
import type { SpatialSystem } from '../../spatial/system';

/** Nodes on [0, 1] and weights of the formula of five points (Stroud and Secrest 1966). */
const NODES = Float64Array.of(
  ...[-0.906179845938664, -0.5384693101056831, 0, 0.5384693101056831, 0.906179845938664].map(
    (u) => 0.5 * (1 + u),
  ),
);
const WEIGHTS = Float64Array.of(
  ...[0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665, 0.2369268850561891].map(
    (w) => 0.5 * w,
  ),
);

/** Places of works, J. */
const WORK = {
  loads: 0,
  damping: 1,
  contactNormal: 2,
  contactTangent: 3,
  stops: 4,
  jointFriction: 5,
  motors: 6,
} as const;
export const WORKS = Object.keys(WORK).length;

/** What a row of a relation does. */
interface RowWork {
  readonly row: number;
  readonly place: number;
  /** −∂h/∂t, m/s or rad/s */
  readonly speed: number;
}

function rowWorks({ interactions, owners }: CanonicalModel): RowWork[] {
  let first = 0;
  return interactions.flatMap(({ relation, law }, i) => {
    const { work, speed } = owners[i];
    const start = first;
    first += relation.size;
    if (work === null) return [];
    return Array.from({ length: relation.size }, (_, r): RowWork => {
      const isTangent = law.rows[r % law.size].kind === 'friction';
      const place = work === 'contact' ? (isTangent ? WORK.contactTangent : WORK.contactNormal) : WORK[work];
      return { row: start + r, place, speed };
    });
  });
}

export class SpaceWork implements FlightObserver {
  /** before the last event */
  readonly #before = new Float64Array(WORKS);
  /** since the start, up to what has been seen */
  readonly total = new Float64Array(WORKS);
  readonly #rows: readonly RowWork[];
  /** whether anything but impacts does work */
  readonly #isContinuous: boolean;
  readonly #unseen = new UnseenPart();
  readonly #sampler: RowSampler;
  readonly #node: Float64Array;
  readonly #place = new Float64Array(1);
  readonly #clock = new Float64Array(1);
  readonly #sums = new Float64Array(WORKS);
  readonly #q: Float64Array;
  readonly #v: Float64Array;
  readonly #force: Float64Array;
  /** [0] start of the stretch that has been seen last, [1] place on it, s */
  readonly #seen = Float64Array.of(Number.NaN, 0);

  constructor(
    private readonly parts: ObservedParts,
    model: CanonicalModel,
    private readonly system: SpatialSystem,
    private readonly places: StatePlaces,
    private readonly rows: { readonly before: Float64Array; readonly after: Float64Array },
  ) {
    this.#rows = rowWorks(model);
    this.#isContinuous =
      this.#rows.some(({ place }) => place >= WORK.contactTangent && place !== WORK.stops) ||
      system.loads.some((load) => load.potential === undefined) ||
      system.pseudoRigid.length > 0;
    this.#sampler = new RowSampler(parts, places);
    this.#node = new Float64Array(places.size);
    this.#q = new Float64Array(system.positions);
    this.#v = new Float64Array(system.velocities);
    this.#force = new Float64Array(system.velocities);
    // A motion may begin with an impact, which has been processed before anyone could look on.
    this.#takeImpulses();
  }

  passed(): void {
    const { stretch } = this.parts.flight;
    if (!this.#unseen.look(stretch)) return;
    const { span } = this.#unseen;
    if (this.#isContinuous) this.#integrate(span[0], span[1], this.total);
    this.#seen[0] = stretch[0];
    this.#seen[1] = span[1];
  }

  eventBegins(): void {
    this.#before.set(this.total);
    this.#unseen.leave();
  }

  eventEnded(): void {
    this.#takeImpulses();
    this.#seen[0] = Number.NaN;
  }

  #takeImpulses(): void {
    const { impulse } = this.parts.event;
    const { before, after } = this.rows;
    const { yDot } = this.places;
    for (let k = 0; k < this.#rows.length; k++) {
      const { row, place, speed } = this.#rows[k];
      if (impulse[row] === 0) continue;
      this.total[place] += impulse[row] * (0.5 * (before[yDot + row] + after[yDot + row]) + speed);
    }
  }

  /** Works up to a row on the present stretch. @param out one number for each work */
  at(row: Float64Array, out: Float64Array): void {
    out.set(row === this.rows.before ? this.#before : this.total);
    const start = this.#seen[0];
    const seen = this.#seen[1];
    if (!this.#isContinuous || row === this.rows.before || Number.isNaN(start)) return;
    if (row[0] !== start + seen) this.#integrate(seen, row[0] - start, out);
  }

  /** Adds the works from one place of the stretch to another, in either direction. */
  #integrate(from: number, to: number, out: Float64Array): void {
    const sums = this.#sums.fill(0);
    for (let k = 0; k < NODES.length; k++) {
      this.#place[0] = from + NODES[k] * (to - from);
      this.#sampler.sample(this.#place, this.#node);
      this.#addPowers(WEIGHTS[k], sums);
    }
    for (let k = 0; k < WORKS; k++) out[k] += (to - from) * sums[k];
  }

  #addPowers(weight: number, out: Float64Array): void {
    const { system, places } = this;
    const row = this.#node;
    const q = this.#q;
    const v = this.#v;
    for (let k = 0; k < this.#rows.length; k++) {
      const { row: r, place, speed } = this.#rows[k];
      out[place] += weight * row[places.lambda + r] * (row[places.yDot + r] + speed);
    }
    for (let i = 0; i < q.length; i++) q[i] = row[places.q + i];
    for (let i = 0; i < v.length; i++) v[i] = row[places.v + i];
    this.#clock[0] = row[0];
    const force = this.#force.fill(0);
    for (let k = 0; k < system.loads.length; k++)
      if (system.loads[k].potential === undefined) system.loads[k].addForce(this.#clock, q, v, force);
    out[WORK.loads] += weight * product(force, v);
    system.addDamping(q, v, force.fill(0));
    out[WORK.damping] += weight * product(force, v);
  }
}

function product(force: Float64Array, v: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < v.length; i++) sum += force[i] * v[i];
  return sum;
}
