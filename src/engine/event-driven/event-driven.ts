/**
 * Simulation of a non-smooth dynamical system from event to event: the smooth motion is integrated in fixed modes until a gap
 * closes, a force vanishes or a relay reaches a bound; there impacts and modes are decided (the Siconos manual, corrected as
 * `event-handling.ts` says), and the integration goes on.
 *
 *     while (simulation.hasNextEvent) {
 *       simulation.advanceToEvent();
 *       simulation.processEvents();
 *     }
 *
 * After each `processEvents` the row of the result is in `state`. At a non-smooth event there are two at one time, `before` and
 * `state`, so that jumps are jumps.
 */
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { RankReport } from '../multibody/redundancy';
import type { StatePlaces } from '../model/state-places';
import { TOUCH_FROM_ABOVE } from '../smooth/event-functions';
import type { SmoothStatus } from '../smooth/ode-system';
import { SmoothIntegrator } from '../smooth/smooth-integrator';
import { EventCertificate } from './certificate/certificate';
import { type HeldConditions, createConditions, decideHeld } from './conditions/held-conditions';
import { WatchedFunctions } from './conditions/watched-functions';
import { DriftControl } from './flow/drift';
import { EnergyBalance } from './certificate/energy-balance';
import { EventCount, EventsManager, TimeGrid, sideWidth } from './events-manager';
import { EventHandling } from './impact/event-handling';
import type { EventRecord } from './event-record';
import { EventState } from './event-state';
import { jointFailure, singularMass } from './failures';
import { type FailedParts, type Flights, createFlights, flightFailure } from './flow/flights';
import type { FlightObserver, ObservedParts } from './flow/flight-observer';
import { FreeMotion, placeIntegrated } from './flow/free-motion';
import { Impact } from './impact/impact';
import type { JointFormulation } from './joints/formulation';
import { startRedundancy } from './joints/initial-state';
import { createFormulation } from './joints/registry';
import { RowState, hasMissed } from './rows/row-state';
import { type EventDrivenState, Memory, type Remembered } from './state';
import { ModeDecision } from './decision/mode-decision';
import { MotionCheck } from './certificate/motion-check';
import { RelationRows } from './rows/relation-rows';
import { FUNCTIONS, RowEvents, Watching } from './rows/row-events';
import { ACTIVE, type RowLaws, readRowLaws } from './rows/row-laws';
import { RowWriter } from './rows/row-sampler';
import { type EventDrivenSettings, type KnownJumps, completeSettings, scheduleJumps } from './settings';
import { SmoothFlow } from './flow/smooth-flow';
import { ZenoDetector } from './impact/zeno';

/** Steps of one call of the integrator before it counts as failed. */
const MAX_STEPS = 1_000_000;
/** Units of its relative tolerance that an integration leaves in the times of impacts: at most a quarter of it over 2000 random masses on springs that bounce to rest. */
const LEFT_IN_TIMES = 64;
/** Relative difference of values before and after an event that is none. */
const SAME_ROW = 64 * Number.EPSILON;
/** Number of steps: tEnd may be off a point of the discretisation by this part of a step. */
const LAST_STEP = 1e-6;

export class EventDriven {
  /** row of the result at the present time, after the event if there is one */
  readonly state: Float64Array;
  /** row just before a non-smooth event */
  readonly before: Float64Array;
  /** rows that the last event gave: 2 at a non-smooth one, otherwise 1 */
  rowsAtEvent = 1;
  /** whether the last event has changed forces only, between two points of the discretisation: its row is of no interest */
  isPassing = false;
  /** impulses of the last event by row; 0 where there were none */
  readonly impulses: Float64Array;
  readonly events: EventRecord[] = [];
  readonly manager: EventsManager;
  readonly certificate: EventCertificate;
  readonly drift: DriftControl;
  /** what rows are and how they are counted */
  readonly laws: RowLaws;
  /** rank of the joints at the start; redundant ones are no error where forces need not be unique */
  readonly redundancy: RankReport;
  readonly #joints: JointFormulation;
  readonly #integrator: Flights;
  readonly #motion: FreeMotion;
  readonly #flow: SmoothFlow;
  /** the event that is being decided, or the last one */
  readonly #event: EventState;
  readonly #functions: RowEvents;
  /** null, as the next one, where no function comes to a condition that can change */
  readonly #conditions: HeldConditions | null;
  readonly #watchedFunctions: WatchedFunctions | null;
  readonly #handling: EventHandling;
  readonly #decision: ModeDecision;
  readonly #zeno: ZenoDetector;
  /** what the integration leaves in the times of events, relative to the time since the start */
  readonly #leftInTimes: number;
  readonly #writer: RowWriter;
  /** null, as the next one, where motion is not judged */
  readonly #energy: EnergyBalance | null;
  readonly #check: MotionCheck | null;
  readonly #watching: Watching;
  readonly #count: EventCount;
  readonly #observers: FlightObserver[] = [];
  readonly #memory: Memory;
  readonly #jumps: KnownJumps;
  /** makes no step longer than the declared resolution from here on */
  readonly #limitSteps: () => void;
  /** whether the event ahead is one that the integration has reported */
  #hasRoots = false;
  /** [0] time from which the present is seen before an event, s */
  readonly #left = new Float64Array(1);
  readonly #rate: Float64Array;
  /** what there is to remember before it has begun */
  readonly #untouched: Remembered;

