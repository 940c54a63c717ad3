/** Expressions of documents in the language of ngspice. */
import type { MathNode } from 'mathjs/number';
import { ExpressionError, parseExpression } from '../document/expressions';

interface Operator {
  readonly fn: string;
  readonly args: MathNode[];
}
interface Call {
  readonly fn: { readonly name?: string };
  readonly args: MathNode[];
}

const SIGNS: Readonly<Record<string, string>> = {
  add: '+',
  subtract: '-',
  multiply: '*',
  divide: '/',
  pow: '^',
  smaller: '<',
  smallerEq: '<=',
  larger: '>',
  largerEq: '>=',
};

const SAME: ReadonlySet<string> = new Set([
  ...['abs', 'sqrt', 'exp', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sinh', 'cosh', 'tanh'],
  ...['floor', 'ceil', 'min', 'max'],
]);

const WRITTEN: Readonly<Record<string, (args: readonly string[]) => string>> = {
  log: ([x]) => `ln(${x})`,
  log10: ([x]) => `(ln(${x})/${Math.LN10})`,
  log2: ([x]) => `(ln(${x})/${Math.LN2})`,
  round: ([x]) => `floor(${x} + 0.5)`,
  sign: ([x]) => `sgn(${x})`,
  cbrt: ([x]) => `(sgn(${x})*exp(ln(abs(${x}))/3))`,
  hypot: ([x, y]) => `sqrt((${x})*(${x}) + (${y})*(${y}))`,
  pow: ([x, y]) => `((${x})^(${y}))`,
};

/**
 * An expression as ngspice reads it.
 * @param nameOf text of a name, such as a parameter or the signal `R1.i`
 * @throws {ExpressionError} for what ngspice has no words for
 */
export function printed(text: string, nameOf: (path: string) => string): string {
  return print(parseExpression(text), nameOf);
}

/** The two sides of a comparison; null of any other expression. */
export function sidesOf(
  text: string,
  nameOf: (path: string) => string,
): { left: string; right: string; isRising: boolean } | null {
  let node = parseExpression(text);
  while (node.type === 'ParenthesisNode') node = (node as unknown as { content: MathNode }).content;
  const { fn, args } = node as unknown as Operator;
  if (node.type !== 'OperatorNode' || !['smaller', 'smallerEq', 'larger', 'largerEq'].includes(fn))
    return null;
  const [left, right] = args.map((one) => print(one, nameOf));
  return { left, right, isRising: fn.startsWith('larger') };
}

function print(node: MathNode, nameOf: (path: string) => string): string {
  const inner = (part: MathNode): string => print(part, nameOf);
  switch (node.type) {
    case 'ConstantNode':
      return String((node as unknown as { value: unknown }).value);
    case 'ParenthesisNode':
      return inner((node as unknown as { content: MathNode }).content);
    case 'SymbolNode':
    case 'AccessorNode':
      return nameOf(node.toString().replaceAll(/\s|"/g, ''));
    case 'ConditionalNode': {
      const { condition, trueExpr, falseExpr } = node as unknown as Record<string, MathNode>;
      return `(${inner(condition)} ? ${inner(trueExpr)} : ${inner(falseExpr)})`;
    }
    case 'OperatorNode': {
      const { fn, args } = node as unknown as Operator;
      const [a, b] = args.map(inner);
      if (fn === 'unaryMinus') return `(-${a})`;
      if (fn === 'unaryPlus') return a;
      if (fn === 'mod') return `(${a} - ${b}*floor(${a}/${b}))`;
      if (Object.hasOwn(SIGNS, fn)) return `(${a} ${SIGNS[fn]} ${b})`;
      break;
    }
    case 'FunctionNode': {
      const { fn, args } = node as unknown as Call;
      const called = fn.name ?? '';
      const given = args.map(inner);
      if (SAME.has(called)) return `${called}(${given.join(', ')})`;
      if (Object.hasOwn(WRITTEN, called)) return WRITTEN[called](given);
      break;
    }
  }
  throw new ExpressionError(`“${node.toString()}” has no counterpart in a netlist`);
}
