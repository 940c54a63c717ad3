/** What the integration has to know of its event functions when it begins in new modes: which are watched, and which start at zero. */
import type { ModeDecision } from './mode-decision';
import { FUNCTIONS, type RowEvents } from './row-events';
import type { RowLaws } from './row-laws';
import { ACTIVE } from './row-modes';
import type { RowState } from './row-state';
import type { SmoothFlow } from './smooth-flow';

/** Part of what counts as zero in a force by which an event function is moved after a tie. */
const TIE_SHIFT = 1e-3;
/** The same where no force says what is small, in units of the force. */
const SMALLEST_SHIFT = 1e-12;

export class Watching {
  /** 1 for event functions that are zero where the integration begins */
  readonly #isZero: Uint8Array;

  constructor(
    private readonly laws: RowLaws,
    private readonly flow: SmoothFlow,
    private readonly state: RowState,
    private readonly decision: ModeDecision,
    private readonly functions: RowEvents,
  ) {
    this.#isZero = new Uint8Array(FUNCTIONS * laws.count);
  }

  /** Sets shifts, bands and watches for the present modes, at the state that has been read. @returns what starts at zero */
  begin(): Uint8Array {
    const { laws, flow, functions, state } = this;
    const { isTie, zeroForce, isCandidate } = this.decision;
    for (let row = 0; row < laws.count; row++) {
      functions.shift[row] = isTie[row] === 1 ? Math.max(TIE_SHIFT * zeroForce[row], SMALLEST_SHIFT) : 0;
      const isOpen = flow.modes[row] !== ACTIVE;
      const isAtZero =
        (isCandidate[row] === 1 && laws.degree[row] > 0) || Math.abs(state.output(row)) <= state.zero(row);
      this.#isZero[FUNCTIONS * row] = isOpen && isAtZero ? 1 : 0;
      // A gap that counts as closed at an event has touched zero when it comes that close in between.
      if (laws.kind[row] === 'contact') functions.band[FUNCTIONS * row] = state.closed(row);
    }
    functions.watchModes();
    return this.#isZero;
  }
}
