/** What a script gets to hear when one of its functions cannot be differentiated. */
import type { Node } from 'acorn';

/** Why a function has no derivative, at the place in the user's own source. */
export interface DerivativeDefect {
  /** stable identifier of the rule, e.g. `derivative-outer-state` */
  code: string;
  message: string;
  remedy: string;
  /** 1-based */
  line: number;
  /** 1-based; 1 where types were stripped from the line and the place can no longer be told */
  column: number;
}

/** Advice where nothing more particular can be said. */
const GIVE_JACOBIAN =
  'Rewrite this place with arithmetic, Math functions, loops and arrays, give the Jacobian as a function of its own, or ask for finite differences.';

/** Thrown inside this folder only, to leave the recursion; the entry turns it into a value. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly node: Node | null,
    readonly code: string,
    message: string,
    readonly remedy: string = GIVE_JACOBIAN,
  ) {
    super(message);
  }
}

/** Positions of a script by character offset. */
export interface ScriptText {
  readonly code: string;
  /** offset of the first character of each line */
  readonly starts: readonly number[];
}

export function scriptText(code: string): ScriptText {
  const starts = [0];
  for (let i = code.indexOf('\n'); i >= 0; i = code.indexOf('\n', i + 1)) starts.push(i + 1);
  return { code, starts };
}

/** 1-based line of an offset, by bisection. */
export function lineAt({ starts }: ScriptText, offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/** Enough of the defective text to find it again in a line with types. */
const PROBE_LENGTH = 12;

const count = (words: string, shown: string): number => (shown === '' ? 0 : words.split(shown).length - 1);

/**
 * Offset of the n-th place, from 0, where `shown` stands in a line; -1 when it does not. Types rarely repeat
 * code.
 */
function occurrence(words: string, shown: string, n: number): number {
  let at = shown === '' ? -1 : words.indexOf(shown);
  for (let i = 0; i < n && at >= 0; i++) at = words.indexOf(shown, at + shown.length);
  return at;
}

/**
 * The defect of a refusal. Lines are the user's, because stripping types keeps them; columns are looked up in
 * the source where it is known.
 */
export function defectOf(
  { code, message, remedy, node }: Refusal,
  text: ScriptText,
  { source, lines }: { source?: string; lines?: readonly number[] },
): DerivativeDefect {
  if (node === null) return { code, message, remedy, line: 1, column: 1 };
  const read = lineAt(text, node.start);
  const column = node.start - text.starts[read - 1] + 1;
  const line = lines?.[read - 1] ?? read;
  if (source === undefined) return { code, message, remedy, line, column };
  const start = text.starts[read - 1];
  const shown = text.code.slice(node.start, Math.min(node.end, node.start + PROBE_LENGTH)).split(/[\n:(]/)[0];
  const found = occurrence(
    source.split('\n')[line - 1] ?? '',
    shown,
    count(text.code.slice(start, node.start), shown),
  );
  return { code, message, remedy, line, column: found < 0 ? 1 : found + 1 };
}
