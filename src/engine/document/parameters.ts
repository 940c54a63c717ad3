/** Parameter values of a document: expressions in other parameters, evaluated in dependency order. */
import type { FieldDefinition } from '../model/definition';
import { definitionsByKey } from '../model/registry';
import {
  ExpressionError,
  type ExpressionScope,
  NOT_FINITE_REMEDY,
  compileExpression,
  evaluateExpression,
  expressionNames,
} from './expressions';
import type { Tables } from './tables';
import type { DocumentIssue, Expression, Mend, ParameterDocument } from './types';
import { CORRECT, nameMends, UnknownNameError } from './unknown-name';

/* Order of definitions that use each other, such as parameters or observables. */

export interface DependencyOrder {
  /** positions, each after everything it uses; members of cycles stand where they were met */
  order: number[];
  /** each cycle as the names along it, the first repeated at the end */
  cycles: string[][];
}

/**
 * Depth-first search with a stack of its own: a chain of a hundred thousand definitions must not overflow the
 * program's.
 * @param names of the definitions, by position
 * @param uses names that each definition uses; others than `names` are passed over
 */
export function orderByDependency(
  names: readonly string[],
  uses: readonly (readonly string[])[],
): DependencyOrder {
  const index = new Map(names.map((name, i) => [name, i]));
  const NEW = 0;
  const OPEN = 1;
  const DONE = 2;
  const state = new Uint8Array(names.length);
  const order: number[] = [];
  const cycles: string[][] = [];
  const path: number[] = [];
  const next: number[] = [];
  for (let start = 0; start < names.length; start++) {
    if (state[start] !== NEW) continue;
    state[start] = OPEN;
    path.push(start);
    next.push(0);
    while (path.length > 0) {
      const top = path.length - 1;
      const i = path[top];
      if (next[top] === uses[i].length) {
        state[i] = DONE;
        order.push(i);
        path.pop();
        next.pop();
        continue;
      }
      const used = index.get(uses[i][next[top]++]);
      if (used === undefined || state[used] === DONE) continue;
      if (state[used] === OPEN) {
        const members = path.slice(path.indexOf(used)).map((k) => names[k]);
        cycles.push([...members, names[used]]);
        continue;
      }
      state[used] = OPEN;
      path.push(used);
      next.push(0);
    }
  }
  return { order, cycles };
}

export interface ParameterValues {
  values: Record<string, number>;
  /** parameters that exist but have no value, because of a defect that `issues` reports */
  broken: ReadonlySet<string>;
  issues: DocumentIssue[];
}

/**
 * An expression uses a parameter without a value: a consequence of a defect that has been reported already.
 */
class BrokenParameterError extends ExpressionError {}

const NONE: ReadonlySet<string> = new Set();

/**
 * Evaluates one expression with known parameter values.
 * @param broken parameters without a value
 * @param scope units of the value and of parameters
 * @throws {BrokenParameterError} when it uses one of those, {ExpressionError} for all else
 */
export function evaluateWith(
  expression: Expression,
  values: Readonly<Record<string, number>>,
  broken: ReadonlySet<string> = NONE,
  scope: Omit<ExpressionScope, 'isName'> = {},
): number {
  if (typeof expression === 'number') return expression;
  const slots: number[] = [];
  const resolve = (path: string): number => {
    if (broken.has(path)) throw new BrokenParameterError(`the parameter “${path}” has no value`);
    if (!Object.hasOwn(values, path)) throw new UnknownNameError(path, Object.keys(values));
    slots.push(values[path]);
    return slots.length - 1;
  };
  const isName = (word: string): boolean => broken.has(word) || Object.hasOwn(values, word);
  const program = compileExpression(expression, resolve, { ...scope, isName });
  return evaluateExpression(program, Float64Array.from(slots));
}

