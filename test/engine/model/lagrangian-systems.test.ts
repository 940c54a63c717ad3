/**
 * Lagrangian systems in their form: values by hand, Jacobians against central differences of the form itself.
 */
import { describe, expect, it } from 'vitest';
import type { ModelDocument, SystemDocument } from '@engine/document/types';
import type { LagrangianForm } from '@engine/model/forms';
import {
  build,
  buildSound,
  centralDifferences,
  firstOrderForm,
  lagrangianForm,
  type Plugins,
} from '../support/built';
import { expectClose } from '../support/jacobians';
import { linearSystem, model, particle } from '../support/models';
import { seeded } from '../support/random';

const CLOCK = Float64Array.of(0.7);

const single = (system: SystemDocument): ModelDocument => model([system]);

type Vector = Float64Array;

const MECHANISM: Plugins = {
  M: (q: Vector, out: Vector) => {
    const c = Math.cos(q[1]);
    out.set([3 + 2 * c, 1 + c, 1 + c, 1]);
  },
  N: (q: Vector, v: Vector, out: Vector) => {
    out[0] = -Math.sin(q[1]) * (2 * v[0] * v[1] + v[1] ** 2);
    out[1] = Math.sin(q[1]) * v[0] ** 2;
  },
  F: (t: number, q: Vector, v: Vector, out: Vector) => {
    out[0] = Math.sin(q[0]) + t * v[0] ** 3;
    out[1] = q[0] * q[1] * v[1];
  },
  E: (t: number, out: Vector) => out.set([t, 2 * t]),
  u: (t: number, q: Vector, v: Vector, out: Vector) => {
    out[0] = -t * q[0] * v[1];
  },
  T: (q: Vector, out: Vector) => out.set([q[1], 1 + q[0] ** 2]),
};

const arm: SystemDocument = {
  id: 'arm',
  type: 'LagrangianNonLinear',
  ndof: 2,
  q0: [0, 0.5],
  v0: [1, -1],
  mass: { function: 'M' },
  gyroscopic: { function: 'N' },
  fInt: { function: 'F' },
  fExt: { function: 'E' },
  u: { function: 'u' },
  T: { function: 'T' },
};

function checkForceJacobians(form: LagrangianForm, seed: number): void {
  const { size: n } = form;
  const next = seeded(seed);
  for (let k = 0; k < 20; k++) {
    const q = Float64Array.from({ length: n }, () => next.uniform(-1, 1));
    const v = Float64Array.from({ length: n }, () => next.uniform(-1, 1));
    const byQ = new Float64Array(n * n).fill(Number.NaN);
    const byV = new Float64Array(n * n).fill(Number.NaN);
    form.forceJacobians(CLOCK, q, v, byQ, byV);
    expectClose(
      byQ,
      centralDifferences((at, out) => form.force(CLOCK, at, v, out), q, n),
    );
    expectClose(
      byV,
      centralDifferences((at, out) => form.force(CLOCK, q, at, out), v, n),
    );
  }
}

