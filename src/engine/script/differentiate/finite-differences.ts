/**
 * Derivatives by central differences, for functions the workbench cannot differentiate and only where the
 * model asks for it. They cost two evaluations a column and have about ten digits at best, so Newton's method
 * converges a little slower on them, and a kink within the step is not seen.
 */

/** A function of a script, with the arguments of its plug-in kind. */
type ScriptFunction = (...args: unknown[]) => unknown;

/** What to differentiate by what; the same as of a derivative by `differentiate`. */
export interface DifferenceRequest {
  /** number of arguments of the function */
  readonly arguments: number;
  /** index of the argument to differentiate by */
  readonly argument: number;
  readonly shape: 'vector' | 'scalar';
  /** index of the array the function fills, or `return` when it returns a number */
  readonly result: number | 'return';
}

/**
 * Step of central differences relative to the coordinate: the truncation error grows with its square and the
 * rounding error with its inverse, so they meet at the cube root of the rounding unit 2⁻⁵² (Nocedal and
 * Wright 2006 §8.1).
 */
export const RELATIVE_STEP = Math.cbrt(Number.EPSILON);

/**
 * Coordinates smaller than this, in SI units, are stepped as if they were this large: metres, radians, unit
 * states.
 */
const TYPICAL_SIZE = 1;

/** Most arguments a plug-in has, and the array of its derivative. */
const MAX_ARGUMENTS = 5;

/** State of one differentiated function: arrays that are made once, at the first call. */
class Differences {
  private start = new Float64Array(0);
  private saved = new Float64Array(0);
  private forward = new Float64Array(0);
  /** the two values of a function that returns a number, so that no double is handed around */
  private readonly number = new Float64Array(1);
  private readonly inputs: unknown[];

  constructor(
    private readonly call: ScriptFunction,
    private readonly request: DifferenceRequest,
  ) {
    this.inputs = new Array<unknown>(MAX_ARGUMENTS).fill(undefined);
  }

  /** The derivative with the calling convention of `(…arguments, jacobian)`. */
  fill(a: unknown, b: unknown, c: unknown, d: unknown, e: unknown, f: unknown): void {
    const { inputs, request } = this;
    inputs[0] = a;
    inputs[1] = b;
    inputs[2] = c;
    inputs[3] = d;
    inputs[4] = e;
    const count = request.arguments;
    const jacobian = (count === MAX_ARGUMENTS ? f : inputs[count]) as Float64Array;
    const out = request.result === 'return' ? this.number : (inputs[request.result] as Float64Array);
    if (this.start.length !== out.length) {
      this.start = new Float64Array(out.length);
      this.forward = new Float64Array(out.length);
    }
    this.start.set(out);
    if (request.shape === 'scalar') this.scalar(out, jacobian);
    else this.vector(out, jacobian);
    // The function itself comes last, so that `out` holds its value.
    this.evaluate(out);
  }

  /** Evaluates from the same contents of `out`, on which the function may rely. */
  private evaluate(out: Float64Array): void {
    out.set(this.start);
    const [a, b, c, d, e] = this.inputs;
    const { call, request } = this;
    let value: unknown;
    switch (request.arguments) {
      case 1:
        value = call(a);
        break;
      case 2:
        value = call(a, b);
        break;
      case 3:
        value = call(a, b, c);
        break;
      case 4:
        value = call(a, b, c, d);
        break;
      default:
        value = call(a, b, c, d, e);
    }
    if (request.result === 'return') out[0] = value as number;
  }

  private scalar(out: Float64Array, jacobian: Float64Array): void {
    const { inputs, request, forward } = this;
    const at = inputs[request.argument] as number;
    const step = RELATIVE_STEP * Math.max(Math.abs(at), TYPICAL_SIZE);
    const above = at + step;
    const below = at - step;
    inputs[request.argument] = above;
    this.evaluate(out);
    forward.set(out);
    inputs[request.argument] = below;
    this.evaluate(out);
    inputs[request.argument] = at;
    for (let i = 0; i < out.length; i++) jacobian[i] = (forward[i] - out[i]) / (above - below);
  }

