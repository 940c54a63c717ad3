/**
 * Names of a script: which declaration each identifier means, and which functions the script has. Only strict
 * code is read, as the transpiler's output is, so a function declared in a block belongs to the block.
 */
import type * as ast from 'acorn';

type BindingKind = 'var' | 'let' | 'const' | 'function' | 'parameter' | 'other';

/** One declared variable. */
export interface Binding {
  readonly name: string;
  readonly kind: BindingKind;
  /** function that declares it; null in the module's own scope */
  readonly owner: FunctionInfo | null;
  /** where it is declared first */
  readonly node: ast.Identifier;
  /** assignments after the declaration, as `x = …`, `x++` or in a pattern */
  reassigned: ast.Node | null;
}

export type FunctionNode = ast.FunctionDeclaration | ast.FunctionExpression | ast.ArrowFunctionExpression;

/** One function of the script. */
export interface FunctionInfo {
  readonly id: number;
  /** for messages */
  readonly name: string;
  readonly node: FunctionNode;
  /** enclosing function; null when the module's */
  readonly parent: FunctionInfo | null;
  /**
   * variables of enclosing functions that it or a function inside it mentions; the module's are not among
   * them
   */
  readonly captured: Set<Binding>;
  /** the name a function expression has for itself */
  ownName: Binding | null;
}

export interface Names {
  readonly bindings: ReadonlyMap<ast.Identifier, Binding>;
  readonly functions: ReadonlyMap<ast.AnyNode, FunctionInfo>;
  /** names nothing in the script declares, with their first place */
  readonly globals: ReadonlyMap<string, ast.Identifier>;
  /** globals the script assigns to */
  readonly assignedGlobals: ReadonlyMap<string, ast.Identifier>;
  /** every declared name, with its first place */
  readonly declared: ReadonlyMap<string, ast.Identifier>;
}

const isNode = (value: unknown): value is ast.AnyNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

/** Nodes directly below a node, in the order of the text. */
export function childrenOf(node: ast.AnyNode): ast.AnyNode[] {
  const found: ast.AnyNode[] = [];
  for (const value of Object.values(node) as unknown[]) {
    if (isNode(value)) found.push(value);
    else if (Array.isArray(value)) found.push(...value.filter(isNode));
  }
  return found;
}

export const isFunction = (node: ast.AnyNode): node is FunctionNode =>
  node.type === 'FunctionDeclaration' ||
  node.type === 'FunctionExpression' ||
  node.type === 'ArrowFunctionExpression';

/** Identifiers a pattern declares or assigns to; defaults and computed keys are not among them. */
export function namesIn(pattern: ast.Pattern): ast.Identifier[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern];
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element === null ? [] : namesIn(element)));
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        namesIn(property.type === 'RestElement' ? property.argument : property.value),
      );
    case 'RestElement':
      return namesIn(pattern.argument);
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    case 'MemberExpression':
      return [];
  }
}

interface Scope {
  readonly parent: Scope | null;
  readonly owner: FunctionInfo | null;
  readonly names: Map<string, Binding>;
}

class Resolver {
  readonly bindings = new Map<ast.Identifier, Binding>();
  readonly functions = new Map<ast.AnyNode, FunctionInfo>();
  readonly globals = new Map<string, ast.Identifier>();
  readonly assignedGlobals = new Map<string, ast.Identifier>();
  readonly declared = new Map<string, ast.Identifier>();

  declare(scope: Scope, node: ast.Identifier, kind: BindingKind): void {
    let binding = scope.names.get(node.name);
    if (binding === undefined) {
      binding = { name: node.name, kind, owner: scope.owner, node, reassigned: null };
      scope.names.set(node.name, binding);
    }
    this.bindings.set(node, binding);
    if (!this.declared.has(node.name)) this.declared.set(node.name, node);
  }

  /** `var` declarations belong to the function, wherever they stand in it. */
  hoist(scope: Scope, node: ast.AnyNode): void {
    if (isFunction(node)) return;
    if (node.type === 'VariableDeclaration' && node.kind === 'var') {
      for (const { id } of node.declarations) {
        for (const name of namesIn(id)) this.declare(scope, name, 'var');
      }
    }
    for (const child of childrenOf(node)) this.hoist(scope, child);
  }

