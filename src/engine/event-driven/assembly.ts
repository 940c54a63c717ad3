/**
 * The parts of an event-driven simulation: put together from a model and settings, and what they leave for
 * going on later. Its algorithm is `event-driven.ts`.
 */
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { PresenceRule } from '../model/settings/presences';
import type { StatePlaces } from '../model/state-places';
import type { RankReport } from '../multibody/redundancy';
import { GeneralisedAlpha } from '../smooth/generalised-alpha';
import type { FirstOrderForm } from '../model/forms';
import type { OdeSystem } from '../smooth/ode-system';
import { SmoothIntegrator } from '../smooth/smooth-integrator';
import type { StepData, StepMethod } from '../smooth/step-method';
import { EventCertificate } from './certificate/certificate';
import { FlightEnergy } from './certificate/flight-energy';
import { MotionCheck } from './certificate/motion-check';
import { StepCheck } from './certificate/step-check';
import { type CompiledModel, compileModel } from './compiled-model';
import { type HeldConditions, createConditions } from './conditions/held-conditions';
import { WatchedFunctions } from './conditions/watched-functions';
import { ModeDecision } from './decision/mode-decision';
import { EventLog } from './event-log';
import { EventState } from './event-state';
import { EventCount, EventsManager, TimeGrid } from './events-manager';
import { DriftControl } from './flow/drift';
import { type Flights, createFlights } from './flow/flights';
import { EventHandling } from './impact/event-handling';
import { Impact } from './impact/impact';
import { ZenoDetector, type ZenoState } from './impact/zeno';
import type { JointFormulation } from './joints/formulation';
import { startRedundancy } from './joints/initial-state';
import { createFormulation } from './joints/registry';
import { ResetGuards, type ResetMemory } from '../model/resets/guards';
import { EventResets } from './impact/event-resets';
import { EventPresence, type PresenceMemory } from './impact/event-presence';
import type { NetworkMemory } from './network/network-flow';
import { NetworkEvents } from './network/network-events';
import { GuardFunctions, joinGuards } from './rows/guard-functions';
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
  readonly events: EventLog;
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
  /** null where no state jumps by a reset */
  readonly resets: EventResets | null;
  /** null where all interactions are always there */
  readonly presence: EventPresence | null;
  readonly writer: RowWriter;
  readonly certificate: EventCertificate;
  /** null, as the next one, where motion is not judged */
  readonly energy: FlightEnergy | null;
  readonly check: MotionCheck | null;
  /** null also where steps choose their length */
  readonly stepCheck: StepCheck | null;
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

/** Steps of generalised-α, with the Jacobians of the forms where the flow is that of the forms alone. */
function generalisedAlpha(
  { flow, motion, rows }: CompiledModel,
  spectralRadius: number,
): (data: StepData) => StepMethod {
  const { places } = flow;
  const jacobian = (clock: Float64Array, x: Float64Array, out: Float64Array): boolean => {
    const isKnown = flow.activeCount === 0 && motion.hasJacobian && rows.isConstant;
    if (isKnown) motion.rateJacobian(clock, x, out);
    return isKnown;
  };
  return (data) => new GeneralisedAlpha(data, { places, spectralRadius, jacobian });
}

/** Conditions of presence, with the rows of the scheme that they are about. */
const rulesOf = ({ presence }: CompleteSettings, { graphs }: CompiledModel): readonly PresenceRule[] =>
  graphs === null ? presence : presence.map((rule) => ({ ...rule, ...graphs.range(rule) }));