  private vector(out: Float64Array, jacobian: Float64Array): void {
    const { inputs, request, forward } = this;
    const x = inputs[request.argument] as Float64Array;
    const n = x.length;
    if (this.saved.length !== n) this.saved = new Float64Array(n);
    const { saved } = this;
    saved.set(x);
    for (let j = 0; j < n; j++) {
      const step = RELATIVE_STEP * Math.max(Math.abs(saved[j]), TYPICAL_SIZE);
      // The step that the rounded coordinates really make.
      const above = saved[j] + step;
      const below = saved[j] - step;
      x[j] = above;
      this.evaluate(out);
      forward.set(out);
      // A function may store in its argument.
      x.set(saved);
      x[j] = below;
      this.evaluate(out);
      x.set(saved);
      for (let i = 0; i < out.length; i++) jacobian[i * n + j] = (forward[i] - out[i]) / (above - below);
    }
  }
}

/**
 * The Jacobian of a function by central differences. It is called like the derivative of `differentiate`,
 * with the function's arguments and then the array to fill, row by row, and computes the function too. It
 * makes no arrays after its first call, and is not to be called from within the function.
 * @throws {RangeError} for more than five arguments, which no plug-in has
 */
export function centralDifferences(call: ScriptFunction, request: DifferenceRequest): ScriptFunction {
  if (request.arguments > MAX_ARGUMENTS)
    throw new RangeError(`a plug-in has at most ${MAX_ARGUMENTS} arguments`);
  const differences = new Differences(call, request);
  return (a, b, c, d, e, f) => {
    differences.fill(a, b, c, d, e, f);
  };
}

/* Comparison of a Jacobian the user wrote with the derived one. */

/** The entry in which two Jacobians differ most. */
export interface JacobianDifference {
  /** from 0 */
  readonly row: number;
  /** from 0 */
  readonly column: number;
  readonly given: number;
  readonly derived: number;
}

/**
 * Two exact Jacobians agree to rounding. This allows for the cancellation of a few hundred operations of the
 * size of the largest entry, and is far below any slip of the pen.
 */
export const EXACT_TOLERANCE = 1e-9;

/**
 * Finite differences have an error of about ε^(2/3) ≈ 4·10⁻¹¹ times the third derivative, which may be large.
 */
export const DIFFERENCE_TOLERANCE = 1e-5;

/**
 * The worst entry of a Jacobian, if any is off by more than `tolerance` times the largest entry.
 * @param given row by row
 * @param derived of the same length
 * @param columns length of a row
 */
export function compareJacobians(
  given: Float64Array,
  derived: Float64Array,
  columns: number,
  tolerance: number = EXACT_TOLERANCE,
): JacobianDifference | null {
  let scale = 0;
  for (const value of derived) if (Number.isFinite(value)) scale = Math.max(scale, Math.abs(value));
  let worst = -1;
  let largest = scale === 0 ? tolerance : tolerance * scale;
  for (let i = 0; i < derived.length; i++) {
    if (Object.is(given[i], derived[i])) continue;
    const error = Math.abs(given[i] - derived[i]);
    // A NaN on either side is as wrong as an entry can be.
    if (error <= largest) continue;
    worst = i;
    largest = Number.isNaN(error) ? Infinity : error;
  }
  if (worst < 0) return null;
  const column = worst % columns;
  return { row: (worst - column) / columns, column, given: given[worst], derived: derived[worst] };
}

/**
 * Says the difference in words.
 * @param given what was given, as the subject of the sentence
 * @param place where it was evaluated, beginning with a blank; empty where that is clear
 */
export function describeDifference(
  { row, column, given: value, derived }: JacobianDifference,
  given = 'Your Jacobian',
  place = '',
): string {
  return (
    `${given} differs from the derived one in entry (${row}, ${column})${place}: ` +
    `${value} instead of ${derived}, a difference of ${value - derived}.`
  );
}
