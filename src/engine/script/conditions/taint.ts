/**
 * Which expressions of a script can change while the outcomes of its conditions are held. Values come in by
 * the arguments of exported functions and flow through assignments, calls and the contents of arrays and
 * objects; what a condition or a step such as Math.floor gives is held and flows nowhere. Branches need not
 * be followed for the same reason.
 *
 * The analysis knows neither order nor context: a variable or array that changes anywhere changes everywhere,
 * and so does what it may share its contents with. What is left out, such as counters of loops and parameters
 * of the model, is certain.
 */
import type * as ast from 'acorn';
import { calleeOf } from '../differentiate/analysis/callees';
import {
  type Binding,
  type FunctionInfo,
  type Names,
  childrenOf,
  isFunction,
  namesIn,
  staticKey,
} from '../source/scopes';

/** Functions of Math whose value is held. */
export const STEPS: ReadonlySet<string> = new Set(['floor', 'ceil', 'round', 'trunc', 'sign']);
export const COMPARISONS: ReadonlySet<string> = new Set(['<', '>', '<=', '>=', '==', '===', '!=', '!==']);

/** Names that the last parameter of a plug-in function usually has: the values of the model's parameters. */
const PARAMETERS: ReadonlySet<string> = new Set(['p', 'params', 'parameters']);

export class Taint {
  readonly #changing = new Set<Binding>();
  /** whose contents change by being written to */
  readonly #written = new Set<Binding>();
  readonly #shared = new Map<Binding, Set<Binding>>();
  readonly #returning = new Set<FunctionInfo>();
  readonly #functions = new Map<Binding, FunctionInfo>();
  readonly #exports = new Map<string, FunctionInfo>();
  /** functions that are handed on as values, to be called by anybody */
  readonly #escaped = new Set<FunctionInfo>();
  readonly #returns = new Map<FunctionInfo, ast.AnyNode[]>();
  /** names that stand for functions of Math */
  readonly #math = new Map<Binding, string>();
  #isNew = false;