describe('LagrangianNonLinear', () => {
  it('has F = F_ext − N − F_int + T u, with the signs of the equation of motion', () => {
    const form = lagrangianForm(buildSound(single(arm), MECHANISM));
    expect(form).toMatchObject({ order: 2, size: 2, constantMass: null, linear: null });
    const [t, q, v] = [0.7, [0.2, 0.4], [1.5, -2]];
    const s = Math.sin(q[1]);
    const u = -t * q[0] * v[1];
    const force = new Float64Array(2).fill(Number.NaN);
    form.force(CLOCK, Float64Array.from(q), Float64Array.from(v), force);
    expectClose(
      force,
      [
        t + s * (2 * v[0] * v[1] + v[1] ** 2) - Math.sin(q[0]) - t * v[0] ** 3 + q[1] * u,
        2 * t - s * v[0] ** 2 - q[0] * q[1] * v[1] + (1 + q[0] ** 2) * u,
      ],
      1e-14,
    );
    const mass = new Float64Array(4);
    form.mass(Float64Array.from(q), mass);
    expect(mass[1]).toBe(1 + Math.cos(0.4));
  });

  it.each<[string, Partial<SystemDocument>]>([
    ['everything from scripts', {}],
    ['gyroscopic terms alone', { fInt: undefined, u: undefined, T: undefined }],
    ['internal forces alone', { gyroscopic: undefined, u: undefined, T: undefined, fExt: [1, 2] }],
    ['a constant control matrix', { T: [[2], [3]] }],
    ['a constant control', { u: [4] }],
    [
      'no force at all',
      { gyroscopic: undefined, fInt: undefined, u: undefined, T: undefined, fExt: undefined },
    ],
  ])('has the Jacobians of its force, with %s', (_, fields) => {
    const system = { ...arm, ...fields };
    for (const key of Object.keys(system)) if (system[key] === undefined) Reflect.deleteProperty(system, key);
    checkForceJacobians(lagrangianForm(buildSound(single(system), MECHANISM)), 5);
  });

  it('takes given Jacobians, with the sign of the force they belong to', () => {
    const form = lagrangianForm(
      build(
        single({
          ...particle('s', 0, 0),
          type: 'LagrangianNonLinear',
          fInt: { function: 'F' },
          fIntJacobianQ: [[5]],
          fIntJacobianV: { function: 'J' },
        }),
        {
          F: (_t: number, q: Vector, v: Vector, out: Vector) => (out[0] = 5 * q[0] + v[0] ** 2),
          J: (_t: number, _q: Vector, v: Vector, out: Vector) => (out[0] = 2 * v[0]),
        },
        () => {
          throw new Error('nothing is to be derived');
        },
      ),
    );
    const [byQ, byV] = [new Float64Array(1), new Float64Array(1)];
    form.forceJacobians(CLOCK, Float64Array.of(1), Float64Array.of(3), byQ, byV);
    expect([byQ[0], byV[0]]).toEqual([-5, -6]);
  });

  it('knows a constant mass', () => {
    const form = lagrangianForm(
      buildSound(
        single({
          ...arm,
          mass: [
            [2, 0],
            [0, 3],
          ],
        }),
        MECHANISM,
      ),
    );
    expect([...(form.constantMass?.values ?? [])]).toEqual([2, 3]);
  });
});

describe('LagrangianLinearTI', () => {
  const K = [
    [4, -1],
    [-1, 4],
  ];
  const C = [
    [1, 0.5],
    [0, 1],
  ];

  it('has F = F_ext − C v − K q, also in the general form', () => {
    const form = lagrangianForm(
      buildSound(
        single(
          linearSystem(
            's',
            {
              mass: [
                [1, 0],
                [0, 2],
              ],
              damping: C,
              stiffness: K,
              force: [10, 20],
            },
            [0, 0],
            [0, 0],
          ),
        ),
      ),
    );
    const force = new Float64Array(2);
    form.force(CLOCK, Float64Array.of(1, 2), Float64Array.of(3, 4), force);
    expect([...force]).toEqual([10 - 5 - 2, 20 - 4 - 7]);
    checkForceJacobians(form, 8);
  });

  it('takes matrices by their entries, those of one place added up', () => {
    const entries = (list: [number, number, number | string][]): SystemDocument['mass'] => ({
      entries: list,
    });
    const sparse = {
      ...single({
        id: 's',
        type: 'LagrangianLinearTI',
        ndof: 2,
        mass: entries([
          [1, 1, '1 + 1'],
          [0, 0, 0.25],
          [0, 0, 0.75],
        ]),
        stiffness: entries([
          [0, 0, 3],
          [1, 0, -1],
          [0, 1, -1],
          [1, 1, 4],
          [0, 0, 1],
        ]),
        q0: [0, 0],
        v0: [0, 0],
      }),
    };
    const dense = linearSystem(
      's',
      {
        mass: [
          [1, 0],
          [0, 2],
        ],
        stiffness: K,
      },
      [0, 0],
      [0, 0],
    );
    const [a, b] = [sparse, single(dense)].map((document) => lagrangianForm(buildSound(document)));
    expect(a.constantMass).toEqual(b.constantMass);
    expect(a.linear?.stiffness).toEqual(b.linear?.stiffness);
  });

  it('does not expand the matrices of twenty thousand coordinates', () => {
    const n = 20_000;
    const diagonal = Array.from({ length: n }, (_, i): [number, number, number] => [i, i, 2]);
    const coupling = Array.from({ length: n - 1 }, (_, i): [number, number, number][] => [
      [i, i + 1, -1],
      [i + 1, i, -1],
    ]).flat();
    const zeros = new Array<number>(n).fill(0);
    const { linear, constantMass } = lagrangianForm(
      buildSound(
        single({
          id: 'bar',
          type: 'LagrangianLinearTI',
          ndof: n,
          mass: { entries: diagonal },
          stiffness: { entries: [...diagonal, ...coupling] },
          q0: zeros,
          v0: zeros,
        }),
      ),
    );
    expect(constantMass?.values).toHaveLength(n);
    expect(linear?.stiffness?.values).toHaveLength(3 * n - 2);
  });

  it('has base motions in the linear form and their springs in the general one', () => {
    const { linear, force } = lagrangianForm(
      buildSound(
        single({
          ...particle('s', 0, 0),
          stiffness: [[2]],
          basePosition: { function: 'c' },
          baseVelocity: { function: 'w' },
        }),
        { c: (t: number, out: Vector) => (out[0] = t), w: (_t: number, out: Vector) => (out[0] = 1) },
      ),
    );
    const out = new Float64Array(1);
    linear?.base?.position(CLOCK, out);
    expect(out[0]).toBe(0.7);
    force(CLOCK, Float64Array.of(3), Float64Array.of(0), out);
    expect(out[0]).toBe(-2 * 3.7);
  });
});

