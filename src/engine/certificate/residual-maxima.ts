/**
 * The register of residuals, the same for all schemes. A scheme lists the quantities that it judges and hands
 * in what it finds of them; the register keeps, by quantity, the largest value and the largest one relative
 * to the magnitude of its kind, and of all together when and where the worst was found. NaN is larger than
 * any number and stays; of equal values the first stays.
 *
 * Quantities add up to the three parts in which every run is reported:
 *
 *     dynamics           equations of motion: momenta, positions, energies of impacts
 *     complementarity    laws: what (y, λ) or velocities and impulses miss of them
 *     cone               bounds: forces outside their cones, gaps below zero
 *
 * Values stand in arrays: fields of an object would box a double at every write.
 */
import { larger } from '../linalg/nan-safe';
import type { StepWriter } from '../straight-line/writer';

/** Magnitudes below this are treated as 1: relative to nothing, the residual itself is the measure. */
export const SMALLEST_SCALE = 1e-300;

/** The parts of a certificate, in the order in which they are reported over time. */
export const DYNAMICS = 0;
export const COMPLEMENTARITY = 1;
export const CONE = 2;
export type ResidualKindIndex = typeof DYNAMICS | typeof COMPLEMENTARITY | typeof CONE;
export const RESIDUAL_KIND_COUNT = 3;
/** What they are, in words. */
const CONDITIONS = ['equation of motion', 'law', 'bounds of the law'] as const;

/** What the three are added up from where the scheme is event-driven; see `EventCertificate` for each. */
export type EventResidual =
  'impact' | 'law' | 'energy' | 'motion' | 'gain' | 'cone' | 'slip' | 'penetration' | 'pull';
export type EventResiduals = Record<EventResidual, number>;

/** The same where 3D bodies are simulated by steps; see `ContactDynamicsCertificate`. */
export type ContactResidual =
  'cone' | 'law' | 'momentum' | 'joints' | 'limits' | 'drives' | 'moments' | 'gaps' | 'positions' | 'motion';

/**
 * Worst violation that counts as satisfied where nothing was asked of a solver; `TOLERANCE` of the contract
 * is the same number.
 */
export const SATISFIED = 1e-8;

/** What the control blocks of a run come to; see `SamplingCheck`. */
export interface BlocksCertificate {
  /** largest defect of an output, relative to the largest of its block; 1 where a sample is missing */
  worst: number;
  /** outputs that were judged by their laws */
  samples: number;
  /** the first that is not satisfied */
  defect: {
    /**
     * an output at a sample other than its law gives; one that changes without a sample; a sample that there
     * is not; an output that drives fields otherwise than it is recorded
     */
    kind: 'value' | 'held' | 'missing' | 'driving';
    block: string;
    signal: string;
    /** s */
    time: number;
    /** null of a sample that is missing */
    expected: number | null;
    found: number | null;
  } | null;
}

/**
 * Worst violations so far, recomputed from the recorded state by code that shares nothing with the solver.
 */
export interface Certificate {
  /** how far outputs and multipliers are from the laws, relative to the largest of their kind */
  complementarity: number;
  /** how far multipliers and gaps are outside their bounds, relative */
  coneViolation: number;
  /** relative residual of the discrete equation of motion */
  dynamics: number;
  /** simulated time at which the worst of the three occurred, s; null while nothing has been above zero */
  worstTime: number | null;
  /** id of the interaction or system where it occurred */
  worstElement: string | null;
  /** what the solver was asked for, as a bound on the three; left out where that is rounding */
  limit?: number;
  /** of an event-driven run, each figure in its own unit */
  parts?: EventResiduals;
  /** of 3D bodies by steps, all relative */
  contactParts?: Record<ContactResidual, number>;
  /** of control blocks; absent where there are none. No limit but rounding holds for them. */
  blocks?: BlocksCertificate;
}

/** A residual relative to the magnitude of its kind. */
export const relative = (value: number, scale: number): number =>
  scale > SMALLEST_SCALE ? value / scale : value;

/** Part of a product that rounding does not exceed, and products below which it might. */
const SURE = 1 - 2 ** -48;
const SMALLEST_PRODUCT = 1e-290;

/**
 * Whether value / scale is below the worst so far, told without dividing; false where it may not be, and
 * where something is no number.
 */
export function isSurelyLess(value: number, scale: number, worst: number): boolean {
  const product = SURE * worst * scale;
  return value < product && product > SMALLEST_PRODUCT && scale > SMALLEST_SCALE;
}

/** Whether a value takes the place of the worst so far. A comparison that NaN fails must not hide it. */
const exceeds = (value: number, worst: number): boolean => !(value <= worst) && !Number.isNaN(worst);

