/**
 * The equations of a proximal step in the velocities of the bodies, for problems of which it is known what W
 * is made of, W = s (B ᵗB + E) (`problems/friction-contact.ts`). A proximal step from the reactions c
 * (Rockafellar 1976) is the law with u + A (r − c) in place of u. With A = a − s E, a number a for each
 * contact, all that is left of r but for a r stands in z = ᵗB r,
 *
 *     u + A (r − c) = v + a (r − c),     v = q + s (B z + E c),
 *
 * so that the law in the form of Alart and Curnier 1991 gives r in terms of z: with p = c − v/a,
 *
 *     r_N = max(0, p_N),     r_T = the point of the disc of radius μ r_N that is nearest to p_T.
 *
 * What remains is F(z) = z − ᵗB r(z) = 0, six equations for a body however many contacts it has. Its
 * derivative 1 + s ᵗB C B, C = −∂r/∂v, is regular where nothing slides, whatever the rank of W: contacts
 * beyond what bodies can tell apart, as the fourth corner of a box, are no trouble. Castro, Permenter and
 * Han 2023 solve contacts that are compliant for good in this way; here the compliance a belongs to the step,
 * and nothing of it is left at the end. Newton's method with a line search on |F| does a step, its factors
 * having blocks of six.
 *
 * All a are relative to the mobilities of their contacts, and no smaller than s E.
 *
 * Rows of moments that oppose rolling and spinning have r_N of their contact in place of one of their own. It
 * is known by then, and the derivative of r_T has that of the other row's p_N.
 */
import { BlockLu } from '../../linalg/block-lu';
import type { BlockRows } from '../../linalg/block-rows';
import { type ContactFactors, FREEDOMS, type FrictionContactProblem } from '../../problems/friction-contact';
import { BodyPattern } from './shifted-system';
import { meanDiagonal, workOfBodyNewton } from './solver';

const DIMENSION = 3;
/** Entries of a block of B, and of a block of the system. */
const ROW = DIMENSION * FREEDOMS;
const BLOCK = FREEDOMS * FREEDOMS;
/** Steps of Newton's method for a proximal step. */
const INNER_STEPS = 40;
/** Lengths of a step are 1, ½ … 2^−`HALVINGS`; and the part of the decrease that it predicts. */
const HALVINGS = 7;
const SUFFICIENT = 1e-4;
/** Where no length helps, |F| up to this many times what is asked for is what rounding leaves. */
const ROUNDING = 10;
/** 2²⁷ + 1 */
const SPLIT = 134_217_729;
/** Of `pressedBy`. */
const NONE = -1;

/** Pieces of the law: F is smooth while each contact stays in one. */
export const OPEN = 0;
export const STICKING = 1;
export const SLIDING = 2;

export class BodyStep {
  /** derivatives factorised since `prepare` */
  steps = 0;
  /** c: 3 entries by contact, the caller's */
  centre = new Float64Array(0);
  /** by freedom of bodies */
  z = new Float64Array(0);
  /** by freedom: what z is counted from, and q and s B of that by contact, see `recentre` */
  #origin = new Float64Array(0);
  #base = new Float64Array(0);
  /** F of the last `evaluate` */
  f = new Float64Array(0);
  /** p of the last `evaluate`: 3 by contact */
  p = new Float64Array(0);
  /** by contact: of the last `evaluate`, which finds them unless they are held */
  pieces = new Uint8Array(0);
  /** whether `evaluate` takes the pieces as they are, beyond their boundaries as well */
  isHeld = false;
  readonly #lu = new BlockLu(true);
  /** [0] |F|² */
  readonly #numbers = new Float64Array(1);
  #pattern: BodyPattern | null = null;
  /** by contact: mobility, and a */
  #mobility = new Float64Array(0);
  #a = new Float64Array(0);
  #trial = new Float64Array(0);
  #direction = new Float64Array(0);
  #units = new Float64Array(0);
  /** s C B, laid out as B is */
  #moved = new Float64Array(0);

  /** |F|² of the last `evaluate` */
  get merit(): number {
    return this.#numbers[0];
  }