/** ẋ = f(t, x) of a form, whose mass is one. */
const systemOf = (form: FirstOrderForm): OdeSystem => ({
  size: form.size,
  rate: (clock, x, out) => {
    form.rate(clock, x, out);
  },
});

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
  const events = new EventLog(laws);

  const writer = new RowWriter(places, motion, flow, outputs, compiled.graphs);
  const joints = createFormulation(constraints, compiled, { difference, targets: outputs.target, events });
  const whole = new Float64Array(flow.size);
  const writeWhole = (clock: Float64Array, x: Float64Array, row: Float64Array): void => {
    for (let i = 0; i < whole.length; i++) whole[i] = x[i];
    joints.complete(clock, whole);
    writer.writeMotion(clock, whole, row);
  };
  const presence =
    settings.presence.length === 0
      ? null
      : new EventPresence(rulesOf(settings, compiled), laws, flow, event, places, writeWhole);
  const guards =
    settings.resets.length === 0
      ? null
      : new GuardFunctions(
          new ResetGuards(settings.resets, model.systems.length),
          places,
          flow.places,
          writeWhole,
        );
  const functions = new RowEvents(compiled.model, laws, rows, flow, joinGuards(guards, presence));
  const zeno = new ZenoDetector(laws.count, t0);
  const decision = new ModeDecision(laws, flow, event, settings, zeno);
  const drift = new DriftControl(laws, flow, outputs, constraints, model, settings.spectralRadius !== null);
  const impact = new Impact(laws, flow, event, settings);
  const steps = { impact, decision, drift, zeno, events };
  const network =
    flow.network === null ? null : new NetworkEvents(laws, flow, flow.network, event, decision, difference);
  const handling = new EventHandling(laws, flow, event, steps, settings.smallestBounce, network);
  const redundancy = startRedundancy(model, t0, difference);

  const certificate = new EventCertificate(
    model,
    places,
    settings.impacts.type,
    absoluteTolerance,
    h,
    settings.resets,
    settings.presence,
  );

  const start = startState(compiled, settings.start);
  const conditions = createConditions(compiled.model, laws, flow, start, settings);
  const watchedFunctions =
    conditions === null ? null : new WatchedFunctions(functions, conditions, flow.size);
  const watched = watchedFunctions ?? functions;
  const relative = settings.relativeTolerance;
  const absolute = new Float64Array(flow.size).fill(absoluteTolerance);
  const { spectralRadius } = settings;
  const stepped = spectralRadius === null ? {} : { stepped: generalisedAlpha(compiled, spectralRadius) };
  const single = laws.count === 0 && joints.system === flow ? motion.single : null;
  const smooth = new SmoothIntegrator(
    single === null ? joints.system : systemOf(single),
    { tolerances: { relative, absolute }, method: settings.method, maxSteps: MAX_STEPS, ...stepped },
    watched,
  );
  const integrator = createFlights(
    {
      ...compiled,
      functions,
      watched,
      integrator: smooth,
      joints: joints.system === flow ? null : laws.ids[laws.kind.indexOf('joint')],
      span: [t0, tEnd],
    },
    settings.flights,
    h,
  );

  const energy = certify ? new FlightEnergy(model, places, h) : null;
  const write = (clock: Float64Array, x: Float64Array, row: Float64Array): void => {
    joints.complete(clock, x);
    writer.writeFlight(clock, x, row);
  };
  const grid = { t0, h };
  const stepCheck =
    certify && spectralRadius !== null
      ? new StepCheck(model, places, integrator, { write }, certificate, spectralRadius, grid)
      : null;
  const check = certify
    ? new MotionCheck(
        model,
        places,
        integrator,
        integrator.resolution,
        { write },
        certificate,
        energy,
        grid,
        stepCheck,
      )
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
    presence,
    resets:
      guards === null
        ? null
        : new EventResets(guards, flow, places, flow.places.positionOffsets, events, certificate, h),
    writer,
    certificate,
    energy,
    check,
    stepCheck,
  };
}

/*
 * What a simulation leaves for going on from an event with the same bits. Plain data; see
 * `EventDriven.exportState`.
 */

export interface EventDrivenState {
  readonly time: number;
  /** stamp of the present event */
  readonly stamp: Float64Array;
  /** integrated state, q | v */
  readonly x: Float64Array;
  /** what a method of given steps remembers beside it; absent of others */
  readonly memory?: Float64Array;
  readonly modes: Int8Array;
  readonly ties: Uint8Array;
  /** 1 for ACTIVE rows whose multiplier was inside its bounds where modes were decided */
  readonly carries: Uint8Array;
  /** λ_t/λ_n of sticking contacts, and what is held of λ_n, by row; empty without friction */
  readonly ratios: Float64Array;
  readonly held: Float64Array;
  /** directions of slips that are held; empty where no contact has friction in a tangent plane */
  readonly directions: Float64Array;
  /** multipliers where the modes were decided, by row */
  readonly decided: Float64Array;
  /** magnitudes of outputs, speeds, accelerations and multipliers so far, by row */
  readonly lengths: Float64Array;
  readonly speeds: Float64Array;
  readonly target: Float64Array;
  readonly scales: Float64Array;
  readonly forces: Float64Array;
  readonly zeroForce: Float64Array;
  readonly zeno: ZenoState;
  /** times at which contacts come back from flights that are too low to be seen; NaN of others */
  readonly returns: Float64Array;
  /** of a network whose modes are those of all rows together; absent where they never are */
  readonly network?: NetworkMemory;
  /** null where no state jumps by a reset */
  readonly resets: ResetMemory | null;
  /** null where all interactions are always there */
  readonly presence: PresenceMemory | null;
}

