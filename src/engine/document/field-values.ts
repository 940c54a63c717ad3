/**
 * Reads the fields of one element of a document: expressions evaluated, shapes checked, each defect reported.
 */
import { type SparseRows, expandInto } from '../linalg/sparse';
import type { AnalyticFunction } from '../model/analytic-function';
import type { Dimension, ElementDefinition, FieldDefinition } from '../model/definition';
import type { FieldReader, SignalExpression } from '../model/field-reader';
import {
  LateFunction,
  type MatrixFunction,
  type ModelFunction,
  type PluginPlace,
  type ScriptFunction,
  bindPlugin,
  constantMatrix,
} from '../model/plugin';
import { PLUGIN_SIGNATURES, type PluginArgument, type PluginKind } from '../model/plugin-signatures';
import { definitionsByKey } from '../model/registry';
import { plural } from '../plural';
import type {
  DerivativeLookup,
  DocumentDerivativeResult,
  DerivedJacobian,
  GivenJacobian,
} from './derivatives';
import { ExpressionError } from './expressions';
import { type MatrixSource, matrixColumns, matrixRows, readSparse } from './matrix-values';
import type { HeldSignals } from './held-signals';
import { type NumberContext, evaluateNumber } from './parameters';
import {
  type GeneratedFunction,
  type TimedEntries,
  TIME_NAME,
  type TimedProgram,
  compileTimed,
  timedEntries,
} from './timed';
import type {
  DocumentIssue,
  Expression,
  FieldValue,
  FunctionReference,
  Mend,
  PresenceDocument,
  SignalReference,
  TypedElement,
} from './types';
import { CORRECT, nameMends, UnknownNameError } from './unknown-name';

/**
 * Finds script functions by name, which may still have to be loaded; null when there is none of that name.
 */
export type FunctionLookup = (name: string) => ((...args: never[]) => unknown) | LateFunction | null;

/**
 * What is known of a function of time beyond its values: its entries as sums of terms, with these values of
 * the parameters; null when it is nothing.
 */
export type AnalyticLookup = (
  name: string,
  length: number,
  parameters: Readonly<Record<string, number>>,
  /** whether it is given coordinates besides the time, of which it may make no use */
  takesState: boolean,
) => AnalyticFunction | null;

/** Says what is wrong with a script function as one of a kind; null where nothing is. */
export type FunctionCheck = (name: string, kind: PluginKind) => DocumentIssue | null;

export interface EvaluationContext extends NumberContext {
  /** gates of components by the conditions that they have become; none are where it is left out */
  readonly gates?: Map<string, SignalExpression & { readonly element: string }> | undefined;
  readonly functions: FunctionLookup;
  /** looks at the source of functions that are used; none is looked at where it is left out */
  readonly check?: FunctionCheck | undefined;
  /** names of all script functions, for messages */
  readonly functionNames: readonly string[];
  /** makes a function of expressions of the time; where it is left out there are none. @returns its name */
  readonly generate?: ((given: GeneratedFunction) => string) | undefined;
  /** values of the parameters as the scripts receive them: frozen, and the same object for all */
  readonly plugins: object;
  readonly derivatives: DerivativeLookup;
  /** says what is known of functions of time; nothing is where it is left out */
  readonly analytic?: AnalyticLookup | undefined;
  /** outputs of control blocks, which fields may follow */
  readonly held: HeldSignals;
  /** collects the Jacobians that are given and could be derived; nothing is collected where it is left out */
  readonly givenJacobians?: GivenJacobian[] | undefined;
  /** collects the Jacobians that are derived; nothing is collected where it is left out */
  readonly derivedJacobians?: DerivedJacobian[] | undefined;
}

/** Entries of a dense matrix beyond which it would not fit beside others: 25 million are 200 MB. */
export const MAX_DENSE = 25_000_000;

const isReference = (value: FieldValue | undefined): value is FunctionReference =>
  typeof value === 'object' && 'function' in value;

const isSignals = (value: FieldValue | undefined): value is SignalReference =>
  typeof value === 'object' && 'signals' in value;

/** Reports what is wrong with a script function that is used, once for all elements that use it. */
export function reportUse(
  name: string,
  kind: PluginKind,
  element: string,
  { check, issues }: Pick<EvaluationContext, 'check' | 'issues'>,
): void {
  const issue = check?.(name, kind) ?? null;
  if (issue === null) return;
  if (issues.some(({ code, pointer }) => code === issue.code && pointer === issue.pointer)) return;
  issues.push({ ...issue, element: issue.element ?? element });
}

