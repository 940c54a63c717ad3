/**
 * What a network makes of its state and sources in a mode (`network-mode.ts`), entry by entry: with
 * y₀ = C x + e + D λ_b and r = A x + b + B λ_b, where λ_b are multipliers at bounds,
 *
 *     λ_A = c − O y₀,others − S y₀,A − G (C r + e′)_A,     ẋ = r + B λ_A,     y = y₀ + D λ_A,
 *
 * all of them sums over x, b, e, e′ and one. Each sum carries what it would be if nothing cancelled, so that
 * what is left of terms which cancel is known to be zero at each stage: a current that blocking diodes keep
 * at zero couples to nothing, and has no scale of its own. Flights and decisions are made of the same maps.
 */
import type { AnalyticForces } from '../flow/analytic-forces';
import type { Answer, Columns } from '../flow/linear-columns';
import { ACTIVE, boundOf } from '../rows/row-laws';
import type { LinearNetwork } from './linear-network';

/** Sums that cancelled to this part of their terms are zero: S and G have the rounding of an elimination. */
const CANCELLED = 512 * Number.EPSILON;
/**
 * Part of what an entry would be without cancelling that counts in its size, so that its rounding stays below
 * what counts as zero (`NetworkSources.zeros`).
 */
const ROUNDED = 1e-5;

/** What maps of a mode are made of; see `NetworkMode`. */
interface ModeMatrices {
  readonly modes: Int8Array;
  readonly active: Int32Array;
  readonly byOutput: Float64Array;
  readonly byRate: Float64Array;
  readonly others: Int32Array;
  readonly byOthers: Float64Array;
  readonly constant: Float64Array;
  readonly redundant: number;
  readonly redundantOutput: Float64Array;
  readonly redundantRate: Float64Array;
}

/** A sum over all columns, and of the magnitudes of its terms. */
class Sum {
  readonly values: Float64Array;
  readonly sizes: Float64Array;

  constructor(columns: number) {
    this.values = new Float64Array(columns);
    this.sizes = new Float64Array(columns);
  }

  put(column: number, value: number): this {
    this.values[column] += value;
    this.sizes[column] += Math.abs(value);
    return this;
  }

  add(factor: number, { values, sizes }: Sum): this {
    if (factor === 0) return this;
    for (let k = 0; k < values.length; k++) {
      this.values[k] += factor * values[k];
      this.sizes[k] += Math.abs(factor) * sizes[k];
    }
    return this;
  }

  clean(): this {
    for (let k = 0; k < this.values.length; k++)
      if (Math.abs(this.values[k]) <= CANCELLED * this.sizes[k]) this.values[k] = this.sizes[k] = 0;
    return this;
  }
}

/** Rows of sums, one after the other. */
export interface NetworkMap {
  readonly values: Float64Array;
  /** magnitudes of entries, with what rounding may have left of them */
  readonly sizes: Float64Array;
}

function mapOf(sums: readonly Sum[], width: number, part: number): NetworkMap {
  const values = new Float64Array(sums.length * width);
  const sizes = new Float64Array(sums.length * width);
  sums.forEach((sum, row) => {
    for (let k = 0; k < width; k++) {
      values[row * width + k] = sum.values[k];
      sizes[row * width + k] = Math.abs(sum.values[k]) + part * sum.sizes[k];
    }
  });
  return { values, sizes };
}

/** Maps from x, b, e, e′ and one, n + n + m + m + 1 columns. */
export interface NetworkMaps {
  readonly width: number;
  /** ẋ, n rows */
  readonly rate: NetworkMap;
  /** λ and y, m rows */
  readonly lambda: NetworkMap;
  readonly outputs: NetworkMap;
  /** what must be zero, by combination that is kept twice */
  readonly agreement: NetworkMap;
  /** −B G, what outputs of ACTIVE rows take out of x when they jump to zero: n rows of these */
  readonly jump: NetworkMap;
}

