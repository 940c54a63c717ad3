/**
 * What carries the state from event to event: exact arcs in modes in which the motion is linear with constant
 * coefficients, the general integration in others. Both have one clock, one state and one report of roots,
 * those of whichever is in use. Forces of time that exact arcs carry along as further components stand behind
 * the state, where nothing else looks.
 */
import type { EngineError } from '../../errors';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import { ExactArcs } from '../../smooth-arcs/exact-arcs';
import type { ForcedSystem } from '../../smooth-arcs/analytic-forcing';
import type { FlightIntegrator, LinearFlight } from '../../smooth-arcs/linear-flight';
import { SparseSystem } from '../../smooth-arcs/linear-system';
import type { ArcEvents } from '../../smooth-arcs/moving-target';
import type { RootReport } from '../../smooth/event-functions';
import type { SmoothIntegrator } from '../../smooth/smooth-integrator';
import type { FailurePlace, SmoothCounters, SmoothStatus } from '../../smooth/ode-system';
import type { CompiledModel } from '../compiled-model';
import { isOneSided } from '../network/linear-network';
import { componentName, jointFailure, notExact, singularMass, smoothFailure } from '../failures';
import type { JointFormulation } from '../joints/formulation';
import type { RowEvents } from '../rows/row-events';
import type { RowLaws } from '../rows/row-laws';
import { AnalyticForces } from './analytic-forces';
import { BallisticFlight, isFreeBut } from './ballistic-flight';
import { ModeArcs } from '../skim/mode-arcs';
import { SkimArcs } from '../skim/skim-arcs';
import type { FreeMotion } from './free-motion';
import { type FlightChoice, LinearModes, ModeFlights } from './mode-flights';
import type { SmoothFlow } from './smooth-flow';

/**
 * Which flights a user asks for: exact ones where the model allows it and they are cheap, wherever it allows
 * it, or none.
 */
export type FlightKind = 'automatic' | 'exact' | 'integrated';

/**
 * Where the choice is free: a system is formed for each set of modes by as many rates as it has states, and
 * is walked through in arcs of 1.5 reciprocals of its fastest rate, also where that has died out.
 */
const AUTOMATIC: FlightChoice = { largest: 32, mostArcs: 32 };
/** Of networks, which are stiff: a system costs less than the factors that an integration of them takes. */
const OF_NETWORKS: FlightChoice = { largest: 128, mostArcs: 32 };
const WHEREVER: FlightChoice = { largest: Infinity, mostArcs: Infinity };
/** Of a force that a scheduled event has changed. */
const CHANGED = 'its force is no longer the function of time that its source says';
/** Arcs or steps of one call before it counts as failed. */
const MAX_STEPS = 1_000_000;

/** The parts of a simulation that flights are made of. */
export interface FlightParts extends CompiledModel {
  readonly functions: RowEvents;
  /** all event functions: those of the rows, and what is watched besides */
  readonly watched: ArcEvents;
  readonly integrator: SmoothIntegrator;
  /** [0] start and [1] end of the simulation, s */
  readonly span: readonly [number, number];
  /** joints whose equations of motion are not those of the flow; null when there are none */
  readonly joints: string | null;
}

/** Sliding in a tangent plane is no linear motion: friction turns with the slip. */
const slipIn = ({ slipRows, names }: RowLaws): { where: string; what: string } | null =>
  slipRows.length === 0
    ? null
    : { where: names[slipRows[0]], what: 'its friction acts in a tangent plane, against a slip that turns' };

/**
 * @param h step of the discretisation, s
 * @throws {EngineError} where exact flights are asked for and the model has none
 */
