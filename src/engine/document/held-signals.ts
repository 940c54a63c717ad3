/**
 * Outputs of control blocks between samples, and the fields that they drive. A field such as a force names
 * them by expressions, which are known before the blocks are: they are compiled once all are built.
 */
import type { ControlBlock } from '../model/control/block';
import type { SignalExpression } from '../model/field-reader';
import type { ModelFunction } from '../model/plugin';
import {
  compileExpression,
  ExpressionError,
  type ExpressionProgram,
  expressionNames,
  runExpression,
} from './expressions';
import { checkConstant, type NumberContext } from './parameters';
import type { Tables } from './tables';

/** A field that follows outputs of blocks. */
interface Drive {
  readonly element: string;
  readonly expressions: readonly SignalExpression[];
  programs: readonly ExpressionProgram[];
}

/** Names of the entries of an output. */
export const outputNames = ({
  id,
  outputName,
  outputSize,
}: Pick<ControlBlock, 'id' | 'outputName' | 'outputSize'>): string[] =>
  Array.from({ length: outputSize }, (_, k) =>
    outputSize === 1 ? `${id}.${outputName}` : `${id}.${outputName}[${k}]`,
  );

export class HeldSignals {
  /** outputs of all blocks, in their order, and behind them the parameters of the model */
  values = new Float64Array(0);
  /** place in `values` of each name there is */
  readonly places = new Map<string, number>();
  /** tables that expressions read */
  tables: Tables | undefined;
  /** ids of blocks with defects, whose outputs are not missed as well */
  #broken: ReadonlySet<string> = new Set();
  readonly #drives: Drive[] = [];

  /** The function of a field that these expressions drive: constant from sample to sample. */
  drive(element: string, expressions: readonly SignalExpression[]): ModelFunction {
    const drive: Drive = { element, expressions, programs: [] };
    this.#drives.push(drive);
    return (_clock, _a, _b, out) => {
      const { programs } = drive;
      for (let i = 0; i < programs.length; i++) {
        runExpression(programs[i], this.values);
        out[i] = programs[i].stack[0];
      }
    };
  }

  /** Whether a name is an output, as far as can be known, of a block that has defects. */
  isBroken(path: string): boolean {
    return this.#broken.has(path.split(/[.[]/)[0]);
  }

  /**
   * All blocks are known: what names an output is compiled. Defects go to `context.issues`.
   * @param broken ids of blocks with defects
   */
  finish(blocks: readonly ControlBlock[], broken: ReadonlySet<string>, context: NumberContext): void {
    const { places } = this;
    this.#broken = broken;
    for (const name of blocks.flatMap(outputNames)) places.set(name, places.size);
    const outputs = places.size;
    this.tables = context.tables;
    const parameters = Object.entries(context.parameters);
    parameters.forEach(([name], k) => places.set(name, outputs + k));
    for (const name of context.brokenParameters) places.set(name, 0);
    this.values = new Float64Array(outputs + parameters.length);
    parameters.forEach(([, value], k) => (this.values[outputs + k] = value));
    const known = [...places.keys()].slice(0, outputs);
    for (const drive of this.#drives)
      drive.programs = drive.expressions.flatMap(({ text, pointer }) => {
        const report = (message: string, remedy: string): [] => {
          context.issues.push({
            severity: 'error',
            code: 'driven-field',
            pointer,
            element: drive.element,
            message,
            remedy,
          });
          return [];
        };
        try {
          const resolve = (path: string): number => {
            const place = places.get(path);
            if (place !== undefined) return place;
            if (this.isBroken(path)) return 0;
            throw new ExpressionError(`“${path}” is no output of a control block`);
          };
          const program = compileExpression(text, resolve, { tables: this.tables });
          checkConstant(text, pointer, context, drive.element);
          return [program];
        } catch (error) {
          if (!(error instanceof ExpressionError)) throw error;
          return report(
            `“${text}”: ${error.message}.`,
            this.#single(text) ??
              (known.length === 0
                ? 'Add a control block, or give numbers or a script function.'
                : `Name one of ${known.slice(0, 8).join(', ')}; other signals go through a block, such as SampleAndHold.`),
          );
        }
      });
  }

  /** The remedy where an output of one component is given an index. */
  #single(text: string): string | null {
    const single = expressionNames(text).find((path) => this.places.has(path.replace(/\[\d+\]$/, '')));
    if (single === undefined) return null;
    const name = single.replace(/\[\d+\]$/, '');
    return name === single ? null : `The output has one component: write ${name}.`;
  }
}
