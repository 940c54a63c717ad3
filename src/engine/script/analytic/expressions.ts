/** Expressions of functions of time, read as sums of terms. */
import type * as ast from 'acorn';
import { calleeOf } from '../differentiate/analysis/callees';
import {
  type Binding,
  type FunctionInfo,
  type Names,
  childrenOf,
  functionOf,
  isFunction,
  staticKey,
} from '../source/scopes';
import * as algebra from './algebra';
import { NotAnalytic, type Terms } from './algebra';

/*
 * What is known while the source of a function of time is read: values of its variables, as sums of terms,
 * and what it has written. The function is not executed but followed: what depends on numbers alone, loops
 * and branches among it, goes the way it goes at every time, and anything else than arithmetic with time is
 * refused.
 */

/** What an expression is. */
export type FormValue =
  | { readonly kind: 'number'; readonly terms: Terms }
  | { readonly kind: 'truth'; readonly value: boolean }
  /** the object of the model's parameters */
  | { readonly kind: 'parameters' }
  /** the array that the function fills */
  | { readonly kind: 'entries' }
  | { readonly kind: 'function'; readonly info: FunctionInfo }
  | { readonly kind: 'nothing' };

export const NO_FORM: FormValue = { kind: 'nothing' };

/** Expressions that are followed before a function counts as too long. */
const MOST_STEPS = 100_000;

