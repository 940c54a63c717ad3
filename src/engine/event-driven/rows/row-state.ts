/**
 * Outputs of the rows at the present state, and what counts as zero in them. Magnitudes are those of what
 * cancels in an output, the largest of the run so far, so that limits do not shrink with the motion.
 */
import type { StepWriter } from '../../straight-line/writer';
import { inconsistentStart } from '../failures';
import type { SmoothFlow } from '../flow/smooth-flow';
import type { EventRelations } from './relation-rows';
import { ABSENT, ACTIVE, LOWER, type RowLaws } from './row-laws';

/**
 * Gaps up to this part of their magnitude are closed: rounding of a root on the continuous extension of a
 * step.
 */
const CLOSED = 256 * Number.EPSILON;
/** Speeds up to this part of their magnitude are zero. */
export const AT_REST = 1e-11;
/**
 * What drift may have left of the speed of a contact that has been resting, in units of what counts as rest.
 */
export const RESTING = 1e4;

/** Overlap at the start, relative to the lengths at hand, that is rounding of the initial values. */
const START_OVERLAP = 1e-9;

/** Names of what has been read where code is written, by row. */
export interface WrittenOutputs {
  readonly y: readonly string[];
  /** ∂h/∂t; empty where it is zero */
  readonly walls: readonly string[];
  readonly speed: readonly string[];
}

export class RowState {
  readonly y: Float64Array;
  /** ẏ of Lagrangian rows */
  readonly speed: Float64Array;
  /** ∂h/∂t of Lagrangian rows */
  readonly walls: Float64Array;
  /** values of y that were asked for: 0, or that at the start of joints on velocities */
  readonly target: Float64Array;
  /**
   * |y| of rows that start beside zero by no more than initial values may be off, and so at it; zero once the
   * motion has begun
   */
  readonly startOverlap: Float64Array;
  /** 1 for rows that come by a condition and bring their output to zero by a jump of the state */
  readonly jumpsToZero: Uint8Array;
  readonly #lengths: Float64Array;
  readonly #speeds: Float64Array;
  readonly #resolutions: Float64Array;
  /** [0] time of the last reading, s */
  readonly #last = Float64Array.of(Number.NaN);

  constructor(
    private readonly laws: RowLaws,
    private readonly rows: EventRelations,
    private readonly flow: SmoothFlow,
    /**
     * change of a coordinate or velocity that counts as none where nothing says what is small: what the
     * integration may leave
     */
    readonly smallest: number,
  ) {
    this.y = new Float64Array(laws.count);
    this.speed = new Float64Array(laws.count);
    this.walls = new Float64Array(laws.count);
    this.target = new Float64Array(laws.count);
    this.startOverlap = new Float64Array(laws.count);
    this.jumpsToZero = new Uint8Array(laws.count);
    this.#lengths = new Float64Array(laws.count);
    this.#speeds = new Float64Array(laws.count);
    this.#resolutions = new Float64Array(laws.count);
  }

  /**
   * Takes the outputs that have been read for those of the start.
   * @throws {EngineError} when the state violates a constraint by more than rounding
   */
  checkStart(clock: Float64Array): void {
    const { laws, y, target, startOverlap, flow } = this;
    startOverlap.fill(0);
    for (let row = 0; row < laws.count; row++) {
      // What comes by its condition brings its output to zero by itself.
      if (flow.modes[row] === ABSENT || this.jumpsToZero[row] === 1) continue;
      const kind = laws.kind[row];
      if (laws.isVelocityJoint[row] === 1) target[row] = y[row];
      // What has come to rest at zero has no lengths at hand.
      const tolerance = Math.max(START_OVERLAP * this.length(row), this.resolution(row));
      if (kind === 'contact' && y[row] < -tolerance)
        throw inconsistentStart(laws.names[row], 'the gap', -y[row], clock[0]);
      // A body that has come to rest may be as much above the contact as below it.
      if (kind === 'contact') startOverlap[row] = y[row] <= this.resolution(row) ? Math.abs(y[row]) : 0;
      if (kind === 'joint' && Math.abs(y[row] - target[row]) > tolerance)
        throw inconsistentStart(laws.names[row], 'the constraint', Math.abs(y[row]), clock[0]);
      if (kind !== 'output' || laws.degree[row] === 0 || flow.network?.isEngaged === true) continue;
      if (laws.upper[row] === Infinity && y[row] < -tolerance)
        throw inconsistentStart(laws.names[row], 'the output', -y[row], clock[0]);
      if (laws.lower[row] === -Infinity && y[row] > tolerance)
        throw inconsistentStart(laws.names[row], 'the output', y[row], clock[0]);
      if (Math.abs(y[row]) <= tolerance) startOverlap[row] = Math.abs(y[row]);
    }
  }

