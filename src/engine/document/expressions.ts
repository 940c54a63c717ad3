/**
 * Expressions in parameters and signals, e.g. `2*pi*rpm/60` or `0.5*mu*follower.v^2`.
 *
 * mathjs parses; nothing of it evaluates. The tree is compiled to a postfix program over doubles, which the
 * time loop can run without allocating: closures would box their intermediate numbers, a stack in a
 * Float64Array does not.
 */
import { create, type MathNode, parseDependencies } from 'mathjs/number';

const { parse } = create({ parseDependencies });

/** Longer texts are scripts, and belong there. */
const MAX_EXPRESSION_LENGTH = 2000;
/** Deeper trees than any formula has; bounds the recursion over the tree and the evaluation stack. */
const MAX_DEPTH = 500;

interface Constant {
  readonly value: number;
  readonly meaning: string;
}

// Euler's number is left out: `e` is what the field calls a coefficient of restitution; `exp(1)` gives it.
const CONSTANTS: Readonly<Record<string, Constant>> = {
  pi: { value: Math.PI, meaning: 'half a turn, rad' },
  tau: { value: 2 * Math.PI, meaning: 'a full turn, rad' },
};

/** What a function gives, in words of its arguments, and what computes it. */
type Unary = readonly [meaning: string, of: (x: number) => number];
type Binary = readonly [meaning: string, of: (x: number, y: number) => number];

const UNARY = {
  abs: ['absolute value of x', Math.abs],
  sqrt: ['square root of x; NaN where x is negative', Math.sqrt],
  cbrt: ['cube root of x, also of a negative one', Math.cbrt],
  exp: ['Euler’s number to the power x', Math.exp],
  log: ['natural logarithm of x; NaN where x is negative', Math.log],
  log10: ['logarithm of x to base 10', Math.log10],
  log2: ['logarithm of x to base 2', Math.log2],
  sin: ['sine of x, rad', Math.sin],
  cos: ['cosine of x, rad', Math.cos],
  tan: ['tangent of x, rad', Math.tan],
  asin: ['arcsine of x, from −π/2 to π/2 rad; NaN beyond ±1', Math.asin],
  acos: ['arccosine of x, from 0 to π rad; NaN beyond ±1', Math.acos],
  atan: ['arctangent of x, between −π/2 and π/2 rad', Math.atan],
  sinh: ['hyperbolic sine of x', Math.sinh],
  cosh: ['hyperbolic cosine of x', Math.cosh],
  tanh: ['hyperbolic tangent of x', Math.tanh],
  floor: ['largest whole number not above x', Math.floor],
  ceil: ['smallest whole number not below x', Math.ceil],
  round: ['whole number next to x; halves go up', Math.round],
  sign: ['−1, 0 or 1: the sign of x', Math.sign],
} as const satisfies Record<string, Unary>;

/** Names of both arguments where they are not x and y. */
const BINARY_ARGUMENTS: Readonly<Record<string, string>> = { atan2: 'y, x' };
const BINARY = {
  atan2: ['angle from the x axis to the point (x, y), from −π to π rad', Math.atan2],
  min: ['the smaller of x and y', Math.min],
  max: ['the larger of x and y', Math.max],
  pow: ['x to the power y, as x^y', Math.pow],
  hypot: ['square root of x² + y²', Math.hypot],
} as const satisfies Record<string, Binary>;

/** A function an expression may call. */
export interface ExpressionFunction {
  readonly name: string;
  /** as they stand in the call, such as `y, x` */
  readonly arguments: string;
  /** what it gives */
  readonly meaning: string;
}

export const EXPRESSION_FUNCTIONS: readonly ExpressionFunction[] = [
  ...Object.entries(UNARY).map(([name, [meaning]]) => ({ name, arguments: 'x', meaning })),
  ...Object.entries(BINARY).map(([name, [meaning]]) => ({
    name,
    arguments: BINARY_ARGUMENTS[name] ?? 'x, y',
    meaning,
  })),
];
export const EXPRESSION_CONSTANTS: readonly (Constant & { readonly name: string })[] = Object.entries(
  CONSTANTS,
).map(([name, constant]) => ({ name, ...constant }));

const unaryFunctions: readonly Unary[1][] = Object.values(UNARY).map(([, of]) => of);
const binaryFunctions: readonly Binary[1][] = Object.values(BINARY).map(([, of]) => of);

