/**
 * Names of parameters that a function reads from the values of the model, `p.name`, and that the model has
 * not: they would be undefined, which in arithmetic is not a number, and in a comparison is silently false.
 * Read from the source, so that branches that a run comes to late are looked at, too. A name with a value in
 * its place, `p.name ?? 1`, may be missing.
 */
import type * as ast from 'acorn';
import { type Binding, type FunctionNode, childrenOf } from '../source/scopes';
import type { ScriptFunctions } from './written-argument';

/** What reads a parameter, and its name. */
interface Reading {
  readonly name: string;
  readonly node: ast.AnyNode;
}

/** The name in `p.name`, `p['name']` or a pattern; null where it is computed. */
function nameOf(key: ast.AnyNode, isComputed: boolean): string | null {
  if (key.type === 'Literal' && typeof key.value === 'string') return key.value;
  return !isComputed && key.type === 'Identifier' ? key.name : null;
}

class ParameterReader {
  readonly readings: Reading[] = [];
  readonly #seen = new Set<string>();

  constructor(private readonly script: ScriptFunctions) {}

  /** Reads a function that has the parameters of the model as an argument. @param index of it */
  read(node: FunctionNode, index: number): void {
    const key = `${node.start}:${index}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const given = node.params.at(index);
    const target = given?.type === 'AssignmentPattern' ? given.left : given;
    if (target !== undefined) this.#bind(target, node);
  }

  /** @param target what has become the parameters @param scope where it is known */
  #bind(target: ast.AnyNode, scope: ast.AnyNode): void {
    if (target.type === 'ObjectPattern') this.#pattern(target);
    if (target.type !== 'Identifier') return;
    const binding = this.script.names.bindings.get(target);
    if (binding?.reassigned === null) this.#visit(scope, binding, scope, false);
  }

  #pattern({ properties }: ast.ObjectPattern): void {
    for (const property of properties) {
      if (property.type === 'RestElement' || property.value.type === 'AssignmentPattern') continue;
      const name = nameOf(property.key, property.computed);
      if (name !== null) this.readings.push({ name, node: property.key });
    }
  }

  /** @param mayMiss whether another value takes the place of one that is missing */
  #visit(node: ast.AnyNode, binding: Binding, scope: ast.AnyNode, mayMiss: boolean): void {
    const is = (one: ast.AnyNode | null | undefined): boolean =>
      one?.type === 'Identifier' && this.script.names.bindings.get(one) === binding;
    if (node.type === 'MemberExpression' && is(node.object)) {
      const name = nameOf(node.property, node.computed);
      if (name !== null && !mayMiss) this.readings.push({ name, node: node.property });
    } else if (node.type === 'VariableDeclarator' && is(node.init)) this.#bind(node.id, scope);
    else if (node.type === 'CallExpression') {
      const { functions } = this.script.called(node);
      const given = this.script.argumentsOf(node);
      const spread = given.findIndex(({ type }) => type === 'SpreadElement');
      given.forEach((one, k) => {
        if (is(one) && (spread < 0 || k < spread)) functions.forEach((called) => this.read(called, k));
      });
    }
    for (const child of childrenOf(node)) {
      const isReplaced = node.type === 'LogicalExpression' && node.operator === '??' && child === node.left;
      this.#visit(child, binding, scope, isReplaced);
    }
  }
}

/** Parameters that a function reads. @param index of the argument that holds them */
export function parametersRead(
  script: ScriptFunctions,
  node: FunctionNode,
  index: number,
): readonly Reading[] {
  const reader = new ParameterReader(script);
  reader.read(node, index);
  return reader.readings;
}
