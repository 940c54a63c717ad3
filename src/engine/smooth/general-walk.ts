/**
 * Walk along an event function that is not linear: pieces of the step are halved until the interpolant either
 * is clear of zero by more than its error, or represents the function to rounding.
 */
import { CONTROL_PLACES, ChebyshevPiece, PIECE_DEGREE, type PieceWalk, SAMPLE_PLACES } from './piece-walk';
import type { ScalarFunction } from './bracketing';
import type { SignSweep } from './sign-sweep';
import type { SmoothCounters } from './ode-system';

/** Halvings of a step before a function counts as unresolved there: at a kink or a jump. */
const MAX_HALVINGS = 12;
/** An interpolant this exact, relative to its largest value, represents the function. */
const RESOLVED = 64 * Number.EPSILON;
/**
 * Halving lowers the error of an analytic function 2⁹-fold. Where it lowers an error that is below this part
 * of the values by less than eightfold, what is left is rounding within the function.
 */
const ROUNDING_WITHIN = 1e-12;
const STAGNANT = 1 / 8;
const ROUNDING = 4 * Number.EPSILON;

export class GeneralWalk {
  /**
   * [0] place of the first value that is not finite, [1] slope at the end of the step, 0 where it is not
   * known
   */
  readonly marks = new Float64Array(2);
  readonly #piece = new ChebyshevPiece();
  readonly #lefts = new Float64Array(MAX_HALVINGS + 2);
  readonly #rights = new Float64Array(MAX_HALVINGS + 2);
  /** error of the piece of which this one is a half */
  readonly #errors = new Float64Array(MAX_HALVINGS + 2);
  readonly #depths = new Int32Array(MAX_HALVINGS + 2);
  /** [0] error, or what is wanted of the interpolant */
  readonly #level = new Float64Array(1);
  #bad = -1;

  constructor(
    private readonly values: ScalarFunction,
    private readonly walk: PieceWalk,
    private readonly sweep: SignSweep,
    private readonly counters: SmoothCounters,
  ) {}

  /**
   * Samples the selected function on [from, 1]; its value at `from` becomes the sweep's point.
   * @returns whether it is finite
   */
  prepare(from: Float64Array): boolean {
    const { sweep } = this;
    this.#lefts[0] = from[0];
    this.#rights[0] = 1;
    this.#errors[0] = Infinity;
    this.#depths[0] = 0;
    this.#sample(0);
    if (this.#bad === 0) return false;
    sweep.point[0] = from[0];
    sweep.point[1] = this.#piece.values[0];
    return true;
  }

  /** Magnitude of values that are zero to rounding at the start. */
  startNoise(out: Float64Array): void {
    const { measure } = this.#piece;
    const isExact = this.#bad < 0 && measure[0] <= ROUNDING_WITHIN * measure[1];
    out[0] = isExact ? measure[0] : ROUNDING * Math.abs(this.#piece.values[0]);
  }

  /** After `prepare`. @param band [0] magnitude of values to be taken for zero */
  run(band: Float64Array): 'none' | 'root' | 'notFinite' {
    let top = 0;
    let isSampled = true;
    while (top >= 0) {
      if (!isSampled) this.#sample(top);
      isSampled = false;
      const depth = this.#depths[top];
      const isDeepest = depth === MAX_HALVINGS;
      if (this.#bad >= 0) {
        if (this.#bad === 0 || isDeepest) return 'notFinite';
        this.#level[0] = Infinity;
        this.#halve(top++);
        continue;
      }
      const error = this.#piece.measure[0];
      const size = this.#piece.measure[1];
      const isResolved =
        error <= Math.max(RESOLVED * size, band[0]) ||
        (error <= ROUNDING_WITHIN * size && error >= STAGNANT * this.#errors[top]);
      this.#level[0] = Math.max(error, band[0]);
      const isClear = this.#isClear();
      const zero = this.sweep.zero;
      zero[0] = isResolved && !isClear ? this.#level[0] : Math.max(ROUNDING * size, band[0]);
      if (isClear) {
        if (this.#takeSamples(top, PIECE_DEGREE)) return 'root';
      } else if (isResolved) {
        if (this.#walkPiece(top)) return 'root';
      } else if (isDeepest) {
        this.counters.unresolvedPieces++;
        if (this.#takeSamples(top, 1)) return 'root';
      } else {
        this.#level[0] = error;
        this.#halve(top++);
        continue;
      }
      top--;
    }
    return 'none';
  }

  /** Values in the topmost piece and their interpolant; `#bad` is the first that is not finite. */
  #sample(top: number): void {
    const { values } = this;
    const piece = this.#piece;
    const left = this.#lefts[top];
    const width = this.#rights[top] - left;
    this.#bad = -1;
    for (let i = 0; i <= PIECE_DEGREE + 2; i++) {
      const u = i <= PIECE_DEGREE ? SAMPLE_PLACES[i] : CONTROL_PLACES[i - PIECE_DEGREE - 1];
      values.place[0] = i === PIECE_DEGREE ? this.#rights[top] : left + u * width;
      values.evaluate();
      piece.values[i] = values.result[0];
      if (Number.isFinite(values.result[0])) continue;
      this.#bad = i;
      this.marks[0] = values.place[0];
      return;
    }
    piece.convert(this.walk.coefficients);
  }

  /** The left half on top of the right one. */
  #halve(top: number): void {
    const middle = 0.5 * (this.#lefts[top] + this.#rights[top]);
    this.#lefts[top + 1] = this.#lefts[top];
    this.#rights[top + 1] = middle;
    this.#lefts[top] = middle;
    const depth = this.#depths[top] + 1;
    for (let entry = top; entry <= top + 1; entry++) {
      this.#depths[entry] = depth;
      this.#errors[entry] = this.#level[0];
    }
  }

  /** Whether the interpolant keeps away from zero by more than the level. */
  #isClear(): boolean {
    const error = this.#level[0];
    const b = this.walk.coefficients;
    let least = b[0];
    let most = b[0];
    for (let i = 1; i <= PIECE_DEGREE; i++) {
      least = Math.min(least, b[i]);
      most = Math.max(most, b[i]);
    }
    return least > error || most < -error;
  }

  #walkPiece(top: number): boolean {
    const { walk, sweep } = this;
    const b = walk.coefficients;
    walk.ends[0] = this.#lefts[top];
    walk.ends[1] = this.#rights[top];
    walk.noise[0] = this.#piece.measure[0];
    this.marks[1] = (PIECE_DEGREE * (b[PIECE_DEGREE] - b[PIECE_DEGREE - 1])) / (walk.ends[1] - walk.ends[0]);
    return walk.walk(PIECE_DEGREE, sweep);
  }

  /** The sampled values themselves, from the given one on. */
  #takeSamples(top: number, from: number): boolean {
    const { sweep } = this;
    const left = this.#lefts[top];
    const right = this.#rights[top];
    this.marks[1] = 0;
    for (let i = from; i <= PIECE_DEGREE; i++) {
      sweep.point[0] = i === PIECE_DEGREE ? right : left + SAMPLE_PLACES[i] * (right - left);
      sweep.point[1] = this.#piece.values[i];
      if (sweep.take()) return true;
    }
    return false;
  }
}
