/** One script of a model that is written out with others: what it imports and exports, and its text in their scope. */
import { parse } from 'acorn';
import type * as ast from 'acorn';
import { childrenOf, namesIn, resolveNames } from './differentiate/scopes';
import type { TranspiledScript } from './transpile';

/** A script of a document that could be read. */
export interface ReadScript {
  readonly script: TranspiledScript;
  /** position in the document */
  readonly index: number;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Import {
  /** variable that stands for the other script */
  readonly variable: string;
  /** `other.ts`; null where it is no script of a model */
  readonly from: string | null;
  readonly node: ast.AnyNode;
  readonly line: number;
}

/** A script with what it imports and exports. */
export class Module {
  readonly program: ast.Program;
  readonly imports: readonly Import[];
  /** variables of the script behind the names it exports */
  readonly locals: ReadonlyMap<string, string>;
  readonly exportNodes: readonly { name: string; start: number; end: number }[];

  constructor(readonly read: ReadScript) {
    const { code } = read.script;
    this.program = parse(code, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowReturnOutsideFunction: true,
      locations: true,
    });
    this.imports = this.program.body.flatMap(importOf);
    const locals = new Map<string, string>();
    const exportNodes: { name: string; start: number; end: number }[] = [];
    const visit = (node: ast.AnyNode): void => {
      for (const child of childrenOf(node)) visit(child);
      const name = exportedName(node);
      if (name === null || node.type !== 'AssignmentExpression') return;
      exportNodes.push({ name, start: node.start, end: node.right.start });
      const { right } = node;
      if (right.type === 'Identifier') locals.set(name, right.name);
      else if (right.type === 'AssignmentExpression' && right.left.type === 'Identifier')
        locals.set(name, right.left.name);
    };
    visit(this.program);
    this.locals = locals;
    this.exportNodes = exportNodes;
  }

  get name(): string {
    return this.read.script.name;
  }
}

/** `exports.name = …` */
function exportedName(node: ast.AnyNode): string | null {
  if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression') return null;
  const { object, property, computed } = node.left;
  return object.type === 'Identifier' &&
    object.name === 'exports' &&
    !computed &&
    property.type === 'Identifier'
    ? property.name
    : null;
}

/** `var _other = require('./other');` */
function importOf(statement: ast.AnyNode): Import[] {
  if (statement.type !== 'VariableDeclaration') {
    // Nothing is used of it: `require('./other');`
    if (statement.type !== 'ExpressionStatement') return [];
    const from = requiredBy(statement.expression);
    return from === undefined
      ? []
      : [{ variable: '', from, node: statement, line: statement.loc?.start.line ?? 1 }];
  }
  const [declaration] = statement.declarations;
  const from = declaration.init ? requiredBy(declaration.init) : undefined;
  if (from === undefined || declaration.id.type !== 'Identifier') return [];
  return [{ variable: declaration.id.name, from, node: statement, line: statement.loc?.start.line ?? 1 }];
}

/** Script that is required; null where it is none of a model, undefined where nothing is required. */
function requiredBy(node: ast.AnyNode): string | null | undefined {
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'require')
    return undefined;
  const [argument] = node.arguments;
  if (argument.type !== 'Literal' || typeof argument.value !== 'string') return undefined;
  const match = /^\.\/([A-Za-z0-9_-]+)(?:\.ts)?$/.exec(argument.value);
  return match === null ? null : `${match[1]}.ts`;
}

/** Names that are read of the variable that stands for a script. */
export function usedOf(program: ast.Program, variable: string): Set<string> {
  const used = new Set<string>();
  const visit = (node: ast.AnyNode): void => {
    if (isMember(node, variable)) used.add(node.property.name);
    for (const child of childrenOf(node)) visit(child);
  };
  if (variable !== '') visit(program);
  return used;
}

type NamedMember = ast.MemberExpression & { property: ast.Identifier };

const isMember = (node: ast.AnyNode, variable: string): node is NamedMember =>
  node.type === 'MemberExpression' &&
  !node.computed &&
  node.object.type === 'Identifier' &&
  node.object.name === variable &&
  node.property.type === 'Identifier';

