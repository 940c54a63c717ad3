/**
 * In which modes a network goes on from a state: the rational complementarity problem of Heemels, Schumacher
 * and Weiland 2000. In each set of modes y and λ just behind the event are series in time, whose first term
 * may be an impulse,
 *
 *     λ = p δ + λ₀ + λ₁ t + …,     y = D p δ + y₀ + y₁ t + …,     x⁺ = x⁻ + B p,
 *
 * and the set is right where all inequalities hold in the lexicographic sense: of the first coefficient that
 * is not zero. It is sought by principal pivoting: rows whose inequality is violated change sides, all of
 * them at first, then the last of them (Murty 1974), which ends where each set has one series and the network
 * is passive; else sets are gone through by the number of rows that differ. What is not verified is not used.
 */
import { contradiction, networkDepth, networkNoMode } from '../failures';
import { contradictingRows } from './contradiction';
import type { RowState } from '../rows/row-state';
import { ABSENT, ACTIVE, boundOf, LOWER, type RowLaws, UPPER } from '../rows/row-laws';
import type { NetworkFlow } from './network-flow';
import type { NetworkMap } from './network-maps';
import type { NetworkMode } from './network-mode';
import { NetworkSources, ORDERS } from './network-sources';

/** Rounds in which all violated rows change sides, and in which one does, per row. */
const BLOCKS = 8;
const SINGLES = 8;
/** Sets that are gone through at most. */
const MOST_SETS = 20_000;
/** How much more counts as zero where no modes were found. */
const AGAIN = 16;
/** Times what rounding has been found to be in a series, it may be a little later. */
const AHEAD = 16;

/** What counts in the magnitudes of a run. */
type Magnitudes = Pick<RowState, 'length' | 'smallest'>;

export class NetworkDecision {
  /** modes that were found, and the series in them: λ₀ and p by row, and x⁺ */
  readonly modes: Int8Array;
  readonly lambda: Float64Array;
  readonly impulse: Float64Array;
  readonly x: Float64Array;
  /** magnitude of what counts as zero in λ₀, by row */
  readonly zeroForce: Float64Array;
  /** 1 for rows at a bound of which y₀ is zero, and for ACTIVE ones of which λ is at a bound */
  readonly isAtZero: Uint8Array;
  /** 1 for those of which no coefficient says on which side they go on */
  readonly isTie: Uint8Array;
  /** whether x⁺ is not x⁻ */
  hasJumped = false;
  readonly #start: Int8Array;
  /** mode that a row with a violated inequality changes to; −1 of others */
  readonly #next: Int8Array;
  readonly #bounds: Float64Array;
  readonly #sources: NetworkSources;
  /** below which part of their terms coefficients are zero, by order */
  #zeros: readonly number[] = [];
  /** coefficients of y and λ by order, and what cancels in them */
  readonly #y: readonly Float64Array[];
  readonly #yTerms: readonly Float64Array[];
  readonly #lambdas: readonly Float64Array[];
  readonly #lambdaTerms: readonly Float64Array[];
  /** p, without what is rounding, and D p, with what cancels in it */
  readonly #p: Float64Array;
  readonly #yImpulse: Float64Array;
  readonly #yImpulseTerms: Float64Array;
  readonly #xk: Float64Array;
  readonly #xTerms: Float64Array;
  /** what maps are applied to, and combinations that are kept twice */
  readonly #given: Float64Array;
  readonly #givenTerms: Float64Array;
  readonly #kept: Float64Array;
  readonly #keptTerms: Float64Array;
  /** a set of modes that would have to keep a second derivative */
  #deep: NetworkMode | null = null;

  constructor(
    private readonly laws: RowLaws,
    private readonly flow: NetworkFlow,
    /** see `EventRelations.window` */
    window: Float64Array,
    /** longest δ of differences in time, s */
    private readonly difference: number,
  ) {
    const { size: n, rows: m } = flow.network;
    const ofRows = (): Float64Array => new Float64Array(m);
    const ofStates = (): Float64Array => new Float64Array(n);
    const orders = Array.from({ length: ORDERS + 1 }, (_, k) => k);
    this.modes = new Int8Array(m);
    this.lambda = ofRows();
    this.impulse = ofRows();
    this.x = ofStates();
    this.zeroForce = ofRows();
    this.isAtZero = new Uint8Array(m);
    this.isTie = new Uint8Array(m);
    this.#start = new Int8Array(m);
    this.#next = new Int8Array(m);
    this.#bounds = ofRows();
    this.#sources = new NetworkSources(flow.network, window, difference);
    this.#y = orders.map(ofRows);
    this.#yTerms = orders.map(ofRows);
    this.#lambdas = orders.map(ofRows);
    this.#lambdaTerms = orders.map(ofRows);
    this.#p = ofRows();
    this.#yImpulse = ofRows();
    this.#yImpulseTerms = ofRows();
    this.#xk = ofStates();
    this.#xTerms = ofStates();
    this.#given = new Float64Array(2 * (n + m) + 1);
    this.#givenTerms = new Float64Array(2 * (n + m) + 1);
    this.#kept = ofRows();
    this.#keptTerms = ofRows();
  }

