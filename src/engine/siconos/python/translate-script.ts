/**
 * A script of plug-in functions as Python. What cannot be translated is left as it is, in comments, and said.
 */
import {
  type Expression,
  type Node,
  parse,
  type Program,
  type Statement,
  type ArrowFunctionExpression,
  type AssignmentExpression,
  type ForStatement,
  type Function as FunctionNode,
  type Pattern,
  type VariableDeclaration,
} from 'acorn';
import { type TranspiledScript, placeIn } from '../../script/transpile';
import { type PythonNames, Scope, Untranslatable, pythonComment, pythonString } from './names';
import { type ScriptModule, ExpressionWriter } from './translate-expressions';

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

/* Statements of a script in Python. */

const STEP = '    ';
const COMPOUND: ReadonlySet<string> = new Set(['+=', '-=', '*=', '/=', '**=']);

/** Parts that a statement may lack: the parser has null for some and nothing for others. */
const isAbsent = (part: unknown): part is null | undefined => part === null || part === undefined;

type AnyFunction = FunctionNode | ArrowFunctionExpression;

class StatementWriter {
  readonly #expressions: ExpressionWriter;

  constructor(module: ScriptModule) {
    this.#expressions = new ExpressionWriter(module);
  }

  /** Lines of a definition. @param python its name; @param scope the one it is defined in */
  define(node: AnyFunction, python: string, scope: Scope): string[] {
    const inner = scope.inner();
    const parameters = node.params.map((parameter) => this.#parameter(parameter, inner));
    // JavaScript lets callers hand over more than a function takes.
    const head = `def ${python}(${[...parameters, '*_'].join(', ')}):`;
    const body =
      node.body.type === 'BlockStatement'
        ? this.block(node.body.body, inner)
        : [`return ${this.#expressions.write(node.body, inner)}`];
    return [head, ...indented(body.length > 0 ? body : ['pass'])];
  }

  #parameter(node: Pattern, scope: Scope): string {
    if (node.type === 'Identifier') return scope.declare(node.name);
    if (node.type === 'AssignmentPattern' && node.left.type === 'Identifier') {
      const value = this.#expressions.write(node.right, scope);
      return `${scope.declare(node.left.name)}=${value}`;
    }
    return this.#expressions.refuse(node, 'a parameter that is taken apart');
  }

  block(statements: readonly Statement[], scope: Scope): string[] {
    // Functions may be used above the place where they stand.
    for (const statement of statements)
      if (statement.type === 'FunctionDeclaration') scope.declare(statement.id.name);
    return statements.flatMap((statement) => this.statement(statement, scope));
  }

