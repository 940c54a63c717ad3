/**
 * Sections of a motion from event to event, on the continuous extension of its stretches. Points of a
 * stroboscopic section belong to the stretch that begins with them: at an event they are the state after it.
 * So does the point of a surface that the state jumps across (`section.ts`).
 */
import { type FlightObserver, type ObservedParts, UnseenPart } from '../../event-driven/flow/flight-observer';
import { RowSampler } from '../../event-driven/rows/row-sampler';
import { refineCrossing, type ScalarFunction } from '../../smooth/bracketing';
import { EITHER, FALLING, RISING } from '../../smooth/event-functions';
import { GeneralWalk } from '../../smooth/general-walk';
import { PieceWalk } from '../../smooth/piece-walk';
import { SignSweep } from '../../smooth/sign-sweep';
import { SmoothCounters } from '../../smooth/ode-system';
import type { StatePlaces } from '../../model/state-places';
import {
  firstSectionPoint,
  type Section,
  type SectionPlan,
  type SectionTrigger,
} from '../../preparation/section';

/** A section, as far as it is found in flight. */
interface Search {
  /**
   * The part of the stretch that has not been seen yet.
   * @param span [0] from, [1] to, s behind the start of the stretch
   */
  search(span: Float64Array): void;
  /** The state may have jumped. @param row after the event */
  jump(row: Float64Array): void;
  finish(): void;
}

/** Looks between two in which a surface is searched: each search samples g as often as one of a whole arc. */
const LOOKS = 32;

export class FlightSection implements FlightObserver, Section {
  #looks = 0;
  readonly #unseen = new UnseenPart();
  readonly #search: Search | null;
  readonly #impact: Extract<SectionTrigger, { kind: 'impact' }> | null;

  /**
   * @param rows before and after an event, complete
   * @param createRow a row of the result with parameters in place
   */
  constructor(
    private readonly parts: ObservedParts,
    private readonly plan: SectionPlan,
    places: StatePlaces,
    private readonly rows: { readonly before: Float64Array; readonly after: Float64Array },
    createRow: () => Float64Array,
  ) {
    const { trigger } = plan;
    this.#impact = trigger.kind === 'impact' ? trigger : null;
    if (trigger.kind === 'impact') {
      this.#search = null;
      // A motion may begin with an impact, which has been processed before anyone could look on.
      if (plan.from === null) this.#takeImpact();
      return;
    }
    const sampler = new RowSampler(parts, places);
    const row = createRow();
    this.#search =
      trigger.kind === 'stroboscopic'
        ? new Strobe(parts, plan, trigger, sampler, row)
        : this.#surface(trigger, sampler, row);
  }

  /** A motion that begins with an impact may cross the surface by it. */
  #surface(
    trigger: Extract<SectionTrigger, { kind: 'surface' }>,
    sampler: RowSampler,
    row: Float64Array,
  ): Surface {
    const { plan, rows } = this;
    const surface = new Surface(plan, trigger, sampler, row);
    const beginsInFlight = plan.from !== null || plan.beginsOnSurface === true;
    if (beginsInFlight || this.parts.event.impulse.every((value) => value === 0)) return surface;
    surface.note(rows.before);
    surface.jump(rows.after);
    return surface;
  }

  get awaited(): number {
    return this.#search instanceof Strobe ? this.#search.time : -Infinity;
  }

  passed(): void {
    if (this.#search === null || !this.#unseen.look(this.parts.flight.stretch)) return;
    this.#search.search(this.#unseen.span);
  }

  eventBegins(): void {
    this.#unseen.leave();
  }

  eventEnded(): void {
    this.#search?.jump(this.rows.after);
    this.#takeImpact();
  }

  #takeImpact(): void {
    const impact = this.#impact;
    if (impact === null) return;
    const { impulse } = this.parts.event;
    let hasImpulse = false;
    for (let row = impact.rows[0]; row < impact.rows[1]; row++) if (impulse[row] !== 0) hasImpulse = true;
    if (!hasImpulse) return;
    const row = impact.state === 'before' ? this.rows.before : this.rows.after;
    this.plan.complete(row);
    this.plan.take(row);
  }

  look(): void {
    this.#looks++;
    if (this.plan.trigger.kind === 'stroboscopic' || this.#looks % LOOKS === 0) this.passed();
  }

  finish(): void {
    this.passed();
    this.#search?.finish();
  }
}

