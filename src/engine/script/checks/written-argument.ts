/**
 * Whether a function writes to an array that it is given, read from its source. In doubt it does: what is
 * handed on to a function that is not in the script, kept in an object or returned from a function inside may
 * be written there.
 */
import type * as ast from 'acorn';
import { parse } from 'acorn';
import {
  type Binding,
  type FunctionNode,
  type Names,
  childrenOf,
  isFunction,
  namesIn,
  resolveNames,
} from '../source/scopes';

/** Methods of arrays that leave the array as it is. */
const READING: ReadonlySet<string> = new Set(
  `at entries every filter find findIndex findLast findLastIndex forEach includes indexOf join keys lastIndexOf map
  reduce reduceRight slice some toLocaleString toReversed toSorted toString values with`.split(/\s+/),
);
/** Of these, what the called function gets beside values; the array itself comes after. */
const VALUES_OF_CALLBACK: Readonly<Record<string, number>> = { reduce: 3, reduceRight: 3 };

/** Objects of the language whose functions write to nothing they are given, and functions that do not. */
const PURE_OBJECTS: ReadonlySet<string> = new Set(['Math', 'console', 'Number', 'JSON', 'Array', 'String']);
const PURE_FUNCTIONS: ReadonlySet<string> = new Set([
  ...['Number', 'String', 'Boolean', 'isNaN', 'isFinite', 'parseFloat', 'parseInt', 'Array'],
  ...[
    'Float64Array',
    'Float32Array',
    'Int32Array',
    'Uint8Array',
    'Set',
    'Map',
    'Error',
    'RangeError',
    'TypeError',
  ],
]);
const PLAIN_PROPERTIES: ReadonlySet<string> = new Set([
  'length',
  'byteLength',
  'byteOffset',
  'BYTES_PER_ELEMENT',
]);

/** What a function does with an argument. */
export interface ArgumentUse {
  /** places where it is, or may be, written to */
  readonly writes: readonly ast.AnyNode[];
  /** places where the argument is given another value, of which the caller knows nothing */
  readonly reassigned: readonly ast.AnyNode[];
  /** variables that are the argument */
  readonly aliases: ReadonlySet<Binding>;
}

type Verdict = 'reads' | 'writes' | { readonly alias: ast.Identifier };

const isCopy = (pattern: ast.AnyNode): boolean =>
  pattern.type === 'ArrayPattern' ||
  (pattern.type === 'ObjectPattern' &&
    pattern.properties.every(
      (property) =>
        property.type === 'Property' &&
        ((property.key.type === 'Identifier' &&
          !property.computed &&
          PLAIN_PROPERTIES.has(property.key.name)) ||
          (property.key.type === 'Literal' && typeof property.key.value === 'number')),
    ));

class Reader {
  readonly #parents = new Map<ast.AnyNode, ast.AnyNode>();
  readonly #mentions: ast.Identifier[] = [];
  readonly writes: ast.AnyNode[] = [];
  readonly reassigned: ast.AnyNode[] = [];
  readonly aliases = new Set<Binding>();

  constructor(
    private readonly script: ScriptFunctions,
    private readonly node: FunctionNode,
    private readonly visiting: ReadonlySet<string>,
  ) {
    const visit = (at: ast.AnyNode): void => {
      if (at.type === 'Identifier') this.#mentions.push(at);
      for (const child of childrenOf(at)) {
        this.#parents.set(child, at);
        visit(child);
      }
    };
    visit(node);
  }

