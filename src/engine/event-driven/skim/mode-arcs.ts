/**
 * Motion that is not recorded, in given modes in which it is linear: from the present to the first event
 * function that vanishes, on arcs that are written out (`skim-arcs.ts`), in the role of the integrator. What
 * is not plain there, as a touch or two roots at once, is left to the general search, which goes on from the
 * start of the arc.
 *
 * Functions are linear forms of the state, or outputs and speeds that are that and a function of time, of
 * which there is a table.
 */
import type { ForcedSystem } from '../../smooth-arcs/analytic-forcing';
import type { FlightIntegrator, LinearFlight } from '../../smooth-arcs/linear-flight';
import { FALLING, type LinearForm, RISING, RootReport, UNWATCHED } from '../../smooth/event-functions';
import { FailurePlace, type SmoothCounters, type SmoothStatus } from '../../smooth/ode-system';
import type { StepFunction } from '../../straight-line/writer';
import { REACHED, ROOT, SkimArcs, type SkimGap } from './skim-arcs';

/** A function that is watched, as a gap that is open. */
export interface WatchedGap extends SkimGap {
  /** number of the function, and the direction in which it passes zero */
  readonly index: number;
  readonly kind: typeof FALLING | typeof RISING;
}

/** What a flight by these arcs may end with besides: it is to be done once more by others. */
export type ModeStatus = SmoothStatus | 'refused';

/** Rows that are held in a set of modes, and what takes their drift out. */
export interface HeldRows {
  /** by row that is held: the output that is kept at zero, y or ẏ */
  readonly outputs: readonly LinearForm[];
  /** the same: what of the state changes by an output of one */
  readonly corrections: readonly Float64Array[];
}

/** An event that has been decided before, from one set of modes to another (`passage.ts`). */
export interface Passage {
  readonly to: ModeArcs;
  /** whether it has been met in the present motion, of which nothing before is to be remembered */
  isKnown: boolean;
  /**
   * From the state at the root to that behind the event, into that of `to`.
   * @returns 1; 0 where its modes are not plainly right: nothing has been done then but writing that state
   */
  readonly step: StepFunction;
  /** what the decision has left, by row */
  readonly isCandidate: Uint8Array;
  readonly carries: Uint8Array;
  readonly zeroForce: Float64Array;
  /** by gap of `to`: 1 for those that leave zero */
  readonly departing: Uint8Array;
  /** rows that have records in the list of events, and the numbers of their kinds */
  readonly recorded: readonly (readonly [row: number, kind: number])[];
}

export class ModeArcs implements Omit<FlightIntegrator, 'advance'> {
  readonly failure = new FailurePlace();
  readonly roots: RootReport;
  /** judges the arc up to the present; null where that is not written out */
  judge: StepFunction | null = null;
  /** where `judge` looks at the state: [0] part of the nodes, [0] place on the arc, s, and what it finds */
  readonly looked: { readonly part: Float64Array; readonly place: Float64Array; readonly x: Float64Array };
  /** by gap: what is remembered of the event that its root is; null where there is nothing */
  readonly passages: (Passage | null)[];
  /** what a flight has come to that was begun ahead of `advance`; −1 where none was */
  #ahead = -1;
  #whenDone: (() => void) | null = null;

  private constructor(
    /** what is written out */
    readonly arcs: SkimArcs,
    readonly gaps: readonly WatchedGap[],
    /** 1 for gaps that are zero as the motion begins, and leave zero */
    readonly departing: Uint8Array,
    readonly counters: SmoothCounters,
    readonly flight: LinearFlight,
    /** by row */
    readonly modes: Int8Array,
    /** rows that are held, with what takes their drift out; null where that is not known */
    readonly held: HeldRows | null,
  ) {
    this.passages = gaps.map(() => null);
    const x = new Float64Array(arcs.x.length);
    this.looked = { part: new Float64Array(1), place: new Float64Array(1), x };
    this.roots = new RootReport(gaps.length);
    arcs.whenPassed = () => {
      this.#whenDone?.();
    };
  }

