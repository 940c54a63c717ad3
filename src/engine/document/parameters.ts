/** Parameter values of a document: expressions in other parameters, evaluated in dependency order. */
import {
  compileExpression,
  evaluateExpression,
  ExpressionError,
  expressionNames,
  NOT_FINITE_REMEDY,
} from './expressions';
import { orderByDependency } from './dependencies';
import type { DocumentIssue, Expression, ParameterDocument } from './types';

export interface ParameterValues {
  values: Record<string, number>;
  /** parameters that exist but have no value, because of a defect that `issues` reports */
  broken: ReadonlySet<string>;
  issues: DocumentIssue[];
}

/** An expression uses a parameter without a value: a consequence of a defect that has been reported already. */
export class BrokenParameterError extends ExpressionError {}

const NONE: ReadonlySet<string> = new Set();

/**
 * Evaluates one expression with known parameter values.
 * @param broken parameters without a value
 * @throws {BrokenParameterError} when it uses one of those, {ExpressionError} for all else
 */
export function evaluateWith(
  expression: Expression,
  values: Readonly<Record<string, number>>,
  broken: ReadonlySet<string> = NONE,
): number {
  if (typeof expression === 'number') return expression;
  const slots: number[] = [];
  const program = compileExpression(expression, (path) => {
    if (broken.has(path)) throw new BrokenParameterError(`the parameter “${path}” has no value`);
    if (!Object.hasOwn(values, path)) throw new ExpressionError(unknownName(path, Object.keys(values)));
    slots.push(values[path]);
    return slots.length - 1;
  });
  return evaluateExpression(program, Float64Array.from(slots));
}

function unknownName(name: string, known: string[]): string {
  return known.length === 0
    ? `“${name}” is not a parameter; the model has none`
    : `“${name}” is not a parameter of this model; known are ${known.slice(0, 12).join(', ')}`;
}

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
    report(i, 'expression', message, 'Correct the expression, or add the parameter it names.');
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
  for (const i of order) {
    const { name } = parameters[i];
    // A parameter that exists but has no value has been reported itself: in a cycle, or for its own defect.
    if (unreadable.has(i) || uses[i].some((used) => index.has(used) && !Object.hasOwn(values, used)))
      continue;
    try {
      const value = evaluateWith(expressions[i], values);
      if (Number.isFinite(value)) values[name] = value;
      else {
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