  /** The motion has begun, and nothing overlaps any more. */
  endStart(): void {
    this.startOverlap.fill(0);
  }

  /** Events up to a time have been passed without being read. @param clock [0] that time, s */
  pass(clock: Float64Array): void {
    this.#last[0] = clock[0];
  }

  /** Evaluates y and ẏ, with the multipliers of the flow. */
  read(clock: Float64Array, x: Float64Array): void {
    const { rows, flow, y, speed } = this;
    rows.update(clock, x);
    rows.outputs(clock, x, flow.lambda, y);
    rows.speeds(clock, x, speed, this.walls);
    this.#note(clock, x);
  }

  /** The same where velocities alone are other ones than when outputs were read last. */
  readAgain(clock: Float64Array, x: Float64Array): void {
    this.rows.speedsAgain(x, this.walls, this.speed);
    this.#note(clock, x);
  }

  /**
   * Writes `read` of open contacts, which leaves nothing but magnitudes.
   * @param x names of the components of the state
   */
  writeRead(w: StepWriter, clock: Float64Array, x: readonly string[]): WrittenOutputs {
    const { rows, laws } = this;
    const { position } = this.flow.places;
    const y = rows.writeOutputs(w, clock, x);
    const walls = rows.writeTimeDerivatives(w, clock, x);
    const speed = rows.writeSpeeds(w, walls, x);
    const [last, lengths] = [w.bind(this.#last), w.bind(this.#lengths)];
    const time = w.constant(`${w.bind(clock)}[0]`);
    const elapsed = w.constant(`${time} - ${last}[0]`);
    const part = w.constant(`${elapsed} > 0 ? 0.25 * ${elapsed} : 0`);
    w.line(`${last}[0] = ${time};`);
    for (let row = 0; row < laws.count; row++) {
      const terms = rows.entriesOf(row).map(([c, dof]) => ` + abs(${w.literal(c)} * ${x[position[dof]]})`);
      const length = w.constant(`max(abs(${y[row]}), ${part} * abs(${speed[row]}))${terms.join('')}`);
      w.line(`if (${length} > ${lengths}[${row}]) ${lengths}[${row}] = ${length};`);
    }
    this.writeSpeedsNoted(w, speed, x);
    return { y, walls, speed };
  }

  /** Writes the magnitudes of speeds that have been read. */
  writeSpeedsNoted(w: StepWriter, speed: readonly string[], x: readonly string[]): void {
    const { velocity } = this.flow.places;
    const speeds = w.bind(this.#speeds);
    speed.forEach((name, row) => {
      const entries = this.rows.entriesOf(row);
      const slow = entries.reduce((sum, [c]) => sum + Math.abs(c), 0);
      const terms = entries.map(([c, dof]) => ` + abs(${w.literal(c)} * ${x[velocity[dof]]})`);
      const least = w.literal((this.smallest / AT_REST) * slow);
      const fast = w.constant(`max(abs(${name})${terms.join('')}, ${least})`);
      w.line(`if (${fast} > ${speeds}[${row}]) ${speeds}[${row}] = ${fast};`);
    });
  }

  /** Names of the magnitudes of y and ẏ of a row where code is written. */
  written(w: StepWriter, row: number): { readonly length: string; readonly speed: string } {
    return { length: `${w.bind(this.#lengths)}[${row}]`, speed: `${w.bind(this.#speeds)}[${row}]` };
  }

  /** Magnitudes of what has been read. */
  #note(clock: Float64Array, x: Float64Array): void {
    const { laws, rows, flow, y, speed } = this;
    const { position, velocity } = flow.places;
    // A flight from zero to zero that nothing was read of rises by a quarter of its speed times its time,
    // where its acceleration is constant.
    const elapsed = clock[0] - this.#last[0];
    const part = elapsed > 0 ? 0.25 * elapsed : 0;
    flow.network?.noteSizes(clock, x, part, flow.lambda);
    this.#last[0] = clock[0];
    for (let row = 0; row < laws.count; row++) {
      let length = Math.max(Math.abs(y[row]), part * Math.abs(speed[row]));
      let fast = Math.abs(speed[row]);
      let slow = 0;
      for (let k = rows.rowStart[row]; k < rows.rowStart[row + 1]; k++) {
        const dof = rows.dofs[k];
        // A turn by one radian, where a velocity is no derivative of a position.
        const at = laws.dashpots[row] === null ? position[dof] : velocity[dof];
        length += Math.abs(at < 0 ? rows.C[k] : rows.C[k] * x[at]);
        fast += Math.abs(rows.C[k] * x[velocity[dof]]);
        slow += Math.abs(rows.C[k]);
      }
      // Of an output that multipliers make, their shares cancel.
      if (laws.degree[row] === 0)
        for (let other = 0; other < laws.count; other++)
          length += Math.abs(rows.feedthrough(row, other) * flow.lambda[other]);
      this.#resolutions[row] = this.smallest * slow;
      fast = Math.max(fast, (this.smallest / AT_REST) * slow);
      if (length > this.#lengths[row]) this.#lengths[row] = length;
      if (fast > this.#speeds[row]) this.#speeds[row] = fast;
    }
  }

  /** Magnitude of y of a row, in units of y. */
  length(row: number): number {
    return this.#lengths[row];
  }

  /**
   * What the tolerance of the integration comes to in y or ẏ of a row where nothing else says what is small.
   */
  resolution(row: number): number {
    return this.#resolutions[row];
  }

  /** |y| up to which a row is at zero. */
  closed(row: number): number {
    return CLOSED * this.#lengths[row];
  }

  /** Magnitude of ẏ of a row, in units of ẏ. */
  fastest(row: number): number {
    return this.#speeds[row];
  }

  /** |ẏ| up to which a row is at rest. */
  atRest(row: number): number {
    return AT_REST * this.#speeds[row];
  }

  /** The output that the mode of a row follows: ẏ of velocity switches and friction, y of others. */
  output(row: number): number {
    return this.laws.followsSpeed[row] === 1 ? this.speed[row] : this.y[row];
  }

  /** |output| up to which it is zero. */
  zero(row: number): number {
    return this.laws.followsSpeed[row] === 1 ? this.atRest(row) : this.closed(row);
  }

  /** Magnitudes, to be kept with the state of a simulation. */
  save(): { lengths: Float64Array; speeds: Float64Array; target: Float64Array } {
    return { lengths: this.#lengths.slice(), speeds: this.#speeds.slice(), target: this.target.slice() };
  }

  load({ lengths, speeds, target }: ReturnType<RowState['save']>): void {
    this.#lengths.set(lengths);
    this.#speeds.set(speeds);
    this.target.set(target);
    this.#last[0] = Number.NaN;
  }
}

/* Events that an event function which starts at zero cannot show. */

/**
 * Gap below zero, relative to the lengths at hand, or slip backwards, relative to the speeds, that shows an
 * event to have been missed.
 */
const MISSED = 1e-10;

/**
 * Whether a contact that counts as open is below zero, a contact slides against the mode of its friction, or
 * one of redundant contacts that stick has forces outside its cone.
 * @param state which has been read
 */
export function hasMissed(laws: RowLaws, flow: SmoothFlow, state: RowState): boolean {
  const { modes, friction } = flow;
  for (let row = 0; row < laws.count; row++) {
    if (!(state.y[row] < 0 && state.speed[row] < 0)) continue;
    if (laws.kind[row] !== 'contact' || modes[row] === ACTIVE) continue;
    if (state.y[row] < -MISSED * state.length(row)) return true;
  }
  if (flow.discs !== null && flow.discs.isOutside(flow.lambda)) return true;
  if (friction === null) return false;
  for (let k = 0; k < friction.slidingCount; k++) {
    const row = friction.sliding[k];
    const backwards = modes[row] === LOWER ? -state.speed[row] : state.speed[row];
    if (laws.mu[row] > 0 && backwards > MISSED * state.fastest(row)) return true;
  }
  return friction.outside(flow.lambda) >= 0;
}