  constructor(
    program: ast.Program,
    private readonly names: Names,
  ) {
    this.#findFunctions(program);
    this.#findEscapes(program, null);
    this.#seed();
    do {
      this.#isNew = false;
      this.#follow(program, null);
    } while (this.#isNew);
  }

  /** Name of the function of Math that a callee is; null of others. */
  mathOf(callee: ast.AnyNode): string | null {
    if (callee.type === 'Identifier') {
      const binding = this.names.bindings.get(callee);
      return binding === undefined ? null : (this.#math.get(binding) ?? null);
    }
    if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return null;
    return callee.object.name === 'Math' && !this.names.bindings.has(callee.object)
      ? staticKey(callee)
      : null;
  }

  /** The function of the script that a callee is; null where that is not known. */
  functionOf(callee: ast.AnyNode): FunctionInfo | null {
    if (isFunction(callee)) return this.names.functions.get(callee) ?? null;
    if (callee.type === 'Identifier') {
      const binding = this.names.bindings.get(callee);
      return binding === undefined ? null : (this.#functions.get(binding) ?? null);
    }
    if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return null;
    const key = staticKey(callee);
    return callee.object.name === 'exports' && key !== null ? (this.#exports.get(key) ?? null) : null;
  }

  /** Whether the value of an expression can change while conditions are held. */
  changes(node: ast.AnyNode): boolean {
    switch (node.type) {
      case 'Identifier': {
        const binding = this.names.bindings.get(node);
        return binding !== undefined && this.#changing.has(binding);
      }
      case 'MemberExpression':
        if (staticKey(node) === 'length') return false;
        return this.changes(node.object) || (node.computed && this.changes(node.property));
      case 'BinaryExpression':
        return !COMPARISONS.has(node.operator) && (this.changes(node.left) || this.changes(node.right));
      case 'LogicalExpression':
        return this.changes(node.left) || this.changes(node.right);
      case 'ConditionalExpression':
        return this.changes(node.consequent) || this.changes(node.alternate);
      case 'UnaryExpression':
        return node.operator !== '!' && node.operator !== 'typeof' && this.changes(node.argument);
      case 'AssignmentExpression':
        return this.changes(node.right) || (node.operator !== '=' && this.changes(node.left));
      case 'SequenceExpression':
        return this.changes(node.expressions[node.expressions.length - 1]);
      case 'CallExpression':
        return this.#callChanges(node);
      case 'Property':
        return this.changes(node.value);
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
      case 'Literal':
        return false;
      case 'ThisExpression':
      case 'AwaitExpression':
      case 'YieldExpression':
        return true;
      default:
        return childrenOf(node).some((child) => this.changes(child));
    }
  }

  #callChanges(node: ast.CallExpression): boolean {
    const { callee, inputs } = calleeOf(node);
    const math = this.mathOf(callee);
    if (math !== null && STEPS.has(math)) return false;
    const changing = inputs.some((input) => this.changes(input));
    if (math !== null) return changing || math === 'random';
    const info = this.functionOf(callee);
    if (info !== null) return this.#returning.has(info);
    if (callee.type !== 'MemberExpression') return true;
    const called = inputs.some((input) => {
      const callback = this.functionOf(input);
      return callback !== null && this.#returning.has(callback);
    });
    return changing || called || this.changes(callee.object);
  }

  #findFunctions(node: ast.AnyNode): void {
    const { bindings, functions } = this.names;
    if (node.type === 'FunctionDeclaration' && node.id) {
      const binding = bindings.get(node.id);
      const info = functions.get(node);
      if (binding !== undefined && info !== undefined && binding.reassigned === null)
        this.#functions.set(binding, info);
    }
    if (node.type === 'VariableDeclarator' && node.init) this.#readDeclarator(node.id, node.init);
    if (node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression') {
      const { object } = node.left;
      const key = staticKey(node.left);
      if (object.type === 'Identifier' && object.name === 'exports' && key !== null) {
        const info = isFunction(node.right)
          ? functions.get(node.right)
          : node.right.type === 'Identifier'
            ? this.functionOf(node.right)
            : null;
        if (info) this.#exports.set(key, info);
      }
    }
    for (const child of childrenOf(node)) this.#findFunctions(child);
  }

  #readDeclarator(id: ast.Pattern, init: ast.Expression): void {
    const { bindings, functions } = this.names;
    if (id.type === 'Identifier') {
      const binding = bindings.get(id);
      if (binding === undefined || binding.reassigned !== null) return;
      const info = functions.get(init);
      if (info !== undefined) this.#functions.set(binding, info);
      const math = this.mathOf(init);
      if (math !== null) this.#math.set(binding, math);
      return;
    }
    if (id.type !== 'ObjectPattern' || init.type !== 'Identifier' || init.name !== 'Math') return;
    for (const property of id.properties) {
      if (property.type !== 'Property' || property.computed || property.key.type !== 'Identifier') continue;
      const binding = property.value.type === 'Identifier' ? bindings.get(property.value) : undefined;
      if (binding !== undefined && binding.reassigned === null) this.#math.set(binding, property.key.name);
    }
  }

  /** Functions that are used otherwise than by being declared, exported or called. */
  #findEscapes(node: ast.AnyNode, parent: ast.AnyNode | null): void {
    const info = isFunction(node) ? (this.names.functions.get(node) ?? null) : this.#named(node);
    const isPlain =
      parent === null ||
      node.type === 'FunctionDeclaration' ||
      (parent.type === 'VariableDeclarator' && (parent.init === node || parent.id === node)) ||
      (parent.type === 'FunctionDeclaration' && parent.id === node) ||
      (parent.type === 'CallExpression' && parent.callee === node) ||
      (parent.type === 'MemberExpression' && parent.object === node && staticKey(parent) === 'call') ||
      (parent.type === 'AssignmentExpression' &&
        parent.left.type === 'MemberExpression' &&
        parent.left.object.type === 'Identifier' &&
        parent.left.object.name === 'exports');
    if (info !== null && !isPlain) this.#escaped.add(info);
    for (const child of childrenOf(node)) this.#findEscapes(child, node);
  }

