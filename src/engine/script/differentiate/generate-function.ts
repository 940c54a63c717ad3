/**
 * Functions of the derivative. The derivative of f(a, b) is f(a, b, shadows of a, shadows of b): it computes
 * what f does and the tangents along with it. Only parameters that ever carry something active have shadows.
 */
import type * as ast from 'acorn';
import { type FunctionInfo, childrenOf, functionOf, isFunction } from '../source/scopes';
import { isConsole } from './analysis/callees';
import { changesShadows } from './effects';
import { FunctionWriter, type Rules, generateWhole, perform, writtenValue } from './function-writer';
import { generate } from './generate-expressions';
import { assignTo, declarators, destructure, isPatternShadowed, variableShadows } from './generate-patterns';
import { type Code, type Generator, type Line, sequence } from './generator';
import { Refusal, lineAt } from './refusal';

/* Statements of the derivative: the user's own control flow, with shadows beside the variables. */

/** Whether a statement can stand in the derivative as it is. */
function isPlain(writer: FunctionWriter, node: ast.AnyNode): boolean {
  const { analysis } = writer;
  const visit = (at: ast.AnyNode): boolean => {
    if (at.type === 'FunctionDeclaration') {
      const binding = at.id && analysis.bindingOf(at.id);
      return !binding || !analysis.store.variable(binding).isShadowed;
    }
    if (isFunction(at)) return true;
    if (at.type === 'VariableDeclarator' && isPatternShadowed(writer, at.id)) return false;
    if (at.type === 'ReturnStatement' && analysis.factsOf(writer.info).returns.isShadowed) return false;
    if (at.type === 'CallExpression' && isConsole(analysis, at.callee)) return false;
    return childrenOf(at).every(visit);
  };
  return visit(node) && !changesShadows(analysis, node);
}

const lineOf = (writer: FunctionWriter, node: ast.Node): number => lineAt(writer.module.text, node.start);

/** Statements of a block. */
function generateStatements(writer: FunctionWriter, nodes: readonly ast.AnyNode[]): Line[] {
  return nodes.flatMap((node) => generateStatement(writer, node));
}

function block(
  writer: FunctionWriter,
  header: string,
  node: ast.AnyNode,
  line: number,
  first: Line[] = [],
): Line[] {
  return [{ text: `${header} {`, line }, ...first, ...generateStatement(writer, node), { text: '}', line }];
}

/** One statement. */
function generateStatement(writer: FunctionWriter, node: ast.AnyNode): Line[] {
  const line = lineOf(writer, node);
  if (isPlain(writer, node)) return [{ text: writer.module.slice(node), line }];
  const one = (text: string): Line[] => [{ text, line }];
  switch (node.type) {
    case 'ExpressionStatement': {
      if (node.expression.type === 'CallExpression' && isConsole(writer.analysis, node.expression.callee))
        return [];
      const { steps } = writer.apart(() => perform(writer, node.expression));
      return steps.length === 0 ? [] : one(`${steps.join(', ')};`);
    }
    case 'VariableDeclaration':
      return one(`${declaration(writer, node)};`);
    case 'FunctionDeclaration':
      return localFunction(writer, node, line);
    case 'BlockStatement':
      return [...one('{'), ...generateStatements(writer, node.body), ...one('}')];
    case 'ReturnStatement':
      return one(generateReturn(writer, node.argument ?? null));
    case 'IfStatement':
      return [
        ...block(writer, `if (${generateWhole(writer, node.test)})`, node.consequent, line),
        ...(node.alternate ? block(writer, 'else', node.alternate, lineOf(writer, node.alternate)) : []),
      ];
    case 'ForStatement':
      return generateFor(writer, node, line);
    case 'ForOfStatement':
      return generateForOf(writer, node, line);
    case 'ForInStatement':
      if (node.left.type !== 'VariableDeclaration') break;
      return block(
        writer,
        `for (${writer.module.slice(node.left)} in ${generateWhole(writer, node.right)})`,
        node.body,
        line,
      );
    case 'WhileStatement':
      return block(writer, `while (${generateWhole(writer, node.test)})`, node.body, line);
    case 'DoWhileStatement':
      return [
        ...block(writer, 'do', node.body, line),
        ...one(`while (${generateWhole(writer, node.test)});`),
      ];
    case 'LabeledStatement': {
      const [first, ...rest] = generateStatement(writer, node.body);
      return [{ text: `${node.label.name}: ${first.text}`, line }, ...rest];
    }
    case 'SwitchStatement':
      return generateSwitch(writer, node, line);
    default:
  }
  throw new Refusal(node, 'derivative-construct', 'This statement cannot be differentiated.');
}