  /** @throws {EngineError} for a model that the scheme cannot treat, or an inconsistent start */
  constructor(
    readonly model: NonSmoothDynamicalSystem,
    places: StatePlaces,
    settings: EventDrivenSettings,
  ) {
    const complete = completeSettings(settings);
    const { t0, tEnd, h, difference } = complete;
    const laws = readRowLaws(model, complete.impacts.type);
    this.laws = laws;
    const integrated = placeIntegrated(model);
    this.#motion = new FreeMotion(model, integrated, difference, t0);
    const rows = new RelationRows(model, laws, integrated, this.#motion, difference);
    const flow = new SmoothFlow(laws, rows, this.#motion, integrated);
    this.#flow = flow;
    const outputs = new RowState(laws, rows, flow, complete.absoluteTolerance);
    const event = new EventState(outputs, laws.count, integrated.size);
    this.#event = event;
    this.#functions = new RowEvents(model, laws, rows, flow);
    this.#zeno = new ZenoDetector(laws.count, t0);
    this.#leftInTimes = LEFT_IN_TIMES * complete.relativeTolerance;
    this.#decision = new ModeDecision(laws, flow, event, complete, this.#zeno);
    const { constraints } = complete;
    this.drift = new DriftControl(laws, flow, outputs, constraints);
    const targets = outputs.target;
    const context = { model, laws, rows, flow, difference, targets, events: this.events };
    this.#joints = createFormulation(constraints, context);
    this.redundancy = startRedundancy(model, t0, difference);
    const impact = new Impact(laws, flow, event, complete);
    const steps = {
      impact,
      decision: this.#decision,
      drift: this.drift,
      zeno: this.#zeno,
      events: this.events,
    };
    this.#handling = new EventHandling(laws, flow, event, steps, complete.smallestBounce);
    this.#writer = new RowWriter(places, this.#motion, flow, outputs);
    this.impulses = event.impulse;
    this.#rate = new Float64Array(integrated.size);
    this.state = new Float64Array(places.size);
    this.before = new Float64Array(places.size);
    this.certificate = new EventCertificate(
      model,
      places,
      complete.impacts.type,
      complete.absoluteTolerance,
      complete.h,
    );
    this.manager = new EventsManager(new TimeGrid(t0, h), Math.floor((tEnd - t0) / h + LAST_STEP));
    this.#watching = new Watching(laws, flow, event, this.#decision, this.#functions);
    this.#count = new EventCount(complete.maxEventsPerStep);
    this.#conditions = createConditions(model, laws, flow, this.#startState(complete.start), complete);
    this.#watchedFunctions =
      this.#conditions === null ? null : new WatchedFunctions(this.#functions, this.#conditions);
    const absolute = new Float64Array(integrated.size).fill(complete.absoluteTolerance);
    const integrator = new SmoothIntegrator(
      this.#joints.system,
      {
        tolerances: { relative: complete.relativeTolerance, absolute },
        method: complete.method,
        maxSteps: MAX_STEPS,
      },
      this.#watchedFunctions ?? this.#functions,
    );
    this.#limitSteps = () => {
      integrator.limitSteps(complete.fastest);
    };
    const joints = this.#joints.system === flow ? null : laws.names[laws.kind.indexOf('joint')];
    const motion = this.#motion;
    const span = [t0, tEnd] as const;
    const functions = this.#functions;
    const watched = this.#watchedFunctions ?? functions;
    const parts = { model, laws, rows, flow, motion, functions, watched, integrator, joints, span };
    this.#integrator = createFlights(parts, complete.flights, h);
    this.#energy = complete.certify ? new EnergyBalance(model, places, h) : null;
    this.#check = complete.certify ? this.#createCheck(places) : null;
    if (complete.certify) this.#reportStretches();
    this.#memory = new Memory(flow, event, this.#decision, this.#zeno);
    this.#untouched = this.#memory.save();
    this.#jumps = complete.jumps;
    this.#scheduleJumps();
    this.#begin(t0, complete.start);
    this.#integrator.prepare();
  }

  #reportStretches(): void {
    this.#integrator.whenDone ??= () => {
      this.#leave();
    };
  }

  /** The motion so far, before modes, forces or the state change: judged, and shown to those who look on. */
  #leave(): void {
    this.#check?.judge();
    for (let k = 0; k < this.#observers.length; k++) this.#observers[k].passed();
  }

  /** Lets somebody look on from here. Whether somebody does changes no bit of the result. */
  observe<T extends FlightObserver>(create: (parts: ObservedParts) => T): T {
    const observer = create({
      model: this.model,
      laws: this.laws,
      rows: this.#flow.rows,
      flow: this.#flow,
      motion: this.#motion,
      flight: this.#integrator,
      joints: this.#joints,
      event: this.#event,
      conditions: this.#conditions,
    });
    this.#observers.push(observer);
    this.#reportStretches();
    return observer;
  }

  #createCheck(places: StatePlaces): MotionCheck {
    const flight = this.#integrator;
    const write = (clock: Float64Array, x: Float64Array, row: Float64Array): void => {
      this.#joints.complete(clock, x);
      this.#writer.writeFlight(clock, x, row);
    };
    const { model, certificate } = this;
    return new MotionCheck(model, places, flight, flight.resolution, { write }, certificate, this.#energy);
  }

  /** State to start from. */
  #startState(start: Float64Array | undefined): Float64Array {
    const { offsets, velocity } = this.#flow.places;
    const x = new Float64Array(this.#flow.size);
    this.model.systems.forEach(({ form }, s) => {
      x.set(form.order === 1 ? form.x0 : form.q0, offsets[s]);
      if (form.order === 2) form.v0.forEach((v, k) => (x[velocity[offsets[s] + k]] = v));
    });
    if (start !== undefined) for (let i = 0; i < start.length; i++) x[i] = start[i];
    return x;
  }

  /** Processes the event at the present. */
  #process(isStart: boolean): void {
    const { clock, x } = this.#integrator;
    this.#event.isStart = isStart;
    if (this.#conditions === null) this.#handling.process(clock, x);
    else decideHeld(this.#handling, this.#conditions, clock, x);
  }

  /** What the integration ahead is to watch. @returns event functions that start at zero */
  #watch(): Uint8Array {
    const isZero = this.#watching.begin();
    if (this.#conditions === null || this.#watchedFunctions === null) return isZero;
    const { clock, x } = this.#integrator;
    this.#conditions.begin(clock, x);
    if (this.#conditions.complete !== true) this.#limitSteps();
    return this.#watchedFunctions.begin(isZero);
  }

  #begin(t0: number, start: Float64Array | undefined): void {
    const { clock, x } = this.#integrator;
    const initial = this.#startState(start);
    this.#zeno.leftInTimes[0] = 0;
    for (let i = 0; i < initial.length; i++) x[i] = initial[i];
    this.#conditions?.release();
    if (this.#conditions !== null) this.#conditions.hasMissed = false;
    this.#integrator.start(t0);
    if (!this.#motion.updateMasses(x) || this.#motion.singular >= 0) throw this.#singularMass();
    this.#event.outputs.read(clock, x);
    this.#event.outputs.checkStart(clock);
    this.#event.outputs.read(clock, x);
    this.#writer.write(clock, x, this.before);
    this.#process(true);
    this.#writer.write(clock, x, this.state);
    this.#joints.begin(clock, x);
    this.#integrator.restart(this.#watch());
    this.#event.outputs.endStart();
    this.rowsAtEvent = this.events.length > 0 ? 2 : 1;
    this.#energy?.start(this.rowsAtEvent === 2 ? this.before : this.state);
    if (start === undefined) this.certificate.start(this.before);
    this.certificate.row(this.state);
    if (this.rowsAtEvent === 2) this.#judgeImpact();
  }

  #judgeImpact(): void {
    this.certificate.impact(this.before, this.state, this.impulses, this.#event);
    this.#energy?.impact(this.before, this.state, this.impulses);
  }

  get #parts(): FailedParts {
    const [model, integrator, motion] = [this.model, this.#integrator, this.#motion];
    return { model, integrator, motion, joints: this.#joints, flow: this.#flow, functions: this.#functions };
  }

  #singularMass(): Error {
    return singularMass(this.model.systems[this.#motion.singular].id, this.#integrator.clock[0]);
  }

  /** s */
  get startingTime(): number {
    return this.manager.startingTime;
  }

  get nextTime(): number {
    return this.manager.nextTime;
  }

  get hasNextEvent(): boolean {
    return this.manager.hasNextEvent;
  }

  /** State x = q | v at the present (`state-places.ts`), as it changes. */
  get x(): Float64Array {
    return this.#integrator.x;
  }

  /** Work of the integration so far. */
  get counters(): SmoothIntegrator['counters'] {
    return this.#integrator.counters;
  }

  /** See `EnergyBalance.drift`; null also where the motion is not judged. */
  get energyDrift(): number | null {
    return this.#energy?.drift ?? null;
  }

  /** Whether no event was missed; the resolution, s, at which the motion is sampled where conditions cannot be followed. */
  get complete(): boolean | { readonly resolution: number } {
    return this.#conditions?.complete ?? true;
  }

  /** Conditions that cannot be followed, in words. */
  get sampled(): readonly string[] {
    return this.#conditions?.sampled ?? [];
  }

  /** How the motion goes on in the present modes: by exact arcs, or by the general integration. */
  get flight(): 'exact' | 'integrated' {
    return this.#integrator.kind;
  }

  /** Contacts of I2, and other rows that are kept at zero. @returns whether the row is one */
  isActive(row: number): boolean {
    return this.#flow.modes[row] === ACTIVE;
  }

  /**
   * Schedules an event at a time ahead, as for a force that changes there: the motion is integrated up to just before that time, the action
   * runs, and modes are decided from what forces and relations are just behind it.
   * @returns whether the time lies ahead and before the end
   */
  schedule(time: number, action: () => void): boolean {
    const isTaken = time <= this.manager.finalTime && this.manager.schedule(time, action, true);
    this.#flow.rows.window[1] = this.manager.nextJump;
    return isTaken;
  }

  #scheduleJumps(): void {
    const { startingTime, finalTime } = this.manager;
    scheduleJumps(this.#jumps, startingTime, finalTime, (time, action) => this.schedule(time, action));
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
    const integrator = this.#integrator;
    let status: SmoothStatus;
    do {
      const ahead = this.#conditions?.lookAhead(manager.nextTime) ?? Infinity;
      // A point of the grid just before a jump is the side before it.
      const target = Math.max(integrator.clock[0], Math.min(this.#knownTime, ahead));
      const horizon = Math.min(manager.horizon, ahead);
      status = integrator.advance(target, horizon);
      while (status !== 'root' && status !== 'reached' && this.#repartition())
        status = integrator.advance(target, horizon);
    } while (status === 'reached' && integrator.clock[0] < this.#dueTime);
    if (status !== 'root' && status !== 'reached') throw flightFailure(status, this.#parts);
    this.#hasRoots = status === 'root';
    if (this.#hasRoots || integrator.clock[0] < this.#knownTime) manager.insertNonSmooth(integrator.clock);
  }

  /** Time of the next event that is known, s. */
  get #dueTime(): number {
    return Math.min(this.#knownTime, this.#conditions?.nextTime ?? Infinity);
  }

  /** Time of the next point of the grid or scheduled event, in front of it where something may jump, s. */
  get #knownTime(): number {
    return Math.min(this.manager.nextTime, this.manager.horizon);
  }

  /** Chooses the dependent coordinates anew where the integration came to. @returns whether they are others */
  #repartition(): boolean {
    const { clock, x } = this.#integrator;
    if (this.#joints.complete(clock, x) !== 'ok' || !this.#joints.review(clock, x)) return false;
    this.#leave();
    this.#integrator.restart();
    return true;
  }

  /**
   * Processes all events of the present time.
   * @throws {EngineError} when impacts or modes cannot be decided, or events do not end
   */
  processEvents(): void {
    const { manager, laws } = this;
    const { clock, x } = this.#integrator;
    const scheduled = manager.past.length;
    const isGridPoint = manager.isGridPoint;
    const { isNonSmooth } = manager;
    // Modes and forces are still those of the flight.
    const isLeft = isNonSmooth || manager.isScheduled || !manager.hasPointAfterNext;
    if (isLeft) this.#leave();
    const isJump = manager.isJump;
    const joints = this.#joints.complete(clock, x);
    if (joints !== 'ok') throw jointFailure(joints, clock[0]);
    const isTimed = this.#conditions?.takeTimes(clock, x) ?? false;
    const hasRoot = (this.#hasRoots && this.#flagRoots()) || isTimed;
    this.#event.isTimed = this.#isTimed(isJump || hasRoot);
    if (isJump) this.#move(manager.nextTime - clock[0]);
    this.#writeBefore(manager.nextTime, isJump);
    this.#event.time[0] = this.state[0];
    manager.advance();
    this.#decision.noteForces();
    this.certificate.row(this.state);
    const isDue = hasRoot || manager.past.length > scheduled;
    if (manager.past.length > scheduled) this.#integrator.forget();
    this.isPassing = false;
    if (isDue || hasMissed(laws, this.#flow, this.#event.outputs)) {
      if (!isLeft) this.#leave();
      if (isJump) this.#passJump();
      const { length } = this.events;
      this.#processNonSmooth(isJump);
      const isOwn = manager.past.length > scheduled || this.events.length > length;
      if (this.#conditions !== null && !isOwn && !this.#hasJumped()) {
        this.rowsAtEvent = 1;
        this.isPassing = !isGridPoint;
      }
    } else {
      if (this.#check !== null) this.#conditions?.review(clock, x);
      this.#processSmooth();
    }
    if (isGridPoint) this.#count.beginStep();
    manager.prepare();
  }

  /** The row before what happens at a time: where something jumps, with forces and outputs as they are just before it. */
  #writeBefore(time: number, isJump: boolean): void {
    const { clock, x } = this.#integrator;
    const { isTimed, isJump: hasJumped } = this.#event;
    const isSided = isTimed && !isJump && hasJumped.includes(1);
    this.#left[0] = isSided ? clock[0] - sideWidth(clock[0]) : clock[0];
    this.#writer.write(this.#left, x, this.state);
    if (isSided) {
      this.state[0] = clock[0];
      this.#event.outputs.read(clock, x);
    }
    if (isJump) this.state[0] = time;
  }

  /** From the side before a jump at the present time to that behind it. */
  #passJump(): void {
    const { startingTime, nextJump } = this.manager;
    const { window } = this.#flow.rows;
    this.#integrator.start(startingTime + sideWidth(startingTime));
    window[0] = this.#integrator.clock[0];
    window[1] = nextJump;
    this.#event.outputs.read(this.#integrator.clock, this.#integrator.x);
  }

  /** x += s ẋ with the rates of the present, for what the motion does across the width of a jump. */
  #move(s: number): void {
    const { clock, x } = this.#integrator;
    this.#flow.rate(clock, x, this.#rate);
    for (let i = 0; i < x.length; i++) x[i] += s * this.#rate[i];
  }

  /** Whether what happens is only what functions of time do at a given time. @param happens whether something does */
  #isTimed(happens: boolean): boolean {
    const { isFlagged, isJump } = this.#event;
    let isTimed = happens;
    for (let row = 0; row < isFlagged.length; row++)
      if (isFlagged[row] === 1 && isJump[row] === 0) isTimed = false;
    return isTimed;
  }

  /** Flags rows whose roots ask for a decision, and records touches. @returns whether there are some */
  #flagRoots(): boolean {
    const { roots, clock, x } = this.#integrator;
    let hasRoot = false;
    let isRead = false;
    for (let k = 0; k < roots.count; k++) {
      const row = Math.floor(roots.indices[k] / FUNCTIONS);
      if (this.#conditions !== null && roots.indices[k] >= this.#functions.count) {
        const { watched } = this.#conditions;
        this.#conditions.flag(watched[roots.indices[k] - this.#functions.count], clock, x);
        hasRoot = true;
        continue;
      }
      if (roots.kinds[k] === TOUCH_FROM_ABOVE) {
        if (!isRead) this.#event.outputs.read(clock, x);
        isRead = true;
        this.#handling.graze(clock, row);
        continue;
      }
      this.#event.flag(row, roots.jumps[k]);
      hasRoot = true;
    }
    return hasRoot;
  }

  /** Whether the rows before and after the event differ by more than rounding. */
  #hasJumped(): boolean {
    const { before, state } = this;
    for (let i = 0; i < state.length; i++)
      if (Math.abs(state[i] - before[i]) > SAME_ROW * (Math.abs(state[i]) + Math.abs(before[i]))) return true;
    return false;
  }

  #processSmooth(): void {
    const { clock, x } = this.#integrator;
    if (this.rowsAtEvent === 2) this.impulses.fill(0);
    this.rowsAtEvent = 1;
    const isDue = this.drift.isDue(this.manager.current[0]);
    if (isDue) this.drift.project(clock, x);
    if (!this.#joints.review(clock, x) && !isDue) return;
    this.#leave();
    this.#integrator.restart();
    this.#writer.write(clock, x, this.state);
  }

  /** @param isJump whether the present is behind a jump at a known time */
  #processNonSmooth(isJump: boolean): void {
    const { clock, x } = this.#integrator;
    this.#count.add(clock, this.events.at(-1)?.element ?? this.#conditions?.lastOne ?? '');
    if (this.#integrator.wasIntegrated) this.#zeno.leftInTimes[0] = this.#leftInTimes;
    this.before.set(this.state);
    this.rowsAtEvent = 2;
    for (let k = 0; k < this.#observers.length; k++) this.#observers[k].eventBegins();
    this.#process(false);
    this.#joints.review(clock, x);
    this.#writer.write(clock, x, this.state);
    if (isJump) {
      this.state[0] = this.before[0];
      this.#move(clock[0] - this.before[0]);
    }
    this.#handling.scheduleReturns(this.manager);
    this.#integrator.restart(this.#watch());
    this.certificate.row(this.state);
    this.#judgeImpact();
    for (let k = 0; k < this.#observers.length; k++) this.#observers[k].eventEnded();
  }

  /**
   * The present, from which `loadState` goes on with the same bits as this simulation does from here. For that, the integration of
   * this one begins afresh as well: a step length that has grown is no part of the state.
   */
  exportState(): EventDrivenState {
    this.#leave();
    const { clock, x } = this.#integrator;
    const state = {
      time: clock[0],
      stamp: this.manager.current.slice(),
      x: x.slice(),
      ...this.#memory.save(),
    };
    this.#beginAnew();
    return state;
  }

  /**
   * Begins once more at the start, from another state, with the bits of a new simulation from there. What follows from the model alone is
   * kept, which is most of the work of a new one: this is for many short motions.
   * @param start x at t₀
   * @returns false where the motion so far has changed what the model is taken for: a new simulation is needed
   * @throws {EngineError} for an inconsistent start
   */
  restartFrom(start: Float64Array): boolean {
    // Whoever looks on, and what was scheduled, belongs to the motion before.
    const isFree = this.#energy === null && this.#observers.length === 0 && this.manager.past.length === 0;
    if (!isFree || this.#integrator.isDeviating) return false;
    this.manager.rewind();
    this.#scheduleJumps();
    this.#memory.load(this.#untouched);
    this.#event.clear();
    this.#count.begin();
    this.drift.begin();
    this.events.length = 0;
    this.#flow.setModes(this.#event.carries);
    this.#flow.lambda.fill(0);
    this.state.fill(0);
    this.before.fill(0);
    this.#begin(this.manager.grid.t0, start);
    this.#integrator.prepare();
    return true;
  }

  /**
   * Goes to a state that a simulation of the same model and settings has exported. Events and certificate are reset, and nothing is scheduled but
   * the jumps of the settings.
   */
  loadState(state: EventDrivenState): void {
    const { clock, x } = this.#integrator;
    this.#integrator.start(state.time);
    this.#integrator.forget();
    x.set(state.x);
    this.#memory.load(state);
    this.manager.moveTo(state.stamp, state.time);
    this.#scheduleJumps();
    this.events.length = 0;
    this.#handling.scheduleReturns(this.manager, state.returns);
    this.#beginAnew();
    this.#writer.write(clock, x, this.state);
    this.rowsAtEvent = 1;
    this.impulses.fill(0);
    this.#energy?.start(this.state);
  }

  /** Everything that depends on how the present was reached is formed anew. */
  #beginAnew(): void {
    const { clock, x } = this.#integrator;
    const { isCandidate, carries } = this.#event;
    isCandidate.fill(0);
    this.#flow.setModes(carries);
    this.#conditions?.release();
    this.#conditions?.settle(clock, x, true);
    this.#event.outputs.read(clock, x);
    this.#integrator.start(clock[0]);
    this.#joints.begin(clock, x);
    this.#integrator.restart(this.#watch());
  }
}
