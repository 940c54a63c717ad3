/**
 * Random passive networks: stores P ẋ = (J − R) x + ᵗE λ + u(t), ports y = E x + (G + K) λ + e(t) with R, G
 * semidefinite and J, K skew; rows of ideal diodes, of equations as of ideal switches, and of limited
 * sources. D = G + K is singular or has rows of zeros more often than not, and initial states are arbitrary,
 * so that they jump. The oracle is the implicit Euler method with an enumeration of the modes of its one-step
 * problem.
 */
import type { LawForm, LawRow } from '@engine/model/forms';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { interaction, linearFirstOrder, linearRelation, system } from './forms';
import type { Random } from './random';

export interface PassiveNetwork {
  readonly stores: readonly number[];
  /** P⁻¹ times the matrices of the states */
  readonly A: readonly (readonly number[])[];
  readonly B: readonly (readonly number[])[];
  readonly E: readonly (readonly number[])[];
  readonly D: readonly (readonly number[])[];
  readonly x0: readonly number[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  u(t: number): number[];
  e(t: number): number[];
  readonly isTimed: boolean;
}

const zeros = (rows: number, columns: number): number[][] =>
  Array.from({ length: rows }, () => new Array<number>(columns).fill(0));

export interface NetworkOptions {
  readonly isTimed: boolean;
  readonly hasEquations: boolean;
  /** whether some row is limited on both sides */
  readonly hasRelays: boolean;
}

export function passiveNetwork(random: Random, options: NetworkOptions): PassiveNetwork {
  const n = random.integer(1, 4);
  const m = random.integer(1, 4);
  const incidence = (): number => [0, 0, 1, -1][random.integer(0, 3)];
  const stores = Array.from({ length: n }, () => random.uniform(0.3, 2));
  const E = zeros(m, n).map((row) => row.map(incidence));
  const D = zeros(m, m);
  for (let r = random.integer(0, m - 1); r > 0; r--) {
    const g = random.uniform(0.3, 2);
    const a = D.map(incidence);
    D.forEach((row, i) => row.forEach((_, j) => (row[j] += g * a[i] * a[j])));
  }
  for (let i = 0; i < m; i++)
    for (let j = 0; j < i; j++) {
      const skew = random.chance(0.5) ? incidence() : 0;
      D[i][j] += skew;
      D[j][i] -= skew;
    }
  const A = zeros(n, n);
  for (let i = 0; i < n; i++) {
    if (random.chance(0.5)) A[i][i] = -random.uniform(0.2, 2) / stores[i];
    for (let j = 0; j < i; j++) {
      const skew = random.chance(0.6) ? incidence() * random.uniform(0.5, 3) : 0;
      A[i][j] = skew / stores[i];
      A[j][i] = -skew / stores[j];
    }
  }
  const lower = new Array<number>(m).fill(0);
  const upper = new Array<number>(m).fill(Infinity);
  for (let r = 0; r < m; r++) {
    if (options.hasEquations && random.chance(0.2)) lower[r] = -Infinity;
    else if (options.hasRelays && random.chance(0.2))
      [lower[r], upper[r]] = [-random.uniform(0.2, 1), random.uniform(0.2, 1)];
  }
  const { isTimed } = options;
  const u0 = stores.map(() => (random.chance(0.5) ? random.uniform(-2, 2) : 0));
  const e0 = lower.map(() => (random.chance(0.5) ? random.uniform(-1, 1) : 0));
  const u1 = stores.map(() => (isTimed && random.chance(0.4) ? random.uniform(-2, 2) : 0));
  const e1 = lower.map(() => (isTimed && random.chance(0.4) ? random.uniform(-1, 1) : 0));
  const omega = random.uniform(1, 6);
  return {
    stores,
    A,
    B: stores.map((p, i) => E.map((row) => row[i] / p)),
    E,
    D,
    x0: stores.map(() => random.uniform(-1.5, 1.5)),
    lower,
    upper,
    u: (t) => u0.map((value, i) => (value + u1[i] * Math.sin(omega * t)) / stores[i]),
    e: (t) => e0.map((value, i) => value + e1[i] * Math.cos(omega * t + 1)),
    isTimed,
  };
}

/** The same for the engine. */
export function networkModel(network: PassiveNetwork): NonSmoothDynamicalSystem {
  const { A, B, E, D, x0, lower, upper, u, e, isTimed } = network;
  const rows = lower.map((bound, r): LawRow => ({ kind: 'box', lower: bound, upper: upper[r] }));
  const law: LawForm = { size: rows.length, rows, level: 'position', multiplier: 'force', restitution: null };
  const still = linearRelation(E as number[][], B as number[][], {
    D: D as number[][],
    e: isTimed ? [] : e(0),
  });
  const relation = !isTimed
    ? still
    : {
        ...still,
        isTimeDependent: true,
        output: (clock: Float64Array, x: Float64Array, lambda: Float64Array, out: Float64Array): void => {
          still.output(clock, x, lambda, out);
          e(clock[0]).forEach((value, r) => (out[r] += value));
        },
      };
  const form = linearFirstOrder(A as number[][], x0, isTimed ? { source: u } : { b: u(0) });
  return { systems: [system('stores', form)], interactions: [interaction('ports', [0], relation, law)] };
}

/** Solves a x = b; null where a is singular. */
function solved(a: readonly (readonly number[])[], b: readonly number[]): number[] | null {
  const n = b.length;
  const work = a.map((row, i) => [...row, b[i]]);
  for (let c = 0; c < n; c++) {
    let pivot = c;
    for (let i = c + 1; i < n; i++) if (Math.abs(work[i][c]) > Math.abs(work[pivot][c])) pivot = i;
    if (!(Math.abs(work[pivot][c]) > 1e-13)) return null;
    [work[c], work[pivot]] = [work[pivot], work[c]];
    for (let i = 0; i < n; i++) {
      if (i === c) continue;
      const factor = work[i][c] / work[c][c];
      for (let j = c; j <= n; j++) work[i][j] -= factor * work[c][j];
    }
  }
  return work.map((row, i) => row[n] / row[i]);
}

/**
 * States at equally spaced times by the implicit Euler method: p = h λ,
 *
 *     (1 − h A) x⁺ = x + h u + B p,     w = E x⁺ + e + D p/h.
 *
 * @returns null where a one-step problem has no solution among the modes
 */
export function euler(
  network: PassiveNetwork,
  end: number,
  samples: number,
  perSample: number,
): number[][] | null {
  const { A, B, E, D, lower, upper } = network;
  const n = network.x0.length;
  const m = lower.length;
  const h = end / (samples * perSample);
  const left = A.map((row, i) => row.map((value, j) => (i === j ? 1 : 0) - h * value));
  const column = (b: readonly number[]): number[] => solved(left, b) ?? new Array<number>(n).fill(NaN);
  const response = Array.from({ length: m }, (_, r) => column(B.map((row) => row[r])));
  // A tiny resistance makes charges unique where diodes stand side by side; states do not feel it.
  const W = D.map((row, i) =>
    row.map(
      (value, j) =>
        value / h + E[i].reduce((sum, c, s) => sum + c * response[j][s], 0) + (i === j ? 1e-9 : 0),
    ),
  );
  const choices = lower.map((bound, r) => [
    ...(bound > -Infinity ? [0] : []),
    1,
    ...(upper[r] < Infinity ? [2] : []),
  ]);
  const sets = choices.reduce<number[][]>(
    (all, own) => all.flatMap((set) => own.map((choice) => [...set, choice])),
    [[]],
  );
  const attempt = (set: readonly number[], q: readonly number[]): number[] | null => {
    const bound = set.map((mode, r) => (mode === 0 ? h * lower[r] : mode === 2 ? h * upper[r] : 0));
    const active = [...set.keys()].filter((r) => set[r] === 1);
    const base = q.map((value, r) => value + W[r].reduce((sum, w, j) => sum + w * bound[j], 0));
    const p = solved(
      active.map((r) => active.map((j) => W[r][j])),
      active.map((r) => -base[r]),
    );
    if (p === null) return null;
    const all = [...bound];
    active.forEach((r, k) => (all[r] = p[k]));
    for (let r = 0; r < m; r++) {
      const w = base[r] + active.reduce((sum, j, k) => sum + W[r][j] * p[k], 0);
      const zero =
        1e-11 * (1 + Math.abs(q[r]) + active.reduce((sum, j, k) => sum + Math.abs(W[r][j] * p[k]), 0));
      if (set[r] === 0 && w < -zero) return null;
      if (set[r] === 2 && w > zero) return null;
      if (set[r] !== 1) continue;
      if (all[r] < h * lower[r] - 1e-12 || all[r] > h * upper[r] + 1e-12) return null;
    }
    return all;
  };
  let x = [...network.x0];
  let last = 0;
  const out = [];
  for (let k = 1; k <= samples * perSample; k++) {
    const t = k * h;
    const u = network.u(t);
    const free = column(x.map((value, s) => value + h * u[s]));
    const e = network.e(t);
    const q = E.map((row, r) => e[r] + row.reduce((sum, c, s) => sum + c * free[s], 0));
    let p = attempt(sets[last], q);
    for (let s = 0; s < sets.length && p === null; s++) {
      p = attempt(sets[s], q);
      if (p !== null) last = s;
    }
    // Laws that contradict each other are satisfied by that resistance only.
    if (p === null || p.some((value) => Math.abs(value) > 1e4)) return null;
    x = free.map((value, s) => value + response.reduce((sum, column_, r) => sum + column_[s] * p[r], 0));
    if (k % perSample === 0) out.push(x);
  }
  return out;
}