  #bindingOf(node: ast.AnyNode): Binding | undefined {
    return node.type === 'Identifier' ? this.script.names.bindings.get(node) : undefined;
  }

  /** Whether the function can reach its arguments by no name, as by `arguments`. */
  get hasHiddenWays(): boolean {
    return this.#mentions.some(
      (node) => (node.name === 'arguments' || node.name === 'eval') && this.#bindingOf(node) === undefined,
    );
  }

  follow(first: ast.Identifier): void {
    const own = this.#bindingOf(first);
    if (own === undefined) return;
    const left = [own];
    for (let binding = left.pop(); binding !== undefined; binding = left.pop()) {
      if (this.aliases.has(binding)) continue;
      this.aliases.add(binding);
      for (const mention of this.#mentions) {
        if (mention === first || this.#bindingOf(mention) !== binding) continue;
        if (this.#isTarget(mention)) {
          if (binding === own) this.reassigned.push(mention);
          continue;
        }
        const verdict = this.#verdict(mention);
        if (verdict === 'writes') this.writes.push(mention);
        else if (verdict !== 'reads') {
          const alias = this.#bindingOf(verdict.alias);
          if (alias === undefined) this.writes.push(mention);
          else left.push(alias);
        }
      }
    }
  }

  /** Whether the node is given a value: assigned to, in a pattern too, or declared with one. */
  #isTarget(node: ast.AnyNode): boolean {
    const parent = this.#parents.get(node);
    if (parent === undefined) return false;
    switch (parent.type) {
      case 'AssignmentExpression':
        return parent.left === node;
      case 'UpdateExpression':
        return true;
      case 'VariableDeclarator':
        return parent.id === node && parent.init !== null;
      case 'ForInStatement':
      case 'ForOfStatement':
        return parent.left === node;
      case 'AssignmentPattern':
        return parent.left === node && this.#isTarget(parent);
      case 'RestElement':
      case 'ArrayPattern':
        return this.#isPatternTarget(parent);
      case 'Property':
        return (
          parent.value === node &&
          this.#parents.get(parent)?.type === 'ObjectPattern' &&
          this.#isPatternTarget(parent)
        );
      default:
        return false;
    }
  }

  /** Whether the pattern that a node stands in is assigned to; those of parameters are the caller's. */
  #isPatternTarget(node: ast.AnyNode): boolean {
    for (let at = this.#parents.get(node); at !== undefined; at = this.#parents.get(at)) {
      if (at.type === 'AssignmentExpression' || at.type === 'VariableDeclarator') return true;
      if (at.type === 'ForInStatement' || at.type === 'ForOfStatement' || at.type === 'CatchClause')
        return true;
      if (isFunction(at)) return false;
    }
    return false;
  }

  /** What becomes of the array at a mention of it. */
  #verdict(node: ast.AnyNode): Verdict {
    const parent = this.#parents.get(node);
    if (parent === undefined) return 'writes';
    switch (parent.type) {
      case 'MemberExpression':
        return parent.object === node ? this.#member(parent) : 'reads';
      case 'VariableDeclarator':
        if (parent.id.type === 'Identifier') return { alias: parent.id };
        return isCopy(parent.id) ? 'reads' : 'writes';
      case 'AssignmentExpression':
        if (isCopy(parent.left)) return 'reads';
        return parent.left.type === 'Identifier' && this.#parents.get(parent)?.type === 'ExpressionStatement'
          ? { alias: parent.left }
          : 'writes';
      case 'ReturnStatement':
        return this.#functionOf(parent) === this.node ? 'reads' : 'writes';
      case 'ArrowFunctionExpression':
        return parent === this.node && parent.body === node ? 'reads' : 'writes';
      case 'ExpressionStatement':
      case 'BinaryExpression':
      case 'UnaryExpression':
      case 'TemplateLiteral':
      case 'SpreadElement':
      case 'IfStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
      case 'SwitchStatement':
        return 'reads';
      case 'ForOfStatement':
      case 'ForInStatement':
        return parent.right === node ? 'reads' : 'writes';
      case 'ConditionalExpression':
        return parent.test === node ? 'reads' : this.#verdict(parent);
      case 'LogicalExpression':
        return this.#verdict(parent);
      case 'SequenceExpression':
        return parent.expressions.at(-1) === node ? this.#verdict(parent) : 'reads';
      case 'CallExpression':
        return this.#argument(parent, node);
      case 'NewExpression':
        return this.#isPure(parent.callee) ? 'reads' : 'writes';
      default:
        return 'writes';
    }
  }

  /** `out.x`, `out[i]` */
  #member(member: ast.MemberExpression): Verdict {
    const above = this.#parents.get(member);
    if (above === undefined || this.#isTarget(member)) return 'writes';
    const { property } = member;
    if (above.type === 'CallExpression' && above.callee === member) {
      if (member.computed || property.type !== 'Identifier' || !READING.has(property.name)) return 'writes';
      const values = VALUES_OF_CALLBACK[property.name] ?? 2;
      const isSafe = (given: ast.AnyNode): boolean =>
        !isFunction(given) ? given.type === 'Literal' : given.params.length <= values && !hasRest(given);
      return above.arguments.every(isSafe) ? 'reads' : 'writes';
    }
    if (above.type === 'TaggedTemplateExpression' || above.type === 'UnaryExpression')
      return above.type === 'UnaryExpression' && above.operator !== 'delete' ? 'reads' : 'writes';
    // An entry is a number; all else, such as `out.buffer` or `out.set`, leads to the array again.
    if (member.computed)
      return property.type === 'Literal' && typeof property.value === 'string' ? 'writes' : 'reads';
    return property.type === 'Identifier' && PLAIN_PROPERTIES.has(property.name) ? 'reads' : 'writes';
  }

  /** The array, given to a function. */
  #argument(call: ast.CallExpression, node: ast.AnyNode): Verdict {
    if (call.callee === node) return 'writes';
    if (this.#isPure(call.callee)) return 'reads';
    const { functions, isComplete } = this.script.called(call);
    const given = this.script.argumentsOf(call);
    const index = given.findIndex((one) => one === node);
    if (!isComplete || index < 0 || given.slice(0, index).some(({ type }) => type === 'SpreadElement'))
      return 'writes';
    return functions.some((one) => mayWrite(this.script, one, index, this.visiting)) ? 'writes' : 'reads';
  }

  /** Functions of the language that write to nothing. */
  #isPure(callee: ast.AnyNode): boolean {
    if (callee.type === 'Identifier')
      return PURE_FUNCTIONS.has(callee.name) && this.#bindingOf(callee) === undefined;
    if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return false;
    return PURE_OBJECTS.has(callee.object.name) && this.#bindingOf(callee.object) === undefined;
  }

  #functionOf(node: ast.AnyNode): ast.AnyNode | undefined {
    let at = this.#parents.get(node);
    while (at !== undefined && !isFunction(at)) at = this.#parents.get(at);
    return at;
  }
}

