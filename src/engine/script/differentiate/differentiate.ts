/**
 * Derivatives of script functions by forward-mode automatic differentiation, as a transformation of their
 * source: the generated code runs in the sandbox beside the script, computes the values by the same
 * operations, so with the same bits, and their tangents along with them.
 *
 * Griewank and Walther 2008, chapters 3 and 6. Several directions at once share the values of one sweep:
 * Revels, Lubin and Papamarkou 2016.
 */
import { parse, type Program } from 'acorn';
import type { TranspiledScript } from '../transpile';
import { analyseCall, analyseNew, assignPattern } from './analysis/calls';
import { analyseExpression, analyseStatement } from './analysis/expressions';
import { Analysis, type Readers, decideShadows } from './analysis/analysis';
import { FORBIDDEN_NAMES, RESERVED_NAMES } from './analysis/builtins';
import { Generator, type Line } from './generator';
import { calledFunctionsOf } from './analysis/callees';
import { generateEntry, type EntryRequest } from './entry';
import { generateFunction } from './generate-function';
import { defectOf, lineAt, Refusal, scriptText, type DerivativeDefect, type ScriptText } from './refusal';
import { resolveNames, type FunctionInfo, type Names } from '../source/scopes';

export type { DerivativeDefect } from './refusal';

/** What to differentiate, by what, and in which form. */
export interface DerivativeRequest {
  /** name of an exported function */
  readonly function: string;
  /** number of arguments it is called with; as many as it declares when left out */
  readonly arguments?: number;
  /** index of the argument to differentiate by */
  readonly argument: number;
  /** whether that argument is an array of numbers or one number; `vector` when left out */
  readonly shape?: 'vector' | 'scalar';
  /** index of the array argument the function fills, or `return` when it returns a number */
  readonly result: number | 'return';
  /**
   * `jacobian` makes `(…arguments, jacobian)`, which fills `jacobian` row by row; `direction` makes
   * `(…arguments, direction, tangent)`, which fills `tangent` with the derivative along `direction` (a number
   * for a scalar argument). Both compute the function itself too. `jacobian` when left out.
   */
  readonly kind?: 'jacobian' | 'direction';
}

/** Code that computes a derivative, to be appended to its script. */
export interface Derivative {
  /** name under which the script with the derivative exports it */
  readonly name: string;
  readonly code: string;
  /** for each line of `code` the line of the user's source it stands for */
  readonly lines: readonly number[];
  /** variables it keeps between calls */
  readonly channels: readonly string[];
}

export type DerivativeResult =
  ({ readonly ok: true } & Derivative) | { readonly ok: false; readonly defect: DerivativeDefect };

const TOO_DEEP: DerivativeDefect = {
  code: 'derivative-too-deep',
  message: 'The script nests its expressions too deeply to be differentiated.',
  remedy: 'Divide long expressions, or use a loop.',
  line: 1,
  column: 1,
};

/**
 * Directions followed in one sweep: tangents of four directions still fit the registers, and arms have few
 * joints.
 */
const LANES = 4;

const READERS: Readers = {
  expression: analyseExpression,
  pattern: assignPattern,
  statement: analyseStatement,
  call: analyseCall,
  construction: analyseNew,
  shadows: decideShadows,
};

interface OpenScript {
  readonly program: Program;
  readonly names: Names;
  readonly text: ScriptText;
}

/** Several derivatives are asked of one script: it is read once. */
const opened = new WeakMap<TranspiledScript, OpenScript>();

function open(script: TranspiledScript): OpenScript {
  const known = opened.get(script);
  if (known !== undefined) return known;
  const text = scriptText(script.code);
  const program = read(script.code);
  const result = { program, names: resolveNames(program), text };
  opened.set(script, result);
  return result;
}

function read(code: string): Program {
  try {
    return parse(code, { ecmaVersion: 'latest', sourceType: 'script', allowReturnOutsideFunction: true });
  } catch (error) {
    const { message, pos } = error as { message: string; pos?: number };
    // The parser says it in its own words when its recursion ends.
    if (error instanceof RangeError || message.startsWith('Not enough stack')) throw new RangeError(message);
    const place = { type: 'Program', start: pos ?? 0, end: (pos ?? 0) + 1 };
    throw new Refusal(
      place,
      'derivative-syntax',
      `The script cannot be read: ${message}.`,
      'Correct the syntax at this place.',
    );
  }
}

/** Generated code relies on a few names, and some names lead out of what can be followed. */
function checkNames({ declared, globals, assignedGlobals }: Names): void {
  for (const name of RESERVED_NAMES) {
    const node = declared.get(name) ?? assignedGlobals.get(name);
    if (node !== undefined) {
      throw new Refusal(
        node,
        'derivative-redefined',
        `The script gives “${name}” another meaning.`,
        'Choose another name.',
      );
    }
  }
  for (const name of FORBIDDEN_NAMES) {
    const node = globals.get(name);
    if (node !== undefined) {
      throw new Refusal(
        node,
        'derivative-unknown',
        `What “${name}” does cannot be followed.`,
        'Do without it in a script whose functions are differentiated.',
      );
    }
  }
}

