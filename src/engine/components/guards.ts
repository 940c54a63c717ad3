/**
 * Guards that a user has written, as what is positive where they hold: a comparison is the difference of its
 * sides, “and” the smaller of two, “or” the larger, “not” the negative, and a name of what is on or off that.
 */
import { ExpressionError, parseExpression } from '../document/expressions';
import { withSignalNames } from '../document/signal-names';

/** Names in a guard. */
interface GuardScope {
  /** what is positive where a signal is on; null of what is no signal */
  on(name: string): string | null;
  /** the number that a name is, as an expression; null where it is left as it stands */
  number(name: string): string | null;
}

/** Part of the sides of a comparison that they may be apart by and count as equal: what roundings leave. */
const EQUAL = 1e-10;

/** A node of mathjs, as far as it is read here. */
interface Tree {
  readonly type: string;
  readonly op?: string;
  readonly fn?: string | { readonly name?: string };
  readonly args?: readonly Tree[];
  readonly content?: Tree;
  filter(wanted: (node: Tree) => boolean): readonly Tree[];
  toString(): string;
}

const COMPARISONS: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '==', '!=']);
const JUMPING: ReadonlySet<string> = new Set(['sign', 'floor', 'ceil', 'round', 'table', 'slope']);

/** Whether a value is taken by steps: a passage that lasts for an instant only could be missed. */
const jumps = ({ type, op = '', fn }: Tree): boolean =>
  type === 'ConditionalNode' ||
  type === 'RelationalNode' ||
  (type === 'OperatorNode' && (op === 'mod' || op === '%' || COMPARISONS.has(op))) ||
  (type === 'FunctionNode' && typeof fn === 'object' && JUMPING.has(fn.name ?? ''));

/** Names with their ways, as `R1.v`; not numbers such as 1e5, and not what is called. */
const NAME = /(?<![\w.])[A-Za-z_]\w*(?:(?:\[\d+\])?\.[A-Za-z_]\w*)*(?:\[\d+\])?(?!\w*\s*\()/g;

/**
 * @param isTolerant whether sides that are one but for rounding count as compared
 * @throws {ExpressionError} where the text is no expression
 */
export function guardText(text: string, scope: GuardScope, isTolerant: boolean): string {
  const number = (node: Tree): string => {
    const jump = node.filter(jumps).at(0);
    if (jump !== undefined)
      throw new ExpressionError(
        `“${jump.toString()}” jumps within a number that is compared`,
        'Draw a source of pulses or a table for it and read that at an input; join comparisons by “and” and “or”.',
      );
    return node.toString().replaceAll(NAME, (name) => scope.number(name) ?? name);
  };
  const positive = (node: Tree): string => {
    const { type, op = '', args = [], content } = node;
    if (type === 'ParenthesisNode' && content !== undefined) return positive(content);
    if (type === 'SymbolNode' || type === 'AccessorNode') return scope.on(node.toString()) ?? number(node);
    if (type !== 'OperatorNode') return number(node);
    const [left, right] = args;
    if (op === 'and') return `min(${positive(left)}, ${positive(right)})`;
    if (op === 'or') return `max(${positive(left)}, ${positive(right)})`;
    if (op === 'not') return `-(${positive(left)})`;
    if (op !== '<' && op !== '<=' && op !== '>' && op !== '>=') return number(node);
    const [a, b] = [left, right].map((side) => `(${number(side)})`);
    const difference = op.startsWith('<') ? `${b} - ${a}` : `${a} - ${b}`;
    return isTolerant ? `(${difference} + ${EQUAL}*(abs${a} + abs${b}))` : `(${difference})`;
  };
  return positive(parseExpression(withSignalNames(text)));
}