const hasRest = ({ params }: FunctionNode): boolean => params.some(({ type }) => type === 'RestElement');

/** What a function does with the argument in a place. */
export function useOf(
  script: ScriptFunctions,
  node: FunctionNode,
  index: number,
  visiting: ReadonlySet<string> = new Set(),
): ArgumentUse {
  const reader = new Reader(script, node, new Set([...visiting, `${node.start}:${index}`]));
  const rest = node.params.findIndex(({ type }) => type === 'RestElement');
  const pattern = node.params[rest >= 0 && rest <= index ? rest : index] as ast.Pattern | undefined;
  const plain = pattern?.type === 'AssignmentPattern' ? pattern.left : pattern;
  const { writes, reassigned, aliases } = reader;
  if (plain?.type === 'Identifier') reader.follow(plain);
  // Among other arguments, or by its members, it can be reached in more ways than are looked at.
  else if (plain !== undefined && plain.type !== 'ArrayPattern' && namesIn(plain).length > 0)
    writes.push(plain);
  if (reader.hasHiddenWays) writes.push(node);
  return { writes, reassigned, aliases };
}

function mayWrite(
  script: ScriptFunctions,
  node: FunctionNode,
  index: number,
  visiting: ReadonlySet<string>,
): boolean {
  // What a function does in a call of itself it does outside, too.
  if (visiting.has(`${node.start}:${index}`)) return false;
  return useOf(script, node, index, visiting).writes.length > 0;
}

/* Which functions of a script stand behind a name: what can be told without running it. */

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