/** A name no text of the script contains, so that no generated name can meet one of the user's. */
function freePrefix(
  code: string,
  { function: name, argument, result, kind = 'jacobian' }: DerivativeRequest,
): string {
  const base = `$${name.replaceAll(/[^A-Za-z0-9]/g, '_')}_${argument}_${result}_${kind === 'jacobian' ? 'J' : 'D'}`;
  let prefix = base;
  while (code.includes(prefix)) prefix += '$';
  return prefix;
}

/** The exported function itself. */
function exportedFunction(analysis: Analysis, name: string): FunctionInfo {
  const value = analysis.exported(name);
  const functions = value === undefined ? null : calledFunctionsOf(value);
  if (value === undefined) {
    throw new Refusal(
      null,
      'derivative-no-function',
      `The script exports no “${name}”.`,
      'Export a function of this name.',
    );
  }
  if (functions?.length !== 1 || functions[0].parent !== null) {
    const place = [...value.objects].find(({ node }) => node !== null)?.node ?? null;
    throw new Refusal(
      place,
      'derivative-no-function',
      `“${name}” is not one function whose source stands in the script.`,
      'Write it as one exported function.',
    );
  }
  return functions[0];
}

function derive(script: TranspiledScript, request: DerivativeRequest): Derivative {
  const { program, names, text } = open(script);
  checkNames(names);
  const { argument, shape = 'vector', result, kind = 'jacobian' } = request;
  const analysis = new Analysis(names, program, new Set(script.channels ?? []), READERS);
  analysis.readAllCalled();
  const info = exportedFunction(analysis, request.function);
  const count =
    request.arguments ??
    Math.max(info.node.params.length, argument + 1, result === 'return' ? 0 : result + 1);
  const entry: EntryRequest = { arguments: count, argument, shape, result, kind };
  analysis.enter(info, entry);
  analysis.readAllCalled();
  analysis.conclude();
  const { returns } = analysis.factsOf(info);
  if (result === 'return' && returns.isShadowed && returns.objects.size > 0) {
    throw new Refusal(
      info.node,
      'derivative-result',
      `“${request.function}” returns an array or object.`,
      'Return a number, or fill an array argument.',
    );
  }
  const prefix = freePrefix(script.code, request);
  const lanes = kind === 'jacobian' && shape === 'vector' ? LANES : 1;
  const module = new Generator(analysis, text, prefix, lanes, primalName(request.function));
  const line = lineAt(text, info.node.start);
  const lines = module.finish(generateEntry(module, info, entry, prefix, line), (called, name) =>
    generateFunction(module, called, name),
  );
  return { name: prefix, ...layOut(lines, script), channels: module.channels() };
}

const primalName = (name: string): string => `exports[${JSON.stringify(name)}]`;

/** Joins the lines, and says of each which line of the user it stands for. */
function layOut(
  generated: readonly Line[],
  { lines: before }: TranspiledScript,
): { code: string; lines: number[] } {
  const lines: number[] = [];
  const code = generated.map(({ text, line }) => {
    const rows = text.split('\n').length;
    for (let i = 0; i < rows; i++) lines.push(before?.[line + i - 1] ?? line + i);
    return text;
  });
  return { code: code.join('\n'), lines };
}

/**
 * Generates the derivative of an exported function of a script, without running anything of it.
 * @returns the code to be appended with `withDerivatives`, or why there is none and where; never throws for a
 *   script
 */
export function differentiate(script: TranspiledScript, request: DerivativeRequest): DerivativeResult {
  try {
    return { ok: true, ...derive(script, request) };
  } catch (error) {
    // Expressions are followed by recursion; the engine of the language has the last word on how deep.
    if (error instanceof RangeError) return { ok: false, defect: TOO_DEEP };
    if (!(error instanceof Refusal)) throw error;
    return {
      ok: false,
      defect: defectOf(error, opened.get(script)?.text ?? scriptText(script.code), script),
    };
  }
}

/**
 * A script together with derivatives of its functions, to be evaluated in one compartment. The result can be
 * differentiated again, for second derivatives.
 */
export function withDerivatives(
  script: TranspiledScript,
  derivatives: readonly Derivative[],
): TranspiledScript {
  const own = script.code.split('\n').length;
  const lines = [...(script.lines ?? Array.from({ length: own }, (_, i) => i + 1))];
  const parts = [script.code];
  const names = new Set<string>();
  for (const { name, code, lines: of } of derivatives) {
    // Two requests for the same derivative are one.
    if (names.has(name)) continue;
    names.add(name);
    parts.push(code);
    lines.push(...of);
  }
  return {
    ...script,
    code: parts.join('\n'),
    exports: [...script.exports, ...names],
    lines,
    channels: [...(script.channels ?? []), ...derivatives.flatMap(({ channels }) => channels)],
  };
}
