/**
 * A function of time as polynomials, piece by piece: what a gap owes to a wall that moves by itself. A search
 * for roots asks for its values and rates many times, and for bounds of its curvature; a polynomial has all
 * of them for a few operations, whatever the function does. Each piece lies between two times at which a
 * condition of the function changes, and is short enough for one polynomial to be right to rounding.
 *
 * On a piece [a, b] with u = (2t − a − b)/(b − a) the interpolant through Chebyshev's nodes is written in
 * powers of u. Its series falls so fast there, by the criterion below, that powers lose nothing.
 */

/** A function of which values are known, and where its conditions change. */
export interface SampledFunction {
  /** Its value at a time. */
  value(time: number): number;
  /** Takes note of the outcomes of its conditions at a time. */
  note(time: number): void;
  /** Whether they are those that have been noted. */
  isAsNoted(time: number): boolean;
  /** How far a window goes from its start, s; where it is absent, all have one length. */
  lengthFrom?(time: number): number;
}

/** Degree of a piece, and coefficients of it. */
export const DEGREE = 12;
const COUNT = DEGREE + 1;
/** What a piece may be off, relative to the largest value on it, or a part of the largest of all. */
const ROUNDING = 2 ** -49;
const PART_OF_ALL = 2 ** -4;
/** Coefficients of the interpolant that have to be of the size of rounding, so that what follows is below. */
const TAIL = 2;
/** Parts in which a window is first looked at. */
const PARTS = 16;
/** Halvings of one of them before the function counts as one that no polynomials follow. */
const MOST_HALVINGS = 24;
/** Pieces of a window beyond which they are not worth while. */
const MOST_PIECES = 4096;
/** Places on [−1, 1], between the nodes, where a piece is compared with the function. */
const PROBES = [-0.97, -0.53, 0.05, 0.61, 0.99];
/** Guesses of a period, and changes of conditions they are made of, beyond which there is none. */
const MOST_GUESSES = 128;
const MOST_CHANGES = 64;
/** Parts of a window below which a distance of changes is no period. */
const SHORTEST_PERIOD = 1e-3;
/** Places in a window of the usual length at which a longer one is looked at, and where between them. */
const LOOKS = 16;
const BETWEEN = 0.37;
/** How much windows may differ that have one length but for rounding of times. */
const SAME_LENGTH = 1e-9;
/** Periods ahead at which a function is compared with itself. */
const LATER = [1, 7, 101];

/** Chebyshev's nodes, and the matrix that takes values there to coefficients of powers of u. */
const NODES = Float64Array.from({ length: COUNT }, (_, k) => Math.cos((Math.PI * (2 * k + 1)) / (2 * COUNT)));
/** cos jπ(2k + 1)/2n at [COUNT j + k]: values there make the coefficient of T_j. */
const COSINES = Float64Array.from({ length: COUNT * COUNT }, (_, at) => {
  const k = at % COUNT;
  const j = (at - k) / COUNT;
  return Math.cos((Math.PI * j * (2 * k + 1)) / (2 * COUNT));
});
/** Coefficients of Chebyshev's polynomials by powers: T_j at [COUNT j + k]. */
const CHEBYSHEV = ((): Float64Array => {
  const table = new Float64Array(COUNT * COUNT);
  table[0] = 1;
  table[COUNT + 1] = 1;
  for (let j = 2; j < COUNT; j++)
    for (let k = 0; k <= j; k++)
      table[COUNT * j + k] = (k > 0 ? 2 * table[COUNT * (j - 1) + k - 1] : 0) - table[COUNT * (j - 2) + k];
  return table;
})();

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly coefficients: Float64Array;
  /** least second derivative by time on the piece, or less */
  readonly least: number;
}

export class TimeTable {
  /** coefficients of powers of u on the present piece */
  coefficients: Float64Array = new Float64Array(COUNT);
  /** [0] start and [1] end of it, s, [2] its middle, s, [3] du/dt, 1/s, [4] least second derivative */
  readonly piece = new Float64Array(5).fill(NaN);
  /** [0] start of the window that the pieces cover, s, [1] its length, s */
  readonly #window = new Float64Array(2).fill(NaN);
  /** the same of the function that was another one, whose pieces may be those of the next */
  readonly #before = new Float64Array(2).fill(NaN);
  /** of the function at the nodes of a piece that is formed */
  readonly #values = new Float64Array(COUNT);
  #pieces: Piece[] = [];
  #at = 0;
  /** [0] largest value that has been seen */
  readonly #largest = new Float64Array(1);
  /** whether the function repeats itself after the length of the window */
  #isPeriodic: boolean;
  /** after which time it may; null where that is not known, s */
  #period: number | null;
  /** times at which conditions change, the first ones, s */
  readonly #changes: number[] = [];
  /** guesses of a period that are left */
  #guesses = MOST_GUESSES;

