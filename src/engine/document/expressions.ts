/**
 * Expressions in parameters and signals, e.g. `2*pi*rpm/60` or `0.5*mu*follower.v^2`.
 *
 * mathjs parses; nothing of it evaluates. The tree is compiled to a postfix program over doubles, which the
 * time loop can run without allocating: closures would box their intermediate numbers, a stack in a
 * Float64Array does not.
 */
import {
  ConstantNodeDependencies,
  create,
  type MathNode,
  ParenthesisNodeDependencies,
  parseDependencies,
} from 'mathjs/number';
import {
  ADD,
  BINARY_NAMES,
  CALL_BINARY,
  CALL_UNARY,
  CONSTANTS,
  DIVIDE,
  EXPRESSION_FUNCTIONS,
  LARGER,
  LARGER_EQUAL,
  LESS,
  LESS_EQUAL,
  LOAD_CONSTANT,
  LOAD_SLOT,
  MODULO,
  MULTIPLY,
  NEGATE,
  OPERATORS,
  OPERATOR_REMEDY,
  POWER,
  SELECT,
  SHAPES,
  SLOPE,
  SUBTRACT,
  TABLE,
  UNARY_NAMES,
  binaryFunctions,
  unaryFunctions,
} from './expression-language';
import { withSignalNames } from './signal-names';
import { ExpressionError } from './expression-error';
import { type FoundQuantities, findQuantities, quantityIndex } from './quantities';
import { checkUnits, type UnitOfName } from './quantity-check';
import { type Table, type Tables, tableJumps, tableNamed, tableSlope, tableValue } from './tables';

export { ExpressionError } from './expression-error';

type Mathjs = ReturnType<typeof makeMathjs>;

const makeMathjs = () => create({ parseDependencies, ParenthesisNodeDependencies, ConstantNodeDependencies });

let made: Mathjs | null = null;

/** Made with the first expression: that takes longer than to read a small document. */
const mathjs = (): Mathjs => (made ??= makeMathjs());

/** Trees that are kept: more texts than one model has, so that those of another one push none out in vain. */
const MAX_KEPT = 2000;

const kept = new Map<string, MathNode>();

/**
 * The tree of a text, which is not to be changed. Points of a sweep, finer runs and reports parse the same
 * few texts again and again.
 */
function parse(text: string): MathNode {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const tree = mathjs().parse(text);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(text, tree);
  return tree;
}

interface FunctionCall {
  readonly fn: MathNode & { readonly name?: string };
  readonly args: MathNode[];
}

/** Longer texts are scripts, and belong there; what a drawing samples is long, of all that a signal sums. */
const MAX_EXPRESSION_LENGTH = 20_000;
/** Deeper trees than any formula has; bounds the recursion over the tree and the evaluation stack. */
const MAX_DEPTH = 500;

/** What to do about an expression whose value is not finite. */
export const NOT_FINITE_REMEDY =
  'Check for a division by zero, a root or logarithm of a negative number, and numbers that are too large.';

/** A compiled expression: pairs (opcode, argument). */
export interface ExpressionProgram {
  readonly text: string;
  readonly code: Int32Array;
  readonly constants: Float64Array;
  readonly stack: Float64Array;
  /** those that it reads; absent where it reads none */
  readonly tables?: readonly Table[];
}

/** An expression as it is read: quantities stand in the tree by their names. */
interface ReadExpression extends Pick<FoundQuantities, 'quantities'> {
  readonly tree: MathNode;
}

/** @throws {ExpressionError} when the text is none */
function readExpression(text: string, isName: (word: string) => boolean): ReadExpression {
  if (text.length > MAX_EXPRESSION_LENGTH) {
    throw new ExpressionError(`the expression is longer than ${MAX_EXPRESSION_LENGTH} characters`);
  }
  if (text.trim() === '') throw new ExpressionError('the expression is empty');
  const comma = /^\s*[+-]?(\d+),(\d+)\s*$/.exec(text);
  if (comma !== null) throw new ExpressionError(`decimals are written with a point: ${comma[1]}.${comma[2]}`);
  if (/\$\d/.test(text)) throw new ExpressionError('“$” is not allowed in an expression');
  const { text: plain, quantities } = findQuantities(withSignalNames(text), isName);
  for (const { text: written, names } of quantities)
    if (names.length > 0)
      throw new ExpressionError(
        `“${written}” has two meanings: “${names[0]}” is a name of this model, and a suffix or unit behind a number`,
        `Write the sign of a product, as in 5*${names[0]}; for the suffix or unit write the number without it.`,
      );
  let tree: MathNode;
  try {
    tree = parse(plain);
  } catch (error) {
    throw new ExpressionError(error instanceof Error ? error.message : String(error));
  }
  return { tree: CALLS_SHAPE.test(plain) ? withoutShapes(tree) : tree, quantities };
}

