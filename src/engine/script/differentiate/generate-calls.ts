/** Calls, array literals, and what makes arrays; methods of arrays behind them. */
import type * as ast from 'acorn';
import { ARRAY_METHODS, STEP_FUNCTIONS, WITH_CALLBACK } from './analysis/builtins';
import { calleeOf, calledFunctionsOf, isConsole, mathOf } from './analysis/callees';
import { operand, ZERO, type Code } from './generator';
import { type FunctionWriter, constant, generateInOrder } from './function-writer';
import { mathFunction } from './generate-math';
import { type FunctionInfo, staticKey } from '../source/scopes';
import { Refusal } from './refusal';
import { isArrayLike, type FunctionFacts, type Value } from './analysis/values';

/** Any call whose value has a shadow, or that changes one. */
export function generateCall(writer: FunctionWriter, node: ast.CallExpression): Code {
  const { analysis } = writer;
  const { callee, inputs } = calleeOf(node);
  if (isConsole(analysis, callee)) return constant('undefined');
  const method = callee.type === 'MemberExpression' ? staticKey(callee) : null;
  const name = analysis.globalName(callee);
  if (name === 'Number' || name === 'Object.freeze') return generateIdentity(writer, name, inputs);
  if (callee.type === 'MemberExpression' && analysis.arrayConstructor(callee.object) !== null) {
    return generateMaker(writer, node, callee, inputs);
  }
  if (name === 'Array') return generateNewArray(writer, node, callee, inputs);
  if (callee.type === 'MemberExpression' && method !== null && ARRAY_METHODS.has(method)) {
    const { objects } = writer.valueOf(callee.object);
    if (objects.size > 0 && [...objects].every(isArrayLike))
      return generateArrayMethod(writer, node, callee, method, inputs);
  }
  const math = mathOf(writer.valueOf(callee));
  if (math !== null) return generateMath(writer, math, callee, inputs);
  const functions = calledFunctionsOf(writer.valueOf(callee));
  if (functions !== null) return callFunction(writer, node, callee, functions, inputs);
  return generateUnknown(writer, node);
}

/** What is not followed holds nothing active: the analysis has seen to that. */
function generateUnknown(writer: FunctionWriter, node: ast.AnyNode): Code {
  const value = writer.keep(writer.module.slice(node));
  return writer.isShadowed(node) ? writer.complete(constant(value), writer.valueOf(node)) : constant(value);
}

function generateIdentity(writer: FunctionWriter, name: string, inputs: readonly ast.AnyNode[]): Code {
  if (inputs.length === 0) return constant(`${name}()`);
  const { value, shadows } = writer.generate(inputs[0]);
  return { value: `${name}(${value})`, shadows, isStable: false };
}

function generateMath(
  writer: FunctionWriter,
  name: string,
  callee: ast.AnyNode,
  inputs: readonly ast.AnyNode[],
): Code {
  const codes = generateInOrder(writer, inputs);
  const text = writer.module.slice(callee);
  if (STEP_FUNCTIONS.has(name)) return constant(`${text}(${codes.map(({ value }) => value).join(', ')})`);
  return mathFunction(writer, name, text, codes);
}

/**
 * Derivative of the callee: by name for a function of the module, else through the shadow of the expression.
 */
function derivativeOf(
  writer: FunctionWriter,
  callee: ast.AnyNode,
  functions: readonly FunctionInfo[],
): string {
  if (functions.length === 1 && functions[0].parent === null) return writer.module.functionName(functions[0]);
  const { shadows } = writer.generate(callee);
  if (shadows === null || shadows[0] === ZERO) {
    throw new Refusal(
      callee,
      'derivative-unknown',
      'The function called here cannot be followed.',
      'Declare it where it is used.',
    );
  }
  return writer.atom(shadows[0]);
}

