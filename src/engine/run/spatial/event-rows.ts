/**
 * Rows of 3D bodies in the event-driven scheme: signals of `preparation/spatial/layout.ts`, followed by what
 * the scheme keeps of each row of its relations,
 *
 *     … signals, observables, parameters | y | ẏ | λ | P
 *
 * Whatever follows from positions, velocities and multipliers of a row is written here, so that rows between
 * events have it as well.
 */
import type { CanonicalModel } from '../../preparation/spatial/canonical-model';
import type { CompiledSpace } from '../../preparation/spatial/compile';
import type { StateLayout } from '../../preparation/layout';
import {
  COUNT,
  GENERAL_NUMBERS,
  KINEMATIC_NUMBERS,
  NORMAL,
  NUMERICAL,
  OVERLAP,
  REACTION_NUMBERS,
  SLIP,
  TANGENTIAL,
  type ContactPlaces,
  type SpacePlaces,
  placeContacts,
  placeSpace,
} from '../../preparation/spatial/layout';
import { linkedPlaces, offsetsOf, velocitiesOf } from '../../model/nsds';
import { rotateBack } from '../../spatial/quaternion';
import type { EventDriven } from '../../event-driven/event-driven';
import { POSITIONS } from '../../spatial/bodies/rigid-body';
import { type FlightObserver, type ObservedParts, UnseenPart } from '../../event-driven/flow/flight-observer';
import { RowSampler } from '../../event-driven/rows/row-sampler';
import type { StatePlaces } from '../../model/state-places';
import type { SpatialSystem } from '../../spatial/system';

/** Places of the rows of relations behind a state vector of signals. @param layout of the signals */
export function placeEventRows<Layout extends StateLayout>(
  { interactions, systems }: CanonicalModel,
  layout: Layout,
): Layout {
  const rows = interactions.reduce((sum, { relation }) => sum + relation.size, 0);
  const { positions, velocities } = offsetsOf({ systems });
  const y = layout.size;
  return {
    ...layout,
    size: y + 4 * rows,
    ndof: velocities[systems.length],
    positions: positions[systems.length],
    rows,
    y,
    yDot: y + rows,
    lambda: y + 2 * rows,
    impulse: y + 3 * rows,
    // Energies of position are those of loads, which are no linear forces.
    potential: -1,
  };
}

/** Energies that one simulation of 3D bodies hands over to the next. */
export interface SpaceEnergies {
  /** by work, since the start, J */
  readonly works: Float64Array;
  /** energy at the start, the largest so far, and what the balance had besides, J */
  readonly start: Float64Array;
}

/** Places behind the kinetic energy. */
const POTENTIAL = 1;
const STRAIN = 2;
const FIRST_WORK = 3;

/** A relation as it is read from a row. */
interface RowsOfRelation {
  readonly joint: number;
  readonly contact: number;
  /** its first row among all */
  readonly first: number;
  readonly size: number;
  /** places of the positions of its bodies in q, and of their velocities in v */
  readonly positions: Int32Array;
  readonly velocities: Int32Array;
  readonly z: Float64Array;
  readonly C: Float64Array;
}

/** Length of the tangential part of what begins with a normal one. @param group numbers of both */
const tangential = (row: Float64Array, at: number, group: number): number =>
  group === 2 ? Math.abs(row[at + 1]) : Math.sqrt(row[at + 1] ** 2 + row[at + 2] ** 2);

export class SpaceEventRows {
  readonly #relations: readonly RowsOfRelation[];
  readonly #places: SpacePlaces;
  readonly #contacts: readonly ContactPlaces[];
  readonly #clock = new Float64Array(1);
  readonly #q: Float64Array;
  readonly #v: Float64Array;
  readonly #coordinates: Float64Array;
  readonly #jacobian: Float64Array;
  /** forces of one joint, by velocities of all bodies */
  readonly #force: Float64Array;
  readonly #wrench = new Float64Array(REACTION_NUMBERS);
  readonly #none = new Float64Array(0);
  readonly #works = new Float64Array(WORKS);
  /** energy at the start, the largest so far, and what the balance had besides in the last row, J */
  readonly #start = new Float64Array(3);
  #work: SpaceWork | null = null;