/** The largest of the residuals of one equation in a step, and where it is. */
export class LargestResidual {
  /** [0] the residual, [1] the magnitude it is relative to: the largest that the run has shown */
  readonly entry: Float64Array;
  place = -1;

  /** @param scale 1 for what is relative already */
  constructor(scale = 0) {
    this.entry = Float64Array.of(0, scale);
  }

  /** @param place where it is put down to when there is nothing above zero */
  begin(place: number): void {
    this.entry[0] = 0;
    this.place = place;
  }

  take(residual: number, place: number): void {
    const { entry } = this;
    if (residual <= entry[0] || Number.isNaN(entry[0])) return;
    entry[0] = residual;
    this.place = place;
  }
}

/** A quantity that a scheme judges. */
export interface Quantity<Name extends string> {
  readonly name: Name;
  /** null for what is reported and is no violation */
  readonly kind: ResidualKindIndex | null;
  /** ids of the elements that it may be found at, by place */
  readonly elements: readonly string[];
}

/** What a register has seen. */
export interface SavedMaxima {
  /** by quantity: largest value, and largest relative one */
  readonly largest: Float64Array;
  readonly worst: Float64Array;
  /** the largest of the latter, and its time, s */
  readonly overall: Float64Array;
  /** element it was found at */
  readonly element: string | null;
}

/** A residual in written code: its name, and the place it belongs to. */
export interface WrittenResidual {
  readonly value: string;
  readonly place: number;
}

export class ResidualMaxima<Name extends string> {
  /** by quantity: the largest value that was raised, in its own unit */
  readonly #largest: Float64Array;
  /** the largest relative one since they were taken last, and before that */
  readonly #recent: Float64Array;
  readonly #past: Float64Array;
  /** kind by quantity, −1 where it has none */
  readonly #kinds: Int8Array;
  /** [0] largest relative value of them all, [1] its time */
  readonly #overall = new Float64Array(2);
  /** quantity and place of that; −1 before the first */
  #worstQuantity = -1;
  #worstPlace = -1;
  /** where the worst was found, when that was in another simulation */
  #inherited: string | null = null;
  readonly #own = new LargestResidual();
  /** [0] s */
  readonly #time = new Float64Array(1);

  constructor(private readonly quantities: readonly Quantity<Name>[]) {
    const { length } = quantities;
    this.#largest = new Float64Array(length);
    this.#recent = new Float64Array(length);
    this.#past = new Float64Array(length);
    this.#kinds = Int8Array.from(quantities, ({ kind }) => kind ?? -1);
  }

  /** Enters a residual. @param clock [0] time at which it was found, s */
  enter(quantity: number, { entry, place }: LargestResidual, clock: Float64Array): void {
    const residual = relative(entry[0], entry[1]);
    const recent = this.#recent;
    // Comparisons are written out: in the time loop a call would cost more than they do.
    if (!(residual <= recent[quantity]) && !Number.isNaN(recent[quantity])) recent[quantity] = residual;
    const overall = this.#overall;
    if (residual <= overall[0] || Number.isNaN(overall[0])) return;
    overall[0] = residual;
    overall[1] = clock[0];
    this.#worstQuantity = quantity;
    this.#worstPlace = place;
  }