/** A call of a function of the script. The analysis has made those that may be called here alike. */
function callFunction(
  writer: FunctionWriter,
  node: ast.CallExpression,
  callee: ast.AnyNode,
  functions: readonly FunctionInfo[],
  inputs: readonly ast.AnyNode[],
): Code {
  const [info] = functions;
  const { parameters, returns } = writer.analysis.factsOf(info);
  const isDual = [callee, node, ...inputs].some((part) => writer.isShadowed(part));
  if (!isDual) return constant(writer.keep(writer.module.slice(node)));
  if (functions.length > 1 && (returns.objects.size > 0 || !haveSameParameters(functions))) {
    throw new Refusal(
      callee,
      'derivative-unknown',
      'Which of several functions is called here cannot be followed.',
      'Give them the same parameters and let them return numbers, or call each by its name.',
    );
  }
  const derivative = derivativeOf(writer, callee, functions);
  const codes = generateInOrder(writer, inputs);
  const own: string[] = [];
  const shadows: string[] = [];
  parameters.forEach((parameter, i) => {
    let code = i < codes.length ? codes[i] : constant('undefined');
    if (parameter.isShadowed) {
      if (i < inputs.length) code = writer.complete(code, writer.valueOf(inputs[i]));
      shadows.push(...writer.tangents(code));
    }
    own.push(code.value);
  });
  // Arguments beyond the parameters are evaluated for what they do.
  for (const { value } of codes.slice(parameters.length)) writer.keep(value);
  const value = writer.keep(`${derivative}(${[...own, ...shadows].join(', ')})`);
  if (!writer.isShadowed(node)) return { value, shadows: null, isStable: true };
  return { value, shadows: writer.takeOver(returns.objects.size > 0 ? `f${info.id}` : null), isStable: true };
}

const haveSameParameters = (functions: readonly FunctionInfo[]): boolean =>
  functions.every(({ node }) => node.params.length === functions[0].node.params.length);

/** `[a, b, ...c]` */
export function generateArrayLiteral(writer: FunctionWriter, node: ast.ArrayExpression): Code {
  const isShadowed = writer.isShadowed(node);
  const elements = node.elements.map((element) =>
    element?.type === 'SpreadElement' ? element.argument : element,
  );
  const codes = generateInOrder(
    writer,
    elements.filter((element) => element !== null),
  );
  const parts: string[] = [];
  const shadows = writer.module.each((): string[] => []);
  let next = 0;
  node.elements.forEach((element, i) => {
    if (element === null) {
      parts.push('');
      shadows.forEach((list) => list.push(''));
      return;
    }
    let code = codes[next++];
    const dots = element.type === 'SpreadElement' ? '...' : '';
    if (isShadowed) {
      // Even a number that is spread out has a shadow of the same length.
      code =
        dots === '' ? writer.complete(code, writer.valueOf(elements[i] ?? element)) : spread(writer, code);
      shadows.forEach((list, lane) => list.push(`${dots}${operand(writer.tangents(code)[lane])}`));
    }
    parts.push(`${dots}${operand(code.value)}`);
  });
  const value = writer.keep(`[${parts.join(', ')}]`);
  if (!isShadowed) return { value, shadows: null, isStable: true };
  return { value, shadows: shadows.map((list) => writer.keep(`[${list.join(', ')}]`)), isStable: true };
}

function spread(writer: FunctionWriter, code: Code): Code {
  if (code.shadows !== null) return code;
  const text = writer.keep(`Array.from(${code.value})`);
  const zero = writer.module.zero();
  return { value: text, shadows: writer.module.each(() => `${zero}(${text})`), isStable: true };
}

/** `new X(…)` */
export function generateNew(writer: FunctionWriter, node: ast.NewExpression): Code {
  if (writer.analysis.arrayConstructor(node.callee) === null) return generateUnknown(writer, node);
  return generateNewArray(writer, node, node.callee, node.arguments);
}

function generateNewArray(
  writer: FunctionWriter,
  node: ast.CallExpression | ast.NewExpression,
  callee: ast.AnyNode,
  inputs: readonly ast.AnyNode[],
): Code {
  const kind = writer.analysis.arrayConstructor(callee);
  const name = writer.module.slice(callee);
  const codes = generateInOrder(writer, inputs);
  if (kind === 'array' && inputs.length !== 1) return literalOf(writer, node, name, inputs, codes);
  const value = writer.keep(`new ${name}(${codes.map((code) => code.value).join(', ')})`);
  if (!writer.isShadowed(node)) return { value, shadows: null, isStable: true };
  const source = codes.at(0)?.shadows ?? null;
  const length = `${value}.length`;
  // Tangents are kept in double precision whatever the array of the values is.
  const maker = kind === 'array' ? 'Array' : 'Float64Array';
  const shadows = writer.module.each((lane) => writer.keep(`new ${maker}(${source?.[lane] ?? length})`));
  return { value, shadows, isStable: true };
}

