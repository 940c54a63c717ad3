/** Random linear systems with switching rows and sources of time, for the engine and for the oracle. */
import type { LawForm, LawRow, RelationForm } from '@engine/model/forms';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { interaction, linearFirstOrder, linearRelation, system } from '../support/forms';
import type { Random } from '../support/random';
import type { Rows, Source, SwitchedModel } from '../support/switched-oracle';

export interface RandomSwitched {
  readonly oracle: SwitchedModel;
  readonly model: NonSmoothDynamicalSystem;
  /** times at which sources jump */
  jumps(end: number): number[];
  readonly what: string;
}

/** A source with the formula that a user would write. */
export interface NamedSource extends Source {
  readonly name: string;
  value(t: number): number;
}

export const one: NamedSource = {
  name: '1',
  value: () => 1,
  state: () => [1],
  S: [[0]],
  U: [1],
  jumps: () => [],
};

export function sine(omega: number, phase: number): NamedSource {
  const value = (t: number): number => Math.sin(omega * t + phase);
  return {
    name: `sin(${omega.toFixed(2)} t)`,
    value,
    state: (t) => [value(t), Math.cos(omega * t + phase)],
    S: [
      [0, omega],
      [-omega, 0],
    ],
    U: [1, 0],
    jumps: () => [],
  };
}

/** Number of the period that begins at t or before, whatever rounding says. */
const periodAt = (t: number, T: number): number => Math.floor(t / T + 1e-9);

const multiples = (T: number, part: number, from: number, to: number): number[] =>
  Array.from({ length: Math.ceil(to / T) + 1 }, (_, k) => (k + part) * T).filter((t) => t > from && t < to);

const sawtooth = (T: number): NamedSource => ({
  name: `saw(${T.toFixed(2)})`,
  value: (t) => t / T - Math.floor(t / T),
  state: (t) => [t / T - periodAt(t, T), 1 / T],
  S: [
    [0, 1],
    [0, 0],
  ],
  U: [1, 0],
  jumps: (from, to) => multiples(T, 0, from, to),
});

const pulses = (T: number, duty: number): NamedSource => ({
  name: `pwm(${T.toFixed(2)}, ${duty.toFixed(2)})`,
  value: (t) => (t % T < duty * T ? 1 : 0),
  state: (t) => [t - periodAt(t, T) * T < duty * T - 1e-9 * T ? 1 : 0],
  S: [[0]],
  U: [1],
  jumps: (from, to) => [...multiples(T, 0, from, to), ...multiples(T, duty, from, to)],
});

export const matrix = (rows: number, columns: number, entry: (i: number, j: number) => number): number[][] =>
  Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (__, j) => entry(i, j)));

/** A matrix of which every principal minor is positive, so that modes are unique: diagonally dominant. */
export function dominant(random: Random, m: number): number[][] {
  const a = matrix(m, m, () => random.uniform(-0.4, 0.4));
  for (let i = 0; i < m; i++) a[i][i] = random.uniform(0.6, 1.5) + 0.4 * (m - 1);
  return a;
}

/** A relation y = C x + D λ + F u(t), r = B λ. */
export function forced(C: Rows, B: Rows, D: Rows, F: Rows, sources: readonly NamedSource[]): RelationForm {
  const hasD = D.some((row) => row.some((v) => v !== 0));
  const still = linearRelation(C as number[][], B as number[][], hasD ? { D: D as number[][] } : {});
  if (F.every((row) => row.every((v) => v === 0))) return still;
  return {
    ...still,
    isTimeDependent: true,
    output: (clock, x, lambda, out) => {
      still.output(clock, x, lambda, out);
      F.forEach((row, r) => {
        row.forEach((f, k) => {
          if (f !== 0) out[r] += f * sources[k].value(clock[0]);
        });
      });
    },
  };
}