  /**
   * The same of numbers, with the largest in its own unit, for what is not in the time loop.
   * @param scale 1 of what is relative already
   */
  raise(quantity: number, value: number, scale: number, clock: Float64Array, place: number): void {
    if (exceeds(value, this.#largest[quantity])) this.#largest[quantity] = value;
    if (this.#kinds[quantity] >= 0) this.enterNumbers(quantity, value, scale, clock, place);
  }

  /**
   * Writes `raise` of a value that is relative to its scale in all places, for code that seldom finds a new
   * worst one: what is surely below that needs no division.
   * @param figure names of the value and its scale
   * @param clock name of the array whose first entry is the time, s
   */
  writeRaise(
    w: StepWriter,
    quantity: number,
    [value, scale]: readonly [string, string],
    clock: string,
    place: number,
  ): void {
    const worst = w.bind(this.#kinds[quantity] < 0 ? this.#largest : this.#recent);
    const figure = `${scale} > ${w.seldom(SMALLEST_SCALE)} ? ${value} / ${scale} : ${value}`;
    w.line(
      `if (!(${value} <= ${w.literal(SURE)} * ${worst}[${quantity}] * ${scale})) ${w.bind(this)}.raise(${quantity}, ${figure}, 1, ${clock}, ${place});`,
    );
  }

  /** The same as `enter`, of numbers. */
  enterNumbers(quantity: number, value: number, scale: number, clock: Float64Array, place: number): void {
    const own = this.#own;
    own.entry[0] = value;
    own.entry[1] = scale;
    own.place = place;
    this.enter(quantity, own, clock);
  }

  /**
   * Writes the entry of the largest of several relative residuals of a step. Only one above all before it is
   * of interest, which almost never comes.
   * @param time name of the present time, s
   */
  write(w: StepWriter, quantity: number, time: string, residuals: readonly WrittenResidual[]): void {
    if (residuals.length === 0) return;
    const worst = w.variable(w.read(this.#recent, quantity));
    const at = w.variable('-1');
    for (const { value, place } of residuals)
      w.line(
        `if (!(${value} <= ${worst}) && ${worst} === ${worst}) { ${worst} = ${value}; ${at} = ${place}; }`,
      );
    w.branch(`${at} >= 0`, `${w.bind(this)}.enterAt(${quantity}, ${worst}, ${time}, ${at});`, []);
  }

  /** Enters a relative residual. @param time s */
  enterAt(quantity: number, residual: number, time: number, place: number): void {
    this.#time[0] = time;
    this.enterNumbers(quantity, residual, 1, this.#time, place);
  }

  /** Writes `isFinite`. */
  writeFinite(w: StepWriter): string {
    return `abs(${w.read(this.#overall, 0)}) < ${w.literal(Number.POSITIVE_INFINITY)}`;
  }

  get isFinite(): boolean {
    return Number.isFinite(this.#overall[0]);
  }

  /** Which condition is no longer finite, in words; null where all are. */
  get overflown(): string | null {
    return CONDITIONS.find((_, kind) => !Number.isFinite(this.#worstOf(kind))) ?? null;
  }

  /** The largest value of each quantity that was raised, each in its own unit; a new object. */
  get values(): Record<Name, number> {
    const entries = this.quantities.map(({ name }, k) => [name, this.#largest[k]] as const);
    return Object.fromEntries(entries) as Record<Name, number>;
  }

  /** The same, relative. */
  get relative(): Record<Name, number> {
    const { worst } = this;
    return Object.fromEntries(this.quantities.map(({ name }, k) => [name, worst[k]])) as Record<Name, number>;
  }

  /** The largest relative value of each quantity; a new array. */
  get worst(): Float64Array {
    return this.#past.map((value, quantity) => larger(value, this.#recent[quantity]));
  }

  #worstOf(kind: number): number {
    return this.worst.reduce((most, value, k) => (this.#kinds[k] === kind ? larger(most, value) : most), 0);
  }

  /** Id of the element of the worst of all; null where none has been singled out. */
  get worstElement(): string | null {
    if (this.#worstQuantity < 0) return this.#inherited;
    if (this.#worstPlace < 0) return null;
    return this.quantities[this.#worstQuantity].elements.at(this.#worstPlace) ?? null;
  }

  /** The worst so far; a new object, for reports outside the time loop. */
  get report(): Certificate {
    return {
      complementarity: this.#worstOf(COMPLEMENTARITY),
      coneViolation: this.#worstOf(CONE),
      dynamics: this.#worstOf(DYNAMICS),
      worstTime: this.#overall[0] === 0 ? null : this.#overall[1],
      worstElement: this.worstElement,
    };
  }

  /** The worst of each kind since this was called last. @param out by kind */
  takeRecent(out: Float64Array): void {
    out.fill(0);
    for (let k = 0; k < this.#recent.length; k++) {
      const kind = this.#kinds[k];
      if (kind >= 0) out[kind] = larger(out[kind], this.#recent[k]);
      this.#past[k] = larger(this.#past[k], this.#recent[k]);
    }
    this.#recent.fill(0);
  }

  save(): SavedMaxima {
    return {
      largest: this.#largest.slice(),
      worst: this.worst,
      overall: this.#overall.slice(),
      element: this.worstElement,
    };
  }

  /** Takes in what another register of the same quantities has seen before. */
  load({ largest, worst, overall, element }: SavedMaxima): void {
    for (let k = 0; k < worst.length; k++) {
      this.#largest[k] = larger(largest[k], this.#largest[k]);
      this.#past[k] = larger(worst[k], this.#past[k]);
    }
    if (exceeds(this.#overall[0], overall[0])) return;
    this.#overall.set(overall);
    this.#worstQuantity = -1;
    this.#inherited = element;
  }
}

/**
 * Writes residuals of one system relative to its magnitude. Division keeps their order, so the largest stays
 * the largest.
 * @param scale name of the magnitude
 */
export function writeRelative(
  w: StepWriter,
  values: readonly WrittenResidual[],
  scale: string,
): WrittenResidual[] {
  return values.map(({ value, place }) => ({
    value: w.constant(`${scale} > ${w.literal(SMALLEST_SCALE)} ? ${value} / ${scale} : ${value}`),
    place,
  }));
}