// Opcodes. Loads push one value; the others replace their operands by their result.
const LOAD_CONSTANT = 0;
const LOAD_SLOT = 1;
const NEGATE = 2;
const ADD = 3;
const SUBTRACT = 4;
const MULTIPLY = 5;
const DIVIDE = 6;
const POWER = 7;
const MODULO = 8;
const CALL_UNARY = 9;
const CALL_BINARY = 10;
const LESS = 11;
const LESS_EQUAL = 12;
const LARGER = 13;
const LARGER_EQUAL = 14;
/** pops otherwise, then, condition; pushes then where the condition is not 0 */
const SELECT = 15;

/** How an operator is written, and what it gives. */
export interface ExpressionOperator {
  readonly written: string;
  readonly meaning: string;
  /** an expression that shows its order among the others */
  readonly example: string;
}

/** Those of two operands by their names in mathjs, in the order in which they bind. */
const OPERATORS: Readonly<Record<string, ExpressionOperator & { readonly opcode: number }>> = {
  pow: { opcode: POWER, written: 'a^b', meaning: 'power; from right to left', example: '2^3^2' },
  multiply: {
    opcode: MULTIPLY,
    written: 'a*b',
    meaning: 'product; the sign may be left out between a number and a name',
    example: '2 pi',
  },
  divide: { opcode: DIVIDE, written: 'a/b', meaning: 'quotient; from left to right', example: '8/4/2' },
  mod: {
    opcode: MODULO,
    written: 'a mod b',
    meaning: 'remainder with the sign of b, so that angles wrap to one turn; also a % b',
    example: '-1 mod 3',
  },
  add: { opcode: ADD, written: 'a + b', meaning: 'sum', example: '1 + 2*3' },
  subtract: {
    opcode: SUBTRACT,
    written: 'a - b',
    meaning: 'difference; from left to right',
    example: '7 - 4 - 2',
  },
  smaller: { opcode: LESS, written: 'a < b', meaning: '1 where a is smaller, else 0', example: '1 + 1 < 3' },
  smallerEq: {
    opcode: LESS_EQUAL,
    written: 'a <= b',
    meaning: '1 where a is not larger, else 0',
    example: '2 <= 1',
  },
  larger: { opcode: LARGER, written: 'a > b', meaning: '1 where a is larger, else 0', example: '2 > 1' },
  largerEq: {
    opcode: LARGER_EQUAL,
    written: 'a >= b',
    meaning: '1 where a is not smaller, else 0',
    example: '1 >= 2',
  },
};

/** Computed numbers are seldom equal, so that there is no operator that compares for it. */
const OPERATOR_REMEDY = 'Operators are + - * / ^ mod, and <, <=, > and >= in “condition ? a : b”.';

const SIGNS: ExpressionOperator = {
  written: '-a, +a',
  meaning: 'sign; a power binds more tightly',
  example: '-2^2',
};
const CHOICE: ExpressionOperator = {
  written: 'a ? b : c',
  meaning: 'b where a is not 0, else c',
  example: '1 < 2 ? 10 : 20',
};

const { pow, ...behindPower } = OPERATORS;

/** All operators; the first binds most tightly. */
export const EXPRESSION_OPERATORS: readonly ExpressionOperator[] = [
  pow,
  SIGNS,
  ...Object.values(behindPower),
  CHOICE,
];

/** What to do about an expression whose value is not finite. */
export const NOT_FINITE_REMEDY =
  'Check for a division by zero, a root or logarithm of a negative number, and numbers that are too large.';

/** A compiled expression: pairs (opcode, argument). */
export interface ExpressionProgram {
  readonly text: string;
  readonly code: Int32Array;
  readonly constants: Float64Array;
  readonly stack: Float64Array;
}

/** Why a text is not an expression of this language. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';

  /** @param remedy what would do, where that is known */
  constructor(
    message: string,
    readonly remedy: string | null = null,
  ) {
    super(message);
  }
}

