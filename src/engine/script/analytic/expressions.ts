/** Expressions of functions of time, read as sums of terms. */
import type * as ast from 'acorn';
import { calleeOf } from '../differentiate/callees';
import { staticKey } from '../differentiate/keys';
import { functionOf } from '../differentiate/scopes';
import * as algebra from './algebra';
import type { Terms } from './algebra';
import type { Reading, Value } from './reading';
import { NOTHING } from './reading';

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

const numeric = (terms: Terms): Value => ({ kind: 'number', terms });
const truth = (value: boolean): Value => ({ kind: 'truth', value });

/** The sum of terms that an expression is. */
export function termsOf(reading: Reading, node: ast.AnyNode): Terms {
  const value = evaluate(reading, node);
  return value.kind === 'number' ? value.terms : reading.refuse('something in it is not a number');
}

/** The number that an expression is at every time. */
export function numberOf(reading: Reading, node: ast.AnyNode): number {
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

function binary(reading: Reading, { operator, left, right }: ast.BinaryExpression): Value {
  if (Object.hasOwn(COMPARISONS, operator))
    return truth(COMPARISONS[operator](numberOf(reading, left), numberOf(reading, right)));
  const a = termsOf(reading, left);
  return numeric(arithmetic(reading, operator, a, termsOf(reading, right)));
}

function unary(reading: Reading, { operator, argument }: ast.UnaryExpression): Value {
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

function member(reading: Reading, node: ast.MemberExpression): Value {
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
function store(reading: Reading, target: Target, terms: Terms): Value {
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

function assignment(reading: Reading, { operator, left, right }: ast.AssignmentExpression): Value {
  const target = targetOf(reading, left);
  if (operator === '=') return store(reading, target, termsOf(reading, right));
  const before = load(reading, target);
  return store(reading, target, arithmetic(reading, operator.slice(0, -1), before, termsOf(reading, right)));
}

function update(reading: Reading, { operator, prefix, argument }: ast.UpdateExpression): Value {
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
    if (name === 'exp') return algebra.exponential(inputs[0]);
    if (name === 'pow' && inputs.length > 1) return algebra.power(inputs[0], inputs[1]);
  }
  if (!Object.hasOwn(MATH_FUNCTIONS, name)) return reading.refuse(`Math.${name} is no function of numbers`);
  const numbers = inputs.map(
    (terms) => algebra.constantOf(terms) ?? reading.refuse(`Math.${name} of time is no sum of such terms`),
  );
  return reading.number(MATH_FUNCTIONS[name](...numbers));
}

/** `out.fill(c)` and `out.set([…])`; null for other calls. */
function arrayCall(reading: Reading, callee: ast.AnyNode, inputs: readonly ast.AnyNode[]): Value | null {
  if (callee.type !== 'MemberExpression' || inputs.length !== 1) return null;
  const key = staticKey(callee);
  if ((key !== 'fill' && key !== 'set') || evaluate(reading, callee.object).kind !== 'entries') return null;
  const { entries } = reading;
  const [input] = inputs;
  if (key === 'fill') {
    entries.fill(termsOf(reading, input));
    return NOTHING;
  }
  if (input.type !== 'ArrayExpression' || input.elements.length > entries.length)
    return reading.refuse('it sets what is no list of the right length');
  const values = input.elements.map((element) =>
    element === null ? reading.refuse('a list has a hole') : termsOf(reading, element),
  );
  values.forEach((terms, i) => (entries[i] = terms));
  return NOTHING;
}

function call(reading: Reading, node: ast.CallExpression): Value {
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

function logical(reading: Reading, { operator, left, right }: ast.LogicalExpression): Value {
  if (operator === '??') return reading.refuse('it contains “??”');
  const first = isTrue(reading, left);
  return truth(first === (operator === '&&') ? isTrue(reading, right) : first);
}

/** Reads an expression. @throws {NotAnalytic} */
export function evaluate(reading: Reading, node: ast.AnyNode): Value {
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
