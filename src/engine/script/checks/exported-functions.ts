/** Which functions of a script stand behind a name: what can be told without running it. */
import { parse } from 'acorn';
import type * as ast from 'acorn';
import {
  type Binding,
  childrenOf,
  type FunctionNode,
  isFunction,
  type Names,
  resolveNames,
} from '../differentiate/scopes';

/** Values that a variable is given: at its declaration and later. */
type Values = ReadonlyMap<Binding, readonly (ast.AnyNode | null)[]>;

export interface Behind {
  readonly functions: readonly FunctionNode[];
  /** whether they are all of it */
  readonly isComplete: boolean;
}

const UNKNOWN: Behind = { functions: [], isComplete: false };

const union = (all: readonly Behind[]): Behind => ({
  functions: [...new Set(all.flatMap(({ functions }) => functions))],
  isComplete: all.length > 0 && all.every(({ isComplete }) => isComplete),
});

/** Expressions whose value an expression may have. */
export function valuesOf(node: ast.AnyNode): ast.AnyNode[] {
  switch (node.type) {
    case 'ConditionalExpression':
      return [...valuesOf(node.consequent), ...valuesOf(node.alternate)];
    case 'LogicalExpression':
      return [...valuesOf(node.left), ...valuesOf(node.right)];
    case 'SequenceExpression':
      return valuesOf(node.expressions[node.expressions.length - 1]);
    case 'ParenthesizedExpression':
    case 'ChainExpression':
      return valuesOf(node.expression);
    default:
      return [node];
  }
}

/** Expressions that a function returns, not those of functions inside it. */
export function returnedBy(node: FunctionNode): ast.Expression[] {
  if (node.body.type !== 'BlockStatement') return [node.body];
  const found: ast.Expression[] = [];
  const visit = (at: ast.AnyNode): void => {
    if (isFunction(at)) return;
    if (at.type === 'ReturnStatement' && at.argument) found.push(at.argument);
    for (const child of childrenOf(at)) visit(child);
  };
  visit(node.body);
  return found;
}

/** `exports.name`; null for all else */
const exportOf = (node: ast.AnyNode): string | null =>
  node.type === 'MemberExpression' &&
  !node.computed &&
  node.object.type === 'Identifier' &&
  node.object.name === 'exports' &&
  node.property.type === 'Identifier'
    ? node.property.name
    : null;

export class ScriptFunctions {
  readonly names: Names;
  readonly #values: Values;
  readonly #exports = new Map<string, ast.AnyNode[]>();

  /** @throws {SyntaxError} for a text that cannot be read, {RangeError} for one that nests too deeply */
  constructor(code: string) {
    const program = parse(code, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowReturnOutsideFunction: true,
      locations: true,
    });
    this.names = resolveNames(program);
    const values = new Map<Binding, (ast.AnyNode | null)[]>();
    const give = (target: ast.AnyNode, value: ast.AnyNode | null): void => {
      const binding = target.type === 'Identifier' ? this.names.bindings.get(target) : undefined;
      if (binding !== undefined) values.set(binding, [...(values.get(binding) ?? []), value]);
    };
    const visit = (node: ast.AnyNode): void => {
      if (node.type === 'VariableDeclarator' && node.init) give(node.id, node.init);
      else if (node.type === 'FunctionDeclaration' && node.id) give(node.id, node);
      else if (node.type === 'AssignmentExpression') {
        give(node.left, node.operator === '=' ? node.right : null);
        const name = exportOf(node.left);
        if (name !== null) this.#exports.set(name, [...(this.#exports.get(name) ?? []), node.right]);
      }
      for (const child of childrenOf(node)) visit(child);
    };
    visit(program);
    this.#values = values;
  }

  exported(name: string): Behind {
    const given = this.#exports.get(name);
    return given === undefined ? UNKNOWN : this.#allOf(given, new Set());
  }

  /** The functions that a call may call. */
  called({ callee }: ast.CallExpression): Behind {
    // The transpiler calls what is imported or exported by `exports.f.call(void 0, …)`.
    if (isCallOfExport(callee)) return this.behind(callee.object);
    return callee.type === 'Super' ? UNKNOWN : this.behind(callee);
  }

  /** The functions that are the value of an expression. */
  behind(node: ast.AnyNode): Behind {
    return this.#behind(node, new Set());
  }

  /** Arguments of a call, without the `this` of `f.call(this, …)`. */
  argumentsOf(call: ast.CallExpression): ast.CallExpression['arguments'] {
    return isCallOfExport(call.callee) ? call.arguments.slice(1) : call.arguments;
  }

  #allOf(nodes: readonly (ast.AnyNode | null)[], seen: Set<ast.AnyNode>): Behind {
    return union(nodes.map((node) => (node === null ? UNKNOWN : this.#behind(node, seen))));
  }

  #behind(node: ast.AnyNode, seen: Set<ast.AnyNode>): Behind {
    if (isFunction(node)) return { functions: [node], isComplete: true };
    // A name that is defined by itself adds nothing.
    if (seen.has(node)) return { functions: [], isComplete: true };
    seen.add(node);
    if (node.type === 'Identifier') {
      const binding = this.names.bindings.get(node);
      const values = binding === undefined ? undefined : this.#values.get(binding);
      const isOpen = binding === undefined || binding.kind === 'parameter' || binding.kind === 'other';
      return values === undefined || isOpen ? UNKNOWN : this.#allOf(values, seen);
    }
    const name = exportOf(node);
    if (name !== null) {
      const given = this.#exports.get(name);
      return given === undefined ? UNKNOWN : this.#allOf(given, seen);
    }
    if (node.type === 'AssignmentExpression' && node.operator === '=') return this.#behind(node.right, seen);
    if (node.type === 'CallExpression') {
      // A function that makes functions.
      const makers = this.called(node);
      if (makers.functions.some(({ async, generator }) => async || generator)) return UNKNOWN;
      const made = union(makers.functions.map((maker) => this.#allOf(returnedBy(maker), seen)));
      return { functions: made.functions, isComplete: makers.isComplete && made.isComplete };
    }
    const values = valuesOf(node);
    return values.length === 1 && values[0] === node ? UNKNOWN : this.#allOf(values, seen);
  }
}

type CallOfExport = ast.MemberExpression & { object: ast.MemberExpression };

/** `exports.f.call` */
const isCallOfExport = (callee: ast.AnyNode): callee is CallOfExport =>
  callee.type === 'MemberExpression' &&
  !callee.computed &&
  callee.property.type === 'Identifier' &&
  callee.property.name === 'call' &&
  exportOf(callee.object) !== null;
