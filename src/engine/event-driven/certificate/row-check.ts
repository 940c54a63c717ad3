/**
 * Outputs and multipliers at a row of the result against the laws, part of the certificate:
 *
 *     gaps and forces of contacts    y ≥ 0, λ ≥ 0
 *     Coulomb friction               |λ_t| ≤ μ λ_n, and λ_t = −μ λ_n sgn ẏ_t where the contact slides
 *     other laws of a box [l, u]     | the middle one of (λ − u)/Λ, y/Y, (λ − l)/Λ |
 *
 * Y and Λ are the largest terms of y and the largest |λ| that the row has shown so far, but not less than a
 * fixed part of what the rows of its kind have: a row that carries rounding only has no scale of its own.
 * What is large is not known at the start, where all may be about to rise from zero: rows within the first
 * step are judged behind it.
 *
 * With feedthrough a force that is wrong by δ is an output that is wrong by D_rr δ, so that Λ ≥ Y/|D_rr|: a
 * diode that opens has rows with forces just at its bound, and may have had no other. An output that the
 * states’ absolute tolerance can make is zero. Joints hold ẏ = 0 by their formulation, whose drift is
 * measured where it is (`drift.ts`).
 */
import {
  boxDistance,
  coneExcess,
  discDistance,
  discExcess,
  graphDistance,
  slipDistance,
} from '../../certificate/law-distances';
import {
  relative,
  COMPLEMENTARITY,
  CONE,
  DYNAMICS,
  type EventResidual,
  type ResidualKindIndex,
  ResidualMaxima,
} from '../../certificate/residual-maxima';
import type { PresenceRule } from '../../model/settings/presences';
import type { LawRow, PiecewiseLinearGraph, RelationForm } from '../../model/forms';
import { type NonSmoothDynamicalSystem, rowName } from '../../model/nsds';
import type { StatePlaces } from '../../model/state-places';
import type { StepWriter } from '../../straight-line/writer';
import type { LinkedRows, SystemTerms } from './linked-rows';
import { EventPresenceCheck } from './presence-check';

/* The quantities that the event-driven certificate judges, in the order of its register. */

/** What each figure is part of; the gain of energy that a law allows is no violation. */
const PARTS: readonly (readonly [EventResidual, ResidualKindIndex | null])[] = [
  ['impact', DYNAMICS],
  ['law', COMPLEMENTARITY],
  ['energy', DYNAMICS],
  ['motion', DYNAMICS],
  ['gain', null],
  ['cone', CONE],
  ['slip', COMPLEMENTARITY],
  ['penetration', CONE],
  ['pull', CONE],
];
export const [IMPACT, LAW, ENERGY, MOTION, GAIN] = [0, 1, 2, 3, 4];
const [FRICTION_CONE, SLIP, PENETRATION, PULL] = [5, 6, 7, 8];

export type EventMaxima = ResidualMaxima<EventResidual>;

/** Parts of laws, one by one, by what they are called. */
const partsOf = ({ interactions }: Pick<NonSmoothDynamicalSystem, 'interactions'>): string[] =>
  interactions.flatMap((one) => (one.law.parts ?? []).map(({ first }) => rowName(one, first)));

/**
 * A register whose places are the systems of a model, then its interactions, its resets, and the parts of its
 * laws.
 */
export function createEventMaxima({
  systems,
  interactions,
  resets = [],
}: NonSmoothDynamicalSystem): EventMaxima {
  const ids = [...systems, ...interactions, ...resets].map(({ id }) => id);
  const elements = [...ids, ...partsOf({ interactions })];
  return new ResidualMaxima(PARTS.map(([name, kind]) => ({ name, kind, elements })));
}

/** A row that is judged: its interaction, its place among the rows of that and of all. */
interface Place {
  readonly element: number;
  readonly interaction: number;
  readonly index: number;
  readonly row: number;
  /** FIRST_ORDER, POSITION or VELOCITY: rows of one kind count in the same units */
  readonly kind: number;
}

