/** Assignments, and the taking apart of arrays and objects. */
import type * as ast from 'acorn';
import { operand, ZERO, type Code } from './generator';
import { mayChange } from './effects';
import { type FunctionWriter, constant, generateInOrder, writtenValue } from './function-writer';
import { arithmetic } from './generate-math';
import { keyOf, namesIn, staticKey } from '../source/scopes';
import { Refusal } from './refusal';
import type { Value } from './analysis/values';

/**
 * Steps that set a variable or slot and its shadows. Shadows come first, because tangents speak of old
 * values.
 * @param shadows null where there are none
 */
export function assignTo(
  writer: FunctionWriter,
  target: string,
  shadows: readonly string[] | null,
  code: Code,
  value: Value,
): string[] {
  const before = writer.steps.length;
  const whole = shadows === null ? code : writer.complete(code, value);
  const steps = writer.steps.splice(before);
  if (shadows !== null)
    steps.push(...shadows.map((name, lane) => `${name} = ${writer.tangents(whole)[lane]}`));
  return [...steps, `${target} = ${whole.value}`];
}

/** Names of a variable's shadows; null when it has none. */
export function variableShadows(writer: FunctionWriter, name: ast.Identifier): readonly string[] | null {
  const binding = writer.analysis.bindingOf(name);
  if (binding === undefined || !writer.analysis.store.variable(binding).isShadowed) return null;
  if (binding.owner === null) return writer.module.outerShadow(binding, name.name);
  return writer.module.shadowNames(name.name);
}

/** Where an assignment goes, evaluated as far as it must be before the right side. */
interface Target {
  readonly text: string;
  readonly shadows: readonly string[] | null;
  /** whether what is read there later has a shadow; else the shadows only keep their place with zeros */
  readonly isRead: boolean;
}

function prepareTarget(writer: FunctionWriter, node: ast.AnyNode, isDisturbed: boolean): Target {
  if (node.type === 'ParenthesizedExpression') return prepareTarget(writer, node.expression, isDisturbed);
  if (node.type === 'Identifier') {
    return { text: node.name, shadows: variableShadows(writer, node), isRead: true };
  }
  if (node.type !== 'MemberExpression')
    throw new Refusal(node, 'derivative-construct', 'This cannot be assigned to.');
  const parts = generateInOrder(writer, node.computed ? [node.object, node.property] : [node.object]);
  const [object, key] = isDisturbed ? parts.map((part) => writer.stabilise(part)) : parts;
  const value = writer.valueOf(node.object);
  const owner = writer.atom(object.value);
  const slot = node.computed ? `[${writer.atom(key.value)}]` : `.${writer.module.slice(node.property)}`;
  const name = staticKey(node);
  if (!writer.isStoreShadowed(value.objects, name)) {
    return { text: `${owner}${slot}`, shadows: null, isRead: false };
  }
  const whole = writer.complete({ ...object, value: owner }, value);
  return {
    text: `${owner}${slot}`,
    shadows: writer.tangents(whole).map((text) => `${writer.atom(text)}${slot}`),
    isRead: writer.isSlotShadowed(value.objects, name),
  };
}

function store(writer: FunctionWriter, target: Target, code: Code, value: Value): string[] {
  const own = target.isRead || target.shadows === null ? code : { ...code, shadows: writer.tangents(code) };
  return assignTo(writer, target.text, target.shadows, own, value);
}

/** `target = value` and its relatives. */
export function generateAssignment(
  writer: FunctionWriter,
  node: ast.AssignmentExpression,
  isUsed: boolean,
): Code {
  const { left, operator, right } = node;
  if (left.type === 'ArrayPattern' || left.type === 'ObjectPattern') {
    const code = keepAll(writer, writer.generate(right));
    destructure(writer, left, code, assignSink(writer));
    return code;
  }
  if (operator === '&&=' || operator === '||=' || operator === '??=') return assignLogically(writer, node);
  const isDisturbed = mayChange(writer.analysis, right);
  const target = prepareTarget(writer, left, isDisturbed);
  let code: Code;
  if (operator === '=') {
    code = writer.generate(right);
  } else {
    const old: Code = {
      value: target.text,
      shadows: writer.isShadowed(left) ? target.shadows : null,
      isStable: false,
    };
    const first = isDisturbed ? writer.stabilise(old) : old;
    const second = writer.generate(right);
    const symbol = operator.slice(0, -1);
    code = writer.isShadowed(node)
      ? arithmetic(writer, symbol, first, second)
      : constant(`${operand(first.value)} ${symbol} ${operand(second.value)}`);
  }
  // A slot may round what is stored in it; the value of the expression is what was assigned.
  if (isUsed) code = keepAll(writer, code);
  writer.steps.push(...store(writer, target, code, writer.valueOf(node)));
  return isUsed ? code : constant('undefined');
}

function keepAll(writer: FunctionWriter, code: Code): Code {
  return code.isStable
    ? code
    : { value: writer.keep(code.value), shadows: writer.keepShadows(code.shadows), isStable: true };
}

