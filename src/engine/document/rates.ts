/** Rates of expressions of the time, written as expressions: d/dt of `A*sin(w*t)` is `A*cos(w*t)*w`. */
import type { MathNode } from 'mathjs/number';
import { expressionNames, parseExpression } from './expressions';
import { TIME_NAME } from './timed';

/** Parts of a node of mathjs, as far as one has them. */
interface Parts {
  readonly op?: string;
  readonly fn?: { readonly name?: string };
  readonly args?: MathNode[];
  readonly content?: MathNode;
  readonly condition?: MathNode;
  readonly trueExpr?: MathNode;
  readonly falseExpr?: MathNode;
}

/** Functions u ↦ f′(u) u̇; of those that are missing the rate is zero between jumps. */
const UNARY: Readonly<Record<string, (u: string) => string>> = {
  abs: (u) => `sign(${u})`,
  sqrt: (u) => `0.5/sqrt(${u})`,
  cbrt: (u) => `1/(3*cbrt(${u})^2)`,
  exp: (u) => `exp(${u})`,
  log: (u) => `1/(${u})`,
  log10: (u) => `1/((${u})*log(10))`,
  log2: (u) => `1/((${u})*log(2))`,
  sin: (u) => `cos(${u})`,
  cos: (u) => `(-sin(${u}))`,
  tan: (u) => `1/cos(${u})^2`,
  asin: (u) => `1/sqrt(1 - (${u})^2)`,
  acos: (u) => `(-1/sqrt(1 - (${u})^2))`,
  atan: (u) => `1/(1 + (${u})^2)`,
  sinh: (u) => `cosh(${u})`,
  cosh: (u) => `sinh(${u})`,
  tanh: (u) => `1/cosh(${u})^2`,
};

const ZERO = '0';

const sum = (a: string, b: string, sign: '+' | '-'): string => {
  if (b === ZERO) return a;
  if (a === ZERO) return sign === '+' ? b : `(-(${b}))`;
  return `(${a} ${sign} ${b})`;
};

const product = (a: string, b: string): string => {
  if (a === ZERO || b === ZERO) return ZERO;
  if (a === '1') return b;
  return b === '1' ? a : `(${a})*(${b})`;
};

/** d/dt u^n */
function powerRate(u: string, n: string, du: string, dn: string): string {
  const ofBase = du === ZERO ? ZERO : product(`(${n})*(${u})^((${n}) - 1)`, du);
  const ofExponent = dn === ZERO ? ZERO : product(`(${u})^(${n})*log(${u})`, dn);
  return sum(ofBase, ofExponent, '+');
}

function binaryRate(name: string, [u, v]: string[], [du, dv]: string[]): string {
  switch (name) {
    case '+':
    case '-':
      return sum(du, dv, name);
    case '*':
      return sum(product(du, v), product(u, dv), '+');
    case '/':
      return sum(product(du, `1/(${v})`), product(`(${u})/(${v})^2`, dv), '-');
    case '^':
    case 'pow':
      return powerRate(u, v, du, dv);
    case 'mod':
    case '%':
      return sum(du, product(`floor((${u})/(${v}))`, dv), '-');
    case 'atan2':
      return product(`1/((${u})^2 + (${v})^2)`, sum(product(v, du), product(u, dv), '-'));
    case 'hypot':
      return product(`1/hypot(${u}, ${v})`, sum(product(u, du), product(v, dv), '+'));
    case 'min':
      return du === dv ? du : `(${u} <= ${v} ? ${du} : ${dv})`;
    case 'max':
      return du === dv ? du : `(${u} >= ${v} ? ${du} : ${dv})`;
    default:
      // A comparison is constant between its jumps.
      return ZERO;
  }
}

function rateOf(node: MathNode): string {
  const parts = node as unknown as Parts;
  switch (node.type) {
    case 'SymbolNode':
      return String(node) === TIME_NAME ? '1' : ZERO;
    case 'ParenthesisNode':
      return parts.content === undefined ? ZERO : rateOf(parts.content);
    case 'ConditionalNode': {
      const { condition, trueExpr, falseExpr } = parts as Required<Parts>;
      const [yes, no] = [rateOf(trueExpr), rateOf(falseExpr)];
      return yes === no ? yes : `((${String(condition)}) ? ${yes} : ${no})`;
    }
    case 'OperatorNode':
    case 'FunctionNode': {
      const args = parts.args ?? [];
      if (parts.fn?.name === 'table' && args.length === 2)
        return product(`slope(${String(args[0])}, ${String(args[1])})`, rateOf(args[1]));
      if (parts.fn?.name === 'slope') return ZERO;
      const values = args.map((arg) => `(${String(arg)})`);
      const rates = args.map(rateOf);
      if (rates.every((rate) => rate === ZERO)) return ZERO;
      const name = parts.op ?? parts.fn?.name ?? '';
      if (args.length === 2) return binaryRate(name, values, rates);
      if (name === '-') return `(-(${rates[0]}))`;
      if (name === '+') return rates[0];
      return Object.hasOwn(UNARY, name) ? product(UNARY[name](values[0]), rates[0]) : ZERO;
    }
    default:
      return ZERO;
  }
}

/**
 * The rate of an expression between its jumps.
 * @returns an expression of the same names; `0` where it does not vary with time
 * @throws {ExpressionError} for a text that is none
 */
export function rateText(text: string): string {
  const rate = rateOf(parseExpression(text));
  expressionNames(rate);
  return rate;
}