/** The tree of an expression, as mathjs has it. @throws {ExpressionError} when the text is none */
export function parseExpression(text: string): MathNode {
  if (text.length > MAX_EXPRESSION_LENGTH) {
    throw new ExpressionError(`the expression is longer than ${MAX_EXPRESSION_LENGTH} characters`);
  }
  if (text.trim() === '') throw new ExpressionError('the expression is empty');
  const comma = /^\s*[+-]?(\d+),(\d+)\s*$/.exec(text);
  if (comma !== null) throw new ExpressionError(`decimals are written with a point: ${comma[1]}.${comma[2]}`);
  try {
    return parse(text);
  } catch (error) {
    throw new ExpressionError(error instanceof Error ? error.message : String(error));
  }
}

/** `follower.q[0]` for the accessor tree of that text; null when the node is not a plain path. */
function pathOf(node: MathNode): string | null {
  if (node.type === 'SymbolNode') return (node as unknown as { name: string }).name;
  if (node.type !== 'AccessorNode') return null;
  const { object, index } = node as unknown as {
    object: MathNode;
    index: { dimensions: { type: string; value?: unknown }[] };
  };
  const base = pathOf(object);
  const key = index.dimensions.length === 1 ? index.dimensions[0] : undefined;
  if (base === null || key?.type !== 'ConstantNode') return null;
  if (typeof key.value === 'string') return `${base}.${key.value}`;
  return `${base}[${String(key.value)}]`;
}

class Compiler {
  readonly code: number[] = [];
  readonly constants: number[] = [];
  #depth = 0;
  stackSize = 1;

  constructor(private readonly resolve: (path: string) => number) {}

  node(node: MathNode, stackDepth: number): void {
    if (++this.#depth > MAX_DEPTH)
      throw new ExpressionError(`the expression is nested deeper than ${MAX_DEPTH}`);
    this.stackSize = Math.max(this.stackSize, stackDepth + 1);
    switch (node.type) {
      case 'ConstantNode':
        this.#constant((node as unknown as { value: unknown }).value);
        break;
      case 'SymbolNode':
      case 'AccessorNode':
        this.#path(node);
        break;
      case 'ParenthesisNode':
        this.node((node as unknown as { content: MathNode }).content, stackDepth);
        break;
      case 'OperatorNode':
        this.#operator(node as unknown as { fn: string; op: string; args: MathNode[] }, stackDepth);
        break;
      case 'FunctionNode':
        this.#call(node as unknown as { fn: { name?: string }; args: MathNode[] }, stackDepth);
        break;
      case 'ConditionalNode': {
        const branch = node as unknown as { condition: MathNode; trueExpr: MathNode; falseExpr: MathNode };
        this.node(branch.condition, stackDepth);
        this.node(branch.trueExpr, stackDepth + 1);
        this.node(branch.falseExpr, stackDepth + 2);
        this.code.push(SELECT, 0);
        break;
      }
      default:
        throw new ExpressionError(`“${node.toString()}” is not allowed in an expression`);
    }
    this.#depth--;
  }

  #constant(value: unknown): void {
    if (typeof value !== 'number') throw new ExpressionError(`“${String(value)}” is not a number`);
    this.code.push(LOAD_CONSTANT, this.constants.length);
    this.constants.push(value);
  }

  #path(node: MathNode): void {
    const path = pathOf(node);
    if (path === null) throw new ExpressionError(`“${node.toString()}” is not allowed in an expression`);
    if (Object.hasOwn(CONSTANTS, path)) this.#constant(CONSTANTS[path].value);
    else this.code.push(LOAD_SLOT, this.resolve(path));
  }

  #operator(node: { fn: string; op: string; args: MathNode[] }, stackDepth: number): void {
    if (node.fn === 'unaryMinus' || node.fn === 'unaryPlus') {
      this.node(node.args[0], stackDepth);
      if (node.fn === 'unaryMinus') this.code.push(NEGATE, 0);
      return;
    }
    const opcode = (OPERATORS[node.fn] as { opcode: number } | undefined)?.opcode;
    if (opcode === undefined)
      throw new ExpressionError(`the operator “${node.op}” is not allowed in an expression`, OPERATOR_REMEDY);
    this.node(node.args[0], stackDepth);
    this.node(node.args[1], stackDepth + 1);
    this.code.push(opcode, 0);
  }

  #call(node: { fn: { name?: string }; args: MathNode[] }, stackDepth: number): void {
    const name = node.fn.name ?? '';
    const unary = Object.keys(UNARY).indexOf(name);
    const binary = Object.keys(BINARY).indexOf(name);
    if (unary < 0 && binary < 0) {
      throw new ExpressionError(
        `the function “${name}” is not known; known are ${EXPRESSION_FUNCTIONS.map((known) => known.name).join(', ')}`,
      );
    }
    const arity = unary >= 0 ? 1 : 2;
    if (node.args.length !== arity) {
      throw new ExpressionError(
        `“${name}” takes ${arity} argument${arity > 1 ? 's' : ''}, not ${node.args.length}`,
      );
    }
    node.args.forEach((argument, i) => this.node(argument, stackDepth + i));
    this.code.push(unary >= 0 ? CALL_UNARY : CALL_BINARY, unary >= 0 ? unary : binary);
  }
}

