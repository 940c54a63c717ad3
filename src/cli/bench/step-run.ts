/** A model of the gallery as a benchmark of the time loop, and one run of it here. */
import { getHeapStatistics } from 'node:v8';
import { MoreauError } from '@contract/errors';
import type { ModelDocument } from '@engine/document/types';
import type { ChunkLayout, ChunkSink } from '@engine/recording/chunks';
import { createSandbox } from '@engine/script/sandbox';
import { prepareRun, type RunSession } from '@engine/run/session';
import type { Installation } from '@main/installation';
import { seconds } from './benchmark';
import { example } from './engine';
import type { ProgramArguments } from './siconos/run';
import type { ProgramName } from './siconos/toolchain';
import type { TwinName } from './twin';

export interface StepModel {
  name: string;
  summary: string;
  /** name in the gallery */
  example: string;
  /** parameters of the example and arguments of the program alike */
  parameters: Record<string, number>;
  /** s */
  h: number;
  theta: number;
  warmUp: number;
  steps: number;
  /** signals whose final values the program prints as its state, in its order */
  state: readonly string[];
  /** what a difference of states is relative to: size of the motion */
  scale: number;
  program: ProgramName;
  /** the same by hand in C; its state is the same, too */
  twin?: TwinName;
  /** most time per step in parts of the twin's */
  mostTwins?: number;
  /** ways to run the program that differ in speed only; the fastest is compared */
  variants: readonly { label: string; given: ProgramArguments }[];
}

/** Records only first and last row, in one buffer that is read when the run is done. */
class LastRow implements ChunkSink {
  layout: ChunkLayout = { columns: 0, rowsPerChunk: 0 };
  #rows = 0;
  #chunk = new Float64Array(0);

  open(layout: ChunkLayout): Float64Array {
    this.layout = layout;
    this.#chunk = new Float64Array(layout.columns * layout.rowsPerChunk);
    return this.#chunk;
  }

  next(): Float64Array {
    return this.#chunk;
  }

  publish(rows: number): void {
    this.#rows = rows;
  }

  /** Last recorded value of a column. */
  value(column: number): number {
    const { rowsPerChunk } = this.layout;
    return this.#chunk[column * rowsPerChunk + ((this.#rows - 1) % rowsPerChunk)];
  }
}

/** Last steps of the warm-up, in which what a slice of a run allocates once is measured. */
const CALIBRATION = 2;

export interface OurRun {
  nsPerStep: number;
  bytesPerStep: number;
  state: number[];
  session: RunSession;
}

/** Bytes this process holds in its heap and in array buffers. */
function heldBytes(): number {
  const { used_heap_size: heap, external_memory: external, malloced_memory: malloced } = getHeapStatistics();
  return heap + external + malloced;
}

/** Bytes by which an action makes the heap grow. */
function allocation(action: () => void): number {
  const before = heldBytes();
  action();
  return heldBytes() - before;
}

/** The example without recording. */
export function documentOf(model: StepModel, place: Installation): ModelDocument {
  const document = example(place, model.example);
  // Only the last row is kept: what is measured is the loop, not the recording.
  const recording = { ...document.simulation.recording, every: 1e9, signals: [...model.state] };
  return { ...document, simulation: { ...document.simulation, recording } };
}

/**
 * Runs a model here.
 * @param document as `documentOf` gave it
 * @throws {MoreauError} when it is refused or fails
 */
export function runHere(model: StepModel, document: ModelDocument): OurRun {
  const { parameters, h, warmUp, steps } = model;
  const sink = new LastRow();
  const prepared = prepareRun(
    // Written out from the first step on: what that takes once is no cost of a step.
    { document, set: parameters, h, tEnd: h * (warmUp + steps), loop: 'straight-line' },
    { sandbox: () => createSandbox(), sink },
  );
  if (!prepared.ok) throw new MoreauError(prepared.error);
  const { session } = prepared;
  session.advance(warmUp - CALIBRATION);
  // What is allocated when the loop is entered and left, and by the measurement, is no cost of a step.
  const own = allocation(() => void seconds(() => session.advance(CALIBRATION)));
  let taken = 0;
  const allocated = allocation(() => {
    taken = seconds(() => session.advance(steps));
  });
  if (session.error !== null) throw new MoreauError(session.error);
  return {
    nsPerStep: (taken / steps) * 1e9,
    // A collection in between makes the difference negative; the median over the runs is without one.
    bytesPerStep: Math.max(0, allocated - own) / steps,
    // Column 0 is time.
    state: model.state.map((_, i) => sink.value(i + 1)),
    session,
  };
}

/** Largest difference of two states. */
export function difference(ours: readonly number[], theirs: readonly number[]): number {
  if (ours.length !== theirs.length) throw new Error('the final states are of different length');
  return Math.max(...ours.map((value, i) => Math.abs(value - theirs[i])));
}

/** What the program of a model is given, the arguments of one of its variants apart. */
export function programArguments({ parameters, h, theta, warmUp, steps }: StepModel): ProgramArguments {
  return { h, theta, warm: warmUp, steps, ...parameters };
}
