/**
 * Accelerations and multipliers of a state: the index-reduced system and the reduced one against a dense
 * solve.
 */
import { describe, expect, it } from 'vitest';
import type { Accelerations, ConstrainedSystem } from '@engine/multibody/constrained-system';
import { IndexReduced } from '../oracles/planar/index-reduced';
import { DEFAULT_PARTITION, Partition } from '@engine/multibody/partition';
import { ReducedAccelerations } from '@engine/multibody/reduced';
import {
  flat,
  type Matrix,
  multiply,
  randomGram,
  randomMatrix,
  solve,
  transpose,
  zeros,
} from '../support/dense';
import { type Random, seeded } from '../support/random';

interface Data {
  mass: Matrix;
  jacobian: Matrix;
  force: number[];
  gamma: number[];
}

/** A system of which only the terms at one state matter. */
function frozen({ mass, jacobian, force, gamma }: Data): ConstrainedSystem {
  const fill = (values: ArrayLike<number>) => (out: Float64Array) => {
    out.set(values);
  };
  const [fillMass, fillJacobian] = [fill(flat(mass)), fill(flat(jacobian))];
  const [fillForce, fillGamma] = [fill(force), fill(gamma)];
  return {
    size: mass.length,
    rows: jacobian.length,
    mass: (_, __, out) => fillMass(out),
    force: (_, __, ___, out) => fillForce(out),
    position: (_, __, out) => out.fill(0),
    jacobian: (_, __, out) => fillJacobian(out),
    timeDerivative: (_, __, out) => out.fill(0),
    gamma: (_, __, ___, out) => fillGamma(out),
    coordinateLabel: (i) => `q[${i}]`,
    rowLabel: (r) => ({ constraint: 'c', row: String(r), unit: 'm' }),
  };
}

function randomData(random: Random): Data {
  const n = random.integer(2, 12);
  const m = random.integer(1, n - 1);
  const list = (count: number): number[] => Array.from({ length: count }, () => random.uniform(-1, 1));
  return {
    mass: randomGram(random, n, n, 0.5),
    jacobian: randomMatrix(random, m, n),
    force: list(n),
    gamma: list(m),
  };
}

/** [M ᵗΦ; Φ 0] [q̈; λ] = [Q; γ] by the book. */
function reference({ mass, jacobian, force, gamma }: Data): number[] {
  const columns = transpose(jacobian);
  const matrix = [
    ...mass.map((row, i) => [...row, ...columns[i]]),
    ...jacobian.map((row) => [...row, ...jacobian.map(() => 0)]),
  ];
  return solve(matrix, [...force, ...gamma]);
}

const clock = Float64Array.of(0);

function answer(data: Data, make: (system: ConstrainedSystem) => Accelerations): number[] {
  const system = frozen(data);
  const acceleration = new Float64Array(system.size);
  const multipliers = new Float64Array(system.rows);
  const q = new Float64Array(system.size);
  expect(make(system).solve(clock, q, q, acceleration, multipliers)).toBe('ok');
  return [...acceleration, ...multipliers];
}

const indexReduced = (system: ConstrainedSystem): Accelerations => new IndexReduced(system);
const reduced = (system: ConstrainedSystem): Accelerations => {
  const partition = new Partition(system, DEFAULT_PARTITION);
  expect(partition.begin(clock, new Float64Array(system.size))).toBe('ok');
  return new ReducedAccelerations(system, partition);
};

const distance = (x: readonly number[], y: readonly number[]): number =>
  Math.max(...x.map((value, i) => Math.abs(value - y[i]))) / Math.max(1, ...y.map(Math.abs));

