/**
 * Whether scripts keep nothing from one call to the next, as far as their text shows it: a run of theirs can
 * then be gone on from without calling them again from the start. Where the text leaves a doubt, the answer
 * is no, which costs time and nothing else.
 *
 * A function may name what its module declares as long as that cannot change: functions that it calls,
 * numbers and texts, and entries of arrays and objects that are numbers or texts themselves. It may name no
 * other globals than those below, and `this` not at all. A function is an object, which could keep something
 * in its properties: it is not handed on. What a module exports has to be a function as it is written, not
 * one that another function has made: that could keep something in a variable of its maker.
 */
import type * as ast from 'acorn';
import { Module, type ScriptSources } from './link';
import { type Binding, childrenOf, isFunction, type Names, resolveNames } from './source/scopes';

/** Globals without a memory. */
const MEMORYLESS: ReadonlySet<string> = new Set([
  'Math',
  'Number',
  'Infinity',
  'NaN',
  'undefined',
  'isFinite',
  'isNaN',
  'Array',
  'Float64Array',
  'Float32Array',
  'Int32Array',
  'Error',
  'TypeError',
  'RangeError',
  'console',
  'exports',
]);
/** Arrays whose entries are numbers. */
const NUMBERS: ReadonlySet<string> = new Set(['Float64Array', 'Float32Array', 'Int32Array', 'Uint8Array']);

/** What the initial value of a variable is: the entries of `depth` levels of arrays and objects. */
type Content = 'function' | { readonly depth: number };

/** Level of the entries that are numbers or texts; null where that cannot be told. */
function depthOf(node: ast.AnyNode, names: Names, values: Values): number | null {
  const all = (nodes: readonly (ast.AnyNode | null)[]): number | null => {
    let deepest = 0;
    for (const one of nodes) {
      const depth = one === null ? null : depthOf(one, names, values);
      if (depth === null) return null;
      deepest = Math.max(deepest, depth);
    }
    return nodes.length === 0 ? null : deepest;
  };
  const plain = (nodes: readonly ast.AnyNode[]): number | null => (all(nodes) === 0 ? 0 : null);
  const inside = (nodes: readonly (ast.AnyNode | null)[]): number | null => {
    const depth = all(nodes);
    return depth === null ? null : depth + 1;
  };
  switch (node.type) {
    case 'Literal':
      return 'regex' in node ? null : 0;
    case 'TemplateLiteral':
      return node.expressions.length === 0 ? 0 : plain(node.expressions);
    case 'UnaryExpression':
      return plain([node.argument]);
    case 'BinaryExpression':
      return plain([node.left, node.right]);
    case 'ConditionalExpression':
      return plain([node.test, node.consequent, node.alternate]);
    case 'ParenthesizedExpression':
      return depthOf(node.expression, names, values);
    case 'MemberExpression':
      return isOfMath(node) && !isRandom(node) ? 0 : null;
    case 'CallExpression':
      return isOfMath(node.callee) ? plain(node.arguments) : null;
    case 'ArrayExpression':
      return inside(node.elements);
    case 'ObjectExpression':
      return inside(
        node.properties.map((one) => (one.type === 'Property' && !one.computed ? one.value : null)),
      );
    case 'NewExpression':
      return node.callee.type === 'Identifier' && NUMBERS.has(node.callee.name) ? 1 : null;
    case 'Identifier': {
      const binding = names.bindings.get(node);
      const content = binding === undefined ? undefined : contentOf(binding, names, values);
      return typeof content === 'object' && content !== null && content.depth === 0 ? 0 : null;
    }
    default:
      return null;
  }
}

const isOfMath = (node: ast.AnyNode): node is ast.MemberExpression =>
  node.type === 'MemberExpression' && node.object.type === 'Identifier' && node.object.name === 'Math';

/** Initial values of the variables that a module declares. */
type Values = ReadonlyMap<Binding, ast.AnyNode>;

function contentOf(binding: Binding, names: Names, values: Values): Content | null {
  const value = values.get(binding);
  if (binding.reassigned !== null || value === undefined) return null;
  if (isFunction(value)) return 'function';
  const depth = depthOf(value, names, values);
  return depth === null ? null : { depth };
}

function initialValues(program: ast.Program, names: Names): Values {
  const values = new Map<Binding, ast.AnyNode>();
  const enter = (id: ast.AnyNode | null, value: ast.AnyNode): void => {
    const binding = id?.type === 'Identifier' ? names.bindings.get(id) : undefined;
    if (binding !== undefined) values.set(binding, value);
  };
  for (const node of program.body) {
    if (node.type === 'FunctionDeclaration') enter(node.id, node);
    if (node.type !== 'VariableDeclaration') continue;
    for (const { id, init } of node.declarations) if (init) enter(id, init);
  }
  return values;
}

