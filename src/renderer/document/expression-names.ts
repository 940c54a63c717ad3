/**
 * The names in an expression, by its tokens: what follows a point is a member, what stands in a number is no
 * name.
 */

/** A name and where it stands. */
export interface NamePlace {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const TOKEN =
  /(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<name>[\p{L}_$][\p{L}\p{N}_$]*)|(?<quoted>"[^"]*"?|'[^']*'?)|(?<other>\S)/gu;

/** Names in the order they stand; members (`q` of `ball.q`) are left out. */
export function namesInExpression(expression: string): NamePlace[] {
  const found: NamePlace[] = [];
  let before = '';
  for (const match of expression.matchAll(TOKEN)) {
    const [token] = match;
    const name = match.groups?.['name'];
    if (name !== undefined && before !== '.')
      found.push({ name, start: match.index, end: match.index + token.length });
    before = token;
  }
  return found;
}

/** Replaces places of a text. */
export function replaceRanges(
  content: string,
  ranges: readonly { readonly start: number; readonly end: number; readonly by: string }[],
): string {
  const ordered = [...ranges].sort((a, b) => b.start - a.start);
  return ordered.reduce((rest, { start, end, by }) => rest.slice(0, start) + by + rest.slice(end), content);
}

/** Replaces a name wherever it stands for itself. */
export function replaceName(expression: string, from: string, to: string): string {
  const places = namesInExpression(expression).filter(({ name }) => name === from);
  return places.length === 0
    ? expression
    : replaceRanges(
        expression,
        places.map((place) => ({ ...place, by: to })),
      );
}

/**
 * A value as it is put in the place of a name: in parentheses where its operators would mean something else.
 */
export function asOperand(value: string): string {
  const trimmed = value.trim();
  return /^[\p{L}_$][\p{L}\p{N}_$]*$|^\d+\.?\d*(?:[eE][+-]?\d+)?$/u.test(trimmed) ? trimmed : `(${trimmed})`;
}
