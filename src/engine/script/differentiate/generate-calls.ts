/** Calls, array literals, and what makes arrays. */
import type * as ast from 'acorn';
import { ARRAY_METHODS, STEP_FUNCTIONS } from './analysis/builtins';
import { calleeOf, calledFunctionsOf, isConsole, mathOf } from './analysis/callees';
import { operand, ZERO, type Code } from './generator';
import { type FunctionWriter, constant, generateInOrder } from './function-writer';
import { generateArrayMethod, generateCallback } from './generate-arrays';
import { mathFunction } from './generate-math';
import { type FunctionInfo, staticKey } from '../source/scopes';
import { Refusal } from './refusal';
import { isArrayLike } from './analysis/values';

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
