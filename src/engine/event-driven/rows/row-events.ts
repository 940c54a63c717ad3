/**
 * The event functions of the integration. Row r has three, of which its mode chooses those that are watched:
 *
 *     3r      its output: y, or ẏ of a velocity switch      falling in LOWER mode, rising in UPPER mode
 *     3r + 1  λ − l + shift                                 falling in ACTIVE mode, where l is finite
 *     3r + 2  u − λ + shift                                 the same at the other bound
 *
 * Friction of a closed contact has
 *
 *     3r      slip ẏ_t                      falling where it slides with ẏ_t > 0 (LOWER), rising with ẏ_t < 0
 *     3r + 1  λ_t + μ λ_n + shift           falling where it sticks
 *             (W_nn + f W_nt)/W_nn − 10⁻⁶   falling where it slides: λ_n becomes infinite (Painlevé)
 *     3r + 2  μ λ_n − λ_t + shift           falling where it sticks
 *
 * Where a sloped piece of a graph ends at a vertical one, only the functions of that are watched.
 *
 * Behind those of all rows stand the guards of resets and the conditions of presence, each watched from the
 * side where it is.
 *
 * The shift is zero unless λ starts at its bound after a tie (`mode-decision.ts`).
 */
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { PieceForms } from '../../model/piece-forms';
import type { TimedSign } from '../../model/timed-sign';
import {
  EITHER,
  type EventFunctions,
  FALLING,
  type LinearForm,
  RISING,
  type Twin,
  UNWATCHED,
} from '../../smooth/event-functions';
import { OUTSIDE, SINGULAR_PUSH } from '../decision/friction-coupling';
import type { DiscFriction } from '../decision/disc-friction';
import type { ModeDecision } from '../decision/mode-decision';
import type { EventState } from '../event-state';
import type { SmoothFlow } from '../flow/smooth-flow';
import type { WatchedGuards } from './guard-functions';
import type { EventRelations } from './relation-rows';
import { ABSENT, ACTIVE, LOWER, type RowLaws, UPPER } from './row-laws';

/*
 * Multipliers at the states that event functions were last asked for. Functions are sampled one after the
 * other at the same places of a step, and the multipliers of all rows follow from one rate: those of the last
 * few states are kept, and found again by time and state.
 */

/** States that are kept: more than a function is sampled at in a step that need not be divided. */
const KEPT = 16;

/** Slip at which those that begin together get directions of their own, in what may be left of a velocity. */
const LAUNCH = 1000;

export class KnownMultipliers {
  /** λ of all rows where they were asked for last */
  readonly lambda: Float64Array;
  /** reserves of contacts that hold a body together, by first row of slip; NaN of others */
  readonly reserves: Float64Array;
  /** times, states and multipliers that are kept, one after the other; times are NaN where there are none */
  readonly #times = new Float64Array(KEPT).fill(NaN);
  readonly #states: Float64Array;
  readonly #lambdas: Float64Array;
  readonly #reserves: Float64Array;
  readonly #rate: Float64Array;
  #next = 0;

  constructor(
    private readonly flow: Pick<SmoothFlow, 'size' | 'lambda' | 'rate' | 'contacts'>,
    /** number of rows */
    count: number,
  ) {
    this.lambda = new Float64Array(count);
    const isShared = flow.contacts !== null;
    this.reserves = new Float64Array(isShared ? count : 0).fill(NaN);
    this.#reserves = new Float64Array(KEPT * this.reserves.length);
    this.#states = new Float64Array(KEPT * flow.size);
    this.#lambdas = new Float64Array(KEPT * count);
    this.#rate = new Float64Array(flow.size);
  }

  /** After modes or forces may have changed. */
  forget(): void {
    this.#times.fill(NaN);
  }

