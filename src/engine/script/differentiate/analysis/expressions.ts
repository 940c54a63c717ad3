/** The activity analysis of expressions: what they may be, and what they do to variables and objects. */
import type * as ast from 'acorn';
import { childrenOf, isFunction, keyOf, staticKey } from '../../source/scopes';
import { Refusal } from '../refusal';
import type { Analysis } from './analysis';
import { FORBIDDEN_KEYS, SIZES } from './builtins';
import { assign, assignPattern, copyFields } from './calls';
import { type Thing, type Value, hasSlots } from './values';

const ARITHMETIC: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '**']);

function readAll(analysis: Analysis, nodes: readonly ast.AnyNode[]): Value[] {
  return nodes.map((node) => analysis.read(node));
}

/** Reads an expression into what it may be. */
export function analyseExpression(analysis: Analysis, node: ast.AnyNode, value: Value): void {
  const { store } = analysis;
  switch (node.type) {
    case 'Literal':
      if (typeof node.value === 'string') value.isText = true;
      if (node.regex) store.add(value, store.thing('constant', node));
      return;
    case 'Identifier':
      readName(analysis, node, value);
      return;
    case 'ArrayExpression':
      readArray(analysis, node, value);
      return;
    case 'ObjectExpression':
      readObject(analysis, node, value);
      return;
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      store.add(value, analysis.functionThing(node));
      return;
    case 'UnaryExpression':
      readUnary(analysis, node, value);
      return;
    case 'UpdateExpression': {
      const old = analysis.read(node.argument);
      if (old.isActive) store.activate(value);
      assign(analysis, node.argument, value, node);
      return;
    }
    case 'BinaryExpression':
      readBinary(analysis, node, node.operator, analysis.read(node.left), analysis.read(node.right), value);
      return;
    case 'LogicalExpression':
      store.merge(value, analysis.read(node.left));
      store.merge(value, analysis.read(node.right));
      return;
    case 'ConditionalExpression':
      analysis.read(node.test);
      store.merge(value, analysis.read(node.consequent));
      store.merge(value, analysis.read(node.alternate));
      return;
    case 'AssignmentExpression':
      readAssignment(analysis, node, value);
      return;
    case 'SequenceExpression':
      for (const part of readAll(analysis, node.expressions).slice(-1)) store.merge(value, part);
      return;
    case 'MemberExpression':
      readMember(analysis, node, value);
      return;
    case 'CallExpression':
      analysis.readers.call(analysis, node, value);
      return;
    case 'NewExpression':
      analysis.readers.construction(analysis, node, value);
      return;
    case 'ParenthesizedExpression':
      store.merge(value, analysis.read(node.expression));
      return;
    case 'ChainExpression':
      store.merge(value, analysis.read(node.expression));
      analysis.opaque(node, [value], 'An optional chain with “?.”');
      return;
    case 'TemplateLiteral':
      value.isText = true;
      analysis.opaque(node, readAll(analysis, node.expressions), 'A text made of a number');
      return;
    case 'SpreadElement':
      store.merge(value, analysis.read(node.argument));
      return;
    case 'ThisExpression':
    case 'Super':
    case 'MetaProperty':
      analysis.refuseInside(
        node,
        'derivative-this',
        '“this” cannot be followed.',
        'Pass what it stands for as an argument.',
      );
      store.add(value, store.thing('constant', node));
      return;
    default:
      readUnknown(analysis, node, value);
  }
}

/** Constructs that are not followed: classes, tagged templates, and what else the language has. */
function readUnknown(analysis: Analysis, node: ast.AnyNode, value: Value): void {
  analysis.refuseInside(node, 'derivative-construct', 'This construct cannot be differentiated.');
  for (const child of childrenOf(node)) if (child.type === 'Identifier') analysis.read(child);
  analysis.store.add(value, analysis.store.thing('constant', node));
}

function readName(analysis: Analysis, node: ast.Identifier, value: Value): void {
  const { store } = analysis;
  const binding = analysis.names.bindings.get(node);
  if (binding !== undefined) {
    store.merge(value, store.variable(binding));
    if (binding.kind === 'other') store.add(value, store.thing('constant', binding.node));
    return;
  }
  if (node.name === 'undefined' || node.name === 'NaN' || node.name === 'Infinity') return;
  if (node.name === 'arguments') {
    analysis.forbid(
      node,
      'derivative-arguments',
      '“arguments” cannot be followed.',
      'Name the arguments instead.',
    );
  }
  store.add(value, analysis.globalThing(node));
}