/**
 * The tree of an expression, as mathjs has it; quantities are their values in units of SI.
 * @throws {ExpressionError} when the text is none
 */
export function parseExpression(text: string): MathNode {
  const { tree, quantities } = readExpression(text, () => false);
  if (quantities.length === 0) return tree;
  return tree.transform((node) => {
    const index = node.type === 'SymbolNode' ? quantityIndex((node as unknown as { name: string }).name) : -1;
    return index < 0 ? node : new (mathjs().ConstantNode)(quantities[index].value);
  });
}

/**
 * The expression with numbers in units of SI in place of those with suffixes and units, for texts that are
 * put together of others.
 */
export function inPlainNumbers(text: string): string {
  const { text: plain, quantities } = findQuantities(text, () => false);
  return plain.replaceAll(/\$\d+/g, (name) => `(${quantities[quantityIndex(name)].value})`);
}

const CALLS_SHAPE = new RegExp(`\\b(?:${Object.keys(SHAPES).join('|')})\\s*\\(`);

/** The tree with courses of time written out. */
function withoutShapes(tree: MathNode): MathNode {
  const { ParenthesisNode } = mathjs();
  return tree.transform((node) => {
    const call = node.type === 'FunctionNode' ? (node as unknown as FunctionCall).fn : null;
    const { name = '' } = call?.type === 'SymbolNode' ? call : {};
    if (!Object.hasOwn(SHAPES, name)) return node;
    const { arguments: listed, defaults = [], of } = SHAPES[name];
    const names = listed.split(', ');
    const { args } = node as unknown as FunctionCall;
    const least = names.length - defaults.length;
    if (args.length < least || args.length > names.length)
      throw new ExpressionError(
        `“${name}” takes ${defaults.length === 0 ? least : `${least} to ${names.length}`} arguments (${listed}), not ${args.length}`,
      );
    const given = new Map(
      names.map((one, i) => {
        const value = i < args.length ? withoutShapes(args[i]) : parse(defaults[i - least]);
        return [one, new ParenthesisNode(value)] as const;
      }),
    );
    const written = parse(of).transform((part) =>
      part.type === 'SymbolNode' ? (given.get((part as unknown as { name: string }).name) ?? part) : part,
    );
    return new ParenthesisNode(written);
  });
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
  readonly tables: Table[] = [];
  #depth = 0;
  stackSize = 1;

  constructor(
    private readonly resolve: (path: string) => number,
    private readonly quantities: FoundQuantities['quantities'],
    private readonly known: Tables | undefined,
  ) {}

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
        this.#call(node as unknown as FunctionCall, stackDepth);
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

  /** Divides the value of all by a number. */
  divide(by: number): void {
    this.#constant(by);
    this.code.push(DIVIDE, 0);
    this.stackSize = Math.max(this.stackSize, 2);
  }

  #constant(value: unknown): void {
    if (typeof value !== 'number') throw new ExpressionError(`“${String(value)}” is not a number`);
    this.code.push(LOAD_CONSTANT, this.constants.length);
    this.constants.push(value);
  }

  #path(node: MathNode): void {
    const path = pathOf(node);
    if (path === null) throw new ExpressionError(`“${node.toString()}” is not allowed in an expression`);
    const quantity = quantityIndex(path);
    if (quantity >= 0) this.#constant(this.quantities[quantity].value);
    else if (Object.hasOwn(CONSTANTS, path)) this.#constant(CONSTANTS[path].value);
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

  #call(node: FunctionCall, stackDepth: number): void {
    const name = node.fn.name ?? '';
    // What is called after a point has the name of its last part, and would be taken for that.
    if (node.fn.type !== 'SymbolNode')
      throw new ExpressionError(
        `“${node.fn.toString()}” is no function of expressions`,
        `Write ${name === '' ? 'the function by its name alone' : `${name}(…)`}.`,
      );
    if (name === 'table' || name === 'slope') {
      this.#table(name, node.args, stackDepth);
      return;
    }
    const unary = UNARY_NAMES.indexOf(name);
    const binary = BINARY_NAMES.indexOf(name);
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

  #table(called: 'table' | 'slope', args: readonly MathNode[], stackDepth: number): void {
    if (args.length !== 2)
      throw new ExpressionError(`“${called}” takes 2 arguments (name, t), not ${args.length}`);
    const name = tableNameOf(args[0]);
    if (name === null)
      throw new ExpressionError(
        `“${called}” takes the name of a table first, not “${args[0].toString()}”`,
        `Write it as in ${called}(drive, t).`,
      );
    const table = tableNamed(name, this.known);
    this.node(args[1], stackDepth);
    const at = this.tables.indexOf(table);
    this.code.push(called === 'table' ? TABLE : SLOPE, at < 0 ? this.tables.push(table) - 1 : at);
  }
}

