/**
 * Linear systems with switching rows and sources of time, by enumeration of modes and matrix exponentials: an
 * oracle that shares nothing with the engine. Between the jumps of its sources the model is autonomous in
 * z = (x, s), where s are the states of the sources,
 *
 *     ẋ = A x + B λ + E u,     y = C x + D λ + F u,     u = U s,     ṡ = S s,     −y ∈ N_[l,u](λ) row by row.
 *
 * In each combination of modes (λ = l with y ≥ 0, y = 0 with l ≤ λ ≤ u, λ = u with y ≤ 0; of a graph its
 * pieces) everything is linear in z. After an event the combination is the one whose inequalities hold at
 * once, in the lexicographic sense of values and derivatives; its end is the first zero of one of them, found
 * between places that are so close that its derivative changes its sign once at most.
 */

export type Rows = readonly (readonly number[])[];

export interface SwitchedModel {
  readonly A: Rows;
  readonly B: Rows;
  readonly C: Rows;
  readonly D: Rows;
  readonly E: Rows;
  readonly F: Rows;
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  readonly x0: readonly number[];
  readonly sources: readonly Source[];
  /** pieces of each row in place of its bounds, where laws are graphs */
  readonly graphs?: readonly (readonly GraphPiece[])[];
}

/** λ = α + β y for y between two ends, or y = at for λ between them. */
export type GraphPiece =
  | { readonly alpha: number; readonly beta: number; readonly from: number; readonly to: number }
  | { readonly at: number; readonly from: number; readonly to: number };

/** The pieces of a box. */
const piecesOf = (lower: number, upper: number): GraphPiece[] => [
  ...(lower > -Infinity ? [{ alpha: lower, beta: 0, from: 0, to: Infinity }] : []),
  { at: 0, from: lower, to: upper },
  ...(upper < Infinity ? [{ alpha: upper, beta: 0, from: -Infinity, to: 0 }] : []),
];

/** A source, with one value u and states of its own. */
export interface Source {
  /** s at a time, from the right where it jumps */
  state(t: number): number[];
  /** S, and the row of U */
  readonly S: Rows;
  readonly U: readonly number[];
  /** times in (from, to) at which s jumps */
  jumps(from: number, to: number): number[];
}

/** Part of the largest terms of a value that counts as zero. */
const ZERO = 1e-9;

const zeros = (rows: number, columns: number): number[][] =>
  Array.from({ length: rows }, () => new Array<number>(columns).fill(0));

const product = (a: Rows, b: Rows): number[][] =>
  a.map((row) => b[0].map((_, j) => row.reduce((sum, value, k) => sum + value * b[k][j], 0)));

const apply = (a: Rows, x: readonly number[]): number[] =>
  a.map((row) => row.reduce((sum, value, k) => sum + value * x[k], 0));

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, v, k) => sum + v * b[k], 0);

/** e^(a t) by Taylor's series of a scaled matrix. */
function exponential(a: Rows, t: number): number[][] {
  const n = a.length;
  const norm = Math.max(...a.map((row) => row.reduce((sum, v) => sum + Math.abs(v), 0))) * Math.abs(t);
  const halvings = Math.max(0, Math.ceil(Math.log2(norm / 0.25 + 1e-300)));
  const part = a.map((row) => row.map((v) => (v * t) / 2 ** halvings));
  let sum = zeros(n, n);
  for (let i = 0; i < n; i++) sum[i][i] = 1;
  let term = sum;
  for (let k = 1; k <= 16; k++) {
    term = product(term, part).map((row) => row.map((v) => v / k));
    sum = sum.map((row, i) => row.map((v, j) => v + term[i][j]));
  }
  for (let k = 0; k < halvings; k++) sum = product(sum, sum);
  return sum;
}

/** Gaussian elimination with column pivots; null where a pivot vanishes. */
function solve(a: Rows, b: Rows): number[][] | null {
  const n = a.length;
  const m = a.map((row, i) => [...row, ...b[i]]);
  for (let c = 0; c < n; c++) {
    let p = c;
    for (let i = c + 1; i < n; i++) if (Math.abs(m[i][c]) > Math.abs(m[p][c])) p = i;
    if (!(Math.abs(m[p][c]) > 1e-12)) return null;
    [m[c], m[p]] = [m[p], m[c]];
    for (let i = 0; i < n; i++) {
      if (i === c) continue;
      const f = m[i][c] / m[c][c];
      if (f !== 0) for (let j = c; j < m[i].length; j++) m[i][j] -= f * m[c][j];
    }
  }
  return m.map((row, i) => row.slice(n).map((v) => v / row[i]));
}

