/**
 * Expressions of the derivative. Each gives the value of the user's expression by the same operations in the
 * same order, so that the bits agree, and its tangents by the rules of differentiation. What has to happen
 * before, such as a call or an assignment, goes into the steps of the function writer.
 */
import type * as ast from 'acorn';
import { operand, ZERO, type Code } from './generator';
import { changesShadows } from './effects';
import { type FunctionWriter, constant, generateInOrder, perform, writtenValue } from './function-writer';
import { generateArrayLiteral, generateCall, generateNew } from './generate-calls';
import { arithmetic } from './generate-math';
import { assignTo, generateAssignment } from './generate-patterns';
import { type FunctionInfo, functionOf, keyOf, staticKey } from '../source/scopes';
import { Refusal } from './refusal';

/** Any expression. With `isUsed` false its value is not needed, only what it does. */
export function generate(writer: FunctionWriter, node: ast.AnyNode, isUsed = true): Code {
  if (!writer.isShadowed(node) && !changesShadows(writer.analysis, node))
    return generateConstant(writer, node);
  switch (node.type) {
    case 'Identifier':
      return generateName(writer, node);
    case 'ParenthesizedExpression':
      return writer.generate(node.expression, isUsed);
    case 'ArrayExpression':
      return generateArrayLiteral(writer, node);
    case 'ObjectExpression':
      return generateObject(writer, node);
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return generateFunctionValue(writer, node);
    case 'UnaryExpression':
      return generateUnary(writer, node);
    case 'UpdateExpression':
      return generateUpdate(writer, node);
    case 'BinaryExpression': {
      if (!writer.isShadowed(node)) {
        const [left, right] = generateInOrder(writer, [node.left, node.right]);
        return constant(`${operand(left.value)} ${node.operator} ${operand(right.value)}`);
      }
      const [left, right] = generateInOrder(writer, [node.left, node.right]);
      return arithmetic(writer, node.operator, left, right);
    }
    case 'LogicalExpression':
      return generateLogical(writer, node);
    case 'ConditionalExpression':
      return generateConditional(writer, node);
    case 'AssignmentExpression':
      return generateAssignment(writer, node, isUsed);
    case 'SequenceExpression': {
      const last = node.expressions.length - 1;
      for (const part of node.expressions.slice(0, last)) perform(writer, part);
      return writer.generate(node.expressions[last], isUsed);
    }
    case 'MemberExpression':
      return generateMember(writer, node);
    case 'CallExpression':
      return generateCall(writer, node);
    case 'NewExpression':
      return generateNew(writer, node);
    default:
      throw new Refusal(node, 'derivative-construct', 'This expression cannot be differentiated.');
  }
}

function generateConstant(writer: FunctionWriter, node: ast.AnyNode): Code {
  const text = writer.module.functionText(node);
  if (node.type === 'Literal') return { value: operand(text), shadows: null, isStable: true };
  return constant(operand(text));
}

function generateName(writer: FunctionWriter, node: ast.Identifier): Code {
  const binding = writer.analysis.bindingOf(node);
  if (binding !== undefined && binding.owner !== null) {
    return { value: node.name, shadows: writer.module.shadowNames(node.name), isStable: false };
  }
  const [thing] = writer.valueOf(node).objects;
  if (thing?.info?.parent === null)
    return functionCode(writer, node.name, writer.module.functionName(thing.info));
  if (binding?.reassigned && !writer.analysis.channels.has(binding.name)) {
    throw new Refusal(
      binding.reassigned,
      'derivative-outer-state',
      `“${binding.name}” changes while the script is used, so a function that mixes it with what it computes has no derivative.`,
      'Declare it with “const”, or pass it as an argument.',
    );
  }
  return {
    value: node.name,
    shadows: writer.module.outerShadow(binding ?? null, node.name),
    isStable: false,
  };
}

/** A function as value: its shadow, in the first lane, is its derivative. */
const functionCode = (writer: FunctionWriter, value: string, derivative: string): Code => ({
  value,
  shadows: writer.module.each((lane) => (lane === 0 ? derivative : ZERO)),
  isStable: false,
});

function generateFunctionValue(
  writer: FunctionWriter,
  node: ast.FunctionExpression | ast.ArrowFunctionExpression,
): Code {
  const info = functionOf(writer.analysis.names, node);
  const value = writer.keep(writer.module.functionText(node));
  return functionCode(writer, value, writer.keep(generateInline(writer, info)));
}

function generateObject(writer: FunctionWriter, node: ast.ObjectExpression): Code {
  const isShadowed = writer.isShadowed(node);
  const [thing] = [...writer.valueOf(node).objects].filter((candidate) => candidate.node === node);
  const parts: string[] = [];
  const shadows = writer.module.each((): string[] => []);
  const values = node.properties.map((property) =>
    property.type === 'SpreadElement' ? property.argument : property.value,
  );
  const codes = generateInOrder(writer, values);
  node.properties.forEach((property, i) => {
    let code = codes[i];
    if (property.type === 'SpreadElement') {
      const text = writer.atom(code.value);
      parts.push(`...${text}`);
      const spread = code.shadows ?? writer.module.each(() => `${writer.module.zero()}(${text})`);
      if (isShadowed) shadows.forEach((list, lane) => list.push(`...${spread[lane]}`));
      return;
    }
    const name = keyOf(property);
    const key = name === null ? `[${writer.keep(writtenValue(writer, property.key))}]` : JSON.stringify(name);
    const hasShadow = isShadowed && writer.isSlotShadowed([thing], name);
    if (hasShadow) code = writer.complete(code, writer.valueOf(values[i]));
    parts.push(`${key}: ${operand(code.value)}`);
    // A slot without a shadow is there too, for loops over all keys.
    if (!isShadowed) return;
    shadows.forEach((list, lane) =>
      list.push(`${key}: ${hasShadow ? operand(writer.tangents(code)[lane]) : ZERO}`),
    );
  });
  const value = writer.keep(`{ ${parts.join(', ')} }`);
  if (!isShadowed) return { value, shadows: null, isStable: true };
  return { value, shadows: shadows.map((list) => writer.keep(`{ ${list.join(', ')} }`)), isStable: true };
}