export class FieldValues implements FieldReader {
  readonly #timed = new Map<string, TimedEntries | null>();
  /** functions of expressions by field; null where they have defects */
  readonly #timedNames = new Map<string, string | null>();

  constructor(
    readonly element: string,
    private readonly definition: ElementDefinition,
    private readonly values: TypedElement,
    private readonly pointer: string,
    private readonly context: EvaluationContext,
  ) {}

  get defectCount(): number {
    return defectsIn(this.context.issues);
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

  text(key: string): string {
    return this.choice(key);
  }

  vector(key: string, length: number): Float64Array {
    const value = this.values[key];
    const field = this.#field(key);
    const result = new Float64Array(Math.max(0, Math.min(length, 4_000_000)) || 0);
    const isTimedField = this.isFunction(key);
    if (!Array.isArray(value) || (isTimedField && value.length === length)) {
      if (value === undefined && typeof field.default === 'number') result.fill(field.default);
      return result;
    }
    if (value.length !== length) {
      // Where its length is known beforehand, the function has been refused for it.
      if (!isTimedField || this.#timedName(key) !== null)
        this.#rejectLength(key, value.length, length, isTimedField ? 'expression' : 'number');
      return result;
    }
    for (let i = 0; i < length; i++) result[i] = this.#evaluate(value[i] as Expression, key, `/${i}`);
    return result;
  }

  vectorLength(key: string): number {
    const value = this.values[key];
    return Array.isArray(value) && !this.isFunction(key) ? value.length : 0;
  }

  matrix(key: string, rows: number, columns: number): Float64Array | null {
    if (rows * columns > MAX_DENSE && this.#matrixSource(key) !== null) {
      this.reject(
        key,
        'matrix-too-large',
        `${this.#field(key).label} is ${rows} × ${columns}: it would take ${Math.round((rows * columns) / 125_000)} MB.`,
        'Divide the interaction into several.',
      );
      return new Float64Array(0);
    }
    const sparse = this.sparseMatrix(key, rows, columns);
    if (sparse === null) return null;
    const result = new Float64Array(rows * columns);
    expandInto(sparse, columns, result);
    return result;
  }

  sparseMatrix(key: string, rows: number, columns: number): SparseRows | null {
    const source = this.#matrixSource(key);
    return source === null ? null : readSparse(source, rows, columns);
  }

  matrixRows(key: string): number {
    const source = this.#matrixSource(key);
    return source === null ? 0 : matrixRows(source);
  }

  matrixColumns(key: string): number {
    const source = this.#matrixSource(key);
    return source === null ? 0 : matrixColumns(source);
  }

  elements(key: string): { type: string; fields: FieldReader }[] {
    const field = this.#field(key);
    const value = this.values[key];
    if (field.kind !== 'elements' || !Array.isArray(value)) return [];
    return (value as TypedElement[]).map((element, i) => this.#inner(key, element, `${key}/${i}`));
  }

  typed(key: string): { type: string; fields: FieldReader } | null {
    const field = this.#field(key);
    const value = this.values[key];
    return field.kind !== 'element' || value === undefined
      ? null
      : this.#inner(key, { ...(value as PresenceDocument) }, key);
  }

  /** @param group key of the definitions that an element inside of this one has its type among */
  #inner(group: string, element: TypedElement, place: string): { type: string; fields: FieldReader } {
    const { type } = element;
    const definition = definitionsByKey.get(group)?.find((candidate) => candidate.type === type);
    if (definition === undefined) throw new Error(`type ${type} passed the schema without a definition`);
    const fields = new FieldValues(
      this.element,
      definition,
      element,
      `${this.pointer}/${place}`,
      this.context,
    );
    return { type, fields };
  }

  isFunction(key: string): boolean {
    return isReference(this.values[key]) || this.#timedEntries(key) !== null;
  }

  #rejectLength(key: string, given: number, needed: number, what: string): void {
    this.reject(
      key,
      'vector-length',
      `${this.#field(key).label} has ${plural(given, 'entry', 'entries')}; ${needed} ${needed === 1 ? 'is' : 'are'} needed.`,
      `Give ${plural(needed, what)}.`,
    );
  }

  /** The expressions of a field that is a function by them; null of other fields. */
  #timedEntries(key: string): TimedEntries | null {
    const known = this.#timed.get(key);
    if (known !== undefined) return known;
    const found = timedEntries(this.#field(key), this.values[key]);
    this.#timed.set(key, found);
    return found;
  }

  /**
   * The function of a field that is given by expressions of the time.
   * @param columns of a matrix
   * @returns its name; null where it has none, or defects, which are reported once
   */
  #timedName(key: string, columns = 1): string | null {
    const known = this.#timedNames.get(key);
    if (known !== undefined) return known;
    const timed = this.#timedEntries(key);
    const name = timed === null ? null : this.#generate(key, timed, columns);
    this.#timedNames.set(key, name);
    return name;
  }