  /** Brings `lambda` to the state x. */
  read(clock: Float64Array, x: Float64Array): void {
    const { lambda, flow, reserves } = this;
    const lambdas = this.#lambdas;
    const count = lambda.length;
    for (let k = 0; k < KEPT; k++) {
      if (this.#times[k] !== clock[0] || !this.#isState(k, x)) continue;
      for (let r = 0; r < count; r++) lambda[r] = lambdas[k * count + r];
      for (let r = 0; r < reserves.length; r++) reserves[r] = this.#reserves[k * count + r];
      return;
    }
    const k = this.#next;
    this.#next = (k + 1) % KEPT;
    flow.rate(clock, x, this.#rate);
    this.#times[k] = clock[0];
    for (let i = 0; i < flow.size; i++) this.#states[k * flow.size + i] = x[i];
    for (let r = 0; r < count; r++) lambdas[k * count + r] = lambda[r] = flow.lambda[r];
    if (flow.contacts === null) return;
    reserves.fill(NaN);
    flow.contacts.reserves(lambda, reserves);
    for (let r = 0; r < reserves.length; r++) this.#reserves[k * count + r] = reserves[r];
  }

  #isState(k: number, x: Float64Array): boolean {
    const { size } = this.flow;
    for (let i = 0; i < size; i++) if (this.#states[k * size + i] !== x[i]) return false;
    return true;
  }
}

/** What counts as zero in a guard, times this: how far it may be on the other side where a flight begins. */
const GUARD_SLACK = 8;

/** Event functions of a row. */
export const FUNCTIONS = 3;

export class RowEvents implements EventFunctions {
  readonly count: number;
  readonly watch: Int8Array;
  readonly touches: Uint8Array;
  readonly band: Float64Array;
  readonly expected: Int8Array;
  readonly slack: Float64Array;
  readonly departure: Float64Array;
  /** by row */
  readonly shift: Float64Array;
  readonly #linear: readonly (LinearForm | null)[];
  readonly #multipliers: KnownMultipliers;
  readonly #outputs: Float64Array;
  /** functions of rows; guards stand behind them */
  readonly ofRows: number;

  constructor(
    model: NonSmoothDynamicalSystem,
    private readonly laws: RowLaws,
    private readonly rows: EventRelations,
    private readonly flow: SmoothFlow,
    /** null where there are none */
    private readonly guards: WatchedGuards | null = null,
  ) {
    const { count } = laws;
    this.ofRows = FUNCTIONS * count;
    this.count = this.ofRows + (guards?.count ?? 0);
    this.watch = new Int8Array(this.count).fill(UNWATCHED);
    this.touches = new Uint8Array(this.count);
    this.band = new Float64Array(this.count);
    // What is watched in a mode is at first on the side from which it is watched.
    this.expected = new Int8Array(this.count);
    this.slack = new Float64Array(this.count);
    this.departure = new Float64Array(this.count);
    this.shift = new Float64Array(count);
    this.#multipliers = new KnownMultipliers(flow, count);
    this.#outputs = new Float64Array(count);
    const linear = new Array<LinearForm | null>(this.count).fill(null);
    model.interactions.forEach(({ relation }, i) => {
      const isLinear = relation.isAffine && !relation.isTimeDependent;
      if (!(isLinear || relation.isUniform === true) || relation.C === null) return;
      const constants = new Float64Array(relation.size);
      const rates = new Float64Array(relation.size);
      const [zero, none] = [new Float64Array(1), new Float64Array(relation.columns)];
      relation.output(zero, none, new Float64Array(relation.size), constants);
      if (relation.isUniform === true) relation.timeDerivative(zero, none, rates);
      for (let r = 0; r < relation.size; r++) {
        const row = laws.offsets[i] + r;
        // Outputs that contain multipliers are linear in given modes only.
        if (laws.degree[row] > 0 && (isLinear || laws.followsSpeed[row] === 1))
          linear[FUNCTIONS * row] = this.#formOf(row, relation.C, r, constants[r], rates[r]);
      }
    });
    for (let k = 0; guards !== null && k < guards.count; k++) linear[this.ofRows + k] = guards.linear(k);
    this.#linear = linear;
    // A touch of a gap is a graze; touches of other functions change nothing.
    for (let row = 0; row < count; row++) if (laws.kind[row] === 'contact') this.touches[FUNCTIONS * row] = 1;
  }

  /** C z + e, or C v + ė, without the entries that are zero. */
  #formOf(row: number, C: Float64Array, r: number, constant: number, rate: number): LinearForm {
    const { rowStart, dofs } = this.rows;
    const isSwitch = this.laws.followsSpeed[row] === 1;
    const { position, velocity } = this.flow.places;
    const columns = rowStart[row + 1] - rowStart[row];
    const entries = Array.from({ length: columns }, (_, k) => k).filter((k) => C[r * columns + k] !== 0);
    const places = entries.map((k) => dofs[rowStart[row] + k]);
    return {
      indices: Int32Array.from(places, (dof) => (isSwitch ? velocity[dof] : position[dof])),
      values: Float64Array.from(entries, (k) => C[r * columns + k]),
      offset: isSwitch ? Float64Array.of(rate - this.laws.speedTarget[row], 0) : Float64Array.of(constant, 0),
    };
  }

  linear(index: number): LinearForm | null {
    return this.#linear[index];
  }

  timed(index: number): TimedSign | null {
    return (index >= this.ofRows && this.guards?.timed?.(index - this.ofRows)) || null;
  }

  pieces(index: number): PieceForms | null {
    return (index >= this.ofRows && this.guards?.pieces?.(index - this.ofRows)) || null;
  }

  twin(index: number): Twin | null {
    const twin = (index >= this.ofRows && this.guards?.twin?.(index - this.ofRows)) || null;
    return twin && { ...twin, index: twin.index + this.ofRows };
  }

  value(index: number, clock: Float64Array, x: Float64Array, out: Float64Array): void {
    if (index >= this.ofRows) {
      this.guards?.value(index - this.ofRows, clock, x, out);
      return;
    }
    const { laws, rows } = this;
    const row = Math.floor(index / FUNCTIONS);
    const which = index - FUNCTIONS * row;
    if (laws.kind[row] === 'slip') {
      this.#slipValue(row, which, clock, x, out);
      return;
    }
    if (which === 0) {
      if (laws.followsSpeed[row] === 1) {
        rows.update(clock, x);
        rows.speeds(clock, x, this.#outputs);
        out[0] = this.#outputs[row];
        return;
      }
      // Outputs of other rows do not depend on multipliers.
      if (laws.degree[row] === 0) this.#multipliers.read(clock, x);
      rows.output(row, clock, x, this.#multipliers.lambda, out);
      return;
    }
    if (laws.kind[row] === 'friction') {
      this.#frictionValue(row, which, clock, x, out);
      return;
    }
    this.#multipliers.read(clock, x);
    const lambda = this.#multipliers.lambda[row];
    out[0] = this.shift[row] + (which === 1 ? lambda - laws.lower[row] : laws.upper[row] - lambda);
  }

  #frictionValue(row: number, which: number, clock: Float64Array, x: Float64Array, out: Float64Array): void {
    const { laws, flow, rows } = this;
    const { friction } = flow;
    if (friction === null) return;
    if (!friction.isSticking(row)) {
      rows.update(clock, x);
      friction.effective(row - 1, out);
      out[0] -= SINGULAR_PUSH;
      return;
    }
    this.#multipliers.read(clock, x);
    const lambda = this.#multipliers.lambda[row];
    const bound = laws.mu[row] * this.#multipliers.lambda[row - 1];
    out[0] = this.shift[row] + (which === 1 ? lambda + bound : bound - lambda);
  }

  /** Functions of the first of two slips; the second has none. */
  #slipValue(row: number, which: number, clock: Float64Array, x: Float64Array, out: Float64Array): void {
    const { discs } = this.flow;
    if (discs?.isFirst(row) !== true) return;
    if (which === 1 && discs.isSticking(row)) {
      this.#multipliers.read(clock, x);
      const { lambda, reserves } = this.#multipliers;
      out[0] = this.shift[row] + (Number.isNaN(reserves[row]) ? discs.reserve(row, lambda) : reserves[row]);
      return;
    }
    this.rows.update(clock, x);
    if (which === 0) out[0] = discs.remaining(row, x);
    else if (which === 2) out[0] = discs.launched(row, x);
    else {
      discs.follow(x);
      if (this.flow.contacts?.isMany(row) === true) this.flow.contacts.effective(row, out);
      else discs.effective(row - 1, out);
      out[0] -= SINGULAR_PUSH;
    }
  }

  #watchSlip(row: number): void {
    const { flow, watch, laws } = this;
    const at = FUNCTIONS * row;
    const { discs } = flow;
    const isWatched = discs?.isFirst(row) === true && flow.modes[row - 1] === ACTIVE && laws.mu[row] > 0;
    const slides = isWatched && flow.modes[row] !== ACTIVE;
    watch[at] = slides && !discs.isStarting(row) ? FALLING : UNWATCHED;
    watch[at + 1] = isWatched ? FALLING : UNWATCHED;
    watch[at + 2] = slides && discs.isHeld(row) ? RISING : UNWATCHED;
  }

