/**
 * What events of a network do to a small disturbance. In each set of modes outputs, multipliers and rates are
 * affine in the state, so that the functions that end a flight, y or λ of rows, have gradients that are rows
 * of matrices. Charges and fluxes jump by x⁺ = x + B p with p = −G (C x + e) of the modes at that instant
 * (`network-mode.ts`), also where nothing is to jump but what these modes keep at zero from there on:
 *
 *     ∂R/∂x = I − B G C,     ∂R/∂t = −B G ė.
 *
 * A current that has come to zero in a diode that blocks, or a voltage that a switch keeps, is a row of zeros
 * then: what motions nearby are off by in it is forgotten.
 */
import type { ObservedParts } from '../flow/flight-observer';
import { reduceFlow, type ReducedSystem } from '../flow/reduced-system';
import type { NetworkFlow } from '../network/network-flow';
import type { NetworkMode } from '../network/network-mode';
import { ACTIVE } from '../rows/row-laws';
import type { EventLimit } from './event-limit';
import { PLACES, WEIGHTS } from './flow-jacobian';
import type { FunctionGradient } from './function-gradient';
import type { ResetMap } from './reset-map';

/** Sums that cancel to this part of their terms are zero. */
const ROUNDING = 64 * Number.EPSILON;
/** Sets of modes whose matrices are kept. */
const MOST_MODES = 256;
/** Part of the time to the next jump of a source that differences take. */
const OF_WINDOW = 0.2;

export class NetworkMap {
  /** linear systems of the modes so far */
  readonly #known = new Map<string, ReducedSystem>();
  /** rows whose functions end the flight, their ∇g by row, and ∂g/∂t */
  readonly #rows: number[] = [];
  readonly #gradients: Float64Array;
  readonly #byTime: Float64Array;
  readonly #x: Float64Array;
  readonly #rate: Float64Array;
  readonly #y: Float64Array;
  readonly #p: Float64Array;
  readonly #drifts: Float64Array;
  readonly #clock = new Float64Array(1);

  constructor(
    private readonly parts: ObservedParts,
    private readonly flow: NetworkFlow,
    private readonly gradients: FunctionGradient,
  ) {
    const { size } = parts.flow;
    const { count } = parts.laws;
    this.#gradients = new Float64Array(count * size);
    this.#byTime = new Float64Array(count);
    this.#x = new Float64Array(size);
    this.#rate = new Float64Array(size);
    this.#y = new Float64Array(count);
    this.#p = new Float64Array(count);
    this.#drifts = new Float64Array(count);
  }