  #body(node: Statement, scope: Scope): string[] {
    const lines =
      node.type === 'BlockStatement'
        ? this.block(node.body, scope.block())
        : this.statement(node, scope.block());
    return indented(lines.length > 0 ? lines : ['pass']);
  }

  statement(node: Statement, scope: Scope): string[] {
    const { refuse, write } = {
      refuse: (what: string): never => this.#expressions.refuse(node, what),
      write: (part: Expression): string => this.#expressions.write(part, scope),
    };
    switch (node.type) {
      case 'EmptyStatement':
        return [];
      case 'BlockStatement':
        return this.block(node.body, scope.block());
      case 'VariableDeclaration':
        return this.declaration(node, scope);
      case 'FunctionDeclaration':
        return this.define(node, scope.find(node.id.name) ?? scope.declare(node.id.name), scope);
      case 'ExpressionStatement':
        return this.#effect(node.expression, scope);
      case 'ReturnStatement':
        return [isAbsent(node.argument) ? 'return' : `return ${write(node.argument)}`];
      case 'IfStatement': {
        const lines = [`if ${write(node.test)}:`, ...this.#body(node.consequent, scope)];
        if (isAbsent(node.alternate)) return lines;
        const otherwise =
          node.alternate.type === 'IfStatement' ? this.statement(node.alternate, scope) : null;
        if (otherwise === null) return [...lines, 'else:', ...this.#body(node.alternate, scope)];
        return [...lines, `el${otherwise[0]}`, ...otherwise.slice(1)];
      }
      case 'WhileStatement':
        return [`while ${write(node.test)}:`, ...this.#body(node.body, scope)];
      case 'ForOfStatement': {
        const inner = scope.block();
        const source = write(node.right);
        if (node.left.type !== 'VariableDeclaration') return refuse('a loop over a variable from outside');
        const [{ id }] = node.left.declarations;
        return [`for ${this.#target(id, inner)} in ${source}:`, ...this.#body(node.body, inner)];
      }
      case 'ForStatement':
        return this.#loop(node, scope);
      case 'BreakStatement':
      case 'ContinueStatement':
        if (!isAbsent(node.label)) return refuse('a jump to a label');
        return [node.type === 'BreakStatement' ? 'break' : 'continue'];
      default:
        return refuse(`a ${node.type}`);
    }
  }

  #target(node: Pattern, scope: Scope): string {
    if (node.type === 'Identifier') return scope.declare(node.name);
    if (node.type === 'ArrayPattern') {
      const names = node.elements.map((entry) => (entry === null ? '_' : this.#target(entry, scope)));
      return `${names.join(', ')}${names.length === 1 ? ',' : ''}`;
    }
    return this.#expressions.refuse(node, 'a value that is taken apart');
  }

  declaration(node: VariableDeclaration, scope: Scope): string[] {
    return node.declarations.flatMap(({ id, init }) => {
      if (id.type === 'ObjectPattern') {
        if (isAbsent(init)) return this.#expressions.refuse(node, 'a value that is taken apart');
        const from = this.#expressions.write(init, scope);
        return id.properties.map((property) => {
          if (property.type !== 'Property' || property.key.type !== 'Identifier' || property.computed)
            return this.#expressions.refuse(node, 'a value that is taken apart');
          return `${this.#target(property.value, scope)} = ${from}.${property.key.name}`;
        });
      }
      if (init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression')
        return this.define(init, this.#target(id, scope), scope);
      const value = isAbsent(init) ? 'None' : this.#expressions.write(init, scope);
      return [`${this.#target(id, scope)} = ${value}`];
    });
  }

  #effect(node: Expression, scope: Scope): string[] {
    if (node.type === 'AssignmentExpression') return [this.#assignment(node, scope)];
    if (node.type === 'UpdateExpression') {
      const sign = node.operator === '++' ? '+=' : '-=';
      return [`${this.#place(node.argument, scope)} ${sign} 1`];
    }
    if (node.type === 'SequenceExpression')
      return node.expressions.flatMap((part) => this.#effect(part, scope));
    if (isConsole(node)) return [];
    if (isFill(node)) {
      const [value] = node.arguments;
      const { object } = node.callee as Expression & { type: 'MemberExpression' };
      const name = this.#expressions.write(object, scope);
      if (node.arguments.length !== 1) return this.#expressions.refuse(node, 'the method fill over a part');
      return [`${name}[:] = [${this.#expressions.write(value, scope)}] * len(${name})`];
    }
    return [this.#expressions.write(node, scope)];
  }

  #assignment(node: AssignmentExpression, scope: Scope): string {
    if (node.operator !== '=' && !COMPOUND.has(node.operator))
      return this.#expressions.refuse(node, `the operator ${node.operator}`);
    const place = this.#place(node.left, scope);
    // `a = b = value` reads the same in both languages.
    const value =
      node.right.type === 'AssignmentExpression' && node.operator === '=' && node.right.operator === '='
        ? this.#assignment(node.right, scope)
        : this.#expressions.write(node.right, scope);
    return `${place} ${node.operator} ${value}`;
  }

  #place(node: Pattern | Expression, scope: Scope): string {
    if (node.type === 'Identifier') {
      if (scope.isOutside(node.name))
        return this.#expressions.refuse(
          node,
          `an assignment to ${node.name}, which belongs to what is around the function`,
        );
      return this.#expressions.write(node, scope);
    }
    if (node.type === 'MemberExpression' && node.computed) return this.#expressions.write(node, scope);
    return this.#expressions.refuse(node, 'an assignment to this place');
  }

  /** A counted loop over whole numbers becomes `range`, any other a `while`. */
  #loop(node: ForStatement, scope: Scope): string[] {
    const inner = scope.block();
    const count = counted(node);
    if (count !== null) {
      const [start, end] = [count.start, count.end].map((bound) => this.#expressions.write(bound, inner));
      const name = inner.declare(count.name);
      // A parameter is a float where its value is written so; `range` wants whole numbers.
      const to = `int(${end})${count.inclusive ? ' + 1' : ''}`;
      const range = start === '0' ? `range(${to})` : `range(int(${start}), ${to})`;
      return [`for ${name} in ${range}:`, ...this.#body(node.body, inner)];
    }
    if (mentions(node.body, 'ContinueStatement'))
      return this.#expressions.refuse(node, 'a loop with continue that does not count in steps of one');
    const before = isAbsent(node.init)
      ? []
      : node.init.type === 'VariableDeclaration'
        ? this.declaration(node.init, inner)
        : this.#effect(node.init, inner);
    const test = isAbsent(node.test) ? 'True' : this.#expressions.write(node.test, inner);
    const after = isAbsent(node.update) ? [] : this.#effect(node.update, inner);
    return [...before, `while ${test}:`, ...this.#body(node.body, inner), ...indented(after)];
  }
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `${STEP}${line}`);

interface CountedLoop {
  readonly name: string;
  readonly start: Expression;
  readonly end: Expression;
  readonly inclusive: boolean;
}

/** `for (let i = a; i < b; i++)` with a whole number a, where nothing in the loop changes i. */
function counted({ init, test, update, body }: ForStatement): CountedLoop | null {
  if (init?.type !== 'VariableDeclaration' || init.declarations.length !== 1) return null;
  const [{ id, init: start }] = init.declarations;
  if (id.type !== 'Identifier' || isAbsent(start) || test?.type !== 'BinaryExpression') return null;
  const inclusive = test.operator === '<=';
  if (!inclusive && test.operator !== '<') return null;
  if (test.left.type !== 'Identifier' || test.left.name !== id.name) return null;
  if (update?.type !== 'UpdateExpression' || update.operator !== '++') return null;
  const isWhole =
    start.type === 'Literal'
      ? Number.isInteger(start.value)
      : start.type !== 'BinaryExpression' || start.operator === '+';
  // What the loop runs to must be a whole number, too: a length, a count, a literal.
  const isBound =
    (test.right.type === 'Literal' && Number.isInteger(test.right.value)) ||
    (test.right.type === 'MemberExpression' && !test.right.computed) ||
    test.right.type === 'Identifier';
  if (!isWhole || !isBound || changes(body, id.name)) return null;
  return { name: id.name, start, end: test.right, inclusive };
}

/** Whether any node below satisfies a test. */
function some(node: unknown, test: (node: Node & Record<string, unknown>) => boolean): boolean {
  if (Array.isArray(node)) return node.some((entry) => some(entry, test));
  if (typeof node !== 'object' || node === null || !('type' in node)) return false;
  const known = node as Node & Record<string, unknown>;
  return test(known) || Object.values(known).some((part) => some(part, test));
}

const mentions = (node: Node, type: string): boolean => some(node, (part) => part.type === type);

const changes = (node: Node, name: string): boolean =>
  some(node, (part) => {
    const target = (
      part.type === 'AssignmentExpression'
        ? part.left
        : part.type === 'UpdateExpression'
          ? part.argument
          : null
    ) as Expression | null;
    return target?.type === 'Identifier' && target.name === name;
  });

const isConsole = (node: Expression): boolean =>
  node.type === 'CallExpression' &&
  node.callee.type === 'MemberExpression' &&
  node.callee.object.type === 'Identifier' &&
  node.callee.object.name === 'console';

const isFill = (node: Expression): node is Expression & { type: 'CallExpression'; arguments: Expression[] } =>
  node.type === 'CallExpression' &&
  node.callee.type === 'MemberExpression' &&
  !node.callee.computed &&
  node.callee.property.type === 'Identifier' &&
  node.callee.property.name === 'fill';
