/** The activity analysis of calls: functions of the script, of Math, and methods of arrays. */
import type * as ast from 'acorn';
import type { Analysis } from './analysis';
import { writeThing } from './analyse-assignments';
import {
  ARRAY_METHODS,
  HELD,
  JOINT_FUNCTIONS,
  STEP_FUNCTIONS,
  TESTS,
  UNARY_FUNCTIONS,
  WITH_CALLBACK,
} from './builtins';
import { calleeOf, functionsOf, isConsole, mathOf } from './callees';
import { staticKey } from './keys';
import { Refusal } from './refusal';
import type { FunctionInfo } from './scopes';
import { isArrayLike, NOTHING, Value, type Thing } from './values';

function callFunctions(
  analysis: Analysis,
  node: ast.AnyNode,
  functions: readonly FunctionInfo[],
  functionValue: Value,
  inputs: readonly Value[],
  value: Value,
): void {
  const { store } = analysis;
  const carriesActive =
    inputs.some((input) => store.reachesActive(input)) || store.reachesActive(functionValue);
  for (const info of functions) {
    const { returns } = analysis.call(info, inputs);
    if (returns.isText) value.isText = true;
    if (returns.isActive && carriesActive) store.activate(value);
    for (const thing of returns.objects) store.add(value, thing);
  }
  if (functions.length > 1) analysis.alternatives.set(node, functions);
}

function callMath(
  analysis: Analysis,
  node: ast.AnyNode,
  name: string,
  inputs: readonly Value[],
  value: Value,
): void {
  if (name === 'random') {
    analysis.refuseInside(
      node,
      'derivative-random',
      'Math.random is not a function of its arguments, so the function has no derivative.',
      'Draw the numbers once, outside the function.',
    );
    return;
  }
  analysis.requireNumbers(node, inputs);
  if (STEP_FUNCTIONS.has(name)) return;
  if (!UNARY_FUNCTIONS.has(name) && !JOINT_FUNCTIONS.has(name)) {
    analysis.opaque(node, inputs, `Math.${name}`);
    return;
  }
  if (inputs.some(({ isActive }) => isActive)) analysis.store.activate(value);
}

/** Calls a callback of an array method. @returns what it returns, or null when it cannot be followed */
function callBack(
  analysis: Analysis,
  node: ast.AnyNode,
  callback: Value | undefined,
  inputs: Value[],
): Value | null {
  const functions = callback === undefined ? null : functionsOf(callback);
  if (callback === undefined || functions?.length !== 1) {
    analysis.opaque(
      node,
      [...inputs, ...(callback ? [callback] : [])],
      'A callback that is not a function of the script',
    );
    return null;
  }
  const returned = new Value(true);
  callFunctions(analysis, node, functions, callback, inputs, returned);
  return returned;
}

const kindOfCopy = (things: Iterable<Thing>): 'array' | 'typed' | 'integer' => {
  const kinds = new Set([...things].map(({ kind }) => (kind === 'argument' ? 'typed' : kind)));
  if (kinds.size !== 1) return 'array';
  return kinds.has('typed') ? 'typed' : kinds.has('integer') ? 'integer' : 'array';
};

