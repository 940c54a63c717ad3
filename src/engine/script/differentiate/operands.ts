/** Expressions as parts of others: in order, for their value alone, or for what they do. */
import type * as ast from 'acorn';
import { sequence, type Code } from './code';
import { changesShadows, mayChange } from './effects';
import type { FunctionWriter } from './function-writer';

/** An expression without tangents whose text may be evaluated later. */
export const constant = (value: string): Code => ({ value, shadows: null, isStable: false });

/** The value of an expression, where its tangents are of no use. */
export function valueText(writer: FunctionWriter, node: ast.AnyNode): string {
  return changesShadows(writer.analysis, node)
    ? writer.generate(node).value
    : `(${writer.module.slice(node)})`;
}

/** Several expressions, evaluated from left to right. */
export function generateInOrder(writer: FunctionWriter, nodes: readonly ast.AnyNode[]): Code[] {
  return nodes.map((node, i) => {
    const code = writer.generate(node);
    const rest = nodes.slice(i + 1);
    if (rest.length === 0) return code;
    // What changes something, or would be changed, must not wait until the others have been evaluated.
    const isOrdered = [node, ...rest].some((part) => mayChange(writer.analysis, part));
    return isOrdered ? writer.stabilise(code) : code;
  });
}

/** Evaluates an expression for what it does. */
export function perform(writer: FunctionWriter, node: ast.AnyNode): void {
  if (!writer.isShadowed(node) && !changesShadows(writer.analysis, node)) {
    writer.steps.push(`(${writer.module.slice(node)})`);
    return;
  }
  const { value } = writer.generate(node, false);
  // A bare name does nothing; everything that does something is a step by now or stands in the value.
  if (mayChange(writer.analysis, node) && value.includes('(')) writer.steps.push(value);
}

/** An expression with its own steps, as one text for its value. */
export function generateWhole(writer: FunctionWriter, node: ast.AnyNode): string {
  const { result, steps } = writer.apart(() => valueText(writer, node));
  return sequence(steps, result);
}