  /**
   * @param period time after which the function may repeat itself, s, which is looked into; null where none
   *   is known: conditions that change again and again tell then
   * @param length of a window where it does not, s
   */
  constructor(
    private readonly source: SampledFunction,
    private readonly period: number | null,
    private readonly length: number,
    /** parts of a window that are looked at by themselves */
    private readonly parts = PARTS,
  ) {
    this.#isPeriodic = period !== null;
    this.#period = period;
  }

  /**
   * Goes to the piece that a time lies on; at a border, to the one behind it.
   * @returns false where the function is none of polynomials
   */
  seek(time: number): boolean {
    const { piece } = this;
    if (time >= piece[0] && time < piece[1]) return true;
    const [base, length] = this.#window;
    if (this.#isPeriodic && length > 0) {
      const turns = Math.floor((time - base) / length);
      return this.#find(time, turns * length);
    }
    if (time >= base && time < base + length) return this.#find(time, 0);
    if (!this.#cover(time)) return false;
    return this.seek(time);
  }

  /** The function is met as if for the first time. */
  rewind(): void {
    this.forget();
    this.#before.fill(NaN);
    this.#largest.fill(0);
    this.#period = this.period;
    this.#isPeriodic = this.period !== null;
    this.#changes.length = 0;
    this.#guesses = MOST_GUESSES;
  }

  /** The function is another one from here on. */
  forget(): void {
    this.piece.fill(NaN);
    this.#before[0] = this.#window[0];
    this.#before[1] = this.#window[1];
    this.#window.fill(NaN);
  }

  #find(time: number, shift: number): boolean {
    const { piece } = this;
    const pieces = this.#pieces;
    // Time goes on: the next piece, or the first one again, is the one that is wanted most often.
    let at = this.#at;
    for (let k = 0; k < pieces.length; k++) {
      if (at >= pieces.length) at = 0;
      const isFirst = at === 0;
      const isLast = at === pieces.length - 1;
      const { start, end } = pieces[at];
      // Rounding of whole periods leaves no gap between the last piece and the first.
      if ((isFirst || time >= start + shift) && (isLast || time < end + shift)) {
        this.#at = at;
        const found = pieces[at];
        this.coefficients = found.coefficients;
        piece[0] = start + shift;
        piece[1] = end + shift;
        piece[2] = 0.5 * (start + end) + shift;
        piece[3] = 2 / (end - start);
        piece[4] = found.least;
        if (isFirst && time < piece[0]) piece[0] = time;
        if (isLast && time >= piece[1]) piece[1] = time + Number.EPSILON * Math.abs(time);
        return true;
      }
      at++;
    }
    return false;
  }