/** The name of a table as the first argument; null of anything else. */
function tableNameOf(node: MathNode): string | null {
  if (node.type === 'ParenthesisNode') return tableNameOf((node as unknown as { content: MathNode }).content);
  return node.type === 'SymbolNode' ? (node as unknown as { name: string }).name : null;
}

/** What is known around an expression. */
export interface ExpressionScope {
  /** whether a word is a name of the model; those that `resolve` finds when left out */
  readonly isName?: (word: string) => boolean;
  /** units of names; those that are not known when left out */
  readonly unitOfName?: UnitOfName | undefined;
  /** unit of the value; '' of a number without one, undefined where it is not known */
  readonly unit?: string | undefined;
  /** those that it may read; none where left out */
  readonly tables?: Tables | undefined;
}

/**
 * Compiles an expression.
 * @param resolve gives the slot of a name such as `rpm` or `follower.q[0]`; throws ExpressionError for
 *   unknown ones
 * @throws {ExpressionError} with a sentence that says what is wrong
 */
export function compileExpression(
  text: string,
  resolve: (path: string) => number,
  { isName, unitOfName = () => undefined, unit, tables }: ExpressionScope = {},
): ExpressionProgram {
  const { tree, quantities } = readExpression(text, isName ?? ((word) => isResolved(word, resolve)));
  const scale = quantities.length === 0 ? 1 : checkUnits(text, tree, quantities, unitOfName, unit);
  const compiler = new Compiler(resolve, quantities, tables);
  compiler.node(tree, 0);
  if (scale !== 1) compiler.divide(scale);
  return {
    text,
    code: Int32Array.from(compiler.code),
    constants: Float64Array.from(compiler.constants),
    stack: new Float64Array(compiler.stackSize),
    ...(compiler.tables.length > 0 && { tables: compiler.tables }),
  };
}