function readArray(analysis: Analysis, node: ast.ArrayExpression, value: Value): void {
  const thing = analysis.allocate('array', node, value);
  let isIndexed = true;
  node.elements.forEach((element, i) => {
    if (element === null) return;
    if (element.type === 'SpreadElement') {
      isIndexed = false;
      analysis.readEach(analysis.read(element), thing.elements);
    } else {
      analysis.store.merge(
        isIndexed ? analysis.store.field(thing, String(i)) : thing.elements,
        analysis.read(element),
      );
    }
  });
}

function readObject(analysis: Analysis, node: ast.ObjectExpression, value: Value): void {
  const thing = analysis.allocate('object', node, value);
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      copyFields(analysis, analysis.read(property.argument), thing);
      continue;
    }
    const key = keyOf(property);
    if (property.kind !== 'init' || (key !== null && FORBIDDEN_KEYS.has(key))) {
      analysis.refuseInside(
        property,
        'derivative-accessor',
        'Accessors and prototypes cannot be differentiated.',
      );
      continue;
    }
    if (property.computed) analysis.read(property.key);
    analysis.store.merge(
      key === null ? thing.elements : analysis.store.field(thing, key),
      analysis.read(property.value),
    );
  }
}

function readUnary(analysis: Analysis, node: ast.UnaryExpression, value: Value): void {
  const argument = analysis.read(node.argument);
  if (node.operator === 'typeof') value.isText = true;
  if (node.operator === 'delete') analysis.opaque(node, [argument], '“delete”');
  if (node.operator !== '-' && node.operator !== '+') return;
  if (argument.isActive) analysis.store.activate(value);
  analysis.requireNumbers(node, [argument]);
}

function readBinary(
  analysis: Analysis,
  node: ast.AnyNode,
  operator: string,
  left: Value,
  right: Value,
  value: Value,
): void {
  if (!ARITHMETIC.has(operator)) return;
  analysis.requireNumbers(node, [left, right]);
  if (operator === '+' && (left.isText || right.isText)) {
    value.isText = true;
    analysis.opaque(node, [left, right], 'A text made of a number');
    return;
  }
  if (left.isActive || right.isActive) analysis.store.activate(value);
}

function readAssignment(analysis: Analysis, node: ast.AssignmentExpression, value: Value): void {
  const { store } = analysis;
  const right = analysis.read(node.right);
  if (node.operator === '=') {
    store.merge(value, right);
  } else {
    const left = analysis.read(node.left);
    if (node.operator === '&&=' || node.operator === '||=' || node.operator === '??=') {
      store.merge(value, left);
      store.merge(value, right);
    } else {
      readBinary(analysis, node, node.operator.slice(0, -1), left, right, value);
    }
  }
  if (node.left.type === 'Identifier' || node.left.type === 'MemberExpression')
    assign(analysis, node.left, value, node);
  else assignPattern(analysis, node.left, value, false);
}

function readMember(analysis: Analysis, node: ast.MemberExpression, value: Value): void {
  const object = analysis.read(node.object);
  if (node.computed) analysis.read(node.property);
  const key = staticKey(node);
  if (key !== null && FORBIDDEN_KEYS.has(key)) {
    analysis.opaque(node, [object], `“${key}”`);
    analysis.store.add(value, analysis.store.thing('constant', node));
    return;
  }
  for (const thing of object.objects) readSlot(analysis, node, thing, key, value);
}

function readSlot(
  analysis: Analysis,
  node: ast.MemberExpression,
  thing: Thing,
  key: string | null,
  value: Value,
): void {
  if (thing.kind === 'math') {
    if (key === null)
      analysis.refuseInside(node, 'derivative-unknown', 'A computed function of Math cannot be followed.');
    else if (key !== key.toUpperCase()) analysis.store.add(value, analysis.mathThing(key));
    return;
  }
  if (key !== null && SIZES.has(key) && thing.kind !== 'object') return;
  const isIndex = key === null || /^\d+$/.test(key);
  if (
    !isIndex &&
    (thing.kind === 'argument' ? thing.elements.isActive : hasSlots(thing) && thing.kind !== 'object')
  ) {
    // A property of an array other than its elements, such as `buffer`, may give them away.
    analysis.require(node, () =>
      thing.isShadowed
        ? new Refusal(node, 'derivative-unknown', `“${key}” of an array cannot be differentiated.`)
        : null,
    );
    return;
  }
  analysis.store.read(value, thing, key);
}