function callMethod(
  analysis: Analysis,
  node: ast.CallExpression,
  name: string,
  receiver: Value,
  inputs: readonly Value[],
  value: Value,
): void {
  const { store } = analysis;
  const things = [...receiver.objects];
  const elements = store.elementsOf(receiver);
  // What looks like a method of arrays may be one of Map, Set or a text.
  if (things.some(({ kind }) => kind === 'constant') && !WITH_CALLBACK.has(name)) {
    analysis.opaque(node, inputs, `A call of “${name}”`);
  }
  const blur = (): void => {
    for (const thing of things) {
      if (name !== 'subarray') writeThing(analysis, thing, null, NOTHING, node);
      store.blur(thing);
    }
  };
  const put = (input: Value): void => {
    for (const thing of things) writeThing(analysis, thing, null, input, node);
  };
  switch (name) {
    case 'fill':
      if (inputs.length > 0) put(inputs[0]);
      store.merge(value, receiver);
      return;
    case 'set': {
      if (inputs.length > 0) put(store.elementsOf(inputs[0]));
      return;
    }
    case 'subarray':
      blur();
      store.merge(value, receiver);
      return;
    case 'slice':
      store.merge(analysis.allocate(kindOfCopy(things), node, value).elements, elements);
      return;
    case 'concat': {
      const joined = analysis.allocate('array', node, value).elements;
      store.merge(joined, elements);
      for (const input of inputs) {
        if (input.isActive) store.activate(joined);
        analysis.readEach(input, joined);
      }
      return;
    }
    case 'push':
    case 'unshift':
      inputs.forEach(put);
      if (name === 'unshift') blur();
      return;
    case 'pop':
    case 'shift':
    case 'at':
      store.merge(value, elements);
      if (name === 'shift') blur();
      if (name === 'pop') for (const thing of things) writeThing(analysis, thing, null, NOTHING, node);
      return;
    case 'reverse':
      blur();
      store.merge(value, receiver);
      return;
    case 'map': {
      const returned = callBack(analysis, node, inputs.at(0), [elements, NOTHING, receiver]);
      const copy = analysis.allocate(kindOfCopy(things), node, value);
      if (returned !== null) analysis.initialise(copy, returned, node);
      return;
    }
    case 'reduce': {
      if (inputs.length > 1) store.merge(value, inputs[1]);
      else store.merge(value, elements);
      const returned = callBack(analysis, node, inputs.at(0), [value, elements, NOTHING, receiver]);
      if (returned !== null) store.merge(value, returned);
      return;
    }
    case 'forEach':
    case 'every':
    case 'some':
    case 'findIndex':
      callBack(analysis, node, inputs.at(0), [elements, NOTHING, receiver]);
      return;
    default:
      // indexOf, lastIndexOf, includes: comparisons
      return;
  }
}

/** `Array.from`, `Float64Array.of` and the like. @returns whether the call is one of them */
function callConstructorMethod(
  analysis: Analysis,
  node: ast.CallExpression,
  callee: ast.AnyNode,
  inputs: readonly Value[],
  value: Value,
): boolean {
  if (callee.type !== 'MemberExpression') return false;
  const kind = analysis.arrayConstructor(callee.object);
  const name = staticKey(callee);
  if (kind === null || (name !== 'from' && name !== 'of')) return false;
  const { store } = analysis;
  const source = inputs.length > 0 ? store.elementsOf(inputs[0]) : NOTHING;
  let contents: Value | null = source;
  if (name === 'of') contents = store.union(...inputs);
  else if (inputs.length > 1) contents = callBack(analysis, node, inputs[1], [source, NOTHING]);
  analysis.initialise(analysis.allocate(kind, node, value), contents ?? NOTHING, node);
  return true;
}

function callGlobal(
  analysis: Analysis,
  node: ast.CallExpression,
  callee: ast.AnyNode,
  inputs: readonly Value[],
  value: Value,
): boolean {
  const name = analysis.globalName(callee);
  if (name === null) return false;
  // What a condition whose outcome is held gives (`script/conditions/`) is constant.
  if (TESTS.has(name) || HELD.test(name)) return true;
  if (name === 'Number') {
    analysis.requireNumbers(node, inputs);
    if (inputs.at(0)?.isActive) analysis.store.activate(value);
    return true;
  }
  if (name === 'Object.freeze') {
    for (const input of inputs.slice(0, 1)) analysis.store.merge(value, input);
    return true;
  }
  if (name === 'Array') {
    analyseArray(analysis, node, 'array', inputs, value);
    return true;
  }
  return callConstructorMethod(analysis, node, callee, inputs, value);
}

