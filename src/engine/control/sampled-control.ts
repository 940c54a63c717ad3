/**
 * The control blocks of a run. A sample at time t takes the state just before it, lets the blocks that are
 * due give their outputs, and holds these from t on. Times of samples are offset + k T with the integer k, so
 * that a million samples drift by no rounding, and samples that two rates share are one event.
 */
import { runExpression } from '../document/expressions';
import { EngineError } from '../errors';
import type { Samples } from '../model/control/samples';
import type { ControlPlan, PlannedBlock } from './control-plan';

/** What goes on from a sample to the next: with it, a run is continued with equal bits. */
export interface ControlMemory {
  /** outputs as they are held */
  readonly held: Float64Array;
  readonly memory: Float64Array;
  /** k of the next sample of each block, in the order of the plan */
  readonly next: Float64Array;
}

/** Times that differ by less than this many of their roundings are one. */
const SAME_TIME = 8 * Number.EPSILON;

/** Whether two times cannot be told apart. @param scale s */
const isSameTime = (a: number, b: number, scale: number): boolean =>
  Math.abs(a - b) <= SAME_TIME * Math.max(Math.abs(a), Math.abs(b), scale);

export class SampledControl implements Samples {
  readonly #memory: Float64Array;
  readonly #next: Float64Array;
  /** by block of the plan: whether it is due */
  readonly #isDue: Uint8Array;
  readonly #inputs: readonly Float64Array[];
  readonly #memories: readonly Float64Array[];
  readonly #outputs: readonly Float64Array[];
  /** samples so far, those of several blocks at one time counted once */
  samples = 0;
  readonly isOnGrid: boolean;

  /**
   * @param t0 start of the run, s
   * @param firstHeld place of the first output in a row
   * @param h step of the discretisation, s
   */
  constructor(
    private readonly plan: ControlPlan,
    private readonly t0: number,
    private readonly firstHeld: number,
    h: number,
  ) {
    const { blocks } = plan;
    this.isOnGrid = blocks.every(
      ({ block: { offset, period } }) => isWhole(period / h) && isWhole((offset - t0) / h),
    );
    this.#memory = new Float64Array(plan.memorySize);
    this.#next = new Float64Array(blocks.length);
    this.#isDue = new Uint8Array(blocks.length);
    this.#inputs = blocks.map(({ programs }) => new Float64Array(programs.length));
    this.#memories = blocks.map(({ block, memory }) =>
      this.#memory.subarray(memory, memory + block.start.length),
    );
    this.#outputs = blocks.map(({ block }) => new Float64Array(block.outputSize));
    this.begin();
  }

  /** As before the first sample. */
  begin(): void {
    const { blocks, held, outputSize } = this.plan;
    held.values.fill(0, 0, outputSize);
    this.samples = 0;
    blocks.forEach(({ block }, k) => {
      this.#memories[k].set(block.start);
      this.#next[k] = firstSample(block.offset, block.period, this.t0);
    });
  }

  /** Time of the next sample, s. */
  get nextTime(): number {
    let next = Infinity;
    for (let k = 0; k < this.#next.length; k++) next = Math.min(next, this.#time(k));
    return next;
  }

  #time(k: number): number {
    const { offset, period } = this.plan.blocks[k].block;
    return offset + this.#next[k] * period;
  }

  /** Whether the next sample is at this time, s, to rounding. */
  isDue(time: number): boolean {
    return isSameTime(this.nextTime, time, Math.abs(this.t0));
  }

  /**
   * Samples the blocks that are due.
   * @param row state just before
   * @param time of the sample, s
   * @throws {EngineError} when a block has no output
   */
  sample(row: Float64Array, time: number): void {
    const { plan } = this;
    const { blocks, signals, clock } = plan;
    const { values } = plan.held;
    values[clock] = time;
    for (let i = 0; i < signals.length; i++) values[clock + 1 + i] = row[signals[i]];
    const scale = Math.abs(this.t0);
    for (let k = 0; k < blocks.length; k++) {
      const at = this.#time(k);
      this.#isDue[k] = at <= time || isSameTime(at, time, scale) ? 1 : 0;
      if (this.#isDue[k] === 0) continue;
      this.#read(k, true);
      const { block, output } = blocks[k];
      const out = this.#outputs[k];
      if (!block.output(this.#memories[k], this.#inputs[k], out)) throw unsolved(blocks[k], time);
      for (let i = 0; i < out.length; i++) {
        if (!Number.isFinite(out[i])) throw notFinite(blocks[k], out[i], time);
        values[output + i] = out[i];
      }
    }
    for (let k = 0; k < blocks.length; k++) {
      if (this.#isDue[k] === 0) continue;
      this.#next[k]++;
      const { block } = blocks[k];
      if (block.step === undefined) continue;
      this.#read(k, false);
      block.step(this.#memories[k], this.#inputs[k], this.#outputs[k]);
    }
    this.samples++;
  }

  /** Inputs of a block. @param feedthrough whether only those that its output depends on */
  #read(k: number, feedthrough: boolean): void {
    const { programs, isFeedthrough } = this.plan.blocks[k];
    const inputs = this.#inputs[k];
    const { values } = this.plan.held;
    for (let i = 0; i < programs.length; i++) {
      if (feedthrough && !isFeedthrough[i]) continue;
      runExpression(programs[i], values);
      inputs[i] = programs[i].stack[0];
    }
  }

  /** The held outputs into a row. */
  write(row: Float64Array): void {
    const { held, outputSize } = this.plan;
    for (let i = 0; i < outputSize; i++) row[this.firstHeld + i] = held.values[i];
  }

  save(): ControlMemory {
    const { held, outputSize } = this.plan;
    return {
      held: held.values.slice(0, outputSize),
      memory: this.#memory.slice(),
      next: this.#next.slice(),
    };
  }

  load({ held, memory, next }: ControlMemory): void {
    this.plan.held.values.set(held);
    this.#memory.set(memory);
    this.#next.set(next);
  }
}

/** Relative rounding of a number of steps. More would part samples from the grid in a long run. */
const OFF_GRID = 4 * Number.EPSILON;

const isWhole = (steps: number): boolean => Math.abs(steps - Math.round(steps)) <= OFF_GRID * Math.abs(steps);

/** k of the first sample at or after t₀. */
function firstSample(offset: number, period: number, t0: number): number {
  let k = Math.floor((t0 - offset) / period);
  const isBefore = (time: number): boolean => time < t0 && !isSameTime(time, t0, Math.abs(offset));
  while (isBefore(offset + k * period)) k++;
  return k;
}

const unsolved = ({ block }: PlannedBlock, time: number): EngineError =>
  new EngineError({
    code: 'control-unsolved',
    message: `The control problem of “${block.id}” (${block.type}) has no solution at t = ${time} s.`,
    where: block.id,
    time,
    remedy: 'Check its matrices: the control has to act on what it is to keep at zero.',
  });

const notFinite = ({ block }: PlannedBlock, value: number, time: number): EngineError =>
  new EngineError({
    code: 'not-finite',
    message: `The output of “${block.id}” (${block.type}) is ${value} at t = ${time} s.`,
    where: block.id,
    time,
    remedy: 'Check its gains and inputs; a shorter sampling period helps where the motion is unstable.',
  });
