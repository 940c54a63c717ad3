/**
 * The first root of the event functions on an arc. Linear forms are walked along on the series itself
 * (`arc-walk.ts`), and distances to moving targets by steps that cannot pass a zero (`moving-target.ts`);
 * others go the way they go with any integrator, by interpolation on pieces (`general-walk.ts` of the smooth
 * integration), but on the exact motion.
 */
import { refineCrossing } from '../smooth/bracketing';
import { type EventFunctions, EventValues, type Twin, UNWATCHED } from '../smooth/event-functions';
import { GeneralWalk } from '../smooth/general-walk';
import { PieceWalk } from '../smooth/piece-walk';
import type { TimedSign } from '../model/timed-sign';
import { RootMemory, type SearchOutcome } from '../smooth/root-memory';
import { SignSweep } from '../smooth/sign-sweep';
import { END, LENGTH, START, type StepData } from '../smooth/step-method';
import { type Arc, ArcOutput } from './arc';
import { ArcWalk } from './arc-walk';
import { FormPolynomial, refineFormRoot } from './form-polynomial';
import { CROSSING, JUMP, PieceScreen } from './piece-screen';
import { type ArcEvents, MovingDistance, walkMoving } from './moving-target';

/** The same functions, none of which is linear: those that are have a search of their own. */
const withoutForms = (events: EventFunctions): EventFunctions => ({
  count: events.count,
  linear: () => null,
  value: (j, clock, x, out) => {
    events.value(j, clock, x, out);
  },
  watch: events.watch,
});

/** Part of an arc by which a function has to come behind another one to be left out. */
const SCREENED = 1e-6;

export class ArcSearch {
  /** [0] τ of the first root, or of the first value that is not finite */
  readonly found = new Float64Array(1);
  readonly memory: RootMemory;
  /** linear forms by function, null for others */
  readonly #forms: readonly (FormPolynomial | null)[];
  /** forms of the present system, which stand before those */
  #own: readonly (FormPolynomial | null)[] = [];
  /** distances to moving targets by function, null for others */
  readonly #distances: readonly (MovingDistance | null)[];
  /** functions of the time alone, null for others */
  readonly #timed: readonly (TimedSign | null)[];
  /** what functions are made of, null for others */
  readonly #screens: readonly (PieceScreen | null)[];
  /** functions whose values are those of one before them, null for others */
  readonly #twins: readonly (Twin | null)[];
  /** whether a search of each finds what has been found of its twin */
  readonly #isMirrored: Uint8Array;
  /** τ up to which each of them keeps its sign */
  readonly #reaches: Float64Array;
  /** τ at which its sign changes, of those that have been followed so far */
  readonly #changes: Float64Array;
  /** of functions whose sign has been followed to where it changes, how far off rounding may have that, s */
  readonly #widths: Float64Array;
  /** whether that is so of each of them on this arc, or it keeps its sign as far as anything is asked */
  readonly #isFollowed: Uint8Array;
  readonly #limit = new Float64Array(1);
  readonly #output: ArcOutput;
  readonly #values: EventValues;
  readonly #general: GeneralWalk;
  readonly #sweep = new SignSweep();
  readonly #walk = new ArcWalk();
  /** whether the arc has been handed to the search for functions that are not linear */
  #isRefreshed = false;
  /** largest magnitude that counted as zero on the arc, for functions that are not linear */
  readonly #zeros: Float64Array;
  readonly #band = new Float64Array(1);
  readonly #noise = new Float64Array(1);
  /** [0] value of a function at the root, [1] what counts as zero there */
  readonly #residual = new Float64Array(2);
  /** [0] place between the present and a root */
  readonly #between = new Float64Array(1);
  /** [0] of θ, or of τ for moving targets */
  readonly #resolution = new Float64Array(1);
  /** [0] dg/dτ times the length, at the end of the arc */
  readonly #slope = new Float64Array(1);
  readonly #origin = new Float64Array(1);
  /** of a function of the time alone: [0] when its sign changes, [1] whether by a jump */
  readonly #change = new Float64Array(2);

