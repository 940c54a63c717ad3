/**
 * Expressions in parameters and signals, e.g. `2*pi*rpm/60` or `0.5*mu*follower.v^2`.
 *
 * mathjs parses; nothing of it evaluates. The tree is compiled to a postfix program over doubles, which the time
 * loop can run without allocating: closures would box their intermediate numbers, a stack in a Float64Array does not.
 */
import { create, type MathNode, parseDependencies } from 'mathjs/number';

const { parse } = create({ parseDependencies });

/** Longer texts are scripts, and belong there. */
const MAX_EXPRESSION_LENGTH = 2000;
/** Deeper trees than any formula has; bounds the recursion over the tree and the evaluation stack. */
const MAX_DEPTH = 500;

// Euler's number is left out: `e` is what the field calls a coefficient of restitution; `exp(1)` gives it.
const CONSTANTS: Readonly<Record<string, number>> = { pi: Math.PI, tau: 2 * Math.PI };

const UNARY = {
  abs: Math.abs,
  sqrt: Math.sqrt,
  cbrt: Math.cbrt,
  exp: Math.exp,
  log: Math.log,
  log10: Math.log10,
  log2: Math.log2,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  floor: Math.floor,
  ceil: Math.ceil,
  round: Math.round,
  sign: Math.sign,
} as const;
const BINARY = { atan2: Math.atan2, min: Math.min, max: Math.max, pow: Math.pow, hypot: Math.hypot } as const;

/** Names of the functions an expression may call. */
export const EXPRESSION_FUNCTIONS: readonly string[] = [...Object.keys(UNARY), ...Object.keys(BINARY)];
export const EXPRESSION_CONSTANTS: readonly string[] = Object.keys(CONSTANTS);

const unaryFunctions = Object.values(UNARY);
const binaryFunctions = Object.values(BINARY);

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

const OPERATORS: Readonly<Record<string, number>> = {
  add: ADD,
  subtract: SUBTRACT,
  multiply: MULTIPLY,
  divide: DIVIDE,
  pow: POWER,
  mod: MODULO,
  smaller: LESS,
  smallerEq: LESS_EQUAL,
  larger: LARGER,
  largerEq: LARGER_EQUAL,
};

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
    if (Object.hasOwn(CONSTANTS, path)) this.#constant(CONSTANTS[path]);
    else this.code.push(LOAD_SLOT, this.resolve(path));
  }

  #operator(node: { fn: string; op: string; args: MathNode[] }, stackDepth: number): void {
    if (node.fn === 'unaryMinus' || node.fn === 'unaryPlus') {
      this.node(node.args[0], stackDepth);
      if (node.fn === 'unaryMinus') this.code.push(NEGATE, 0);
      return;
    }
    const opcode = OPERATORS[node.fn];
    if (opcode === undefined)
      throw new ExpressionError(`the operator “${node.op}” is not allowed in an expression`);
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
        `the function “${name}” is not known; known are ${EXPRESSION_FUNCTIONS.join(', ')}`,
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
 * @param resolve gives the slot of a name such as `rpm` or `follower.q[0]`; throws ExpressionError for unknown ones
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
 * Evaluates a compiled expression over `slots` and leaves the value in `program.stack[0]`: a returned double would be
 * boxed at every call of the time loop.
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
        // The mathematical remainder, with the sign of the divisor: angles wrap to [0, 2π) also when negative.
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
