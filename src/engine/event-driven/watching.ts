/** What the integration has to know of its event functions when it begins in new modes: which are watched, and which start at zero. */
import type { ModeDecision } from './mode-decision';
import { OUTSIDE } from './friction-coupling';
import { FUNCTIONS, type RowEvents } from './row-events';
import type { RowLaws } from './row-laws';
import { ACTIVE } from './row-modes';
import type { RowState } from './row-state';
import type { SmoothFlow } from './smooth-flow';

/** Part of what counts as zero in a force by which an event function is moved after a tie. */
const TIE_SHIFT = 1e-3;
/** The same where the forces of the row have all been zero, as a part of those of other rows. */
const OF_OTHERS = 1e-12;
/** Gap or slip, relative to the lengths or speeds at hand, that drift may have left on the other side where a flight begins. */
const DRIFT = 1e-10;
/** The same of other outputs, in units of what counts as zero. */
const RESTING = 1e4;

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
    const largest = this.#largestForce();
    for (let row = 0; row < laws.count; row++) {
      functions.shift[row] = isTie[row] === 1 ? this.#shift(zeroForce[row], largest) : 0;
      const isOpen = flow.modes[row] !== ACTIVE;
      const isAtZero =
        (isCandidate[row] === 1 && laws.degree[row] > 0) ||
        Math.abs(state.output(row)) <= Math.max(state.zero(row), state.startOverlap[row]);
      this.#isZero[FUNCTIONS * row] = isOpen && isAtZero ? 1 : 0;
      // A gap that counts as closed at an event has touched zero when it comes that close in between.
      if (laws.kind[row] === 'contact') functions.band[FUNCTIONS * row] = state.closed(row);
      this.#setSlack(row);
    }
    functions.watchModes();
    return this.#isZero;
  }

  /** @param largest force of all rows so far; where there has been none, only the tolerance of the states says what is small */
  #shift(zeroForce: number, largest: number): number {
    if (zeroForce > 0) return TIE_SHIFT * zeroForce;
    return largest > 0 ? OF_OTHERS * largest : this.state.smallest;
  }

  #largestForce(): number {
    const { forces } = this.decision;
    let largest = 0;
    for (let row = 0; row < forces.length; row++) largest = Math.max(largest, forces[row]);
    return largest;
  }

  /** How far a function may be on the other side of zero where the flight begins, without having been missed. */
  #setSlack(row: number): void {
    const { laws, state, decision } = this;
    const { slack, departure } = this.functions;
    const at = FUNCTIONS * row;
    const isFriction = laws.kind[row] === 'friction';
    if (laws.kind[row] === 'contact') slack[at] = DRIFT * state.length(row);
    else if (isFriction) slack[at] = DRIFT * state.fastest(row);
    else slack[at] = RESTING * state.zero(row);
    slack[at] = Math.max(slack[at], 2 * state.startOverlap[row]);
    // An output that leaves zero with a curvature only is rounding at first, on either side.
    departure[at] = laws.kind[row] === 'contact' ? 0 : state.zero(row);
    const force = isFriction
      ? OUTSIDE * Math.max(decision.forces[row], decision.forces[row - 1])
      : decision.zeroForce[row];
    slack[at + 1] = force;
    slack[at + 2] = force;
    // Of a force that begins at its bound and is not known to leave it, rounding of differences may come and go.
    departure[at + 1] = decision.isTie[row] === 1 ? force : 0;
    departure[at + 2] = departure[at + 1];
  }
}
