/** The activity analysis of statements: every branch is taken, in any order. */
import type * as ast from 'acorn';
import type { Analysis } from './analysis';
import { assign, assignPattern } from './analyse-assignments';
import { isFunction } from './scopes';

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
