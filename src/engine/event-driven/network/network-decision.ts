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
import { networkDepth, networkNoMode } from '../failures';
import type { RowState } from '../rows/row-state';
import { ABSENT, ACTIVE, boundOf, LOWER, type RowLaws, UPPER } from '../rows/row-laws';
import type { NetworkFlow } from './network-flow';
import type { NetworkMode } from './network-mode';

/** Coefficients behind the impulse, and below which part of their terms they are zero. */
const ORDERS = 4;
const ZERO = [1e-9, 1e-9, 1e-8, 1e-7] as const;
/** Rounds in which all violated rows change sides, and in which one does, per row. */
const BLOCKS = 8;
const SINGLES = 8;
/** Sets that are gone through at most. */
const MOST_SETS = 20_000;
/** Part of the time up to the next jump that δ takes. */
const OF_WINDOW = 0.15;

/* Derivatives of sources that depend on time are differences, and not known as well as sums are. */
/** Part of a derivative that is not known. */
const UNKNOWN = 1e-5;
/**
 * What rounding may leave of a first derivative, as a part of the value over the longest δ: shorter ones are
 * taken next to jumps, and flights shift functions by a thousandth of what counts as zero.
 */
const NOISE = 5e-7;
/** What it leaves of higher ones, as a part of the value over powers of δ. */
const ROUNDING = 1e-12;

