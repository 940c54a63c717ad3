/**
 * Where a function that is made of forms, sines and pieces of time first changes its sign on an arc. Steps
 * cannot pass a zero of any of the sums that it is made of (`moving-target.ts`): with K ≥ |g̈| and
 * r = ġ sign g,
 *
 *     |g(τ + s)| ≥ |g| + r s − K s²/2,
 *
 * and from a zero on g has the sign of ġ as long as |ġ| s > K s²/2. The sign of the function is that of the
 * smaller and larger ones of the signs of its sums, so that it changes with one of them, or where a piece
 * ends. A sum that rests at zero on all of an arc, as the gap of a closed contact, has the sign that the
 * function has. What is not certain is left to those who search.
 */
import { LARGER, type PieceForms, SMALLER, type Wave } from '../model/piece-forms';
import { END, LENGTH, START } from '../smooth/step-method';
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
const ROUNDING = 4 * Number.EPSILON;
/** How far beyond its noise a sum certainly comes behind a zero, in units of that. */
const CROSSED = 16;

/** What is known of the first change of sign. */
const KEPT = 0;
/** there is none up to the place */
const UNCERTAIN = 1;
export const CROSSING = 2;
export const JUMP = 3;

export class PieceScreen {
  /** KEPT, UNCERTAIN, CROSSING or JUMP, after `reach` */
  outcome = UNCERTAIN as number;
  /** [0] what counts as zero at a crossing, [1] how far off rounding may have it, s */
  readonly residual = new Float64Array(2);
  readonly #forms: readonly FormPolynomial[];
  readonly #waves: readonly (readonly Wave[])[];
  readonly #noise: Float64Array;
  readonly #curvature: Float64Array;
  /** of each sum where it was read last */
  readonly #values: Float64Array;
  readonly #slopes: Float64Array;
  /** c, s and end of a piece */
  readonly #piece = new Float64Array(3);
  readonly #signs: Int8Array;
  /** when the piece of each sum ends, s */
  readonly #ends: Float64Array;
  /** whether each sum rests at zero */
  readonly #rests: Uint8Array;
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
    this.#waves = atoms.map(({ waves }) => waves);
    this.#values = new Float64Array(atoms.length);
    this.#slopes = new Float64Array(atoms.length);
    this.#noise = new Float64Array(atoms.length);
    this.#curvature = new Float64Array(atoms.length);
    this.#signs = new Int8Array(tree.length);
    this.#rests = new Uint8Array(atoms.length);
    this.#ends = new Float64Array(atoms.length);
  }

  /**
   * @param side sign that it has up to the start, 0 where it is not known
   * @param limit [0] τ beyond which nothing is asked
   * @param band what counts as zero, as far as it is more than rounding
   * @returns τ up to which it certainly keeps it; Infinity where it does so on all of the arc. Of a CROSSING
   *   or JUMP it is the place of that
   */
  reach(arc: Arc, side: number, limit: Float64Array, band = 0): number {
    const length = (1 + AHEAD) * arc.span[LENGTH];
    let at = 0;
    let end = this.#readPieces(arc, at);
    let isBreak = false;
    this.outcome = UNCERTAIN;
    if (side === 0 || Number.isNaN(end)) return 0;
    this.#settle(arc.span, side, band);
    for (let step = 0; step < MOST_STEPS; step++) {
      const next = at + this.#reachFrom(arc.span, at);
      if (this.#sign() * side <= 0) return at > 0 ? this.#located(arc.span, at, side, isBreak) : 0;
      at = Math.min(next, end);
      if (at >= length) {
        this.outcome = KEPT;
        return Infinity;
      }
      if (at >= limit[0]) return at;
      isBreak = at >= end;
      if (!isBreak) continue;
      end = this.#readPieces(arc, at);
      if (Number.isNaN(end)) return at;
    }
    return at;
  }

  /** Which sums rest at zero on all of the arc. */
  #settle(span: Float64Array, side: number, band: number): void {
    const length = (1 + AHEAD) * span[LENGTH];
    this.#rests.fill(0);
    this.#reachFrom(span, 0);
    for (let k = 0; k < this.#rests.length; k++) {
      const zero = Math.max(this.#noise[k], band);
      const drift = (Math.abs(this.#slopes[k]) + this.#curvature[k] * length) * length;
      if (this.#ends[k] < span[START] + length || !(Math.abs(this.#values[k]) + drift <= zero)) continue;
      this.#rests[k] = 1;
      this.#signs[k] = side;
    }
  }

  /** The place at which the sign has changed, as far as it is certain. */
  #located(span: Float64Array, at: number, side: number, isBreak: boolean): number {
    let zeros = 0;
    let last = 0;
    for (let k = 0; k < this.#forms.length; k++) {
      if (this.#rests[k] === 1 || Math.abs(this.#values[k]) > this.#noise[k]) continue;
      zeros++;
      last = k;
    }
    const rounding = Number.EPSILON * Math.max(span[LENGTH], Math.abs(span[END]));
    if (zeros === 0 && isBreak) return this.#conclude(JUMP, at, 0, rounding, span);
    if (zeros !== 1) return at;
    const [value, slope, noise] = [this.#values[last], this.#slopes[last], this.#noise[last]];
    // The others have signs; with that of this one before its zero the function has to be what it was.
    this.#signs[last] = -Math.sign(slope);
    if (this.#sign() * side <= 0 || !(slope * slope > 2 * CROSSED * noise * this.#curvature[last])) return at;
    const place = Math.max(0, at - value / slope);
    return this.#conclude(CROSSING, place, noise, noise / Math.abs(slope) + rounding, span);
  }

  /** @param width how far off rounding may have the place; what it may have put behind the end is there */
  #conclude(outcome: number, place: number, noise: number, width: number, span: Float64Array): number {
    const isBehind = place > span[LENGTH] + width;
    this.outcome = isBehind ? KEPT : outcome;
    this.residual[0] = noise;
    this.residual[1] = width;
    return isBehind ? Infinity : Math.min(place, span[LENGTH]);
  }

  /** The sums just behind τ. @returns τ at which one ends at the latest; NaN where one is not finite */
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
      this.#ends[k] = piece[2];
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
      const clock = Math.max(Math.abs(span[START]), Math.abs(span[END]));
      for (const { amplitude, frequency, phase } of this.#waves[k]) {
        const size = Math.abs(amplitude);
        sum += size * frequency * frequency;
        this.#noise[k] += ROUNDING * size * (1 + Math.abs(phase) + Math.abs(frequency) * clock);
      }
      this.#curvature[k] = BOUND_MARGIN * sum;
    }
    return end;
  }

  /** Signs of all sums just behind τ. @returns how long none of them changes */
  #reachFrom(span: Float64Array, at: number): number {
    let least = Infinity;
    for (let k = 0; k < this.#forms.length; k++) {
      if (this.#rests[k] === 1) continue;
      const form = this.#forms[k];
      form.place[0] = at;
      form.evaluateWithSlope();
      let [value, slope] = [form.result[0], form.slopeValue[0]];
      for (const { amplitude, frequency, phase } of this.#waves[k]) {
        const angle = frequency * (span[START] + at) + phase;
        value += amplitude * Math.sin(angle);
        slope += amplitude * frequency * Math.cos(angle);
      }
      this.#values[k] = value;
      this.#slopes[k] = slope;
      const bound = this.#curvature[k];
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