  #watchFriction(row: number): void {
    const { laws, flow, watch } = this;
    const at = FUNCTIONS * row;
    const slides = flow.modes[row - 1] === ACTIVE && laws.mu[row] > 0;
    const sticks = slides && flow.modes[row] === ACTIVE;
    watch[at] = UNWATCHED;
    if (slides && !sticks) watch[at] = flow.modes[row] === LOWER ? FALLING : RISING;
    watch[at + 1] = sticks || (slides && !this.rows.isConstant) ? FALLING : UNWATCHED;
    watch[at + 2] = sticks ? FALLING : UNWATCHED;
  }

  /** Watches what the modes of the flow ask for. To be called whenever modes or forces may have changed. */
  watchModes(): void {
    const { laws, flow, watch } = this;
    this.#multipliers.forget();
    for (let row = 0; row < laws.count; row++) {
      if (laws.kind[row] === 'slip') {
        this.#watchSlip(row);
        continue;
      }
      if (laws.kind[row] === 'friction') {
        this.#watchFriction(row);
        continue;
      }
      const mode = flow.modes[row];
      const isActive = mode === ACTIVE;
      const at = FUNCTIONS * row;
      if (isActive || mode === ABSENT) watch[at] = UNWATCHED;
      else watch[at] = mode === LOWER ? FALLING : RISING;
      watch[at + 1] = isActive && laws.lower[row] !== -Infinity ? FALLING : UNWATCHED;
      watch[at + 2] = isActive && laws.upper[row] !== Infinity ? FALLING : UNWATCHED;
      if (laws.isSloped[row] === 1) this.#leaveCorners(row);
    }
    this.#watchGuards();
    for (let j = 0; j < this.count; j++) this.expected[j] = watch[j] === UNWATCHED ? 0 : -watch[j];
  }

  /** Where a sloped piece ends at a vertical one, events are those of the vertical element. */
  #leaveCorners(row: number): void {
    const { laws, flow, watch } = this;
    const at = FUNCTIONS * row;
    const mode = flow.modes[row];
    if (laws.right[row] >= 0) {
      watch[at + 1] = UNWATCHED;
      if (mode === LOWER) watch[at] = UNWATCHED;
    }
    if (laws.left[row] >= 0) {
      watch[at + 2] = UNWATCHED;
      if (mode === UPPER) watch[at] = UNWATCHED;
    }
  }

  /** Whether the guard at a place among the functions is at zero where it was read last. */
  isGuardAtZero(at: number): boolean {
    return this.guards?.isAtZero(at - this.ofRows) === true;
  }

  #watchGuards(): void {
    const { guards, watch, band, slack, departure } = this;
    if (guards === null) return;
    for (let k = 0; k < guards.count; k++) {
      const at = this.ofRows + k;
      const side = guards.side(k);
      watch[at] = side === 0 ? EITHER : side < 0 ? RISING : FALLING;
      band[at] = guards.zero(k);
      slack[at] = GUARD_SLACK * guards.zero(k);
      departure[at] = guards.zero(k);
    }
  }

  /** What a function is, for messages. */
  describe(index: number): string {
    if (index >= this.ofRows) return this.guards?.describe(index - this.ofRows) ?? '';
    const row = Math.floor(index / FUNCTIONS);
    const which = index - FUNCTIONS * row;
    const { kind, names } = this.laws;
    if (kind[row] === 'friction' || kind[row] === 'slip')
      return `${which > 0 ? 'friction' : 'slip'} of “${names[row]}”`;
    if (which > 0) return `multiplier of “${names[row]}”`;
    return `${kind[row] === 'contact' ? 'gap' : 'output'} of “${names[row]}”`;
  }
}

