/** Values of what is recorded of components, from the states and multipliers of a row. */
import { type ExpressionProgram, compileExpression, runExpression } from '../document/expressions';
import { resolveSignal } from '../document/observables';
import type { Tables } from '../document/tables';
import { EngineError } from '../errors';
import type { LinearForm } from './linear-form';
import type { OutputTable } from './result';

/** Where names stand in a row. */
interface Places {
  readonly slotOf: ReadonlyMap<string, number>;
}

/** Sums of entries of a list, one after the other. */
class Sums {
  readonly #start: Int32Array;
  readonly #places: Int32Array;
  readonly #factors: Float64Array;

  constructor(forms: readonly LinearForm[]) {
    this.#start = new Int32Array(forms.length + 1);
    forms.forEach((form, k) => (this.#start[k + 1] = this.#start[k] + form.size));
    this.#places = Int32Array.from(forms.flatMap((form) => [...form.keys()]));
    this.#factors = Float64Array.from(forms.flatMap((form) => [...form.values()]));
  }

  value(k: number, values: Float64Array): number {
    let sum = 0;
    for (let e = this.#start[k]; e < this.#start[k + 1]; e++)
      sum += this.#factors[e] * values[this.#places[e]];
    return sum;
  }
}

export class OutputValues {
  readonly #values: Float64Array;
  /** slot of each input in a row; −1 of others */
  readonly #slots: Int32Array;
  readonly #programs: readonly { readonly input: number; readonly program: ExpressionProgram }[];
  readonly #sums: Sums;
  readonly #factors: Sums;
  readonly #isProduct: Uint8Array;
  readonly #count: number;

  /** @param first slot of the first signal */
  constructor(
    { signals, inputs, sources, state, multiplier }: OutputTable,
    private readonly first: number,
    { slotOf }: Places,
    tables: Tables | undefined,
  ) {
    this.#values = new Float64Array(inputs.length);
    inputs.forEach(({ kind }, k) => (this.#values[k] = kind === 'one' ? 1 : 0));
    const [firstState, firstMultiplier] = [slotOf.get(state) ?? -1, slotOf.get(multiplier) ?? -1];
    this.#slots = Int32Array.from(inputs, (input) => {
      if (input.kind === 'signal') return slotOf.get(input.name) ?? -1;
      if (input.kind === 'state') return firstState + input.index;
      return input.kind === 'multiplier' ? firstMultiplier + input.index : -1;
    });
    this.#programs = inputs.flatMap((own, input) =>
      own.kind === 'source'
        ? [
            {
              input,
              program: compileExpression(sources[own.index], (path) => resolveSignal(path, slotOf), {
                tables,
              }),
            },
          ]
        : [],
    );
    this.#sums = new Sums(signals.map(({ form }) => form));
    this.#factors = new Sums(signals.map(({ times }) => times ?? new Map()));
    this.#isProduct = Uint8Array.from(signals, ({ times }) => (times === null ? 0 : 1));
    this.#count = signals.length;
  }

  /** Writes them into a row. @throws {EngineError} where a source has no finite value */
  write(row: Float64Array): void {
    const values = this.#values;
    for (let k = 0; k < this.#slots.length; k++) if (this.#slots[k] >= 0) values[k] = row[this.#slots[k]];
    for (const { input, program } of this.#programs) {
      runExpression(program, row);
      values[input] = program.stack[0];
      if (!Number.isFinite(values[input])) throw noValue(program.text, row[0]);
    }
    for (let k = 0; k < this.#count; k++) {
      const sum = this.#sums.value(k, values);
      row[this.first + k] = this.#isProduct[k] === 1 ? sum * this.#factors.value(k, values) : sum;
    }
  }
}

const noValue = (text: string, time: number): EngineError =>
  new EngineError({
    code: 'not-finite',
    message: `The source “${text}” has no finite value at t = ${time} s.`,
    time,
    remedy: 'Give it a value at all times of the run.',
  });
