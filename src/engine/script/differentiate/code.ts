/** Pieces of generated code. */

/**
 * An expression of the derivative: text that gives the value of the user's expression, and for each lane, that is each
 * direction that is followed at once, text that gives its tangent or, for arrays and objects, its shadow: an object of
 * the same shape that holds the tangents. null is zero.
 */
export interface Code {
  readonly value: string;
  readonly shadows: readonly string[] | null;
  /** whether nothing that is evaluated later can change what the texts give */
  readonly isStable: boolean;
}

/** One or more lines of generated code that belong to a line of the script. */
export interface Line {
  readonly text: string;
  /** 1-based line of the user's source */
  readonly line: number;
}

export const ZERO = '0';

const SIMPLE = /^(?:[\p{ID_Start}$_][\p{ID_Continue}$]*|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)$/u;

/** Whether a text may be repeated without being evaluated twice. */
export const isSimple = (text: string): boolean => SIMPLE.test(text);

/** A text as operand of any operator. */
export const operand = (text: string): string => (isSimple(text) ? text : `(${text})`);

/** Steps, then a value, as one expression. */
export const sequence = (steps: readonly string[], value: string): string =>
  steps.length === 0 ? value : `(${[...steps, value].join(', ')})`;
