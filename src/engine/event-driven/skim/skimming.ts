/**
 * Motion that is not recorded: the transient of a section, a point of a sweep, a start of a basin. From event
 * to event the general path writes a row at each point of the discretisation, asks each part of the model
 * whether it has something to do, and solves each impact as a problem. Here flights lead from impact to
 * impact (`skim-arcs.ts`), and a contact that is hit alone and bounces off is done at once. What observers
 * and the certificate see is the same: each arc, and each impact with the rows before and behind it.
 *
 * Nothing is decided here that is not plain. A touch, a second contact, a force that is not what its form
 * says: the arc is given back as if it had not been begun, and the general path goes on from its start.
 * Where the mass comes to rest on a wall that moves (`wall-rest.ts`), and opens again, the general code
 * decides about the modes, and nothing else of its path is needed.
 */
import type { Assembly } from '../assembly';
import { createStamp, type TimeStamp } from '../events-manager';
import type { StatePlaces } from '../../model/state-places';
import { FUNCTIONS } from '../rows/row-events';
import { RowSampler } from '../rows/row-sampler';
import type { WrittenOutputs } from '../rows/row-state';
import { PLAINLY_CLOSED } from '../impact/written-bounce';
import { type StepFunction, StepWriter } from '../../straight-line/writer';
import { type AskedRows, RowsOnTheWay } from './rows-on-the-way';
import { type ImpactText, REACHED, REFUSED, ROOT, SkimArcs, type SkimGap, STOPPED } from './skim-arcs';
import { TimeTable, type SampledFunction } from './time-table';
import { TimedOutputs } from './timed-outputs';
import { WallRest } from './wall-rest';

/** Longest part of the motion for which walls that move are followed at once, in longest arcs. */
const WINDOW = 4;
/** The same in steps of the discretisation where arcs have no end. */
const STEPS = 64;
/** Places of an arc, as parts of it, at which gaps are judged where that is not written out. */
const JUDGED = [0.17, 0.41, 0.63, 0.86];
/** Fractional parts of multiples of it are spread evenly. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** Gaps above this part of their lengths are open at the start. */
const PLAINLY_OPEN = 1e-6;
/** States beyond which the general path has ways of its own. */
const LARGEST = 20;
/** Impacts between two refusals that make up for the way out and in again. */
const WORTH = 4;
/** Events or steps of the general path for which it is left alone at most, where this is not worth while. */
const LONGEST_PAUSE = 15;

/** What the simulation does at an event, however it was found. */
export interface SkimmedSimulation {
  /** before and behind it */
  rows(): readonly [Float64Array, Float64Array];
  /** the motion up to the present has been passed, and is to be judged */
  leave(): void;
  /** it has been judged */
  passed(): void;
  /** whether anyone looks on */
  isObserved(): boolean;
  eventBegins(): void;
  /** rows before and behind it are there */
  judgeImpact(): void;
  eventEnded(): void;
  /**
   * Decides what happens at the present, by rows that are flagged. @param isTimed whether only functions of
   * time have made the event
   */
  decide(isTimed: boolean): void;
}

/** How long motion is skimmed. */
export interface SkimRequest {
  /** time up to which it may go, s: before the last step, which the general path does */
  readonly until: number;
  /** time after which walls that move may repeat themselves, s; null where none is known */
  readonly period: number | null;
  /** asked after each event */
  readonly isWanted: () => boolean;
  /**
   * asked where the motion has come to `until`, for the time up to which it goes on from there, s; it ends
   * there when absent, or when that time does not lie ahead
   */
  readonly next?: (x: Float64Array) => number;
  /** null where no rows are asked for */
  readonly rows: AskedRows | null;
}

