/**
 * Functions of time whose source says that they are sums of t^k e^(σt) (p cos ωt + q sin ωt): what a force of a script has to be for
 * the motion it drives to be a matrix exponential. The source is read, never executed; parameters are numbers.
 *
 * Read are arithmetic, Math.sin, cos, exp and pow, powers with integer exponents, local variables, functions of the script, loops
 * and branches that depend on numbers alone. A function that is not recognised is nothing wrong: its motion is integrated.
 */
import { parse } from 'acorn';
import type { AnalyticFunction } from '../../model/analytic-function';
import { lineAt, scriptText } from '../differentiate/refusal';
import { resolveNames } from '../differentiate/scopes';
import type { TranspiledScript } from '../transpile';
import { NotAnalytic, TIME } from './algebra';
import { evaluate } from './expressions';
import { type ParsedScript, parsedScript, Reading } from './reading';
import { followBody } from './statements';

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
 * @returns what it fills `out` with, or why that is not known; never throws for a script
 */
export function recognise(
  script: TranspiledScript,
  name: string,
  length: number,
  parameters: Readonly<Record<string, number>>,
): Recognition {
  let reading: Reading | null = null;
  try {
    reading = new Reading(open(script), parameters, length, followBody, evaluate);
    const value = reading.export(name);
    if (value.kind !== 'function' || value.info.parent !== null) reading.refuse(`“${name}” is no function`);
    else
      reading.call(value.info, [
        { kind: 'number', terms: TIME },
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
