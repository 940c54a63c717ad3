/**
 * What carries the state from event to event: exact arcs in modes in which the motion is linear with constant coefficients,
 * the general integration in others. Both have one clock, one state and one report of roots, those of whichever is in use.
 */
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { RootReport } from '../smooth/event-functions';
import type { SmoothIntegrator } from '../smooth/smooth-integrator';
import type { FailurePlace, SmoothCounters, SmoothStatus } from '../smooth/status';
import { ExactArcs } from '../smooth-arcs/exact-arcs';
import type { FlightIntegrator } from '../smooth-arcs/flight-integrator';
import { notExact } from './failures';
import { LinearModes } from './linear-modes';
import { type FlightChoice, ModeFlights } from './mode-flights';
import type { RelationRows } from './relation-rows';
import type { RowEvents } from './row-events';
import type { RowLaws } from './row-laws';
import type { SmoothFlow } from './smooth-flow';

/** Which flights a user asks for: exact ones where the model allows it and they are cheap, wherever it allows it, or none. */
export type FlightKind = 'automatic' | 'exact' | 'integrated';

/**
 * Where the choice is free: a system is formed for each set of modes by as many rates as it has states, and is walked through
 * in arcs of 1.5 reciprocals of its fastest rate, also where that has died out.
 */
const AUTOMATIC: FlightChoice = { largest: 32, mostArcs: 32 };
const WHEREVER: FlightChoice = { largest: Infinity, mostArcs: Infinity };
/** Arcs or steps of one call before it counts as failed. */
const MAX_STEPS = 1_000_000;

/** The parts of a simulation that flights are made of. */
export interface FlightParts {
  readonly model: NonSmoothDynamicalSystem;
  readonly laws: RowLaws;
  readonly rows: RelationRows;
  readonly flow: SmoothFlow;
  readonly functions: RowEvents;
  readonly integrator: SmoothIntegrator;
  /** joints whose equations of motion are not those of the flow; null when there are none */
  readonly joints: string | null;
}

/**
 * @param h step of the discretisation, s
 * @throws {EngineError} where exact flights are asked for and the model has none
 */
export function createFlights(parts: FlightParts, kind: FlightKind, h: number): Flights {
  const { model, laws, rows, flow, functions, integrator, joints } = parts;
  if (kind === 'integrated') return new Flights(integrator, null, functions);
  const modes = new LinearModes(model, laws);
  const obstacle =
    joints === null ? modes.obstacle : { where: joints, what: 'its formulation is not that of multipliers' };
  if (obstacle !== null && kind === 'exact') throw notExact(obstacle.where, obstacle.what);
  const choice = kind === 'exact' ? WHEREVER : AUTOMATIC;
  if (obstacle !== null || flow.size > choice.largest) return new Flights(integrator, null, functions);
  return new Flights(integrator, new ModeFlights(laws, rows, flow, functions, modes, choice, h), functions);
}

export class Flights implements FlightIntegrator {
  #present: FlightIntegrator;
  /** made when modes first ask for it */
  #arcs: ExactArcs | null = null;
  #whenDone: (() => void) | null = null;
  /** whether modes may have changed since the last advance: what they ask for is decided when somebody goes on */
  #isChanged = false;
  #isZero: Uint8Array | undefined;
  /** [0] longest part of a stretch on which a few values resolve the motion, s */
  readonly resolution = Float64Array.of(Infinity);

  /** @param exact null where all motion is to be integrated */
  constructor(
    private readonly integrator: SmoothIntegrator,
    private readonly exact: ModeFlights | null,
    private readonly functions: RowEvents,
  ) {
    this.#present = integrator;
  }

  /** Which of the two is in use. */
  get kind(): 'exact' | 'integrated' {
    this.#choose();
    return this.#present === this.integrator ? 'integrated' : 'exact';
  }

  get clock(): Float64Array {
    return this.#present.clock;
  }

  get x(): Float64Array {
    return this.#present.x;
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
    return this.#present.stretch;
  }

  set whenDone(action: (() => void) | null) {
    this.#whenDone = action;
    this.integrator.whenDone = action;
    if (this.#arcs !== null) this.#arcs.whenDone = action;
  }

  get whenDone(): (() => void) | null {
    return this.#whenDone;
  }

  sample(place: Float64Array, out: Float64Array): void {
    this.#present.sample(place, out);
  }

  start(t: number): void {
    this.#present.start(t);
  }

  /** @param isZero is read again when the simulation goes on */
  restart(isZero?: Uint8Array): void {
    this.#present.restart(isZero);
    this.#isZero = isZero;
    this.#isChanged = true;
  }

  /** Forces may be others from here on; to be followed by `restart`. */
  forget(): void {
    this.exact?.forget();
  }

  /** Changes to what the present modes ask for. */
  #choose(): void {
    const { exact, integrator } = this;
    if (exact === null || !this.#isChanged) return;
    this.#isChanged = false;
    const present = this.#present;
    const flight = exact.find(present.clock[0]);
    let next: FlightIntegrator = integrator;
    if (flight !== null) {
      this.#arcs ??= this.#createArcs();
      this.#arcs.change(flight);
      next = this.#arcs;
    }
    this.resolution[0] = flight === null ? Infinity : flight.flow.limits[1];
    if (next === present) return;
    next.x.set(present.x);
    next.start(present.clock[0]);
    next.restart(this.#isZero);
    this.#present = next;
  }

  #createArcs(): ExactArcs {
    const size = this.integrator.x.length;
    const still = { size, matrix: new Float64Array(size * size), constant: new Float64Array(size) };
    const { functions, integrator } = this;
    const arcs = new ExactArcs(still, { maxSteps: MAX_STEPS }, functions, integrator.counters);
    arcs.whenDone = this.#whenDone;
    return arcs;
  }

  advance(tOut: number, tStop?: number): SmoothStatus {
    this.#choose();
    return this.#present.advance(tOut, tStop);
  }
}
