/**
 * Imports between the scripts of one model. Scripts that import each other are written out as one: the
 * imported ones first, in one scope, each name that two of them use renamed. So a function reaches another
 * script as directly as its own, derivatives follow it, and there is still nothing that could be loaded.
 *
 * The transpiler has made `import { f } from './other'` into `var _other = require('./other')` and its uses
 * into `_other.f`; both are replaced here. Lines stay lines.
 */
import type * as ast from 'acorn';
import { parse } from 'acorn';
import type { DocumentIssue, ScriptDocument } from '../document/types';
import { PLUGIN_SIGNATURES } from '../model/plugin-signatures';
import { type NamedType, declaredIn, typesOf, unknownType } from './checks/typed-source';
import { childrenOf, namesIn, resolveNames } from './source/scopes';
import { type TranspiledScript, transpileScript, type ScriptPart } from './transpile';
import { generateTypings } from './typings';

/*
 * One script of a model that is written out with others: what it imports and exports, and its text in their
 * scope.
 */

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
function usedOf(program: ast.Program, variable: string): Set<string> {
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
function freeNames(modules: readonly Module[]): ReadonlyMap<Module, ReadonlyMap<string, string>> {
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
function rewritten(
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

/**
 * The scripts of a document, read once for all that is done with them: functions, builders, functions with
 * conditions held.
 */
export class ScriptSources {
  /** those that can be read */
  readonly read: readonly ReadScript[];
  /** what is wrong with the others, and with imports */
  readonly issues: readonly DocumentIssue[];
  readonly links: ScriptLinks;
  readonly #transpiled: ReadonlyMap<number, ReturnType<typeof transpileScript>>;

  /** @param section of a document, which may have defects */
  constructor(readonly section: readonly ScriptDocument[]) {
    const { read, issues, transpiled } = readScripts(section);
    this.read = read;
    this.#transpiled = transpiled;
    const names = section.map((script) => (script as ScriptDocument | null)?.name ?? '');
    this.links = new ScriptLinks(read, new Set(names));
    this.issues = [...issues, ...this.links.issues];
  }

  /**
   * A script with what it imports, or the first defect of either.
   * @param index of the script in the document
   */
  readyToRun(index: number): { ok: true; script: TranspiledScript } | { ok: false; issue: DocumentIssue } {
    const own = this.#transpiled.get(index);
    if (own === undefined) throw new Error(`there is no script ${index}`);
    if (!own.ok || !hasImports(own.script)) return own;
    const issue = this.issues.at(0);
    return issue === undefined
      ? { ok: true, script: this.links.linked(own.script.name) }
      : { ok: false, issue };
  }
}

/** The scripts of a document that can be read, and what is wrong with the others. */
export function readScripts(section: readonly ScriptDocument[]): {
  read: ReadScript[];
  issues: DocumentIssue[];
  transpiled: Map<number, ReturnType<typeof transpileScript>>;
} {
  const transpiled = new Map<number, ReturnType<typeof transpileScript>>();
  const read: ReadScript[] = [];
  const issues: DocumentIssue[] = [];
  const named: { script: TranspiledScript; index: number; types: readonly NamedType[] }[] = [];
  const known = new Set(PLUGIN_TYPES);
  section.forEach((given, index) => {
    if (!isReadable(given)) return;
    const result = transpileScript(given, index);
    transpiled.set(index, result);
    if (!result.ok) {
      issues.push(result.issue);
      return;
    }
    const { script, typed } = result;
    read.push({ script, index });
    if (typed === null) return;
    const types = typesOf(typed);
    named.push({ script, index, types: types.named });
    // What another script declares is not looked for in its imports: the editor does that.
    for (const name of types.declared) known.add(name);
  });
  for (const { script, index, types } of named) {
    const type = unknownType(types, known) && unknownType(types, new Set([...known, ...workbenchTypes()]));
    if (type !== null) issues.push(unknownTypeIssue(type, script.name, index));
  }
  return { read, issues, transpiled };
}

/** Types of the functions: most scripts name no others of the workbench. */
const PLUGIN_TYPES = Object.values(PLUGIN_SIGNATURES).map(({ typeName }) => typeName);

/**
 * Types that every model has; those that a model adds are members of these. Written out only where one is
 * asked for.
 */
let workbench: readonly string[] | null = null;
const workbenchTypes = (): readonly string[] =>
  (workbench ??= declaredIn(generateTypings({ parameters: [], systems: [], interactions: [] })));

function unknownTypeIssue({ name, line, column }: NamedType, script: string, index: number): DocumentIssue {
  const near = PLUGIN_TYPES.filter((known) => known.toLowerCase().includes(name.toLowerCase().slice(0, 5)));
  const offered = near.length > 0 ? near : PLUGIN_TYPES;
  return {
    severity: 'error',
    code: 'script-unknown-type',
    pointer: `/scripts/${index}/source/${line - 1}`,
    element: script,
    message: `There is no type “${name}”.`,
    remedy: `Declare it in the script, or name one that is there, such as ${offered.slice(0, 6).join(', ')}.`,
    script: { name: script, line, column },
  };
}

/** Whether something in the scripts section has lines to read. */
const isReadable = (script: unknown): boolean =>
  typeof script === 'object' &&
  script !== null &&
  'source' in script &&
  Array.isArray(script.source) &&
  script.source.every((line) => typeof line === 'string');

/** Whether a script imports another one; cheap. */
const hasImports = ({ code }: TranspiledScript): boolean => /\brequire\(['"]/.test(code);

/** Reads what scripts import, and finds what cannot be imported. */
export class ScriptLinks {
  readonly issues: DocumentIssue[] = [];
  readonly #modules = new Map<string, Module>();
  readonly #read: ReadonlyMap<string, ReadScript>;

  /** @param known names of all scripts of the document, those that cannot be read included */
  constructor(scripts: readonly ReadScript[], known: ReadonlySet<string>) {
    this.#read = new Map(scripts.map((one) => [one.script.name, one]));
    if (!scripts.some(({ script }) => hasImports(script))) return;
    for (const { script } of scripts) if (hasImports(script)) this.#check(this.#module(script.name), known);
    for (const { script } of scripts) if (hasImports(script)) this.#checkCycle(script.name);
  }

  /** The script and everything it imports, each after what it imports itself. */
  #closure(name: string, found = new Set<string>()): Set<string> {
    for (const { from } of this.#importsOf(name)) if (!found.has(from)) this.#closure(from, found);
    found.add(name);
    return found;
  }

  #importsOf(name: string): { from: string; line: number }[] {
    const read = this.#read.get(name);
    if (read === undefined || !hasImports(read.script)) return [];
    return this.#module(name).imports.flatMap(({ from, line }) =>
      from !== null && this.#read.has(from) && from !== name ? [{ from, line }] : [],
    );
  }

  #module(name: string): Module {
    const known = this.#modules.get(name);
    if (known !== undefined) return known;
    const read = this.#read.get(name);
    if (read === undefined) throw new Error(`there is no script ${name}`);
    const module = new Module(read);
    this.#modules.set(name, module);
    return module;
  }

  #check(module: Module, known: ReadonlySet<string>): void {
    for (const { from, line, variable } of module.imports) {
      if (from === null || !known.has(from)) {
        const others = [...known].filter((name) => name !== module.name);
        this.#report(module, line, 'script-import-missing', {
          message: `There is no script “${from ?? 'outside the model'}” to import from.`,
          remedy:
            others.length === 0
              ? 'Put the functions into this script, or add a script for them.'
              : `Import from a script of this model: ${others.map((name) => `'./${name.replace(/\.ts$/, '')}'`).join(', ')}.`,
        });
      } else if (from === module.name) {
        this.#report(module, line, 'script-import-cycle', {
          message: `“${from}” imports itself.`,
          remedy: 'Use its functions without an import.',
        });
      } else if (this.#read.has(from)) {
        const { locals } = this.#module(from);
        for (const name of usedOf(module.program, variable)) {
          if (locals.has(name)) continue;
          this.#report(module, lineOfName(module, line, name), 'script-import-name', {
            message: `“${from}” exports no “${name}”.`,
            remedy:
              locals.size === 0
                ? `Write “export” in front of what ${from} is to share.`
                : `It exports ${[...locals.keys()].join(', ')}.`,
          });
        }
      }
    }
  }

  /** Reports the way round at the import it begins with, once for each script on it. */
  #checkCycle(name: string): void {
    const way = (at: string, path: readonly string[]): readonly string[] | null => {
      for (const { from } of this.#importsOf(at)) {
        if (from === name) return [...path, from];
        if (path.includes(from)) continue;
        const found = way(from, [...path, from]);
        if (found !== null) return found;
      }
      return null;
    };
    const round = way(name, [name]);
    if (round === null) return;
    const line = this.#importsOf(name).find(({ from }) => from === round[1])?.line ?? 1;
    this.#report(this.#module(name), line, 'script-import-cycle', {
      message: `Scripts import each other in a circle: ${round.join(' → ')}.`,
      remedy: 'Move what they share into a script of its own.',
    });
  }

  #report(
    { read: { index }, name }: Module,
    line: number,
    code: string,
    { message, remedy }: { message: string; remedy: string },
  ): void {
    this.issues.push({
      severity: 'error',
      code,
      pointer: `/scripts/${index}/source/${line - 1}`,
      element: name,
      message,
      remedy,
      script: { name, line, column: 1 },
    });
  }

  /** A script as it is evaluated: with what it imports. The links must be sound. */
  linked(name: string): TranspiledScript {
    return this.#written([...this.#closure(name)], new Set([name]), name);
  }

  /**
   * Scripts that are evaluated together, because one imports the other or both a third one, which then keeps
   * what it keeps for both. @returns for each group the text, and the position of its first script
   */
  groups(names: readonly string[]): { script: TranspiledScript; index: number }[] {
    const groups: Set<string>[] = [];
    for (const name of names) {
      const group = this.#closure(name);
      for (const other of [...groups])
        if ([...group].some((one) => other.has(one))) {
          groups.splice(groups.indexOf(other), 1);
          for (const one of other) group.add(one);
        }
      groups.push(group);
    }
    const own = new Set(names);
    return groups.map((group) => {
      const members = names.filter((name) => group.has(name));
      const last = members.at(-1) ?? '';
      const order = new Set<string>();
      for (const name of members) this.#closure(name, order);
      return {
        script: this.#written([...order], own, last),
        index: this.#read.get(last)?.index ?? 0,
      };
    });
  }

  /**
   * @param exporters scripts whose exports are those of the whole; of two of one name the later in the
   *   document counts
   */
  #written(order: readonly string[], exporters: ReadonlySet<string>, name: string): TranspiledScript {
    const [only] = order;
    const alone = order.length === 1 ? this.#read.get(only) : undefined;
    if (alone !== undefined && !hasImports(alone.script)) return alone.script;
    const modules = order.map((one) => this.#module(one));
    const exported = new Map<string, Module>();
    for (const module of [...modules].sort((a, b) => a.read.index - b.read.index))
      if (exporters.has(module.name)) for (const key of module.read.script.exports) exported.set(key, module);
    const names = freeNames(modules);
    const parts: ScriptPart[] = [];
    const texts: string[] = [];
    let before = 0;
    for (const module of modules) {
      const { script, index } = module.read;
      const source = script.source ?? script.code;
      const code = rewritten(module, names, modules, (key) => exported.get(key) === module);
      const count = Math.max(code.split('\n').length, source.split('\n').length);
      const padded = (text: string): string => text + '\n'.repeat(count - text.split('\n').length);
      parts.push({ name: script.name, index, before, source: padded(source) });
      texts.push(padded(code));
      before += count;
    }
    return {
      name,
      code: texts.join('\n'),
      exports: [...exported.keys()],
      source: parts.map(({ source }) => source).join('\n'),
      parts,
    };
  }
}

/**
 * Line of an import statement a name stands in, from 1.
 * @param last line of the statement, which may take several
 */
function lineOfName({ read: { script } }: Module, last: number, name: string): number {
  const lines = (script.source ?? script.code).split('\n');
  const word = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`);
  for (let i = last; i >= 1; i--) {
    if (word.test(lines[i - 1])) return i;
    if (/\bimport\b/.test(lines[i - 1])) break;
  }
  return last;
}
