/**
 * How far a function that is made of forms and pieces of time certainly keeps its sign on an arc. Steps
 * cannot pass a zero of any of the forms (`moving-target.ts`): with K ≥ |g̈| and r = ġ sign g,
 *
 *     |g(τ + s)| ≥ |g| + r s − K s²/2,
 *
 * and from a zero on g has the sign of ġ as long as |ġ| s > K s²/2. The sign of the function is that of the
 * smaller and larger ones of the signs of its forms. What is not certain is left to those who search.
 */
import { LARGER, type PieceForms, SMALLER } from '../model/piece-forms';
import { LENGTH, START } from '../smooth/step-method';
import type { Arc } from './arc';
import { FormPolynomial } from './form-polynomial';

/** Steps along an arc beyond which it is searched. */
const MOST_STEPS = 200;
/** Against rounding of a bound. */
const BOUND_MARGIN = 1 + 1e-9;
/** Part of an arc by which a function has to keep its sign behind its end. */
const AHEAD = 1e-6;
/** Ends of pieces that are nearer than this part of the arc are the same. */
const SAME_END = 1e-12;

export class PieceScreen {
  readonly #forms: readonly FormPolynomial[];
  readonly #noise: Float64Array;
  readonly #curvature: Float64Array;
  /** c, s and end of a piece */
  readonly #piece = new Float64Array(3);
  readonly #signs: Int8Array;
  readonly #out = new Float64Array(1);

  constructor(private readonly pieces: PieceForms) {
    const { atoms, tree } = pieces;
    this.#forms = atoms.map(
      ({ terms }) =>
        new FormPolynomial({
          indices: Int32Array.from(terms, ([index]) => index),
          values: Float64Array.from(terms, ([, value]) => value),
          offset: new Float64Array(2),
        }),
    );
    this.#noise = new Float64Array(atoms.length);
    this.#curvature = new Float64Array(atoms.length);
    this.#signs = new Int8Array(tree.length);
  }

  /**
   * @param side sign that it has up to the start
   * @param limit [0] τ beyond which nothing is asked
   * @returns τ up to which it certainly keeps it; Infinity where it does so on all of the arc
   */
  reach(arc: Arc, side: number, limit: Float64Array): number {
    const length = (1 + AHEAD) * arc.span[LENGTH];
    let at = 0;
    let end = this.#readPieces(arc, at);
    if (Number.isNaN(end)) return 0;
    for (let step = 0; step < MOST_STEPS; step++) {
      const next = at + this.#reachFrom(at);
      if (this.#sign() * side <= 0) return at;
      at = Math.min(next, end);
      if (at >= length) return Infinity;
      if (at >= limit[0]) return at;
      if (at < end) continue;
      end = this.#readPieces(arc, at);
      if (Number.isNaN(end)) return at;
    }
    return at;
  }

  /** The forms just behind τ. @returns τ at which one ends at the latest; NaN where one is not finite */
  #readPieces(arc: Arc, at: number): number {
    const { span } = arc;
    const piece = this.#piece;
    let end = Infinity;
    for (let k = 0; k < this.#forms.length; k++) {
      const form = this.#forms[k];
      const { offset } = form.form;
      this.pieces.atoms[k].time.pieceAt(span[START] + at, piece);
      offset[0] = piece[0];
      offset[1] = piece[1];
      const ends = piece[2] - span[START];
      // The time at which this one began may be a rounding behind its end.
      if (ends > at + SAME_END * span[LENGTH]) end = Math.min(end, ends);
      else if (piece[2] < Infinity) return Number.NaN;
      if (!form.read(arc)) return Number.NaN;
      form.noise(form.length, this.#out);
      this.#noise[k] = this.#out[0];
      let sum = 0;
      let power = 1;
      for (let i = 2; i <= form.degree; i++) {
        sum += i * (i - 1) * Math.abs(form.coefficients[i]) * power;
        power *= span[LENGTH];
      }
      this.#curvature[k] = BOUND_MARGIN * sum;
    }
    return end;
  }

  /** Signs of all forms just behind τ. @returns how long none of them changes */
  #reachFrom(at: number): number {
    let least = Infinity;
    for (let k = 0; k < this.#forms.length; k++) {
      const form = this.#forms[k];
      form.place[0] = at;
      form.evaluateWithSlope();
      const [value, slope, bound] = [form.result[0], form.slopeValue[0], this.#curvature[k]];
      const size = Math.abs(value);
      let reach = Infinity;
      if (size > this.#noise[k]) {
        const rate = value > 0 ? slope : -slope;
        const root = Math.sqrt(rate * rate + 2 * bound * size);
        if (rate <= 0) reach = root === rate ? Infinity : (2 * size) / (root - rate);
        else if (bound > 0) reach = (rate + root) / bound;
        this.#signs[k] = value > 0 ? 1 : -1;
      } else {
        this.#signs[k] = Math.sign(slope);
        reach = bound > 0 ? Math.abs(slope) / bound : slope === 0 ? 0 : Infinity;
      }
      least = Math.min(least, reach);
    }
    return least;
  }

  #sign(): number {
    const { tree } = this.pieces;
    const signs = this.#signs;
    const count = this.#forms.length;
    let [stack, depth] = [0, 0];
    // Two bits for each sign, the last on top.
    for (const one of tree) {
      if (one !== SMALLER && one !== LARGER) {
        stack = stack * 4 + (signs[one] + 1);
        depth++;
        continue;
      }
      const b = (stack % 4) - 1;
      stack = Math.floor(stack / 4);
      const a = (stack % 4) - 1;
      stack = Math.floor(stack / 4);
      stack = stack * 4 + ((one === SMALLER ? Math.min(a, b) : Math.max(a, b)) + 1);
      depth--;
    }
    return depth === 1 && count > 0 ? stack - 1 : 0;
  }
}
