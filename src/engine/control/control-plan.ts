/**
 * How the control blocks of a model are evaluated: in which order, from which numbers. Inputs are expressions
 * of time, parameters, outputs of blocks, and signals of a row of the result.
 */
import {
  compileExpression,
  ExpressionError,
  expressionNames,
  type ExpressionProgram,
} from '../document/expressions';
import { type HeldSignals, outputNames } from '../document/held-signals';
import { type NumberContext, orderByDependency, checkConstant } from '../document/parameters';
import type { ControlBlock } from '../model/control/block';

/** A block as it is sampled. */
export interface PlannedBlock {
  readonly block: ControlBlock;
  /** of the entries of all inputs, one after the other; null where an entry is not feedthrough */
  readonly programs: readonly ExpressionProgram[];
  /** which of them the output of the same sample depends on */
  readonly isFeedthrough: readonly boolean[];
  /** first entry of its output among the held values, and of its memory among all memories */
  readonly output: number;
  readonly memory: number;
}

export interface ControlPlan {
  /** each after those whose outputs it needs at the same sample */
  readonly blocks: readonly PlannedBlock[];
  /** outputs, parameters, time and signals, which programs and driven fields read */
  readonly held: HeldSignals;
  /** entries of all outputs, and of all memories */
  readonly outputSize: number;
  readonly memorySize: number;
  /** place of the time among the values; signals follow */
  readonly clock: number;
  /** places of these signals in a row */
  readonly signals: Int32Array;
}

/** Where signals stand in a row. */
export interface SignalRows {
  readonly slotOf: ReadonlyMap<string, number>;
  /** first observable and first parameter: observables are not known before a row is recorded */
  readonly observables: number;
  readonly parameters: number;
}

/**
 * @param awaitsMore whether a script will add elements, so that a name that is not there yet is no defect
 * @returns null where there are no blocks; defects go to `context.issues`
 */
export function planControl(
  blocks: readonly ControlBlock[],
  held: HeldSignals,
  rows: SignalRows,
  context: NumberContext,
  awaitsMore: boolean,
): ControlPlan | null {
  if (blocks.length === 0) return null;
  const clock = held.values.length;
  const signals: number[] = [];
  const places = new Map(held.places);
  places.set('t', clock);
  const resolve = (path: string): number => {
    const known = places.get(path);
    if (known !== undefined) return known;
    if (held.isBroken(path)) return clock;
    const slot = rows.slotOf.get(path);
    if (slot === undefined) {
      if (awaitsMore) return clock;
      const close = [...rows.slotOf.keys()].filter((name) => name.startsWith(path.split(/[.[]/)[0]));
      const similar = close.length > 0 ? `; similar are ${close.slice(0, 8).join(', ')}` : '';
      throw new ExpressionError(`“${path}” is neither a signal nor a parameter${similar}`);
    }
    if (slot >= rows.observables && slot < rows.parameters)
      throw new ExpressionError(`“${path}” is an observable, which is not known at samples`);
    const place = clock + 1 + signals.length;
    signals.push(slot);
    places.set(path, place);
    return place;
  };
  const planned: PlannedBlock[] = [];
  let output = 0;
  let memory = 0;
  for (const block of blocks) {
    const programs: ExpressionProgram[] = [];
    const isFeedthrough: boolean[] = [];
    for (const input of block.inputs)
      for (const { text, pointer } of input.expressions) {
        isFeedthrough.push(input.isFeedthrough);
        try {
          programs.push(compileExpression(text, resolve, { tables: context.tables }));
          checkConstant(text, pointer, context, block.id);
        } catch (error) {
          if (!(error instanceof ExpressionError)) throw error;
          context.issues.push({
            severity: 'error',
            code: 'block-input',
            pointer,
            element: block.id,
            message: `“${text}”: ${error.message}.`,
            remedy: 'Name a signal of the model, an output of a block or a parameter.',
          });
          programs.push(compileExpression('0', resolve));
        }
      }
    planned.push({ block, programs, isFeedthrough, output, memory });
    output += block.outputSize;
    memory += block.start.length;
  }
  const order = orderBlocks(planned, context);
  const values = new Float64Array(clock + 1 + signals.length);
  values.set(held.values);
  held.values = values;
  return {
    blocks: order.map((k) => planned[k]),
    held,
    outputSize: output,
    memorySize: memory,
    clock,
    signals: Int32Array.from(signals),
  };
}

/** Names in an expression; none where it cannot be read. */
function namesIn(text: string): string[] {
  try {
    return expressionNames(text);
  } catch (error) {
    if (error instanceof ExpressionError) return [];
    throw error;
  }
}

/** Positions of the blocks, each after those it needs at the same sample. Loops are reported. */
function orderBlocks(planned: readonly PlannedBlock[], { issues }: NumberContext): number[] {
  const ids = planned.map(({ block }) => block.id);
  const ownerOf = new Map(planned.flatMap(({ block }) => outputNames(block).map((name) => [name, block.id])));
  const needs = planned.map(({ block }) =>
    block.inputs
      .filter(({ isFeedthrough }) => isFeedthrough)
      .flatMap(({ expressions }) => expressions)
      .flatMap(({ text }) => namesIn(text).flatMap((name) => ownerOf.get(name) ?? [])),
  );
  const { order, cycles } = orderByDependency(ids, needs);
  for (const cycle of cycles) {
    const [first] = cycle;
    const { block } = planned[ids.indexOf(first)];
    issues.push({
      severity: 'error',
      code: 'algebraic-loop',
      pointer: block.inputs.find(({ isFeedthrough }) => isFeedthrough)?.expressions[0]?.pointer ?? '/systems',
      element: first,
      message: `The output of “${first}” depends on itself at the same sample: ${cycle.join(' → ')}.`,
      remedy: 'Put a Delay into the loop.',
    });
  }
  return order;
}