export function createFlights(parts: FlightParts, kind: FlightKind, h: number): Flights {
  const { model, laws, rows, flow, motion, functions, watched, integrator, joints, span } = parts;
  if (kind === 'integrated') return new Flights(integrator, null, watched);
  // Offsets of rows with two bounds are left to the integration, as those of which only values are known.
  const isKnown = model.interactions.every(
    ({ relation, law }) => isOneSided(law) && (!relation.isTimeDependent || relation.offsets !== undefined),
  );
  const offsets = isKnown ? model.interactions.filter(({ relation }) => relation.offsets !== undefined) : [];
  const hasForces = model.systems.some(({ form }) => form.analytic !== undefined) || offsets.length > 0;
  const forces = hasForces
    ? new AnalyticForces(model.systems, flow.places, span[1], isKnown ? model.interactions : [])
    : null;
  const deviating = forces?.firstDeviation(span[0]) ?? null;
  const modes = new LinearModes(model, laws, deviating, offsets.length > 0 && deviating === null);
  const obstacle =
    slipIn(laws) ??
    (joints === null
      ? modes.obstacle
      : { where: joints, what: 'its formulation is not that of multipliers' });
  if (obstacle !== null && kind === 'exact') throw notExact(obstacle.where, obstacle.what);
  const choice = kind === 'exact' ? WHEREVER : flow.network === null ? AUTOMATIC : OF_NETWORKS;
  const size = flow.size + (forces?.components ?? 0);
  const isBallistic =
    size > AUTOMATIC.largest && obstacle === null && watched === functions && isFreeBut(parts);
  if (obstacle !== null || (size > choice.largest && !isBallistic))
    return new Flights(integrator, null, watched);
  if (deviating === null && isKnown && (offsets.length > 0 || flow.network !== null)) rows.known = forces;
  if (flow.network !== null)
    flow.network.network.isExact =
      deviating === null && (rows.known !== null || !flow.network.network.isTimed);
  const forcing = forces === null ? null : { forces, motion };
  const watchesMore = watched !== functions;
  const ballistic = isBallistic ? new BallisticFlight(laws, rows, flow, functions, span[1] - span[0]) : null;
  const exact = new ModeFlights(
    laws,
    rows,
    flow,
    functions,
    modes,
    choice,
    h,
    forcing,
    watchesMore,
    ballistic,
  );
  const whenDeviating = (id: string): void => {
    rows.known = null;
    if (flow.network !== null) flow.network.network.isExact = false;
    if (kind === 'exact') throw notExact(id, CHANGED);
  };
  return new Flights(integrator, exact, watched, whenDeviating);
}

/** What carries motion that is not recorded. */
type SkimmedFlight = Pick<FlightIntegrator, 'clock' | 'x' | 'stretch' | 'sample'>;

export class Flights implements FlightIntegrator {
  /** system of the present arcs; null where the motion is integrated */
  linear: LinearFlight | null = null;
  /**
   * arcs that are written out for a flight in the present modes, where the motion is not recorded; null
   * where it is, or where there are none
   */
  #written: ((flight: LinearFlight) => ModeArcs | null) | null = null;
  /** [0] time of the last restart, s */
  readonly #restarted = new Float64Array(1);
  #present: FlightIntegrator | ModeArcs;
  /** what carries the motion in their place where it is not recorded; null elsewhere */
  #skimmed: SkimmedFlight | null = null;
  #x: Float64Array;
  /** state with the components behind it, as arcs have it */
  #whole = new Float64Array(0);
  /** made when modes first ask for it */
  #arcs: ExactArcs | null = null;
  /** state of the arcs without the components behind it */
  #arcsState: Float64Array = new Float64Array(0);
  /** whether a force is not what its form says any more */
  #isDeviating = false;
  #whenDone: (() => void) | null = null;
  /**
   * whether modes may have changed since the last advance: what they ask for is decided when somebody goes on
   */
  #isChanged = false;
  #isZero: Uint8Array | undefined;
  /** how often forces may have become others */
  changes = 0;
  /** [0] longest part of a stretch on which a few values resolve the motion, s */
  readonly resolution = Float64Array.of(Infinity);

  /** @param exact null where all motion is to be integrated */
  constructor(
    private readonly integrator: SmoothIntegrator,
    private readonly exact: ModeFlights | null,
    private readonly functions: ArcEvents,
    /**
     * called with the id of a system or interaction whose force or offset is not what its form says any more;
     * motion is integrated from there
     */
    private readonly whenDeviating: (id: string) => void = () => undefined,
  ) {
    this.#present = integrator;
    this.#x = integrator.x;
  }

  /** Forms what the present modes ask for, so that the first advance need not. */
  prepare(): void {
    this.#choose();
  }

  /** What forces of time are carried along behind the state; null where there are none. */
  get forced(): ForcedSystem | null {
    return this.exact?.forced ?? null;
  }

  /** Whether a force was found not to be what its form says. */
  get isDeviating(): boolean {
    return this.#isDeviating;
  }

  /** Whether the motion is a parabola in time in all modes. */
  get isParabola(): boolean {
    return this.exact !== null && this.exact.ballistic !== null;
  }

