/**
 * What is known while the source of a function of time is read: values of its variables, as sums of terms, and what it has
 * written. The function is not executed but followed: what depends on numbers alone, loops and branches among it, goes the way it
 * goes at every time, and anything else than arithmetic with time is refused.
 */
import type * as ast from 'acorn';
import {
  type Binding,
  childrenOf,
  type FunctionInfo,
  functionOf,
  isFunction,
  type Names,
} from '../differentiate/scopes';
import { staticKey } from '../differentiate/keys';
import { NotAnalytic, type Terms } from './algebra';

/** What an expression is. */
export type Value =
  | { readonly kind: 'number'; readonly terms: Terms }
  | { readonly kind: 'truth'; readonly value: boolean }
  /** the object of the model's parameters */
  | { readonly kind: 'parameters' }
  /** the array that the function fills */
  | { readonly kind: 'entries' }
  | { readonly kind: 'function'; readonly info: FunctionInfo }
  | { readonly kind: 'nothing' };

export const NOTHING: Value = { kind: 'nothing' };

/** Expressions that are followed before a function counts as too long. */
const MOST_STEPS = 100_000;

/** Assignments to properties of `exports`, with their values. */
function findExports(program: ast.Program): ReadonlyMap<string, readonly ast.AssignmentExpression[]> {
  const found = new Map<string, ast.AssignmentExpression[]>();
  const visit = (node: ast.AnyNode): void => {
    if (node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression') {
      const { object } = node.left;
      const name = staticKey(node.left);
      if (object.type === 'Identifier' && object.name === 'exports' && name !== null)
        found.set(name, [...(found.get(name) ?? []), node]);
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program);
  return found;
}

/** A script that has been parsed. */
export interface ParsedScript {
  readonly program: ast.Program;
  readonly names: Names;
  /** what it assigns to `exports`, by name */
  readonly exported: ReadonlyMap<string, readonly ast.AssignmentExpression[]>;
  /** first values of the variables of the script itself */
  readonly initial: ReadonlyMap<Binding, ast.AnyNode>;
}

export function parsedScript(program: ast.Program, names: Names): ParsedScript {
  const initial = new Map<Binding, ast.AnyNode>();
  for (const node of program.body) {
    if (node.type === 'FunctionDeclaration') {
      const binding = names.bindings.get(node.id);
      if (binding !== undefined) initial.set(binding, node);
    }
    if (node.type !== 'VariableDeclaration' || node.kind === 'var') continue;
    for (const { id, init } of node.declarations) {
      const binding = id.type === 'Identifier' ? names.bindings.get(id) : undefined;
      if (binding !== undefined && init) initial.set(binding, init);
    }
  }
  return { program, names, exported: findExports(program), initial };
}

export class Reading {
  /** start of the expression that is read */
  position = 0;
  /** what has been written, by entry */
  readonly entries: Terms[];
  readonly variables = new Map<Binding, Value>();
  /** functions that are being followed */
  readonly #calls: FunctionInfo[] = [];
  #steps = 0;

  constructor(
    readonly script: ParsedScript,
    readonly parameters: Readonly<Record<string, number>>,
    length: number,
    /** follows the body of a function whose arguments stand in `variables` */
    private readonly body: (reading: Reading, info: FunctionInfo) => Value,
    private readonly evaluate: (reading: Reading, node: ast.AnyNode) => Value,
  ) {
    this.entries = Array.from({ length }, () => []);
  }

  /** @throws {NotAnalytic} */
  refuse(what: string): never {
    throw new NotAnalytic(what);
  }

  step(node: ast.AnyNode): void {
    this.position = node.start;
    if (++this.#steps > MOST_STEPS) this.refuse('it takes too many steps');
  }

  /** Value of a variable or of a name of the script. */
  variable(node: ast.Identifier): Value {
    const binding = this.script.names.bindings.get(node);
    if (binding === undefined) return this.refuse(`“${node.name}” is not known`);
    const known = this.variables.get(binding);
    if (known !== undefined) return known;
    const initial = this.script.initial.get(binding);
    if (initial === undefined || binding.reassigned !== null)
      return this.refuse(`“${node.name}” is not constant`);
    return this.#constant(initial);
  }

  /** Value of `exports.name`. */
  export(name: string): Value {
    const assignments = this.script.exported.get(name) ?? [];
    const [assignment] = assignments;
    if (assignments.length !== 1 || assignment.operator !== '=')
      return this.refuse(`“${name}” is not constant`);
    return this.#constant(assignment.right);
  }

  /** A value from outside functions, where nothing depends on time. */
  #constant(node: ast.AnyNode): Value {
    return isFunction(node)
      ? { kind: 'function', info: functionOf(this.script.names, node) }
      : this.evaluate(this, node);
  }

  /** Value of a call. */
  call(info: FunctionInfo, inputs: readonly Value[]): Value {
    const { node } = info;
    if (node.async || node.generator) return this.refuse('it calls a generator');
    if (this.#calls.includes(info)) return this.refuse('it calls itself');
    // Variables of a call that is over may have been overwritten by another.
    for (const { owner, name } of info.captured)
      if (owner !== null && !this.#calls.includes(owner)) return this.refuse(`“${name}” is not constant`);
    node.params.forEach((parameter, i) => {
      this.declare(parameter, inputs.at(i) ?? NOTHING);
    });
    this.#calls.push(info);
    const result = this.body(this, info);
    this.#calls.pop();
    return result;
  }

  /** A new variable, or several that are taken out of the parameters. */
  declare(pattern: ast.Pattern, value: Value): void {
    if (pattern.type === 'Identifier') {
      const binding = this.script.names.bindings.get(pattern);
      if (binding !== undefined) this.variables.set(binding, value);
      return;
    }
    if (pattern.type !== 'ObjectPattern' || value.kind !== 'parameters')
      return this.refuse('it takes apart an object');
    for (const property of pattern.properties) {
      const name = property.type === 'Property' && !property.computed ? property.key : null;
      if (property.type !== 'Property' || name?.type !== 'Identifier')
        return this.refuse('it takes apart an object');
      this.declare(property.value, this.parameter(name.name));
    }
  }

  /** A parameter of the model. */
  parameter(name: string): Value {
    if (!Object.hasOwn(this.parameters, name)) return this.refuse(`there is no parameter “${name}”`);
    return { kind: 'number', terms: this.number(this.parameters[name]) };
  }

  number(value: number): Terms {
    if (!Number.isFinite(value)) return this.refuse('a number is not finite');
    return value === 0 ? [] : [{ power: 0, rate: 0, frequency: 0, cosine: value, sine: 0 }];
  }
}