/** Assignments to properties of `exports`, with their values. */
function findExports(program: ast.Program): ReadonlyMap<string, readonly ast.AssignmentExpression[]> {
  const found = new Map<string, ast.AssignmentExpression[]>();
  const visit = (node: ast.AnyNode): void => {
    if (node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression') {
      const { object } = node.left;
      const name = staticKey(node.left);
      if (object.type === 'Identifier' && object.name === 'exports' && name !== null)
        found.set(name, [...(found.get(name) ?? []), node]);
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program);
  return found;
}

/** A script that has been parsed. */
export interface ParsedScript {
  readonly program: ast.Program;
  readonly names: Names;
  /** what it assigns to `exports`, by name */
  readonly exported: ReadonlyMap<string, readonly ast.AssignmentExpression[]>;
  /** first values of the variables of the script itself */
  readonly initial: ReadonlyMap<Binding, ast.AnyNode>;
}

export function parsedScript(program: ast.Program, names: Names): ParsedScript {
  const initial = new Map<Binding, ast.AnyNode>();
  for (const node of program.body) {
    if (node.type === 'FunctionDeclaration') {
      const binding = names.bindings.get(node.id);
      if (binding !== undefined) initial.set(binding, node);
    }
    if (node.type !== 'VariableDeclaration' || node.kind === 'var') continue;
    for (const { id, init } of node.declarations) {
      const binding = id.type === 'Identifier' ? names.bindings.get(id) : undefined;
      if (binding !== undefined && init) initial.set(binding, init);
    }
  }
  return { program, names, exported: findExports(program), initial };
}

export class Reading {
  /** start of the expression that is read */
  position = 0;
  /** what has been written, by entry */
  readonly entries: Terms[];
  readonly variables = new Map<Binding, FormValue>();
  /** functions that are being followed */
  readonly #calls: FunctionInfo[] = [];
  #steps = 0;

  constructor(
    readonly script: ParsedScript,
    readonly parameters: Readonly<Record<string, number>>,
    length: number,
    /** follows the body of a function whose arguments stand in `variables` */
    private readonly body: (reading: Reading, info: FunctionInfo) => FormValue,
    private readonly evaluate: (reading: Reading, node: ast.AnyNode) => FormValue,
  ) {
    this.entries = Array.from({ length }, () => []);
  }

  /** @throws {NotAnalytic} */
  refuse(what: string): never {
    throw new NotAnalytic(what);
  }

  step(node: ast.AnyNode): void {
    this.position = node.start;
    if (++this.#steps > MOST_STEPS) this.refuse('it takes too many steps');
  }

  /** Value of a variable or of a name of the script. */
  variable(node: ast.Identifier): FormValue {
    const binding = this.script.names.bindings.get(node);
    if (binding === undefined) return this.refuse(`“${node.name}” is not known`);
    const known = this.variables.get(binding);
    if (known !== undefined) return known;
    const initial = this.script.initial.get(binding);
    if (initial === undefined || binding.reassigned !== null)
      return this.refuse(`“${node.name}” is not constant`);
    return this.#constant(initial);
  }

  /** Value of `exports.name`. */
  export(name: string): FormValue {
    const assignments = this.script.exported.get(name) ?? [];
    const [assignment] = assignments;
    if (assignments.length !== 1 || assignment.operator !== '=')
      return this.refuse(`“${name}” is not constant`);
    return this.#constant(assignment.right);
  }

  /** A value from outside functions, where nothing depends on time. */
  #constant(node: ast.AnyNode): FormValue {
    return isFunction(node)
      ? { kind: 'function', info: functionOf(this.script.names, node) }
      : this.evaluate(this, node);
  }

  /** Value of a call. */
  call(info: FunctionInfo, inputs: readonly FormValue[]): FormValue {
    const { node } = info;
    if (node.async || node.generator) return this.refuse('it calls a generator');
    if (this.#calls.includes(info)) return this.refuse('it calls itself');
    // Variables of a call that is over may have been overwritten by another.
    for (const { owner, name } of info.captured)
      if (owner !== null && !this.#calls.includes(owner)) return this.refuse(`“${name}” is not constant`);
    node.params.forEach((parameter, i) => {
      this.declare(parameter, inputs.at(i) ?? NO_FORM);
    });
    this.#calls.push(info);
    const result = this.body(this, info);
    this.#calls.pop();
    return result;
  }

  /** A new variable, or several that are taken out of the parameters. */
  declare(pattern: ast.Pattern, value: FormValue): void {
    if (pattern.type === 'Identifier') {
      const binding = this.script.names.bindings.get(pattern);
      if (binding !== undefined) this.variables.set(binding, value);
      return;
    }
    if (pattern.type !== 'ObjectPattern' || value.kind !== 'parameters')
      return this.refuse('it takes apart an object');
    for (const property of pattern.properties) {
      const name = property.type === 'Property' && !property.computed ? property.key : null;
      if (property.type !== 'Property' || name?.type !== 'Identifier')
        return this.refuse('it takes apart an object');
      this.declare(property.value, this.parameter(name.name));
    }
  }

  /** A parameter of the model. */
  parameter(name: string): FormValue {
    if (!Object.hasOwn(this.parameters, name)) return this.refuse(`there is no parameter “${name}”`);
    return { kind: 'number', terms: this.number(this.parameters[name]) };
  }

  number(value: number): Terms {
    if (!Number.isFinite(value)) return this.refuse('a number is not finite');
    return value === 0 ? [] : [{ power: 0, rate: 0, frequency: 0, cosine: value, sine: 0 }];
  }
}

const MATH_CONSTANTS: Readonly<Record<string, number>> = {
  E: Math.E,
  LN10: Math.LN10,
  LN2: Math.LN2,
  LOG10E: Math.LOG10E,
  LOG2E: Math.LOG2E,
  PI: Math.PI,
  SQRT1_2: Math.SQRT1_2,
  SQRT2: Math.SQRT2,
};

/** Functions of numbers; `random` is none. */
const MATH_FUNCTIONS: Readonly<Record<string, (...values: number[]) => number>> = {
  ...{ abs: Math.abs, acos: Math.acos, acosh: Math.acosh, asin: Math.asin, asinh: Math.asinh },
  ...{ atan: Math.atan, atan2: Math.atan2, atanh: Math.atanh, cbrt: Math.cbrt, ceil: Math.ceil },
  ...{ cosh: Math.cosh, expm1: Math.expm1, floor: Math.floor, fround: Math.fround, hypot: Math.hypot },
  ...{ log: Math.log, log10: Math.log10, log1p: Math.log1p, log2: Math.log2, max: Math.max, min: Math.min },
  ...{ round: Math.round, sign: Math.sign, sinh: Math.sinh, sqrt: Math.sqrt, tan: Math.tan, tanh: Math.tanh },
  trunc: Math.trunc,
};

const numeric = (terms: Terms): FormValue => ({ kind: 'number', terms });
const truth = (value: boolean): FormValue => ({ kind: 'truth', value });

/** The sum of terms that an expression is. */
function termsOf(reading: Reading, node: ast.AnyNode): Terms {
  const value = evaluate(reading, node);
  return value.kind === 'number' ? value.terms : reading.refuse('something in it is not a number');
}

/** The number that an expression is at every time. */
function numberOf(reading: Reading, node: ast.AnyNode): number {
  return algebra.constantOf(termsOf(reading, node)) ?? reading.refuse('a place or a choice depends on time');
}

/** Whether a condition holds, which must not depend on time. */
export function isTrue(reading: Reading, node: ast.AnyNode): boolean {
  const value = evaluate(reading, node);
  if (value.kind === 'truth') return value.value;
  if (value.kind !== 'number') return reading.refuse('a condition is not a number');
  const number = algebra.constantOf(value.terms) ?? reading.refuse('a condition depends on time');
  return number !== 0;
}

/** A name of the environment, as `Math`, that the script has not given another meaning. */
const isGlobal = (reading: Reading, node: ast.AnyNode, name: string): boolean =>
  node.type === 'Identifier' && node.name === name && !reading.script.names.bindings.has(node);

function arithmetic(reading: Reading, operator: string, a: Terms, b: Terms): Terms {
  switch (operator) {
    case '+':
      return algebra.sum(a, b);
    case '-':
      return algebra.sum(a, b, -1);
    case '*':
      return algebra.product(a, b);
    case '/':
      return algebra.quotient(a, b);
    case '**':
      return algebra.power(a, b);
    case '%': {
      const x = algebra.constantOf(a);
      const y = algebra.constantOf(b);
      if (x !== null && y !== null) return reading.number(x % y);
    }
  }
  return reading.refuse(`“${operator}” does more than arithmetic with time`);
}

const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '===': (a, b) => a === b,
  '!==': (a, b) => a !== b,
};

function binary(reading: Reading, { operator, left, right }: ast.BinaryExpression): FormValue {
  if (Object.hasOwn(COMPARISONS, operator))
    return truth(COMPARISONS[operator](numberOf(reading, left), numberOf(reading, right)));
  const a = termsOf(reading, left);
  return numeric(arithmetic(reading, operator, a, termsOf(reading, right)));
}

function unary(reading: Reading, { operator, argument }: ast.UnaryExpression): FormValue {
  if (operator === '!') return truth(!isTrue(reading, argument));
  const terms = termsOf(reading, argument);
  if (operator === '+') return numeric(terms);
  return operator === '-' ? numeric(algebra.sum([], terms, -1)) : reading.refuse(`it contains “${operator}”`);
}

/** Place in the array that is filled. */
function placeOf(reading: Reading, node: ast.MemberExpression): number {
  if (evaluate(reading, node.object).kind !== 'entries') return reading.refuse('it uses another array');
  const index = node.computed ? numberOf(reading, node.property) : -1;
  return index in reading.entries ? index : reading.refuse('it writes beside the array');
}

function member(reading: Reading, node: ast.MemberExpression): FormValue {
  const { object } = node;
  const key = staticKey(node);
  if (key !== null && isGlobal(reading, object, 'Math')) {
    const isKnown = Object.hasOwn(MATH_CONSTANTS, key);
    return isKnown
      ? numeric(reading.number(MATH_CONSTANTS[key]))
      : reading.refuse(`Math.${key} is not a number`);
  }
  if (key !== null && isGlobal(reading, object, 'exports')) return reading.export(key);
  const { kind } = evaluate(reading, object);
  if (kind === 'parameters' && key !== null) return reading.parameter(key);
  if (kind !== 'entries') return reading.refuse('it uses an object');
  if (key === 'length' && !node.computed) return numeric(reading.number(reading.entries.length));
  return numeric(reading.entries[placeOf(reading, node)]);
}

/** What is assigned to: an entry, by its place, or the name of a variable. */
type Target = number | ast.AnyNode;

/** Looked up once, before the value, as a script does it: `out[i++] += i` counts once. */
const targetOf = (reading: Reading, node: ast.AnyNode): Target =>
  node.type === 'MemberExpression' ? placeOf(reading, node) : node;

const load = (reading: Reading, target: Target): Terms =>
  typeof target === 'number' ? reading.entries[target] : termsOf(reading, target);

/** Gives a variable or an entry its value. */
function store(reading: Reading, target: Target, terms: Terms): FormValue {
  const value = numeric(terms);
  if (typeof target === 'number') {
    reading.entries[target] = terms;
    return value;
  }
  const binding = target.type === 'Identifier' ? reading.script.names.bindings.get(target) : undefined;
  if (binding === undefined || binding.owner === null || binding.kind === 'const')
    return reading.refuse('it changes something outside itself');
  reading.variables.set(binding, value);
  return value;
}

function assignment(reading: Reading, { operator, left, right }: ast.AssignmentExpression): FormValue {
  const target = targetOf(reading, left);
  if (operator === '=') return store(reading, target, termsOf(reading, right));
  const before = load(reading, target);
  return store(reading, target, arithmetic(reading, operator.slice(0, -1), before, termsOf(reading, right)));
}

function update(reading: Reading, { operator, prefix, argument }: ast.UpdateExpression): FormValue {
  const target = targetOf(reading, argument);
  const before = load(reading, target);
  const after = algebra.sum(before, reading.number(1), operator === '++' ? 1 : -1);
  store(reading, target, after);
  return numeric(prefix ? after : before);
}

function mathCall(reading: Reading, name: string, inputs: readonly Terms[]): Terms {
  if (inputs.length > 0) {
    if (name === 'sin') return algebra.sine(inputs[0]);
    if (name === 'cos') return algebra.cosine(inputs[0]);
    if (name === 'exp') return algebra.exponentialOf(inputs[0]);
    if (name === 'pow' && inputs.length > 1) return algebra.power(inputs[0], inputs[1]);
  }
  if (!Object.hasOwn(MATH_FUNCTIONS, name)) return reading.refuse(`Math.${name} is no function of numbers`);
  const numbers = inputs.map(
    (terms) => algebra.constantOf(terms) ?? reading.refuse(`Math.${name} of time is no sum of such terms`),
  );
  return reading.number(MATH_FUNCTIONS[name](...numbers));
}

/** `out.fill(c)` and `out.set([…])`; null for other calls. */
function arrayCall(reading: Reading, callee: ast.AnyNode, inputs: readonly ast.AnyNode[]): FormValue | null {
  if (callee.type !== 'MemberExpression' || inputs.length !== 1) return null;
  const key = staticKey(callee);
  if ((key !== 'fill' && key !== 'set') || evaluate(reading, callee.object).kind !== 'entries') return null;
  const { entries } = reading;
  const [input] = inputs;
  if (key === 'fill') {
    entries.fill(termsOf(reading, input));
    return NO_FORM;
  }
  if (input.type !== 'ArrayExpression' || input.elements.length > entries.length)
    return reading.refuse('it sets what is no list of the right length');
  const values = input.elements.map((element) =>
    element === null ? reading.refuse('a list has a hole') : termsOf(reading, element),
  );
  values.forEach((terms, i) => (entries[i] = terms));
  return NO_FORM;
}

function call(reading: Reading, node: ast.CallExpression): FormValue {
  const { callee, inputs } = calleeOf(node);
  if (callee.type === 'MemberExpression' && isGlobal(reading, callee.object, 'Math')) {
    const terms = inputs.map((input) => termsOf(reading, input));
    return numeric(mathCall(reading, staticKey(callee) ?? '', terms));
  }
  const filled = arrayCall(reading, callee, inputs);
  if (filled !== null) return filled;
  const called = evaluate(reading, callee);
  if (called.kind !== 'function') return reading.refuse('it calls what is no function of the script');
  return reading.call(
    called.info,
    inputs.map((input) => evaluate(reading, input)),
  );
}

function logical(reading: Reading, { operator, left, right }: ast.LogicalExpression): FormValue {
  if (operator === '??') return reading.refuse('it contains “??”');
  const first = isTrue(reading, left);
  return truth(first === (operator === '&&') ? isTrue(reading, right) : first);
}

/** Reads an expression. @throws {NotAnalytic} */
export function evaluate(reading: Reading, node: ast.AnyNode): FormValue {
  reading.step(node);
  switch (node.type) {
    case 'Literal':
      if (typeof node.value === 'number') return numeric(reading.number(node.value));
      return typeof node.value === 'boolean' ? truth(node.value) : reading.refuse('it uses a text');
    case 'Identifier':
      return reading.variable(node);
    case 'ParenthesizedExpression':
      return evaluate(reading, node.expression);
    case 'BinaryExpression':
      return binary(reading, node);
    case 'UnaryExpression':
      return unary(reading, node);
    case 'LogicalExpression':
      return logical(reading, node);
    case 'ConditionalExpression':
      return evaluate(reading, isTrue(reading, node.test) ? node.consequent : node.alternate);
    case 'MemberExpression':
      return member(reading, node);
    case 'AssignmentExpression':
      return assignment(reading, node);
    case 'UpdateExpression':
      return update(reading, node);
    case 'CallExpression':
      return call(reading, node);
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return { kind: 'function', info: functionOf(reading.script.names, node) };
    default:
      return reading.refuse('it contains more than arithmetic');
  }
}
