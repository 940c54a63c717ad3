/** What a simulation leaves for going on from an event with the same bits. Plain data; see `EventDriven.exportState`. */
import type { ModeDecision } from './decision/mode-decision';
import type { EventState } from './event-state';
import type { SmoothFlow } from './flow/smooth-flow';
import type { ZenoDetector, ZenoState } from './impact/zeno';

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

/* What the decisions of a simulation remember of the motion before: modes, magnitudes, what is about to come. */

export type Remembered = Omit<EventDrivenState, 'time' | 'stamp' | 'x'>;

export class Memory {
  constructor(
    private readonly flow: SmoothFlow,
    private readonly event: EventState,
    private readonly decision: ModeDecision,
    private readonly zeno: ZenoDetector,
  ) {}

  save(): Remembered {
    const { modes, friction } = this.flow;
    const { scales, forces } = this.decision;
    const { zeroForce, isTie, carries, returns, outputs } = this.event;
    return {
      modes: modes.slice(),
      ties: isTie.slice(),
      carries: carries.slice(),
      ratios: friction?.ratio.slice() ?? new Float64Array(0),
      held: friction?.held.slice() ?? new Float64Array(0),
      ...outputs.save(),
      scales: scales.slice(),
      forces: forces.slice(),
      zeroForce: zeroForce.slice(),
      zeno: this.zeno.save(),
      returns: returns.slice(),
    };
  }

  /** The modes stand as they were; what follows from them is for the caller to form anew. */
  load(remembered: Remembered): void {
    const { flow, event, decision } = this;
    flow.modes.set(remembered.modes);
    flow.friction?.ratio.set(remembered.ratios);
    flow.friction?.held.set(remembered.held);
    event.outputs.load(remembered);
    decision.scales.set(remembered.scales);
    decision.forces.set(remembered.forces);
    event.zeroForce.set(remembered.zeroForce);
    event.isTie.set(remembered.ties);
    event.carries.set(remembered.carries);
    this.zeno.load(remembered.zeno);
    event.returns.set(remembered.returns);
  }
}
