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

/*
 * What a script may import: by name, from another script of the model. Read in its syntax, so that comments
 * and texts may say what they like.
 */

/** `link.ts` writes out what is imported from these. */
const BESIDE = /^\.\/[\w-]+(?:\.ts)?$/;

const isType = (node: TypedNode): boolean => node.importKind === 'type' || node.exportKind === 'type';

/** `import { f, g as h } from './other'` */
function isByName(node: TypedNode, source: string): boolean {
  const { source: from, specifiers } = node;
  if (!isNode(from) || typeof from.value !== 'string' || !BESIDE.test(from.value)) return false;
  const names = specifiers as readonly TypedNode[];
  // `import {} from './other'` has no names either, but says that it is about names.
  if (names.length === 0) return source.slice(node.start, from.start).includes('{');
  return names.every(({ type }) => type === 'ImportSpecifier');
}

/** The first import or export of a script that it may not have; null where there is none. */
export function refusedImport(program: TypedNode, source: string): TypedNode | null {
  for (const statement of program.body as readonly TypedNode[]) {
    if (isType(statement)) continue;
    switch (statement.type) {
      case 'ImportDeclaration':
        if (!isByName(statement, source)) return statement;
        break;
      case 'TSImportEqualsDeclaration':
      case 'ExportAllDeclaration':
        return statement;
      case 'ExportNamedDeclaration':
        if (isNode(statement.source)) return statement;
    }
  }
  return null;
}

/** The first `import(…)` of a script; null where there is none. */
export function dynamicImport(program: TypedNode): TypedNode | null {
  let found: TypedNode | null = null;
  walk(program, (node) => {
    if (node.type === 'ImportExpression') found ??= node;
  });
  return found;
}