class Strobe implements Search {
  /** [0] number of the next point */
  readonly #next = new Float64Array(1);
  readonly #place = new Float64Array(1);

  constructor(
    private readonly parts: ObservedParts,
    private readonly plan: SectionPlan,
    private readonly trigger: Extract<SectionTrigger, { kind: 'stroboscopic' }>,
    private readonly sampler: RowSampler,
    private readonly row: Float64Array,
  ) {
    this.#next[0] = firstSectionPoint(trigger.phase, trigger.period, plan);
    // A point at the present moment is still to be taken: the stretch that would have begun with it has been
    // given up.
    while (plan.from !== null && this.time < plan.from) this.#next[0]++;
  }

  /** By multiplication, so that a thousand periods carry no thousand roundings. */
  get time(): number {
    const { period, phase } = this.trigger;
    return (phase + this.#next[0]) * period;
  }

  search(span: Float64Array): void {
    const start = this.parts.flight.stretch[0];
    for (let time = this.time; time < start + span[1]; time = this.time) {
      this.#place[0] = Math.max(0, time - start);
      this.#take();
    }
  }

  #take(): void {
    this.#next[0]++;
    this.sampler.sample(this.#place, this.row);
    this.plan.complete(this.row);
    this.plan.take(this.row);
  }

  jump(): void {
    // Nothing is remembered of the state.
  }

  finish(): void {
    const { clock } = this.parts.flight;
    // Rounding of a last time that is a multiple of the period does not take the point away.
    if (this.time > clock[0] + LAST * this.trigger.period) return;
    this.#next[0]++;
    this.sampler.present(this.row);
    this.plan.complete(this.row);
    this.plan.take(this.row);
  }
}

/** Part of a period by which the end may miss the last point. */
const LAST = 1e-9;

/**
 * Part of the largest |g| so far that rounding may make of zero: what cancels in g is of its size. Behind a
 * crossing g has to come farther than that before it can cross again.
 */
const FLICKER = 64 * Number.EPSILON;
/** Width of a crossing that need not be resolved any further, as a part of the stretch. */
const RESOLUTION = Number.EPSILON;
/**
 * Behind an event g is on the surface where it is below this part of the largest one so far: the time of an
 * event has a few roundings, and with it what is zero there, as a gap at its impact or the output of a relay
 * at its switch.
 */
const ON_SURFACE = 2 ** -40;

/** g at the start of a motion, in parts of its change over the first part of it, that is rounding. */
const START_ON_SURFACE = 1e-9;

class Surface implements Search {
  readonly #sweep = new SignSweep();
  readonly #general: GeneralWalk;
  readonly #g: ScalarFunction;
  readonly #watch: number;
  /** [0] from, [1] to, of the part of the stretch that is θ ∈ [0, 1], s */
  readonly #span = new Float64Array(2);
  readonly #place = new Float64Array(1);
  readonly #from = new Float64Array(1);
  readonly #band = new Float64Array(1);
  readonly #resolution = Float64Array.of(RESOLUTION);
  readonly #noise = new Float64Array(1);
  /** [0] largest |g| so far, [1] g after an event */
  readonly #seen = new Float64Array(2);
  readonly #jumped: Float64Array;
  readonly #value: (row: Float64Array, out: Float64Array) => void;
  #side = 0;
  /** whether the part begins with a crossing that has been taken */
  #isAtZero = false;
  /** whether the part begins with the motion */
  #isAtStart: boolean;

