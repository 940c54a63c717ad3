/** Expressions of the time, and functions that are made of them instead of being written in a script. */
import type { FieldDefinition } from '../model/definition';
import { PLUGIN_SIGNATURES, type PluginArgument, type PluginKind } from '../model/plugin-signatures';
import {
  compileExpression,
  ExpressionError,
  expressionNames,
  type ExpressionProgram,
  type ExpressionScope,
} from './expressions';
import type { Expression, FieldValue, SparseMatrixValue } from './types';

/** The time in expressions. */
export const TIME_NAME = 't';

/** An expression of the time and of parameters. */
export interface TimedProgram {
  readonly program: ExpressionProgram;
  /** what its slots hold: `t`, and names of parameters */
  readonly names: readonly string[];
}

/** Where a generated function comes from, for messages. */
export interface FieldPlace {
  /** JSON pointer to the field */
  readonly pointer: string;
  /** id of its element */
  readonly element: string;
  /** what the field is called */
  readonly label: string;
}

/** What a function fills its result with: expressions by entry; those that are left out are zero. */
export interface GeneratedFunction {
  readonly kind: PluginKind;
  readonly entries: readonly (readonly [index: number, program: TimedProgram])[];
  readonly place: FieldPlace;
}

/**
 * Compiles an expression of the time.
 * @param check is asked of every other name; throws for one that is no parameter
 * @param scope names and units
 * @throws {ExpressionError}
 */
export function compileTimed(
  text: string,
  check: (name: string) => void,
  scope: ExpressionScope = {},
): TimedProgram {
  const names: string[] = [];
  const resolve = (name: string): number => {
    if (name !== TIME_NAME) check(name);
    const known = names.indexOf(name);
    return known < 0 ? names.push(name) - 1 : known;
  };
  const program = compileExpression(text, resolve, scope);
  if (!program.constants.every(Number.isFinite)) throw new ExpressionError('a number in it is too large');
  return { program, names };
}

/** Whether an expression names the time. What cannot be read and may do so is reported where it is read. */
function isTimed(expression: unknown): boolean {
  if (typeof expression !== 'string' || !MAY_BE_TIMED.test(expression)) return false;
  try {
    return expressionNames(expression).includes(TIME_NAME);
  } catch (error) {
    if (error instanceof ExpressionError) return true;
    throw error;
  }
}

const MAY_BE_TIMED = /\bt\b/;

/** Entries of a field that is a function by its expressions. */
export interface TimedEntries {
  /** number of entries of a vector; null of a matrix */
  readonly length: number | null;
  readonly entries: readonly TimedEntry[];
}

interface TimedEntry {
  readonly row: number;
  readonly column: number;
  readonly text: Expression;
  /** the way to it in the field, as a pointer goes on */
  readonly way: string;
}

const vectorEntries = (value: readonly Expression[]): TimedEntries => ({
  length: value.length,
  entries: value.map((text, row) => ({ row, column: 0, text, way: `/${row}` })),
});

function matrixEntries(value: Expression[][] | SparseMatrixValue): TimedEntry[] {
  if (Array.isArray(value))
    return value.flatMap((entries, row) =>
      entries.map((text, column) => ({ row, column, text, way: `/${row}/${column}` })),
    );
  return value.entries.map(([row, column, text], k) => ({ row, column, text, way: `/entries/${k}/2` }));
}

/**
 * The expressions of a field that is a function by them: one of them names the time, or the field takes
 * nothing but functions of the time. Null of other fields.
 */
export function timedEntries(field: FieldDefinition, value: FieldValue | undefined): TimedEntries | null {
  if (value === undefined || !('plugin' in field)) return null;
  const parameters: readonly PluginArgument[] = PLUGIN_SIGNATURES[field.plugin].parameters;
  if (!parameters.includes(TIME_NAME)) return null;
  if (field.kind === 'function') {
    if (field.length === undefined) return null;
    if (Array.isArray(value)) return vectorEntries(value as Expression[]);
    if (typeof value === 'object') return null;
    return { length: 1, entries: [{ row: 0, column: 0, text: value, way: '' }] };
  }
  if (typeof value !== 'object' || 'function' in value || 'signals' in value) return null;
  if (field.kind === 'vectorOrFunction')
    return (value as unknown[]).some(isTimed) ? vectorEntries(value as Expression[]) : null;
  const entries = matrixEntries(value as Expression[][] | SparseMatrixValue);
  return entries.some(({ text }) => isTimed(text)) ? { length: null, entries } : null;
}