  /** Forms the pieces of a window from a time on. @returns false where that cannot be done, or not yet */
  #cover(time: number): boolean {
    try {
      return this.#form(time);
    } catch {
      // A function that fails ahead of the motion says so when the motion comes there.
      return false;
    }
  }

  #form(time: number, longest = this.source.lengthFrom?.(time) ?? this.length): boolean {
    const length = this.#isPeriodic && this.#period !== null ? this.#period : longest;
    if (this.#comesBack(time, length)) return true;
    const pieces: Piece[] = [];
    const { parts } = this;
    for (let p = 0; p < parts; p++) {
      const start = time + (p / parts) * length;
      const end = p === parts - 1 ? time + length : time + ((p + 1) / parts) * length;
      if (!this.#divide(start, end, 0, pieces)) return false;
    }
    if (this.#isPeriodic && !this.#repeats(pieces, length)) {
      this.#isPeriodic = false;
      return this.#form(time);
    }
    if (!this.#isPeriodic && this.#guess(pieces, length)) return this.#form(time);
    if (!this.#isPeriodic && length > this.length && !this.#follow(pieces, BETWEEN))
      return this.#form(time, this.length);
    this.#take(pieces, time, length);
    return true;
  }

  /**
   * Whether the function is what the one before was on a window as long: where conditions change by time, it
   * often is. Its pieces are taken over then.
   */
  #comesBack(time: number, length: number): boolean {
    const [base, known] = this.#before;
    this.#before.fill(NaN);
    if (!(Math.abs(length - known) <= SAME_LENGTH * known)) return false;
    const pieces = this.#pieces.map((piece): Piece => {
      const [start, end] = [piece.start, piece.end].map((at) => time + (at - base) * (length / known));
      return { ...piece, start, end };
    });
    if (!this.#follow(pieces, BETWEEN)) return false;
    this.#take(pieces, time, length);
    return true;
  }

  /**
   * Whether pieces follow the function as closely as windows of the usual length do, which are looked at as
   * often as a motion that is recorded looks at it.
   * @param offset of the places that are looked at, in distances of them
   */
  #follow(pieces: readonly Piece[], offset: number): boolean {
    const distance = this.length / LOOKS;
    for (const { start, end, coefficients } of pieces) {
      const [middle, half] = [0.5 * (start + end), 0.5 * (end - start)];
      if (!(half > 0)) continue;
      const tolerance = this.#toleranceOf(coefficients, middle, half);
      const count = Math.max(PROBES.length, Math.ceil((end - start) / distance));
      for (let k = 0; k < count; k++) {
        const u = (2 * (k + offset)) / count - 1;
        const off = Math.abs(valueOf(coefficients, u) - this.source.value(middle + half * u));
        if (!(off <= tolerance)) return false;
      }
    }
    return true;
  }

  /** What rounding may leave of a value of a piece. */
  #toleranceOf(coefficients: Float64Array, middle: number, half: number): number {
    let size = Math.abs(coefficients[0]);
    let slope = 0;
    for (let k = 1; k < COUNT; k++) {
      size += Math.abs(coefficients[k]);
      slope += k * Math.abs(coefficients[k]);
    }
    const ofTime = (slope / half) * 2 * Number.EPSILON * Math.abs(middle);
    return 4 * (ROUNDING * Math.max(size, PART_OF_ALL * this.#largest[0]) + ofTime);
  }

  #take(pieces: Piece[], time: number, length: number): void {
    this.#pieces = pieces;
    this.#at = 0;
    this.#window[0] = time;
    this.#window[1] = length;
  }

  /**
   * Looks for a period among the distances of changes. @returns whether there may be one, which is looked
   * into once more over all of it
   */
  #guess(pieces: readonly Piece[], length: number): boolean {
    const changes = this.#changes;
    const last = changes.length - 1;
    for (let k = last - 1; k >= 0 && this.#guesses > 0; k--) {
      this.#guesses--;
      const period = changes[last] - changes[k];
      if (!(period > SHORTEST_PERIOD * length) || !this.#repeats(pieces, period)) continue;
      this.#period = period;
      this.#isPeriodic = true;
      return true;
    }
    return false;
  }

  /** Appends the pieces of an interval. @returns false where there are too many */
  #divide(start: number, end: number, depth: number, pieces: Piece[]): boolean {
    if (pieces.length >= MOST_PIECES) return false;
    const middle = 0.5 * (start + end);
    const half = 0.5 * (end - start);
    // What cannot be told apart from a point is part of either neighbour.
    if (!(half > 4 * Number.EPSILON * Math.abs(middle))) {
      this.source.note(middle);
      const value = this.source.value(middle);
      const coefficients = new Float64Array(COUNT);
      coefficients[0] = value;
      pieces.push({ start, end, coefficients, least: 0 });
      return Number.isFinite(value);
    }
    const change = this.#firstChange(start, end);
    if (change > start && change < end) {
      const changes = this.#changes;
      if (changes.length < MOST_CHANGES && !(change <= changes[changes.length - 1])) changes.push(change);
      return this.#divide(start, change, depth, pieces) && this.#divide(change, end, depth, pieces);
    }
    const piece = this.#fit(start, end);
    if (piece !== null) {
      pieces.push(piece);
      return true;
    }
    if (depth >= MOST_HALVINGS) return false;
    return this.#divide(start, middle, depth + 1, pieces) && this.#divide(middle, end, depth + 1, pieces);
  }

  /** Time at which conditions change within an interval, as nodes and ends see it; NaN where they do not. */
  #firstChange(start: number, end: number): number {
    const { source } = this;
    const middle = 0.5 * (start + end);
    const half = 0.5 * (end - start);
    // Those at the end may be the next ones already.
    const last = end - 4 * Number.EPSILON * Math.abs(end);
    let before = start;
    source.note(before);
    for (let k = COUNT - 1; k >= -1; k--) {
      const at = k < 0 ? last : middle + half * NODES[k];
      if (!(at > before)) continue;
      if (source.isAsNoted(at)) {
        before = at;
        continue;
      }
      let behind = at;
      for (;;) {
        const between = 0.5 * (before + behind);
        if (between <= before || between >= behind) return behind;
        if (source.isAsNoted(between)) before = between;
        else behind = between;
      }
    }
    return NaN;
  }

  #fit(start: number, end: number): Piece | null {
    const { source } = this;
    const middle = 0.5 * (start + end);
    const half = 0.5 * (end - start);
    const values = this.#values;
    let largest = 0;
    for (let k = 0; k < COUNT; k++) {
      values[k] = source.value(middle + half * NODES[k]);
      largest = Math.max(largest, Math.abs(values[k]));
    }
    if (!Number.isFinite(largest)) return null;
    const all = this.#largest;
    all[0] = Math.max(all[0], largest);
    const coefficients = new Float64Array(COUNT);
    // Rounding of a late time shows in the values of a steep function.
    let slope = 0;
    for (let k = 1; k < COUNT; k++)
      slope = Math.max(slope, Math.abs(values[k] - values[k - 1]) / (half * (NODES[k - 1] - NODES[k])));
    const rounding = slope * 2 * Number.EPSILON * Math.abs(middle);
    const tolerance = ROUNDING * Math.max(largest, PART_OF_ALL * all[0]) + rounding;
    for (let j = 0; j < COUNT; j++) {
      let sum = 0;
      for (let k = 0; k < COUNT; k++) sum += values[k] * COSINES[COUNT * j + k];
      sum *= (j === 0 ? 1 : 2) / COUNT;
      if (j >= COUNT - TAIL && Math.abs(sum) > tolerance) return null;
      // Rounding of the values has no place in curvatures.
      if (Math.abs(sum) <= 0.25 * tolerance) continue;
      for (let k = 0; k <= j; k++) coefficients[k] += sum * CHEBYSHEV[COUNT * j + k];
    }
    for (const u of PROBES) {
      const off = Math.abs(valueOf(coefficients, u) - source.value(middle + half * u));
      if (!(off <= 4 * tolerance)) return null;
    }
    let least = 2 * coefficients[2];
    for (let k = 3; k < COUNT; k++) least -= k * (k - 1) * Math.abs(coefficients[k]);
    // Rounding of the values makes curvature, which is none of the function, of this size.
    least -= 4 * DEGREE * DEGREE * tolerance;
    return { start, end, coefficients, least: least / (half * half) };
  }

  /** Whether the function is the same some periods later. */
  #repeats(pieces: readonly Piece[], period: number): boolean {
    for (const { start, end, coefficients } of pieces) {
      const middle = 0.5 * (start + end);
      const half = 0.5 * (end - start);
      if (!(half > 1e-9 * period)) continue;
      for (const turns of LATER) {
        const u = PROBES[turns % PROBES.length];
        const time = middle + half * u + turns * period;
        let size = Math.abs(coefficients[0]);
        let slope = 0;
        for (let k = 1; k < COUNT; k++) {
          size += Math.abs(coefficients[k]);
          slope += k * Math.abs(coefficients[k]);
        }
        const rounding =
          8 *
          (ROUNDING * Math.max(size, this.#largest[0]) +
            (slope / half) * 4 * Number.EPSILON * Math.abs(time));
        if (!(Math.abs(valueOf(coefficients, u) - this.source.value(time)) <= rounding)) return false;
      }
    }
    return true;
  }
}

function valueOf(coefficients: Float64Array, u: number): number {
  let sum = 0;
  for (let k = DEGREE; k >= 0; k--) sum = coefficients[k] + u * sum;
  return sum;
}
