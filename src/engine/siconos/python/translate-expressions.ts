/**
 * Expressions of a script in Python. What is outside of the supported part of the language is refused with
 * its name.
 */
import type { Expression, Node, PrivateIdentifier, SpreadElement, Super } from 'acorn';
import { pythonNumber } from './expression';
import { type Scope, Untranslatable } from './names';

/** What a translated script needs of the module around it. */
export interface ScriptModule {
  /** asks for a mathematical function by its name in Python */
  math(name: string): string;
  /** line of a place in the source */
  line(node: Node): number;
}

const MATH: Readonly<Record<string, string>> = {
  ...{ sqrt: 'sqrt', exp: 'exp', log: 'log', log10: 'log10', log2: 'log2', log1p: 'log1p', expm1: 'expm1' },
  ...{ sin: 'sin', cos: 'cos', tan: 'tan', asin: 'asin', acos: 'acos', atan: 'atan', atan2: 'atan2' },
  ...{ sinh: 'sinh', cosh: 'cosh', tanh: 'tanh', hypot: 'hypot', floor: 'floor', ceil: 'ceil', sign: 'sign' },
  ...{ cbrt: 'cube_root', round: 'rounded', trunc: 'trunc' },
};
const BUILT_IN: Readonly<Record<string, string>> = { abs: 'abs', min: 'min', max: 'max' };
const CONSTANTS: Readonly<Record<string, string>> = {
  'Math.PI': 'math.pi',
  'Math.E': 'math.e',
  'Math.SQRT2': 'math.sqrt(2.0)',
  'Math.SQRT1_2': 'math.sqrt(0.5)',
  'Math.LN2': 'math.log(2.0)',
  'Math.LN10': 'math.log(10.0)',
  'Number.EPSILON': 'sys.float_info.epsilon',
  'Number.MAX_VALUE': 'sys.float_info.max',
};
const BINARY: Readonly<Record<string, readonly [string, number]>> = {
  '===': ['==', 4],
  '==': ['==', 4],
  '!==': ['!=', 4],
  '!=': ['!=', 4],
  '<': ['<', 4],
  '<=': ['<=', 4],
  '>': ['>', 4],
  '>=': ['>=', 4],
  '+': ['+', 5],
  '-': ['-', 5],
  '*': ['*', 6],
  '/': ['/', 6],
  '**': ['**', 8],
};
const ATOM = 10;

interface Piece {
  readonly text: string;
  readonly level: number;
}
const atom = (text: string): Piece => ({ text, level: ATOM });
const at = ({ text, level }: Piece, least: number): string => (level < least ? `(${text})` : text);

type AnyExpression = Expression | SpreadElement | PrivateIdentifier | Super;

export class ExpressionWriter {
  constructor(private readonly module: ScriptModule) {}

  refuse(node: Node, what: string): never {
    throw new Untranslatable(what, this.module.line(node));
  }

  write(node: AnyExpression, scope: Scope): string {
    return this.piece(node, scope).text;
  }

  piece(node: AnyExpression, scope: Scope): Piece {
    switch (node.type) {
      case 'Literal':
        return this.#literal(node, node.value);
      case 'Identifier':
        return this.#name(node, node.name, scope);
      case 'ParenthesizedExpression':
        return this.piece(node.expression, scope);
      case 'UnaryExpression':
        return this.#unary(node, scope);
      case 'BinaryExpression': {
        if (node.operator === '%') {
          const sides = [node.left, node.right].map((side) => this.write(side, scope));
          return atom(`${this.module.math('fmod')}(${sides.join(', ')})`);
        }
        const found = BINARY[node.operator];
        if (found === undefined) return this.refuse(node, `the operator ${node.operator}`);
        const [sign, level] = found;
        const [left, right] = [this.piece(node.left, scope), this.piece(node.right, scope)];
        const text =
          sign === '**'
            ? `${at(left, level + 1)}**${at(right, level - 1)}`
            : `${at(left, level)} ${sign} ${at(right, level + 1)}`;
        return { text, level };
      }
      case 'LogicalExpression': {
        if (node.operator === '??') return this.refuse(node, 'the operator ??');
        const [sign, level] = node.operator === '&&' ? (['and', 2] as const) : (['or', 1] as const);
        const sides = [node.left, node.right].map((side) => at(this.piece(side, scope), level + 1));
        return { text: sides.join(` ${sign} `), level };
      }
      case 'ConditionalExpression': {
        const [then, test, otherwise] = [node.consequent, node.test, node.alternate].map((part) =>
          at(this.piece(part, scope), 1),
        );
        return { text: `${then} if ${test} else ${otherwise}`, level: 0 };
      }
      case 'ArrayExpression':
        return atom(`[${node.elements.map((entry) => this.#entry(node, entry, scope)).join(', ')}]`);
      case 'MemberExpression':
        return this.#member(node, scope);
      case 'CallExpression':
        return this.#call(node, scope);
      case 'NewExpression':
        return this.#array(node, scope);
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return this.refuse(node, 'a function that is handed to another');
      case 'AssignmentExpression':
      case 'UpdateExpression':
        return this.refuse(node, 'an assignment inside an expression');
      case 'TemplateLiteral':
        return this.refuse(node, 'a text');
      default:
        return this.refuse(node, `a ${node.type}`);
    }
  }

