/**
 * A script of plug-in functions as Python. What cannot be translated is left as it is, in comments, and said.
 */
import { type Expression, type Node, parse, type Program, type Statement } from 'acorn';
import { type TranspiledScript, placeIn } from '../../script/transpile';
import { type PythonNames, Scope, Untranslatable, pythonComment, pythonString } from './names';
import type { ScriptModule } from './translate-expressions';
import { type AnyFunction, StatementWriter } from './translate-statements';

export interface TranslatedScript {
  readonly lines: string[];
  /** Python names of its functions, by the names they are exported under */
  readonly functions: ReadonlyMap<string, string>;
  /** mathematical functions it calls, by their names in Python */
  readonly math: ReadonlySet<string>;
  /** what is missing, one sentence each, by the name of the function */
  readonly missing: readonly { readonly name: string; readonly message: string }[];
}

/** What stands at the top of a script. */
interface Declared {
  readonly name: string;
  readonly statement: Statement;
  readonly body: AnyFunction | null;
}

/** The name an expression exports; null where it exports nothing. */
function exportedName(node: Expression): string | null {
  if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression') return null;
  const { object, property } = node.left;
  return object.type === 'Identifier' && object.name === 'exports' && property.type === 'Identifier'
    ? property.name
    : null;
}

const isExport = (statement: Statement): boolean =>
  statement.type === 'ExpressionStatement' &&
  (statement.expression.type === 'Literal' || exportedName(statement.expression) !== null);

/** Variables behind the names a script exports: those of linked scripts may have got another name. */
function exportedVariables(program: Program): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const statement of program.body) {
    if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression')
      continue;
    const name = exportedName(statement.expression);
    const { right } = statement.expression;
    if (name !== null && right.type === 'Identifier') found.set(name, right.name);
  }
  return found;
}

/** Whether the transpiler wrote this, such as the mark of an ES module. */
const isPreamble = (statement: Statement): boolean =>
  statement.type === 'ExpressionStatement' && statement.expression.type === 'CallExpression';

function declared(program: Program): Declared[] {
  return (program.body as Statement[]).flatMap((statement): Declared[] => {
    if (statement.type === 'FunctionDeclaration')
      return [{ name: statement.id.name, statement, body: statement }];
    if (statement.type !== 'VariableDeclaration') {
      return isExport(statement) || isPreamble(statement) || statement.type === 'EmptyStatement'
        ? []
        : [{ name: '', statement, body: null }];
    }
    return statement.declarations.map((declaration) => ({
      name: declaration.id.type === 'Identifier' ? declaration.id.name : '',
      statement: { ...statement, declarations: [declaration] },
      body:
        declaration.init?.type === 'ArrowFunctionExpression' ||
        declaration.init?.type === 'FunctionExpression'
          ? declaration.init
          : null,
    }));
  });
}

/** @param script one script, or several that import each other, written out as one */
export function translateScript(script: TranspiledScript, names: PythonNames): TranslatedScript {
  const { code } = script;
  const program = parse(code, { ecmaVersion: 2022, sourceType: 'script', locations: true });
  const math = new Set<string>();
  const module: ScriptModule = {
    math: (name) => {
      math.add(name);
      return name;
    },
    line: (node) => node.loc?.start.line ?? 1,
  };
  const writer = new StatementWriter(module);
  const found = declared(program);
  const functions = new Map<string, string>();
  // Names of the module may not be hidden by local ones, and mathematical functions keep theirs.
  const taken = new Set<string>(MATH_NAMES);
  const top = new ModuleScope(taken);
  for (const { name, body } of found) {
    if (name === '') continue;
    const python = names.claim(name);
    taken.add(python);
    top.bind(name, python);
    if (body !== null) functions.set(name, python);
  }
  for (const [name, variable] of exportedVariables(program)) {
    const python = functions.get(variable);
    if (python !== undefined) functions.set(name, python);
  }
  const missing: { name: string; message: string }[] = [];
  const lines = found.flatMap(({ name, statement, body }): string[] => {
    try {
      if (body !== null) return ['', '', ...writer.define(body, top.find(name) ?? name, top)];
      if (name === '') throw new Untranslatable('a statement outside of functions', module.line(statement));
      return moduleConstant(statement, top, writer);
    } catch (error) {
      if (!(error instanceof Untranslatable)) throw error;
      const place = placeIn(script, error.line, 1);
      const message = `“${name || 'a statement'}” of ${place.name}, line ${place.line}: ${error.message} has no Python here.`;
      missing.push({ name, message });
      return placeholder(top.find(name) ?? name, message, sourceOf(script, statement), body !== null);
    }
  });
  return { lines, functions, math, missing };
}

function moduleConstant(statement: Statement, top: ModuleScope, writer: StatementWriter): string[] {
  if (statement.type !== 'VariableDeclaration') throw new Untranslatable(`a ${statement.type}`, 1);
  const block = top.block();
  const [line] = writer.declaration(statement, block);
  const [{ id }] = statement.declarations;
  const name = id.type === 'Identifier' ? id.name : '';
  return [`${top.find(name) ?? name}${line.slice(line.indexOf(' = '))}`];
}

/** The user's own lines of a statement. */
function sourceOf({ source, code }: TranspiledScript, { loc }: Node): string[] {
  const lines = (source ?? code).split('\n');
  return lines.slice((loc?.start.line ?? 1) - 1, loc?.end.line ?? lines.length);
}

function placeholder(
  python: string,
  message: string,
  source: readonly string[],
  isFunction: boolean,
): string[] {
  const comment = [
    '# NOT TRANSLATED: the source in TypeScript is',
    ...source.map((line) => pythonComment(`#   ${line}`)),
  ];
  if (!isFunction) return [...comment, `${python === '' ? '_' : python} = None`];
  return [
    '',
    '',
    `def ${python}(*_):`,
    ...comment.map((line) => `    ${line}`),
    `    raise NotImplementedError(${pythonString(message)})`,
  ];
}

/** The scope of a module: its names are given, not made. */
class ModuleScope extends Scope {
  readonly #bound = new Map<string, string>();

  constructor(taken: Set<string>) {
    super(null, taken, true);
  }

  bind(name: string, python: string): void {
    this.#bound.set(name, python);
  }

  override find(name: string): string | null {
    return this.#bound.get(name) ?? super.find(name);
  }
}

/** Names of `math` and of the script around, which locals must not hide. */
const MATH_NAMES: readonly string[] = [
  ...[
    'math',
    'sys',
    'sqrt',
    'exp',
    'log',
    'log10',
    'log2',
    'log1p',
    'expm1',
    'sin',
    'cos',
    'tan',
    'asin',
    'acos',
  ],
  ...[
    'atan',
    'atan2',
    'sinh',
    'cosh',
    'tanh',
    'hypot',
    'floor',
    'ceil',
    'trunc',
    'fmod',
    'sign',
    'cube_root',
    'rounded',
  ],
];