  /** Declarations that belong to the block they stand in. */
  declareLexical(scope: Scope, statements: readonly ast.AnyNode[]): void {
    for (const node of statements) {
      if (node.type === 'VariableDeclaration' && node.kind !== 'var') {
        const kind = node.kind === 'let' ? 'let' : 'const';
        for (const { id } of node.declarations)
          for (const name of namesIn(id)) this.declare(scope, name, kind);
      } else if (node.type === 'FunctionDeclaration') {
        if (node.id) this.declare(scope, node.id, 'function');
      } else if (node.type === 'ClassDeclaration') {
        if (node.id) this.declare(scope, node.id, 'other');
      }
    }
  }

  refer(scope: Scope, node: ast.Identifier): Binding | null {
    for (let at: Scope | null = scope; at !== null; at = at.parent) {
      const binding = at.names.get(node.name);
      if (binding === undefined) continue;
      this.bindings.set(node, binding);
      this.capture(scope.owner, binding);
      return binding;
    }
    if (!this.globals.has(node.name)) this.globals.set(node.name, node);
    return null;
  }

  capture(from: FunctionInfo | null, binding: Binding): void {
    if (binding.owner === null) return;
    for (let at = from; at !== null && at !== binding.owner; at = at.parent) at.captured.add(binding);
  }

  assign(scope: Scope, node: ast.Identifier): void {
    const binding = this.refer(scope, node);
    if (binding === null) this.assignedGlobals.set(node.name, node);
    else binding.reassigned ??= node;
  }

  enterFunction(scope: Scope, node: FunctionNode): void {
    const named = node.type === 'ArrowFunctionExpression' ? undefined : node.id;
    const info: FunctionInfo = {
      id: this.functions.size,
      name: named?.name ?? 'function',
      node,
      parent: scope.owner,
      captured: new Set(),
      ownName: null,
    };
    this.functions.set(node, info);
    const inner: Scope = { parent: scope, owner: info, names: new Map() };
    if (node.type === 'FunctionExpression' && named) {
      this.declare(inner, named, 'function');
      info.ownName = this.bindings.get(named) ?? null;
    }
    for (const parameter of node.params) {
      for (const name of namesIn(parameter)) this.declare(inner, name, 'parameter');
    }
    if (node.body.type === 'BlockStatement') {
      this.hoist(inner, node.body);
      this.declareLexical(inner, node.body.body);
    }
    for (const parameter of node.params) this.visitPattern(inner, parameter, false);
    if (node.body.type === 'BlockStatement') {
      for (const statement of node.body.body) this.visit(inner, statement);
    } else {
      this.visit(inner, node.body);
    }
  }

  /** Default values and computed keys of a pattern; with `assigns`, also its targets. */
  visitPattern(scope: Scope, pattern: ast.Pattern, assigns: boolean): void {
    switch (pattern.type) {
      case 'Identifier':
        if (assigns) this.assign(scope, pattern);
        return;
      case 'MemberExpression':
        this.visit(scope, pattern);
        return;
      case 'ArrayPattern':
        for (const element of pattern.elements)
          if (element !== null) this.visitPattern(scope, element, assigns);
        return;
      case 'ObjectPattern':
        for (const property of pattern.properties) {
          if (property.type === 'RestElement') this.visitPattern(scope, property.argument, assigns);
          else {
            if (property.computed) this.visit(scope, property.key);
            this.visitPattern(scope, property.value, assigns);
          }
        }
        return;
      case 'RestElement':
        this.visitPattern(scope, pattern.argument, assigns);
        return;
      case 'AssignmentPattern':
        this.visitPattern(scope, pattern.left, assigns);
        this.visit(scope, pattern.right);
    }
  }

  visitAll(scope: Scope, nodes: readonly ast.AnyNode[]): void {
    for (const node of nodes) this.visit(scope, node);
  }