  /** @returns null where the host makes no code from text */
  static of(
    flight: LinearFlight,
    gaps: readonly WatchedGap[],
    forced: ForcedSystem | null,
    counters: SmoothCounters,
    modes: Int8Array,
    held: HeldRows | null,
  ): ModeArcs | null {
    const departing = new Uint8Array(gaps.length);
    const arcs = SkimArcs.of(flight, gaps, forced, departing);
    return arcs && new ModeArcs(arcs, gaps, departing, counters, flight, modes, held);
  }

  /** λ of all rows as affine functions of the state of the arcs; null where unknown. */
  get multipliers(): LinearFlight['multipliers'] {
    return this.flight.multipliers;
  }

  /** Number of the gap whose root the last flight has ended with; −1 where it has not. */
  get rootAt(): number {
    return this.roots.count > 0 ? this.arcs.row : -1;
  }

  get clock(): Float64Array {
    return this.arcs.clock;
  }

  get x(): Float64Array {
    return this.arcs.x;
  }

  get stretch(): Float64Array {
    return this.arcs.stretch;
  }

  set whenDone(action: (() => void) | null) {
    this.#whenDone = action;
  }

  get whenDone(): (() => void) | null {
    return this.#whenDone;
  }

  /** Another motion begins, of which nothing is known yet. */
  rewind(): void {
    this.arcs.rewind();
  }

  sample(place: Float64Array, out: Float64Array): void {
    this.arcs.sample(place, out);
  }

  start(t: number): void {
    this.arcs.begin(t, -1);
    this.departing.fill(0);
    this.#ahead = -1;
  }

  restart(isZero?: Uint8Array): void {
    this.arcs.go(-1);
    this.departing.fill(0);
    this.#ahead = -1;
    if (isZero === undefined) return;
    for (let k = 0; k < this.gaps.length; k++) this.departing[k] = isZero[this.gaps[k].index];
  }

  /**
   * Begins behind an event that has been passed, at the state that stands in `x`.
   * @param departing by gap: 1 for those that leave zero
   */
  enter(t: number, departing: Uint8Array): void {
    this.arcs.begin(t, -1);
    this.#ahead = -1;
    for (let k = 0; k < departing.length; k++) this.departing[k] = departing[k];
  }

  /** Flies before it is known who is to judge what it comes to. @returns as `SkimArcs.fly` */
  seek(until: number): number {
    this.#ahead = this.arcs.fly(until);
    return this.#ahead;
  }

  /** @returns `refused` where another flight is to do the rest */
  advance(tOut: number): ModeStatus {
    // Where a time was reached, the next one may lie further ahead.
    const status = this.#ahead < 0 || this.#ahead === REACHED ? this.arcs.fly(tOut) : this.#ahead;
    this.#ahead = -1;
    this.roots.count = 0;
    if (status === REACHED) return 'reached';
    if (status !== ROOT) return 'refused';
    const { index, kind } = this.gaps[this.arcs.row];
    this.roots.add(index, kind);
    this.counters.roots++;
    return 'root';
  }
}

/** Where the functions of a mode are known from. */
export interface ModeFunctions {
  readonly count: number;
  readonly watch: Int8Array;
  linear(index: number): LinearForm | null;
  /** ± C x and ± c(t) of a function that is the sum of both; null of others */
  timed(index: number, sign: 1 | -1): SkimGap | null;
}

const opposite = ({ indices, values, offset }: LinearForm): LinearForm => ({
  indices,
  values: values.map((value) => -value),
  offset: offset.map((value) => -value),
});

/** The functions that are watched, as gaps; null where one of them is not of that kind. */
export function watchedGaps(functions: ModeFunctions, { forms }: LinearFlight): WatchedGap[] | null {
  const gaps: WatchedGap[] = [];
  for (let j = 0; j < functions.count; j++) {
    const kind = functions.watch[j];
    if (kind === UNWATCHED) continue;
    if (kind !== FALLING && kind !== RISING) return null;
    const form = (j < forms.length ? forms[j]?.form : null) ?? functions.linear(j);
    const sign = kind === FALLING ? 1 : -1;
    const isPlain = form !== null && form.offset[1] === 0;
    const gap = isPlain ? { form: sign > 0 ? form : opposite(form), table: null } : functions.timed(j, sign);
    if (gap === null) return null;
    gaps.push({ ...gap, index: j, kind });
  }
  return gaps;
}
