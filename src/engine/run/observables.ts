/** Observables of a run: what a row of the state gives by the document's expressions and script functions. */
import { OutputValues } from '../components/output-values';
import {
  type ExpressionProgram,
  NOT_FINITE_REMEDY,
  compileExpression,
  runExpression,
} from '../document/expressions';
import { observableOrder, resolveSignal, scopeOf } from '../document/observables';
import { unitsOf } from '../document/parameters';
import { tablesOf } from '../document/tables';
import type { ModelDocument } from '../document/types';
import { EngineError } from '../errors';
import type { NamedFunction } from '../model/field-reader';
import { type FailedCall, NotFiniteResult, PluginFailure } from '../model/plugin';
import { PLUGIN_SIGNATURES } from '../model/plugin-signatures';
import type { StateLayout } from '../preparation/layout';
import type { PreparedModel } from '../preparation/prepare';

/** An observable that is a script function of one system. */
interface FunctionObservable {
  slot: number;
  function: NamedFunction;
  /** copies handed to the script, so that it cannot write into the state */
  q: Float64Array;
  v: Float64Array;
  qAt: number;
  vAt: number;
  system: string;
}

interface ExpressionObservable {
  slot: number;
  program: ExpressionProgram;
  name: string;
}

const notFinite = ({ name, program }: ExpressionObservable, time: number): EngineError =>
  new EngineError({
    code: 'not-finite',
    message: `The observable “${name}” = “${program.text}” is ${program.stack[0]} at t = ${time} s.`,
    where: name,
    time,
    remedy: `${NOT_FINITE_REMEDY} Where a value is not defined, give another: “x > 0 ? log(x) : 0”.`,
  });

export class RunObservables {
  readonly #expressions: ExpressionObservable[] = [];
  readonly #functions: FunctionObservable[] = [];
  readonly #parameters: object;
  readonly #outputs: OutputValues | null;

  /** @param lookup script functions by name */
  constructor(
    { observables, parameters: listed, tables: given }: ModelDocument,
    { layout, outputs }: Pick<PreparedModel, 'layout' | 'outputs'>,
    parameters: Readonly<Record<string, number>>,
    lookup: (name: string) => unknown,
  ) {
    // They stand behind the observables of the document, which may name them.
    const tables = tablesOf(given);
    const first = layout.observables + observables.length;
    this.#outputs = outputs === null ? null : new OutputValues(outputs, first, layout, tables);
    this.#parameters = Object.freeze({ ...parameters });
    for (const k of observableOrder(observables).order) {
      const observable = observables[k];
      const slot = layout.observables + k;
      if (observable.expression !== undefined) {
        const program = compileExpression(
          observable.expression,
          (path) => resolveSignal(path, layout.slotOf),
          { isName: (word) => layout.slotOf.has(word), tables, ...scopeOf(observable, unitsOf(listed)) },
        );
        this.#expressions.push({ slot, program, name: observable.name });
        continue;
      }
      const id = observable.system ?? '';
      const places = layout.systemPlaces.get(id);
      if (places === undefined) throw new Error(`the observable ${observable.name} has no system`);
      this.#functions.push({
        slot,
        function: {
          name: observable.function ?? '',
          call: lookup(observable.function ?? '') as NamedFunction['call'],
        },
        q: new Float64Array(places.qSize),
        v: new Float64Array(places.vSize),
        qAt: places.q,
        vAt: places.v,
        system: id,
      });
    }
  }

  /**
   * Writes them into a row.
   * @throws {EngineError} for a value that is not finite, {PluginFailure} when a script function fails
   */
  write(state: Float64Array): void {
    this.#outputs?.write(state);
    for (const observable of this.#functions) {
      const { q, v, qAt, vAt, slot } = observable;
      for (let i = 0; i < q.length; i++) q[i] = state[qAt + i];
      for (let i = 0; i < v.length; i++) v[i] = state[vAt + i];
      const value = this.#call(observable, state[0]);
      if (!Number.isFinite(value)) this.#report(observable, value, state[0]);
      state[slot] = value;
    }
    for (const observable of this.#expressions) {
      const { slot, program } = observable;
      runExpression(program, state);
      state[slot] = program.stack[0];
      if (!Number.isFinite(program.stack[0])) throw notFinite(observable, state[0]);
    }
  }

  #report(observable: FunctionObservable, value: unknown, t: number): never {
    const { system } = observable;
    const { name } = observable.function;
    throw new NotFiniteResult(
      {
        code: 'script-not-finite',
        message: `The observable function “${name}” of “${system}” gave ${String(value)} at t = ${t} s.`,
        where: system,
        time: t,
        remedy: 'Return a number on every path of the function.',
      },
      this.#failedCall(observable, t),
    );
  }

  #failedCall({ function: { name }, system, q, v }: FunctionObservable, t: number): FailedCall {
    const { parameters } = PLUGIN_SIGNATURES.observable;
    const values = [t, q.slice(), v.slice(), 0];
    return { function: name, element: system, isDerivative: false, parameters, values, p: this.#parameters };
  }

  #call(observable: FunctionObservable, t: number): number {
    const { q, v } = observable;
    try {
      return observable.function.call(t, q, v, this.#parameters);
    } catch (error) {
      throw new PluginFailure(error, this.#failedCall(observable, t));
    }
  }
}

/*
 * No row is recorded in which a signal is not finite: curves would have gaps, and results after it would be
 * made up.
 */

export class FiniteRows {
  readonly #slots: Int32Array;

  constructor(private readonly layout: Pick<StateLayout, 'signals' | 'slots'>) {
    this.#slots = Int32Array.from(layout.slots);
  }

  /** @throws {EngineError} that names the first signal of the row that is not finite */
  check(row: Float64Array): void {
    const slots = this.#slots;
    // A product with zero is NaN for infinities too: one comparison for the whole row. Two sums do not wait
    // for each other.
    let even = 0;
    let odd = 0;
    for (let i = 1; i < slots.length; i += 2) {
      even += 0 * row[slots[i - 1]];
      odd += 0 * row[slots[i]];
    }
    if (slots.length % 2 === 1) even += 0 * row[slots[slots.length - 1]];
    if (even + odd !== 0) throw this.#failure(row);
  }

  #failure(row: Float64Array): EngineError {
    const i = this.#slots.findIndex((slot) => !Number.isFinite(row[slot]));
    const { name } = this.layout.signals[i];
    const time = row[0];
    return new EngineError({
      code: 'not-finite',
      message: `The signal “${name}” is ${row[this.#slots[i]]} at t = ${time} s.`,
      where: name.split(/[.[]/)[0],
      ...(Number.isFinite(time) ? { time } : {}),
      remedy: `${NOT_FINITE_REMEDY} A smaller step helps where the motion itself stays bounded.`,
    });
  }
}
