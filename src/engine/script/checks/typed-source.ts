/** The syntax tree of a script as it is written, types and imports included; what runs has neither. */
import { tsPlugin } from '@sveltejs/acorn-typescript';
import { Parser } from 'acorn';

/** A node of TypeScript: those of JavaScript as ESTree has them, and more. */
export interface TypedNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly loc: { readonly start: { readonly line: number; readonly column: number } };
  readonly [key: string]: unknown;
}

const TypeScriptParser = Parser.extend(tsPlugin());

export const isNode = (value: unknown): value is TypedNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

/** @returns null where the text cannot be read: the transpiler says why, or reads it nevertheless */
export function readTyped(source: string): TypedNode | null {
  try {
    const program: unknown = TypeScriptParser.parse(source, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      allowReturnOutsideFunction: true,
      locations: true,
    });
    return program as TypedNode;
  } catch (error) {
    // The parser follows nesting by recursion.
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}

/** Calls `visit` for a node and everything in it, in the order of the text. */
export function walk(node: TypedNode, visit: (node: TypedNode) => void): void {
  // A list of what is left: deeply nested texts do not end the recursion.
  const left: TypedNode[] = [node];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    visit(at);
    const children = Object.values(at).flatMap((value) =>
      Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
    );
    for (let i = children.length - 1; i >= 0; i--) left.push(children[i]);
  }
}