/*
 * What the decisions of a simulation remember of the motion before: modes, magnitudes, what is about to come.
 */

export type Remembered = Omit<EventDrivenState, 'time' | 'stamp' | 'x' | 'memory'>;

export function rememberState({ flow, event, decision, zeno, resets, presence }: Assembly): Remembered {
  const { modes, friction, discs } = flow;
  const { zeroForce, isTie, carries, returns, outputs } = event;
  return {
    modes: modes.slice(),
    ties: isTie.slice(),
    carries: carries.slice(),
    ratios: friction?.ratio.slice() ?? new Float64Array(0),
    held: friction?.held.slice() ?? new Float64Array(0),
    directions: discs?.held.slice() ?? new Float64Array(0),
    decided: flow.decided.slice(),
    ...outputs.save(),
    scales: decision.scales.slice(),
    forces: decision.forces.slice(),
    zeroForce: zeroForce.slice(),
    zeno: zeno.save(),
    returns: returns.slice(),
    ...(flow.network === null ? {} : { network: flow.network.save() }),
    resets: resets?.guards.save() ?? null,
    presence: presence?.save() ?? null,
  };
}

/** The modes stand as they were; what follows from them is formed again by `rewind` and `readAgain`. */
function recall({ flow, event, decision, zeno, resets, presence }: Assembly, remembered: Remembered): void {
  flow.modes.set(remembered.modes);
  if (remembered.network !== undefined) flow.network?.load(remembered.network);
  flow.friction?.ratio.set(remembered.ratios);
  flow.friction?.held.set(remembered.held);
  flow.discs?.held.set(remembered.directions);
  flow.decided.set(remembered.decided);
  event.outputs.load(remembered);
  decision.scales.set(remembered.scales);
  decision.forces.set(remembered.forces);
  event.zeroForce.set(remembered.zeroForce);
  event.isTie.set(remembered.ties);
  event.carries.set(remembered.carries);
  zeno.load(remembered.zeno);
  event.returns.set(remembered.returns);
  if (remembered.resets !== null) resets?.guards.load(remembered.resets);
  if (remembered.presence !== null) presence?.load(remembered.presence);
}

/* A simulation that is saved, goes to a saved state, or goes back to its start. */

/** The present of a simulation. */
export function savedState(parts: Assembly): EventDrivenState {
  const { clock, x, memory } = parts.integrator;
  const method = memory === null ? {} : { memory: memory.slice() };
  const stamp = parts.manager.current.slice();
  return { time: clock[0], stamp, x: x.slice(), ...method, ...rememberState(parts) };
}

/** Goes to a saved state, with nothing scheduled. */
export function goTo(parts: Assembly, state: EventDrivenState): void {
  const { integrator, manager, events } = parts;
  integrator.start(state.time);
  integrator.forget();
  integrator.x.set(state.x);
  recall(parts, state);
  manager.moveTo(state.stamp, state.time);
  events.clear();
}

/**
 * Goes back to before the start, with nothing scheduled.
 * @param untouched what there was to remember before the motion began
 * @returns false where that cannot be done: the energy of a motion is followed, or something has changed a
 *   force
 */
export function rewind(parts: Assembly, untouched: Remembered): boolean {
  const { integrator, manager, event, flow } = parts;
  // What was scheduled belongs to the motion before.
  if (parts.energy !== null || manager.past.length > 0 || integrator.isDeviating) return false;
  manager.rewind();
  recall(parts, untouched);
  event.clear();
  parts.count.begin();
  parts.drift.begin();
  parts.events.clear();
  flow.setModes(event.carries);
  flow.lambda.fill(0);
  return true;
}

/** Forms modes and outcomes at a present that has been saved or loaded, and reads its outputs. */
export function readAgain({ integrator, event, flow, conditions }: Assembly): void {
  const { clock, x } = integrator;
  event.isCandidate.fill(0);
  flow.setModes(event.carries);
  conditions?.release();
  conditions?.settle(clock, x, true);
  event.outputs.read(clock, x);
}
