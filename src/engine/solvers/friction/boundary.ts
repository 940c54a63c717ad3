/**
 * The boundary by which a contact leaves its piece of the law first. Where a contact is open, sticks or
 * slides, r is a smooth function of p in the equations of a proximal step (`body-step.ts`), and goes over
 * into that of the next piece without a jump:
 *
 *     p_N = 0           between open and sliding contacts
 *     |p_T| = μ p_N     between sticking and sliding contacts
 *
 * Along a line p changes linearly, so that the first boundary ahead is a root of a quadratic equation. Rows
 * of moments that oppose rolling and spinning open and close with their contact.
 */
import type { ContactFactors, FrictionContactProblem } from '../../problems/friction-contact';
import { type BodyStep, OPEN, SLIDING, STICKING } from './body-step';
import { meanDiagonal } from './solver';

const DIMENSION = 3;
const NONE = -1;
const NORMAL = 0;
const CONE = 1;
const BOUNDARIES = [NORMAL, CONE] as const;
/** How far outside its piece a contact may be in a point, over what |F| leaves uncertain of its reaction. */
const BEYOND = 10;

export class Boundary {
  /** [0] length along the line to where the contact leaves its piece */
  readonly #reach = new Float64Array(1);
  readonly #changed = new Float64Array(DIMENSION);
  #contact = NONE;
  #kind: number = NORMAL;
  /** by contact, where the line begins: p, and its change along the line */
  #p = new Float64Array(0);
  #dp = new Float64Array(0);

  constructor(private readonly step: BodyStep) {}

  get reach(): number {
    return this.#reach[0];
  }

  get isNone(): boolean {
    return this.#contact === NONE;
  }

  clear(): void {
    this.#contact = NONE;
  }