/**
 * Compiles an expression.
 * @param resolve gives the slot of a name such as `rpm` or `follower.q[0]`; throws ExpressionError for
 *   unknown ones
 * @throws {ExpressionError} with a sentence that says what is wrong
 */
export function compileExpression(text: string, resolve: (path: string) => number): ExpressionProgram {
  const compiler = new Compiler(resolve);
  compiler.node(parseExpression(text), 0);
  return {
    text,
    code: Int32Array.from(compiler.code),
    constants: Float64Array.from(compiler.constants),
    stack: new Float64Array(compiler.stackSize),
  };
}

/** Whether an expression is a comparison, which gives 0 or 1: never negative, and zero nowhere in passing. */
export function isComparison({ code }: ExpressionProgram): boolean {
  const last = code[code.length - 2];
  return last >= LESS && last <= LARGER_EQUAL;
}

const JUMPING: ReadonlySet<string> = new Set(['floor', 'ceil', 'round', 'sign']);

/** What makes the value of an expression jump, as it is written; null where nothing does. */
export function jumpIn({ code }: ExpressionProgram): string | null {
  const names = Object.keys(UNARY);
  for (let k = 0; k < code.length; k += 2) {
    const [opcode, argument] = [code[k], code[k + 1]];
    if (opcode === CALL_UNARY && JUMPING.has(names[argument])) return names[argument];
    if (opcode === SELECT) return '? :';
    if (opcode === MODULO) return 'mod';
    if (opcode >= LESS && opcode <= LARGER_EQUAL) return ['<', '<=', '>', '>='][opcode - LESS];
  }
  return null;
}

/** Names an expression uses, constants and functions excluded. @throws {ExpressionError} */
export function expressionNames(text: string): string[] {
  const names = new Set<string>();
  compileExpression(text, (path) => {
    names.add(path);
    return 0;
  });
  return [...names];
}

/**
 * Evaluates a compiled expression over `slots` and leaves the value in `program.stack[0]`: a returned double
 * would be boxed at every call of the time loop.
 */
export function runExpression(program: ExpressionProgram, slots: Float64Array): void {
  const { code, constants, stack } = program;
  let top = -1;
  for (let i = 0; i < code.length; i += 2) {
    const argument = code[i + 1];
    switch (code[i]) {
      case LOAD_CONSTANT:
        stack[++top] = constants[argument];
        break;
      case LOAD_SLOT:
        stack[++top] = slots[argument];
        break;
      case NEGATE:
        stack[top] = -stack[top];
        break;
      case ADD:
        top--;
        stack[top] += stack[top + 1];
        break;
      case SUBTRACT:
        top--;
        stack[top] -= stack[top + 1];
        break;
      case MULTIPLY:
        top--;
        stack[top] *= stack[top + 1];
        break;
      case DIVIDE:
        top--;
        stack[top] /= stack[top + 1];
        break;
      case POWER:
        top--;
        stack[top] = Math.pow(stack[top], stack[top + 1]);
        break;
      case MODULO: {
        // The mathematical remainder, with the sign of the divisor: angles wrap to [0, 2π) also when
        // negative.
        top--;
        const divisor = stack[top + 1];
        stack[top] = stack[top] - divisor * Math.floor(stack[top] / divisor);
        break;
      }
      case CALL_UNARY:
        stack[top] = unaryFunctions[argument](stack[top]);
        break;
      case CALL_BINARY:
        top--;
        stack[top] = binaryFunctions[argument](stack[top], stack[top + 1]);
        break;
      case LESS:
        top--;
        stack[top] = stack[top] < stack[top + 1] ? 1 : 0;
        break;
      case LESS_EQUAL:
        top--;
        stack[top] = stack[top] <= stack[top + 1] ? 1 : 0;
        break;
      case LARGER:
        top--;
        stack[top] = stack[top] > stack[top + 1] ? 1 : 0;
        break;
      case LARGER_EQUAL:
        top--;
        stack[top] = stack[top] >= stack[top + 1] ? 1 : 0;
        break;
      case SELECT:
        top -= 2;
        stack[top] = stack[top] !== 0 ? stack[top + 1] : stack[top + 2];
        break;
    }
  }
}