describe('a Lagrangian system brought to first order', () => {
  /** ẋ = [v; M⁻¹ F] + r with x = [q; v]. */
  const M = [
    [2, 0.5],
    [0.5, 1],
  ];
  const determinant = M[0][0] * M[1][1] - M[0][1] * M[1][0];
  const solveMass = (f: ArrayLike<number>): [number, number] => [
    (M[1][1] * f[0] - M[0][1] * f[1]) / determinant,
    (M[0][0] * f[1] - M[1][0] * f[0]) / determinant,
  ];
  const second = lagrangianForm(buildSound(single({ ...arm, mass: M, u: [1], T: [[1], [0]] }), MECHANISM));
  const first = firstOrderForm(
    buildSound(
      single({ id: 's', type: 'FirstOrderNonLinear', n: 4, x0: [0, 0.5, 1, -1], f: { function: 'f' } }),
      {
        f: (t: number, x: Vector, out: Vector) => {
          const force = new Float64Array(2);
          second.force(Float64Array.of(t), x.slice(0, 2), x.slice(2), force);
          out.set([x[2], x[3], ...solveMass(force)]);
        },
      },
    ),
  );

  /** Acceleration under an impulse density p, once from M v̇ = F + p and once from ẋ = f + r. */
  function accelerations(r: (p: number[]) => number[]): [number[], number[]] {
    const [q, v, p] = [
      [0.2, 0.4],
      [1.5, -2],
      [3, -5],
    ];
    const force = new Float64Array(2);
    second.force(CLOCK, Float64Array.from(q), Float64Array.from(v), force);
    const expected = solveMass([force[0] + p[0], force[1] + p[1]]);
    const rate = new Float64Array(4);
    first.rate(CLOCK, Float64Array.of(...q, ...v), rate);
    return [[...expected], r(p).map((value, i) => rate[2 + i] + value)];
  }

  it('has the generalised input r = [0; M⁻¹ p]', () => {
    const [expected, actual] = accelerations((p) => solveMass(p));
    expectClose(Float64Array.from(actual), expected, 1e-14);
  });

  it('would be another system with r = [0; p], as printed in (3.14)', () => {
    const [expected, actual] = accelerations((p) => p);
    expect(Math.abs(actual[0] - expected[0])).toBeGreaterThan(0.1);
  });

  it('agrees in its Jacobian: [0 I; M⁻¹∇_q F  M⁻¹∇_v F]', () => {
    const x = Float64Array.of(0.2, 0.4, 1.5, -2);
    const [byQ, byV] = [new Float64Array(4), new Float64Array(4)];
    second.forceJacobians(CLOCK, x.slice(0, 2), x.slice(2), byQ, byV);
    const jacobian = new Float64Array(16);
    first.rateJacobian(CLOCK, x, jacobian);
    for (let j = 0; j < 2; j++) {
      for (const [block, at] of [
        [byQ, j],
        [byV, 2 + j],
      ] as const) {
        const expected = solveMass([block[j], block[2 + j]]);
        expectClose(Float64Array.of(jacobian[8 + at], jacobian[12 + at]), expected);
      }
    }
  });
});