describe('random systems with full mass matrices', () => {
  it('have the accelerations and multipliers of the dense solve, in both formulations', () => {
    const random = seeded(11);
    for (let k = 0; k < 300; k++) {
      const data = randomData(random);
      const expected = reference(data);
      expect(distance(answer(data, indexReduced), expected)).toBeLessThan(1e-12);
      expect(distance(answer(data, reduced), expected)).toBeLessThan(1e-12);
      expect(distance(answer(data, reduced), answer(data, indexReduced))).toBeLessThan(1e-12);
    }
  });

  it('have the reduced equation of the notes, block by block', () => {
    // (M_vv + M_vu H + ᵗH (M_uv + M_uu H)) v̈ = Q_v + ᵗH Q_u − (M_vu + ᵗH M_uu) Φ_u⁻¹γ
    const random = seeded(12);
    for (let k = 0; k < 50; k++) {
      const data = randomData(random);
      const { mass, jacobian, force, gamma } = data;
      const partition = new Partition(frozen(data), DEFAULT_PARTITION);
      partition.begin(clock, new Float64Array(mass.length));
      const [u, v] = [[...partition.dependent], [...partition.independent]];
      const pick = (a: Matrix, rows: number[], columns: number[]): Matrix =>
        rows.map((i) => columns.map((j) => a[i][j]));
      const all = jacobian.map((_, r) => r);
      const phiU = pick(jacobian, all, u);
      const phiV = pick(jacobian, all, v);
      const inverse = (right: Matrix): Matrix =>
        transpose(transpose(right).map((column) => solve(phiU, column)));
      const H = inverse(phiV).map((row) => row.map((x) => -x));
      const g = solve(phiU, gamma);
      const add = (a: Matrix, b: Matrix): Matrix => a.map((row, i) => row.map((x, j) => x + b[i][j]));
      const [uu, uv] = [pick(mass, u, u), pick(mass, u, v)];
      const [vu, vv] = [pick(mass, v, u), pick(mass, v, v)];
      const left = add(add(vv, multiply(vu, H)), multiply(transpose(H), add(uv, multiply(uu, H))));
      const weighted = add(vu, multiply(transpose(H), uu));
      const right = v.map(
        (i, f) =>
          force[i] +
          u.reduce((sum, j, d) => sum + H[d][f] * force[j], 0) -
          weighted[f].reduce((sum, x, d) => sum + x * g[d], 0),
      );
      const independent = solve(left, right);
      const found = answer(data, reduced);
      v.forEach((i, f) =>
        expect(Math.abs(found[i] - independent[f])).toBeLessThan(1e-9 * Math.max(1, Math.abs(found[i]))),
      );
    }
  });
});

describe('units and the way a constraint is written', () => {
  it('change neither accelerations nor what counts as singular', () => {
    const random = seeded(13);
    for (const [masses, factor] of [
      [1e9, 1],
      [1e-9, 1],
      [1, 1e8],
      [1, 1e-8],
    ]) {
      const data = randomData(random);
      const scaled = {
        ...data,
        mass: data.mass.map((row) => row.map((x) => masses * x)),
        force: data.force.map((x) => masses * x),
        jacobian: data.jacobian.map((row) => row.map((x) => factor * x)),
        gamma: data.gamma.map((x) => factor * x),
      };
      const n = data.mass.length;
      const expected = reference(data).slice(0, n);
      expect(distance(answer(scaled, indexReduced).slice(0, n), expected)).toBeLessThan(1e-10);
    }
  });
});

describe('what cannot be solved', () => {
  const base: Data = { mass: [[2, 0], [0, 1]], jacobian: [[1, 1]], force: [1, 1], gamma: [0] }; // prettier-ignore
  const q = new Float64Array(2);
  const status = (data: Data): string => {
    const system = frozen(data);
    return new IndexReduced(system).solve(clock, q, q, new Float64Array(2), new Float64Array(system.rows));
  };

  it('are constraints that depend on one another, or say nothing', () => {
    expect(status(base)).toBe('ok');
    expect(status({ ...base, jacobian: [[1, 1], [3, 3 + 1e-14]], gamma: [0, 0] })).toBe('singularConstraints'); // prettier-ignore
    expect(status({ ...base, jacobian: [[0, 0]] })).toBe('singularConstraints');
  });

  it('is a mass that is zero or negative', () => {
    expect(status({ ...base, mass: zeros(2, 2) })).toBe('singularConstraints');
  });

  it.each<[string, Partial<Data>]>([
    ['force', { force: [Number.NaN, 1] }],
    ['γ', { gamma: [Number.POSITIVE_INFINITY] }],
    ['Jacobian', { jacobian: [[1, Number.NaN]] }],
  ])('is a %s that is not finite', (_, term) => {
    expect(status({ ...base, ...term })).toBe('notFinite');
  });

  it('is a dependent block that has become singular', () => {
    const data: Data = { ...base, jacobian: [[1, 0.5]] };
    const system = frozen(data);
    const partition = new Partition(system, DEFAULT_PARTITION);
    partition.begin(clock, q);
    const dynamics = new ReducedAccelerations(
      { ...system, jacobian: (_, __, out) => out.set([0, 1]) },
      partition,
    );
    expect(dynamics.solve(clock, q, q, new Float64Array(2), new Float64Array(1))).toBe(
      'singularDependentBlock',
    );
  });
});