/** Value of a compiled expression over `slots`. */
export function evaluateExpression(program: ExpressionProgram, slots: Float64Array): number {
  runExpression(program, slots);
  return program.stack[0];
}

/** constant + Σ factor · slot */
export interface AffineForm {
  readonly constant: number;
  readonly terms: ReadonlyMap<number, number>;
}

const scaled = ({ constant, terms }: AffineForm, factor: number): AffineForm => ({
  constant: factor * constant,
  terms: new Map([...terms].map(([slot, value]) => [slot, factor * value])),
});

function sum(a: AffineForm, b: AffineForm): AffineForm {
  const terms = new Map(a.terms);
  for (const [slot, value] of b.terms) terms.set(slot, (terms.get(slot) ?? 0) + value);
  return { constant: a.constant + b.constant, terms };
}

/** Of an operation that is affine in its operands; null where it is not. */
function affineOperation(opcode: number, a: AffineForm, b: AffineForm): AffineForm | null {
  switch (opcode) {
    case ADD:
      return sum(a, b);
    case SUBTRACT:
      return sum(a, scaled(b, -1));
    case MULTIPLY:
      if (b.terms.size === 0) return scaled(a, b.constant);
      return a.terms.size === 0 ? scaled(b, a.constant) : null;
    case DIVIDE:
      return b.terms.size === 0 ? { ...scaled(a, 1 / b.constant), constant: a.constant / b.constant } : null;
    default:
      return null;
  }
}

/**
 * A compiled expression as an affine form of the slots that vary; null where it is none by its operators.
 * @param slots values of those that do not
 */
export function affineForm(
  program: ExpressionProgram,
  slots: Float64Array,
  varies: (slot: number) => boolean,
): AffineForm | null {
  const { code, constants } = program;
  const stack: AffineForm[] = [];
  const none: ReadonlyMap<number, number> = new Map();
  for (let i = 0; i < code.length; i += 2) {
    const opcode = code[i];
    const argument = code[i + 1];
    if (opcode === LOAD_CONSTANT) stack.push({ constant: constants[argument], terms: none });
    else if (opcode === LOAD_SLOT)
      stack.push(
        varies(argument)
          ? { constant: 0, terms: new Map([[argument, 1]]) }
          : { constant: slots[argument], terms: none },
      );
    else if (opcode === NEGATE) stack.push(scaled(stack.pop() ?? { constant: 0, terms: none }, -1));
    else {
      // Of what does not vary any operation is a constant.
      const operands = stack.splice(stack.length - operandsOf(opcode));
      const result = operands.every(({ terms }) => terms.size === 0)
        ? { constant: constantResult(opcode, argument, operands), terms: none }
        : operands.length === 2
          ? affineOperation(opcode, operands[0], operands[1])
          : null;
      if (result === null) return null;
      stack.push(result);
    }
  }
  const [form] = stack;
  const isFinite = [form.constant, ...form.terms.values()].every(Number.isFinite);
  return isFinite ? form : null;
}

const operandsOf = (opcode: number): number => (opcode === CALL_UNARY ? 1 : opcode === SELECT ? 3 : 2);

/** The value of one operation on constants. */
function constantResult(opcode: number, argument: number, operands: readonly AffineForm[]): number {
  const program: ExpressionProgram = {
    text: '',
    code: Int32Array.from([...operands.flatMap((_, k) => [LOAD_CONSTANT, k]), opcode, argument]),
    constants: Float64Array.from(operands, ({ constant }) => constant),
    stack: new Float64Array(operands.length),
  };
  return evaluateExpression(program, new Float64Array(0));
}
