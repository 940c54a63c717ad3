/** The activity analysis of calls: functions of the script, of Math, and methods of arrays. */
import type * as ast from 'acorn';
import { type FunctionInfo, keyOf, staticKey } from '../../source/scopes';
import { Refusal } from '../refusal';
import type { Analysis } from './analysis';
import {
  ARRAY_METHODS,
  FORBIDDEN_KEYS,
  HELD,
  JOINT_FUNCTIONS,
  SIZES,
  STEP_FUNCTIONS,
  TESTS,
  UNARY_FUNCTIONS,
  WITH_CALLBACK,
} from './builtins';
import { calleeOf, calledFunctionsOf, isConsole, mathOf } from './callees';
import { NO_CONTENT, type Thing, Value, isArrayLike } from './values';

/*
 * The activity analysis of assignments: into variables and slots, and the taking apart of arrays and objects.
 */

/** Stores into a variable or slot. */
export function assign(analysis: Analysis, target: ast.AnyNode, value: Value, place: ast.AnyNode): void {
  if (target.type === 'ParenthesizedExpression') assign(analysis, target.expression, value, place);
  else if (target.type === 'Identifier') assignName(analysis, target, value, place);
  else if (target.type === 'MemberExpression') assignMember(analysis, target, value, place);
}

function assignName(analysis: Analysis, target: ast.Identifier, value: Value, place: ast.AnyNode): void {
  const binding = analysis.names.bindings.get(target);
  if (binding === undefined) return;
  if (binding.owner === null && analysis.current !== null && !analysis.channels.has(binding.name)) {
    analysis.forbid(
      place,
      'derivative-outer-state',
      `“${binding.name}” belongs to the script and keeps its value from call to call; a function with a memory has no derivative.`,
      'Declare the variable inside the function.',
    );
  }
  analysis.store.merge(analysis.store.variable(binding), value);
}

function assignMember(
  analysis: Analysis,
  target: ast.MemberExpression,
  value: Value,
  place: ast.AnyNode,
): void {
  const object = analysis.read(target.object);
  if (target.computed) analysis.read(target.property);
  const key = staticKey(target);
  for (const thing of object.objects) writeThing(analysis, thing, key, value, place);
  if (analysis.current === null) return;
  analysis.require(place, () =>
    object.objects.size === 0
      ? new Refusal(
          place,
          'derivative-unknown-target',
          'The analysis cannot tell which array or object is changed here.',
          'Declare the array inside the function.',
        )
      : null,
  );
}

/** Stores into a slot of a thing; null is a key that is computed. */
function writeThing(
  analysis: Analysis,
  thing: Thing,
  key: string | null,
  value: Value,
  place: ast.AnyNode,
): void {
  if (thing.isOuter && analysis.current !== null) {
    analysis.forbid(
      place,
      'derivative-outer-state',
      'This changes an object of the script that outlives the call; a function with a memory has no derivative.',
      'Make the array or object inside the function.',
    );
  }
  if (key !== null && FORBIDDEN_KEYS.has(key)) {
    analysis.refuseInside(place, 'derivative-prototype', `“${key}” cannot be assigned to.`);
  }
  if (key === 'length' && thing.kind === 'array') {
    analysis.require(place, () =>
      thing.isShadowed
        ? new Refusal(
            place,
            'derivative-length',
            'The length of an array of active numbers is set here.',
            'Use push, pop or slice.',
          )
        : null,
    );
  }
  if (thing.kind === 'integer') {
    analysis.requireInactive(value, place);
    return;
  }
  if (thing.kind === 'constant') {
    analysis.opaque(place, [value], 'Storing in an object of this kind');
    return;
  }
  analysis.store.write(thing, key, value);
}

function declareName(analysis: Analysis, name: ast.Identifier, value: Value): void {
  const binding = analysis.bindingOf(name);
  if (binding !== undefined) analysis.store.merge(analysis.store.variable(binding), value);
}