  #named(node: ast.AnyNode): FunctionInfo | null {
    return node.type === 'Identifier' || node.type === 'MemberExpression' ? this.functionOf(node) : null;
  }

  #seed(): void {
    for (const info of this.#escaped) for (const parameter of info.node.params) this.#mark(parameter);
    for (const info of this.#exports.values()) {
      const { params } = info.node;
      params.forEach((parameter, i) => {
        const isLast = i === params.length - 1;
        const isNamed = parameter.type === 'Identifier' && PARAMETERS.has(parameter.name);
        // Plug-in functions take the model's parameters last, behind time or state and the array that they
        // fill.
        if (isLast && (i >= 2 || parameter.type === 'ObjectPattern' || isNamed)) return;
        this.#mark(parameter);
      });
    }
  }

  #mark(pattern: ast.Pattern): void {
    for (const name of namesIn(pattern)) {
      const binding = this.names.bindings.get(name);
      if (binding !== undefined) this.#add(this.#changing, binding);
    }
  }

  #add<T>(set: Set<T>, value: T): void {
    if (set.has(value)) return;
    set.add(value);
    this.#isNew = true;
  }

  /** Contents change, and with them those of everything that may be the same array or object. */
  #write(binding: Binding): void {
    this.#add(this.#changing, binding);
    if (this.#written.has(binding)) return;
    this.#add(this.#written, binding);
    for (const other of this.#shared.get(binding) ?? []) this.#write(other);
  }

  #share(a: Binding, b: Binding): void {
    for (const [from, to] of [
      [a, b],
      [b, a],
    ]) {
      const known = this.#shared.get(from) ?? new Set<Binding>();
      this.#shared.set(from, known);
      this.#add(known, to);
    }
    if (this.#written.has(a)) this.#write(b);
    if (this.#written.has(b)) this.#write(a);
  }

  /** Variables whose array or object a value may be, or contain. */
  #roots(node: ast.AnyNode): Binding[] {
    switch (node.type) {
      case 'Identifier': {
        const binding = this.names.bindings.get(node);
        return binding === undefined ? [] : [binding];
      }
      case 'MemberExpression':
        return this.#roots(node.object);
      case 'ConditionalExpression':
        return [...this.#roots(node.consequent), ...this.#roots(node.alternate)];
      case 'LogicalExpression':
        return [...this.#roots(node.left), ...this.#roots(node.right)];
      case 'AssignmentExpression':
        return this.#roots(node.right);
      case 'ArrayExpression':
      case 'ObjectExpression':
      case 'SpreadElement':
      case 'SequenceExpression':
        return childrenOf(node).flatMap((child) => this.#roots(child));
      case 'Property':
        return this.#roots(node.value);
      case 'CallExpression': {
        const { callee, inputs } = calleeOf(node);
        if (this.mathOf(callee) !== null) return [];
        const info = this.functionOf(callee);
        const returned = (info === null ? [] : (this.#returns.get(info) ?? [])).flatMap((value) =>
          value.type === 'CallExpression' ? [] : this.#roots(value),
        );
        const receiver = callee.type === 'MemberExpression' ? this.#roots(callee.object) : [];
        return [...inputs.flatMap((input) => this.#roots(input)), ...returned, ...receiver];
      }
      default:
        return [];
    }
  }

  #assign(target: ast.Pattern, value: ast.AnyNode, alsoChanges = false): void {
    const changing = alsoChanges || this.changes(value);
    const roots = this.#roots(value);
    if (target.type === 'MemberExpression') {
      for (const binding of this.#roots(target)) {
        if (changing) this.#write(binding);
        for (const root of roots) this.#share(binding, root);
      }
      return;
    }
    for (const name of namesIn(target)) {
      const binding = this.names.bindings.get(name);
      if (binding === undefined) continue;
      if (changing) this.#add(this.#changing, binding);
      for (const root of roots) this.#share(binding, root);
    }
    if (target.type !== 'Identifier') this.#assignMembers(target, value, changing);
  }

  #assignMembers(pattern: ast.AnyNode, value: ast.AnyNode, changing: boolean): void {
    if (pattern.type === 'MemberExpression') this.#assign(pattern, value, changing);
    else for (const child of childrenOf(pattern)) this.#assignMembers(child, value, changing);
  }

  #follow(node: ast.AnyNode, inside: FunctionInfo | null): void {
    const own = isFunction(node) ? (this.names.functions.get(node) ?? null) : inside;
    switch (node.type) {
      case 'VariableDeclarator':
        if (node.init) this.#assign(node.id, node.init);
        break;
      case 'AssignmentExpression':
        this.#assign(node.left, node.right, node.operator !== '=' && this.changes(node.left));
        break;
      case 'AssignmentPattern':
        this.#assign(node.left, node.right);
        break;
      case 'ForOfStatement': {
        const target = node.left.type === 'VariableDeclaration' ? node.left.declarations[0].id : node.left;
        this.#assign(target, node.right);
        break;
      }
      case 'ReturnStatement':
        if (node.argument && own !== null) this.#return(own, node.argument);
        break;
      case 'ArrowFunctionExpression':
        if (node.body.type !== 'BlockStatement' && own !== null) this.#return(own, node.body);
        break;
      case 'CallExpression':
        this.#call(node);
        break;
      default:
    }
    for (const child of childrenOf(node)) this.#follow(child, own);
  }

  #return(info: FunctionInfo, value: ast.AnyNode): void {
    const known = this.#returns.get(info) ?? [];
    this.#returns.set(info, known);
    if (!known.includes(value)) known.push(value);
    if (this.changes(value)) this.#add(this.#returning, info);
  }

  #call(node: ast.CallExpression): void {
    const { callee, inputs } = calleeOf(node);
    if (this.mathOf(callee) !== null) return;
    const info = this.functionOf(callee);
    if (info !== null) {
      const hasSpread = inputs.some(({ type }) => type === 'SpreadElement');
      info.node.params.forEach((parameter, i) => {
        if (hasSpread || parameter.type === 'RestElement') {
          for (const input of inputs) this.#assign(parameter, input);
          return;
        }
        const input = inputs.at(i);
        if (input !== undefined) this.#assign(parameter, input);
      });
      return;
    }
    if (callee.type !== 'MemberExpression' || !inputs.some((input) => this.changes(input))) return;
    for (const binding of this.#roots(callee.object)) this.#write(binding);
  }
}