function isResolved(word: string, resolve: (path: string) => number): boolean {
  try {
    resolve(word);
    return true;
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}

const OPERATIONS: Readonly<Record<number, string>> = {
  [ADD]: '+',
  [SUBTRACT]: '-',
  [MULTIPLY]: '*',
  [DIVIDE]: '/',
  [LESS]: '<',
  [LESS_EQUAL]: '<=',
  [LARGER]: '>',
  [LARGER_EQUAL]: '>=',
};

/** The operand of a remainder is written twice: it gets a name where it is more than one. */
const isAtom = (text: string): boolean => /^[\w$.]+$/.test(text);

/**
 * The same computation in JavaScript, to the bit. Tables are called as functions, `table_` and `slope_` with
 * the name behind it.
 * @param slots text of each slot, which must bind like a name
 * @param keep names a value in a statement before; @returns the name
 */
export function javascriptOf(
  { code, constants, tables = [] }: ExpressionProgram,
  slots: readonly string[],
  keep: (value: string) => string,
): string {
  /** text of a value, and of the condition that it is not 0 */
  const stack: { readonly text: string; readonly test?: string }[] = [];
  const pop = (): string => stack.pop()?.text ?? '';
  const push = (text: string): unknown => stack.push({ text });
  for (let i = 0; i < code.length; i += 2) {
    const opcode = code[i];
    const argument = code[i + 1];
    if (opcode === LOAD_CONSTANT) push(String(constants[argument]));
    else if (opcode === LOAD_SLOT) push(slots[argument]);
    else if (opcode === NEGATE) push(`(-${pop()})`);
    else if (opcode === CALL_UNARY) push(`Math.${UNARY_NAMES[argument]}(${pop()})`);
    else if (opcode === TABLE || opcode === SLOPE)
      push(`${opcode === TABLE ? 'table' : 'slope'}_${tables[argument].id}(${pop()})`);
    else if (opcode === SELECT) {
      const otherwise = pop();
      const then = pop();
      const condition = stack.pop();
      push(`(${condition?.test ?? `${condition?.text ?? ''} !== 0`} ? ${then} : ${otherwise})`);
    } else {
      const b = pop();
      const a = pop();
      if (opcode === POWER) push(`Math.pow(${a}, ${b})`);
      else if (opcode === CALL_BINARY) push(`Math.${BINARY_NAMES[argument]}(${a}, ${b})`);
      else if (opcode === MODULO) {
        const [x, y] = [a, b].map((text) => (isAtom(text) ? text : keep(text)));
        push(`(${x} - ${y} * Math.floor(${x} / ${y}))`);
      } else if (opcode < LESS) push(`(${a} ${OPERATIONS[opcode]} ${b})`);
      else {
        const test = `${a} ${OPERATIONS[opcode]} ${b}`;
        stack.push({ text: `(${test} ? 1 : 0)`, test });
      }
    }
  }
  return pop();
}

/** Whether an expression is a comparison, which gives 0 or 1: never negative, and zero nowhere in passing. */
export function isComparison({ code }: ExpressionProgram): boolean {
  const last = code[code.length - 2];
  return last >= LESS && last <= LARGER_EQUAL;
}

const JUMPING: ReadonlySet<string> = new Set(['floor', 'ceil', 'round', 'sign']);

/** The slot that an expression is, where it is nothing else. */
export const onlySlotOf = ({ code }: ExpressionProgram): number | null =>
  code.length === 2 && code[0] === LOAD_SLOT ? code[1] : null;

/**
 * What makes the value of an expression jump, as it is written; null where nothing does.
 * @param counts the slots whose values make it jump; all when left out
 */
export function jumpIn(
  program: ExpressionProgram,
  counts: (slot: number) => boolean = () => true,
): string | null {
  const { code, tables = [] } = program;
  // Of each value on the stack, whether a slot that counts is in it.
  const stack: boolean[] = [];
  const pop = (): boolean => stack.pop() ?? false;
  for (let k = 0; k < code.length; k += 2) {
    const [opcode, argument] = [code[k], code[k + 1]];
    if (opcode === LOAD_CONSTANT) stack.push(false);
    else if (opcode === LOAD_SLOT) stack.push(counts(argument));
    else if (opcode === NEGATE) continue;
    else if (opcode === CALL_UNARY || opcode === TABLE || opcode === SLOPE) {
      const jump = unaryJump(opcode, argument, tables);
      if (jump !== null && stack[stack.length - 1]) return jump;
    } else if (opcode === SELECT) {
      const [otherwise, then] = [pop(), pop()];
      if (pop()) return '? :';
      stack.push(otherwise || then);
    } else {
      const [second, first] = [pop(), pop()];
      const isCounted = first || second;
      if (isCounted && opcode === MODULO) return 'mod';
      if (isCounted && opcode >= LESS && opcode <= LARGER_EQUAL) return ['<', '<=', '>', '>='][opcode - LESS];
      stack.push(isCounted);
    }
  }
  return null;
}

function unaryJump(opcode: number, argument: number, tables: readonly Table[]): string | null {
  if (opcode === SLOPE) return 'slope';
  if (opcode === TABLE) return tableJumps(tables[argument]) ? 'table' : null;
  return JUMPING.has(UNARY_NAMES[argument]) ? UNARY_NAMES[argument] : null;
}

/** Names an expression uses, constants and functions excluded. @throws {ExpressionError} */
export function expressionNames(text: string): string[] {
  const names = new Set<string>();
  const add = (path: string): number => {
    names.add(path);
    return 0;
  };
  compileExpression(text, add, { isName: () => false, tables: 'unread' });
  return [...names];
}

const NO_TABLES: readonly Table[] = [];

/**
 * Evaluates a compiled expression over `slots` and leaves the value in `program.stack[0]`: a returned double
 * would be boxed at every call of the time loop.
 */
export function runExpression(program: ExpressionProgram, slots: Float64Array): void {
  const { code, constants, stack, tables = NO_TABLES } = program;
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
      case TABLE:
        stack[top] = tableValue(tables[argument], stack[top]);
        break;
      case SLOPE:
        stack[top] = tableSlope(tables[argument], stack[top]);
        break;
    }
  }
}

/** Value of a compiled expression over `slots`. */
export function evaluateExpression(program: ExpressionProgram, slots: Float64Array): number {
  runExpression(program, slots);
  return program.stack[0];
}