/** Reads a call. */
export function analyseCall(analysis: Analysis, node: ast.CallExpression, value: Value): void {
  const { callee, inputs: nodes } = calleeOf(node);
  if (isConsole(analysis, callee)) return;
  const inputs = nodes.map((input) => analysis.read(input));
  if (nodes.some(({ type }) => type === 'SpreadElement')) {
    analysis.opaque(node, inputs, 'A call with “...”');
    analysis.store.add(value, analysis.store.thing('constant', node));
    return;
  }
  if (analysis.current === null) {
    callWhileLoading(analysis, node, callee, inputs, value);
    return;
  }
  if (callGlobal(analysis, node, callee, inputs, value)) return;
  const method = callee.type === 'MemberExpression' ? staticKey(callee) : null;
  if (callee.type === 'MemberExpression' && method !== null && ARRAY_METHODS.has(method)) {
    const receiver = analysis.read(callee.object);
    if (receiver.objects.size > 0 && [...receiver.objects].every(isArrayLike)) {
      callMethod(analysis, node, method, receiver, inputs, value);
      return;
    }
  }
  const target = analysis.read(callee);
  const math = mathOf(target);
  const functions = functionsOf(target);
  if (math !== null) callMath(analysis, node, math, inputs, value);
  else if (functions !== null) callFunctions(analysis, node, functions, target, inputs, value);
  else callUnknown(analysis, node, callee, target, inputs, value);
}

/** Calls of the module's own statements give constants, except for those that make arrays. */
function callWhileLoading(
  analysis: Analysis,
  node: ast.CallExpression,
  callee: ast.AnyNode,
  inputs: readonly Value[],
  value: Value,
): void {
  if (analysis.globalName(callee) === 'Object.freeze') {
    for (const input of inputs.slice(0, 1)) analysis.store.merge(value, input);
    return;
  }
  analysis.store.add(value, analysis.store.thing('constant', node, { isOuter: !analysis.isChannel }));
}

function callUnknown(
  analysis: Analysis,
  node: ast.CallExpression,
  callee: ast.AnyNode,
  target: Value,
  inputs: readonly Value[],
  value: Value,
): void {
  const receivers = callee.type === 'MemberExpression' ? [analysis.read(callee.object)] : [];
  const name =
    callee.type === 'MemberExpression'
      ? staticKey(callee)
      : callee.type === 'Identifier'
        ? callee.name
        : null;
  analysis.opaque(
    node,
    [...receivers, target, ...inputs],
    name === null ? 'This call' : `A call of “${name}”`,
  );
  // A callback may be called with anything constant.
  const constant = analysis.store.thing('constant', node);
  const given = new Value(true);
  given.objects.add(constant);
  for (const input of inputs) {
    for (const { info } of input.objects)
      if (info !== null)
        analysis.call(
          info,
          info.node.params.map(() => given),
        );
  }
  // As long as nothing is known of the callee, the next pass may know more.
  if (target.objects.size > 0 || receivers.some(({ objects }) => objects.size > 0))
    analysis.store.add(value, constant);
}

/** `new Float64Array(…)` and the like. */
function analyseArray(
  analysis: Analysis,
  node: ast.CallExpression | ast.NewExpression,
  kind: 'array' | 'typed' | 'integer',
  inputs: readonly Value[],
  value: Value,
): void {
  const { store } = analysis;
  const made = analysis.allocate(kind, node, value);
  const first = inputs.at(0);
  let contents: Value = NOTHING;
  // One argument is the length, unless it is an object.
  if (kind === 'array' && (inputs.length !== 1 || (first?.objects.size ?? 0) > 0))
    contents = store.union(...inputs);
  if (kind !== 'array' && first !== undefined) contents = store.elementsOf(first);
  if (kind !== 'array' && inputs.length > 1) analysis.opaque(node, inputs, 'A view of a buffer');
  // An active length: the array changes with the argument, which has no derivative.
  if (first !== undefined && (kind !== 'array' || inputs.length === 1)) {
    analysis.require(node, () =>
      first.isActive
        ? new Refusal(
            node,
            'derivative-length',
            'The length of an array depends on the argument of differentiation.',
          )
        : null,
    );
  }
  analysis.initialise(made, contents, node);
}

/** Reads `new X(…)`. */
export function analyseNew(analysis: Analysis, node: ast.NewExpression, value: Value): void {
  const inputs = node.arguments.map((input) => analysis.read(input));
  const kind = analysis.arrayConstructor(node.callee);
  if (kind !== null && !node.arguments.some(({ type }) => type === 'SpreadElement')) {
    analyseArray(analysis, node, kind, inputs, value);
    return;
  }
  analysis.opaque(node, [...inputs, analysis.read(node.callee)], 'An object made with “new”');
  analysis.store.add(value, analysis.store.thing('constant', node, { isOuter: analysis.isOuterPlace() }));
}