/*
 * What the integration has to know of its event functions when it begins in new modes: which are watched, and
 * which start at zero.
 */

/** Part of what counts as zero in a force by which an event function is moved after a tie. */
const TIE_SHIFT = 1e-3;
/**
 * The same of a multiplier that creeps past its bound, times what it is beyond already: it comes to what
 * counts in a few events.
 */
const BEYOND = 2;
/** The same where the forces of the row have all been zero, as a part of those of other rows. */
const OF_OTHERS = 1e-12;
/**
 * Gap or slip, relative to the lengths or speeds at hand, that drift may have left on the other side where a
 * flight begins.
 */
const DRIFT = 1e-10;
/** The same of other outputs, in units of what counts as zero. */
const RESTING = 1e4;

export class Watching {
  /** 1 for event functions that are zero where the integration begins */
  readonly #isZero: Uint8Array;

  constructor(
    private readonly laws: RowLaws,
    private readonly flow: SmoothFlow,
    private readonly event: EventState,
    private readonly decision: Pick<ModeDecision, 'forces'>,
    private readonly functions: RowEvents,
  ) {
    this.#isZero = new Uint8Array(functions.count);
  }

  /**
   * Sets shifts, bands and watches for the present modes, at the state that has been read.
   * @returns what starts at zero
   */
  begin(): Uint8Array {
    const { laws, flow, functions } = this;
    const { isTie, zeroForce, isCandidate, outputs } = this.event;
    const largest = this.#largestForce();
    if (flow.discs !== null) this.#noteSlips(flow.discs);
    for (let row = 0; row < laws.count; row++) {
      functions.shift[row] =
        isTie[row] === 1 ? Math.max(this.#shift(zeroForce[row], largest), BEYOND * this.#beyond(row)) : 0;
      const isOpen = flow.modes[row] !== ACTIVE;
      const isAtZero =
        (isCandidate[row] === 1 && (laws.degree[row] > 0 || flow.network?.isEngaged === true)) ||
        Math.abs(outputs.output(row)) <= Math.max(outputs.zero(row), outputs.startOverlap[row]);
      this.#isZero[FUNCTIONS * row] = isOpen && isAtZero ? 1 : 0;
      // A gap that counts as closed at an event has touched zero when it comes that close in between.
      if (laws.kind[row] === 'contact') functions.band[FUNCTIONS * row] = outputs.closed(row);
      this.#setSlack(row);
    }
    functions.watchModes();
    for (let at = functions.ofRows; at < functions.count; at++)
      this.#isZero[at] = functions.isGuardAtZero(at) ? 1 : 0;
    return this.#isZero;
  }

  /** What is small in slips. */
  #noteSlips({ rows, fastest, launch }: DiscFriction): void {
    const { outputs } = this.event;
    launch[0] = LAUNCH * outputs.smallest;
    for (let k = 0; k < rows.length; k++)
      fastest[rows[k]] = Math.max(outputs.fastest(rows[k]), outputs.fastest(rows[k] + 1));
  }