interface Piece {
  /** number of the piece of each row */
  readonly modes: readonly number[];
  /** ż = G z */
  readonly G: number[][];
  /** inequalities, each a form of z that is not negative */
  readonly margins: readonly (readonly number[])[];
  /** forms that are zero in the modes */
  readonly kept: readonly (readonly number[])[];
}

export interface OracleResult {
  readonly x: number[];
  /** times at which modes change */
  readonly switches: number[];
  /** states at the times asked for */
  readonly samples: number[][];
}

export class SwitchedOracle {
  readonly #n: number;
  readonly #m: number;
  readonly #size: number;
  readonly #pieces = new Map<string, Piece | null>();
  readonly #choices: readonly (readonly GraphPiece[])[];

  constructor(private readonly model: SwitchedModel) {
    this.#n = model.A.length;
    this.#m = model.C.length;
    this.#size = this.#n + model.sources.reduce((sum, { U }) => sum + U.length, 0);
    this.#choices = model.graphs ?? model.lower.map((lower, r) => piecesOf(lower, model.upper[r]));
  }

  /** Block matrices over z. */
  #blocks(): { dynamics: number[][]; output: number[][]; constant: number } {
    const { A, C, E, F, sources } = this.model;
    const n = this.#n;
    const dynamics = zeros(this.#size, this.#size);
    const output = zeros(this.#m, this.#size);
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) dynamics[i][j] = A[i][j];
    for (let r = 0; r < this.#m; r++) for (let j = 0; j < n; j++) output[r][j] = C[r][j];
    let at = n;
    sources.forEach(({ S, U }, k) => {
      U.forEach((u, j) => {
        for (let i = 0; i < n; i++) dynamics[i][at + j] = E[i][k] * u;
        for (let r = 0; r < this.#m; r++) output[r][at + j] = F[r][k] * u;
        U.forEach((_, i) => (dynamics[at + i][at + j] = S[i][j]));
      });
      at += U.length;
    });
    // The first source is the constant 1.
    return { dynamics, output, constant: n };
  }

  #piece(modes: readonly number[]): Piece | null {
    const key = modes.join();
    const known = this.#pieces.get(key);
    if (known !== undefined) return known;
    const made = this.#make(modes);
    this.#pieces.set(key, made);
    return made;
  }

  #make(modes: readonly number[]): Piece | null {
    const { B, C, D } = this.model;
    const { dynamics, output, constant } = this.#blocks();
    const n = this.#n;
    const isDirect = D.map((row) => row.some((v) => v !== 0));
    const rate = product(output, dynamics);
    const W = product(C, B);
    const own = modes.map((mode, r) => this.#choices[r][mode]);
    const unit = (value: number): number[] =>
      Array.from({ length: this.#size }, (_, j) => (j === constant ? value : 0));
    // λ = Λ z from one equation of each row.
    const left = zeros(this.#m, this.#m);
    const right = own.map((piece, r) => {
      if ('at' in piece) {
        left[r] = isDirect[r] ? [...D[r]] : [...W[r]];
        const aim = unit(isDirect[r] ? piece.at : 0);
        return (isDirect[r] ? output : rate)[r].map((v, j) => aim[j] - v);
      }
      const level = unit(piece.alpha);
      left[r] = D[r].map((d, s) => (r === s ? 1 : 0) - piece.beta * d);
      return output[r].map((v, j) => level[j] + piece.beta * v);
    });
    const lambda = solve(left, right);
    if (lambda === null) return null;
    const G = dynamics.map((row, i) =>
      i < n ? row.map((v, j) => v + B[i].reduce((sum, b, r) => sum + b * lambda[r][j], 0)) : [...row],
    );
    const y = output.map((row, r) =>
      row.map((v, j) => v + D[r].reduce((sum, d, s) => sum + d * lambda[s][j], 0)),
    );
    const margins: number[][] = [];
    const kept: number[][] = [];
    own.forEach((piece, r) => {
      const inside = 'at' in piece ? lambda[r] : y[r];
      const [from, to] = [unit(piece.from), unit(piece.to)];
      if (piece.from > -Infinity) margins.push(inside.map((v, j) => v - from[j]));
      if (piece.to < Infinity) margins.push(inside.map((v, j) => to[j] - v));
      if (!('at' in piece) || isDirect[r]) return;
      const aim = unit(piece.at);
      kept.push(y[r].map((v, j) => v - aim[j]));
    });
    return { modes, G, margins, kept };
  }

  /** Whether the inequalities of a piece hold at z and just behind it. */
  #holds({ G, margins, kept }: Piece, z: readonly number[]): boolean {
    const largest = Math.max(...z.map(Math.abs));
    const size = (form: readonly number[]): number => largest * form.reduce((sum, v) => sum + Math.abs(v), 0);
    for (const form of kept) if (Math.abs(dot(form, z)) > ZERO * Math.max(size(form), 1e-12)) return false;
    for (const margin of margins) {
      let form: readonly number[] = margin;
      for (let order = 0; order <= this.#size; order++) {
        const value = dot(form, z);
        const scale = size(form);
        if (value < -ZERO * scale) return false;
        if (value > ZERO * scale) break;
        form = G[0].map((_, j) => form.reduce((sum, v, k) => sum + v * G[k][j], 0));
      }
    }
    return true;
  }

  #choose(z: readonly number[]): Piece {
    const choices: Piece[] = [];
    const walk = (modes: number[]): void => {
      if (modes.length === this.#m) {
        const piece = this.#piece(modes);
        if (piece !== null && this.#holds(piece, z)) choices.push(piece);
        return;
      }
      this.#choices[modes.length].forEach((_, k) => {
        walk([...modes, k]);
      });
    };
    walk([]);
    if (choices.length === 0) throw new Error('no combination of modes');
    return choices[0];
  }

  /**
   * Length from z to the first zero of a margin within a time; null where there is none.
   * @param dt places that are looked at
   */
  #firstZero({ G, margins }: Piece, z: readonly number[], within: number, dt: number): number | null {
    const steps = Math.max(1, Math.ceil(within / dt));
    const h = within / steps;
    const E = exponential(G, h);
    const rates = margins.map((form) => G[0].map((_, j) => form.reduce((sum, v, k) => sum + v * G[k][j], 0)));
    const at = (start: readonly number[], s: number): number[] => apply(exponential(G, s), start);
    const refine = (start: readonly number[], form: readonly number[], from: number, to: number): number => {
      let [a, b] = [from, to];
      const isUp = dot(form, at(start, b)) > 0;
      for (let k = 0; k < 60; k++) {
        const middle = 0.5 * (a + b);
        if (dot(form, at(start, middle)) > 0 === isUp) b = middle;
        else a = middle;
      }
      return b;
    };
    let present = [...z];
    let hasLeft = margins.map(() => false);
    for (let k = 0; k < steps; k++) {
      const next = apply(E, present);
      const zeros: number[] = [];
      hasLeft = margins.map((form, i) => {
        const [before, after] = [dot(form, present), dot(form, next)];
        const [falls, rises] = [dot(rates[i], present), dot(rates[i], next)];
        let zero: number | null = null;
        const isInside =
          hasLeft[i] || before > ZERO * form.reduce((sum, v, j) => sum + Math.abs(v * present[j]), 0);
        if (isInside && after < 0) zero = refine(present, form, 0, h);
        else if (!isInside && after < 0) {
          // It has begun at zero: it can only come back to it.
          const top = refine(present, rates[i], 0, h);
          if (dot(form, at(present, top)) > 0) zero = refine(present, form, top, h);
        } else if (isInside && falls < 0 && rises > 0) {
          const bottom = refine(present, rates[i], 0, h);
          if (dot(form, at(present, bottom)) < 0) zero = refine(present, form, 0, bottom);
        }
        if (zero !== null) zeros.push(zero);
        return isInside || after > 0;
      });
      if (zeros.length > 0) return k * h + Math.min(...zeros);
      present = next;
    }
    return null;
  }

