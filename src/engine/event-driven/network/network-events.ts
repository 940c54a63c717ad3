/**
 * Events of a network: modes and impulses of all rows at once. A model whose rows have each their degree in
 * all modes that occur is left to `mode-decision.ts`, until an event asks for what that cannot do: a jump of
 * the state, or a combination of outputs that has to be kept by its derivative.
 */
import type { ModeDecision } from '../decision/mode-decision';
import { hasOneSolution } from '../decision/one-solution';
import type { EventState } from '../event-state';
import type { SmoothFlow } from '../flow/smooth-flow';
import { ACTIVE, type RowLaws } from '../rows/row-laws';
import { NetworkDecision } from './network-decision';
import type { NetworkFlow } from './network-flow';

/** Jumps at one instant: of passive networks there is one, behind which the state is consistent. */
const MOST_JUMPS = 8;

export class NetworkEvents {
  readonly #decision: NetworkDecision;
  /** of all jumps of the event, by row */
  readonly #impulses: Float64Array;
  readonly #modes: Int8Array;
  #jumps: boolean | null = null;

  constructor(
    private readonly laws: RowLaws,
    private readonly flow: SmoothFlow,
    private readonly network: NetworkFlow,
    private readonly event: EventState,
    /** has the magnitudes of multipliers */
    private readonly rows: Pick<ModeDecision, 'forces'>,
    difference: number,
  ) {
    this.#modes = new Int8Array(laws.count);
    this.#impulses = new Float64Array(laws.count);
    this.#decision = new NetworkDecision(laws, network, flow.rows.window, difference);
  }

  /** Whether the event at this state is one of the network. */
  takes(clock: Float64Array, x: Float64Array): boolean {
    const { network, event } = this;
    if (network.isEngaged) return true;
    if (network.use === 'jumps' && (event.isStart || !event.isTimed)) return false;
    // What a decision leaves besides, as what counts as zero ahead, belongs to the bits of recorded motion.
    if (network.use === 'jumps' && network.isUnrecorded && !this.#mayJump) return false;
    if (!this.#decide(clock, x, this.flow.modes)) return false;
    network.isEngaged = this.#decision.hasJumped || (network.use === 'singular' && this.#isSingular());
    return network.isEngaged;
  }

  /**
   * Whether a state may jump at a time: not where rows with a bound at infinity have outputs that do not
   * depend on time, and keep them by their first derivatives alone. Others have no impulses.
   */
  get #mayJump(): boolean {
    return (this.#jumps ??= this.#findJumps());
  }

  #findJumps(): boolean {
    const { laws, network, flow } = this;
    const { size: n, rows: m, B, C } = network.network;
    const { lower, upper, count } = laws;
    const rows = Array.from({ length: count }, (_, row) => row).filter(
      (row) => lower[row] === -Infinity || upper[row] === Infinity,
    );
    if (rows.some((row) => flow.rows.isTimed(row))) return true;
    const W = new Float64Array(rows.length ** 2);
    rows.forEach((row, i) => {
      rows.forEach((column, j) => {
        for (let s = 0; s < n; s++) W[j * rows.length + i] += C[row * n + s] * B[s * m + column];
      });
    });
    return !rows.every((_, i) => W[i * (rows.length + 1)] > 0) || !hasOneSolution(W, rows.length);
  }

  /** Whether D is singular among the ACTIVE rows, or with those that may be because y and λ are at zero. */
  #isSingular(): boolean {
    const { modes, isAtZero } = this.#decision;
    if (this.network.find(modes).hidden > 0) return true;
    for (let row = 0; row < modes.length; row++) this.#modes[row] = isAtZero[row] === 1 ? ACTIVE : modes[row];
    return this.network.find(this.#modes).hidden > 0;
  }

  /**
   * Takes an event that the rows by themselves have no modes for.
   * @param modes before it
   * @returns whether there are modes of the network
   */
  takesOver(clock: Float64Array, x: Float64Array, modes: Int8Array): boolean {
    const { network } = this;
    if (network.isEngaged || network.use !== 'singular' || !this.#decide(clock, x, modes)) return false;
    this.flow.modes.set(modes);
    network.isEngaged = true;
    return true;
  }

  /** @param modes to begin with */
  #decide(clock: Float64Array, x: Float64Array, modes: Int8Array): boolean {
    const { event, rows } = this;
    return this.#decision.decide(clock, x, modes, event.isAbsent, event.outputs, rows.forces);
  }

  /**
   * Finds modes and lets the state jump, and reads outputs again.
   * @throws {EngineError} where there are no modes in which the network goes on
   */
  process(clock: Float64Array, x: Float64Array): void {
    const { laws, flow, event, rows } = this;
    const decision = this.#decision;
    this.#impulses.fill(0);
    // What an impulse holds open for a moment, the modes behind it need not: they follow from x⁺.
    for (let jumps = 0; jumps === 0 || decision.hasJumped; jumps++) {
      if (jumps > MOST_JUMPS || !this.#decide(clock, x, jumps === 0 ? flow.modes : this.#modes))
        throw decision.failure(clock[0]);
      for (let row = 0; row < laws.count; row++) this.#impulses[row] += decision.impulse[row];
      for (let i = 0; i < x.length; i++) x[i] = decision.x[i];
      this.#modes.set(decision.modes);
      this.network.jumps.push(this.network.find(decision.modes));
    }
    for (let row = 0; row < laws.count; row++) {
      flow.modes[row] = decision.modes[row];
      event.isCandidate[row] = decision.isAtZero[row];
      event.isTie[row] = decision.isTie[row];
      event.carries[row] = decision.modes[row] === ACTIVE ? 1 : 0;
      event.zeroForce[row] = decision.zeroForce[row];
      flow.decided[row] = decision.lambda[row];
      rows.forces[row] = Math.max(rows.forces[row], Math.abs(decision.lambda[row]));
    }
    flow.setModes(event.carries);
    for (let row = 0; row < laws.count; row++)
      if (decision.modes[row] === ACTIVE) flow.lambda[row] = decision.lambda[row];
    event.outputs.read(clock, x);
  }

  /** Impulses of the event, by row. */
  writeImpulses(out: Float64Array): void {
    for (let row = 0; row < out.length; row++) out[row] = this.#impulses[row];
  }
}
