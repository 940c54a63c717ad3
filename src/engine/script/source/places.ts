/** Places in the text of several scripts that are written out as one. */
import type { ScriptPlace } from '../../errors';

/** Lines that one script has in the text of several. */
export interface ScriptPart {
  readonly name: string;
  /** position of the script in the document */
  readonly index: number;
  /** lines before it */
  readonly before: number;
  readonly source: string;
}

/** The place the user knows, of one in the text of several scripts. Lines and columns from 1. */
export function placeIn(
  { name, parts }: { readonly name: string; readonly parts?: readonly ScriptPart[] },
  line: number,
  column: number,
): ScriptPlace {
  const part = parts?.findLast(({ before }) => before < line);
  return part === undefined ? { name, line, column } : { name: part.name, line: line - part.before, column };
}