  /** @param dt places that are looked at, s @param times at which states are wanted, ascending */
  run(end: number, dt: number, times: readonly number[] = []): OracleResult {
    const { sources, x0 } = this.model;
    const withSources = (x: readonly number[], t: number): number[] => [
      ...x,
      ...sources.flatMap((one) => one.state(t)),
    ];
    const stops = [...sources.flatMap((one) => one.jumps(0, end)), ...times, end].sort((a, b) => a - b);
    const switches: number[] = [];
    const samples: number[][] = [];
    let t = 0;
    let z = withSources(x0, 0);
    let piece = this.#choose(z);
    for (const stop of stops) {
      for (let count = 0; stop - t > 1e-13; count++) {
        if (count > 1000) throw new Error('switches without end');
        const zero = this.#firstZero(piece, z, stop - t, dt);
        const step = zero ?? stop - t;
        z = apply(exponential(piece.G, step), z);
        t = zero === null ? stop : t + step;
        if (zero === null) break;
        const next = this.#choose(z);
        if (next !== piece) switches.push(t);
        piece = next;
      }
      t = stop;
      if (times.includes(stop)) samples.push(z.slice(0, this.#n));
      if (stop === end) break;
      z = withSources(z.slice(0, this.#n), t);
      const next = this.#choose(z);
      if (next !== piece) switches.push(t);
      piece = next;
    }
    return { x: z.slice(0, this.#n), switches, samples };
  }
}
