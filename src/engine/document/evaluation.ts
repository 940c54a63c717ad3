/**
 * From an expression of the document to its number. Every number of a model goes through here, so that none that is not
 * finite gets into it: a step of NaN seconds never ends, and a force of NaN is no force.
 */
import { expressionNames, ExpressionError, NOT_FINITE_REMEDY } from './expressions';
import { BrokenParameterError, evaluateWith } from './parameters';
import type { DocumentIssue, Expression } from './types';

/** What an expression is evaluated with, and where its defects go. */
export interface NumberContext {
  readonly parameters: Readonly<Record<string, number>>;
  /** parameters without a value; what only follows from them is not reported again */
  readonly brokenParameters: ReadonlySet<string>;
  readonly issues: DocumentIssue[];
  /** value of every expression string by JSON pointer */
  readonly values: Record<string, number>;
}

/**
 * Value of the number at a place of the document. A defect is reported there.
 * @param element id of the element it belongs to, where it belongs to one
 * @returns NaN where it has no finite value
 */
export function evaluateNumber(
  expression: Expression,
  pointer: string,
  context: NumberContext,
  element?: string,
): number {
  const report = (code: string, message: string, remedy: string): number => {
    const of = element === undefined ? {} : { element };
    context.issues.push({ severity: 'error', code, pointer, ...of, message, remedy });
    return Number.NaN;
  };
  try {
    const value = evaluateWith(expression, context.parameters, context.brokenParameters);
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
    return report(
      'expression',
      `“${expression}”: ${error.message}.`,
      'Correct the expression, or add the parameter it names.',
    );
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
 * Reports an expression whose value is known without a run and not finite. All else that may be wrong with it is for its
 * reader to say.
 */
export function checkConstant(text: string, pointer: string, context: NumberContext, element?: string): void {
  if (isInParameters(text, context)) evaluateNumber(text, pointer, context, element);
}

const notANumber = (value: number): string => `The value is ${value}, which is no number to compute with.`;