  constructor(
    private readonly events: ArcEvents,
    private readonly data: StepData,
    private readonly arc: Arc,
  ) {
    this.memory = new RootMemory(events.count);
    this.#forms = Array.from({ length: events.count }, (_, j) => {
      const form = events.linear(j);
      return form && new FormPolynomial(form);
    });
    this.#distances = this.#forms.map((form, j) => {
      const target = form ? null : (events.moving?.(j) ?? null);
      return target && new MovingDistance(target, data.span);
    });
    this.#timed = this.#forms.map((form, j) => (form ? null : (events.timed?.(j) ?? null)));
    this.#screens = this.#forms.map((form, j) => {
      const pieces = form || this.#timed[j] || this.#distances[j] ? null : (events.pieces?.(j) ?? null);
      return pieces && new PieceScreen(pieces);
    });
    this.#reaches = new Float64Array(events.count);
    this.#changes = new Float64Array(events.count);
    this.#widths = new Float64Array(events.count);
    this.#isFollowed = new Uint8Array(events.count);
    this.#twins = this.#screens.map((screen, j) => (screen ? (events.twin?.(j) ?? null) : null));
    this.#isMirrored = new Uint8Array(events.count);
    this.#output = new ArcOutput(arc);
    this.#values = new EventValues(withoutForms(events), data, this.#output);
    this.#general = new GeneralWalk(this.#values, new PieceWalk(), this.#sweep, data.counters);
    this.#zeros = new Float64Array(events.count);
  }

  /**
   * @param forms of functions that are linear in the system from now on, null for others; may be shorter than
   *   their number
   */
  change(forms: readonly (FormPolynomial | null)[]): void {
    this.#own = forms;
  }

  #formOf(j: number): FormPolynomial | null {
    return (j < this.#own.length ? this.#own[j] : null) ?? this.#forms[j];
  }

  /** Whether any function is watched, so that the motion has to be looked at. */
  isWatching(): boolean {
    const { watch, count } = this.events;
    for (let j = 0; j < count; j++) if (watch[j] !== UNWATCHED) return true;
    return false;
  }

  /**
   * @param isLast whether the flight ends with this arc, so that nothing will show what comes after a zero at
   *   its end
   */
  search(isLast: boolean): SearchOutcome {
    const { events, memory } = this;
    memory.search();
    this.#isRefreshed = false;
    this.#mirror();
    this.#screen();
    for (let j = 0; j < events.count; j++) {
      if (events.watch[j] === UNWATCHED) memory.ignore(j);
      else if (!this.#isBehind(j)) this.#searchScreened(j, isLast);
    }
    // Those that were left out because of something that was not found.
    for (let j = 0; j < events.count; j++) {
      if (events.watch[j] === UNWATCHED || this.#screens[j] === null || this.#reaches[j] < 0) continue;
      this.#limit[0] = this.#firstPlace;
      if (this.#isBehind(j)) memory.leave(j, this.events.expected?.[j] ?? 0);
      else this.#searchScreened(j, isLast);
    }
    return memory.conclude(this.found);
  }

  #searchScreened(j: number, isLast: boolean): void {
    const { memory } = this;
    const twin = this.#twins[j];
    if (twin !== null && this.#isMirrored[j] === 1) {
      this.#zeros[j] = this.#zeros[twin.index];
      this.#widths[j] = this.#widths[twin.index];
      this.#isFollowed[j] = this.#isFollowed[twin.index];
      memory.takeMirrored(j, twin.index, twin.sign);
      return;
    }
    const screen = this.#screens[j];
    if (screen !== null && (screen.outcome === CROSSING || screen.outcome === JUMP))
      this.#takeChange(j, screen);
    else {
      this.#isFollowed[j] = 0;
      memory.take(j, this.#searchOne(j, isLast), this.#sweep.kind);
    }
  }

  /** The sign of function j has been followed to where it changes. */
  #takeChange(j: number, screen: PieceScreen): void {
    const { memory, events } = this;
    const side = events.expected?.[j] ?? 0;
    memory.leave(j, side);
    memory.places[j] = this.#changes[j];
    memory.jumps[j] = screen.outcome === JUMP ? 1 : 0;
    this.#zeros[j] = screen.residual[0];
    this.#widths[j] = screen.residual[1];
    memory.take(j, 'root', -side);
  }

  /** Which functions start as the mirror images of others. */
  #mirror(): void {
    for (let j = 0; j < this.#twins.length; j++) {
      const twin = this.#twins[j];
      if (twin === null) continue;
      const isSame = this.memory.mirrors(j, twin.index, twin.sign, this.events);
      this.#isMirrored[j] = isSame && this.#screens[twin.index] !== null ? 1 : 0;
    }
  }

  /** Place behind which nothing has to be looked for; Infinity where nothing has been found. */
  get #firstPlace(): number {
    const { first, places } = this.memory;
    return first < 0 ? Infinity : places[first] + SCREENED * this.data.span[LENGTH];
  }

  /** How far functions that are made of forms keep their signs; none is looked at beyond the first. */
  #screen(): void {
    const { events, data } = this;
    const margin = SCREENED * data.span[LENGTH];
    this.#limit[0] = Infinity;
    for (let j = 0; j < events.count; j++) {
      const screen = this.#screens[j];
      if (screen === null || events.watch[j] === UNWATCHED) continue;
      const twin = this.#twins[j];
      this.#isFollowed[j] = 1;
      if (twin !== null && this.#isMirrored[j] === 1) {
        this.#reaches[j] = this.#reaches[twin.index];
        continue;
      }
      const reach = screen.reach(this.arc, events.expected?.[j] ?? 0, this.#limit, events.band?.[j]);
      this.#reaches[j] = this.#changes[j] = reach;
      this.#limit[0] = Math.min(this.#limit[0], reach + margin);
    }
  }

  /** Whether a function need not be searched: something comes before it, or it keeps its sign. */
  #isBehind(j: number): boolean {
    if (this.#screens[j] === null) return false;
    const limit = Math.min(this.#limit[0], this.#firstPlace);
    if (this.#reaches[j] === Infinity || this.#reaches[j] >= limit) return true;
    this.#reaches[j] = -1;
    return false;
  }

  /** The present is at the root: all functions that vanish there go into the report. */
  deliver(): void {
    const { memory, data } = this;
    const { first, places, kinds } = memory;
    const place = places[first];
    const resolution = Number.EPSILON * (place + Math.abs(data.span[START]));
    memory.openReport();
    data.counters.roots++;
    for (let j = 0; j < this.events.count; j++) {
      if (this.events.watch[j] === UNWATCHED) {
        memory.setSide(j, 0);
        continue;
      }
      // One that leaves zero here has its root later.
      this.#between[0] = (place + places[j]) / 2;
      const staysZero = kinds[j] !== 0 && this.#isZeroAt(j, this.#between);
      const isZero = this.#isZeroAt(j, this.found);
      const isNear = places[j] - place <= resolution + this.#widths[j];
      const isHere = j === first || (isZero && staysZero) || isNear;
      if (isHere && this.#isFollowed[j] === 1) this.#residual.fill(0);
      if (kinds[j] !== 0 && isHere) memory.addToReport(j, this.#residual);
      else memory.setSide(j, isZero ? 0 : Math.sign(this.#residual[0]));
    }
  }

  /**
   * Whether function j is zero to rounding at a place; its value there and what counts as zero into
   * `#residual`.
   */
  #isZeroAt(j: number, at: Float64Array): boolean {
    const form = this.#formOf(j);
    const residual = this.#residual;
    if (form) {
      this.#setBand(j);
      form.noise(at, this.#noise);
      form.place[0] = at[0];
      form.evaluate();
      residual[0] = form.result[0];
      residual[1] = Math.max(this.#noise[0], this.#band[0]);
    } else if (this.#timed[j] !== null || this.#isFollowed[j] === 1) {
      residual[0] = this.events.expected?.[j] ?? 0;
      residual[1] = 0;
    } else if (this.#distances[j]) {
      this.#setBand(j);
      const distance = this.#distances[j];
      distance.place[0] = at[0];
      distance.evaluate();
      residual[0] = distance.result[0];
      residual[1] = Math.max(distance.result[2], this.#band[0]);
    } else {
      const values = this.#values;
      values.place[0] = at[0] / this.data.span[LENGTH];
      values.evaluateAt(j);
      residual[0] = values.result[0];
      residual[1] = this.#zeros[j];
    }
    return Math.abs(residual[0]) <= residual[1];
  }

  /** @param timed function j */
  #searchTimed(j: number, timed: TimedSign): SearchOutcome {
    const { memory, events, data } = this;
    const { span } = data;
    const change = this.#change;
    const side = events.expected?.[j] ?? 0;
    timed.change(side, span, change);
    memory.ends[j] = side;
    if (change[0] === Infinity) return 'none';
    this.#sweep.kind = -side;
    memory.jumps[j] = change[1];
    memory.places[j] = Math.max(0, span[LENGTH] - (span[END] - change[0]));
    return 'root';
  }

  #searchOne(j: number, isLast: boolean): SearchOutcome {
    const timed = this.#timed[j];
    if (timed !== null) return this.#searchTimed(j, timed);
    const sweep = this.#sweep;
    this.#setBand(j);
    const form = this.#formOf(j);
    const distance = this.#distances[j];
    let outcome = this.#searchBySort(j, form, distance);
    if (outcome === 'none' && isLast && sweep.passesEnd(this.#slope)) outcome = 'root';
    if (outcome === 'none') this.memory.ends[j] = sweep.side;
    if (outcome !== 'root') return outcome;
    const { bracket } = sweep;
    let isJump = false;
    if (bracket[0] < bracket[1]) {
      if (form) refineFormRoot(form, bracket);
      else {
        const end = distance ? distance.length[0] : 1;
        isJump = refineCrossing(distance ?? this.#values, bracket, this.#resolution, sweep.zero, end);
      }
    }
    this.memory.jumps[j] = isJump ? 1 : 0;
    this.memory.places[j] = (form ?? distance) ? bracket[0] : bracket[0] * this.data.span[LENGTH];
    return 'root';
  }

  #searchBySort(j: number, form: FormPolynomial | null, distance: MovingDistance | null): SearchOutcome {
    if (form) return this.#searchForm(j, form);
    this.#resolution[0] =
      0.5 * Number.EPSILON * (1 + Math.abs(this.data.span[START]) / this.data.span[LENGTH]);
    if (!distance) return this.#searchGeneral(j);
    this.#resolution[0] *= this.data.span[LENGTH];
    return this.#searchMoving(j, distance);
  }

  #setBand(j: number): void {
    const { band } = this.events;
    this.#band[0] = band ? band[j] : 0;
  }

  /** First point of a function's sweep. @returns whether it is a root already */
  #start(j: number): boolean {
    return this.memory.startSweep(j, this.#sweep, this.events);
  }

  #searchForm(j: number, form: FormPolynomial): SearchOutcome {
    const sweep = this.#sweep;
    if (!form.read(this.arc)) {
      this.memory.places[j] = 0;
      return 'notFinite';
    }
    form.noise(this.#origin, this.#noise);
    sweep.zero[0] = Math.max(this.#noise[0], this.#band[0]);
    sweep.point[0] = 0;
    sweep.point[1] = form.coefficients[0];
    if (this.#start(j) || this.#walk.walk(form, this.#band, sweep)) return 'root';
    if (sweep.endsInZero) {
      form.place[0] = form.length[0];
      form.evaluateWithSlope();
      this.#slope[0] = form.slopeValue[0] * form.length[0];
    }
    return 'none';
  }

  #searchMoving(j: number, distance: MovingDistance): SearchOutcome {
    const sweep = this.#sweep;
    const { places } = this.memory;
    const { place, result } = distance;
    place[0] = 0;
    const isFinite = distance.read(this.arc);
    distance.evaluate();
    places[j] = 0;
    if (!isFinite || !Number.isFinite(result[0])) return 'notFinite';
    sweep.zero[0] = Math.max(result[2], this.#band[0]);
    sweep.point[0] = 0;
    sweep.point[1] = result[0];
    if (this.#start(j)) return 'root';
    const outcome = walkMoving(distance, this.#band, sweep);
    places[j] = place[0];
    this.#slope[0] = result[1] * distance.length[0];
    if (outcome !== 'unresolved') return outcome;
    this.data.counters.unresolvedPieces++;
    return 'notFinite';
  }

  #searchGeneral(j: number): SearchOutcome {
    const general = this.#general;
    const values = this.#values;
    const sweep = this.#sweep;
    const { places } = this.memory;
    if (!this.#isRefreshed) this.#output.refresh();
    this.#isRefreshed = true;
    values.select(j);
    if (!general.prepare(this.#origin)) {
      places[j] = general.marks[0] * this.data.span[LENGTH];
      return 'notFinite';
    }
    general.startNoise(this.#slope);
    values.place[0] = 0;
    values.estimateNoise();
    this.#noise[0] = Math.max(values.noise[0], this.#slope[0]);
    sweep.zero[0] = Math.max(this.#noise[0], this.#band[0]);
    this.#zeros[j] = sweep.zero[0];
    if (this.#start(j)) return 'root';
    // From here on rounding of the argument is one more band; that of the interpolant is known piece by
    // piece.
    this.#band[0] = Math.max(this.#band[0], this.#noise[0]);
    const outcome = general.run(this.#band);
    places[j] = general.marks[0] * this.data.span[LENGTH];
    this.#slope[0] = general.marks[1];
    return outcome;
  }
}
