/** Names in expressions that are no parameters: what is said of them, and what mends it. */
import { closest } from '../closest';
import { ExpressionError } from './expression-error';
import type { Expression, Mend } from './types';

const TIME = 't';
const IDENTIFIER = /^[A-Za-z_]\w*$/;
const SUBMODEL = /^\/submodels\/\d+/;

export const CORRECT = 'Correct the expression, or add the parameter it names.';

function remedyForName(path: string): string {
  if (path.includes('.'))
    return 'Numbers know parameters only. Forces, sources and controls that follow outputs of control blocks are written {"signals": ["pid.u"]}.';
  if (path === TIME)
    return 'This number is read once, before the run. Forces, sources, offsets and prescribed motions take expressions of the time t; where another field can vary, a script function does it: {"function": "name"}.';
  return CORRECT;
}

/** A name that is no parameter. */
export class UnknownNameError extends ExpressionError {
  constructor(
    readonly path: string,
    readonly known: readonly string[],
  ) {
    super(
      known.length === 0
        ? `“${path}” is not a parameter; the model has none`
        : `“${path}” is not a parameter of this model; known are ${known.slice(0, 12).join(', ')}`,
      remedyForName(path),
    );
  }
}

/** A name as a whole, beside which no part of another one stands. */
const asWhole = (name: string): RegExp =>
  new RegExp(`(?<![\\w.])${name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}(?![\w.])`, 'g');

/**
 * @param pointer of the expression
 * @param unit of its value, where it is known
 * @returns none where the error is another one
 */
export function nameMends(error: unknown, expression: Expression, pointer: string, unit?: string): Mend[] {
  if (!(error instanceof UnknownNameError) || typeof expression !== 'string') return [];
  const { path, known } = error;
  const near = closest(path, known);
  const mends: Mend[] = [];
  if (near !== null)
    mends.push({
      label: `Write ${near}`,
      steps: [{ do: 'set', pointer, value: expression.replaceAll(asWhole(path), near) }],
    });
  if (IDENTIFIER.test(path) && path !== TIME) {
    // Alone in its field it has the unit of the field; what it is multiplied with is not looked into.
    const isAlone = expression.trim() === path;
    const parameter = { name: path, value: 1, ...(isAlone && unit ? { unit } : {}) };
    const list = `${SUBMODEL.exec(pointer)?.[0] ?? ''}/parameters`;
    mends.push({ label: `Add the parameter ${path}`, steps: [{ do: 'parameter', list, parameter }] });
  }
  return mends;
}