  /**
   * @param largest force of all rows so far; where there has been none, only the tolerance of the states says
   *   what is small
   */
  #shift(zeroForce: number, largest: number): number {
    if (zeroForce > 0) return TIE_SHIFT * zeroForce;
    return largest > 0 ? OF_OTHERS * largest : this.event.outputs.smallest;
  }

  /** How far λ of a tie in a network is beyond its bounds already. */
  #beyond(row: number): number {
    const { laws, flow } = this;
    if (flow.network?.isEngaged !== true || flow.modes[row] !== ACTIVE) return 0;
    const lambda = flow.lambda[row];
    return Math.max(0, laws.lower[row] - lambda, lambda - laws.upper[row]);
  }

  /** What the tolerance of states that are integrated comes to in λ or y of a row of a network. */
  #reach(row: number): number {
    const { network, modes } = this.flow;
    if (network?.isEngaged !== true || network.network.isExact) return 0;
    const { lambda, outputs, width } = network.mode.maps;
    const { sizes } = modes[row] === ACTIVE ? lambda : outputs;
    let sum = 0;
    for (let s = 0; s < this.flow.size; s++) sum += sizes[row * width + s];
    return sum * this.event.outputs.smallest;
  }

  #largestForce(): number {
    const { forces } = this.decision;
    let largest = 0;
    for (let row = 0; row < forces.length; row++) largest = Math.max(largest, forces[row]);
    return largest;
  }

  /**
   * How far a function may be on the other side of zero where the flight begins, without having been missed.
   */
  #setSlack(row: number): void {
    const { laws, event } = this;
    const { outputs } = event;
    const { forces } = this.decision;
    const { slack, departure } = this.functions;
    const at = FUNCTIONS * row;
    const reach = this.#reach(row);
    const isFriction = laws.kind[row] === 'friction' || laws.kind[row] === 'slip';
    if (laws.kind[row] === 'contact') slack[at] = DRIFT * outputs.length(row);
    else if (isFriction) slack[at] = DRIFT * outputs.fastest(row);
    else slack[at] = RESTING * outputs.zero(row);
    const zeroOutput = this.flow.network?.zeroOutput[row] ?? 0;
    slack[at] = Math.max(slack[at], 2 * outputs.startOverlap[row], zeroOutput, reach);
    // An output that leaves zero with a curvature only is rounding at first, on either side.
    departure[at] = laws.kind[row] === 'contact' ? 0 : Math.max(outputs.zero(row), zeroOutput);
    const force = isFriction
      ? OUTSIDE * Math.max(forces[row], forces[row - 1])
      : Math.max(event.zeroForce[row], reach);
    slack[at + 1] = force;
    slack[at + 2] = force;
    // Of a force that begins at its bound and is not known to leave it, rounding of differences may come and
    // go.
    departure[at + 1] = event.isTie[row] === 1 ? force : 0;
    departure[at + 2] = departure[at + 1];
  }
}
