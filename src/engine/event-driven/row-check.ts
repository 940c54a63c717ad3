/**
 * Outputs and multipliers at a row of the result against the laws, part of the certificate:
 *
 *     gaps and forces of contacts    y ≥ 0, λ ≥ 0
 *     Coulomb friction               |λ_t| ≤ μ λ_n, and λ_t = −μ λ_n sgn ẏ_t where the contact slides
 *     other laws of a box [l, u]     | the middle one of (λ − u)/Λ, y/Y, (λ − l)/Λ |
 *
 * Y and Λ are the largest terms of y and the largest |λ| that the row has shown so far, but not less than a fixed part of what the rows
 * of its kind have: a row that carries rounding only has no scale of its own. With feedthrough a force that is wrong by δ is an output that
 * is wrong by D_rr δ, so that Λ ≥ Y/|D_rr|: a diode that opens has rows with forces just at its bound, and may have had no other. An output
 * that the states’ absolute tolerance can make is zero. Joints hold ẏ = 0 by their formulation, whose drift is measured where it is
 * (`drift.ts`).
 */
import type { LawRow } from '../model/forms';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { StatePlaces } from '../model/state-places';
import { type CertificateLedger, relative } from './certificate-ledger';
import type { LinkedRows } from './linked-rows';

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
  readonly law: Extract<LawRow, { kind: 'box' }>;
}

/** Speeds below this part of the largest of their row so far may be zero. */
const AT_REST = 1e-8;
/** Smallest part of its kind's magnitude that a row is measured by. */
const ROW_FLOOR = 1e-3;

const FIRST_ORDER = 0;
const POSITION = 1;
const VELOCITY = 2;
const KINDS = 3;

export class RowCheck {
  readonly #contacts: readonly Place[];
  readonly #friction: readonly FrictionPlace[];
  readonly #boxes: readonly BoxPlace[];
  /** largest terms of outputs, and largest multipliers, by row */
  readonly #outputs: Float64Array;
  readonly #forces: Float64Array;
  /** the same by kind of row */
  readonly #kindOutputs = new Float64Array(KINDS);
  readonly #kindForces = new Float64Array(KINDS);
  /** largest terms of the slip between events, by row of friction */
  readonly #slips: Float64Array;
  /** what a velocity of one comes to in the slip, where it was evaluated last: slips of the size of the tolerance are none where nothing has slid */
  readonly #reach: Float64Array;
  /** [0] largest force of a contact */
  readonly #force = new Float64Array(1);
  /** see `LinkedRows.outputTerms` */
  readonly #terms = new Float64Array(3);
  readonly #clock = new Float64Array(1);

  constructor(
    { interactions }: NonSmoothDynamicalSystem,
    private readonly places: StatePlaces,
    private readonly rows: LinkedRows,
    private readonly ledger: CertificateLedger,
    /** of states, in their units */
    private readonly tolerance: number,
  ) {
    const contacts: Place[] = [];
    const friction: FrictionPlace[] = [];
    const boxes: BoxPlace[] = [];
    interactions.forEach(({ law, relation }, i) => {
      const isPosition = law.level === 'position' || law.restitution !== null;
      const kind = relation.order === 1 ? FIRST_ORDER : isPosition ? POSITION : VELOCITY;
      for (let r = 0; r < relation.size; r++) {
        const own = law.rows[r % law.size];
        const row = rows.offsets[i] + r;
        const place = { element: ledger.interaction(i), interaction: i, index: r, row, kind };
        if (own.kind === 'friction') friction.push({ ...place, law: own });
        else if (law.restitution !== null) contacts.push(place);
        else if (own.kind === 'box' && !isFree(own)) boxes.push({ ...place, law: own });
      }
    });
    this.#contacts = contacts;
    this.#friction = friction;
    this.#boxes = boxes;
    this.#outputs = new Float64Array(places.rows);
    this.#forces = new Float64Array(places.rows);
    this.#slips = new Float64Array(places.rows);
    this.#reach = new Float64Array(places.rows);
  }

