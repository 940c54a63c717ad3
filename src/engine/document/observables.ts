/** Checks the observables of a document: expressions of signals and parameters, or script functions of one system. */
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import { compileExpression, ExpressionError } from './expressions';
import type { EvaluationContext } from './field-values';
import type { ObservableDocument } from './types';

/** Reports defects of the observables. @param names every signal and parameter an expression may use */
export function checkObservables(
  observables: readonly ObservableDocument[],
  model: NonSmoothDynamicalSystem,
  names: ReadonlyMap<string, number>,
  context: EvaluationContext,
): void {
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
        compileExpression(expression, (path) => resolveSignal(path, names));
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        report('expression', 'expression', `“${expression}”: ${error.message}.`, 'Correct the expression.');
      }
      return;
    }
    if (functionName !== undefined && context.functions(functionName) === null) {
      report(
        'function',
        'unknown-function',
        `No script exports a function “${functionName}”.`,
        'Write it, or name another.',
      );
    }
    if (!model.systems.some(({ id }) => id === system)) {
      report(
        'system',
        'unknown-system',
        `The observable “${name}” names no existing system.`,
        'Name the system whose q and v it takes.',
      );
    }
  });
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