export function compileMaps(
  { size: n, rows: m, A, B, C, D }: LinearNetwork,
  laws: Parameters<typeof boundOf>[0],
  mode: ModeMatrices,
): NetworkMaps {
  const { active, others, byOutput, byRate, byOthers, constant, modes } = mode;
  const count = active.length;
  const [atB, atE, atDrift, one] = [n, 2 * n, 2 * n + m, 2 * n + 2 * m];
  const width = one + 1;
  const bounds = Float64Array.from({ length: m }, (_, row) =>
    modes[row] === ACTIVE ? 0 : boundOf(laws, modes, row),
  );
  const r = Array.from({ length: n }, (_, s) => {
    const sum = new Sum(width).put(atB + s, 1);
    for (let j = 0; j < n; j++) sum.put(j, A[s * n + j]);
    for (let j = 0; j < m; j++) sum.put(one, B[s * m + j] * bounds[j]);
    return sum;
  });
  const y = Array.from({ length: m }, (_, row) => {
    const sum = new Sum(width).put(atE + row, 1);
    for (let j = 0; j < n; j++) sum.put(j, C[row * n + j]);
    for (let j = 0; j < m; j++) sum.put(one, D[row * m + j] * bounds[j]);
    return sum;
  });
  // Of outputs that are combined to one without a fast state, nothing of its rate is left.
  const combination = new Sum(n);
  const combined = (
    ofOutput: Float64Array,
    ofRate: Float64Array,
    at: number,
    sign: number,
    sum: Sum,
  ): Sum => {
    combination.values.fill(0);
    combination.sizes.fill(0);
    for (let i = 0; i < count; i++) {
      const [row, factor] = [active[i], sign * ofRate[at * count + i]];
      sum.add(sign * ofOutput[at * count + i], y[row]);
      if (factor === 0) continue;
      sum.put(atDrift + row, factor);
      for (let s = 0; s < n; s++) combination.put(s, factor * C[row * n + s]);
    }
    combination.clean().values.forEach((factor, s) => sum.add(factor, r[s]));
    return sum;
  };
  const lambda = Array.from(bounds, (bound) => new Sum(width).put(one, bound));
  active.forEach((row, j) => {
    const sum = lambda[row].put(one, constant[j]);
    others.forEach((other, i) => sum.add(-byOthers[j * others.length + i], y[other]));
    combined(byOutput, byRate, j, -1, sum).clean();
  });
  const agreement = Array.from({ length: mode.redundant }, (_, k) =>
    combined(mode.redundantOutput, mode.redundantRate, k, 1, new Sum(width)).clean(),
  );
  const outputs = y.map((sum, row) => (modes[row] === ACTIVE ? new Sum(width) : sum));
  for (const row of active) {
    for (let s = 0; s < n; s++) r[s].add(B[s * m + row], lambda[row]);
    for (let other = 0; other < m; other++)
      if (modes[other] !== ACTIVE) outputs[other].add(D[other * m + row], lambda[row]);
  }
  for (const sum of [...r, ...outputs]) sum.clean();
  const jump = Array.from({ length: n }, (_, s) => {
    const sum = new Sum(count);
    for (let j = 0; j < count; j++)
      for (let i = 0; i < count; i++) sum.put(i, -B[s * m + active[j]] * byRate[j * count + i]);
    return sum.clean();
  });
  return {
    width,
    rate: mapOf(r, width, ROUNDED),
    lambda: mapOf(lambda, width, ROUNDED),
    outputs: mapOf(outputs, width, ROUNDED),
    agreement: mapOf(agreement, width, 1),
    jump: mapOf(jump, count, ROUNDED),
  };
}

/**
 * The linear system of a mode.
 * @param forces what is known of functions of time; null where nothing depends on time
 */
export function networkColumns(
  network: LinearNetwork,
  maps: NetworkMaps,
  forces: AnalyticForces | null,
  clock: Float64Array,
): Columns {
  network.prepare(clock);
  const { size: n, rows: m } = network;
  const { width } = maps;
  const [atB, atE, atDrift, one] = [n, 2 * n, 2 * n + m, width - 1];
  const given = new Float64Array(width);
  const applied = ({ values }: NetworkMap, rows: number): Float64Array =>
    Float64Array.from({ length: rows }, (_, row) => {
      let [sum, size] = [0, 0];
      for (let k = 0; k < width; k++) {
        const term = given[k] === 0 ? 0 : values[row * width + k] * given[k];
        sum += term;
        size += Math.abs(term);
      }
      return Math.abs(sum) <= CANCELLED * size ? 0 : sum;
    });
  const answer = (): Answer => ({
    rate: applied(maps.rate, n),
    lambda: applied(maps.lambda, m),
    outputs: applied(maps.outputs, m),
  });
  const states = Array.from({ length: n }, (_, j) => {
    given.fill(0)[j] = 1;
    return answer();
  });
  const functions = forces?.functions ?? [];
  const ofForces = functions.map(({ coordinates, factors, rows, rowFactors }) => {
    given.fill(0);
    const f = new Float64Array(n);
    coordinates.forEach((place, i) => (f[place] += factors[i]));
    network.respond(f, f, f.slice());
    given.set(f, atB);
    rows.forEach((row, i) => (given[atE + row] += rowFactors[i]));
    return answer();
  });
  const slopes = functions.map(({ rows, rowFactors }) => {
    given.fill(0);
    rows.forEach((row, i) => (given[atDrift + row] += rowFactors[i]));
    return rows.length === 0 ? null : answer();
  });
  given.fill(0);
  network.steady(clock, forces, given.subarray(atB, atE), given.subarray(atE, atDrift));
  given[one] = 1;
  return { states, forces: ofForces, slopes, constant: answer() };
}