/** `Array(a, b)`, `Array.of(a, b)`, `Float64Array.of(a, b)` */
function literalOf(
  writer: FunctionWriter,
  node: ast.AnyNode,
  callee: string,
  inputs: readonly ast.AnyNode[],
  codes: readonly Code[],
): Code {
  const whole = writer.isShadowed(node)
    ? codes.map((code, i) => writer.complete(code, writer.valueOf(inputs[i])))
    : codes;
  const value = writer.keep(`${callee}(${whole.map((code) => code.value).join(', ')})`);
  if (!writer.isShadowed(node)) return { value, shadows: null, isStable: true };
  const maker = callee.startsWith('Float') ? 'Float64Array.of' : 'Array.of';
  const shadows = writer.module.each((lane) =>
    writer.keep(`${maker}(${whole.map((code) => writer.tangents(code)[lane]).join(', ')})`),
  );
  return { value, shadows, isStable: true };
}

/** `Array.from(…)`, `Float64Array.of(…)` and the like */
function generateMaker(
  writer: FunctionWriter,
  node: ast.CallExpression,
  callee: ast.MemberExpression,
  inputs: readonly ast.AnyNode[],
): Code {
  const name = writer.module.slice(callee);
  if (staticKey(callee) === 'of')
    return literalOf(writer, node, name, inputs, generateInOrder(writer, inputs));
  if (staticKey(callee) !== 'from') return generateUnknown(writer, node);
  const source = writer.generate(inputs[0]);
  const list = writer.keep(`Array.from(${source.value})`);
  let code: Code = {
    value: list,
    shadows: source.shadows?.map((text) => writer.keep(`Array.from(${text})`)) ?? null,
    isStable: true,
  };
  if (inputs.length > 1) code = generateCallback(writer, node, 'map', code, inputs[1], null);
  const value = writer.keep(`${name}(${code.value})`);
  if (!writer.isShadowed(node)) return { value, shadows: null, isStable: true };
  const kind = writer.analysis.arrayConstructor(callee.object);
  const maker = kind === 'array' ? 'Array' : 'Float64Array';
  const whole = writer.complete(code, writer.valueOf(node));
  return {
    value,
    shadows: writer.tangents(whole).map((text) => writer.keep(`${maker}.from(${text})`)),
    isStable: true,
  };
}

/* Methods of arrays: what happens to an array happens to its shadow. */

/* Array methods with callbacks become loops of their own that call the callback's derivative. */

const SEARCHES: ReadonlySet<string> = new Set(['every', 'some', 'findIndex']);

/** How a loop calls the derivative. */
interface Loop {
  readonly writer: FunctionWriter;
  readonly facts: FunctionFacts;
  /** names of the array's shadows in the loop; null without */
  readonly shadows: readonly string[] | null;
}

/** What the callback is called with: text of the value, and of its shadow in a lane. */
interface Argument {
  readonly value: string;
  readonly shadow: (lane: number) => string;
}

function callText({ writer, facts }: Loop, inputs: readonly Argument[]): string {
  const own: string[] = [];
  const shadows: string[] = [];
  facts.parameters.forEach((parameter, i) => {
    const input = inputs.at(i);
    own.push(input?.value ?? 'undefined');
    if (parameter.isShadowed) shadows.push(...writer.module.each((lane) => input?.shadow(lane) ?? ZERO));
  });
  return `f(${[...own, ...shadows].join(', ')})`;
}

/** Text of the tangents the callback has just returned. */
function returned({ writer, facts }: Loop): string[] {
  const { returns, info } = facts;
  if (!returns.isShadowed) return writer.module.each(() => ZERO);
  if (returns.objects.size > 0) return writer.module.objectChannels(`f${info.id}`);
  const channel = writer.module.numberChannel();
  return writer.module.each((lane) => `${channel}[${lane}]`);
}

function elementArguments(loop: Loop): Argument[] {
  const { shadows, writer } = loop;
  const whole = (lane: number): string => shadows?.[lane] ?? `${writer.module.zero()}(a)`;
  return [
    { value: 'a[i]', shadow: (lane) => (shadows === null ? ZERO : `${shadows[lane]}[i]`) },
    { value: 'i', shadow: () => ZERO },
    { value: 'a', shadow: whole },
  ];
}

/**
 * A method with a callback.
 * @param array evaluated receiver
 * @param initial evaluated start of a reduction, if it has one
 */