function declaration(writer: FunctionWriter, node: ast.VariableDeclaration): string {
  const parts = node.declarations.flatMap(({ id, init }) => {
    if (!init)
      return [...(id.type === 'Identifier' ? [id.name, ...(variableShadows(writer, id) ?? [])] : [])];
    return declarators(writer, id, () => writer.generate(init));
  });
  return `${node.kind} ${parts.join(', ')}`;
}

/**
 * A function inside a function keeps its own form beside its derivative, for where only its value is asked
 * for.
 */
function localFunction(
  writer: FunctionWriter,
  node: ast.FunctionDeclaration | ast.AnonymousFunctionDeclaration,
  line: number,
): Line[] {
  const own = { text: writer.module.slice(node), line };
  const info = functionOf(writer.analysis.names, node);
  const [name, ...others] = writer.module.shadowNames(info.name);
  const none = (names: readonly string[]): Line[] =>
    names.length === 0 ? [] : [{ text: `var ${names.map((other) => `${other} = 0`).join(', ')};`, line }];
  // A function that is only handed about is never called, but its shadow is handed about with it.
  if (writer.analysis.facts.get(info)?.isReached !== true) return [own, ...none([name, ...others])];
  return [own, ...none(others), ...writer.rules.derivative(writer.module, info, `function ${name}`, '')];
}

/** Tangents of what a function returns go through the channels. */
function generateReturn(writer: FunctionWriter, argument: ast.Expression | null): string {
  if (argument === null) return 'return;';
  const { returns } = writer.analysis.factsOf(writer.info);
  const { result, steps } = writer.apart((): Code => {
    if (!returns.isShadowed) return { value: writtenValue(writer, argument), shadows: null, isStable: false };
    return writer.complete(writer.generate(argument), writer.valueOf(argument));
  });
  if (returns.isShadowed) steps.push(...handOver(writer, result));
  return `return ${sequence(steps, result.value)};`;
}

function handOver(writer: FunctionWriter, code: Code): string[] {
  const { returns } = writer.analysis.factsOf(writer.info);
  const tangents = writer.tangents(code);
  if (returns.objects.size > 0) {
    return writer.module
      .objectChannels(`f${writer.info.id}`)
      .map((name, lane) => `${name} = ${tangents[lane]}`);
  }
  const channel = writer.module.numberChannel();
  return writer.module.each((lane) => `${channel}[${lane}] = ${tangents[lane]}`);
}

function generateFor(writer: FunctionWriter, node: ast.ForStatement, line: number): Line[] {
  let start = '';
  if (node.init?.type === 'VariableDeclaration') start = declaration(writer, node.init);
  else if (node.init) start = actions(writer, node.init);
  const test = node.test ? generateWhole(writer, node.test) : '';
  const update = node.update ? actions(writer, node.update) : '';
  return block(writer, `for (${start}; ${test}; ${update})`, node.body, line);
}

const actions = (writer: FunctionWriter, node: ast.Expression): string =>
  writer.apart(() => perform(writer, node)).steps.join(', ');

/** Over a shadowed array by index, so that the shadows go along. */
function generateForOf(writer: FunctionWriter, node: ast.ForOfStatement, line: number): Line[] {
  const { left } = node;
  if (!writer.isShadowed(node.right)) {
    if (left.type !== 'VariableDeclaration')
      throw new Refusal(node, 'derivative-construct', 'Declare the variable in the loop.');
    const shadows = isPatternShadowed(writer, left.declarations[0].id);
    if (shadows) return forOfConstant(writer, node, left, line);
    return block(
      writer,
      `for (${writer.module.slice(left)} of ${generateWhole(writer, node.right)})`,
      node.body,
      line,
    );
  }
  const index = writer.reserve();
  const { result: array, steps } = writer.apart((): Code => {
    const code = writer.generate(node.right);
    return { value: writer.keep(code.value), shadows: writer.keepShadows(code.shadows), isStable: true };
  });
  const element: Code = {
    value: `${array.value}[${index}]`,
    shadows: writer.isShadowed(left) ? (array.shadows?.map((text) => `${text}[${index}]`) ?? null) : null,
    isStable: false,
  };
  const header = `for (${[...steps, `${index} = 0`].join(', ')}; ${index} < ${array.value}.length; ${index}++)`;
  return block(writer, header, node.body, line, [{ text: `${bindElement(writer, left, element)};`, line }]);
}

/** The elements hold nothing active, but what the loop makes of its variable does. */
function forOfConstant(
  writer: FunctionWriter,
  node: ast.ForOfStatement,
  left: ast.VariableDeclaration,
  line: number,
): Line[] {
  const value = writer.reserve();
  const element: Code = { value, shadows: null, isStable: false };
  const inner = `${value}e`;
  const header = `for (const ${inner} of ${generateWhole(writer, node.right)})`;
  const first = { text: `${value} = ${inner}; ${bindElement(writer, left, element)};`, line };
  return block(writer, header, node.body, line, [first]);
}

