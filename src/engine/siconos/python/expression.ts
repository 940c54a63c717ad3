/** Expressions in parameters as Python: the same formula, so that a reader recognises it. */
import type { MathNode } from 'mathjs/number';
import { parseExpression } from '../../document/expressions';
import type { Expression } from '../../document/types';

/** A number as Python writes it; the text reads back to the same float. */
export function pythonNumber(value: number): string {
  if (Number.isNaN(value)) return 'math.nan';
  if (!Number.isFinite(value)) return value > 0 ? 'math.inf' : '-math.inf';
  return Object.is(value, -0) ? '-0.0' : String(value);
}

/** Functions of expressions whose names differ in Python. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  abs: 'abs',
  min: 'min',
  max: 'max',
  pow: 'math.pow',
  // Python rounds halves to even numbers, expressions upwards.
  round: 'rounded',
  sign: 'sign',
  cbrt: 'cube_root',
};
const OPERATORS: Readonly<Record<string, readonly [string, number]>> = {
  larger: ['>', 1],
  largerEq: ['>=', 1],
  smaller: ['<', 1],
  smallerEq: ['<=', 1],
  add: ['+', 2],
  subtract: ['-', 2],
  multiply: ['*', 3],
  divide: ['/', 3],
  mod: ['%', 3],
  pow: ['**', 5],
};
const UNARY = 4;
const ATOM = 9;

interface Formula {
  readonly text: string;
  /** how tightly its outermost operator binds */
  readonly level: number;
}

const atom = (text: string): Formula => ({ text, level: ATOM });
const wrapped = ({ text, level }: Formula, least: number): string => (level < least ? `(${text})` : text);

/** What an expression needs beside the parameters. */
export interface ExpressionScope {
  /** Python name of a parameter */
  parameter(name: string): string;
  /** asks for a helper of the script */
  helper(name: string): void;
}

/** Members of the nodes of mathjs that are read here. */
interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly name?: string;
  readonly content?: MathNode;
  readonly fn?: string | { readonly name: string };
  readonly args?: readonly MathNode[];
  readonly condition?: MathNode;
  readonly trueExpr?: MathNode;
  readonly falseExpr?: MathNode;
}

function symbol(name: string, scope: ExpressionScope): Formula {
  if (name === 'pi') return atom('math.pi');
  if (name === 'tau') return atom('math.tau');
  return atom(scope.parameter(name));
}

function operation(name: string, args: readonly Formula[]): Formula {
  if (name === 'unaryMinus') return { text: `-${wrapped(args[0], UNARY)}`, level: UNARY };
  if (name === 'unaryPlus') return args[0];
  const [sign, level] = OPERATORS[name];
  const [left, right] =
    name === 'pow'
      ? [wrapped(args[0], level + 1), wrapped(args[1], UNARY)]
      : [wrapped(args[0], level), wrapped(args[1], level + 1)];
  const text = level === 3 || level === 5 ? `${left}${sign}${right}` : `${left} ${sign} ${right}`;
  return { text, level };
}

function formula(tree: MathNode, scope: ExpressionScope): Formula {
  const node = tree as unknown as Node;
  const args = (node.args ?? []).map((argument) => formula(argument, scope));
  switch (node.type) {
    case 'ConstantNode':
      return atom(pythonNumber(Number(node.value)));
    case 'SymbolNode':
      return symbol(node.name ?? '', scope);
    case 'ParenthesisNode':
      return formula(node.content as MathNode, scope);
    case 'OperatorNode':
      return operation(node.fn as string, args);
    case 'FunctionNode': {
      const { name } = node.fn as { readonly name: string };
      const called = FUNCTIONS[name] ?? `math.${name}`;
      if (['rounded', 'sign', 'cube_root'].includes(called)) scope.helper(called);
      return atom(`${called}(${args.map(({ text }) => text).join(', ')})`);
    }
    case 'ConditionalNode': {
      const [then, condition, otherwise] = [node.trueExpr, node.condition, node.falseExpr].map((part) =>
        wrapped(formula(part as MathNode, scope), 1),
      );
      return { text: `${then} if ${condition} else ${otherwise}`, level: 0 };
    }
    default:
      throw new Error(`an expression with a ${node.type} is never evaluated`);
  }
}

/** Python text of a value of the document. */
export function pythonExpression(value: Expression, scope: ExpressionScope): string {
  return typeof value === 'number' ? pythonNumber(value) : formula(parseExpression(value), scope).text;
}