/** Whether all that the model may do is what is skimmed: linear motion, and contacts without friction. */
function suits({
  laws,
  resets,
  presence,
  graphs,
  flow,
  redundancy,
  model,
  rows,
  handling,
}: Assembly): boolean {
  if (resets !== null || presence !== null || graphs !== null || flow.network !== null) return false;
  if (flow.size > LARGEST) return false;
  if (laws.count === 0 || !laws.kind.every((kind) => kind === 'contact') || redundancy.rank > 0) return false;
  if (!rows.isConstant || !handling.isNewtons) return false;
  return model.systems.every(({ form }) => form.order === 1 || form.kinematics === undefined);
}

export class Skimming {
  /** null where gaps are none that arcs know; undefined until motion in which all are open is known */
  #arcs: SkimArcs | null | undefined;
  /** the rest of a contact on a wall that moves; null where that is not known */
  #resting: WallRest | null | undefined;
  /** place of the last refusal: the general path is to come behind it first, s */
  readonly #behind = Float64Array.of(-Infinity);
  #pause = 0;
  #rest = 0;
  readonly #stamp: TimeStamp = createStamp();
  readonly #clock = new Float64Array(1);
  readonly #none: Float64Array;
  readonly #outputs: TimedOutputs;
  readonly #values: Float64Array;
  readonly #lambda: Float64Array;
  readonly #isTimed: readonly boolean[];
  #rows: RowsOnTheWay | null = null;
  readonly #sampler: RowSampler;
  readonly #judged: Float64Array;
  readonly #place = new Float64Array(1);
  /** judges an arc; null where that is not written out */
  #judge: StepFunction | null = null;
  /** rows of contacts with walls that move */
  #walls: readonly number[] = [];
  /** [0] part of an arc at which these are judged */
  readonly #part = new Float64Array(1);
  /** [0] whether rows before and behind events are read by others than the certificate */
  readonly #watched = new Uint8Array(1);
  /** [0] time from which on an event is in another step than the one before it, s */
  readonly #edge = Float64Array.of(-Infinity);
  readonly #x: Float64Array;

