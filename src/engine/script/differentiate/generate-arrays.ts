/** Methods of arrays: what happens to an array happens to its shadow. */
import type * as ast from 'acorn';
import { WITH_CALLBACK } from './builtins';
import type { Code } from './code';
import type { FunctionWriter } from './function-writer';
import { generateCallback } from './generate-callbacks';
import { constant, generateInOrder } from './operands';

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