/** Variables of the module's own scope. */
function ownNames(program: ast.Program): ast.Identifier[] {
  const hoisted = (node: ast.AnyNode): ast.Identifier[] => {
    if (node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression') return [];
    if (node.type === 'ArrowFunctionExpression') return [];
    const here =
      node.type === 'VariableDeclaration' && node.kind === 'var'
        ? node.declarations.flatMap(({ id }) => namesIn(id))
        : [];
    return [...here, ...childrenOf(node).flatMap(hoisted)];
  };
  return [
    ...hoisted(program),
    ...program.body.flatMap((node): ast.Identifier[] => {
      if (node.type === 'VariableDeclaration' && node.kind !== 'var')
        return node.declarations.flatMap(({ id }) => namesIn(id));
      if ((node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') && node.id)
        return [node.id];
      return [];
    }),
  ];
}

/** For each script the name that each of its own variables has in the common scope. */
export function freeNames(modules: readonly Module[]): ReadonlyMap<Module, ReadonlyMap<string, string>> {
  const mentioned = new Map<string, Set<Module>>();
  for (const module of modules) {
    const { bindings, globals } = resolveNames(module.program);
    const names = [...bindings.keys()].map(({ name }) => name);
    for (const name of [...names, ...globals.keys()])
      mentioned.set(name, (mentioned.get(name) ?? new Set()).add(module));
  }
  const found = new Map<Module, ReadonlyMap<string, string>>();
  for (const module of modules) {
    const own = new Map<string, string>();
    for (const { name } of ownNames(module.program)) {
      const isShared = [...(mentioned.get(name) ?? [])].some((other) => other !== module);
      let free = name;
      if (isShared) {
        free = `${name}$${module.name.replace(/\.ts$/, '').replaceAll('-', '_')}`;
        while (mentioned.has(free)) free += '$';
        mentioned.set(free, new Set([module]));
      }
      own.set(name, free);
    }
    found.set(module, own);
  }
  return found;
}

/** The text of a script in the common scope. */
export function rewritten(
  module: Module,
  names: ReadonlyMap<Module, ReadonlyMap<string, string>>,
  modules: readonly Module[],
  isExported: (name: string) => boolean,
): string {
  const { code } = module.read.script;
  const edits: Edit[] = [];
  const imported = new Map(
    module.imports.flatMap(({ variable, from }) => {
      const other = modules.find(({ name }) => name === from);
      return other === undefined ? [] : [[variable, other] as const];
    }),
  );
  const nameOf = (node: ast.AnyNode): string | null => {
    if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier') return null;
    // The transpiler reads exported variables through `exports`, its own script's too.
    const other = node.object.name === 'exports' ? module : imported.get(node.object.name);
    if (other === undefined || !isMember(node, node.object.name)) return null;
    const local = other.locals.get(node.property.name);
    if (local === undefined) return null;
    return names.get(other)?.get(local) ?? local;
  };
  const renamed = renamedNodes(module, names.get(module) ?? new Map());
  const visit = (node: ast.AnyNode): void => {
    if (node.type === 'AssignmentExpression' && exportedName(node) !== null) {
      visit(node.right);
      return;
    }
    if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') {
      // `_other.f.call(void 0, x)`: a call of the function, without the script as its `this`.
      const name = nameOf(node.callee.object);
      const { property } = node.callee;
      const [self, first] = node.arguments;
      if (name !== null && property.type === 'Identifier' && property.name === 'call' && isVoid(self)) {
        const end = node.arguments.length > 1 ? first.start : node.end - 1;
        edits.push({ start: node.start, end, text: `${name}(${lineBreaks(code, node.start, end)}` });
        for (const argument of node.arguments.slice(1)) visit(argument);
        return;
      }
    }
    const name = nameOf(node);
    if (name !== null) {
      edits.push({ start: node.start, end: node.end, text: name });
      return;
    }
    if (node.type === 'Property' && node.shorthand) {
      const value = node.value.type === 'AssignmentPattern' ? node.value.left : node.value;
      const to = value.type === 'Identifier' ? renamed.get(value) : undefined;
      if (value.type === 'Identifier' && to !== undefined)
        edits.push({ start: value.start, end: value.end, text: `${value.name}: ${to}` });
      if (node.value.type === 'AssignmentPattern') visit(node.value.right);
      return;
    }
    if (node.type === 'Identifier') {
      const to = renamed.get(node);
      if (to !== undefined) edits.push({ start: node.start, end: node.end, text: to });
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(module.program);
  for (const { node } of module.imports)
    edits.push({ start: node.start, end: node.end, text: lineBreaks(code, node.start, node.end) });
  for (const { name, start, end } of module.exportNodes)
    if (!isExported(name))
      edits.push({ start, end, text: `exports.hidden$${name} = ${lineBreaks(code, start, end)}` });
  return applied(code, edits);
}

const isVoid = (node: ast.AnyNode | undefined): boolean =>
  node?.type === 'UnaryExpression' && node.operator === 'void';

const lineBreaks = (code: string, start: number, end: number): string =>
  '\n'.repeat(code.slice(start, end).split('\n').length - 1);

/** Every mention of a variable of the module's own scope that has another name in the common one. */
function renamedNodes(module: Module, names: ReadonlyMap<string, string>): Map<ast.Identifier, string> {
  const { bindings } = resolveNames(module.program);
  const own = new Set(ownNames(module.program).flatMap((node) => bindings.get(node) ?? []));
  const found = new Map<ast.Identifier, string>();
  for (const [node, binding] of bindings) {
    const to = own.has(binding) ? names.get(binding.name) : undefined;
    if (to !== undefined && to !== binding.name) found.set(node, to);
  }
  return found;
}

/** The outermost edit counts where one lies in another. */
function applied(code: string, edits: readonly Edit[]): string {
  const sorted = [...edits].sort((a, b) => a.start - b.start || b.end - a.end);
  let written = '';
  let from = 0;
  for (const { start, end, text } of sorted) {
    if (start < from) continue;
    written += code.slice(from, start) + text;
    from = end;
  }
  return written + code.slice(from);
}
