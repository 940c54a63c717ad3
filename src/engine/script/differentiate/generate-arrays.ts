/** Methods of arrays: what happens to an array happens to its shadow. */
import type * as ast from 'acorn';
import { WITH_CALLBACK } from './analysis/builtins';
import { calledFunctionsOf } from './analysis/callees';
import type { FunctionFacts, Value } from './analysis/values';
import { type FunctionWriter, constant, generateInOrder } from './function-writer';
import { type Code, ZERO } from './generator';
import { Refusal } from './refusal';

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
export function generateCallback(
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
export function generateArrayMethod(
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
