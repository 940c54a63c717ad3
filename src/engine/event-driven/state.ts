/**
 * What a simulation leaves for going on from an event with the same bits. Plain data; see
 * `EventDriven.exportState`.
 */
import type { Assembly } from './assembly';
import type { ZenoState } from './impact/zeno';

export interface EventDrivenState {
  readonly time: number;
  /** stamp of the present event */
  readonly stamp: Float64Array;
  /** integrated state, q | v */
  readonly x: Float64Array;
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
}

/*
 * What the decisions of a simulation remember of the motion before: modes, magnitudes, what is about to come.
 */

export type Remembered = Omit<EventDrivenState, 'time' | 'stamp' | 'x'>;

export function rememberState({ flow, event, decision, zeno }: Assembly): Remembered {
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
  };
}

/** The modes stand as they were; what follows from them is formed again by `rewind` and `readAgain`. */
function recall({ flow, event, decision, zeno }: Assembly, remembered: Remembered): void {
  flow.modes.set(remembered.modes);
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
}

/* A simulation that is saved, goes to a saved state, or goes back to its start. */

/** The present of a simulation. */
export function savedState(parts: Assembly): EventDrivenState {
  const { clock, x } = parts.integrator;
  return { time: clock[0], stamp: parts.manager.current.slice(), x: x.slice(), ...rememberState(parts) };
}

/** Goes to a saved state, with nothing scheduled. */
export function goTo(parts: Assembly, state: EventDrivenState): void {
  const { integrator, manager, events } = parts;
  integrator.start(state.time);
  integrator.forget();
  integrator.x.set(state.x);
  recall(parts, state);
  manager.moveTo(state.stamp, state.time);
  events.length = 0;
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
  parts.events.length = 0;
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