  #generate(key: string, { length, entries }: TimedEntries, columns: number): string | null {
    const field = this.#field(key);
    if (!('plugin' in field)) return null;
    const reported = this.defectCount;
    const needed =
      length !== null && 'length' in field && field.length !== undefined
        ? this.#dimension(field.length)
        : null;
    if (length !== null && needed !== null && length !== needed)
      this.#rejectLength(key, length, needed, 'expression');
    const compiled = entries.flatMap(({ row, column, text, way }): GeneratedFunction['entries'][number][] => {
      const program = this.#compileTimed(text, `${key}${way}`, this.#unit(key));
      return program === null || text === 0 ? [] : [[row * columns + column, program]];
    });
    if (this.defectCount > reported) return null;
    const { generate } = this.context;
    if (generate === undefined) throw new Error('expressions of the time need functions that are generated');
    const place = { pointer: `${this.pointer}/${key}`, element: this.element, label: field.label };
    return generate({ kind: field.plugin, entries: compiled, place });
  }

  /** @param place as of `#report` @returns null after a reported defect */
  #compileTimed(text: Expression, place: string, unit: string | undefined): TimedProgram | null {
    const { parameters, brokenParameters, units, tables } = this.context;
    const isParameter = (name: string): boolean =>
      brokenParameters.has(name) || Object.hasOwn(parameters, name);
    const check = (name: string): void => {
      if (!isParameter(name)) throw new UnknownNameError(name, Object.keys(parameters));
    };
    const isName = (name: string): boolean => name === TIME_NAME || isParameter(name);
    const unitOfName = (name: string): string | undefined => (name === TIME_NAME ? 's' : units?.[name]);
    try {
      return compileTimed(String(text), check, { isName, unitOfName, unit, tables });
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      const mends = nameMends(error, text, `${this.pointer}/${place}`, unit);
      const message = `“${text}”: ${error.message}.`;
      this.#report('error', place, 'expression', message, error.remedy ?? CORRECT, mends);
      return null;
    }
  }

  signals(key: string): readonly SignalExpression[] {
    const value = this.values[key];
    if (!Array.isArray(value)) return [];
    return (value as Expression[]).map((expression, i) => ({
      text: String(expression),
      pointer: `${this.pointer}/${key}/${i}`,
    }));
  }

  expression(key: string): SignalExpression {
    const value = this.values[key] ?? this.#field(key).default;
    const isGiven = typeof value === 'string' || typeof value === 'number';
    return { text: isGiven ? String(value) : '', pointer: `${this.pointer}/${key}` };
  }

  components(key: string): readonly string[] {
    const value = this.values[key];
    return Array.isArray(value) ? value.map(String) : [];
  }

  /** The function of a field that follows outputs of control blocks. */
  #drive(key: string, { signals }: SignalReference): ModelFunction {
    const field = this.#field(key);
    const length = 'length' in field ? this.#dimension(field.length) : null;
    if (length !== null && signals.length !== length)
      this.#report(
        'error',
        `${key}/signals`,
        'vector-length',
        `${field.label} has ${plural(signals.length, 'entry', 'entries')}; ${length} ${length === 1 ? 'is' : 'are'} needed.`,
        `Give ${plural(length, 'expression')}.`,
      );
    const expressions = signals.map((expression, i) => ({
      text: String(expression),
      pointer: `${this.pointer}/${key}/signals/${i}`,
    }));
    return this.context.held.drive(this.element, expressions);
  }

  /** Value of a dimension that a number or another field says; null where something else does. */
  #dimension(dimension: Dimension): number | null {
    if (typeof dimension === 'number') return dimension;
    const { fields } = this.definition;
    const matrix = fields.find((field) => field.kind === 'matrix' && field.columns === dimension);
    if (dimension === 'externalSize' && matrix !== undefined) return this.matrixColumns(matrix.key);
    return fields.some(({ key }) => key === dimension) ? this.number(dimension) : null;
  }

  function(key: string): ModelFunction | null {
    const given = this.values[key];
    if (isSignals(given)) return this.#drive(key, given);
    const name = this.#functionName(key);
    const field = this.#field(key);
    const isWritten = isReference(given);
    if (name === null || !('plugin' in field)) return null;
    const call = this.context.functions(name);
    if (call === null) {
      this.#reportUnknown(key, name);
      return null;
    }
    if (call instanceof LateFunction)
      call.await((loaded) => {
        if (loaded === null) this.#reportUnknown(key, name);
      });
    if (isWritten) reportUse(name, field.plugin, this.element, this.context);
    const { parameters } = PLUGIN_SIGNATURES[field.plugin];
    const place = this.#placeOf(key, name, false);
    return bindPlugin(call as ScriptFunction | LateFunction, parameters, this.context.plugins, place, null);
  }

  analytic(key: string, length: number): AnalyticFunction | null {
    const name = this.#functionName(key);
    const field = this.#field(key);
    if (name === null || !('plugin' in field)) return null;
    const signature = PLUGIN_SIGNATURES[field.plugin].parameters.join();
    if (signature !== 't,out,p' && signature !== 't,q,out,p') return null;
    return this.context.analytic?.(name, length, this.context.parameters, signature !== 't,out,p') ?? null;
  }

  matrixFunction(key: string, rows: number, columns: number): MatrixFunction | null {
    if (!this.has(key)) return null;
    // The shape of expressions is that of numbers.
    if (this.#timedEntries(key) !== null && !this.#checkTimedMatrix(key, rows, columns))
      return zeroMatrix(rows, columns);
    if (this.isFunction(key)) {
      this.#timedName(key, columns);
      const evaluate = this.function(key);
      return evaluate === null ? zeroMatrix(rows, columns) : { constant: null, evaluate };
    }
    const constant = this.matrix(key, rows, columns);
    return constant === null ? null : constantMatrix(constant);
  }

  jacobian(key: string, rows: number, columns: number): MatrixFunction {
    const given = this.matrixFunction(key, rows, columns);
    const { derivation } = this.#field(key);
    if (given !== null) {
      if (derivation !== undefined) this.#collect(key, given, derivation, rows, columns);
      return given;
    }
    if (derivation === undefined)
      throw new Error(`${this.definition.type}.${key} is not derived from anything`);
    return this.derivative(derivation.of, derivation.by, rows, columns, key);
  }

  derivative(of: string, by: string, rows: number, columns: number, instead: string): MatrixFunction {
    const derivation = this.#derive(of, by, rows);
    if (derivation === null) return zeroMatrix(rows, columns);
    this.context.derivedJacobians?.push({
      element: this.element,
      pointer: `${this.pointer}/${instead}`,
      function: this.#functionName(of) ?? '',
      by: by as PluginArgument,
      issue: derivation.result.ok ? null : derivation.result.issue,
    });
    if (derivation.result.ok) return { constant: null, evaluate: derivation.bind(derivation.result.call) };
    this.#reportDerivative(derivation.result.issue, instead);
    return zeroMatrix(rows, columns);
  }

  exactDerivative(of: string, by: string, rows: number, columns: number): MatrixFunction | null {
    const derivation = this.#derive(of, by, rows);
    if (derivation === null) return zeroMatrix(rows, columns);
    const { result, bind } = derivation;
    return result.ok && result.isExact === true ? { constant: null, evaluate: bind(result.call) } : null;
  }

  /** Notes a Jacobian that is given, if the function it belongs to can be differentiated. */
  #collect(
    key: string,
    given: MatrixFunction,
    { of, by }: NonNullable<FieldDefinition['derivation']>,
    rows: number,
    columns: number,
  ): void {
    const { givenJacobians } = this.context;
    const name = this.#functionName(of);
    if (givenJacobians === undefined || name === null) return;
    const derivation = this.#derive(of, by, rows);
    if (derivation?.result.ok !== true) return;
    givenJacobians.push({
      element: this.element,
      pointer: `${this.pointer}/${key}`,
      function: name,
      by,
      jacobian: this.#functionName(key),
      rows,
      columns,
      given,
      derived: { constant: null, evaluate: derivation.bind(derivation.result.call) },
    });
  }

  /**
   * Asks for the derivative of the function of field `of` by its argument `by`.
   * @returns null where the field names no function there is, or one without that argument: the derivative is
   *   zero
   */
  #derive(
    of: string,
    by: string,
    rows: number,
  ): {
    result: DocumentDerivativeResult;
    bind: (call: ScriptFunction | LateFunction) => ModelFunction;
  } | null {
    const field = this.#field(of);
    const name = this.#functionName(of);
    // A function that does not exist has been reported where it is used itself.
    if (name === null || !('plugin' in field) || this.context.functions(name) === null) return null;
    const parameters: readonly PluginArgument[] = PLUGIN_SIGNATURES[field.plugin].parameters;
    const argument = parameters.findIndex((parameter) => parameter === by);
    if (argument < 0) return null;
    const result = this.context.derivatives({
      function: name,
      arguments: parameters.length,
      argument,
      shape: by === 't' ? 'scalar' : 'vector',
      result: parameters.indexOf('out'),
    });
    const place = this.#placeOf(of, name, true);
    return { result, bind: (call) => bindPlugin(call, parameters, this.context.plugins, place, rows) };
  }

  /** Reports a function that cannot be differentiated, once for all elements that use it. */
  #reportDerivative(issue: DocumentIssue, instead: string): void {
    const { issues } = this.context;
    if (issues.some(({ code, pointer }) => code === issue.code && pointer === issue.pointer)) return;
    issues.push({
      ...issue,
      element: issue.element ?? this.element,
      remedy: `${issue.remedy} The Jacobian is the field “${this.#field(instead).label}” (${instead}) of “${this.element}”; finite differences are chosen in the simulation settings.`,
    });
  }

  #functionName(key: string): string | null {
    const value = this.values[key];
    return isReference(value) ? value.function : this.#timedName(key);
  }

  #placeOf(key: string, name: string, isDerivative: boolean): PluginPlace {
    const place = { name, element: this.element, isDerivative };
    return isReference(this.values[key]) ? place : { ...place, field: this.#field(key).label };
  }

  #checkTimedMatrix(key: string, rows: number, columns: number): boolean {
    // Rates and other vectors say their length themselves.
    if (this.#field(key).kind !== 'matrixOrFunction') return true;
    const source = this.#matrixSource(key);
    const reported = this.defectCount;
    if (source !== null) readSparse({ ...source, evaluate: () => 0 }, rows, columns);
    return this.defectCount === reported;
  }

  #reportUnknown(key: string, name: string): void {
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
  }

  /** The matrix in a field; null when it is absent or a function. */
  #matrixSource(key: string): MatrixSource | null {
    const value = this.values[key];
    if (value === undefined || typeof value !== 'object' || isReference(value) || isSignals(value))
      return null;
    return {
      label: this.#field(key).label,
      value: value as MatrixSource['value'],
      evaluate: (expression, place) => this.#evaluate(expression, key, place),
      reject: (place, code, message, remedy) => {
        this.#report('error', `${key}${place}`, code, message, remedy);
      },
    };
  }

  reject(key: string, code: string, message: string, remedy: string): void {
    this.#report('error', key, code, message, remedy);
  }

  warn(key: string, code: string, message: string, remedy: string): void {
    this.#report('warning', key, code, message, remedy);
  }

  /** @param place key of the field and the way into its value, as a pointer goes on */
  #report(
    severity: DocumentIssue['severity'],
    place: string,
    code: string,
    message: string,
    remedy: string,
    mends: Mend[] = [],
  ): void {
    const pointer = `${this.pointer}/${place}`;
    const ways = mends.length === 0 ? {} : { mends };
    this.context.issues.push({ severity, code, pointer, element: this.element, message, remedy, ...ways });
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

  /**
   * Unit of the numbers of a field; undefined where it is not known. In coordinates that are no lengths, and
   * where entries have several units, what the definition says is true in kind only.
   */
  #unit(key: string): string | undefined {
    const { unit, kind } = this.#field(key);
    const { fields, type } = this.definition;
    const own = ['coordinateUnit', 'stateUnit'].find((name) => fields.some((field) => field.key === name));
    if (own === undefined) return /\bq\b/.test(unit) ? undefined : unit;
    const coordinate = this.values[own] ?? this.#field(own).default;
    if (type === 'PlanarBody' && kind !== 'number') return undefined;
    if (own === 'coordinateUnit' && coordinate !== 'm' && unit !== 's') return unit === '' ? '' : undefined;
    if (typeof coordinate !== 'string' || coordinate === '') return /\bq\b/.test(unit) ? undefined : unit;
    return unit.replaceAll(/\bq\b/g, coordinate);
  }

  #evaluate(expression: Expression, key: string, place: string): number {
    // Of large matrices most entries are numbers, which the schema has checked.
    if (typeof expression === 'number') return expression;
    const unit = this.#unit(key);
    return evaluateNumber(expression, `${this.pointer}/${key}${place}`, this.context, this.element, unit);
  }
}

const zeroMatrix = (rows: number, columns: number): MatrixFunction =>
  constantMatrix(new Float64Array(Math.min(rows * columns, MAX_DENSE) || 0));

/** How many of them are defects: what is warned of is built all the same. */
export const defectsIn = (issues: readonly DocumentIssue[]): number =>
  issues.filter(({ severity }) => severity === 'error').length;