function generateCallback(
  writer: FunctionWriter,
  node: ast.CallExpression,
  method: string,
  array: Code,
  callback: ast.AnyNode,
  initial: readonly [Code, Value] | null,
): Code {
  const functions = calledFunctionsOf(writer.valueOf(callback));
  if (functions?.length !== 1 || SEARCHES.has(method)) {
    throw new Refusal(
      node,
      'derivative-unknown',
      `A call of “${method}” cannot be differentiated here.`,
      'Write a loop.',
    );
  }
  const [info] = functions;
  const derivative = derivativeText(writer, callback);
  const facts = writer.analysis.factsOf(info);
  const names = writer.module.each((lane) => `s${lane}`);
  const loop: Loop = { writer, facts, shadows: array.shadows === null ? null : names };
  const inputs = [derivative, array.value, ...(array.shadows ?? [])];
  const parameters = ['f', 'a', ...(loop.shadows ?? [])];
  const isShadowed = writer.isShadowed(node);
  const id = `${method}${node.start}`;
  const owner = method === 'map' || writer.valueOf(node).objects.size > 0 ? id : null;
  let body: string;
  if (method === 'forEach') {
    body = `for (let i = 0; i < a.length; i++) ${callText(loop, elementArguments(loop))};`;
  } else if (method === 'map') {
    body = mapBody(loop, isShadowed ? id : null);
  } else {
    body = reduceBody(loop, isShadowed, initial !== null, owner);
    if (initial !== null) {
      const [code, value] = initial;
      const start = isShadowed ? writer.complete(code, value) : code;
      inputs.push(start.value, ...(isShadowed ? writer.tangents(start) : []));
      parameters.push('r', ...(isShadowed ? writer.module.each((lane) => `r${lane}`) : []));
    }
  }
  const name = `${writer.module.prefix}${id}`;
  writer.module.helper(name, `function ${name}(${parameters.join(', ')}) { ${body} }`);
  const value = writer.keep(`${name}(${inputs.join(', ')})`);
  if (!isShadowed) return constant(value);
  return { value, shadows: writer.takeOver(owner), isStable: true };
}

/** The derivative of a callback, or the callback itself where nothing it touches has a shadow. */
function derivativeText(writer: FunctionWriter, callback: ast.AnyNode): string {
  const code = writer.generate(callback);
  if (code.shadows === null) return code.value;
  return code.shadows[0];
}

/** @param owner of the channels of the result, null when it has no shadow */
function mapBody(loop: Loop, owner: string | null): string {
  const { module } = loop.writer;
  const call = `r[i] = ${callText(loop, elementArguments(loop))};`;
  if (owner === null) return `const r = a.slice(); for (let i = 0; i < a.length; i++) ${call} return r;`;
  const results = module.each((lane) => `r${lane}`);
  const make = results
    .map((name) => `${name} = Array.isArray(a) ? [] : new Float64Array(a.length)`)
    .join(', ');
  const store = returned(loop).map((text, lane) => `r${lane}[i] = ${text};`);
  const hand = module.objectChannels(owner).map((name, lane) => `${name} = r${lane};`);
  return `const r = a.slice(), ${make}; for (let i = 0; i < a.length; i++) { ${call} ${store.join(' ')} } ${hand.join(' ')} return r;`;
}

/** @param owner of the channels of the result, null when it is a number */
function reduceBody(loop: Loop, isShadowed: boolean, hasStart: boolean, owner: string | null): string {
  const { module } = loop.writer;
  const [element, index, whole] = elementArguments(loop);
  const accumulated: Argument = { value: 'r', shadow: (lane) => (isShadowed ? `r${lane}` : ZERO) };
  const call = `r = ${callText(loop, [accumulated, element, index, whole])};`;
  const results = isShadowed ? module.each((lane) => `r${lane}`) : [];
  const store = isShadowed ? returned(loop).map((text, lane) => `r${lane} = ${text};`) : [];
  const first = [
    'r = a[0]',
    ...results.map((name, lane) => `${name} = ${loop.shadows === null ? ZERO : `${loop.shadows[lane]}[0]`}`),
  ].join(', ');
  const start = hasStart
    ? ''
    : `if (a.length === 0) throw new TypeError('Reduce of empty array with no initial value'); let ${first};`;
  const channels =
    owner === null
      ? module.each((lane) => `${module.numberChannel()}[${lane}]`)
      : module.objectChannels(owner);
  const hand = isShadowed ? channels.map((name, lane) => `${name} = r${lane};`) : [];
  return `${start} for (let i = ${hasStart ? 0 : 1}; i < a.length; i++) { ${call} ${store.join(' ')} } ${hand.join(' ')} return r;`;
}

/** A method whose arguments are positions: the shadow goes the same way. */
const BY_POSITION: ReadonlySet<string> = new Set(['subarray', 'slice', 'pop', 'shift', 'reverse', 'at']);

