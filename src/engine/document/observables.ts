/**
 * Checks the observables of a document: expressions of signals and parameters, or script functions of one
 * system.
 */
import { LateFunction } from '../model/plugin';
import { checkConstant, orderByDependency } from './parameters';
import { EXPRESSION_CONSTANTS } from './expression-language';
import { compileExpression, ExpressionError, expressionNames, type ExpressionScope } from './expressions';
import { type EvaluationContext, reportUse } from './field-values';
import type { ObservableDocument } from './types';

/** Units in the expression of an observable: its own, and those of parameters. */
export const scopeOf = (
  { unit }: Pick<ObservableDocument, 'unit'>,
  units: Readonly<Record<string, string>>,
): Pick<ExpressionScope, 'unit' | 'unitOfName'> => ({
  unit: unit === '' ? undefined : unit,
  unitOfName: (name) => (name === 't' ? 's' : units[name]),
});

/**
 * Reports defects of the observables.
 * @param systems ids of the systems that have coordinates
 * @param names every signal and parameter an expression may use
 * @param awaitsMore whether a script will add elements, so that a name or a system that is not there yet is
 *   no defect
 */
export function checkObservables(
  observables: readonly ObservableDocument[],
  systems: ReadonlySet<string>,
  names: ReadonlyMap<string, number>,
  context: EvaluationContext,
  awaitsMore: boolean,
): void {
  const parameters = new Set([...Object.keys(context.parameters), ...context.brokenParameters]);
  const seen = new Set<string>();
  observables.forEach((observable, i) => {
    const report = (key: string, code: string, message: string, remedy: string): void => {
      const pointer = `/observables/${i}/${key}`;
      context.issues.push({ severity: 'error', code, pointer, element: observable.name, message, remedy });
    };
    const { name, expression, function: functionName, system } = observable;
    if (seen.has(name))
      report('name', 'duplicate-id', `The observable “${name}” is defined twice.`, 'Rename one.');
    seen.add(name);
    const meaning = reservedMeaning(name);
    if (meaning !== null || parameters.has(name)) {
      const owner = parameters.has(name) ? 'a parameter' : `a quantity of every model: ${meaning}`;
      report(
        'name',
        'name-taken',
        `“${name}” is already the name of ${owner}.`,
        'Give the observable another name.',
      );
    }
    if ((expression === undefined) === (functionName === undefined)) {
      report(
        'expression',
        'observable-source',
        `The observable “${name}” needs an expression or a function, and one only.`,
        'Give one of them.',
      );
      return;
    }
    if (expression !== undefined) {
      try {
        const resolve = (path: string): number => (awaitsMore ? 0 : resolveSignal(path, names));
        const isName = (word: string): boolean => names.has(word);
        const scope = scopeOf(observable, context.units ?? {});
        compileExpression(expression, resolve, { isName, tables: context.tables, ...scope });
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        const remedy = error.remedy ?? 'Correct the expression.';
        report('expression', 'expression', `“${expression}”: ${error.message}.`, remedy);
        return;
      }
      checkConstant(expression, `/observables/${i}/expression`, context, name, scopeOf(observable, {}).unit);
      return;
    }
    if (functionName !== undefined) {
      const call = context.functions(functionName);
      const reportUnknown = (): void =>
        report(
          'function',
          'unknown-function',
          `No script exports a function “${functionName}”.`,
          'Write it, or name another.',
        );
      if (call === null) reportUnknown();
      else reportUse(functionName, 'observable', name, context);
      if (call instanceof LateFunction)
        call.await((loaded) => {
          if (loaded === null) reportUnknown();
        });
    }
    if (system === undefined || (!awaitsMore && !systems.has(system))) {
      report(
        'system',
        'unknown-system',
        `The observable “${name}” names no existing system.`,
        'Name the system whose q and v it takes.',
      );
    }
  });
  for (const cycle of observableOrder(observables).cycles) {
    context.issues.push({
      severity: 'error',
      code: 'cyclic-expression',
      pointer: `/observables/${observables.findIndex(({ name }) => name === cycle[0])}/expression`,
      element: cycle[0],
      message: `The observable “${cycle[0]}” depends on itself: ${cycle.join(' → ')}.`,
      remedy: 'Define one of these by signals and parameters alone.',
    });
  }
}

/** What a name means in the expressions of every model, so that nothing else may have it; null for others. */
export function reservedMeaning(name: string): string | null {
  if (name === 't') return 'the time, s';
  return EXPRESSION_CONSTANTS.find((constant) => constant.name === name)?.meaning ?? null;
}

/** Names the expression of an observable uses; none when it cannot be read or is a function. */
function usedNames({ expression }: ObservableDocument): string[] {
  if (expression === undefined) return [];
  try {
    return expressionNames(expression);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return [];
  }
}

/** Order in which observables are evaluated: each after those it uses. */
export function observableOrder(observables: readonly ObservableDocument[]): {
  order: number[];
  cycles: string[][];
} {
  return orderByDependency(
    observables.map(({ name }) => name),
    observables.map(usedNames),
  );
}

/** Position of a signal or parameter in the state vector. @throws {ExpressionError} */
export function resolveSignal(path: string, names: ReadonlyMap<string, number>): number {
  const slot = names.get(path);
  if (slot === undefined) {
    const close = [...names.keys()].filter((name) => name.startsWith(path.split(/[.[]/)[0])).slice(0, 8);
    throw new ExpressionError(
      `“${path}” is neither a signal nor a parameter${close.length > 0 ? `; similar are ${close.join(', ')}` : ''}`,
    );
  }
  return slot;
}