/* The activity analysis of statements: every branch is taken, in any order. */

function declare(analysis: Analysis, node: ast.VariableDeclaration): void {
  for (const { id, init } of node.declarations) {
    if (!init) {
      // The variable of a for-of loop gets its value there.
      continue;
    }
    analysis.isChannel =
      analysis.current === null && id.type === 'Identifier' && analysis.channels.has(id.name);
    assignPattern(analysis, id, analysis.read(init), true);
    analysis.isChannel = false;
  }
}

function analyseLoop(analysis: Analysis, node: ast.ForOfStatement | ast.ForInStatement): void {
  const { left, right, body } = node;
  const array = analysis.read(right);
  const element = analysis.at(left);
  if (node.type === 'ForOfStatement') {
    if (node.await) analysis.forbid(node, 'derivative-generator', '“for await” has no derivative.');
    analysis.readEach(array, element);
  }
  if (left.type === 'VariableDeclaration') assignPattern(analysis, left.declarations[0].id, element, true);
  else if (left.type === 'Identifier' || left.type === 'MemberExpression')
    assign(analysis, left, element, left);
  else assignPattern(analysis, left, element, false);
  analyseStatement(analysis, body);
}

/** Reads a statement. */
export function analyseStatement(analysis: Analysis, node: ast.AnyNode): void {
  const each = (statements: readonly ast.AnyNode[]): void => {
    for (const statement of statements) analyseStatement(analysis, statement);
  };
  if (isFunction(node) && node.type === 'FunctionDeclaration') {
    const binding = analysis.bindingOf(node.id);
    if (binding) analysis.store.add(analysis.store.variable(binding), analysis.functionThing(node));
    return;
  }
  switch (node.type) {
    case 'BlockStatement':
      // Declarations first: functions may be called above the place where they stand.
      each(node.body.filter(({ type }) => type === 'FunctionDeclaration'));
      each(node.body.filter(({ type }) => type !== 'FunctionDeclaration'));
      return;
    case 'EmptyStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'DebuggerStatement':
      return;
    case 'ExpressionStatement':
      analysis.read(node.expression);
      return;
    case 'VariableDeclaration':
      declare(analysis, node);
      return;
    case 'ReturnStatement':
      if (node.argument && analysis.current !== null) {
        analysis.store.merge(analysis.factsOf(analysis.current).returns, analysis.read(node.argument));
      }
      return;
    case 'IfStatement':
      analysis.read(node.test);
      analyseStatement(analysis, node.consequent);
      if (node.alternate) analyseStatement(analysis, node.alternate);
      return;
    case 'ForStatement':
      if (node.init) {
        if (node.init.type === 'VariableDeclaration') declare(analysis, node.init);
        else analysis.read(node.init);
      }
      if (node.test) analysis.read(node.test);
      if (node.update) analysis.read(node.update);
      analyseStatement(analysis, node.body);
      return;
    case 'ForOfStatement':
    case 'ForInStatement':
      analyseLoop(analysis, node);
      return;
    case 'WhileStatement':
    case 'DoWhileStatement':
      analysis.read(node.test);
      analyseStatement(analysis, node.body);
      return;
    case 'LabeledStatement':
      analyseStatement(analysis, node.body);
      return;
    case 'SwitchStatement':
      analysis.read(node.discriminant);
      for (const { test, consequent } of node.cases) {
        if (test) analysis.read(test);
        each(consequent);
      }
      return;
    case 'ThrowStatement':
      // What is thrown leaves the function: it is not read.
      return;
    case 'TryStatement':
      analysis.refuseInside(
        node,
        'derivative-try',
        '“try” cannot be differentiated: what is thrown inside may leave a value without its derivative.',
        'Test for the exceptional case with “if” instead.',
      );
      each([
        node.block,
        ...(node.handler ? [node.handler.body] : []),
        ...(node.finalizer ? [node.finalizer] : []),
      ]);
      return;
    case 'ClassDeclaration':
      analysis.refuseInside(
        node,
        'derivative-construct',
        'Classes cannot be differentiated.',
        'Use functions and plain objects.',
      );
      return;
    default:
      analysis.refuseInside(node, 'derivative-construct', 'This statement cannot be differentiated.');
  }
}