interface FrictionPlace extends Place {
  readonly law: Extract<LawRow, { kind: 'friction' }>;
}

interface BoxPlace extends Place {
  readonly law: Extract<LawRow, { kind: 'box' | 'graph' }>;
}

/** Speeds below this part of the largest of their row so far may be zero. */
const AT_REST = 1e-8;
/** Part of the largest slip up to which the simulation counts a slip as zero. */
const ROUNDING_OF_SLIP = 1e-11;
/** Smallest part of its kind's magnitude that a row is measured by. */
const ROW_FLOOR = 1e-3;

/** Part of the first step whose rows are judged behind it, and how many of them at most. */
const EARLY = 1 - 1e-9;
const MOST_EARLY = 64;

const FIRST_ORDER = 0;
const POSITION = 1;
const VELOCITY = 2;
const KINDS = 3;

export class RowCheck {
  readonly #relations: readonly RelationForm[];
  readonly #presence: EventPresenceCheck;
  readonly #contacts: readonly Place[];
  readonly #friction: readonly FrictionPlace[];
  /** by the first of their two slips */
  readonly #discs: readonly FrictionPlace[];
  readonly #boxes: readonly BoxPlace[];
  /** largest terms of outputs, and largest multipliers, by row */
  readonly #outputs: Float64Array;
  readonly #forces: Float64Array;
  /** the same by kind of row */
  readonly #kindOutputs = new Float64Array(KINDS);
  readonly #kindForces = new Float64Array(KINDS);
  /** largest terms of the slip between events, by row of friction */
  readonly #slips: Float64Array;
  /**
   * what a velocity of one comes to in the slip, where it was evaluated last: slips of the size of the
   * tolerance are none where nothing has slid
   */
  readonly #reach: Float64Array;
  /** [0] largest force of a contact */
  readonly #force = new Float64Array(1);
  /** see `LinkedRows.outputTerms` */
  readonly #terms = new Float64Array(3);
  readonly #clock = new Float64Array(1);
  /** [0] time of the first row, s */
  readonly #begin = Float64Array.of(NaN);
  /** rows of the first step; null behind it */
  #early: Float64Array[] | null = [];