/** 1 to 4 states, 1 to 3 rows: complementarity and relays with D, relays on outputs without, ideal diodes. */
export function randomSwitched(random: Random): RandomSwitched {
  const kind = (['direct', 'relays', 'diodes'] as const)[random.integer(0, 2)];
  const m = random.integer(1, 3);
  const n = kind === 'direct' ? random.integer(1, 4) : random.integer(m, 4);
  const sources = [one];
  const count = random.integer(1, 2);
  for (let k = 0; k < count; k++) {
    const choice = random.integer(0, 2);
    const T = random.uniform(0.3, 1.5);
    if (choice === 0) sources.push(sine(random.uniform(1, 8), random.uniform(0, 6)));
    else sources.push(choice === 1 ? sawtooth(T) : pulses(T, random.uniform(0.1, 0.9)));
  }
  const jumps = (source: NamedSource): boolean => source.jumps(0, 100).length > 0;
  const A = matrix(n, n, (i, j) => random.uniform(-1, 1) - (i === j ? random.uniform(0, 1.5) : 0));
  const C = matrix(m, n, () => random.uniform(-1, 1));
  let B = matrix(n, m, () => random.uniform(-1, 1));
  let D = matrix(m, m, () => 0);
  if (kind === 'direct') D = dominant(random, m);
  else {
    // C B is to have positive principal minors: C = [I, …], and the first rows of B are such a matrix.
    for (let r = 0; r < m; r++) for (let j = 0; j < n; j++) C[r][j] = r === j ? 1 : 0;
    const W = dominant(random, m);
    B = matrix(n, m, (i, j) => (i < m ? W[i][j] : random.uniform(-1, 1)));
  }
  const E = matrix(n, sources.length, () => random.uniform(-1.5, 1.5));
  // An ideal diode without D cannot follow a voltage that jumps, or one below zero at the start.
  const F = matrix(m, sources.length, (_, k) =>
    kind === 'diodes'
      ? 0
      : k > 0 || kind === 'direct'
        ? random.uniform(-1.5, 1.5)
        : random.uniform(-0.5, 0.5),
  );
  if (kind === 'diodes' && random.chance(0.5))
    sources.forEach((source, k) => {
      if (k > 0 && !jumps(source)) for (let r = 0; r < m; r++) F[r][k] = random.uniform(-0.3, 0.3);
    });
  const rows = Array.from({ length: m }, (): LawRow => {
    const isRelay = kind === 'relays' || (kind === 'direct' && random.chance(0.5));
    return {
      kind: 'box',
      lower: isRelay ? -random.uniform(0.5, 2) : 0,
      upper: isRelay ? random.uniform(0.5, 2) : Infinity,
    };
  });
  const boxes = rows.map((row) => (row.kind === 'box' ? row : { lower: 0, upper: 0 }));
  const x0 = Array.from({ length: n }, (_, i) =>
    kind === 'diodes' && i < m ? random.uniform(0.7, 2) : random.uniform(-1, 1),
  );
  const law: LawForm = { size: m, rows, level: 'position', multiplier: 'force', restitution: null };
  const oracle: SwitchedModel = {
    A,
    B,
    C,
    D,
    E,
    F,
    lower: boxes.map(({ lower }) => lower),
    upper: boxes.map(({ upper }) => upper),
    x0,
    sources,
  };
  const force = (t: number): number[] =>
    E.map((row) => row.reduce((sum, e, k) => sum + e * sources[k].value(t), 0));
  const model: NonSmoothDynamicalSystem = {
    systems: [system('plant', linearFirstOrder(A, x0, { source: force }))],
    interactions: [interaction('law', [0], forced(C, B, D, F, sources), law)],
  };
  return {
    oracle,
    model,
    jumps: (end) => [...new Set(sources.flatMap((source) => source.jumps(0, end)))].sort((a, b) => a - b),
    what: `${kind}, ${n} states, ${m} rows, ${sources.map(({ name }) => name).join(' ')}`,
  };
}

/**
 * The same model with its rows in another order; rows without feedthrough each in an interaction of its own.
 */
export function permuted({ oracle, model }: RandomSwitched, random: Random): NonSmoothDynamicalSystem {
  const { B, C, D, F, lower, upper } = oracle;
  const sources = oracle.sources as readonly NamedSource[];
  const order = random.sample(C.length, C.length);
  const part = (rows: readonly number[]): NonSmoothDynamicalSystem['interactions'][number] => {
    const relation = forced(
      rows.map((r) => C[r]),
      B.map((row) => rows.map((r) => row[r])),
      rows.map((r) => rows.map((s) => D[r][s])),
      rows.map((r) => F[r]),
      sources,
    );
    const boxes = rows.map((r): LawRow => ({ kind: 'box', lower: lower[r], upper: upper[r] }));
    const law: LawForm = {
      size: rows.length,
      rows: boxes,
      level: 'position',
      multiplier: 'force',
      restitution: null,
    };
    return interaction(`law ${rows.join(' ')}`, [0], relation, law);
  };
  const isCoupled = D.some((row, i) => row.some((d, j) => i !== j && d !== 0));
  return { systems: model.systems, interactions: isCoupled ? [part(order)] : order.map((r) => part([r])) };
}