  judge(row: Float64Array): void {
    this.#clock[0] = row[0];
    for (let k = 0; k < this.#contacts.length; k++) this.#contact(this.#contacts[k], row);
    for (let k = 0; k < this.#friction.length; k++) this.#frictionForce(this.#friction[k], row);
    for (let k = 0; k < this.#boxes.length; k++) this.#box(this.#boxes[k], row);
  }

  #contact(place: Place, row: Float64Array): void {
    const { ledger } = this;
    const gap = row[this.places.y + place.row];
    const force = row[this.places.lambda + place.row];
    this.#note(this.#outputs, place.row, Math.abs(gap));
    this.#note(this.#force, 0, Math.abs(force));
    // What NaN is compared with is not passed over.
    if (!(gap >= 0)) {
      this.#noteTerms(place, row);
      const overlap = -gap <= this.#terms[1] * this.tolerance ? 0 : -gap;
      ledger.enter('penetration', overlap, this.#outputs[place.row], this.#clock, place.element);
    }
    if (!(force >= 0)) ledger.enter('pull', -force, this.#force[0], this.#clock, place.element);
  }

  /** Coulomb's law. Where a slip has just come to zero its sign is that of rounding. */
  #frictionForce({ element, interaction, index, row: r, law }: FrictionPlace, row: Float64Array): void {
    const { ledger, rows } = this;
    const { yDot, lambda } = this.places;
    const bound = law.coefficient * row[lambda + r - 1];
    const force = row[lambda + r];
    const speed = row[yDot + r];
    this.#note(this.#force, 0, Math.abs(force));
    const scale = this.#force[0];
    ledger.enter('cone', Math.max(0, Math.abs(force) - bound), scale, this.#clock, element);
    if (!(Math.abs(speed) > this.tolerance * this.#reach[r])) return;
    rows.speedTerms(interaction, index, this.#clock, row, this.#terms);
    this.#reach[r] = this.#terms[1];
    if (!(Math.abs(speed) > this.tolerance * this.#reach[r])) return;
    this.#note(this.#slips, r, this.#terms[0]);
    if (Math.abs(speed) > AT_REST * this.#slips[r])
      ledger.enter('slip', Math.abs(force + Math.sign(speed) * bound), scale, this.#clock, element);
  }

  #box(place: BoxPlace, row: Float64Array): void {
    const { law, kind, row: r, element } = place;
    const { places } = this;
    const output = row[(kind === VELOCITY ? places.yDot : places.y) + r];
    const force = row[places.lambda + r];
    this.#note(this.#outputs, r, Math.abs(output));
    this.#note(this.#forces, r, Math.abs(force));
    this.#note(this.#kindOutputs, kind, Math.abs(output));
    this.#note(this.#kindForces, kind, Math.abs(force));
    if (middle(force - law.upper, output, force - law.lower) === 0) return;
    this.#noteTerms(place, row);
    const Y = Math.max(this.#outputs[r], ROW_FLOOR * this.#kindOutputs[kind]);
    const feedthrough = this.#terms[2];
    const reached = feedthrough > 0 ? Y / feedthrough : 0;
    const L = Math.max(this.#forces[r], ROW_FLOOR * this.#kindForces[kind], reached);
    const toUpper = relative(force - law.upper, L);
    const toLower = relative(force - law.lower, L);
    const off = Math.abs(output) <= this.#terms[1] * this.tolerance ? 0 : relative(output, Y);
    const distance = Math.abs(middle(toUpper, off, toLower));
    this.ledger.enter('law', distance, 1, this.#clock, element);
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

const isFree = ({ lower, upper }: { lower: number; upper: number }): boolean =>
  lower === -Infinity && upper === Infinity;

/** The middle one of three numbers with a ≤ c. NaN is kept. */
const middle = (a: number, b: number, c: number): number => Math.max(a, Math.min(b, c));