  constructor(
    { systems, interactions, resets = [] }: NonSmoothDynamicalSystem,
    private readonly places: StatePlaces,
    private readonly rows: LinkedRows,
    private readonly terms: SystemTerms,
    private readonly maxima: EventMaxima,
    /** of states, in their units */
    private readonly tolerance: number,
    presence: readonly PresenceRule[] = [],
    /** step of the discretisation, s */
    private readonly step = 0,
  ) {
    this.#relations = interactions.map(({ relation }) => relation);
    this.#presence = new EventPresenceCheck(presence, places);
    const contacts: Place[] = [];
    const friction: FrictionPlace[] = [];
    const discs: FrictionPlace[] = [];
    const boxes: BoxPlace[] = [];
    let parts = systems.length + interactions.length + resets.length;
    interactions.forEach(({ law, relation }, i) => {
      const isPosition = law.level === 'position' || law.restitution !== null;
      const kind = relation.order === 1 ? FIRST_ORDER : isPosition ? POSITION : VELOCITY;
      for (let r = 0; r < relation.size; r++) {
        const own = law.rows[r % law.size];
        const row = rows.offsets[i] + r;
        const part = law.parts?.findIndex(({ first, size }) => r >= first && r < first + size) ?? -1;
        const element = part < 0 ? systems.length + i : parts + part;
        const place = { element, interaction: i, index: r, row, kind };
        if (own.kind === 'friction' && law.size > 2) {
          if (r % law.size === 1) discs.push({ ...place, law: own });
        } else if (own.kind === 'friction') friction.push({ ...place, law: own });
        else if (law.restitution !== null) contacts.push(place);
        else if (own.kind === 'graph') boxes.push({ ...place, law: own });
        else if (own.kind === 'box' && (!isFree(own) || this.#presence.has(row) || isWithin(relation)))
          boxes.push({ ...place, law: own });
      }
      parts += law.parts?.length ?? 0;
    });
    this.#contacts = contacts;
    this.#friction = friction;
    this.#discs = discs;
    this.#boxes = boxes;
    this.#outputs = new Float64Array(places.rows);
    this.#forces = new Float64Array(places.rows);
    this.#slips = new Float64Array(places.rows);
    this.#reach = new Float64Array(places.rows);
  }

  /** Begins within a run, of which nothing before is known. */
  forget(): void {
    this.#presence.forget();
  }

  judge(row: Float64Array): void {
    if (Number.isNaN(this.#begin[0])) this.#begin[0] = row[0];
    if (this.#early !== null) {
      if (row[0] - this.#begin[0] < EARLY * this.step && this.#early.length < MOST_EARLY) {
        this.#early.push(row.slice());
        return;
      }
      const early = this.#early;
      this.#early = null;
      for (const one of [...early, row]) this.#noteBoxes(one);
      for (const one of early) this.#judge(one);
    }
    this.#judge(row);
  }

  #judge(row: Float64Array): void {
    this.#clock[0] = row[0];
    this.#presence.begin(row);
    for (let k = 0; k < this.#contacts.length; k++) this.#contact(this.#contacts[k], row);
    for (let k = 0; k < this.#friction.length; k++) this.#frictionForce(this.#friction[k], row);
    for (let k = 0; k < this.#discs.length; k++) this.#discForce(this.#discs[k], row);
    for (let k = 0; k < this.#boxes.length; k++) this.#box(this.#boxes[k], row);
  }

  /** Magnitudes of outputs and multipliers. */
  #noteBoxes(row: Float64Array): void {
    const { places } = this;
    for (const { kind, row: r } of this.#boxes) {
      const output = Math.abs(row[(kind === VELOCITY ? places.yDot : places.y) + r]);
      const force = Math.abs(row[places.lambda + r]);
      this.#note(this.#outputs, r, output);
      this.#note(this.#forces, r, force);
      this.#note(this.#kindOutputs, kind, output);
      this.#note(this.#kindForces, kind, force);
    }
  }

  /** Writes what a gap that is open by itself leaves of `judge`. @param otherwise where it is below zero */
  writeGap(w: StepWriter, row: number, gap: string, otherwise: string): void {
    const outputs = w.bind(this.#outputs);
    w.line(`if (!(${gap} >= 0)) ${otherwise}`);
    w.line(`else if (${gap} > ${outputs}[${row}]) ${outputs}[${row}] = ${gap};`);
  }

  /**
   * Writes `judge` of a row of the result in which no contact pushes, and all have gradients that are
   * constant.
   * @param otherwise where that is not enough
   */
  writeContacts(w: StepWriter, row: Float64Array, otherwise: string): void {
    const { places } = this;
    const [name, outputs] = [w.bind(row), w.bind(this.#outputs)];
    const note = (r: number, value: string): string =>
      `if (${value} > ${outputs}[${r}]) ${outputs}[${r}] = ${value};`;
    w.line(`if (${w.bind(this)}.isEarly) ${otherwise}`);
    w.line('else {');
    for (const { row: r } of this.#contacts) {
      const entries = this.rows.entriesOf(r);
      const reach = entries.reduce((sum, [c]) => sum + Math.abs(c), 0);
      const terms = entries.map(([c, , at]) => `abs(${w.literal(c)} * ${name}[${places.q + at}])`);
      w.line(`{ const gap = ${name}[${places.y + r}];`);
      w.line(`if (gap >= 0) { ${note(r, 'gap')} }`);
      // An overlap that the tolerance can make is none.
      w.line(`else if (-gap <= ${w.literal(reach * this.tolerance)}) {`);
      w.line(`const terms = ${terms.join(' + ') || '0'}; ${note(r, '-gap')} ${note(r, 'terms')}`);
      w.line(`} else ${otherwise} }`);
    }
    w.line('}');
  }

  /** Whether rows wait for what is large to be known. */
  get isEarly(): boolean {
    return this.#early !== null;
  }

  /** The same of a gap that is known. @returns whether it is open */
  takeGap(row: number, gap: number): boolean {
    if (!(gap >= 0)) return false;
    this.#note(this.#outputs, row, gap);
    return true;
  }

  #contact(place: Place, row: Float64Array): void {
    const { maxima } = this;
    const gap = row[this.places.y + place.row];
    const force = row[this.places.lambda + place.row];
    this.#note(this.#outputs, place.row, Math.abs(gap));
    this.#note(this.#force, 0, Math.abs(force));
    // What NaN is compared with is not passed over.
    if (!(gap >= 0)) {
      this.#noteTerms(place, row);
      const overlap = -gap <= this.#terms[1] * this.tolerance ? 0 : -gap;
      maxima.raise(PENETRATION, overlap, this.#outputs[place.row], this.#clock, place.element);
    }
    if (force >= 0) return;
    // Where no contact has pushed yet, the forces on the bodies say what is small.
    const load = ROW_FLOOR * this.terms.largestForce(place.interaction, this.#clock, row);
    maxima.raise(PULL, -force, Math.max(this.#force[0], load), this.#clock, place.element);
  }

  /** Coulomb's law. Where a slip has just come to zero its sign is that of rounding. */
  #frictionForce({ element, interaction, index, row: r, law }: FrictionPlace, row: Float64Array): void {
    const { maxima, rows } = this;
    const { yDot, lambda } = this.places;
    const bound = law.coefficient * row[lambda + r - 1];
    const force = row[lambda + r];
    const speed = row[yDot + r];
    this.#note(this.#force, 0, Math.abs(force));
    const scale = this.#force[0];
    maxima.raise(FRICTION_CONE, coneExcess(force, bound), scale, this.#clock, element);
    if (!(Math.abs(speed) > this.tolerance * this.#reach[r])) return;
    rows.speedTerms(interaction, index, this.#clock, row, this.#terms);
    this.#reach[r] = this.#terms[1];
    if (!(Math.abs(speed) > this.tolerance * this.#reach[r])) return;
    this.#note(this.#slips, r, this.#terms[0]);
    if (Math.abs(speed) > AT_REST * this.#slips[r])
      maxima.raise(SLIP, slipDistance(force, bound, speed), scale, this.#clock, element);
  }

  /** Coulomb's law in a tangent plane. */
  #discForce({ element, interaction, index, row: r, law }: FrictionPlace, row: Float64Array): void {
    const { maxima, rows } = this;
    const { yDot, lambda } = this.places;
    const bound = law.coefficient * row[lambda + r - 1];
    const [first, second] = [row[lambda + r], row[lambda + r + 1]];
    const [u1, u2] = [row[yDot + r], row[yDot + r + 1]];
    this.#note(this.#force, 0, Math.hypot(first, second));
    const scale = this.#force[0];
    maxima.raise(FRICTION_CONE, discExcess(first, second, bound), scale, this.#clock, element);
    const speed = Math.hypot(u1, u2);
    for (let k = 0; k < 2; k++) {
      rows.speedTerms(interaction, index + k, this.#clock, row, this.#terms);
      this.#note(this.#slips, r, this.#terms[0]);
      this.#reach[r + k] = this.#terms[1];
    }
    // Slips so small have the direction of the force that stops them, and none of their own.
    const reach = Math.max(this.#reach[r], this.#reach[r + 1]);
    const largest = Math.max(this.#slips[r], (this.tolerance / ROUNDING_OF_SLIP) * reach);
    const none = Math.max(AT_REST * largest, this.tolerance * reach);
    if (speed > none)
      maxima.raise(SLIP, discDistance(first, second, bound, u1, u2), scale, this.#clock, element);
  }

  #box(place: BoxPlace, row: Float64Array): void {
    const { law, kind, row: r, element } = place;
    const { places } = this;
    const output = row[(kind === VELOCITY ? places.yDot : places.y) + r];
    const force = row[places.lambda + r];
    const isThere = this.#presence.of(r, force);
    if (isThere === 'wrong') this.maxima.raise(LAW, 1, 1, this.#clock, element);
    if (isThere !== 'yes') return;
    this.#note(this.#outputs, r, Math.abs(output));
    this.#note(this.#forces, r, Math.abs(force));
    this.#note(this.#kindOutputs, kind, Math.abs(output));
    this.#note(this.#kindForces, kind, Math.abs(force));
    if (law.kind === 'box' && boxDistance(force - law.lower, output, force - law.upper) === 0) return;
    this.#noteTerms(place, row);
    const Y = Math.max(this.#outputs[r], ROW_FLOOR * this.#kindOutputs[kind]);
    const reach = this.#terms[1];
    const feedthrough = this.#terms[2];
    const reached = feedthrough > 0 ? Y / feedthrough : this.#reachedByOthers(place, row);
    const L = Math.max(this.#forces[r], ROW_FLOOR * this.#kindForces[kind], reached);
    if (law.kind === 'graph') {
      this.#graph(place, law.graph, output, force, Y, L);
      return;
    }
    const toUpper = relative(force - law.upper, L);
    const toLower = relative(force - law.lower, L);
    const off = Math.abs(output) <= reach * this.tolerance ? 0 : relative(output, Y);
    this.maxima.raise(LAW, boxDistance(toLower, off, toUpper), 1, this.#clock, element);
  }

  /**
   * The multiplier that makes the outputs of other rows what they are, where a row has none of its own in its
   * output: a current of one element that is part of those of others.
   */
  #reachedByOthers({ interaction, index, row: r }: BoxPlace, row: Float64Array): number {
    const { order, D, size } = this.#relations[interaction];
    if (order === 2 || D === null) return 0;
    let most = 0;
    for (let s = 0; s < size; s++) {
      const factor = Math.abs(D[s * size + index]);
      if (factor === 0) continue;
      this.rows.outputTerms(interaction, s, this.#clock, row, this.#terms);
      const other = r - index + s;
      this.#note(this.#outputs, other, Math.abs(row[this.places.y + other]));
      this.#note(this.#outputs, other, this.#terms[0]);
      most = Math.max(most, this.#outputs[other] / factor);
    }
    return most;
  }

  /**
   * Distance of (y, λ) from the graph, both relative to their magnitudes.
   * @param Y, L magnitudes of y and λ
   */
  #graph(
    { element }: Place,
    graph: PiecewiseLinearGraph,
    output: number,
    force: number,
    Y: number,
    L: number,
  ): void {
    // Where nothing has moved or pushed yet, the graph itself says what is large.
    const y = Y > 0 ? Y : sizeOf(graph.y);
    const lambda = L > 0 ? L : sizeOf(graph.lambda);
    const distance = graphDistance(graph, output, force, y / lambda);
    const isRounding = distance <= this.#terms[1] * this.tolerance;
    this.maxima.raise(LAW, isRounding ? 0 : distance / y, 1, this.#clock, element);
  }

  #note(magnitudes: Float64Array, at: number, value: number): void {
    if (value > magnitudes[at]) magnitudes[at] = value;
  }

  /** What cancels in an output is evaluated only where that is of interest. */
  #noteTerms({ interaction, index, row: r, kind }: Place, row: Float64Array): void {
    const { rows } = this;
    if (kind === VELOCITY) rows.speedTerms(interaction, index, this.#clock, row, this.#terms);
    else rows.outputTerms(interaction, index, this.#clock, row, this.#terms);
    this.#note(this.#outputs, r, this.#terms[0]);
  }
}

/** Largest of some coordinates, or 1 where all are zero. */
const sizeOf = (values: Float64Array): number =>
  values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;

/** Equations among outputs with multipliers, as those of switches: no formulation keeps them by itself. */
const isWithin = ({ order, hasFeedthrough }: RelationForm): boolean => order === 1 && hasFeedthrough;

const isFree = ({ lower, upper }: { lower: number; upper: number }): boolean =>
  lower === -Infinity && upper === Infinity;

/*
 * Whether ẏ = C v is the rate of the output that a relation gives, part of the certificate: forces act along
 * C, and all that follows from a gradient of another output agrees with itself. From outputs along the
 * motion, y(s) = h(q + s v),
 *
 *     D₁ = (y(δ) − y(−δ))/2δ,     D₂ = (y(2δ) − y(−2δ))/4δ,     C v ≟ D₁ + (D₁ − D₂)/3,
 *
 * to what these leave open: the difference of D₁ and D₂, and where y has a bend, as on the surface of a cam,
 * the change of its slope.
 *
 * Relations between bodies only, which the engine writes itself; a model's own functions are compared before
 * a run (`jacobian-check.ts`), and might not be defined at q + s v.
 */

/**
 * Impacts of an interaction at which its gradient is looked at: a gradient that is wrong is so everywhere but
 * for a few places.
 */
const LOOKS = 16;
/** Factor on what differences leave open. */
const CAUTION = 4;
/** Rounding of an output, in parts of the largest of them. */
const ROUNDING = 64 * Number.EPSILON;
/** Places of outputs, in δ. */
const PLACES = [-2, -1, 0, 1, 2] as const;

export class GradientCheck {
  /** by interaction: looks that are left */
  readonly #left: Uint8Array;
  /** outputs at the five places */
  readonly #outputs: readonly Float64Array[];

  constructor(
    { interactions }: NonSmoothDynamicalSystem,
    private readonly rows: LinkedRows,
    /** δ, s */
    private readonly delta: number,
  ) {
    this.#left = Uint8Array.from(interactions, ({ relation }) => {
      const { order, rows: described, C, isTimeDependent } = relation;
      return delta > 0 && order === 2 && described !== undefined && C === null && !isTimeDependent
        ? LOOKS
        : 0;
    });
    const most = Math.max(0, ...interactions.map(({ relation }) => relation.size));
    this.#outputs = PLACES.map(() => new Float64Array(most));
  }

  /**
   * Looks at interaction i, unless it has been looked at often enough.
   * @returns whether `defect` says anything of its rows
   */
  look(i: number, clock: Float64Array, row: Float64Array): boolean {
    if (this.#left[i] === 0) return false;
    this.#left[i]--;
    for (let k = 0; k < PLACES.length; k++)
      this.rows.outputAlong(i, clock, row, PLACES[k] * this.delta, this.#outputs[k]);
    return true;
  }

  /**
   * @param r row of the interaction that was looked at last
   * @param speed C v
   * @returns what cannot be put down to differences
   */
  defect(r: number, speed: number): number {
    const { delta } = this;
    const [y0, y1, y2, y3, y4] = [0, 1, 2, 3, 4].map((k) => this.#outputs[k][r]);
    const near = (y3 - y1) / (2 * delta);
    const far = (y4 - y0) / (4 * delta);
    const bend = (y4 - 2 * y2 + y0) / (2 * delta) - (2 * (y3 - 2 * y2 + y1)) / delta;
    const rounding = (ROUNDING * Math.max(Math.abs(y0), Math.abs(y2), Math.abs(y4))) / delta;
    const open = CAUTION * (Math.abs(near - far) + Math.abs(bend)) + rounding;
    return Math.max(0, Math.abs(speed - near - (near - far) / 3) - open);
  }
}
