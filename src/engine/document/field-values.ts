/** Reads the fields of one element of a document: expressions evaluated, shapes checked, each defect reported. */
import type { ElementDefinition, FieldDefinition, PluginKind } from '../model/definition';
import type { FieldReader, NamedFunction } from '../model/field-reader';
import type { PluginFunctions } from '../model/plugin-signatures';
import { ExpressionError } from './expressions';
import { BrokenParameterError, evaluateWith } from './parameters';
import type { DocumentIssue, Expression, FieldValue, FunctionReference, TypedElement } from './types';

/** Finds script functions by name; null when there is none of that name. */
export type FunctionLookup = (name: string) => ((...args: never[]) => unknown) | null;

export interface EvaluationContext {
  readonly parameters: Readonly<Record<string, number>>;
  /** parameters without a value; what only follows from them is not reported again */
  readonly brokenParameters: ReadonlySet<string>;
  readonly functions: FunctionLookup;
  /** names of all script functions, for messages */
  readonly functionNames: readonly string[];
  readonly issues: DocumentIssue[];
  /** value of every expression string by JSON pointer */
  readonly values: Record<string, number>;
}

const isReference = (value: FieldValue | undefined): value is FunctionReference =>
  typeof value === 'object' && !Array.isArray(value);

export class FieldValues implements FieldReader {
  constructor(
    readonly element: string,
    private readonly definition: ElementDefinition,
    private readonly values: TypedElement,
    private readonly pointer: string,
    private readonly context: EvaluationContext,
  ) {}

  get issueCount(): number {
    return this.context.issues.length;
  }

  has(key: string): boolean {
    return this.values[key] !== undefined;
  }

  number(key: string): number {
    const field = this.#field(key);
    const value = this.values[key] ?? field.default;
    if (typeof value !== 'number' && typeof value !== 'string') return Number.NaN;
    const result = this.#evaluate(value, key, '');
    if (field.kind === 'number' && Number.isFinite(result)) this.#range(field, result);
    return result;
  }

  choice(key: string): string {
    const value = this.values[key];
    return typeof value === 'string' ? value : String(this.#field(key).default ?? '');
  }

  vector(key: string, length: number): Float64Array {
    const value = this.values[key];
    const result = new Float64Array(Math.max(0, Math.min(length, 4_000_000)) || 0);
    if (!Array.isArray(value)) return result;
    if (value.length !== length) {
      const { label } = this.#field(key);
      this.reject(
        key,
        'vector-length',
        `${label} has ${value.length} entries; ${length} are needed.`,
        `Give ${length} numbers.`,
      );
      return result;
    }
    for (let i = 0; i < length; i++) result[i] = this.#evaluate(value[i] as Expression, key, `/${i}`);
    return result;
  }

  matrix(key: string, rows: number, columns: number): Float64Array | null {
    const value = this.values[key];
    if (!Array.isArray(value)) return null;
    const { label } = this.#field(key);
    const given = value as Expression[][];
    const widths = new Set(given.map((row) => (Array.isArray(row) ? row.length : 0)));
    if (given.length !== rows || widths.size !== 1 || !widths.has(columns)) {
      const shape =
        widths.size === 1
          ? `${given.length} × ${[...widths][0]}`
          : `${given.length} rows of different lengths`;
      this.reject(
        key,
        'matrix-shape',
        `${label} is ${shape}; it must be ${rows} × ${columns}.`,
        `Give ${rows} row${rows === 1 ? '' : 's'} of ${columns} number${columns === 1 ? '' : 's'}.`,
      );
      return new Float64Array(rows * columns).fill(Number.NaN);
    }
    const result = new Float64Array(rows * columns);
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++)
        result[i * columns + j] = this.#evaluate(given[i][j], key, `/${i}/${j}`);
    }
    return result;
  }

  matrixRows(key: string): number {
    const value = this.values[key];
    return Array.isArray(value) ? value.length : 0;
  }

  function<K extends PluginKind>(key: string, _kind: K): NamedFunction<K> | null {
    const value = this.values[key];
    if (!isReference(value)) return null;
    const name = value.function;
    const call = this.context.functions(name);
    if (call === null) {
      const { functionNames } = this.context;
      const known =
        functionNames.length === 0
          ? 'The scripts export none yet.'
          : `The scripts export ${functionNames.join(', ')}.`;
      this.reject(
        key,
        'unknown-function',
        `No script exports a function “${name}”.`,
        `Write it, or name another. ${known}`,
      );
      return { name, call: (() => undefined) as unknown as PluginFunctions[K] };
    }
    return { name, call: call as unknown as PluginFunctions[K] };
  }

  reject(key: string, code: string, message: string, remedy: string): void {
    this.context.issues.push({
      severity: 'error',
      code,
      pointer: `${this.pointer}/${key}`,
      element: this.element,
      message,
      remedy,
    });
  }

  #field(key: string): FieldDefinition {
    const field = this.definition.fields.find((f) => f.key === key);
    if (field === undefined) throw new Error(`${this.definition.type} defines no field ${key}`);
    return field;
  }

  #range(field: FieldDefinition & { kind: 'number' }, value: number): void {
    const below =
      field.min !== undefined && (field.exclusiveMin === true ? value <= field.min : value < field.min);
    const above = field.max !== undefined && value > field.max;
    if (!below && !above) return;
    const from =
      field.min === undefined ? '' : `${field.exclusiveMin === true ? 'above' : 'at least'} ${field.min}`;
    const to = field.max === undefined ? '' : `at most ${field.max}`;
    const range = [from, to].filter((part) => part !== '').join(' and ');
    this.reject(
      field.key,
      'out-of-range',
      `${field.label} is ${value}; it must be ${range}.`,
      `Give a value ${range}.`,
    );
  }

  #evaluate(expression: Expression, key: string, place: string): number {
    if (typeof expression === 'number') return expression;
    const at = `${this.pointer}/${key}${place}`;
    const report = (code: string, message: string, remedy: string): void => {
      this.context.issues.push({
        severity: 'error',
        code,
        pointer: at,
        element: this.element,
        message,
        remedy,
      });
    };
    try {
      const value = evaluateWith(expression, this.context.parameters, this.context.brokenParameters);
      if (Number.isFinite(value)) this.context.values[at] = value;
      else report('not-finite', `“${expression}” evaluates to ${value}.`, 'Check for a division by zero.');
      return value;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      if (error instanceof BrokenParameterError) return Number.NaN;
      report(
        'expression',
        `“${expression}”: ${error.message}.`,
        'Correct the expression, or add the parameter it names.',
      );
      return Number.NaN;
    }
  }
}