  #entry(node: Node, entry: Expression | SpreadElement | null, scope: Scope): string {
    if (entry === null) return this.refuse(node, 'an array with holes');
    return entry.type === 'SpreadElement'
      ? `*${this.write(entry.argument, scope)}`
      : this.write(entry, scope);
  }

  #literal(node: Node, value: unknown): Piece {
    if (typeof value === 'number') return atom(pythonNumber(value));
    if (typeof value === 'boolean') return atom(value ? 'True' : 'False');
    return this.refuse(node, typeof value === 'string' ? 'a text' : 'a value that is no number');
  }

  #name(node: Node, name: string, scope: Scope): Piece {
    const own = scope.find(name);
    if (own !== null) return atom(own);
    if (name === 'Infinity') return atom('math.inf');
    if (name === 'NaN') return atom('math.nan');
    return this.refuse(node, `the name ${name}`);
  }

  #unary(node: Expression & { type: 'UnaryExpression' }, scope: Scope): Piece {
    const argument = this.piece(node.argument, scope);
    if (node.operator === '-') return { text: `-${at(argument, 7)}`, level: 7 };
    if (node.operator === '+') return argument;
    if (node.operator === '!') return { text: `not ${at(argument, 3)}`, level: 3 };
    return this.refuse(node, `the operator ${node.operator}`);
  }

  #member(node: Expression & { type: 'MemberExpression' }, scope: Scope): Piece {
    const { object, property } = node;
    if (node.optional) return this.refuse(node, 'the operator ?.');
    if (node.computed) {
      return atom(`${at(this.piece(object, scope), ATOM)}[${this.write(property, scope)}]`);
    }
    const name = property.type === 'Identifier' ? property.name : '';
    if (object.type === 'Identifier' && scope.find(object.name) === null) {
      const constant = CONSTANTS[`${object.name}.${name}`];
      return constant === undefined ? this.refuse(node, `${object.name}.${name}`) : atom(constant);
    }
    const owner = at(this.piece(object, scope), ATOM);
    return atom(name === 'length' ? `len(${owner})` : `${owner}.${name}`);
  }

  #call(node: Expression & { type: 'CallExpression' }, scope: Scope): Piece {
    const { callee } = node;
    if (node.optional) return this.refuse(node, 'the operator ?.');
    const args = node.arguments.map((argument) => this.#entry(node, argument, scope));
    if (callee.type === 'Identifier') {
      const own = scope.find(callee.name);
      if (own !== null) return atom(`${own}(${args.join(', ')})`);
      return this.refuse(node, `the function ${callee.name}`);
    }
    if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier')
      return this.refuse(node, 'a call of a computed function');
    const { name } = callee.property;
    if (callee.object.type === 'Identifier' && callee.object.name === 'Math') {
      if (name === 'pow') return { text: `(${args[0]})**(${args[1]})`, level: 8 };
      const called = BUILT_IN[name] ?? (Object.hasOwn(MATH, name) ? this.module.math(MATH[name]) : undefined);
      if (called === undefined) return this.refuse(node, `Math.${name}`);
      return atom(`${called}(${args.join(', ')})`);
    }
    return this.refuse(node, `the method ${name}`);
  }

  /** `new Float64Array(n)` and `new Array(n)`: Python's lists do for both. */
  #array(node: Expression & { type: 'NewExpression' }, scope: Scope): Piece {
    const { callee } = node;
    const [argument] = node.arguments;
    if (callee.type !== 'Identifier' || callee.name !== 'Float64Array' || argument === undefined)
      return this.refuse(node, 'a new object');
    if (argument.type === 'ArrayExpression') return atom(`list(${this.write(argument, scope)})`);
    return atom(`[0.0] * ${at(this.piece(argument, scope), 7)}`);
  }
}
