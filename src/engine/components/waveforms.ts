/** Expressions of time that sources follow, from what stands in the fields of a component. */
import { ExpressionError, expressionNames, inPlainNumbers, parseExpression } from '../document/expressions';
import type { EvaluationContext } from '../document/field-values';
import { evaluateNumber } from '../document/parameters';
import { tableNamed, tablesIn } from '../document/tables';
import type { ComponentDocument } from '../document/types';
import type { ComponentDefinition, Waveforms } from '../model/components/component';
import type { Waveform } from './network';

/** What stands in a field, in parentheses where it is an expression; its default where it is absent. */
function rawText(component: ComponentDocument, { fields }: ComponentDefinition, key: string): string {
  const value = component[key] ?? fields.find((field) => field.key === key)?.default ?? 0;
  if (typeof value === 'number' && value >= 0) return String(value);
  if (typeof value === 'string') return `(${inPlainNumbers(value)})`;
  return typeof value === 'number' ? `(${value})` : '0';
}

/** The text of a waveform of a component. */
const waveformText = (
  component: ComponentDocument,
  definition: ComponentDefinition,
  waveforms: Waveforms,
  name: string,
): string => waveforms[name]((key) => rawText(component, definition, key));

/** Names of a text; null where it cannot be read. */
function namesOf(text: string): string[] | null {
  try {
    parseExpression(text);
    return expressionNames(text);
  } catch (error) {
    if (error instanceof ExpressionError) return null;
    throw error;
  }
}

/** Whether a waveform varies with time, so that it needs a function. */
const variesInTime = (text: string): boolean => namesOf(text)?.includes('t') === true;

/** The value of a source: a number where it is constant. Defects are reported at the fields they stand in. */
export function waveformOf(
  {
    component,
    definition,
    waveforms,
    pointer,
    context,
  }: {
    readonly component: ComponentDocument;
    readonly definition: ComponentDefinition;
    readonly waveforms: Waveforms;
    readonly pointer: string;
    readonly context: EvaluationContext;
  },
  name: string,
): number | Waveform {
  for (const { key, kind, unit } of definition.fields) {
    const value = component[key];
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    if (kind === 'reference') checkTable(String(value), `${pointer}/${key}`, component.id, context);
    if (kind !== 'number' && kind !== 'expression') continue;
    const place = `${pointer}/${key}`;
    const isOfTime = kind === 'expression' && typeof value === 'string' && variesInTime(value);
    if (isOfTime) checkNames(value, place, component.id, context);
    else evaluateNumber(value, place, context, component.id, unit);
  }
  const text = waveformText(component, definition, waveforms, name);
  if (variesInTime(text)) return { text, pointer };
  const before = context.issues.length;
  const value = evaluateNumber(text, pointer, context, component.id);
  // What is wrong with its parts has been said of them.
  context.issues.length = before;
  return value;
}

/** Reports a table that there is not. */
function checkTable(
  name: string,
  pointer: string,
  element: string,
  { tables, issues }: EvaluationContext,
): void {
  try {
    tableNamed(name, tables);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const remedy = error.remedy ?? 'Name a table.';
    issues.push({
      severity: 'error',
      code: 'unknown-table',
      pointer,
      element,
      message: `${error.message}.`,
      remedy,
    });
  }
}

/** Reports names in an expression of time that are neither the time nor a parameter. */
function checkNames(text: string, pointer: string, element: string, context: EvaluationContext): void {
  for (const name of tablesIn(text)) checkTable(name, pointer, element, context);
  const unknown = (namesOf(text) ?? []).find(
    (name) => name !== 't' && !Object.hasOwn(context.parameters, name) && !context.brokenParameters.has(name),
  );
  if (unknown === undefined) return;
  context.issues.push({
    severity: 'error',
    code: 'expression',
    pointer,
    element,
    message: `“${text}”: “${unknown}” is neither the time t nor a parameter.`,
    remedy: 'Correct the expression, or add the parameter it names.',
  });
}