  /** Makes room for a problem, whose factors have been formed; `steps` begin at 0. */
  prepare(problem: FrictionContactProblem, factors: ContactFactors): void {
    const { W, count } = problem;
    const n = DIMENSION * count;
    this.steps = 0;
    this.isHeld = false;
    if (this.centre.length < n) {
      this.#mobility = new Float64Array(count);
      this.#a = new Float64Array(count);
      this.centre = new Float64Array(n);
      this.p = new Float64Array(n);
      this.pieces = new Uint8Array(count);
      this.#base = new Float64Array(n);
    }
    for (let c = 0; c < count; c++) {
      const at = DIMENSION * DIMENSION * W.diagonal[c];
      this.#mobility[c] = (W.values[at] + W.values[at + 4] + W.values[at + 8]) / DIMENSION;
    }
    const freedoms = FREEDOMS * factors.columns;
    if (this.z.length < freedoms) {
      this.z = new Float64Array(freedoms);
      this.#origin = new Float64Array(freedoms);
      this.#trial = new Float64Array(freedoms);
      this.f = new Float64Array(freedoms);
      this.#direction = new Float64Array(freedoms);
      this.#units = new Float64Array(FREEDOMS * freedoms);
      for (let k = 0; k < freedoms; k++)
        this.#units[BLOCK * Math.floor(k / FREEDOMS) + (FREEDOMS + 1) * (k % FREEDOMS)] = 1;
    }
    const entries = ROW * factors.rowStart[count];
    if (this.#moved.length < entries) this.#moved = new Float64Array(entries);
    this.#patternOf(problem, factors);
  }

  /** Work of a factorisation, as `solver.ts` counts it; what W is made of must have been formed. */
  workOfStep(problem: FrictionContactProblem, factors: ContactFactors): number {
    return workOfBodyNewton(problem, this.#lu.productsFor(this.#patternOf(problem, factors).system));
  }

  #patternOf({ count }: FrictionContactProblem, factors: ContactFactors): BodyPattern {
    if (this.#pattern?.fits(count, factors) !== true) this.#pattern = new BodyPattern(count, factors);
    return this.#pattern;
  }

  /**
   * A proximal step from c: r of it, in the cones.
   * @param relative a over the mobilities
   * @param goal of √w |F|, w being the mean mobility: what F adds to velocities
   * @param limit of `steps`
   * @returns whether it was reached
   */
  advance(
    problem: FrictionContactProblem,
    factors: ContactFactors,
    relative: number,
    goal: number,
    limit: number,
  ): boolean {
    const freedoms = FREEDOMS * factors.columns;
    const numbers = this.#numbers;
    const [z, f, direction, trial] = [this.z, this.f, this.#direction, this.#trial];
    const most = (goal * goal) / meanDiagonal(problem.W);
    this.choose(problem, factors, relative);
    this.#origin.fill(0);
    for (let i = 0; i < DIMENSION * problem.count; i++) this.#base[i] = problem.q[i];
    multiplyTransposed(problem, factors, this.centre, z);
    this.evaluate(problem, factors, z);
    for (let k = 0; k < INNER_STEPS && this.steps < limit; k++) {
      if (!this.factor(problem, factors)) return false;
      for (let i = 0; i < freedoms; i++) direction[i] = -f[i];
      this.#lu.solve(direction);
      const merit = numbers[0];
      let length = 1;
      let isLess = false;
      for (let halving = 0; halving <= HALVINGS && !isLess; halving++) {
        for (let i = 0; i < freedoms; i++) trial[i] = z[i] + length * direction[i];
        this.evaluate(problem, factors, trial);
        isLess = numbers[0] <= (1 - SUFFICIENT * length) * merit;
        length *= 0.5;
      }
      if (!isLess) return merit <= ROUNDING * ROUNDING * most;
      for (let i = 0; i < freedoms; i++) z[i] = trial[i];
      if (numbers[0] <= most) return true;
    }
    return false;
  }

  /** Takes that a over the mobilities, or s E where that is larger. */
  choose({ count }: FrictionContactProblem, { diagonal, scale }: ContactFactors, relative: number): void {
    for (let c = 0; c < count; c++) {
      const at = DIMENSION * c;
      const added = scale * Math.max(diagonal[at], diagonal[at + 1], diagonal[at + 2]);
      this.#a[c] = Math.max(relative * this.#mobility[c], added);
    }
  }

  /**
   * Has the freedoms counted from z, which becomes what rounding leaves of it, nearly nothing. v of contacts
   * that stick is a (c − r), the small difference of q and s B z, and its rounding is divided by a. Counted
   * from near by v changes little, and v of the origin is summed as in twice the digits (Ogita, Rump and
   * Oishi 2005).
   */
  recentre(
    { q, count }: FrictionContactProblem,
    { rowStart, blockColumns, values, scale, columns }: ContactFactors,
    z: Float64Array,
  ): void {
    const origin = this.#origin;
    for (let i = 0; i < FREEDOMS * columns; i++) {
      const before = origin[i];
      origin[i] = before + z[i];
      z[i] = roundingOfSum(before, z[i], origin[i]);
    }
    for (let i = 0; i < DIMENSION * count; i++) {
      const contact = Math.floor(i / DIMENSION);
      let sum = q[i];
      let rest = 0;
      for (let k = rowStart[contact]; k < rowStart[contact + 1]; k++) {
        const b = ROW * k + FREEDOMS * (i % DIMENSION);
        const j = FREEDOMS * blockColumns[k];
        for (let m = 0; m < FREEDOMS; m++) {
          const [x, y] = [scale * values[b + m], origin[j + m]];
          const product = x * y;
          const next = sum + product;
          rest += roundingOfProduct(x, y, product) + roundingOfSum(sum, product, next);
          sum = next;
        }
      }
      this.#base[i] = sum + rest;
    }
  }

  /**
   * Change of p of a contact with z and ln a, in the pieces of the last `evaluate`.
   * @param dz, relative changes of z and of ln a
   * @param out, at 3 entries from there
   */
  change(
    contact: number,
    { rowStart, blockColumns, values, diagonal, scale, pressedBy }: ContactFactors,
    dz: Float64Array,
    relative: number,
    out: Float64Array,
    at: number,
  ): void {
    const { p, centre } = this;
    const i = DIMENSION * contact;
    const presses = pressedBy === null ? NONE : pressedBy[contact];
    const normal = presses === NONE ? contact : presses;
    // Both have blocks for the same bodies.
    const beside = ROW * (rowStart[normal] - rowStart[contact]);
    let x0 = 0;
    let x1 = 0;
    let x2 = 0;
    for (let k = rowStart[contact]; k < rowStart[contact + 1]; k++) {
      const b = ROW * k;
      const j = FREEDOMS * blockColumns[k];
      for (let m = 0; m < FREEDOMS; m++) {
        const x = dz[j + m];
        x0 += values[beside + b + m] * x;
        x1 += values[b + FREEDOMS + m] * x;
        x2 += values[b + 2 * FREEDOMS + m] * x;
      }
    }
    // No smaller than s E, a is not changed.
    const added = scale * Math.max(diagonal[i], diagonal[i + 1], diagonal[i + 2]);
    const [a, own] = [this.#a[normal], this.#a[contact]];
    const part = own > added ? relative : 0;
    const isPressed = presses === NONE || this.pieces[presses] !== OPEN;
    const n = DIMENSION * normal;
    out[at] = isPressed ? part * (centre[n] - p[n]) - (scale / a) * x0 : 0;
    out[at + 1] = part * (centre[i + 1] - p[i + 1]) - (scale / own) * x1;
    out[at + 2] = part * (centre[i + 2] - p[i + 2]) - (scale / own) * x2;
  }

  /** Factors of F′ at the last `evaluate`, a step. @returns false where it is singular */
  factor(problem: FrictionContactProblem, factors: ContactFactors): boolean {
    this.steps++;
    return this.#lu.factor(this.#assemble(problem, factors), this.#units, null);
  }

  /** x ← F′⁻¹ x */
  solve(x: Float64Array): void {
    this.#lu.solve(x);
  }

  /** Sign of the determinant of F′. */
  get sign(): number {
    return this.#lu.sign;
  }

  /** r, p, pieces, F and |F|² at z. */
  evaluate(
    { r, mu, count }: FrictionContactProblem,
    { rowStart, blockColumns, values, diagonal, scale, columns, pressedBy }: ContactFactors,
    z: Float64Array,
  ): void {
    const { f, p, centre, pieces } = this;
    const [origin, base] = [this.#origin, this.#base];
    for (let i = 0; i < FREEDOMS * columns; i++) f[i] = origin[i] + z[i];
    for (let c = 0; c < count; c++) {
      const at = DIMENSION * c;
      let v0 = diagonal[at] * centre[at];
      let v1 = diagonal[at + 1] * centre[at + 1];
      let v2 = diagonal[at + 2] * centre[at + 2];
      for (let k = rowStart[c]; k < rowStart[c + 1]; k++) {
        const b = ROW * k;
        const j = FREEDOMS * blockColumns[k];
        for (let m = 0; m < FREEDOMS; m++) {
          const x = z[j + m];
          v0 += values[b + m] * x;
          v1 += values[b + FREEDOMS + m] * x;
          v2 += values[b + 2 * FREEDOMS + m] * x;
        }
      }
      const inverse = 1 / this.#a[c];
      const presses = pressedBy === null ? NONE : pressedBy[c];
      const own = centre[at] - (base[at] + scale * v0) * inverse;
      const p0 = presses === NONE ? own : r[DIMENSION * presses];
      const p1 = centre[at + 1] - (base[at + 1] + scale * v1) * inverse;
      const p2 = centre[at + 2] - (base[at + 2] + scale * v2) * inverse;
      p[at] = p0;
      p[at + 1] = p1;
      p[at + 2] = p2;
      const length = Math.sqrt(p1 * p1 + p2 * p2);
      const bound = mu[c] * p0;
      if (!this.isHeld) pieces[c] = p0 <= 0 ? OPEN : length <= bound ? STICKING : SLIDING;
      if (pieces[c] === OPEN) {
        r[at] = r[at + 1] = r[at + 2] = 0;
        continue;
      }
      const factor = pieces[c] === STICKING ? 1 : bound / length;
      const r1 = factor * p1;
      const r2 = factor * p2;
      r[at] = p0;
      r[at + 1] = r1;
      r[at + 2] = r2;
      for (let k = rowStart[c]; k < rowStart[c + 1]; k++) {
        const b = ROW * k;
        const j = FREEDOMS * blockColumns[k];
        for (let m = 0; m < FREEDOMS; m++)
          f[j + m] -= values[b + m] * p0 + values[b + FREEDOMS + m] * r1 + values[b + 2 * FREEDOMS + m] * r2;
      }
    }
    let merit = 0;
    for (let i = 0; i < FREEDOMS * columns; i++) merit += f[i] * f[i];
    this.#numbers[0] = merit;
  }

  /** s ᵗB C B at the present p, to which the factors add 1. */
  #assemble({ mu, count }: FrictionContactProblem, factors: ContactFactors): BlockRows {
    const { rowStart, values, pressedBy } = factors;
    const pattern = this.#pattern;
    if (pattern === null) throw new Error('the pattern of bodies is known before it is filled');
    const { system, placeOf } = pattern;
    const moved = this.#moved;
    const out = system.values;
    out.fill(0);
    let pair = 0;
    for (let c = 0; c < count; c++) {
      const from = rowStart[c];
      const to = rowStart[c + 1];
      if (this.pieces[c] === OPEN) {
        pair += (to - from) * (to - from);
        continue;
      }
      const presses = pressedBy === null ? NONE : pressedBy[c];
      this.#differentiate(c, presses === NONE ? c : presses, mu[c], factors);
      for (let k = from; k < to; k++)
        for (let l = from; l < to; l++) {
          const at = BLOCK * placeOf[pair++];
          if (presses === NONE) addProduct(values, ROW * k, moved, ROW * l, out, at);
          else addTangents(values, ROW * k, moved, ROW * l, out, at);
        }
    }
    return system;
  }

  /** s C B of a contact that presses. @param presses row whose normal reaction it has, mostly its own */
  #differentiate(c: number, presses: number, mu: number, { rowStart, values, scale }: ContactFactors): void {
    const [p, moved] = [this.p, this.#moved];
    const from = rowStart[c];
    const to = rowStart[c + 1];
    const g = scale / this.#a[c];
    const p1 = p[DIMENSION * c + 1];
    const p2 = p[DIMENSION * c + 2];
    const length = Math.sqrt(p1 * p1 + p2 * p2);
    const bound = mu * p[DIMENSION * c];
    // The normal of a row of moments is another's.
    const own = presses === c ? g : 0;
    if (this.pieces[c] === STICKING) {
      for (let k = from; k < to; k++)
        for (let m = ROW * k; m < ROW * k + FREEDOMS; m++) {
          moved[m] = own * values[m];
          moved[m + FREEDOMS] = g * values[m + FREEDOMS];
          moved[m + 2 * FREEDOMS] = g * values[m + 2 * FREEDOMS];
        }
      return;
    }
    const t1 = p1 / length;
    const t2 = p2 / length;
    const along = (g * bound) / length;
    const c11 = along * t2 * t2;
    const c12 = -along * t1 * t2;
    const c22 = along * t1 * t1;
    const pressed = scale / this.#a[presses];
    // Both have blocks for the same bodies.
    const beside = ROW * (rowStart[presses] - from);
    for (let k = from; k < to; k++)
      for (let m = ROW * k; m < ROW * k + FREEDOMS; m++) {
        const x1 = values[m + FREEDOMS];
        const x2 = values[m + 2 * FREEDOMS];
        const x0 = pressed * values[beside + m];
        moved[m] = own * values[m];
        moved[m + FREEDOMS] = mu * t1 * x0 + c11 * x1 + c12 * x2;
        moved[m + 2 * FREEDOMS] = mu * t2 * x0 + c12 * x1 + c22 * x2;
      }
  }
}

/** What is missing of x + y in their sum. */
function roundingOfSum(x: number, y: number, sum: number): number {
  const part = sum - x;
  return x - (sum - part) + (y - part);
}

/** What is missing of x y in their product. */
function roundingOfProduct(x: number, y: number, product: number): number {
  const [a, b] = [upperHalf(x), upperHalf(y)];
  const [c, d] = [x - a, y - b];
  return c * d - (product - a * b - c * b - a * d);
}

/** The upper 26 bits. */
function upperHalf(x: number): number {
  const shifted = SPLIT * x;
  return shifted - (shifted - x);
}

/** out += ᵗX Y of blocks of three rows and six columns. */
function addProduct(
  x: Float64Array,
  atX: number,
  y: Float64Array,
  atY: number,
  out: Float64Array,
  at: number,
): void {
  for (let n = 0; n < FREEDOMS; n++) {
    const x0 = x[atX + n];
    const x1 = x[atX + FREEDOMS + n];
    const x2 = x[atX + 2 * FREEDOMS + n];
    const row = at + FREEDOMS * n;
    for (let m = 0; m < FREEDOMS; m++)
      out[row + m] += x0 * y[atY + m] + x1 * y[atY + FREEDOMS + m] + x2 * y[atY + 2 * FREEDOMS + m];
  }
}

/** The same without the first rows, of which those of moments have none. */
function addTangents(
  x: Float64Array,
  atX: number,
  y: Float64Array,
  atY: number,
  out: Float64Array,
  at: number,
): void {
  for (let n = 0; n < FREEDOMS; n++) {
    const x1 = x[atX + FREEDOMS + n];
    const x2 = x[atX + 2 * FREEDOMS + n];
    if (x1 === 0 && x2 === 0) continue;
    const row = at + FREEDOMS * n;
    for (let m = 0; m < FREEDOMS; m++)
      out[row + m] += x1 * y[atY + FREEDOMS + m] + x2 * y[atY + 2 * FREEDOMS + m];
  }
}

/** z ← ᵗB r */
function multiplyTransposed(
  { count }: FrictionContactProblem,
  { rowStart, blockColumns, values, columns }: ContactFactors,
  r: Float64Array,
  z: Float64Array,
): void {
  for (let i = 0; i < FREEDOMS * columns; i++) z[i] = 0;
  for (let c = 0; c < count; c++) {
    const at = DIMENSION * c;
    for (let k = rowStart[c]; k < rowStart[c + 1]; k++) {
      const b = ROW * k;
      const j = FREEDOMS * blockColumns[k];
      for (let m = 0; m < FREEDOMS; m++)
        z[j + m] +=
          values[b + m] * r[at] +
          values[b + FREEDOMS + m] * r[at + 1] +
          values[b + 2 * FREEDOMS + m] * r[at + 2];
    }
  }
}