const list = (codes: readonly Code[]): string => codes.map(({ value }) => value).join(', ');

/** A call of an array method that is followed. */
function generateArrayMethod(
  writer: FunctionWriter,
  node: ast.CallExpression,
  callee: ast.MemberExpression,
  name: string,
  inputs: readonly ast.AnyNode[],
): Code {
  const isDual = writer.isShadowed(node) || writer.isShadowed(callee.object);
  const [receiver, ...codes] = generateInOrder(writer, [
    callee.object,
    ...(WITH_CALLBACK.has(name) ? inputs.slice(1) : inputs),
  ]);
  const array: Code = { ...receiver, value: writer.atom(receiver.value) };
  if (WITH_CALLBACK.has(name)) {
    return generateCallback(
      writer,
      node,
      name,
      array,
      inputs[0],
      codes.length > 0 ? [codes[0], writer.valueOf(inputs[1])] : null,
    );
  }
  if (!isDual)
    return { value: writer.keep(`${array.value}.${name}(${list(codes)})`), shadows: null, isStable: true };
  const whole = writer.complete(array, writer.valueOf(callee.object));
  const shadows = writer.tangents(whole).map((text) => writer.atom(text));
  const self: Code = { value: array.value, shadows, isStable: false };
  const stable = codes.map((code) => ({ ...code, value: writer.atom(code.value) }));
  if (BY_POSITION.has(name)) return byPosition(writer, node, name, self, stable);
  switch (name) {
    case 'fill':
      return fill(writer, self, stable);
    case 'set':
      return set(writer, self, stable);
    case 'push':
    case 'unshift':
      return add(writer, name, self, stable, inputs);
    case 'concat':
      return concat(writer, self, stable, inputs);
    default:
      // indexOf, lastIndexOf, includes
      return constant(writer.keep(`${array.value}.${name}(${list(stable)})`));
  }
}

function byPosition(
  writer: FunctionWriter,
  node: ast.AnyNode,
  name: string,
  self: Code,
  codes: readonly Code[],
): Code {
  const call = `.${name}(${list(codes)})`;
  const value = writer.keep(`${self.value}${call}`);
  const shadows = writer.tangents(self).map((text) => writer.keep(`${text}${call}`));
  return { value, shadows: writer.isShadowed(node) ? shadows : null, isStable: true };
}

function fill(writer: FunctionWriter, self: Code, [filler, ...range]: readonly Code[]): Code {
  const positions = range.map(({ value }) => `, ${value}`).join('');
  const tangents = writer.tangents(filler);
  self.shadows?.forEach((text, lane) => writer.steps.push(`${text}.fill(${tangents[lane]}${positions})`));
  writer.steps.push(`${self.value}.fill(${filler.value}${positions})`);
  return self;
}

function set(writer: FunctionWriter, self: Code, [source, offset]: readonly Code[]): Code {
  const start = offset === undefined ? '0' : offset.value;
  self.shadows?.forEach((text, lane) => {
    const tangents = source.shadows?.[lane];
    writer.steps.push(
      tangents === undefined
        ? `${text}.fill(0, ${start}, ${start} + ${source.value}.length)`
        : `${text}.set(${tangents}, ${start})`,
    );
  });
  writer.steps.push(`${self.value}.set(${source.value}, ${start})`);
  return constant('undefined');
}

function add(
  writer: FunctionWriter,
  name: string,
  self: Code,
  codes: readonly Code[],
  inputs: readonly ast.AnyNode[],
): Code {
  const whole = codes.map((code, i) => writer.complete(code, writer.valueOf(inputs[i])));
  self.shadows?.forEach((text, lane) => {
    writer.steps.push(`${text}.${name}(${whole.map((code) => writer.tangents(code)[lane]).join(', ')})`);
  });
  return { value: writer.keep(`${self.value}.${name}(${list(whole)})`), shadows: null, isStable: true };
}

function concat(
  writer: FunctionWriter,
  self: Code,
  codes: readonly Code[],
  inputs: readonly ast.AnyNode[],
): Code {
  const whole = codes.map((code, i) => writer.complete(code, writer.valueOf(inputs[i])));
  const value = writer.keep(`${self.value}.concat(${list(whole)})`);
  const shadows = writer
    .tangents(self)
    .map((text, lane) =>
      writer.keep(`${text}.concat(${whole.map((code) => writer.tangents(code)[lane]).join(', ')})`),
    );
  return { value, shadows, isStable: true };
}
