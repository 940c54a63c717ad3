/**
 * Functions of the derivative. The derivative of f(a, b) is f(a, b, shadows of a, shadows of b): it computes what f does
 * and the tangents along with it. Only parameters that ever carry something active have shadows.
 */
import type * as ast from 'acorn';
import type { Code, Line } from './code';
import { changesShadows } from './effects';
import { FunctionWriter, type Rules } from './function-writer';
import type { Generator } from './generator';
import { generate } from './generate-expressions';
import { assignTo, declarators, isPatternShadowed, variableShadows } from './generate-patterns';
import { generateReturn, generateStatements } from './generate-statements';
import { lineAt, Refusal } from './refusal';
import type { FunctionInfo } from './scopes';

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