  block(scope: Scope, statements: readonly ast.AnyNode[]): Scope {
    const inner: Scope = { parent: scope, owner: scope.owner, names: new Map() };
    this.declareLexical(inner, statements);
    return inner;
  }

  visit(scope: Scope, node: ast.AnyNode): void {
    if (isFunction(node)) {
      this.enterFunction(scope, node);
      return;
    }
    switch (node.type) {
      case 'Identifier':
        this.refer(scope, node);
        return;
      case 'MemberExpression':
        this.visit(scope, node.object);
        if (node.computed) this.visit(scope, node.property);
        return;
      case 'Property':
      case 'MethodDefinition':
      case 'PropertyDefinition':
        if (node.computed) this.visit(scope, node.key);
        if (node.value) this.visit(scope, node.value);
        return;
      case 'BlockStatement':
      case 'StaticBlock':
        this.visitAll(this.block(scope, node.body), node.body);
        return;
      case 'SwitchStatement': {
        this.visit(scope, node.discriminant);
        const statements = node.cases.flatMap(({ consequent }) => consequent);
        this.visitAll(this.block(scope, statements), node.cases);
        return;
      }
      case 'ForStatement':
        this.visitAll(this.block(scope, node.init ? [node.init] : []), childrenOf(node));
        return;
      case 'ForInStatement':
      case 'ForOfStatement': {
        const inner = this.block(scope, [node.left]);
        if (node.left.type === 'VariableDeclaration') this.visit(inner, node.left);
        else this.visitPattern(inner, node.left, true);
        this.visit(inner, node.right);
        this.visit(inner, node.body);
        return;
      }
      case 'VariableDeclarator':
        this.visitPattern(scope, node.id, false);
        if (node.init) this.visit(scope, node.init);
        return;
      case 'AssignmentExpression':
        this.visitPattern(scope, node.left, true);
        this.visit(scope, node.right);
        return;
      case 'UpdateExpression':
        if (node.argument.type === 'Identifier') this.assign(scope, node.argument);
        else this.visit(scope, node.argument);
        return;
      case 'CatchClause': {
        const inner = this.block(scope, []);
        if (node.param) {
          for (const name of namesIn(node.param)) this.declare(inner, name, 'other');
          this.visitPattern(inner, node.param, false);
        }
        this.visit(inner, node.body);
        return;
      }
      case 'LabeledStatement':
        this.visit(scope, node.body);
        return;
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'MetaProperty':
        return;
      case 'ClassDeclaration':
      case 'ClassExpression':
        if (node.superClass) this.visit(scope, node.superClass);
        this.visitAll(scope, node.body.body);
        return;
      default:
        this.visitAll(scope, childrenOf(node));
    }
  }
}

/** The function a node is. @throws {Error} for a node that is none */
export function functionOf(names: Names, node: ast.AnyNode): FunctionInfo {
  const info = names.functions.get(node);
  if (info === undefined) throw new Error(`a ${node.type} is no function of the script`);
  return info;
}

/** Resolves the names of a script. */
export function resolveNames(program: ast.Program): Names {
  const resolver = new Resolver();
  const scope: Scope = { parent: null, owner: null, names: new Map() };
  resolver.hoist(scope, program);
  resolver.declareLexical(scope, program.body);
  resolver.visitAll(scope, program.body);
  return resolver;
}

/* Keys of properties, as far as they stand in the text. */

/** Name or index of a property that stands in the text; null when it is computed. */
export function staticKey(node: { property: ast.AnyNode; computed: boolean }): string | null {
  const { property, computed } = node;
  if (!computed) return property.type === 'Identifier' ? property.name : null;
  if (property.type !== 'Literal') return null;
  return typeof property.value === 'number' || typeof property.value === 'string'
    ? String(property.value)
    : null;
}

/** Key of a property in an object literal or pattern; null when it is computed. */
export function keyOf(property: ast.Property | ast.AssignmentProperty): string | null {
  if (!property.computed && property.key.type === 'Identifier') return property.key.name;
  return property.key.type === 'Literal' ? String(property.key.value) : null;
}