function assignLogically(writer: FunctionWriter, node: ast.AssignmentExpression): Code {
  const target = prepareTarget(writer, node.left, true);
  const value = writer.keep(target.text);
  const shadows = writer.isShadowed(node) ? writer.temporaryForLanes() : null;
  shadows?.forEach((name, lane) => writer.steps.push(`${name} = ${target.shadows?.[lane] ?? ZERO}`));
  const { steps } = writer.apart(() => {
    const code = writer.generate(node.right);
    writer.steps.push(...assignTo(writer, value, shadows, code, writer.valueOf(node.right)));
    const kept: Code = { value, shadows, isStable: true };
    writer.steps.push(...store(writer, target, kept, writer.valueOf(node.right)));
  });
  const test =
    node.operator === '&&='
      ? value
      : node.operator === '||='
        ? `!${value}`
        : `(${value} === null || ${value} === undefined)`;
  writer.steps.push(`${test} && (${steps.join(', ')})`);
  return { value, shadows, isStable: true };
}

/** Takes the parts of a pattern: a name or slot, and what goes there. */
type Sink = (target: ast.Identifier | ast.MemberExpression, code: Code, value: Value) => void;

const assignSink =
  (writer: FunctionWriter): Sink =>
  (target, code, value) => {
    writer.steps.push(...store(writer, prepareTarget(writer, target, false), code, value));
  };

/** Declarators of a pattern, in order; each evaluates what it needs itself. */
export function declarators(writer: FunctionWriter, pattern: ast.Pattern, make: () => Code): string[] {
  const found: string[] = [];
  const flush = (): string[] => writer.steps.splice(0);
  const sink: Sink = (target, code, value) => {
    if (target.type !== 'Identifier') return;
    const shadows = variableShadows(writer, target);
    const whole = shadows === null ? code : writer.complete(code, value);
    const steps = flush();
    found.push(
      `${target.name} = ${steps.length === 0 ? whole.value : `(${[...steps, whole.value].join(', ')})`}`,
    );
    shadows?.forEach((name, lane) => found.push(`${name} = ${writer.tangents(whole)[lane]}`));
  };
  writer.apart(() => {
    destructure(writer, pattern, make(), sink);
  });
  return found;
}

/** Hands every part of a pattern to `sink`. */
export function destructure(writer: FunctionWriter, pattern: ast.Pattern, code: Code, sink: Sink): void {
  switch (pattern.type) {
    case 'Identifier':
    case 'MemberExpression':
      sink(pattern, code, writer.valueOf(pattern));
      return;
    case 'AssignmentPattern':
      destructure(writer, pattern.left, withDefault(writer, pattern, code), sink);
      return;
    case 'ArrayPattern': {
      const whole = atoms(writer, code);
      pattern.elements.forEach((element, i) => {
        if (element !== null) takeElement(writer, element, whole, i, sink);
      });
      return;
    }
    case 'ObjectPattern': {
      const whole = atoms(writer, code);
      for (const property of pattern.properties) takeProperty(writer, property, whole, sink);
      return;
    }
    case 'RestElement':
      throw new Refusal(
        pattern,
        'derivative-rest',
        'A parameter list with “...” cannot be differentiated.',
        'Pass an array.',
      );
  }
}

const atoms = (writer: FunctionWriter, code: Code): Code => ({
  value: writer.atom(code.value),
  shadows: code.shadows?.map((text) => writer.atom(text)) ?? null,
  isStable: code.isStable,
});

function withDefault(writer: FunctionWriter, pattern: ast.AssignmentPattern, code: Code): Code {
  const shadows = writer.isShadowed(pattern) ? writer.temporaryForLanes() : null;
  const value = writer.reserve();
  writer.steps.push(...assignTo(writer, value, shadows, code, writer.valueOf(pattern)));
  const { steps } = writer.apart(() =>
    writer.steps.push(
      ...assignTo(writer, value, shadows, writer.generate(pattern.right), writer.valueOf(pattern.right)),
    ),
  );
  writer.steps.push(`${value} === undefined && (${steps.join(', ')})`);
  return { value, shadows, isStable: true };
}

function takeElement(writer: FunctionWriter, element: ast.Pattern, array: Code, i: number, sink: Sink): void {
  const isShadowed = writer.isShadowed(element) && array.shadows !== null;
  const part = (text: string): string =>
    element.type === 'RestElement' ? `Array.from(${text}).slice(${i})` : `${text}[${i}]`;
  const code: Code = {
    value: part(array.value),
    shadows: isShadowed ? array.shadows.map((text) => (text === ZERO ? ZERO : part(text))) : null,
    isStable: false,
  };
  destructure(writer, element.type === 'RestElement' ? element.argument : element, code, sink);
}

function takeProperty(
  writer: FunctionWriter,
  property: ast.AssignmentProperty | ast.RestElement,
  object: Code,
  sink: Sink,
): void {
  if (property.type === 'RestElement') {
    throw new Refusal(
      property,
      'derivative-rest',
      'The rest of an object cannot be differentiated.',
      'Name its fields.',
    );
  }
  const key = keyOf(property);
  const slot =
    key === null ? `[${writer.keep(writtenValue(writer, property.key))}]` : `[${JSON.stringify(key)}]`;
  const isShadowed = writer.isShadowed(property) && object.shadows !== null;
  const code: Code = {
    value: `${object.value}${slot}`,
    shadows: isShadowed ? object.shadows.map((text) => (text === ZERO ? ZERO : `${text}${slot}`)) : null,
    isStable: false,
  };
  destructure(writer, property.value, code, sink);
}

/** Whether any name of a pattern has a shadow. */
export const isPatternShadowed = (writer: FunctionWriter, pattern: ast.Pattern): boolean =>
  namesIn(pattern).some((name) => variableShadows(writer, name) !== null);
