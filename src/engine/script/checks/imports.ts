/** What a script may import: by name, from another script of the model. Read in its syntax, so that comments and texts may say what they like. */
import { isNode, type TypedNode, walk } from './typed-source';

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
