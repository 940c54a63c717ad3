/**
 * Simulation of a non-smooth dynamical system from event to event: the smooth motion is integrated in fixed
 * modes until a gap closes, a force vanishes or a relay reaches a bound; there impacts and modes are decided
 * (the Siconos manual, corrected as `event-handling.ts` says), and the integration goes on.
 *
 *     while (simulation.hasNextEvent) {
 *       simulation.advanceToEvent();
 *       simulation.processEvents();
 *     }
 *
 * After each `processEvents` the row of the result is in `state`. At a non-smooth event there are two at one
 * time, `before` and `state`, so that jumps are jumps.
 */
import type { Samples } from '../model/control/samples';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { StatePlaces } from '../model/state-places';
import type { RankReport } from '../multibody/redundancy';
import type { SmoothStatus } from '../smooth/ode-system';
import type { SmoothIntegrator } from '../smooth/smooth-integrator';
import {
  type Assembly,
  assemble,
  startState,
  type EventDrivenState,
  type Remembered,
  goTo,
  readAgain,
  rememberState,
  rewind,
  savedState,
} from './assembly';
import type { EventCertificate } from './certificate/certificate';
import { decideHeld } from './conditions/held-conditions';
import type { EventLog } from './event-log';
import type { EventRecord } from './event-record';
import type { EventState } from './event-state';
import { type EventsManager, sideWidth } from './events-manager';
import { infiniteEvents, jointFailure, singularMass } from './failures';
import type { DriftControl } from './flow/drift';
import { firstAwaited, type FlightObserver, type ObservedParts } from './flow/flight-observer';
import { flightFailure } from './flow/flights';
import { GraphFacts } from './rows/graph-rows';
import { type FoundGuards, flagRoots } from './found-roots';
import { ACTIVE, type RowLaws } from './rows/row-laws';
import { hasJumped } from './rows/row-sampler';
import { hasMissed } from './rows/row-state';
import type { SkimRequest } from './skim/skimming';
import { UnrecordedMotion } from './skim/unrecorded';
import {
  type EventDrivenSettings,
  type KnownJumps,
  completeSettings,
  scheduleJumps,
  scheduleSamples,
} from './settings';

/**
 * Units of its relative tolerance that an integration leaves in the times of impacts: at most a quarter of it
 * over 2000 random masses on springs that bounce to rest.
 */
const LEFT_IN_TIMES = 64;
/** Rounds of interactions that come and go at one instant before they count as without end. */
const MOST_ROUNDS = 100;

export class EventDriven {
  /** row of the result at the present time, after the event if there is one */
  readonly state: Float64Array;
  /** row just before a non-smooth event */
  readonly before: Float64Array;
  /** rows that the last event gave: 2 at a non-smooth one, otherwise 1 */
  rowsAtEvent = 1;
  /**
   * whether the last event has changed forces only, between two points of the discretisation: its row is of
   * no interest
   */
  isPassing = false;
  /** impulses of the last event by row; 0 where there were none */
  readonly impulses: Float64Array;
  readonly log: EventLog;
  readonly manager: EventsManager;
  readonly certificate: EventCertificate;
  readonly drift: DriftControl;
  /** what rows are and how they are counted */
  readonly laws: RowLaws;
  /** rank of the joints at the start; redundant ones are no error where forces need not be unique */
  readonly redundancy: RankReport;
  readonly #parts: Assembly;
  /** what the certificate asks of impacts, by row of the model */
  readonly #facts: EventState | GraphFacts;
  /** what the integration leaves in the times of events, relative to the time since the start */
  readonly #leftInTimes: number;
  readonly #observers: FlightObserver[] = [];
  readonly #jumps: KnownJumps;
  readonly #samples: Samples | null;
  /** whether the event ahead is one that the integration has reported */
  #hasRoots = false;
  /** guards among the roots of the event */
  readonly #guards: FoundGuards = { isThere: false, hasJumped: false };
  /** [0] time from which the present is seen before an event, s */
  readonly #left = new Float64Array(1);
  readonly #rate: Float64Array;
  /** made when somebody asks for motion without rows */
  #unrecorded: UnrecordedMotion | null = null;
  /** what there is to remember before it has begun */
  readonly #untouched: Remembered;