  constructor(
    private readonly plan: SectionPlan,
    { value, direction }: Extract<SectionTrigger, { kind: 'surface' }>,
    private readonly sampler: RowSampler,
    private readonly row: Float64Array,
  ) {
    const place = new Float64Array(1);
    const result = new Float64Array(1);
    const seen = this.#seen;
    this.#jumped = seen.subarray(1);
    this.#value = value;
    this.#g = {
      place,
      result,
      evaluate: () => {
        this.#read(place);
        value(row, result);
        // A value that is not finite is no measure of the others.
        if (Math.abs(result[0]) < Infinity) seen[0] = Math.max(seen[0], Math.abs(result[0]));
      },
    };
    this.#isAtZero = plan.beginsOnSurface === true;
    this.#isAtStart = plan.from === null;
    this.#watch = direction === 'both' ? EITHER : direction === 'rising' ? RISING : FALLING;
    this.#general = new GeneralWalk(this.#g, new PieceWalk(), this.#sweep, new SmoothCounters());
  }

  #read(place: Float64Array): void {
    const span = this.#span;
    this.#place[0] = span[0] + place[0] * (span[1] - span[0]);
    this.sampler.sample(this.#place, this.row);
    this.plan.complete(this.row);
  }

  search(span: Float64Array): void {
    this.#span[0] = span[0];
    this.#span[1] = span[1];
    while (this.#span[0] < this.#span[1] && this.#searchRest());
  }

  /** @returns whether a crossing was found, behind which more may come */
  #searchRest(): boolean {
    const sweep = this.#sweep;
    const general = this.#general;
    this.#from[0] = 0;
    // A value that is not finite ends the search on this part; the row says so itself where it is drawn.
    if (!general.prepare(this.#from)) return false;
    general.startNoise(this.#noise);
    sweep.zero[0] = this.#noise[0];
    const value = sweep.point[1];
    if (this.#isAtStart) this.#isAtZero ||= this.#beginsOnSurface(value);
    this.#isAtStart = false;
    const flicker = FLICKER * this.#seen[0];
    sweep.hold.fill(flicker);
    const isZero = this.#isAtZero || Math.abs(value) <= Math.max(sweep.zero[0], flicker);
    this.#isAtZero = false;
    sweep.begin(this.#side, isZero, this.#watch, false);
    this.#band[0] = this.#noise[0];
    if (general.run(this.#band) !== 'root') {
      this.#side = sweep.side;
      return false;
    }
    const { bracket } = sweep;
    if (bracket[0] < bracket[1]) refineCrossing(this.#g, bracket, this.#resolution, sweep.zero, 1);
    this.#g.place[0] = bracket[0];
    this.#read(this.#g.place);
    this.plan.take(this.row);
    const span = this.#span;
    span[0] += bracket[0] * (span[1] - span[0]);
    this.#side = sweep.kind;
    this.#isAtZero = true;
    return true;
  }

  /**
   * Whether a motion begins on the surface but for rounding.
   * @param value of g at the beginning of the part
   */
  #beginsOnSurface(value: number): boolean {
    this.#g.place[0] = 1;
    this.#g.evaluate();
    return Math.abs(value) <= START_ON_SURFACE * Math.abs(this.#g.result[0] - value);
  }

  /** The state from which a motion begins with an impact. */
  note(row: Float64Array): void {
    this.plan.complete(row);
    this.#value(row, this.#jumped);
    const value = this.#jumped[0];
    if (!Number.isFinite(value)) return;
    this.#seen[0] = Math.abs(value);
    this.#side = Math.sign(value);
  }

  jump(row: Float64Array): void {
    this.#isAtStart = false;
    this.plan.complete(row);
    this.#value(row, this.#jumped);
    const value = this.#jumped[0];
    // The side is kept: where the motion leaves the surface decides whether it has passed it, and the
    // crossing is then at the event.
    this.#isAtZero = Math.abs(value) <= ON_SURFACE * this.#seen[0];
    if (this.#isAtZero || !Number.isFinite(value)) return;
    const side = value > 0 ? 1 : -1;
    const isAcross = this.#side === -side;
    this.#side = side;
    if (isAcross && (this.#watch === EITHER || this.#watch === side)) this.plan.take(row);
  }

  finish(): void {
    // All crossings have been taken in flight.
  }
}