function bindElement(
  writer: FunctionWriter,
  left: ast.VariableDeclaration | ast.Pattern,
  element: Code,
): string {
  if (left.type === 'VariableDeclaration') {
    return `${left.kind} ${declarators(writer, left.declarations[0].id, () => element).join(', ')}`;
  }
  const { steps } = writer.apart(() =>
    destructure(writer, left, element, (target, code, value) => {
      if (target.type !== 'Identifier')
        throw new Refusal(left, 'derivative-construct', 'Declare the variable in the loop.');
      writer.steps.push(...assignTo(writer, target.name, variableShadows(writer, target), code, value));
    }),
  );
  return steps.join(', ');
}

function generateSwitch(writer: FunctionWriter, node: ast.SwitchStatement, line: number): Line[] {
  return [
    { text: `switch (${generateWhole(writer, node.discriminant)}) {`, line },
    ...node.cases.flatMap(({ test, consequent }) => [
      {
        text: test ? `case ${generateWhole(writer, test)}:` : 'default:',
        line: lineOf(writer, test ?? node),
      },
      ...generateStatements(writer, consequent),
    ]),
    { text: '}', line },
  ];
}

interface Parameters {
  readonly own: string[];
  readonly shadows: string[];
  /** statements that give the rest of the parameters' names their values */
  readonly prologue: string[];
}

function addParameter(writer: FunctionWriter, pattern: ast.Pattern, i: number, into: Parameters): void {
  const isShadowed = writer.analysis.factsOf(writer.info).parameters[i].isShadowed;
  if (pattern.type === 'RestElement') {
    throw new Refusal(
      pattern,
      'derivative-rest',
      'A parameter list with “...” cannot be differentiated.',
      'Pass an array.',
    );
  }
  const named = pattern.type === 'AssignmentPattern' ? pattern.left : pattern;
  if (named.type === 'Identifier') {
    addNamed(writer, named, isShadowed, into);
    if (pattern.type === 'AssignmentPattern') into.prologue.push(defaultOf(writer, named, pattern.right));
    return;
  }
  if (!isShadowed && !isPatternShadowed(writer, pattern) && !changesShadows(writer.analysis, pattern)) {
    into.own.push(writer.module.slice(pattern));
    return;
  }
  const name = `${writer.module.prefix}p${i}`;
  const shadows = isShadowed ? writer.module.shadowNames(name) : null;
  into.own.push(name);
  into.shadows.push(...(shadows ?? []));
  const code: Code = { value: name, shadows, isStable: true };
  into.prologue.push(`let ${declarators(writer, pattern, () => code).join(', ')};`);
}

function addNamed(writer: FunctionWriter, name: ast.Identifier, isShadowed: boolean, into: Parameters): void {
  const shadows = variableShadows(writer, name);
  into.own.push(name.name);
  // One of several functions called at the same place may take shadows it has no use for.
  if (isShadowed) into.shadows.push(...(shadows ?? writer.module.shadowNames(name.name)));
  else if (shadows !== null)
    into.prologue.push(`let ${shadows.map((shadow) => `${shadow} = 0`).join(', ')};`);
}

function defaultOf(writer: FunctionWriter, name: ast.Identifier, value: ast.Expression): string {
  const { steps } = writer.apart(() =>
    writer.steps.push(
      ...assignTo(
        writer,
        name.name,
        variableShadows(writer, name),
        writer.generate(value),
        writer.valueOf(value),
      ),
    ),
  );
  return `if (${name.name} === undefined) { ${steps.join(', ')}; }`;
}

/**
 * The derivative of a function of the script.
 * @param header what stands before the parameter list
 * @param arrow what stands behind it
 */
function dualText(module: Generator, info: FunctionInfo, header: string, arrow: string): Line[] {
  const writer = new FunctionWriter(module, info, RULES);
  const { node } = info;
  const parameters: Parameters = { own: [], shadows: [], prologue: [] };
  node.params.forEach((pattern, i) => addParameter(writer, pattern, i, parameters));
  const line = lineAt(module.text, node.start);
  const body =
    node.body.type === 'BlockStatement'
      ? generateStatements(writer, node.body.body)
      : [{ text: generateReturn(writer, node.body), line: lineAt(module.text, node.body.start) }];
  const list = [...parameters.own, ...parameters.shadows].join(', ');
  const first = [writer.declarations(), ...parameters.prologue].filter((text) => text !== '').join(' ');
  return [{ text: `${header}(${list})${arrow} { ${first}`, line }, ...body, { text: '}', line }];
}

const RULES: Rules = { expression: generate, derivative: dualText };

/** A function of the module, with its derivative's own name. */
export const generateFunction = (module: Generator, info: FunctionInfo, name: string): Line[] =>
  dualText(module, info, `function ${name}`, '');