  constructor(
    private readonly space: CompiledSpace,
    private readonly model: CanonicalModel,
    private readonly layout: StateLayout,
  ) {
    const { systems, interactions, owners } = model;
    const { system } = space;
    const offsets = offsetsOf(model);
    let first = 0;
    this.#relations = interactions.map(({ relation, systems: linked }, i) => {
      const one = {
        ...owners[i],
        first,
        size: relation.size,
        positions: linkedPlaces(offsets.positions, linked),
        velocities: linkedPlaces(offsets.velocities, linked),
        z: new Float64Array(relation.columns),
        C: new Float64Array(relation.size * velocitiesOf(relation)),
      };
      first += relation.size;
      return one;
    });
    this.#places = placeSpace(space.model, 0, 0, 'event-driven');
    this.#contacts = placeContacts(space.model, this.#places.contacts, 'event-driven');
    this.#q = new Float64Array(offsets.positions[systems.length]);
    this.#v = new Float64Array(offsets.velocities[systems.length]);
    this.#coordinates = new Float64Array(system.coordinates.count);
    this.#jacobian = new Float64Array(system.coordinates.count * system.velocities);
    this.#force = new Float64Array(system.velocities);
  }

  /** What whole turns are counted on from is what stands in a row. */
  follow(row: Float64Array): void {
    this.#work?.passed();
    const { coordinates } = this.space.system;
    this.#read(row);
    this.model.follow(this.#q);
    coordinates.position(this.#q, this.#coordinates);
    coordinates.follow(this.#coordinates);
  }

  /** Completes a row that has time, q, v, y, ẏ, λ, P and the kinetic energy. */
  write(row: Float64Array): void {
    this.#read(row);
    this.#writeJoints(row);
    this.#writeContacts(row);
    this.#writeKinematicBodies(row);
    this.#writeEnergies(row);
  }

  /** Energies, works, and what the balance of both has besides. */
  #writeEnergies(row: Float64Array): void {
    const { system } = this.space;
    const { kinetic } = this.#places;
    const works = this.#works;
    row[kinetic + POTENTIAL] = system.loadEnergy(this.#clock, this.#q);
    row[kinetic + STRAIN] = system.strainEnergy(this.#q);
    if (this.#work === null) return;
    this.#work.at(row, works);
    let balance = row[kinetic] + row[kinetic + POTENTIAL] + row[kinetic + STRAIN] - this.#start[0];
    for (let k = 0; k < works.length; k++) {
      row[kinetic + FIRST_WORK + k] = works[k];
      balance -= works[k];
    }
    row[kinetic + NUMERICAL] = balance;
    this.#start[1] = Math.max(
      this.#start[1],
      row[kinetic] + Math.abs(row[kinetic + POTENTIAL]) + row[kinetic + STRAIN],
    );
    this.#start[2] = balance;
  }

  /**
   * Looks on from here.
   * @param past what has been handed over by another simulation of the same bodies; null at the start
   */
  begin(simulation: EventDriven, past: SpaceEnergies | null): void {
    const { before, state } = simulation;
    const { system } = this.space;
    this.#work = simulation.observe(
      (parts) => new SpaceWork(parts, this.model, system, this.layout, { before, after: state }),
    );
    if (past !== null) {
      this.#work.total.set(past.works);
      this.#start.set(past.start);
      return;
    }
    const first = simulation.rowsAtEvent === 2 ? before : state;
    this.#read(first);
    this.#start[0] =
      system.kineticEnergy(this.#v) + system.loadEnergy(this.#clock, this.#q) + system.strainEnergy(this.#q);
  }

  /** What a simulation that goes on from here takes over. */
  save(): SpaceEnergies {
    return { works: this.#work?.total.slice() ?? new Float64Array(WORKS), start: this.#start.slice() };
  }

  /** What the integration has added to the energy, relative to the largest one. */
  get energyDrift(): number | null {
    const [, largest, balance] = this.#start;
    return largest > 0 ? Math.abs(balance) / largest : null;
  }

  #read(row: Float64Array): void {
    const { q, v } = this.layout;
    this.#clock[0] = row[0];
    for (let k = 0; k < this.#q.length; k++) this.#q[k] = row[q + k];
    for (let k = 0; k < this.#v.length; k++) this.#v[k] = row[v + k];
  }

  #writeJoints(row: Float64Array): void {
    const { joints, system } = this.space;
    const { coordinates, velocities } = system;
    const values = this.#coordinates;
    coordinates.position(this.#q, values);
    coordinates.jacobian(this.#q, this.#jacobian, velocities, 'velocity');
    let slot = this.#places.joints;
    let k = 0;
    for (let j = 0; j < joints.length; j++) {
      for (let c = 0; c < joints[j].relation.coordinates.length; c++, k++) {
        let rate = 0;
        for (let i = 0; i < velocities; i++) rate += this.#jacobian[k * velocities + i] * this.#v[i];
        row[slot++] = values[k];
        row[slot++] = rate;
      }
      this.#reaction(j, row);
      for (let i = 0; i < REACTION_NUMBERS; i++) row[slot++] = this.#wrench[i];
    }
    slot = this.#places.general;
    const { y, yDot, lambda } = this.layout;
    for (const { joint, first, size } of this.#relations) {
      if (joint < joints.length) continue;
      for (let r = first; r < first + size; r++, slot += GENERAL_NUMBERS) {
        row[slot] = row[y + r];
        row[slot + 1] = row[yDot + r];
        row[slot + 2] = row[lambda + r];
      }
    }
  }

  /** Force and moment of a joint on the last of its bodies, at its point there, in the world's frame. */
  #reaction(joint: number, row: Float64Array): void {
    const { system } = this.space;
    const force = this.#force.fill(0);
    for (let i = 0; i < this.#relations.length; i++)
      if (this.#relations[i].joint === joint) this.#addForce(i, row, force);
    const at = system.velocitiesAt[system.reactingBody(joint)];
    system.jointWrench(joint, this.#q, force, at, 1, this.#wrench);
  }

  /** Adds ᵗC λ of a relation. */
  #addForce(i: number, row: Float64Array, out: Float64Array): void {
    const { first, size, positions, velocities, z, C } = this.#relations[i];
    for (let k = 0; k < z.length; k++) z[k] = this.#q[positions[k]];
    this.model.interactions[i].relation.outputJacobians(this.#clock, z, this.#none, C, this.#none);
    for (let r = 0; r < size; r++) {
      const lambda = row[this.layout.lambda + first + r];
      for (let k = 0; k < velocities.length; k++) out[velocities[k]] += C[r * velocities.length + k] * lambda;
    }
  }

  /** Forces, impulses and gaps of all contacts of each interaction together. */
  #writeContacts(row: Float64Array): void {
    for (let k = this.#places.contacts; k < this.#places.kinetic; k++) row[k] = 0;
    for (let i = 0; i < this.#relations.length; i++) {
      const { contact, first, size } = this.#relations[i];
      if (contact < 0) continue;
      const { size: group } = this.model.interactions[i].law;
      for (let r = first; r < first + size; r += group)
        this.#addContact(row, r, group, this.#contacts[contact]);
    }
  }

  /** @param r row of the gap @param group rows of the contact */
  #addContact(row: Float64Array, r: number, group: number, { first: at, normalForce }: ContactPlaces): void {
    const { y, yDot, lambda, impulse } = this.layout;
    const force = row[lambda + r];
    const push = row[impulse + r];
    row[at + OVERLAP] = Math.max(row[at + OVERLAP], -row[y + r]);
    if (!(force > 0 || push > 0)) return;
    row[at + COUNT]++;
    row[at + NORMAL] += push;
    row[normalForce] += force;
    if (group === 1) return;
    row[at + TANGENTIAL] += tangential(row, impulse + r, group);
    row[normalForce + 1] += tangential(row, lambda + r, group);
    row[at + SLIP] = Math.max(row[at + SLIP], tangential(row, yDot + r, group));
  }

  /** Where kinematic bodies are, and how they move. */
  #writeKinematicBodies(row: Float64Array): void {
    const { motions } = this.space;
    for (let k = 0; k < motions.length; k++) {
      const at = this.#places.kinematicBodies + KINEMATIC_NUMBERS * k;
      motions[k].pose(this.#clock, row, at);
      motions[k].velocity(this.#clock, row, at + POSITIONS);
      rotateBack(row, at + 3, row, at + POSITIONS + 3, row, at + POSITIONS + 3);
    }
  }
}

/*
 * Energy of 3D bodies from event to event, by the same names as in steps: what loads without a potential,
 * damping, contacts, stops, friction and motors of joints have done since the start,
 *
 *     between events   ∫ λ (ẏ − ∂h/∂t) dt, ∫ ᵗv f dt       at an event   Σ ½ P (ẏ⁻ + ẏ⁺ − 2 ∂h/∂t)
 *
 * where M (v⁺ − v⁻) = ᵗC P makes the latter T⁺ − T⁻ exactly, however many impacts there are. The integral is
 * by Gauss–Legendre quadrature over the continuous extension of the flight; it looks on and changes nothing.
 * What T + V + W − T₀ − V₀ − W₀ has besides is what the integration has missed.
 */

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
const WORKS = Object.keys(WORK).length;

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

class SpaceWork implements FlightObserver {
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