/** Destructures a value. */
export function assignPattern(
  analysis: Analysis,
  pattern: ast.Pattern,
  value: Value,
  isDeclaration: boolean,
): void {
  const { store } = analysis;
  store.merge(analysis.at(pattern), value);
  switch (pattern.type) {
    case 'Identifier':
      if (isDeclaration) declareName(analysis, pattern, value);
      else assignName(analysis, pattern, value, pattern);
      return;
    case 'MemberExpression':
      assignMember(analysis, pattern, value, pattern);
      return;
    case 'AssignmentPattern': {
      const both = analysis.at(pattern);
      store.merge(both, analysis.read(pattern.right));
      assignPattern(analysis, pattern.left, both, isDeclaration);
      return;
    }
    case 'ArrayPattern':
      pattern.elements.forEach((element, i) => {
        if (element !== null) assignElement(analysis, element, value, i, isDeclaration);
      });
      return;
    case 'ObjectPattern':
      for (const property of pattern.properties) assignProperty(analysis, property, value, isDeclaration);
      return;
    case 'RestElement': {
      // A rest parameter gathers what its calls merged into `value`.
      const rest = analysis.allocate('array', pattern, analysis.at(pattern));
      store.merge(rest.elements, value);
      assignPattern(analysis, pattern.argument, analysis.at(pattern), isDeclaration);
    }
  }
}

function assignElement(
  analysis: Analysis,
  element: ast.Pattern,
  value: Value,
  i: number,
  isDeclaration: boolean,
): void {
  const slot = analysis.at(element);
  if (element.type === 'RestElement') {
    const rest = analysis.allocate('array', element, slot);
    analysis.readEach(value, rest.elements);
    assignPattern(analysis, element.argument, slot, isDeclaration);
    return;
  }
  for (const thing of value.objects) analysis.store.read(slot, thing, String(i));
  assignPattern(analysis, element, slot, isDeclaration);
}

function assignProperty(
  analysis: Analysis,
  property: ast.AssignmentProperty | ast.RestElement,
  value: Value,
  isDeclaration: boolean,
): void {
  if (property.type === 'RestElement') {
    const slot = analysis.at(property);
    const rest = analysis.allocate('object', property, slot);
    copyFields(analysis, value, rest);
    assignPattern(analysis, property.argument, slot, isDeclaration);
    return;
  }
  const key = keyOf(property);
  if (property.computed) analysis.read(property.key);
  const slot = analysis.at(property);
  for (const thing of value.objects) {
    if (thing.kind === 'math') {
      if (key !== null && key !== key.toUpperCase()) analysis.store.add(slot, analysis.mathThing(key));
    } else if (key !== null && SIZES.has(key) && thing.kind !== 'object') continue;
    else analysis.store.read(slot, thing, key);
  }
  assignPattern(analysis, property.value, slot, isDeclaration);
}

export function copyFields(analysis: Analysis, from: Value, to: Thing): void {
  for (const thing of from.objects) {
    analysis.store.merge(to.elements, thing.elements);
    if (thing.kind === 'constant') analysis.store.add(to.elements, thing);
    for (const [key, field] of thing.fields) analysis.store.merge(analysis.store.field(to, key), field);
  }
}

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
  const functions = callback === undefined ? null : calledFunctionsOf(callback);
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
      if (name !== 'subarray') writeThing(analysis, thing, null, NO_CONTENT, node);
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
      if (name === 'pop') for (const thing of things) writeThing(analysis, thing, null, NO_CONTENT, node);
      return;
    case 'reverse':
      blur();
      store.merge(value, receiver);
      return;
    case 'map': {
      const returned = callBack(analysis, node, inputs.at(0), [elements, NO_CONTENT, receiver]);
      const copy = analysis.allocate(kindOfCopy(things), node, value);
      if (returned !== null) analysis.initialise(copy, returned, node);
      return;
    }
    case 'reduce': {
      if (inputs.length > 1) store.merge(value, inputs[1]);
      else store.merge(value, elements);
      const returned = callBack(analysis, node, inputs.at(0), [value, elements, NO_CONTENT, receiver]);
      if (returned !== null) store.merge(value, returned);
      return;
    }
    case 'forEach':
    case 'every':
    case 'some':
    case 'findIndex':
      callBack(analysis, node, inputs.at(0), [elements, NO_CONTENT, receiver]);
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
  const source = inputs.length > 0 ? store.elementsOf(inputs[0]) : NO_CONTENT;
  let contents: Value | null = source;
  if (name === 'of') contents = store.union(...inputs);
  else if (inputs.length > 1) contents = callBack(analysis, node, inputs[1], [source, NO_CONTENT]);
  analysis.initialise(analysis.allocate(kind, node, value), contents ?? NO_CONTENT, node);
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
  const functions = calledFunctionsOf(target);
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
  let contents: Value = NO_CONTENT;
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
