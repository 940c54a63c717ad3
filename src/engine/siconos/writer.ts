/** Python of the values of a model: what the writers of elements call. */
import { evaluateWith } from '../document/parameters';
import type { Expression, FieldValue, SparseMatrixValue } from '../document/types';
import { type ElementWriter, functionName } from './element';
import { HELPERS } from './helpers';
import { pythonExpression } from './python/expression';

export interface WriterSetting {
  /** values of the parameters */
  readonly values: Readonly<Record<string, number>>;
  /** Python names of parameters and of script functions */
  readonly parameterNames: ReadonlyMap<string, string>;
  readonly functionNames: ReadonlyMap<string, string>;
}

export class ModelWriter {
  readonly #helpers = new Set<string>();
  readonly warnings: string[] = [];

  constructor(private readonly setting: WriterSetting) {}

  /** Names of the helpers asked for, each after those it needs. */
  get helpers(): string[] {
    const order: string[] = [];
    const visit = (name: string): void => {
      if (order.includes(name)) return;
      for (const other of HELPERS[name].needs ?? []) visit(other);
      order.push(name);
    };
    for (const name of Object.keys(HELPERS)) if (this.#helpers.has(name)) visit(name);
    return order;
  }

  readonly helper = (name: string): string => {
    this.#helpers.add(name);
    return name;
  };

  readonly number = (value: Expression): string =>
    pythonExpression(value, {
      parameter: (name) => this.setting.parameterNames.get(name) ?? name,
      helper: this.helper,
    });

  readonly evaluate = (value: Expression): number => evaluateWith(value, this.setting.values);

  #function(value: FieldValue | undefined): string | null {
    const name = functionName(value);
    return name === null ? null : (this.setting.functionNames.get(name) ?? name);
  }

  #list(values: readonly Expression[]): string {
    return `[${values.map(this.number).join(', ')}]`;
  }

  #rows(value: FieldValue): string {
    return `[${(value as Expression[][]).map((row) => this.#list(row)).join(', ')}]`;
  }

  #matrix(value: FieldValue, rows: number, columns: number): string {
    if (Array.isArray(value)) return `np.array(${this.#rows(value)}, dtype=float)`;
    const { entries } = value as SparseMatrixValue;
    const triples = entries.map(([i, j, entry]) => `(${i}, ${j}, ${this.number(entry)})`);
    return `${this.helper('sparse')}(${rows}, ${columns}, [${triples.join(', ')}])`;
  }

  /** The writer for one element. @param place how warnings name it */
  forElement(place: string): ElementWriter {
    return {
      number: this.number,
      evaluate: this.evaluate,
      helper: this.helper,
      vector: (value, size) =>
        value === undefined ? `[0.0] * ${size}` : this.#list(value as readonly Expression[]),
      matrix: (value, rows, columns) => this.#matrix(value, rows, columns),
      vectorFunction: (value, size) => {
        const name = this.#function(value);
        if (name !== null) return `${this.helper('vector_function')}(${name}, ${size})`;
        if (value === undefined) return null;
        return `${this.helper('constant')}(${this.#list(value as readonly Expression[])})`;
      },
      matrixFunction: (value, rows, columns, derived) => {
        const name = this.#function(value);
        if (name !== null) return `${this.helper('matrix_function')}(${name}, ${rows}, ${columns})`;
        if (value !== undefined) {
          const dense = Array.isArray(value)
            ? this.#rows(value)
            : `${this.#matrix(value, rows, columns)}.tolist()`;
          return `${this.helper('constant')}(${dense})`;
        }
        const of = derived === undefined ? null : this.#function(derived.of);
        if (derived === undefined || of === null)
          return `${this.helper('constant')}([[0.0] * ${columns}] * ${rows})`;
        return `${this.helper('jacobian_of')}(${of}, ${rows}, ${derived.arguments.indexOf(derived.by)})`;
      },
      warn: (message) => this.warnings.push(`${place}: ${message}`),
    };
  }
}
