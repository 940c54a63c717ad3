/** What a writer of one type of element is given, and what it says. */
import type {
  Expression,
  FieldValue,
  InteractionDocument,
  SystemDocument,
  TypedElement,
} from '../document/types';
import type { PluginArgument } from '../model/plugin-signatures';

/** An element that Siconos has no counterpart for. */
export class NoCounterpart extends Error {
  override readonly name = 'NoCounterpart';

  constructor(
    message: string,
    readonly remedy: string,
  ) {
    super(message);
  }
}

/** Turns values of one element into Python. */
export interface ElementWriter {
  /** a number */
  number(value: Expression): string;
  /** a list of numbers; of zeros when the field is absent */
  vector(value: FieldValue | undefined, size: number): string;
  /** a numpy array */
  matrix(value: FieldValue, rows: number, columns: number): string;
  /** value of an expression now */
  evaluate(value: Expression): number;
  /**
   * A function (…) → list of numbers of a field that is a vector or a script function; null when it is
   * absent.
   */
  vectorFunction(value: FieldValue | undefined, size: number): string | null;
  /**
   * A function (…) → list of rows of a field that is a matrix or a script function, or, where it is absent,
   * the derivative of another.
   * @param derived the function it is derived from, the argument, and the arguments of that function in their
   *   order
   */
  matrixFunction(
    value: FieldValue | undefined,
    rows: number,
    columns: number,
    derived?: { of: FieldValue | undefined; by: PluginArgument; arguments: readonly PluginArgument[] },
  ): string;
  /** asks for a helper of the script. @returns its name */
  helper(name: string): string;
  /** something is left out or different */
  warn(message: string): void;
}

export interface SystemWriter {
  readonly type: string;
  readonly order: 1 | 2;
  size(system: SystemDocument): number;
  /** whether the rates or forces are linear in the state with constant matrices */
  isLinear(system: SystemDocument): boolean;
  /**
   * @param isLinear whether everything in the model is linear.
   * @returns the object, and what is called on it afterwards
   */
  write(system: SystemDocument, to: ElementWriter, isLinear: boolean): { object: string; calls?: string[] };
}

export interface RelationWriter {
  readonly type: string;
  readonly isLinear: boolean;
  size(relation: TypedElement): number;
  /**
   * @param rows of the relation that this object takes; all, or those of one contact
   * @returns the object, and what is called on it afterwards
   */
  write(
    relation: TypedElement,
    columns: number,
    rows: { from: number; to: number },
    to: ElementWriter,
  ): { object: string; calls?: string[] };
}

export interface LawWriter {
  readonly type: string;
  /** the one-step problem it needs, the widest of which is taken */
  readonly problem: 'LCP' | 'MLCP' | 'Relay' | 'FrictionContact';
  /** rows it takes at once: of a relation with more, each group becomes an interaction; null takes all */
  readonly rows: number | null;
  /** signal of the multiplier in its rows, and the level at which the kernel keeps it */
  readonly level: 0 | 1;
  write(law: TypedElement, size: number, interaction: InteractionDocument, to: ElementWriter): string;
}

export const functionName = (value: FieldValue | undefined): string | null =>
  typeof value === 'object' &&
  !Array.isArray(value) &&
  'function' in value &&
  typeof value.function === 'string'
    ? value.function
    : null;

/* Rows of matrices of a document, dense or by entries. */

export function rowCount(value: FieldValue | undefined): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value !== 'object' || !('entries' in value)) return 0;
  const { rows, entries } = value as { rows?: number; entries: [number, number, unknown][] };
  return rows ?? Math.max(0, ...entries.map(([row]) => row + 1));
}

/** The part of a Python list or array that holds some rows; nothing where it is all of them. */
export const slice = ({ from, to }: { from: number; to: number }, all: number): string =>
  from === 0 && to === all ? '' : `[${from}:${to}]`;