  /**
   * Looks for the modes in which the network goes on.
   * @param x state before, which is not changed
   * @param modes to begin with
   * @param isAbsent 1 for rows that are not there
   * @param outputs magnitudes of y so far
   * @param forces magnitudes of λ so far, by row; those found are taken note of
   * @returns whether there are some
   */
  decide(
    clock: Float64Array,
    x: Float64Array,
    modes: Int8Array,
    isAbsent: Uint8Array,
    outputs: Magnitudes,
    forces: Float64Array,
  ): boolean {
    this.flow.network.prepare(clock);
    this.#sources.read(clock);
    this.#zeros = this.#sources.zeros;
    this.#deep = null;
    this.#begin(modes, isAbsent);
    // A value that counted as zero where the flight ended may not in the modes that follow.
    if (!this.#find(x, outputs, forces)) {
      this.#zeros = this.#zeros.map((zero) => AGAIN * zero);
      if (!this.#find(x, outputs, forces)) return false;
    }
    this.#keepTies(x, outputs, forces);
    this.#finish(outputs, forces);
    return true;
  }

  /**
   * Outputs that stay at zero as far as coefficients say are kept there where that is as right: the flight
   * ahead watches multipliers that begin at their bounds by a tolerance, and not the rounding of outputs.
   */
  #keepTies(x: Float64Array, outputs: Magnitudes, forces: Float64Array): void {
    const { modes } = this;
    let hasTies = false;
    this.#next.set(modes);
    for (let row = 0; row < modes.length; row++) {
      if (modes[row] === ABSENT || modes[row] === ACTIVE || this.#signOfOutput(row, outputs) !== 0) continue;
      this.#next[row] = ACTIVE;
      hasTies = true;
    }
    if (!hasTies) return;
    const found = modes.slice();
    modes.set(this.#next);
    if (this.#judge(x, outputs, forces) === 0) return;
    modes.set(found);
    this.#judge(x, outputs, forces);
  }

  /** Why no modes were found. */
  failure(time: number): Error {
    const { names } = this.laws;
    const present = Array.from(this.#start.keys()).filter((row) => this.#start[row] !== ABSENT);
    const own = contradictingRows(this.flow.network, this.laws, present, this.#sources.e[0]);
    if (own.length > 0)
      return contradiction(
        own.map((row) => names[row]),
        time,
      );
    if (this.#deep !== null)
      return networkDepth(
        Array.from(this.#deep.active, (row) => names[row]),
        time,
      );
    return networkNoMode(names, time);
  }

  #begin(modes: Int8Array, isAbsent: Uint8Array): void {
    const { lower, upper, count } = this.laws;
    for (let row = 0; row < count; row++) {
      const isFree = lower[row] === -Infinity && upper[row] === Infinity;
      let mode = modes[row];
      if (isAbsent[row] === 1) mode = ABSENT;
      else if (isFree) mode = ACTIVE;
      else if (mode === ABSENT || (mode === LOWER && lower[row] === -Infinity))
        mode = lower[row] === -Infinity ? UPPER : LOWER;
      else if (mode === UPPER && upper[row] === Infinity) mode = LOWER;
      this.#start[row] = mode;
    }
  }

  /** From the modes before, from those next to them, from rows at their bounds, and from all others. */
  #find(x: Float64Array, outputs: Magnitudes, forces: Float64Array): boolean {
    const { modes, laws } = this;
    modes.set(this.#start);
    if (this.#pivot(x, outputs, forces) || this.#goThrough(x, outputs, forces, 1)) return true;
    for (let row = 0; row < modes.length; row++) {
      modes[row] = this.#start[row];
      if (modes[row] !== ACTIVE) continue;
      if (laws.lower[row] !== -Infinity) modes[row] = LOWER;
      else if (laws.upper[row] !== Infinity) modes[row] = UPPER;
    }
    return this.#pivot(x, outputs, forces) || this.#goThrough(x, outputs, forces, modes.length);
  }

  /** Principal pivoting from the present modes. */
  #pivot(x: Float64Array, outputs: Magnitudes, forces: Float64Array): boolean {
    const { modes } = this;
    const next = this.#next;
    let least = Infinity;
    let blocks = BLOCKS;
    const most = BLOCKS + SINGLES * modes.length;
    for (let round = 0; round < most; round++) {
      const wrong = this.#judge(x, outputs, forces);
      if (wrong <= 0) return wrong === 0;
      const isBlock = wrong < least || blocks-- > 0;
      least = Math.min(least, wrong);
      for (let row = modes.length - 1; row >= 0; row--) {
        if (next[row] < 0) continue;
        modes[row] = next[row];
        if (!isBlock) break;
      }
    }
    return false;
  }

  /**
   * Goes through sets by the number of rows in which they differ from the modes to begin with.
   * @param most of these rows
   */
  #goThrough(x: Float64Array, outputs: Magnitudes, forces: Float64Array, most: number): boolean {
    const { lower, upper, count } = this.laws;
    const rows = Array.from({ length: count }, (_, row) => row).filter(
      (row) => this.#start[row] !== ABSENT && (lower[row] !== -Infinity || upper[row] !== Infinity),
    );
    let left = MOST_SETS;
    const change = (from: number, changes: number): boolean => {
      if (changes === 0) return left-- > 0 && this.#judge(x, outputs, forces) === 0;
      for (let k = from; k + changes <= rows.length && left > 0; k++) {
        const row = rows[k];
        for (const mode of [LOWER, ACTIVE, UPPER]) {
          if (mode === this.#start[row] || (mode === LOWER && lower[row] === -Infinity)) continue;
          if (mode === UPPER && upper[row] === Infinity) continue;
          this.modes[row] = mode;
          if (change(k + 1, changes - 1)) return true;
        }
        this.modes[row] = this.#start[row];
      }
      return false;
    };
    for (let changes = 0; changes <= Math.min(most, rows.length); changes++) {
      this.modes.set(this.#start);
      if (change(0, changes)) return true;
    }
    return false;
  }

  /** @returns number of rows whose inequality is violated in these modes; −1 where there is no series */
  #judge(x: Float64Array, outputs: Magnitudes, forces: Float64Array): number {
    const mode = this.flow.find(this.modes);
    if (mode.isDeep) this.#deep = mode;
    if (mode.isDeep || !this.#expand(mode, x, outputs)) return -1;
    const { lower, upper, count } = this.laws;
    let wrong = 0;
    for (let row = 0; row < count; row++) {
      this.#next[row] = -1;
      const own = this.modes[row];
      if (own === ABSENT) continue;
      if (own === ACTIVE) {
        if (lower[row] !== -Infinity && this.#signOfForce(row, lower[row], forces) < 0)
          this.#next[row] = LOWER;
        else if (upper[row] !== Infinity && this.#signOfForce(row, upper[row], forces) > 0)
          this.#next[row] = UPPER;
      } else {
        const sign = this.#signOfOutput(row, outputs);
        if (own === LOWER ? sign < 0 : sign > 0) this.#next[row] = ACTIVE;
      }
      if (this.#next[row] >= 0) wrong++;
    }
    return wrong;
  }

  /** Sign of λ − bound just behind the present; 0 where no coefficient has one. */
  #signOfForce(row: number, bound: number, forces: Float64Array): number {
    if (this.#p[row] !== 0) return Math.sign(this.#p[row]);
    const first = this.#lambdas[0][row] - bound;
    if (Math.abs(first) > this.#zeroOfForce(row, forces)) return Math.sign(first);
    for (let k = 1; k < ORDERS; k++)
      if (Math.abs(this.#lambdas[k][row]) > this.#zeros[k] * this.#lambdaTerms[k][row])
        return Math.sign(this.#lambdas[k][row]);
    return 0;
  }

  #zeroOfForce(row: number, forces: Float64Array): number {
    return this.#zeros[0] * Math.max(this.#lambdaTerms[0][row], forces[row]);
  }

  /** Sign of y just behind the present; 0 where no coefficient has one. */
  #signOfOutput(row: number, outputs: Magnitudes): number {
    const impulse = this.#yImpulse[row];
    if (Math.abs(impulse) > this.#zeros[0] * this.#yImpulseTerms[row]) return Math.sign(impulse);
    if (Math.abs(this.#y[0][row]) > this.#zeroOfOutput(row, outputs)) return Math.sign(this.#y[0][row]);
    for (let k = 1; k < ORDERS; k++)
      if (Math.abs(this.#y[k][row]) > this.#zeros[k] * this.#yTerms[k][row])
        return Math.sign(this.#y[k][row]);
    return 0;
  }

  #zeroOfOutput(row: number, outputs: Magnitudes): number {
    return this.#zeros[0] * Math.max(this.#yTerms[0][row], outputs.length(row));
  }

  /** What coefficients that count as zero, before the first that does not, come to at first. */
  #zeroAhead(values: readonly Float64Array[], terms: readonly Float64Array[], row: number): number {
    let [sum, power] = [0, 1];
    for (let k = 1; k < ORDERS; k++) {
      power *= this.difference / k;
      const size = Math.abs(values[k][row]);
      if (size > this.#zeros[k] * terms[k][row]) break;
      sum += size * power;
    }
    return AHEAD * sum;
  }

  /** What the flight ahead has to know of the modes that were found. */
  #finish(outputs: Magnitudes, forces: Float64Array): void {
    const { lower, upper, count } = this.laws;
    this.hasJumped = false;
    for (let row = 0; row < count; row++) {
      const own = this.modes[row];
      const value = this.#lambdas[0][row];
      this.lambda[row] = value;
      this.impulse[row] = this.#p[row];
      if (this.#p[row] !== 0) this.hasJumped = true;
      const force = this.#zeroAhead(this.#lambdas, this.#lambdaTerms, row);
      this.zeroForce[row] = Math.max(this.#zeroOfForce(row, forces), force);
      this.flow.zeroOutput[row] = Math.max(
        this.#zeroOfOutput(row, outputs),
        this.#zeroAhead(this.#y, this.#yTerms, row),
      );
      let [isAtZero, isTie] = [false, false];
      if (own === ACTIVE) {
        for (const bound of [lower[row], upper[row]]) {
          if (!Number.isFinite(bound) || Math.abs(value - bound) > this.zeroForce[row]) continue;
          isAtZero = true;
          isTie ||= this.#signOfForce(row, bound, forces) === 0;
        }
      } else if (own !== ABSENT) isAtZero = Math.abs(this.#y[0][row]) <= this.#zeroOfOutput(row, outputs);
      this.isAtZero[row] = isAtZero ? 1 : 0;
      this.isTie[row] = isTie ? 1 : 0;
    }
  }

  /**
   * The series in a set of modes.
   * @returns whether there is one: what is kept twice agrees
   */
  #expand(mode: NetworkMode, before: Float64Array, outputs: Magnitudes): boolean {
    const { laws, modes } = this;
    const { size: n, rows: m } = this.flow.network;
    for (let row = 0; row < m; row++) {
      this.#bounds[row] = modes[row] === ACTIVE ? 0 : boundOf(laws, modes, row);
      this.#p[row] = 0;
      this.#yImpulse[row] = 0;
      this.#yImpulseTerms[row] = 0;
    }
    for (let s = 0; s < n; s++) {
      this.x[s] = before[s];
      this.#xTerms[s] = this.flow.sizes[s];
    }
    if (mode.hidden > 0 && !this.#jump(mode, outputs)) return false;
    for (let s = 0; s < n; s++) this.#xk[s] = this.x[s];
    const { rate, lambda, outputs: ofOutputs } = mode.maps;
    for (let k = 0; k < ORDERS; k++) {
      this.#give(k);
      if (!this.#agrees(mode, k)) return false;
      this.#apply(lambda, this.#lambdas[k], this.#lambdaTerms[k]);
      this.#apply(ofOutputs, this.#y[k], this.#yTerms[k]);
      this.#apply(rate, this.#xk, this.#xTerms);
    }
    return true;
  }

  /** The k-th coefficients of all that maps are applied to, and what cancels in them. */
  #give(k: number): void {
    const { size: n, rows: m } = this.flow.network;
    const { b, bTerms, e, eTerms } = this.#sources;
    const [given, terms] = [this.#given, this.#givenTerms];
    for (let s = 0; s < n; s++) {
      given[s] = this.#xk[s];
      terms[s] = this.#xTerms[s];
      given[n + s] = b[k][s];
      terms[n + s] = bTerms[k][s];
    }
    for (let row = 0; row < m; row++) {
      given[2 * n + row] = e[k][row];
      terms[2 * n + row] = eTerms[k][row];
      given[2 * n + m + row] = e[k + 1][row];
      terms[2 * n + m + row] = eTerms[k + 1][row];
    }
    given[2 * (n + m)] = terms[2 * (n + m)] = k === 0 ? 1 : 0;
  }

  #apply({ values, sizes }: NetworkMap, out: Float64Array, outTerms: Float64Array): void {
    const [given, terms] = [this.#given, this.#givenTerms];
    const width = given.length;
    for (let row = 0, at = 0; row < out.length; row++) {
      let [sum, size] = [0, 0];
      for (let k = 0; k < width; k++, at++) {
        if (sizes[at] === 0) continue;
        sum += values[at] * given[k];
        size += sizes[at] * terms[k];
      }
      out[row] = sum;
      outTerms[row] = size;
    }
  }

  /** y before a jump, without ACTIVE multipliers. */
  #readOutputs(y: Float64Array, yTerms: Float64Array): void {
    const { size: n, rows: m, C, D } = this.flow.network;
    const { e, eTerms } = this.#sources;
    for (let row = 0; row < m; row++) {
      let [sum, terms] = [e[0][row], eTerms[0][row]];
      for (let s = 0; s < n; s++) {
        sum += C[row * n + s] * this.#xk[s];
        terms += Math.abs(C[row * n + s]) * this.#xTerms[s];
      }
      for (let j = 0; j < m; j++) {
        sum += D[row * m + j] * this.#bounds[j];
        terms += Math.abs(D[row * m + j] * this.#bounds[j]);
      }
      y[row] = sum;
      yTerms[row] = terms;
    }
  }

  /** Whether combinations that are kept twice are so by the same. */
  #agrees({ redundant, maps }: NetworkMode, k: number): boolean {
    if (redundant === 0) return true;
    const [sums, terms] = [this.#kept.subarray(0, redundant), this.#keptTerms];
    this.#apply(maps.agreement, sums, terms);
    for (let r = 0; r < redundant; r++) if (Math.abs(sums[r]) > this.#zeros[k] * terms[r]) return false;
    return true;
  }

  /**
   * p, x⁺ and D p. What drift has left of a combination that has been kept is taken out, too, and is no
   * impulse.
   * @returns whether combinations that are kept twice agree
   */
  #jump(mode: NetworkMode, outputs: Magnitudes): boolean {
    const { size: n, rows: m, B, D } = this.flow.network;
    const { active, byRate, redundant, redundantRate } = mode;
    const { sizes } = mode.maps.jump;
    const count = active.length;
    const [y, terms] = [this.#y[0], this.#yTerms[0]];
    for (let s = 0; s < n; s++) this.#xk[s] = this.x[s];
    this.#readOutputs(y, terms);
    for (let i = 0; i < count; i++) terms[active[i]] = Math.max(terms[active[i]], outputs.length(active[i]));
    for (let r = 0; r < redundant; r++) {
      let [sum, size] = [0, 0];
      for (let i = 0; i < count; i++) {
        sum += redundantRate[r * count + i] * y[active[i]];
        size += Math.abs(redundantRate[r * count + i]) * terms[active[i]];
      }
      if (Math.abs(sum) > this.#zeros[0] * size) return false;
    }
    for (let j = 0; j < count; j++) {
      let [p, size] = [0, 0];
      for (let i = 0; i < count; i++) {
        p -= byRate[j * count + i] * y[active[i]];
        size += Math.abs(byRate[j * count + i]) * terms[active[i]];
      }
      for (let s = 0; s < n; s++) {
        this.x[s] += B[s * m + active[j]] * p;
        this.#xTerms[s] += sizes[s * count + j] * terms[active[j]];
      }
      this.#p[active[j]] = Math.abs(p) > this.#zeros[0] * size ? p : 0;
    }
    let most = 0;
    for (let s = 0; s < n; s++) most = Math.max(most, Math.abs(this.x[s] - this.#xk[s]));
    if (most <= outputs.smallest) this.#p.fill(0);
    for (let row = 0; row < m; row++) {
      let [sum, size] = [0, 0];
      for (let i = 0; i < count; i++) {
        sum += D[row * m + active[i]] * this.#p[active[i]];
        size += Math.abs(D[row * m + active[i]] * this.#p[active[i]]);
      }
      this.#yImpulse[row] = this.modes[row] === ACTIVE ? 0 : sum;
      this.#yImpulseTerms[row] = size;
    }
    return true;
  }
}