  /** The linear system in the present modes, and multipliers and outputs in it. */
  system(): ReducedSystem {
    const { flow, rows, flight } = this.parts;
    const key = `${this.flow.isEngaged ? '+' : '−'}${String.fromCharCode(...flow.modes)}`;
    let found = this.#known.get(key);
    if (found !== undefined) return found;
    if (this.#known.size >= MOST_MODES) this.#known.clear();
    found = reduceFlow(flow, rows, flight.clock[0], true);
    this.#known.set(key, found);
    return found;
  }

  /** The functions that end the flight, in its modes. */
  begin(): void {
    const { laws, event, flow } = this.parts;
    this.#rows.length = 0;
    for (let row = 0; row < laws.count; row++) if (event.isFlagged[row] === 1) this.#rows.push(row);
    if (this.#rows.length === 0) return;
    const { multipliers, outputs } = this.system();
    const n = flow.size;
    for (const row of this.#rows) {
      const { matrix } = flow.modes[row] === ACTIVE ? multipliers : outputs;
      this.#gradients.set(matrix.subarray(row * n, (row + 1) * n), row * n);
      this.#byTime[row] = this.flow.network.isTimed ? this.#slope(row) : 0;
    }
  }

  /** ∂g/∂t of a row. */
  #slope(row: number): number {
    const { flow, rows, flight } = this.parts;
    const { clock } = flight;
    const [from, to] = rows.window;
    const room = Math.min(clock[0] - from, to - clock[0]);
    const delta = Math.min(this.gradients.stepOfTime(clock[0]), OF_WINDOW * room);
    let sum = 0;
    for (let p = 0; p < PLACES.length; p++) {
      this.#clock[0] = clock[0] + PLACES[p] * delta;
      flow.rate(this.#clock, this.#x, this.#rate);
      if (flow.modes[row] !== ACTIVE) rows.outputs(this.#clock, this.#x, flow.lambda, this.#y);
      sum += WEIGHTS[p] * (flow.modes[row] === ACTIVE ? flow.lambda[row] : this.#y[row]);
    }
    return sum / (12 * delta);
  }

  /** What these functions say of when the event happens. @param rate f⁻ */
  meet(limit: EventLimit, hasJumped: Uint8Array, rate: Float64Array): void {
    const n = rate.length;
    for (const row of this.#rows)
      if (hasJumped[row] === 1) limit.meetTime();
      else limit.meet(this.#gradients.subarray(row * n, (row + 1) * n), this.#byTime[row], rate);
  }

  /** Whether a state that jumps, or is kept, is not the one before. */
  get isIdentity(): boolean {
    return this.flow.jumps.every(({ hidden }) => hidden === 0);
  }

  /**
   * R of the event, with resets between jumps where there were some.
   * @param step the identity; replaced by ∂R/∂x, entry [i, j] at [i + n j]
   * @param along f⁻; replaced by dR/dt
   */
  compose(resets: ResetMap | null, step: Float64Array, along: Float64Array): void {
    const { jumps } = this.flow;
    const rounds = resets?.rounds ?? 0;
    let round = 0;
    for (let k = 0; k <= jumps.length; k++) {
      for (; round < rounds && resets !== null && resets.jumpsBefore(round) <= k; round++)
        resets.compose(round, step, along);
      if (k < jumps.length) this.#jump(jumps[k], step, along);
    }
  }

  /** Disturbances at a start: those of states that the network lets be. @param frame n entries of each */
  keep(frame: Float64Array): boolean {
    for (const mode of this.flow.jumps) this.#jump(mode, frame, null);
    return !this.isIdentity;
  }

  #jump(mode: NetworkMode, step: Float64Array, along: Float64Array | null): void {
    if (mode.hidden === 0) return;
    const { network } = this.flow;
    const n = network.size;
    this.#drifts.fill(0);
    for (let at = 0; at < step.length; at += n) this.#take(mode, step.subarray(at, at + n));
    if (along === null) return;
    network.drifts(this.parts.flight.clock, this.#drifts);
    this.#take(mode, along);
  }

  /** v − B G (C v + ė) with ė of `#drifts`, in place. */
  #take({ active, byRate }: NetworkMode, v: Float64Array): void {
    const { size: n, rows: m, B, C } = this.flow.network;
    const count = active.length;
    for (let i = 0; i < count; i++) {
      let [sum, terms] = [this.#drifts[active[i]], Math.abs(this.#drifts[active[i]])];
      for (let s = 0; s < n; s++) {
        const term = C[active[i] * n + s] * v[s];
        sum += term;
        terms += Math.abs(term);
      }
      this.#y[i] = Math.abs(sum) > ROUNDING * terms ? sum : 0;
    }
    for (let j = 0; j < count; j++) {
      this.#p[j] = 0;
      for (let i = 0; i < count; i++) this.#p[j] -= byRate[j * count + i] * this.#y[i];
    }
    for (let s = 0; s < n; s++) {
      let [sum, terms] = [v[s], Math.abs(v[s])];
      for (let j = 0; j < count; j++) {
        const term = B[s * m + active[j]] * this.#p[j];
        sum += term;
        terms += Math.abs(term);
      }
      v[s] = Math.abs(sum) > ROUNDING * terms ? sum : 0;
    }
  }
}
