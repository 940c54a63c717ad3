/** What the decisions of a simulation remember of the motion before: modes, magnitudes, what is about to come. */
import type { EventHandling } from './event-handling';
import type { ModeDecision } from './mode-decision';
import type { RowState } from './row-state';
import type { SmoothFlow } from './smooth-flow';
import type { EventDrivenState } from './state';
import type { ZenoDetector } from './zeno';

export type Remembered = Omit<EventDrivenState, 'time' | 'stamp' | 'x'>;

export class Memory {
  constructor(
    private readonly flow: SmoothFlow,
    private readonly rowState: RowState,
    private readonly decision: ModeDecision,
    private readonly zeno: ZenoDetector,
    private readonly handling: EventHandling,
  ) {}

  save(): Remembered {
    const { modes, friction } = this.flow;
    const { scales, forces, zeroForce, isTie, carries } = this.decision;
    return {
      modes: modes.slice(),
      ties: isTie.slice(),
      carries: carries.slice(),
      ratios: friction?.ratio.slice() ?? new Float64Array(0),
      held: friction?.held.slice() ?? new Float64Array(0),
      ...this.rowState.save(),
      scales: scales.slice(),
      forces: forces.slice(),
      zeroForce: zeroForce.slice(),
      zeno: this.zeno.save(),
      returns: this.handling.returns.slice(),
    };
  }

  /** The modes stand as they were; what follows from them is for the caller to form anew. */
  load(remembered: Remembered): void {
    const { flow, decision } = this;
    flow.modes.set(remembered.modes);
    flow.friction?.ratio.set(remembered.ratios);
    flow.friction?.held.set(remembered.held);
    this.rowState.load(remembered);
    decision.scales.set(remembered.scales);
    decision.forces.set(remembered.forces);
    decision.zeroForce.set(remembered.zeroForce);
    decision.isTie.set(remembered.ties);
    decision.carries.set(remembered.carries);
    this.zeno.load(remembered.zeno);
    this.handling.returns.set(remembered.returns);
  }
}
