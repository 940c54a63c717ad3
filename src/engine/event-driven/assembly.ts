/**
 * The parts of an event-driven simulation, put together from a model and settings. Its algorithm is
 * `event-driven.ts`.
 */
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { StatePlaces } from '../model/state-places';
import type { RankReport } from '../multibody/redundancy';
import { SmoothIntegrator } from '../smooth/smooth-integrator';
import { EventCertificate } from './certificate/certificate';
import { FlightEnergy } from './certificate/flight-energy';
import { MotionCheck } from './certificate/motion-check';
import { type CompiledModel, compileModel } from './compiled-model';
import { type HeldConditions, createConditions } from './conditions/held-conditions';
import { WatchedFunctions } from './conditions/watched-functions';
import { ModeDecision } from './decision/mode-decision';
import type { EventRecord } from './event-record';
import { EventState } from './event-state';
import { EventCount, EventsManager, TimeGrid } from './events-manager';
import { DriftControl } from './flow/drift';
import { type Flights, createFlights } from './flow/flights';
import { EventHandling } from './impact/event-handling';
import { Impact } from './impact/impact';
import { ZenoDetector } from './impact/zeno';
import type { JointFormulation } from './joints/formulation';
import { startRedundancy } from './joints/initial-state';
import { createFormulation } from './joints/registry';
import { RowEvents, Watching } from './rows/row-events';
import { RowWriter } from './rows/row-sampler';
import { RowState } from './rows/row-state';
import type { CompleteSettings } from './settings';

/** Steps of one call of the integrator before it counts as failed. */
const MAX_STEPS = 1_000_000;
/** Number of steps: tEnd may be off a point of the discretisation by this part of a step. */
const LAST_STEP = 1e-6;

export interface Assembly extends CompiledModel {
  readonly event: EventState;
  readonly events: EventRecord[];
  readonly manager: EventsManager;
  readonly count: EventCount;
  readonly joints: JointFormulation;
  /** rank of the joints at the start */
  readonly redundancy: RankReport;
  readonly integrator: Flights;
  readonly functions: RowEvents;
  /** null, as the next one, where no function comes to a condition that can change */
  readonly conditions: HeldConditions | null;
  readonly watchedFunctions: WatchedFunctions | null;
  readonly watching: Watching;
  /** makes no step longer than the declared resolution from here on */
  readonly limitSteps: () => void;
  readonly zeno: ZenoDetector;
  readonly decision: ModeDecision;
  readonly drift: DriftControl;
  readonly handling: EventHandling;
  readonly writer: RowWriter;
  readonly certificate: EventCertificate;
  /** null, as the next one, where motion is not judged */
  readonly energy: FlightEnergy | null;
  readonly check: MotionCheck | null;
}

/** State x = q | v to start from: that of the forms, or of the settings as far as it goes. */
export function startState({ model, flow }: CompiledModel, start: Float64Array | undefined): Float64Array {
  const { offsets, positionOffsets, velocity } = flow.places;
  const x = new Float64Array(flow.size);
  model.systems.forEach(({ form }, s) => {
    x.set(form.order === 1 ? form.x0 : form.q0, positionOffsets[s]);
    if (form.order === 2) form.v0.forEach((v, k) => (x[velocity[offsets[s] + k]] = v));
  });
  if (start !== undefined) for (let i = 0; i < start.length; i++) x[i] = start[i];
  return x;
}

/** @throws {EngineError} for a model that the scheme cannot treat */
export function assemble(
  model: NonSmoothDynamicalSystem,
  places: StatePlaces,
  settings: CompleteSettings,
): Assembly {
  const { t0, tEnd, h, difference, constraints, absoluteTolerance, certify } = settings;
  const compiled = compileModel(model, settings);
  const { laws, motion, rows, flow } = compiled;
  const outputs = new RowState(laws, rows, flow, absoluteTolerance);
  const event = new EventState(outputs, laws.count, flow.size);
  const events: EventRecord[] = [];

  const functions = new RowEvents(model, laws, rows, flow);
  const zeno = new ZenoDetector(laws.count, t0);
  const decision = new ModeDecision(laws, flow, event, settings, zeno);
  const drift = new DriftControl(laws, flow, outputs, constraints, model);
  const impact = new Impact(laws, flow, event, settings);
  const steps = { impact, decision, drift, zeno, events };
  const handling = new EventHandling(laws, flow, event, steps, settings.smallestBounce);
  const joints = createFormulation(constraints, compiled, { difference, targets: outputs.target, events });
  const redundancy = startRedundancy(model, t0, difference);

  const certificate = new EventCertificate(model, places, settings.impacts.type, absoluteTolerance, h);

  const start = startState(compiled, settings.start);
  const conditions = createConditions(model, laws, flow, start, settings);
  const watchedFunctions = conditions === null ? null : new WatchedFunctions(functions, conditions);
  const watched = watchedFunctions ?? functions;
  const relative = settings.relativeTolerance;
  const absolute = new Float64Array(flow.size).fill(absoluteTolerance);
  const smooth = new SmoothIntegrator(
    joints.system,
    { tolerances: { relative, absolute }, method: settings.method, maxSteps: MAX_STEPS },
    watched,
  );
  const integrator = createFlights(
    {
      ...compiled,
      functions,
      watched,
      integrator: smooth,
      joints: joints.system === flow ? null : laws.names[laws.kind.indexOf('joint')],
      span: [t0, tEnd],
    },
    settings.flights,
    h,
  );

  const writer = new RowWriter(places, motion, flow, outputs);
  const energy = certify ? new FlightEnergy(model, places, h) : null;
  const write = (clock: Float64Array, x: Float64Array, row: Float64Array): void => {
    joints.complete(clock, x);
    writer.writeFlight(clock, x, row);
  };
  const check = certify
    ? new MotionCheck(model, places, integrator, integrator.resolution, { write }, certificate, energy, {
        t0,
        h,
      })
    : null;
  return {
    ...compiled,
    event,
    events,
    manager: new EventsManager(new TimeGrid(t0, h), Math.floor((tEnd - t0) / h + LAST_STEP)),
    count: new EventCount(settings.maxEventsPerStep),
    joints,
    redundancy,
    integrator,
    functions,
    conditions,
    watchedFunctions,
    watching: new Watching(laws, flow, event, decision, functions),
    limitSteps: () => {
      smooth.limitSteps(settings.fastest);
    },
    zeno,
    decision,
    drift,
    handling,
    writer,
    certificate,
    energy,
    check,
  };
}
