/** What is recognised of functions of time in a script, and their values as the sandbox computes them. */
import { type AnalyticFunction, termAt } from '@engine/model/analytic-function';
import { recognise, type Recognition } from '@engine/script/analytic/recognise';
import { sandbox, transpile } from '../differentiate/support';

export type Parameters = Readonly<Record<string, number>>;

/** Reads the function `f` of a script. */
export const read = (source: string, length = 1, parameters: Parameters = {}): Recognition =>
  recognise(transpile(source), 'f', length, parameters);

/** The terms of `f`. @throws when it is not recognised */
export function recognised(source: string, length = 1, parameters: Parameters = {}): AnalyticFunction {
  const found = read(source, length, parameters);
  if (!found.ok) throw new Error(`line ${found.line}: ${found.reason}\n${source}`);
  return found.entries;
}

export const valuesAt = (f: AnalyticFunction, t: number): number[] =>
  f.map((terms) => terms.reduce((sum, term) => sum + termAt(term, t), 0));

/** The function itself, run. */
export function executed(source: string, length: number, parameters: Parameters): (t: number) => number[] {
  const { f } = sandbox.evaluate(transpile(source)) as Record<
    string,
    (t: number, out: Float64Array, p: Parameters) => void
  >;
  return (t) => {
    const out = new Float64Array(length);
    f(t, out, parameters);
    return [...out];
  };
}