/** Units of the parameters that have one, by name. */
export const unitsOf = (parameters: readonly ParameterDocument[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    parameters.flatMap(({ name, unit }) => (unit === undefined || unit === '' ? [] : [[name, unit]])),
  );

/** Evaluates all parameters, with `overrides` in place of the document's values. */
export function evaluateParameters(
  parameters: readonly ParameterDocument[],
  overrides: Readonly<Record<string, Expression>> = {},
): ParameterValues {
  const issues: DocumentIssue[] = [];
  const values: Record<string, number> = {};
  const index = new Map(parameters.map((parameter, i) => [parameter.name, i]));
  const report = (i: number, code: string, message: string, remedy: string): void => {
    const { name } = parameters[i];
    issues.push({
      severity: 'error',
      code,
      pointer: `/parameters/${i}/value`,
      element: name,
      message,
      remedy,
    });
  };
  const refuse = (i: number, error: unknown): void => {
    if (!(error instanceof ExpressionError)) throw error;
    const { name } = parameters[i];
    const message = `Parameter “${name}” = “${String(expressions[i])}”: ${error.message}.`;
    report(i, 'expression', message, error.remedy ?? CORRECT);
    const mends = nameMends(error, expressions[i], `/parameters/${i}/value`, parameters[i].unit);
    if (mends.length > 0) Object.assign(issues.at(-1) ?? {}, { mends });
  };
  const expressions = parameters.map(({ name, value }) =>
    Object.hasOwn(overrides, name) ? overrides[name] : value,
  );
  const unreadable = new Set<number>();
  const uses = expressions.map((expression, i) => {
    if (typeof expression === 'number') return [];
    try {
      return expressionNames(expression);
    } catch (error) {
      refuse(i, error);
      unreadable.add(i);
      return [];
    }
  });
  const { order, cycles } = orderByDependency(
    parameters.map(({ name }) => name),
    uses,
  );
  for (const cycle of cycles) {
    const message = `Parameter “${cycle[0]}” depends on itself: ${cycle.join(' → ')}.`;
    report(index.get(cycle[0]) ?? 0, 'cyclic-expression', message, 'Give one of these parameters a number.');
  }
  const units = unitsOf(parameters);
  const unitOfName = (name: string): string | undefined => units[name];
  const unvalued = new Set(parameters.map(({ name }) => name));
  for (const i of order) {
    const { name } = parameters[i];
    // A parameter that exists but has no value has been reported itself: in a cycle, or for its own defect.
    if (unreadable.has(i) || uses[i].some((used) => index.has(used) && !Object.hasOwn(values, used)))
      continue;
    try {
      // Those that stand later are names as well, and the ones that it uses have their values.
      const value = evaluateWith(expressions[i], values, unvalued, {
        unitOfName,
        unit: unitOfName(name) ?? '',
      });
      if (Number.isFinite(value)) {
        values[name] = value;
        unvalued.delete(name);
      } else {
        const message = `Parameter “${name}” evaluates to ${value}.`;
        report(i, 'not-finite', message, NOT_FINITE_REMEDY);
      }
    } catch (error) {
      refuse(i, error);
    }
  }
  for (const name of Object.keys(overrides)) {
    if (!index.has(name)) {
      issues.push({
        severity: 'error',
        code: 'unknown-parameter',
        pointer: '/parameters',
        element: name,
        message: `There is no parameter “${name}” to set.`,
        remedy:
          parameters.length === 0
            ? 'The model has no parameters.'
            : `Parameters of this model: ${parameters.map((p) => p.name).join(', ')}.`,
      });
    }
  }
  const broken = new Set(parameters.map(({ name }) => name).filter((name) => !Object.hasOwn(values, name)));
  return { values, broken, issues };
}

/*
 * From an expression of the document to its number. Every number of a model goes through here, so that none
 * that is not finite gets into it: a step of NaN seconds never ends, and a force of NaN is no force.
 */

/** What an expression is evaluated with, and where its defects go. */
export interface NumberContext {
  readonly parameters: Readonly<Record<string, number>>;
  /** units of parameters by name; none is known when it is left out */
  readonly units?: Readonly<Record<string, string>> | undefined;
  /** tables of the model; none is known when they are left out */
  readonly tables?: Tables | undefined;
  /** parameters without a value; what only follows from them is not reported again */
  readonly brokenParameters: ReadonlySet<string>;
  readonly issues: DocumentIssue[];
  /** value of every expression string by JSON pointer */
  readonly values: Record<string, number>;
}

/**
 * Value of the number at a place of the document. A defect is reported there.
 * @param element id of the element it belongs to, where it belongs to one
 * @param unit of the value; '' of a number without one, undefined where it is not known
 * @returns NaN where it has no finite value
 */
export function evaluateNumber(
  expression: Expression,
  pointer: string,
  context: NumberContext,
  element?: string,
  unit?: string,
): number {
  const report = (code: string, message: string, remedy: string, mends: Mend[] = []): number => {
    const of = element === undefined ? {} : { element };
    const ways = mends.length === 0 ? {} : { mends };
    context.issues.push({ severity: 'error', code, pointer, ...of, message, remedy, ...ways });
    return Number.NaN;
  };
  try {
    const unitOfName = (name: string): string | undefined => context.units?.[name];
    const scope = { unitOfName, unit, tables: context.tables };
    const value = evaluateWith(expression, context.parameters, context.brokenParameters, scope);
    if (!Number.isFinite(value)) {
      const what =
        typeof expression === 'string' ? `“${expression}” evaluates to ${value}.` : notANumber(value);
      return report('not-finite', what, NOT_FINITE_REMEDY);
    }
    if (typeof expression === 'string') context.values[pointer] = value;
    return value;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    if (error instanceof BrokenParameterError) return Number.NaN;
    const mends = nameMends(error, expression, pointer, unit);
    return report('expression', `“${expression}”: ${error.message}.`, error.remedy ?? CORRECT, mends);
  }
}

/** Whether it is an expression, and in nothing but parameters that have values. */
function isInParameters(text: string, { parameters }: NumberContext): boolean {
  try {
    return expressionNames(text).every((name) => Object.hasOwn(parameters, name));
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}

/**
 * Reports an expression whose value is known without a run and not finite. All else that may be wrong with it
 * is for its reader to say.
 */
export function checkConstant(
  text: string,
  pointer: string,
  context: NumberContext,
  element?: string,
  unit?: string,
): void {
  if (isInParameters(text, context)) evaluateNumber(text, pointer, context, element, unit);
}

const notANumber = (value: number): string => `The value is ${value}, which is no number to compute with.`;

/*
 * Numbers of a document that nothing has asked for: fields that the choice of another one leaves out, such as
 * the settings of a sweep without a section. They are no better for that: one that is not finite is reported.
 */

const holdsNumbers = ({ kind }: FieldDefinition): boolean =>
  kind === 'number' ||
  kind === 'vector' ||
  kind === 'matrix' ||
  kind === 'vectorOrFunction' ||
  kind === 'matrixOrFunction';

type Known = NumberContext & { readonly reported: ReadonlySet<string> };

/** The expressions in the value of a field. */
function evaluateAll(value: unknown, pointer: string, element: string | undefined, known: Known): void {
  if (typeof value === 'string') {
    if (!(pointer in known.values) && !known.reported.has(pointer))
      checkConstant(value, pointer, known, element);
  } else if (Array.isArray(value)) {
    value.forEach((entry: unknown, i) => {
      // Most entries of large matrices are numbers.
      if (typeof entry !== 'number') evaluateAll(entry, `${pointer}/${i}`, element, known);
    });
  } else if (typeof value === 'object' && value !== null && 'entries' in value) {
    evaluateAll(value.entries, `${pointer}/entries`, element, known);
  }
}

/** @param key under which it stands, or the list that it is in */
function visit(
  value: unknown,
  key: string,
  pointer: string,
  element: string | undefined,
  known: Known,
): void {
  if (Array.isArray(value)) {
    value.forEach((entry: unknown, i) => visit(entry, key, `${pointer}/${i}`, element, known));
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const { id, type } = value as { readonly id?: unknown; readonly type?: unknown };
  const of = typeof id === 'string' ? id : element;
  const fields = definitionsByKey.get(key)?.find((definition) => definition.type === type)?.fields ?? [];
  for (const [name, own] of Object.entries(value)) {
    const field = fields.find((one) => one.key === name);
    if (field !== undefined && holdsNumbers(field)) evaluateAll(own, `${pointer}/${name}`, of, known);
    else visit(own, name, `${pointer}/${name}`, of, known);
  }
}

/**
 * @param sections of a document whose structure is sound, by their keys
 * @param context in which all else has been evaluated
 */
export function checkUnread(sections: Readonly<Record<string, unknown>>, context: NumberContext): void {
  const reported = new Set(context.issues.map(({ pointer }) => pointer));
  for (const [key, section] of Object.entries(sections))
    visit(section, key, `/${key}`, undefined, { ...context, reported });
}