  /**
   * The first one along a line from the last `evaluate`.
   * @param dz, relative direction of the line in z and ln a
   * @param square |F|² that is asked for
   */
  lookAhead(
    problem: FrictionContactProblem,
    factors: ContactFactors,
    dz: Float64Array,
    relative: number,
    square: number,
  ): void {
    const { mu, count } = problem;
    if (this.#p.length < DIMENSION * count) {
      this.#p = new Float64Array(DIMENSION * count);
      this.#dp = new Float64Array(DIMENSION * count);
    }
    const none = uncertainty(problem, square);
    this.#reach[0] = Number.POSITIVE_INFINITY;
    this.#contact = NONE;
    for (let c = 0; c < count; c++) {
      this.step.change(c, factors, dz, relative, this.#dp, DIMENSION * c);
      for (let i = DIMENSION * c; i < DIMENSION * (c + 1); i++) this.#p[i] = this.step.p[i];
      for (const kind of BOUNDARIES)
        if (this.#has(c, kind, factors.pressedBy)) this.#take(c, kind, this.#distance(c, kind, mu[c], none));
    }
  }

  /**
   * Whether a contact but the present one has left its piece at the last `evaluate`, which is so far along
   * the line; the first of them is the present one then.
   * @param square |F|² there
   */
  lookBack(
    problem: FrictionContactProblem,
    { pressedBy }: ContactFactors,
    length: number,
    square: number,
  ): boolean {
    const { mu, count } = problem;
    const [contact, by] = [this.#contact, this.#kind];
    const allowed = BEYOND * uncertainty(problem, square);
    this.#reach[0] = Number.POSITIVE_INFINITY;
    for (let c = 0; c < count; c++)
      for (const kind of BOUNDARIES) {
        if (!this.#has(c, kind, pressedBy) || (c === contact && kind === by)) continue;
        const outside = -this.#insideOf(c, kind, mu[c], this.step.p);
        if (!(outside > allowed)) continue;
        const inside = Math.max(0, this.#insideOf(c, kind, mu[c], this.#p));
        this.#take(c, kind, (length * inside) / (inside + outside));
      }
    return this.#reach[0] < Number.POSITIVE_INFINITY;
  }

  /** Brings the contact to the piece on the other side. */
  cross(pressedBy: Int32Array | null): void {
    const { pieces } = this.step;
    const c = this.#contact;
    if (this.#kind === CONE) {
      pieces[c] = pieces[c] === STICKING ? SLIDING : STICKING;
      return;
    }
    pieces[c] = pieces[c] === OPEN ? SLIDING : OPEN;
    if (pressedBy === null) return;
    for (let k = 0; k < pieces.length; k++) if (pressedBy[k] === c) pieces[k] = pieces[c];
  }

  /** How far p of the contact is from it at the last `evaluate`, positive in its piece. */
  inside({ mu }: FrictionContactProblem): number {
    return this.#insideOf(this.#contact, this.#kind, mu[this.#contact], this.step.p);
  }

  /** Change of that with z and ln a. */
  change(
    { mu }: FrictionContactProblem,
    factors: ContactFactors,
    dz: Float64Array,
    relative: number,
  ): number {
    this.step.change(this.#contact, factors, dz, relative, this.#changed, 0);
    return this.#rate(this.#contact, this.#kind, mu[this.#contact], this.#changed, 0);
  }

  /** Takes that one if it is nearer. */
  #take(contact: number, kind: number, reach: number): void {
    if (!(reach < this.#reach[0])) return;
    this.#reach[0] = reach;
    this.#contact = contact;
    this.#kind = kind;
  }

  #has(c: number, kind: number, pressedBy: Int32Array | null): boolean {
    const piece = this.step.pieces[c];
    if (kind === CONE) return piece !== OPEN;
    return piece !== STICKING && (pressedBy === null || pressedBy[c] === NONE);
  }

  #insideOf(c: number, kind: number, mu: number, p: Float64Array): number {
    const at = DIMENSION * c;
    const piece = this.step.pieces[c];
    if (kind === NORMAL) return piece === OPEN ? -p[at] : p[at];
    const beyond = Math.sqrt(p[at + 1] * p[at + 1] + p[at + 2] * p[at + 2]) - mu * p[at];
    return piece === SLIDING ? beyond : -beyond;
  }

  /** @param dp, at change of p, 3 entries from there */
  #rate(c: number, kind: number, mu: number, dp: Float64Array, at: number): number {
    const { p, pieces } = this.step;
    const i = DIMENSION * c;
    if (kind === NORMAL) return pieces[c] === OPEN ? -dp[at] : dp[at];
    const length = Math.sqrt(p[i + 1] * p[i + 1] + p[i + 2] * p[i + 2]);
    const along = length > 0 ? (p[i + 1] * dp[at + 1] + p[i + 2] * dp[at + 2]) / length : 0;
    return pieces[c] === SLIDING ? along - mu * dp[at] : mu * dp[at] - along;
  }

  /** Length at which a contact reaches it. @param none distance that is none */
  #distance(c: number, kind: number, mu: number, none: number): number {
    const [p, dp] = [this.#p, this.#dp];
    const i = DIMENSION * c;
    const inside = this.#insideOf(c, kind, mu, p);
    const rate = this.#rate(c, kind, mu, dp, i);
    if (kind === NORMAL) return rate < 0 ? Math.max(0, -inside / rate) : Number.POSITIVE_INFINITY;
    if (inside <= none && rate < 0) return 0;
    // (μ p_N)² = |p_T|²
    const square = mu * mu;
    const second = square * dp[i] * dp[i] - dp[i + 1] * dp[i + 1] - dp[i + 2] * dp[i + 2];
    const first = square * p[i] * dp[i] - p[i + 1] * dp[i + 1] - p[i + 2] * dp[i + 2];
    // The one root that is not here.
    if (inside <= none) return positive((-2 * first) / second);
    const zeroth = square * p[i] * p[i] - p[i + 1] * p[i + 1] - p[i + 2] * p[i + 2];
    const root = Math.sqrt(first * first - second * zeroth);
    const sum = -first - (first < 0 ? -root : root);
    return Math.min(positive(sum / second), positive(zeroth / sum));
  }
}

/** Reaction that this |F|² makes uncertain. */
const uncertainty = ({ W }: FrictionContactProblem, square: number): number =>
  Math.sqrt(square / meanDiagonal(W));

const positive = (x: number): number => (x > 0 ? x : Number.POSITIVE_INFINITY);