  /** Which of the two is in use. */
  get kind(): 'exact' | 'integrated' {
    this.#choose();
    return this.#present === this.integrator ? 'integrated' : 'exact';
  }

  /** The arcs that carry the motion, where they are written out; chooses nothing. */
  get written(): ModeArcs | null {
    return this.#present instanceof ModeArcs ? this.#present : null;
  }

  /** Whether the flight behind was integrated; chooses nothing. */
  get wasIntegrated(): boolean {
    return this.#present === this.integrator;
  }

  /** The arcs that carry the motion where it is skimmed; null elsewhere. */
  get skimmed(): SkimArcs | null {
    return this.#skimmed instanceof SkimArcs ? this.#skimmed : null;
  }

  get clock(): Float64Array {
    return (this.#skimmed ?? this.#present).clock;
  }

  get x(): Float64Array {
    return this.#x;
  }

  get roots(): RootReport {
    return this.#present.roots;
  }

  get failure(): FailurePlace {
    return this.#present.failure;
  }

  get counters(): SmoothCounters {
    return this.integrator.counters;
  }

  get stretch(): Float64Array {
    return (this.#skimmed ?? this.#present).stretch;
  }

  set whenDone(action: (() => void) | null) {
    this.#whenDone = action;
    this.integrator.whenDone = action;
    if (this.#arcs !== null) this.#arcs.whenDone = action;
    if (this.#present instanceof ModeArcs) this.#present.whenDone = action;
  }

  get whenDone(): (() => void) | null {
    return this.#whenDone;
  }

  /** See `SmoothIntegrator.memory`. */
  get memory(): Float64Array | null {
    return this.integrator.memory;
  }

  /** Length of the step that the present lies on, where the motion is integrated, s. */
  get stepLength(): number {
    return this.integrator.stepLength;
  }

  sample(place: Float64Array, out: Float64Array): void {
    if (this.#skimmed !== null) {
      this.#skimmed.sample(place, out);
      return;
    }
    const whole = this.#whole;
    if (this.#present === this.integrator || whole.length === out.length) {
      this.#present.sample(place, out);
      return;
    }
    this.#present.sample(place, whole);
    for (let i = 0; i < out.length; i++) out[i] = whole[i];
  }

  start(t: number): void {
    this.#present.start(t);
  }

  /** Lets arcs that record nothing carry the motion from the present on, until `endSkimming`. */
  beginSkimming(arcs: SkimmedFlight): void {
    const n = this.#x.length;
    for (let i = 0; i < n; i++) arcs.x[i] = this.#x[i];
    arcs.clock[0] = this.clock[0];
    this.#skimmed = arcs;
    this.#x = arcs.x.subarray(0, n);
  }

  /** Takes time and state over; to be followed by `restart`. */
  endSkimming(): void {
    const arcs = this.#skimmed;
    if (arcs === null) return;
    this.#skimmed = null;
    this.#x = this.stateOf(this.#present);
    for (let i = 0; i < this.#x.length; i++) this.#x[i] = arcs.x[i];
    this.#present.start(arcs.clock[0]);
  }

  /**
   * Lets arcs that are written out carry the motion from the present on, where there are some.
   * @param written of a flight in the present modes; null for the general ones again
   */
  write(written: ((flight: LinearFlight) => ModeArcs | null) | null): void {
    if (written === this.#written) return;
    this.#written = written;
    if (this.exact !== null) this.#isChanged = true;
  }

  /**
   * Arcs that are written out have carried the motion to the present by themselves, through other modes than
   * those before.
   * @param since time of the last event, s, @param isZero of it
   */
  adopt(arcs: ModeArcs, since: number, isZero: Uint8Array): void {
    this.#restarted[0] = since;
    this.#isZero = isZero;
    this.#isChanged = false;
    this.#present = arcs;
    this.#x = this.stateOf(arcs);
    this.linear = arcs.flight;
    this.resolution[0] = arcs.flight.flow.limits[1];
    arcs.whenDone = this.#whenDone;
  }

  /** @param isZero is read again when the simulation goes on */
  restart(isZero?: Uint8Array): void {
    this.#restarted[0] = this.clock[0];
    this.#present.restart(isZero);
    this.#isZero = isZero;
    this.#isChanged = true;
  }

  /** Forces may be others from here on; to be followed by `restart`. */
  forget(): void {
    const { exact } = this;
    this.changes++;
    if (exact === null || this.#isDeviating) return;
    exact.forget();
    const deviating = exact.forcing?.forces.firstDeviation(this.clock[0]) ?? null;
    if (deviating === null) return;
    this.whenDeviating(deviating);
    this.#isDeviating = true;
  }

  /** Goes on by integration from the present state of the arcs. */
  #leaveArcs(): void {
    const { integrator, resolution } = this;
    resolution[0] = Infinity;
    if (this.#present !== integrator) this.#enter(integrator, integrator.x);
  }

  /** Another integrator goes on from the present. @param x its state */
  #enter(next: FlightIntegrator | ModeArcs, x: Float64Array): void {
    const { clock } = this.#present;
    for (let i = 0; i < x.length; i++) x[i] = this.#x[i];
    next.start(clock[0]);
    // What was zero then need not be so any more.
    next.restart(clock[0] === this.#restarted[0] ? this.#isZero : undefined);
    this.#present = next;
    this.#x = x;
  }

  /** Changes to what the present modes ask for. */
  #choose(): void {
    const { exact } = this;
    if (exact === null || !this.#isChanged) return;
    this.#isChanged = false;
    const present = this.#present;
    const flight = this.#isDeviating ? null : exact.find(present.clock[0]);
    this.linear = flight;
    exact.announce(flight !== null);
    if (flight === null) {
      this.#leaveArcs();
      return;
    }
    const written = this.#written?.(flight) ?? null;
    if (written === null) this.#useArcs(flight);
    else {
      written.whenDone = this.#whenDone;
      this.resolution[0] = flight.flow.limits[1];
      if (present !== written) this.#enter(written, this.stateOf(written));
    }
  }

  /** The state of the model in that of a flight. */
  stateOf(flight: FlightIntegrator | ModeArcs): Float64Array {
    if (flight === this.integrator) return this.integrator.x;
    return flight === this.#arcs ? this.#arcsState : flight.x.subarray(0, this.#x.length);
  }

  /** The general arcs go on from the present. */
  #useArcs(flight: LinearFlight): void {
    this.#arcs ??= this.#createArcs(flight.flow.size);
    this.#arcs.change(flight);
    if (this.#present !== this.#arcs) this.#enter(this.#arcs, this.#arcsState);
    this.exact?.forced?.writeSignals(this.#arcs.clock, this.#arcs.x);
  }

  /** @param size components of the state, and of forces of time behind it */
  #createArcs(size: number): ExactArcs {
    const { functions, integrator } = this;
    const settings = { maxSteps: MAX_STEPS };
    const arcs = new ExactArcs(
      SparseSystem.still(size),
      settings,
      functions,
      integrator.counters,
      this.resolution,
    );
    arcs.whenDone = this.#whenDone;
    this.#arcsState = arcs.x.subarray(0, integrator.x.length);
    this.#whole = new Float64Array(size);
    return arcs;
  }

  advance(tOut: number, tStop?: number): SmoothStatus {
    this.#choose();
    const status = this.#present.advance(tOut, tStop);
    if (status !== 'refused') return status;
    if (this.linear !== null) this.#useArcs(this.linear);
    return this.advance(tOut, tStop);
  }
}

/* Why an integration between events came to its end, as an error that names the place. */

export interface FailedParts {
  readonly model: NonSmoothDynamicalSystem;
  readonly integrator: Flights;
  readonly motion: FreeMotion;
  readonly joints: JointFormulation;
  readonly flow: SmoothFlow;
  readonly functions: RowEvents;
}

/**
 * The cause comes before what the integrator has seen of it: a mass that is singular, joints whose block is.
 */
export function flightFailure(
  status: Exclude<SmoothStatus, 'reached' | 'root'>,
  { model, integrator, motion, joints, flow, functions }: FailedParts,
): EngineError {
  const { clock: present, x } = integrator;
  if (motion.singular >= 0) return singularMass(model.systems[motion.singular].id, present[0]);
  if (joints.isSingular(present, x)) return jointFailure('singularDependentBlock', present[0]);
  const { index, clock } = integrator.failure;
  if (index < 0) return smoothFailure(status, '', clock[0]);
  const place =
    status === 'eventNotFinite' ? functions.describe(index) : componentName(model, flow.places, index);
  return smoothFailure(status, place, clock[0]);
}
