/** Statements of functions of time. Loops and branches go the way their numbers say. */
import type * as ast from 'acorn';
import { type FunctionInfo, functionOf } from '../differentiate/scopes';
import { evaluate, isTrue } from './expressions';
import { NOTHING, type Reading, type Value } from './reading';

/** What a statement returned; null when the next one follows. */
type Outcome = Value | null;

function block(reading: Reading, statements: readonly ast.AnyNode[]): Outcome {
  for (const node of statements) {
    if (node.type !== 'FunctionDeclaration' || !node.id) continue;
    reading.declare(node.id, { kind: 'function', info: functionOf(reading.script.names, node) });
  }
  for (const node of statements) {
    const outcome = execute(reading, node);
    if (outcome !== null) return outcome;
  }
  return null;
}

function declaration(reading: Reading, { kind, declarations }: ast.VariableDeclaration): void {
  // A variable of the whole function keeps what it had when its block is entered again.
  if (kind !== 'let' && kind !== 'const') reading.refuse('it declares a variable with “var”');
  for (const { id, init } of declarations) reading.declare(id, init ? evaluate(reading, init) : NOTHING);
}

function loop(reading: Reading, { init, test, update, body }: ast.ForStatement): Outcome {
  if (init?.type === 'VariableDeclaration') declaration(reading, init);
  else if (init) evaluate(reading, init);
  while (!test || isTrue(reading, test)) {
    const outcome = execute(reading, body);
    if (outcome !== null) return outcome;
    if (update) evaluate(reading, update);
  }
  return null;
}

function execute(reading: Reading, node: ast.AnyNode): Outcome {
  reading.step(node);
  switch (node.type) {
    case 'BlockStatement':
      return block(reading, node.body);
    case 'EmptyStatement':
    case 'FunctionDeclaration':
      return null;
    case 'ExpressionStatement':
      evaluate(reading, node.expression);
      return null;
    case 'VariableDeclaration':
      declaration(reading, node);
      return null;
    case 'ReturnStatement':
      return node.argument ? evaluate(reading, node.argument) : NOTHING;
    case 'IfStatement':
      if (isTrue(reading, node.test)) return execute(reading, node.consequent);
      return node.alternate ? execute(reading, node.alternate) : null;
    case 'ForStatement':
      return loop(reading, node);
    default:
      return reading.refuse('it contains more than arithmetic');
  }
}

/** Follows the body of a function whose arguments are known. @returns what it returns */
export function followBody(reading: Reading, { node }: FunctionInfo): Value {
  if (node.body.type !== 'BlockStatement') return evaluate(reading, node.body);
  return block(reading, node.body.body) ?? NOTHING;
}