  /** @throws {EngineError} for a model that the scheme cannot treat, or an inconsistent start */
  constructor(
    readonly model: NonSmoothDynamicalSystem,
    private readonly places: StatePlaces,
    settings: EventDrivenSettings,
  ) {
    const complete = completeSettings(settings);
    const parts = assemble(model, places, complete);
    this.#parts = parts;
    this.laws = parts.laws;
    this.redundancy = parts.redundancy;
    this.drift = parts.drift;
    this.log = parts.events;
    this.manager = parts.manager;
    this.certificate = parts.certificate;
    this.#facts = parts.graphs === null ? parts.event : new GraphFacts(parts.graphs, parts.event);
    this.impulses = this.#facts.impulse;
    this.#leftInTimes = LEFT_IN_TIMES * complete.relativeTolerance;
    this.#rate = new Float64Array(parts.flow.size);
    this.state = new Float64Array(places.size);
    this.before = new Float64Array(places.size);
    if (complete.certify) this.#reportStretches();
    this.#untouched = rememberState(parts);
    this.#jumps = complete.jumps;
    this.#samples = complete.samples;
    scheduleJumps(this.#jumps, this.manager, (time, action) => this.schedule(time, action));
    this.#begin(complete.t0, complete.start);
    parts.integrator.prepare();
  }

  #reportStretches(): void {
    this.#parts.integrator.whenDone ??= () => {
      this.#leave();
    };
  }

  /** The motion so far, before modes, forces or the state change: judged, and shown to those who look on. */
  #leave(): void {
    if (this.#unrecorded?.judge() !== true) this.#parts.check?.judge();
    for (let k = 0; k < this.#observers.length; k++) this.#observers[k].passed();
  }

  /** Lets somebody look on from here. Whether somebody does changes no bit of the result. */
  observe<T extends FlightObserver>(create: (parts: ObservedParts) => T): T {
    const observer = create({ ...this.#parts, flight: this.#parts.integrator });
    this.#observers.push(observer);
    this.#reportStretches();
    return observer;
  }

  /**
   * Processes the event at the present: interactions come and go, states jump, and modes are decided, until
   * nothing more follows.
   */
  #process(isStart: boolean): void {
    const { integrator, event, resets, presence, flow } = this.#parts;
    const { clock, x } = integrator;
    // A network brings outputs to zero by its own impulses.
    const isNetwork = flow.network?.begin() === true;
    event.isStart = isStart;
    resets?.begin();
    let isMore = !isStart && resets?.isDue(clock, x) === true;
    let hasChanged = presence?.change(clock, x) === true;
    for (let rounds = 0; rounds === 0 || isMore || hasChanged; rounds++) {
      if (rounds > MOST_ROUNDS) throw infiniteEvents(presence?.last ?? '', rounds, clock[0]);
      const isAgain = rounds > 0;
      if (isMore && resets !== null) {
        event.isReset = true;
        resets.fire(clock, x, this.before[0]);
        event.outputs.read(clock, x);
      }
      if (presence !== null) {
        // The impulses of earlier rounds stay part of the event.
        if (!isAgain) event.impulse.fill(0);
        if ((!isNetwork && presence.join(clock, x)) || hasChanged || isMore) event.isReset = true;
      }
      const charges = presence === null || isNetwork ? null : event.impulse.slice();
      this.#decide(isAgain);
      if (charges !== null) presence?.restore(charges);
      // What jumps at an event may push guards and conditions across zero.
      isMore = !isStart && resets?.settle(clock, x) === true;
      hasChanged = presence?.change(clock, x) === true;
    }
  }

  /** Decides the modes at the present. @param isAgain whether behind what the event has done already */
  #decide(isAgain: boolean): void {
    const { integrator, handling, conditions } = this.#parts;
    const { clock, x } = integrator;
    if (conditions !== null) decideHeld(handling, conditions, clock, x, isAgain);
    else if (isAgain) handling.decideAgain(clock, x);
    else handling.process(clock, x);
  }

  /** What the integration ahead is to watch. @returns event functions that start at zero */
  #watch(): Uint8Array {
    const { watching, conditions, watchedFunctions, integrator, limitSteps, resets, presence } = this.#parts;
    presence?.hold(this.state);
    presence?.read(integrator.clock, integrator.x);
    resets?.hold(this.state);
    resets?.read(integrator.clock, integrator.x);
    const isZero = watching.begin();
    if (conditions === null || watchedFunctions === null) return isZero;
    const { clock, x } = integrator;
    conditions.begin(clock, x);
    if (conditions.complete !== true) limitSteps();
    return watchedFunctions.begin(isZero);
  }

  #begin(t0: number, start: Float64Array | undefined): void {
    const { integrator, event, conditions, motion, writer, energy, flow } = this.#parts;
    const { outputs } = event;
    const { clock, x } = integrator;
    const initial = startState(this.#parts, start);
    this.#parts.zeno.leftInTimes[0] = 0;
    for (let i = 0; i < initial.length; i++) x[i] = initial[i];
    conditions?.release();
    if (conditions !== null) conditions.hasMissed = false;
    integrator.start(t0);
    if (!motion.updateMasses(x) || motion.singular >= 0)
      throw singularMass(this.model.systems[motion.singular].id, t0);
    this.#parts.presence?.start(clock, x);
    outputs.read(clock, x);
    outputs.checkStart(clock);
    outputs.read(clock, x);
    writer.write(clock, x, this.before);
    if (start === undefined && this.#samples?.isDue(this.before[0]) === true)
      this.#samples.sample(this.before, this.before[0]);
    this.#samples?.write(this.state);
    scheduleSamples(this.#samples, this.manager, this.state);
    this.#parts.resets?.hold(this.state);
    this.#parts.resets?.guards.clear();
    this.#parts.resets?.start(clock, x);
    this.#parts.presence?.write(this.before);
    this.#process(true);
    writer.write(clock, x, this.state);
    this.#writeJumps();
    this.#parts.joints.begin(clock, x);
    integrator.restart(this.#watch());
    this.#parts.stepCheck?.begin();
    outputs.endStart();
    const hasImpulses = flow.network?.isEngaged === true && event.impulse.some((p) => p !== 0);
    this.rowsAtEvent = this.log.length > 0 || hasImpulses ? 2 : 1;
    energy?.start(this.rowsAtEvent === 2 ? this.before : this.state);
    if (start === undefined) this.certificate.start(this.before);
    this.certificate.row(this.state);
    if (this.rowsAtEvent === 2) this.#judgeImpact();
  }

  /** Numbers of resets, and who is there, into the row of the result. */
  #writeJumps(): void {
    const { resets, presence } = this.#parts;
    resets?.writeCounts(this.state);
    presence?.write(this.state);
  }

  #judgeImpact(): void {
    if (this.#facts instanceof GraphFacts) this.#facts.read();
    this.certificate.impact(this.before, this.state, this.impulses, this.#facts);
    this.#parts.energy?.impact(this.before, this.state, this.impulses);
  }

  /** s */
  get startingTime(): number {
    return this.manager.startingTime;
  }

  get hasNextEvent(): boolean {
    return this.manager.hasNextEvent;
  }

  get events(): readonly EventRecord[] {
    return this.log.records;
  }

  /** State x = q | v at the present (`state-places.ts`), as it changes. */
  get x(): Float64Array {
    return this.#parts.integrator.x;
  }

  /** Work of the integration so far. */
  get counters(): SmoothIntegrator['counters'] {
    return this.#parts.integrator.counters;
  }

  /** See `FlightEnergy.drift`; null also where the motion is not judged. */
  get energyDrift(): number | null {
    return this.#parts.energy?.drift ?? null;
  }

  /**
   * Whether no event was missed; the resolution, s, at which the motion is sampled where conditions cannot be
   * followed.
   */
  get complete(): boolean | { readonly resolution: number } {
    return this.#parts.conditions?.complete ?? true;
  }

  /** Conditions that cannot be followed, in words. */
  get sampled(): readonly string[] {
    return this.#parts.conditions?.sampled ?? [];
  }

  /** How the motion goes on in the present modes: by exact arcs, or by the general integration. */
  get flight(): 'exact' | 'integrated' {
    return this.#parts.integrator.kind;
  }

  /** Contacts of I2, other rows that are kept at zero, and graphs on a piece that is not horizontal. */
  isActive(row: number): boolean {
    const { laws, flow } = this.#parts;
    return flow.modes.some((mode, r) => mode === ACTIVE && laws.owner[r] === row);
  }

  /**
   * Schedules an event at a time ahead, as for a force that changes there: the motion is integrated up to
   * just before that time, the action runs, and modes are decided from what forces and relations are just
   * behind it.
   * @returns whether the time lies ahead and before the end
   */
  schedule(time: number, action: () => void): boolean {
    const isTaken = time <= this.manager.finalTime && this.manager.schedule(time, action, true);
    this.#parts.flow.rows.window[1] = this.manager.nextJump;
    return isTaken;
  }

  computeOneStep(): void {
    this.advanceToEvent();
    this.processEvents();
  }

  /** Advances to the end. */
  run(): void {
    while (this.hasNextEvent) this.computeOneStep();
  }

  /**
   * Integrates to the next event; a root on the way becomes the next event.
   * @throws {EngineError} when the integration fails
   */
  advanceToEvent(): void {
    const { manager } = this;
    const { integrator, conditions } = this.#parts;
    let status: SmoothStatus;
    do {
      const ahead = conditions?.lookAhead(manager.nextTime) ?? Infinity;
      // A point of the grid just before a jump is the side before it; the side behind may be past the end.
      const target = Math.max(integrator.clock[0], Math.min(this.#knownTime, ahead));
      const horizon = Math.max(target, Math.min(manager.horizon, ahead));
      status = integrator.advance(target, horizon);
      while (status !== 'root' && status !== 'reached' && this.#repartition())
        status = integrator.advance(target, horizon);
    } while (status === 'reached' && integrator.clock[0] < this.#dueTime);
    if (status !== 'root' && status !== 'reached') throw flightFailure(status, this.#parts);
    this.#hasRoots = status === 'root';
    if (this.#hasRoots || integrator.clock[0] < this.#knownTime) manager.insertNonSmooth(integrator.clock);
  }

  /**
   * Goes on without rows of the result, as far as the motion is plain and none are asked for; the row at the
   * present, where it has come to, is in `state`. Observers and certificate see all of it.
   * @returns whether it has gone anywhere
   */
  skim(request: SkimRequest): boolean {
    if (this.#samples !== null) return false;
    this.#unrecorded ??= new UnrecordedMotion(this.#parts, this.places);
    return this.#unrecorded.advance(this.#skimmed, request);
  }

  readonly #skimmed = {
    step: this.computeOneStep.bind(this),
    resume: (): void => {
      this.rowsAtEvent = 1;
      this.isPassing = false;
      this.#parts.integrator.restart(this.#watch());
    },
    leave: this.#leave.bind(this),
    passed: (): void => {
      for (let k = 0; k < this.#observers.length; k++) this.#observers[k].passed();
    },
    eventBegins: (): void => {
      this.rowsAtEvent = 2;
      for (let k = 0; k < this.#observers.length; k++) this.#observers[k].eventBegins();
    },
    judgeImpact: this.#judgeImpact.bind(this),
    eventEnded: (): void => {
      for (let k = 0; k < this.#observers.length; k++) this.#observers[k].eventEnded();
    },
    isObserved: (): boolean => this.#observers.length > 0,
    decide: (isTimed: boolean): void => {
      this.#parts.event.isTimed = isTimed;
      const { clock, x } = this.#parts.integrator;
      this.#writeBefore(clock[0], false);
      this.#parts.decision.noteForces();
      this.certificate.row(this.state);
      this.drift.endFlight(clock, x, isTimed);
      this.#processNonSmooth(false);
    },
    awaited: (): number => firstAwaited(this.#observers),
    rows: (): readonly [Float64Array, Float64Array] => [this.before, this.state],
  };

  /** Time of the next event that is known, s. */
  get #dueTime(): number {
    return Math.min(this.#knownTime, this.#parts.conditions?.nextTime ?? Infinity);
  }

  /** Time of the next point of the grid or scheduled event, in front of it where something may jump, s. */
  get #knownTime(): number {
    return Math.min(this.manager.nextTime, this.manager.horizon);
  }

  /**
   * Chooses the dependent coordinates again where the integration came to.
   * @returns whether they are others
   */
  #repartition(): boolean {
    const { integrator, joints } = this.#parts;
    const { clock, x } = integrator;
    if (joints.complete(clock, x) !== 'ok' || !joints.review(clock, x)) return false;
    this.#leave();
    integrator.restart();
    return true;
  }

  /**
   * Processes all events of the present time.
   * @throws {EngineError} when impacts or modes cannot be decided, or events do not end
   */
  processEvents(): void {
    const { manager, laws } = this;
    const { integrator, flow, event, conditions, resets, presence } = this.#parts;
    const { clock, x } = integrator;
    const { isGridPoint, isNonSmooth, isScheduled, isJump } = manager;
    // Modes and forces are still those of the flight.
    let isLeft = isNonSmooth || isScheduled || !manager.hasPointAfterNext;
    if (isLeft) this.#leave();
    const joints = this.#parts.joints.complete(clock, x);
    if (joints !== 'ok') throw jointFailure(joints, clock[0]);
    // Within a step of a given length rows drift by its third power, which no tolerance bounds.
    const isCorrected = this.#parts.stepCheck !== null && this.#hasDrifted();
    if (isCorrected) {
      if (!isLeft) this.#leave();
      isLeft = true;
      this.drift.project(clock, x);
    }
    const isTimed = conditions?.takeTimes(clock, x) ?? false;
    this.#guards.isThere = false;
    this.#guards.hasJumped = false;
    const hasRoot = (this.#hasRoots && flagRoots(this.#parts, this.#guards)) || isTimed;
    event.isTimed = event.isOnlyTimed(isJump || hasRoot) && !this.#guards.isThere;
    if (isJump) this.#move(manager.nextTime - clock[0]);
    this.#writeBefore(manager.nextTime, isJump);
    this.#parts.decision.noteForces();
    this.certificate.row(this.state);
    const isDue = hasRoot || isScheduled || hasMissed(laws, flow, event.outputs) || this.drift.hasMoved;
    if (isDue && !isLeft) this.#leave();
    if (isDue) this.drift.endFlight(clock, x, event.isTimed);
    manager.advance();
    if (isScheduled) integrator.forget();
    this.isPassing = false;
    if (isDue) {
      const hasSides = isJump || this.#guards.hasJumped;
      if (hasSides) this.#passJump();
      const { length } = this.#parts.events;
      this.#processNonSmooth(hasSides);
      const isOwn = isScheduled || this.log.length > length;
      if ((conditions !== null || resets !== null) && !isOwn && !hasJumped(this.before, this.state)) {
        this.rowsAtEvent = 1;
        this.isPassing = !isGridPoint;
      }
    } else {
      if (this.#parts.check !== null) conditions?.review(clock, x);
      this.#processSmooth(isCorrected);
    }
    if (isGridPoint) {
      this.#parts.count.beginStep();
      resets?.read(clock, x);
      presence?.read(clock, x);
    }
    manager.prepare();
  }

  /**
   * The row before what happens at a time: where something jumps, with forces and outputs as they are just
   * before it.
   */
  #writeBefore(time: number, isJump: boolean): void {
    const { clock, x } = this.#parts.integrator;
    const { isTimed, isJump: hasJumped } = this.#parts.event;
    const isSided = isTimed && !isJump && hasJumped.includes(1);
    this.#left[0] = isSided ? clock[0] - sideWidth(clock[0]) : clock[0];
    this.#parts.writer.write(this.#left, x, this.state);
    if (isSided) {
      this.state[0] = clock[0];
      this.#parts.event.outputs.read(clock, x);
    }
    if (isJump) this.state[0] = time;
    [this.#parts.event.time[0]] = this.state;
  }

  /** From the side before a jump at the present time to that behind it. */
  #passJump(): void {
    const { startingTime, nextJump } = this.manager;
    const { integrator, event, rows } = this.#parts;
    const { window } = rows;
    integrator.start(startingTime + sideWidth(startingTime));
    window[0] = integrator.clock[0];
    window[1] = nextJump;
    event.outputs.read(integrator.clock, integrator.x);
  }

  /** x += s ẋ with the rates of the present, for what the motion does across the width of a jump. */
  #move(s: number): void {
    const { clock, x } = this.#parts.integrator;
    this.#parts.flow.rate(clock, x, this.#rate);
    for (let i = 0; i < x.length; i++) x[i] += s * this.#rate[i];
  }

  /** Whether held rows are off by more than the tolerance at the present state, which is read. */
  #hasDrifted(): boolean {
    const { event, integrator } = this.#parts;
    event.outputs.read(integrator.clock, integrator.x);
    return this.drift.isDue(this.manager.current[0], integrator.clock, integrator.x);
  }

  /** @param isCorrected whether the drift of rows has been taken out already, and the motion judged before */
  #processSmooth(isCorrected: boolean): void {
    const { clock, x } = this.#parts.integrator;
    if (this.rowsAtEvent === 2) this.impulses.fill(0);
    this.rowsAtEvent = 1;
    const isDue = this.drift.isDue(this.manager.current[0], clock, x) || this.drift.isOffManifold(x);
    if (isDue) this.drift.project(clock, x);
    if (!this.#parts.joints.review(clock, x) && !isDue && !isCorrected) return;
    if (!isCorrected) this.#leave();
    this.#parts.integrator.restart();
    this.#parts.writer.write(clock, x, this.state);
  }

  /** @param isJump whether the present is behind a jump at a known time */
  #processNonSmooth(isJump: boolean): void {
    const { integrator, joints, writer } = this.#parts;
    const { clock, x } = integrator;
    this.#parts.count.add(clock, this.log.lastElement || (this.#parts.conditions?.lastOne ?? ''));
    if (integrator.wasIntegrated) this.#parts.zeno.leftInTimes[0] = this.#leftInTimes;
    this.before.set(this.state);
    this.#skimmed.eventBegins();
    this.#samples?.write(this.state);
    this.#parts.resets?.hold(this.state);
    this.#parts.presence?.hold(this.state);
    this.#process(false);
    joints.review(clock, x);
    writer.write(clock, x, this.state);
    this.#samples?.write(this.state);
    this.#writeJumps();
    if (isJump) {
      this.state[0] = this.before[0];
      this.#move(clock[0] - this.before[0]);
    }
    this.#parts.handling.scheduleReturns(this.manager);
    integrator.restart(this.#watch());
    this.#parts.stepCheck?.begin();
    this.certificate.row(this.state);
    this.#judgeImpact();
    for (let k = 0; k < this.#observers.length; k++) this.#observers[k].eventEnded();
  }

  /**
   * The present, from which `loadState` goes on with the same bits as this simulation does from here. For
   * that, the integration of this one begins afresh as well: a step length that has grown is no part of the
   * state.
   */
  exportState(): EventDrivenState {
    this.#leave();
    const state = savedState(this.#parts);
    this.#beginAgain(state);
    return state;
  }

  /**
   * Begins once more at the start, from another state, with the bits of a new simulation from there. What
   * follows from the model alone is kept, which is most of the work of a new one: this is for many short
   * motions.
   * @param start x at t₀
   * @returns false where the motion so far has changed what the model is taken for: a new simulation is
   *   needed
   * @throws {EngineError} for an inconsistent start
   */
  restartFrom(start: Float64Array): boolean {
    // Observers belong to the motion before.
    if (this.#samples !== null || this.#observers.length > 0 || !rewind(this.#parts, this.#untouched))
      return false;
    scheduleJumps(this.#jumps, this.manager, (time, action) => this.schedule(time, action));
    this.#unrecorded?.rewind();
    this.state.fill(0);
    this.before.fill(0);
    this.#begin(this.manager.grid.t0, start);
    this.#parts.integrator.prepare();
    return true;
  }

  /**
   * Goes to a state that a simulation of the same model and settings has exported. Events and certificate are
   * reset, and nothing is scheduled but the jumps of the settings.
   */
  loadState(state: EventDrivenState): void {
    const { integrator, writer, handling, energy } = this.#parts;
    goTo(this.#parts, state);
    scheduleJumps(this.#jumps, this.manager, (time, action) => this.schedule(time, action));
    scheduleSamples(this.#samples, this.manager, this.state);
    this.#samples?.write(this.state);
    this.#writeJumps();
    handling.scheduleReturns(this.manager, state.returns);
    this.#beginAgain(state);
    writer.write(integrator.clock, integrator.x, this.state);
    this.rowsAtEvent = 1;
    this.impulses.fill(0);
    energy?.start(this.state);
  }

  /**
   * Everything that depends on how the present was reached is formed again, but for what a method remembers.
   */
  #beginAgain({ memory }: EventDrivenState): void {
    const { integrator, joints } = this.#parts;
    const { clock, x } = integrator;
    readAgain(this.#parts);
    integrator.start(clock[0]);
    joints.begin(clock, x);
    integrator.restart(this.#watch());
    if (memory === undefined) return;
    integrator.memory?.set(memory);
    this.#parts.stepCheck?.begin(memory);
  }
}
