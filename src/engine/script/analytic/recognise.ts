/**
 * Functions of time whose source says that they are sums of t^k e^(σt) (p cos ωt + q sin ωt): what a force of
 * a script has to be for the motion it drives to be a matrix exponential. The source is read, never executed;
 * parameters are numbers.
 *
 * Read are arithmetic, Math.sin, cos, exp and pow, powers with integer exponents, local variables, functions
 * of the script, loops and branches that depend on numbers alone. A function that is not recognised is
 * nothing wrong: its motion is integrated.
 */
import type * as ast from 'acorn';
import { parse } from 'acorn';
import type { AnalyticFunction } from '../../model/analytic-function';
import { lineAt, scriptText } from '../differentiate/refusal';
import { type FunctionInfo, functionOf, resolveNames } from '../source/scopes';
import type { TranspiledScript } from '../transpile';
import { NotAnalytic, TIME } from './algebra';
import {
  NO_FORM,
  type ParsedScript,
  Reading,
  type FormValue,
  evaluate,
  isTrue,
  parsedScript,
} from './expressions';

/* Statements of functions of time. Loops and branches go the way their numbers say. */

/** What a statement returned; null when the next one follows. */
type Outcome = FormValue | null;

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
  for (const { id, init } of declarations) reading.declare(id, init ? evaluate(reading, init) : NO_FORM);
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
      return node.argument ? evaluate(reading, node.argument) : NO_FORM;
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
function followBody(reading: Reading, { node }: FunctionInfo): FormValue {
  if (node.body.type !== 'BlockStatement') return evaluate(reading, node.body);
  return block(reading, node.body.body) ?? NO_FORM;
}

export type Recognition =
  | { readonly ok: true; readonly entries: AnalyticFunction }
  /** 1-based line of the script as it is transpiled, and why */
  | { readonly ok: false; readonly line: number; readonly reason: string };

/** Several functions of one script are asked for: it is parsed once. */
const parsed = new WeakMap<TranspiledScript, ParsedScript>();

function open(script: TranspiledScript): ParsedScript {
  const known = parsed.get(script);
  if (known !== undefined) return known;
  const program = parse(script.code, {
    ecmaVersion: 'latest',
    sourceType: 'script',
    allowReturnOutsideFunction: true,
  });
  const result = parsedScript(program, resolveNames(program));
  parsed.set(script, result);
  return result;
}

/**
 * Reads the exported function (t, out, parameters).
 * @param length entries of `out`
 * @param takesState whether it is (t, q, out, parameters), of which one that uses q is none of time
 * @returns what it fills `out` with, or why that is not known; never throws for a script
 */
export function recognise(
  script: TranspiledScript,
  name: string,
  length: number,
  parameters: Readonly<Record<string, number>>,
  takesState = false,
): Recognition {
  let reading: Reading | null = null;
  try {
    reading = new Reading(open(script), parameters, length, followBody, evaluate);
    const value = reading.export(name);
    if (value.kind !== 'function' || value.info.parent !== null) reading.refuse(`“${name}” is no function`);
    else
      reading.call(value.info, [
        { kind: 'number', terms: TIME },
        ...(takesState ? [NO_FORM] : []),
        { kind: 'entries' },
        { kind: 'parameters' },
      ]);
    return { ok: true, entries: reading.entries };
  } catch (error) {
    const line = reading === null ? 1 : lineAt(scriptText(script.code), reading.position);
    if (error instanceof NotAnalytic) return { ok: false, line, reason: error.message };
    // Expressions are followed by recursion; so are they by the parser, which has errors of its own.
    if (error instanceof RangeError || error instanceof SyntaxError)
      return { ok: false, line, reason: 'the script cannot be read' };
    throw error;
  }
}
