/** Where a given motion jumps. */
import { ExpressionError, jumpIn, runExpression } from '../../document/expressions';
import type { EvaluationContext } from '../../document/field-values';
import { compileTimed, TIME_NAME } from '../../document/timed';

/** Intervals in which a jump is looked for, and halvings of each. */
const INTERVALS = 2000;
const HALVINGS = 60;
/** A jump is more than this part of the largest values. */
const JUMP = 1e-9;
/** Fractional parts of its multiples are spread evenly: no period of a motion meets them all. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * A time at which an expression of time jumps; null where none is found. What can jump, as a comparison or a
 * remainder, need not: so its values are asked, at times that no period meets, and where they differ the
 * difference is followed to one instant.
 */
export function jumpOf(
  text: string,
  [t0, tEnd]: readonly [number, number],
  { parameters }: Pick<EvaluationContext, 'parameters'>,
): number | null {
  let valueAt: (t: number) => number;
  try {
    const { program, names } = compileTimed(text, () => undefined);
    if (jumpIn(program) === null) return null;
    const slots = Float64Array.from(names, (name) => parameters[name] ?? 0);
    const place = names.indexOf(TIME_NAME);
    valueAt = (t) => {
      if (place >= 0) slots[place] = t;
      runExpression(program, slots);
      return program.stack[0];
    };
  } catch (error) {
    // It is said where the expression is read.
    if (error instanceof ExpressionError) return null;
    throw error;
  }
  let [from, before] = [t0, valueAt(t0)];
  let size = Math.abs(before);
  for (let k = 1; k <= INTERVALS; k++) {
    const to = k === INTERVALS ? tEnd : t0 + ((tEnd - t0) * (k - 1 + ((k * GOLDEN) % 1))) / INTERVALS;
    const after = valueAt(to);
    size = Math.max(size, Math.abs(after));
    if (after !== before) {
      const time = followed(valueAt, [from, before], [to, after], size);
      if (time !== null) return time;
    }
    [from, before] = [to, after];
  }
  return null;
}

function followed(
  valueAt: (t: number) => number,
  [first, low]: readonly [number, number],
  [last, high]: readonly [number, number],
  size: number,
): number | null {
  let [from, before, to, after] = [first, low, last, high];
  for (let k = 0; k < HALVINGS; k++) {
    const middle = from + (to - from) / 2;
    if (middle <= from || middle >= to) break;
    const value = valueAt(middle);
    if (Math.abs(value - before) > Math.abs(after - value)) [to, after] = [middle, value];
    else [from, before] = [middle, value];
    if (!(Math.abs(after - before) > JUMP * size)) return null;
  }
  return to;
}