  private constructor(
    private readonly parts: Assembly,
    private readonly places: StatePlaces,
  ) {
    const { laws, model, flow } = parts;
    this.#none = new Float64Array(flow.size);
    this.#outputs = new TimedOutputs(parts);
    this.#x = new Float64Array(flow.size);
    this.#sampler = new RowSampler({ ...parts, flight: parts.integrator }, places);
    this.#judged = new Float64Array(places.size);
    this.#values = new Float64Array(laws.count);
    this.#lambda = new Float64Array(laws.count);
    this.#isTimed = model.interactions.flatMap(({ relation }) =>
      new Array<boolean>(relation.size).fill(relation.isTimeDependent || !relation.isAffine),
    );
  }

  /** @returns null for models of which no motion is skimmed */
  static of(parts: Assembly, places: StatePlaces): Skimming | null {
    if (!suits(parts)) return null;
    const skimming = new Skimming(parts, places);
    const { conditions, model } = parts;
    if (conditions === null) return skimming;
    const ids = new Set(model.interactions.map(({ id }) => id));
    const isFollowed = conditions.complete === true && [...conditions.conditioned].every((id) => ids.has(id));
    return isFollowed ? skimming : null;
  }

  /**
   * Advances from the present as far as the motion is plain.
   * @returns whether it has gone anywhere; state, outputs and row of the result are those of the present then
   */
  advance(simulation: SkimmedSimulation, request: SkimRequest): boolean {
    if (this.#pause > 0) {
      this.#pause--;
      return false;
    }
    let hasGone = false;
    while (this.#isReady(request)) {
      const flight = this.#prepare(request.period, simulation);
      if (flight === null) break;
      hasGone = true;
      if (!this.#go(flight, simulation, request)) break;
    }
    return hasGone;
  }

  #isReady(request: SkimRequest): boolean {
    const { integrator, manager, conditions } = this.parts;
    const t = integrator.clock[0];
    // A start may overlap by its rounding, of which the general path knows until the motion has begun.
    const hasBegun = t > this.#behind[0] && (t > manager.grid.t0 || this.#isOpen());
    // A table knows no state.
    const isOfTime = conditions === null || conditions.watched.length === 0;
    const isReady = hasBegun && manager.unprocessed.length === 0 && isOfTime && !integrator.isDeviating;
    return isReady && Math.min(request.until, manager.horizon) > t;
  }

  /** @returns whether an event has been decided, and the motion may go on behind it */
  #go(flight: SkimArcs | WallRest, simulation: SkimmedSimulation, request: SkimRequest): boolean {
    const { integrator, conditions, event, check, handling } = this.parts;
    const t = integrator.clock[0];
    conditions?.letGo();
    simulation.leave();
    if (request.rows !== null) this.#rows ??= new RowsOnTheWay(this.parts, this.places, request.rows);
    integrator.beginSkimming(flight);
    this.#rows?.begin();
    this.#watched[0] = simulation.isObserved() || this.#rows !== null ? 1 : 0;
    if (flight instanceof SkimArcs) {
      handling.written.begin();
      flight.keeps[0] = check !== null ? 1 : this.#watched[0];
      flight.visitor = this.#visitorOf(flight, simulation, request);
      flight.begin(t, this.#leaving());
    } else flight.begin(t);
    const { impacts, end } = this.#fly(flight, simulation, request);
    if (end === REFUSED) {
      this.#behind[0] = flight.clock[0] + flight.refusedAt;
      this.#rest = impacts >= WORTH ? 0 : Math.min(LONGEST_PAUSE, 2 * this.#rest + 1);
      this.#pause = this.#rest;
    } else this.#pass(flight, simulation, end === ROOT);
    if (end === ROOT) this.countStep();
    const isTimed = end === ROOT && flight instanceof WallRest && flight.isAtCorner;
    this.#giveBack(simulation, isTimed ? flight.inside : integrator.clock);
    if (end !== ROOT) return false;
    if (!isTimed) event.flag(flight.row, 0);
    simulation.decide(isTimed);
    this.#rows?.event(...simulation.rows());
    return request.isWanted();
  }

  #visitorOf(arcs: SkimArcs, simulation: SkimmedSimulation, request: SkimRequest): SkimArcs['visitor'] {
    return {
      passed: (isHit) => {
        this.#pass(arcs, simulation, isHit);
      },
      eventBegins: () => {
        simulation.eventBegins();
      },
      eventEnded: () => {
        simulation.eventEnded();
        this.#rows?.event(...simulation.rows());
      },
      isWanted: request.isWanted,
    };
  }

  /** The motion begins once more: what is known of the one before is forgotten. */
  rewind(): void {
    this.#behind[0] = -Infinity;
    this.#pause = 0;
    this.#rest = 0;
    this.#edge[0] = -Infinity;
    this.#stamp.fill(0);
    this.#part.fill(0);
    // Pieces of a table depend on where the motion was when they were formed.
    if (this.#walls.length > 0) {
      this.#arcs = undefined;
      this.#resting = undefined;
    }
    this.#arcs?.rewind();
  }

  /** @returns what has ended it: `ROOT` where an event is to be decided that is not plain */
  #fly(
    flight: SkimArcs | WallRest,
    simulation: SkimmedSimulation,
    request: SkimRequest,
  ): { impacts: number; end: number } {
    const { horizon } = this.parts.manager;
    const { isWanted, next } = request;
    let asked = request.until;
    let until = Math.min(asked, horizon);
    let impacts = 0;
    const done = (end: number): { impacts: number; end: number } => {
      return { impacts: impacts + (flight instanceof SkimArcs ? flight.impacts[0] : 0), end };
    };
    for (;;) {
      const status = flight.fly(until);
      if (status === REACHED) {
        // At the horizon something else is due.
        if (until < asked || next === undefined) return done(REACHED);
        asked = next(flight.x);
        const ahead = Math.min(asked, horizon);
        if (!(ahead > until)) return done(REACHED);
        until = ahead;
        continue;
      }
      if (status !== ROOT || !(flight instanceof SkimArcs)) return done(status);
      if (flight.hasImpacts || !this.#bounce(flight, simulation)) {
        if (this.#isClosed(flight) && this.#restOf(request.period)?.isKnown(flight.clock[0]) === true)
          return done(ROOT);
        flight.back();
        return done(REFUSED);
      }
      impacts++;
      if (!isWanted()) return done(STOPPED);
    }
  }

  /** Whether the gap that has its root at the present is zero to rounding there. */
  #isClosed({ clock, x, row }: SkimArcs): boolean {
    const { rows, event } = this.parts;
    rows.update(clock, x);
    rows.outputs(clock, x, this.#lambda, this.#values);
    return Math.abs(this.#values[row]) <= PLAINLY_CLOSED * event.outputs.length(row);
  }

  /**
   * The impact that the present arc ends with.
   * @returns whether it is plain; nothing has been done otherwise
   */
  #bounce(arcs: SkimArcs, simulation: SkimmedSimulation): boolean {
    const { writer, handling, certificate, count, events, integrator } = this.parts;
    const { clock, x } = integrator;
    const [before, state] = simulation.rows();
    const { row } = arcs;
    writer.write(clock, x, state);
    if (!handling.bouncesPlainly(row, arcs.curvature)) return false;
    this.#pass(arcs, simulation, true);
    certificate.row(state);
    this.countStep();
    count.add(clock, events.lastElement);
    for (let k = 0; k < state.length; k++) before[k] = state[k];
    simulation.eventBegins();
    handling.bounce(row, clock, x);
    writer.writeRead(clock, x, state);
    certificate.row(state);
    simulation.judgeImpact();
    simulation.eventEnded();
    this.#rows?.event(before, state);
    arcs.go(row);
    return true;
  }

  /** The same, written out; null where that cannot be. */
  #textOfImpacts(simulation: SkimmedSimulation): ImpactText | null {
    const { check, certificate, handling, event, writer, events, count } = this.parts;
    const isJudged = check !== null;
    if (isJudged && !certificate.written.isPossible) return null;
    const { written } = handling;
    const [before, state] = simulation.rows();
    return (w, arcs, { row, x, curvature, otherwise, visitor }) => {
      const now = w.bind(arcs.clock);
      const isWatched = `${w.bind(this.#watched)}[0] === 1`;
      const writeRow = (out: Float64Array, outputs: Pick<WrittenOutputs, 'y' | 'speed'>): void => {
        if (!isJudged) w.line(`if (${isWatched}) {`);
        const isWhole = writer.writeText(w, out, `${now}[0]`, x, outputs);
        w.line(isJudged ? '' : '}');
        const energies = `${w.bind(writer)}.writeEnergies(${now}, ${w.bind(arcs.x)}, ${w.bind(out)});`;
        if (!isWhole) w.line(`if (${isWatched}) ${energies}`);
        if (isJudged) certificate.written.writeRow(w, out);
      };
      const outputs = event.outputs.writeRead(w, arcs.clock, x);
      written.writePlain(w, row, outputs, curvature, otherwise);
      w.line(`${visitor}.passed(true);`);
      writeRow(before, outputs);
      w.line(`if (${now}[0] >= ${w.bind(this.#edge)}[0]) ${w.bind(this)}.countStep();`);
      w.line(`${w.bind(count)}.add(${now}, ${w.bind(events)}.lastElement);`);
      w.line(`if (${isWatched}) ${visitor}.eventBegins();`);
      const { impulse, after } = written.writeBounce(w, row, arcs.clock, outputs, x);
      x.forEach((name, i) => {
        if (name !== `e${i}`) w.line(`${w.bind(arcs.x)}[${i}] = ${name};`);
      });
      writeRow(state, { y: outputs.y, speed: after });
      if (isJudged) certificate.written.writeImpact(w, { row, before, after: state, impulse });
      w.line(`if (${isWatched}) {`);
      written.writeSeen(w, row, outputs, impulse);
      w.line(`${visitor}.eventEnded(); }`);
    };
  }

  /** The arc up to the present. */
  #pass(arcs: SkimArcs | WallRest, simulation: SkimmedSimulation, isEvent: boolean): void {
    if (this.parts.check === null) simulation.passed();
    else if (arcs instanceof WallRest) {
      simulation.leave();
      this.judgeAt(this.#nextPart() * arcs.stretch[1]);
    } else if (this.#judge === null) {
      simulation.leave();
      for (let k = 0; k < JUDGED.length; k++) this.judgeAt(JUDGED[k] * arcs.stretch[1]);
    } else {
      this.#judge(0);
      if (this.#walls.length > 0) this.#judgeWalls(arcs);
      simulation.passed();
    }
    this.#rows?.pass(isEvent);
  }

  /** The row of the result at a place of the arc, s, by the functions of the model. */
  judgeAt(place: number): void {
    this.#place[0] = place;
    this.#sampler.sample(this.#place, this.#judged);
    this.parts.certificate.row(this.#judged);
  }

  /** Part of an arc at which it is looked at, another one each time. */
  #nextPart(): number {
    const part = this.#part;
    part[0] = (part[0] + GOLDEN) % 1;
    return part[0];
  }

  /**
   * Gaps at walls that move, whose tables serve the search alone, at a place that is another one each time.
   */
  #judgeWalls(arcs: SkimArcs): void {
    const { rows, certificate } = this.parts;
    this.#place[0] = this.#nextPart() * arcs.stretch[1];
    arcs.sample(this.#place, this.#x);
    this.#clock[0] = arcs.stretch[0] + this.#place[0];
    rows.update(this.#clock, this.#x);
    rows.outputs(this.#clock, this.#x, this.#lambda, this.#values);
    for (let k = 0; k < this.#walls.length; k++) {
      const row = this.#walls[k];
      if (certificate.rowCheck.takeGap(row, this.#values[row])) continue;
      this.judgeAt(this.#place[0]);
      return;
    }
  }

  /** What judges an arc, written out; null where that cannot be. */
  #writeJudge(arcs: SkimArcs, gaps: readonly SkimGap[]): StepFunction | null {
    const { check, certificate, flow } = this.parts;
    if (check === null) return null;
    const w = new StepWriter();
    const isWritten = check.write(w, arcs, flow.places, null, () => {
      gaps.forEach(({ form, table }, row) => {
        if (table !== null) return;
        const { indices, values, offset } = form;
        const terms = Array.from(indices, (at, k) => [values[k], `z${at}`] as const);
        const gap = w.constant(w.add(offset[0] === 0 ? '' : w.literal(offset[0]), terms));
        certificate.rowCheck.writeGap(w, row, gap, `${w.bind(this)}.judgeAt(tau);`);
      });
    });
    if (!isWritten) return null;
    w.line('return 0;');
    return w.compile('value');
  }

  /** Events are counted by steps of the discretisation, whose points are not visited. */
  countStep(): void {
    const { manager, count, integrator } = this.parts;
    const stamp = this.#stamp;
    const [step] = stamp;
    manager.grid.stamp(integrator.clock, stamp);
    if (stamp[0] !== step) count.beginStep();
    // Times a little before the next point count as those of it.
    this.#edge[0] = manager.grid.pointTime(stamp[0] + 1);
  }

  /** Whether all contacts are open by more than rounding of initial values. */
  #isOpen(): boolean {
    const { laws, event } = this.parts;
    const { outputs } = event;
    for (let row = 0; row < laws.count; row++)
      if (!(outputs.y[row] > PLAINLY_OPEN * outputs.length(row))) return false;
    return true;
  }

  /** The contact that the motion is about to leave, at zero; −1 where all are open. */
  #leaving(): number {
    const { laws, event } = this.parts;
    const { outputs } = event;
    for (let row = 0; row < laws.count; row++)
      if (Math.abs(outputs.y[row]) <= outputs.closed(row)) return row;
    return -1;
  }

  /**
   * The general path has the motion again.
   * @param settled time at which conditions are what they are to be at the present, s
   */
  #giveBack(simulation: SkimmedSimulation, settled: Float64Array): void {
    const { integrator, manager, event, writer, conditions } = this.parts;
    integrator.endSkimming();
    // Of the last impact behind, which belongs to no row any more.
    event.impulse.fill(0);
    const { clock, x } = integrator;
    conditions?.settle(settled, x, true);
    event.outputs.read(clock, x);
    manager.grid.stamp(clock, this.#stamp);
    manager.moveTo(this.#stamp, clock[0]);
    writer.write(clock, x, simulation.rows()[1]);
  }

  /**
   * The arcs in which all contacts are open, or the rest of the one that is not; null where that motion, or a
   * gap, is not what they know.
   */
  #prepare(period: number | null, simulation: SkimmedSimulation): SkimArcs | WallRest | null {
    const { integrator, flow } = this.parts;
    // Observers are to find the flight of the present modes.
    if (this.#arcs !== null) integrator.prepare();
    if (flow.activeCount > 0) {
      const rest = this.#restOf(period);
      return rest?.isUnknown === false ? rest : null;
    }
    if (this.#arcs !== undefined) return this.#arcs;
    const { linear } = integrator;
    if (linear === null || linear.flow.bad >= 0) return null;
    const gaps = this.#gaps(period, linear.flow.limits[1]);
    this.#arcs = gaps && SkimArcs.of(linear, gaps, integrator.forced, null, this.#textOfImpacts(simulation));
    if (gaps === null || this.#arcs === null) return null;
    this.#walls = gaps.flatMap(({ table }, row) => (table === null ? [] : [row]));
    this.#judge = this.#writeJudge(this.#arcs, gaps);
    this.parts.energy?.abandon();
    return this.#arcs;
  }

  #restOf(period: number | null): WallRest | null {
    if (this.#resting !== undefined) return this.#resting;
    // The wall is known from flights before.
    const wall = this.#arcs?.gaps[0].table ?? null;
    if (this.#arcs === undefined || wall === null) return null;
    const { parts } = this;
    const source = (value: (time: number) => number): SampledFunction => ({ ...this.#timed(0), value });
    const table = (value: (time: number) => number): TimeTable =>
      new TimeTable(source(value), period, STEPS * parts.manager.grid.h);
    this.#resting = WallRest.of(parts, this.#outputs, wall, table);
    return this.#resting;
  }

  /** @param longest arc, s */
  #gaps(period: number | null, longest: number): SkimGap[] | null {
    const { laws, functions, manager, integrator } = this.parts;
    const length = longest < Infinity ? WINDOW * longest : STEPS * manager.grid.h;
    const gaps: SkimGap[] = [];
    for (let row = 0; row < laws.count; row++) {
      if (!this.#isTimed[row]) {
        const form = functions.linear(FUNCTIONS * row);
        if (form === null || form.offset[1] !== 0) return null;
        gaps.push({ form, table: null });
        continue;
      }
      const form = this.#outputs.formOf(row, integrator.clock[0], integrator.x);
      if (form === null) return null;
      gaps.push({ form, table: new TimeTable(this.#timed(row), period, length) });
    }
    return gaps;
  }

  /** What a gap is besides C q. */
  #timed(row: number): SampledFunction {
    const { conditions } = this.parts;
    const clock = this.#clock;
    const at = this.#none;
    return {
      value: (time) => this.#outputs.at(row, time),
      note: (time) => {
        clock[0] = time;
        conditions?.decideByValues(clock, at, false);
      },
      isAsNoted: (time) => {
        clock[0] = time;
        return conditions?.decideByValues(clock, at, true) ?? true;
      },
    };
  }
}