function generateUnary(writer: FunctionWriter, node: ast.UnaryExpression): Code {
  const { value, shadows, isStable } = writer.generate(node.argument);
  const text = `${node.operator} ${operand(value)}`;
  if (!writer.isShadowed(node)) return constant(text);
  const tangents = node.operator === '-' ? writer.scaled(shadows, (tangent) => `-${tangent}`) : shadows;
  return { value: text, shadows: tangents, isStable };
}

/** `x++` leaves the tangent of x as it is. */
function generateUpdate(writer: FunctionWriter, node: ast.UpdateExpression): Code {
  const place = generatePlace(writer, node.argument);
  const shadows = writer.isShadowed(node) ? writer.keepShadows(place.shadows) : null;
  const text = node.prefix ? `${node.operator}${place.value}` : `${place.value}${node.operator}`;
  return { value: writer.keep(text), shadows, isStable: true };
}

/** A variable or slot that is both read and written. */
function generatePlace(writer: FunctionWriter, node: ast.AnyNode): Code {
  if (node.type === 'ParenthesizedExpression') return generatePlace(writer, node.expression);
  if (node.type === 'MemberExpression') return generateMember(writer, node, true);
  if (writer.isShadowed(node)) return writer.generate(node);
  return constant(writer.module.slice(node));
}

function generateLogical(writer: FunctionWriter, node: ast.LogicalExpression): Code {
  const isShadowed = writer.isShadowed(node);
  const value = writer.reserve();
  const shadows = isShadowed ? writer.temporaryForLanes() : null;
  writer.steps.push(
    ...assignTo(writer, value, shadows, writer.generate(node.left), writer.valueOf(node.left)),
  );
  const right = writer.apart(() =>
    writer.steps.push(
      ...assignTo(writer, value, shadows, writer.generate(node.right), writer.valueOf(node.right)),
    ),
  );
  const test =
    node.operator === '&&'
      ? value
      : node.operator === '||'
        ? `!${value}`
        : `(${value} === null || ${value} === undefined)`;
  writer.steps.push(`${test} && (${right.steps.join(', ')})`);
  return { value, shadows, isStable: true };
}

function generateConditional(writer: FunctionWriter, node: ast.ConditionalExpression): Code {
  const isShadowed = writer.isShadowed(node);
  const test = writtenValue(writer, node.test);
  const value = writer.reserve();
  const shadows = isShadowed ? writer.temporaryForLanes() : null;
  const [yes, no] = [node.consequent, node.alternate].map((branch) =>
    writer
      .apart(() =>
        writer.steps.push(
          ...assignTo(writer, value, shadows, writer.generate(branch), writer.valueOf(branch)),
        ),
      )
      .steps.join(', '),
  );
  writer.steps.push(`${operand(test)} ? (${yes}) : (${no})`);
  return { value, shadows, isStable: true };
}

/** A slot. With `isPlace` its text is also written to, so that object and key are evaluated once. */
function generateMember(writer: FunctionWriter, node: ast.MemberExpression, isPlace = false): Code {
  const { module } = writer;
  if (node.object.type === 'Identifier' && writer.analysis.globalName(node)?.startsWith('exports.')) {
    return generateExport(writer, node);
  }
  const nodes = node.computed ? [node.object, node.property] : [node.object];
  const [object, key] = generateInOrder(writer, nodes);
  const owner = writer.atom(object.value);
  const slot = node.computed ? `[${writer.atom(key.value)}]` : `.${module.slice(node.property)}`;
  const things = writer.valueOf(node.object).objects;
  const isShadowed = isPlace ? writer.isSlotShadowed(things, staticKey(node)) : writer.isShadowed(node);
  if (!isShadowed) return constant(`${owner}${slot}`);
  const whole = writer.complete({ ...object, value: owner }, writer.valueOf(node.object));
  const owners = writer.tangents(whole).map((text) => writer.atom(text));
  return { value: `${owner}${slot}`, shadows: owners.map((text) => `${text}${slot}`), isStable: false };
}

/** An export of the script, mentioned by another function of it. */
function generateExport(writer: FunctionWriter, node: ast.MemberExpression): Code {
  const text = writer.module.slice(node);
  const [thing] = writer.valueOf(node).objects;
  if (thing?.info?.parent === null) return functionCode(writer, text, writer.module.functionName(thing.info));
  return { value: text, shadows: writer.module.outerShadow(null, text), isStable: false };
}

/** A function written in place. */
function generateInline(writer: FunctionWriter, info: FunctionInfo): string {
  const { ownName } = info;
  if (ownName !== null) {
    const mentions = [...writer.analysis.names.bindings.values()].filter((binding) => binding === ownName);
    if (mentions.length > 1) {
      throw new Refusal(
        info.node,
        'derivative-construct',
        'A function that calls itself by its own name must be declared.',
        'Declare it with “function” or “const”.',
      );
    }
  }
  if (writer.analysis.facts.get(info)?.isReached !== true) return '0';
  return `(${writer.rules
    .derivative(writer.module, info, '', ' =>')
    .map(({ text }) => text)
    .join('\n')})`;
}