/** Weights of values at 0, δ, …, 5δ in the derivatives at 0, times powers of δ, from the first on. */
const DIFFERENCES = [
  [-137 / 60, 5, -5, 10 / 3, -5 / 4, 1 / 5],
  [15 / 4, -77 / 6, 107 / 6, -13, 61 / 12, -5 / 6],
  [-17 / 4, 71 / 4, -59 / 2, 49 / 2, -41 / 4, 7 / 4],
  [3, -14, 26, -24, 11, -2],
] as const;
const POINTS = DIFFERENCES[0].length;

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
  /** b and e with their derivatives, and magnitudes of them a little ahead */
  readonly #b: readonly Float64Array[];
  readonly #e: readonly Float64Array[];
  readonly #bTerms: readonly Float64Array[];
  readonly #eTerms: readonly Float64Array[];
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
  readonly #rate: Float64Array;
  readonly #rateTerms: Float64Array;
  readonly #g: Float64Array;
  readonly #gTerms: Float64Array;
  readonly #clock = new Float64Array(1);
  /** a set of modes that would have to keep a second derivative */
  #deep: NetworkMode | null = null;

  constructor(
    private readonly laws: RowLaws,
    private readonly flow: NetworkFlow,
    /** see `EventRelations.window` */
    private readonly window: Float64Array,
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
    this.#b = orders.map(ofStates);
    this.#e = orders.map(ofRows);
    this.#bTerms = orders.map(ofStates);
    this.#eTerms = orders.map(ofRows);
    this.#y = orders.map(ofRows);
    this.#yTerms = orders.map(ofRows);
    this.#lambdas = orders.map(ofRows);
    this.#lambdaTerms = orders.map(ofRows);
    this.#p = ofRows();
    this.#yImpulse = ofRows();
    this.#yImpulseTerms = ofRows();
    this.#xk = ofStates();
    this.#xTerms = ofStates();
    this.#rate = ofStates();
    this.#rateTerms = ofStates();
    this.#g = ofRows();
    this.#gTerms = ofRows();
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
    this.#readSources(clock);
    this.#deep = null;
    this.#begin(modes, isAbsent);
    if (!this.#find(x, outputs, forces)) return false;
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

  /** b, e and their derivatives just behind the present, from differences ahead. */
  #readSources(clock: Float64Array): void {
    const { network } = this.flow;
    const [b, e] = [this.#b, this.#e];
    network.rates(clock, b[0]);
    network.offsets(clock, e[0]);
    const [bTerms, eTerms] = [this.#bTerms, this.#eTerms];
    for (let i = 0; i < b[0].length; i++) bTerms[0][i] = Math.abs(b[0][i]);
    for (let r = 0; r < e[0].length; r++) eTerms[0][r] = Math.abs(e[0][r]);
    if (!network.isTimed) return;
    const ahead = this.window[1] - clock[0];
    const delta = ahead > 0 ? Math.min(this.difference, OF_WINDOW * ahead) : this.difference;
    for (let k = 1; k < b.length; k++) {
      b[k].fill(0);
      e[k].fill(0);
    }
    for (let step = 0; step < POINTS; step++) {
      this.#clock[0] = clock[0] + step * delta;
      network.rates(this.#clock, this.#rate);
      network.offsets(this.#clock, this.#g);
      for (let i = 0; i < this.#rate.length; i++)
        bTerms[0][i] = Math.max(bTerms[0][i], Math.abs(this.#rate[i]));
      for (let r = 0; r < this.#g.length; r++) eTerms[0][r] = Math.max(eTerms[0][r], Math.abs(this.#g[r]));
      for (let k = 1; k <= ORDERS; k++) {
        const weight = DIFFERENCES[k - 1][step] / delta ** k;
        for (let i = 0; i < this.#rate.length; i++) b[k][i] += weight * this.#rate[i];
        for (let r = 0; r < this.#g.length; r++) e[k][r] += weight * this.#g[r];
      }
    }
    // λ₀ is that of the flight, whose root it may be.
    network.drifts(clock, e[1]);
    this.#sizeSources(delta);
  }

  /** Terms in which what is not known of these derivatives is what counts as zero. */
  #sizeSources(delta: number): void {
    const sources = [
      [this.#b, this.#bTerms],
      [this.#e, this.#eTerms],
    ] as const;
    for (const [derivatives, terms] of sources)
      for (let k = 1; k <= ORDERS; k++) {
        const noise = k === 1 ? NOISE / this.difference : ROUNDING / delta ** k;
        for (let i = 0; i < terms[k].length; i++) {
          const size = Math.abs(derivatives[k][i]);
          terms[k][i] = size + (UNKNOWN * size + noise * terms[0][i]) / ZERO[k - 1];
        }
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
      if (Math.abs(this.#lambdas[k][row]) > ZERO[k] * this.#lambdaTerms[k][row])
        return Math.sign(this.#lambdas[k][row]);
    return 0;
  }

  #zeroOfForce(row: number, forces: Float64Array): number {
    return ZERO[0] * Math.max(this.#lambdaTerms[0][row], forces[row]);
  }

  /** Sign of y just behind the present; 0 where no coefficient has one. */
  #signOfOutput(row: number, outputs: Magnitudes): number {
    const impulse = this.#yImpulse[row];
    if (Math.abs(impulse) > ZERO[0] * this.#yImpulseTerms[row]) return Math.sign(impulse);
    if (Math.abs(this.#y[0][row]) > this.#zeroOfOutput(row, outputs)) return Math.sign(this.#y[0][row]);
    for (let k = 1; k < ORDERS; k++)
      if (Math.abs(this.#y[k][row]) > ZERO[k] * this.#yTerms[k][row]) return Math.sign(this.#y[k][row]);
    return 0;
  }

  #zeroOfOutput(row: number, outputs: Magnitudes): number {
    return ZERO[0] * Math.max(this.#yTerms[0][row], outputs.length(row));
  }

  /** What coefficients that count as zero, before the first that does not, come to at first. */
  #zeroAhead(values: readonly Float64Array[], terms: readonly Float64Array[], row: number): number {
    let [sum, power] = [0, 1];
    for (let k = 1; k < ORDERS; k++) {
      power *= this.difference / k;
      const size = Math.abs(values[k][row]);
      if (size > ZERO[k] * terms[k][row]) break;
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
    const { size: n, rows: m, A, B, D } = this.flow.network;
    const { active, byOutput, byRate, others, byOthers, constant } = mode;
    const count = active.length;
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
    for (let k = 0; k < ORDERS; k++) {
      const [y, yTerms] = [this.#y[k], this.#yTerms[k]];
      const [lambda, lambdaTerms] = [this.#lambdas[k], this.#lambdaTerms[k]];
      this.#readOutputs(k, y, yTerms);
      const [rate, rateTerms] = [this.#rate, this.#rateTerms];
      for (let s = 0; s < n; s++) {
        let [sum, terms] = [this.#b[k][s], this.#bTerms[k][s]];
        for (let j = 0; j < n; j++) {
          sum += A[s * n + j] * this.#xk[j];
          terms += Math.abs(A[s * n + j]) * this.#xTerms[j];
        }
        for (let j = 0; j < m && k === 0; j++) {
          sum += B[s * m + j] * this.#bounds[j];
          terms += Math.abs(B[s * m + j] * this.#bounds[j]);
        }
        rate[s] = sum;
        rateTerms[s] = terms;
      }
      this.#readRates(mode, k + 1);
      for (let j = 0; j < m; j++) {
        lambda[j] = k === 0 ? this.#bounds[j] : 0;
        lambdaTerms[j] = Math.abs(lambda[j]);
      }
      for (let j = 0; j < count; j++) {
        let [sum, terms] = k === 0 ? [constant[j], Math.abs(constant[j])] : [0, 0];
        for (let i = 0; i < others.length; i++) {
          const factor = byOthers[j * others.length + i];
          sum -= factor * y[others[i]];
          terms += Math.abs(factor) * yTerms[others[i]];
        }
        for (let i = 0; i < count; i++) {
          const [own, other] = [byOutput[j * count + i], byRate[j * count + i]];
          sum -= own * y[active[i]] + other * this.#g[i];
          terms += Math.abs(own) * yTerms[active[i]] + Math.abs(other) * this.#gTerms[i];
        }
        lambda[active[j]] = sum;
        lambdaTerms[active[j]] = terms;
      }
      if (!this.#agrees(mode, k, y, yTerms)) return false;
      for (let row = 0; row < m; row++) {
        for (let i = 0; i < count; i++) {
          const factor = D[row * m + active[i]];
          y[row] += factor * lambda[active[i]];
          yTerms[row] += Math.abs(factor) * lambdaTerms[active[i]];
        }
        if (modes[row] === ACTIVE) y[row] = 0;
      }
      for (let s = 0; s < n; s++) {
        for (let i = 0; i < count; i++) {
          const factor = B[s * m + active[i]];
          rate[s] += factor * lambda[active[i]];
          rateTerms[s] += Math.abs(factor) * lambdaTerms[active[i]];
        }
        this.#xk[s] = rate[s];
        this.#xTerms[s] = rateTerms[s];
      }
    }
    return true;
  }

  /** y of a coefficient without ACTIVE multipliers. */
  #readOutputs(k: number, y: Float64Array, yTerms: Float64Array): void {
    const { size: n, rows: m, C, D } = this.flow.network;
    const x = this.#xk;
    for (let row = 0; row < m; row++) {
      let [sum, terms] = [this.#e[k][row], this.#eTerms[k][row]];
      for (let s = 0; s < n; s++) {
        sum += C[row * n + s] * x[s];
        terms += Math.abs(C[row * n + s]) * this.#xTerms[s];
      }
      for (let j = 0; j < m && k === 0; j++) {
        sum += D[row * m + j] * this.#bounds[j];
        terms += Math.abs(D[row * m + j] * this.#bounds[j]);
      }
      y[row] = sum;
      yTerms[row] = terms;
    }
  }

  /** g of the ACTIVE rows, with the k-th derivative of e. */
  #readRates({ active, hidden }: NetworkMode, k: number): void {
    const { size: n, C } = this.flow.network;
    for (let i = 0; i < active.length; i++) {
      let [sum, terms] = [this.#e[k][active[i]], this.#eTerms[k][active[i]]];
      for (let s = 0; s < n && hidden > 0; s++) {
        sum += C[active[i] * n + s] * this.#rate[s];
        terms += Math.abs(C[active[i] * n + s]) * this.#rateTerms[s];
      }
      this.#g[i] = sum;
      this.#gTerms[i] = terms;
    }
  }

  /** Whether combinations that are kept twice are so by the same. */
  #agrees(mode: NetworkMode, k: number, y: Float64Array, yTerms: Float64Array): boolean {
    const { active, redundant, redundantOutput, redundantRate } = mode;
    const count = active.length;
    for (let r = 0; r < redundant; r++) {
      let [sum, terms] = [0, 0];
      for (let i = 0; i < count; i++) {
        const [own, other] = [redundantOutput[r * count + i], redundantRate[r * count + i]];
        sum += own * y[active[i]] + other * this.#g[i];
        terms += Math.abs(own) * yTerms[active[i]] + Math.abs(other) * this.#gTerms[i];
      }
      if (Math.abs(sum) > ZERO[k] * terms) return false;
    }
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
    const count = active.length;
    const [y, terms] = [this.#y[0], this.#yTerms[0]];
    for (let s = 0; s < n; s++) this.#xk[s] = this.x[s];
    this.#readOutputs(0, y, terms);
    for (let i = 0; i < count; i++) terms[active[i]] = Math.max(terms[active[i]], outputs.length(active[i]));
    for (let r = 0; r < redundant; r++) {
      let [sum, size] = [0, 0];
      for (let i = 0; i < count; i++) {
        sum += redundantRate[r * count + i] * y[active[i]];
        size += Math.abs(redundantRate[r * count + i]) * terms[active[i]];
      }
      if (Math.abs(sum) > ZERO[0] * size) return false;
    }
    for (let j = 0; j < count; j++) {
      let [p, size] = [0, 0];
      for (let i = 0; i < count; i++) {
        p -= byRate[j * count + i] * y[active[i]];
        size += Math.abs(byRate[j * count + i]) * terms[active[i]];
      }
      for (let s = 0; s < n; s++) {
        const moved = B[s * m + active[j]] * p;
        this.x[s] += moved;
        this.#xTerms[s] += Math.abs(moved);
      }
      this.#p[active[j]] = Math.abs(p) > ZERO[0] * size ? p : 0;
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