/**
 * Whether a variable may be mentioned in a place of a function.
 * @param around nodes around it, from the outside to the inside
 */
function isHarmless(content: Content | null, node: ast.AnyNode, around: readonly ast.AnyNode[]): boolean {
  if (content === null) return false;
  let inner = node;
  let levels = 0;
  let k = around.length - 1;
  for (; k >= 0; k--) {
    const parent = around[k];
    if (parent.type !== 'MemberExpression' || parent.object !== inner) break;
    inner = parent;
    levels++;
  }
  // The transpiler calls what is exported by `exports.f.call(…)`.
  if (content === 'function')
    return isCallee(inner, around[k]) && (levels === 0 || (levels === 1 && isCall(inner)));
  if (content.depth === 0) return true;
  const parent = around[k];
  const isChanged =
    (parent.type === 'AssignmentExpression' && parent.left === inner) ||
    parent.type === 'UpdateExpression' ||
    (parent.type === 'UnaryExpression' && parent.operator === 'delete') ||
    (parent.type === 'CallExpression' && parent.callee === inner) ||
    parent.type.endsWith('Pattern') ||
    parent.type.startsWith('For');
  const isLength =
    inner.type === 'MemberExpression' &&
    !inner.computed &&
    inner.property.type === 'Identifier' &&
    inner.property.name === 'length';
  return !isChanged && (levels >= content.depth || (levels > 0 && isLength));
}

const isCallee = (node: ast.AnyNode, parent: ast.AnyNode | undefined): boolean =>
  parent?.type === 'CallExpression' && parent.callee === node;

const isCall = (node: ast.AnyNode): boolean =>
  node.type === 'MemberExpression' &&
  !node.computed &&
  node.property.type === 'Identifier' &&
  node.property.name === 'call';

function isModuleMemoryless(module: Module): boolean {
  const { program, locals, exportNodes } = module;
  const names = resolveNames(program);
  if ([...names.assignedGlobals.keys()].some((name) => name !== 'exports')) return false;
  const values = initialValues(program, names);
  const named = new Map([...values.keys()].map((binding) => [binding.name, binding]));
  const contents = new Map<Binding, Content | null>();
  const known = (binding: Binding): Content | null => {
    let content = contents.get(binding);
    if (content === undefined) contents.set(binding, (content = contentOf(binding, names, values)));
    return content;
  };
  const exported = (name: string): Content | null => {
    const binding = named.get(locals.get(name) ?? name);
    return binding === undefined ? null : known(binding);
  };
  if (exportNodes.some(({ name }) => exported(name) !== 'function')) return false;
  const around: ast.AnyNode[] = [];
  const isFine = (node: ast.AnyNode): boolean => {
    if (node.type === 'ThisExpression') return false;
    if (node.type !== 'Identifier') {
      around.push(node);
      const are = childrenOf(node).every(isFine);
      around.pop();
      return are;
    }
    const parent = around.at(-1);
    const isKey =
      (parent?.type === 'MemberExpression' && parent.property === node && !parent.computed) ||
      (parent?.type === 'Property' && parent.key === node && !parent.computed && !parent.shorthand);
    if (isKey) return true;
    const binding = names.bindings.get(node);
    if (binding === undefined) {
      if (node.name === 'Math') return parent?.type === 'MemberExpression' && !isRandom(parent);
      if (node.name !== 'exports') return MEMORYLESS.has(node.name);
      const member = parent?.type === 'MemberExpression' && !parent.computed ? parent : null;
      if (member?.property.type !== 'Identifier') return false;
      return isHarmless(exported(member.property.name), member, around.slice(0, -1));
    }
    if (binding.node === node) return true;
    const { owner } = binding;
    // A function of the module by the name that it has inside.
    if (owner?.ownName === binding && owner.parent === null) return isCallee(node, parent);
    if (owner !== null) return true;
    return isHarmless(known(binding), node, around);
  };
  const areFunctionsFine = (node: ast.AnyNode): boolean =>
    isFunction(node) ? isFine(node) : childrenOf(node).every(areFunctionsFine);
  return areFunctionsFine(program);
}

/** `Math.random` has a memory of its own. */
const isRandom = ({ computed, property }: ast.MemberExpression): boolean =>
  computed || (property.type === 'Identifier' && property.name === 'random');

/** Whether no script with functions keeps anything from one call to the next; builders are called once. */
export const areMemoryless = ({ read, issues, section }: ScriptSources): boolean =>
  issues.length === 0 &&
  read.every((script) => section[script.index].role === 'builder' || isModuleMemoryless(new Module(script)));
