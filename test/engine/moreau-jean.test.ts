/** The Moreau–Jean θ-method: smooth motion, base motion, both storage forms, and how it fails. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import {
  combine,
  identity,
  type Matrix,
  multiply,
  randomGram,
  solve,
  times,
  transpose,
  zeros,
} from './support/dense';
import { contact, linearSystem, model, particle, withFunctions } from './support/models';
import { maximum, observedOrder } from './support/order';
import { seeded } from './support/random';
import { refusal, run, runFailure } from './support/run';

const sandbox = createSandbox;

/** Recorded q (or v) of one system, by coordinate. */
const columns = (column: (name: string) => Float64Array, signal: string, n: number): Float64Array[] =>
  Array.from({ length: n }, (_, i) => column(n === 1 ? signal : `${signal}[${i}]`));

describe('smooth motion', () => {
  const random = seeded(1);
  const n = 3;
  const M = randomGram(random, n, n, 0.5);
  const C = randomGram(random, n, 2, 0);
  const K = combine([10, randomGram(random, n, n, 0)]);
  const F = [1, -2, 0.5];
  const q0 = [0.3, -0.2, 0.1];
  const v0 = [0, 1, -1];

  /** θ-method of the first-order form ẋ = A x + b, x = (q, v): (I − hθA) x⁺ = (I + h(1−θ)A) x + h b. */
  function firstOrder(theta: number, h: number, steps: number): number[] {
    const A: Matrix = zeros(2 * n, 2 * n);
    for (let i = 0; i < n; i++) {
      A[i][n + i] = 1;
      const acceleration = (a: Matrix, j: number): number =>
        solve(
          M,
          a.map((row) => -row[j]),
        )[i];
      for (let j = 0; j < n; j++) {
        A[n + i][j] = acceleration(K, j);
        A[n + i][n + j] = acceleration(C, j);
      }
    }
    const b = [...new Array<number>(n).fill(0), ...solve(M, F)];
    let x = [...q0, ...v0];
    for (let k = 0; k < steps; k++) {
      const right = times(combine([1, identity(2 * n)], [h * (1 - theta), A]), x).map(
        (value, i) => value + h * b[i],
      );
      x = solve(combine([1, identity(2 * n)], [-h * theta, A]), right);
    }
    return x;
  }

  it.each([0, 0.5, 0.7, 1])('is the θ-method of the first-order form, θ = %f', (theta) => {
    const system = linearSystem('s', { mass: M, damping: C, stiffness: K, force: F }, q0, v0);
    const { column } = run(model([system], [], { h: 1e-2, tEnd: 1, theta }));
    const expected = firstOrder(theta, 1e-2, 100);
    const got = [...columns(column, 's.q', n), ...columns(column, 's.v', n)].map(
      (values) => values.at(-1) ?? 0,
    );
    expected.forEach((value, i) => expect(Math.abs(got[i] - value)).toBeLessThan(1e-11));
  });

  it('keeps the energy of an oscillator at θ = ½, loses it at 1, gains it at 0', () => {
    const energy = (theta: number): number => {
      const { column } = run(
        model([particle('m', 1, 0, { stiffness: [[4]] })], [], { h: 0.05, tEnd: 10, theta }),
      );
      return (column('energy.kinetic').at(-1) ?? 0) + (column('energy.potential').at(-1) ?? 0);
    };
    expect(energy(0.5)).toBeCloseTo(2, 12);
    expect(energy(1)).toBeLessThan(1);
    expect(energy(0)).toBeGreaterThan(4);
  });
});

describe('storage forms', () => {
  /**
   * A diagonal system of three coordinates on two walls, and the same in rotated coordinates, which couple.
   */
  function twin(rotation: Matrix): ModelDocument {
    const back = transpose(rotation);
    const turn = (diagonal: number[]): Matrix => {
      const turned = multiply(
        multiply(
          rotation,
          identity(3).map((row, i) => row.map((x) => x * diagonal[i])),
        ),
        back,
      );
      // Exactly symmetric, as a mass matrix has to be.
      return turned.map((row, i) => row.map((_, j) => turned[Math.max(i, j)][Math.min(i, j)]));
    };
    const system = linearSystem(
      's',
      {
        mass: turn([1, 2, 0.5]),
        damping: turn([0.1, 0, 0.3]),
        stiffness: turn([40, 10, 0]),
        force: times(rotation, [0, 1, -2]),
      },
      times(rotation, [0.5, 0.2, 1]),
      times(rotation, [0, -1, 0]),
    );
    const H = multiply(
      [
        [1, 0, 0],
        [0, 0.5, 1],
      ],
      back,
    );
    return model([system], [contact('walls', ['s'], H, 0.8, [0.3, 0])], { h: 1e-3, tEnd: 3 });
  }

  it('give the same motion and impulses', () => {
    const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
    const rotation = multiply(
      [
        [c, -s, 0],
        [s, c, 0],
        [0, 0, 1],
      ],
      [
        [1, 0, 0],
        [0, c, -s],
        [0, s, c],
      ],
    );
    const diagonal = run(twin(identity(3)));
    const dense = run(twin(rotation));
    expect(diagonal.session.events).toBeGreaterThan(5);
    expect(dense.session.events).toBe(diagonal.session.events);
    for (const signal of ['s.q', 's.v']) {
      const rotated = columns(dense.column, signal, 3);
      columns(diagonal.column, signal, 3).forEach((values, i) => {
        const back = values.map((_, k) =>
          rotated.reduce((sum, column, j) => sum + rotation[j][i] * column[k], 0),
        );
        expect(maximum(values.map((x, k) => x - back[k]))).toBeLessThan(1e-9);
      });
    }
    for (const row of [0, 1]) {
      const expected = diagonal.column(`walls.impulse[${row}]`);
      const got = dense.column(`walls.impulse[${row}]`);
      expect(maximum(expected.map((x, k) => x - got[k]))).toBeLessThan(1e-9);
    }
  });

  it('may stand side by side in one model', () => {
    const coupled = (id: string): ReturnType<typeof linearSystem> =>
      linearSystem(
        id,
        {
          mass: [
            [2, 0.5],
            [0.5, 1],
          ],
          stiffness: [
            [9, -3],
            [-3, 5],
          ],
        },
        [1, 0],
        [0, 1],
      );
    const both = run(model([particle('a', 1, 0, { stiffness: [[3]] }), coupled('b'), particle('c', 2, 1)]));
    const alone = run(model([coupled('b')]));
    const a = run(model([particle('a', 1, 0, { stiffness: [[3]] })]));
    expect(both.column('b.q[1]')).toEqual(alone.column('b.q[1]'));
    expect(both.column('a.v')).toEqual(a.column('a.v'));
    expect(both.column('c.q').at(-1)).toBeCloseTo(3, 12);
  });
});

describe('base motion', () => {
  /**
   * A base that rests, accelerates from t = 0.313 on and moves on with constant velocity from t = 0.757 on.
   */
  const motion = [
    'const a = 40, t1 = 0.313, t2 = 0.757;',
    'export const position: PrescribedMotion = (t, out) => {',
    '  const s = Math.min(t, t2) - t1;',
    '  out[0] = t < t1 ? 0 : 0.5 * a * s * s + (t > t2 ? a * (t2 - t1) * (t - t2) : 0);',
    '};',
    'export const velocity: PrescribedMotion = (t, out) => {',
    '  out[0] = t < t1 ? 0 : a * (Math.min(t, t2) - t1);',
    '};',
  ];
  const lift = (t: number): number => {
    const s = Math.min(t, 0.757) - 0.313;
    return t < 0.313 ? 0 : 20 * s * s + (t > 0.757 ? 40 * (0.757 - 0.313) * (t - 0.757) : 0);
  };
  const riding = { basePosition: { function: 'position' }, baseVelocity: { function: 'velocity' } };

  it.each([0, 0.5, 1])('leaves a free mass in straight motion, whatever the base does, θ = %f', (theta) => {
    const document = withFunctions(
      model([particle('m', 0, 3, riding)], [], { h: 1e-2, tEnd: 1, theta }),
      ...motion,
    );
    const { column } = run(document, { sandbox });
    const t = column('t');
    const absolute = column('m.q').map((q, k) => q + lift(t[k]));
    expect(maximum(absolute.map((u, k) => u - 3 * t[k]))).toBeLessThan(1e-12);
  });

  it('keeps order 2 across jumps of the base acceleration', () => {
    const steps = [1e-2, 5e-3, 2.5e-3, 1.25e-3];
    const omega = 5;
    const errors = steps.map((h) => {
      const system = particle('m', 0.5, 1, { ...riding, stiffness: [[omega * omega]] });
      const { column } = run(withFunctions(model([system], [], { h, tEnd: 1 }), ...motion), { sandbox });
      const t = column('t');
      // In absolute coordinates the spring does not see the base: u = ½ cos ωt + sin(ωt)/ω.
      const exact = t.map((s) => 0.5 * Math.cos(omega * s) + Math.sin(omega * s) / omega);
      return maximum(column('m.q').map((q, k) => q + lift(t[k]) - exact[k]));
    });
    expect(Math.abs(observedOrder(steps, errors) - 2)).toBeLessThan(0.05);
  });

  it('gives the same with coupled matrices', () => {
    const two = [
      'export const position2: PrescribedMotion = (t, out) => { out[0] = Math.sin(3 * t); out[1] = t; };',
      'export const velocity2: PrescribedMotion = (t, out) => { out[0] = 3 * Math.cos(3 * t); out[1] = 1; };',
    ];
    const matrices = {
      mass: [
        [2, 0.5],
        [0.5, 1],
      ],
      damping: [
        [1, 0],
        [0, 0.2],
      ],
      stiffness: [
        [9, -3],
        [-3, 5],
      ],
    };
    // u = q + c with c(0) = (0, 0) and ċ(0) = (3, 1)
    const relative = withFunctions(
      model([
        {
          ...linearSystem('r', matrices, [1, 0], [-3, 0]),
          basePosition: { function: 'position2' },
          baseVelocity: { function: 'velocity2' },
        },
      ]),
      ...two,
    );
    const absolute = run(model([linearSystem('u', matrices, [1, 0], [0, 1])]));
    const { column } = run(relative, { sandbox });
    const t = column('t');
    const [q, u] = [column('r.q[0]'), absolute.column('u.q[0]')];
    expect(maximum(u.map((x, k) => x - q[k] - Math.sin(3 * t[k])))).toBeLessThan(1e-12);
    const [v, uDot] = [column('r.v[1]'), absolute.column('u.v[1]')];
    expect(maximum(uDot.map((x, k) => x - v[k] - 1))).toBeLessThan(1e-12);
  });
});

describe('forces by script', () => {
  it('enter with their weighted mean over the step', () => {
    const document = withFunctions(
      model([particle('m', 0, 0, { fExt: { function: 'ramp' } })], [], { h: 0.25, tEnd: 1, theta: 0.75 }),
      'export const ramp: ExternalForce = (t, out) => { out[0] = t; };',
    );
    // v⁺ − v = h (¾ t⁺ + ¼ t) with t = 0, ¼, ½, ¾
    const { column } = run(document, { sandbox });
    const t = [0, 0.25, 0.5, 0.75];
    const expected = t.reduce((sum, s) => sum + 0.25 * (0.75 * (s + 0.25) + 0.25 * s), 0);
    expect(column('m.v').at(-1)).toBeCloseTo(expected, 14);
  });
});

describe('impacts', () => {
  it('of one ball on two touching ones follow Newton’s law: (−1/3, 2/3, 2/3) for e = 1', () => {
    const balls = [particle('a', 0, 1), particle('b', 1, 0), particle('c', 2, 0)];
    const between = (id: string, left: string, right: string): ReturnType<typeof contact> =>
      contact(id, [left, right], [[-1, 1]], 1, [-1]);
    const { column } = run(
      model(balls, [between('ab', 'a', 'b'), between('bc', 'b', 'c')], { h: 1e-3, tEnd: 1e-3 }),
    );
    [-1 / 3, 2 / 3, 2 / 3].forEach((v, i) => expect(column(`${'abc'[i]}.v`)[1]).toBeCloseTo(v, 14));
  });

  it('also when the first ball comes from afar', () => {
    const balls = [particle('a', -0.5, 1), particle('b', 1, 0), particle('c', 2, 0)];
    const between = (id: string, left: string, right: string): ReturnType<typeof contact> =>
      contact(id, [left, right], [[-1, 1]], 1, [-1]);
    const { column, session } = run(
      model(balls, [between('ab', 'a', 'b'), between('bc', 'b', 'c')], { tEnd: 1 }),
    );
    [-1 / 3, 2 / 3, 2 / 3].forEach((v, i) => expect(column(`${'abc'[i]}.v`).at(-1)).toBeCloseTo(v, 12));
    expect(column('energy.kinetic').at(-1)).toBeCloseTo(0.5, 12);
    expect(session.events).toBe(2);
  });
});

describe('failures', () => {
  it.each([
    ['diagonal', particle('bad', 1, 0, { stiffness: [[-64]] })],
    [
      'coupled',
      linearSystem(
        'bad',
        {
          mass: [
            [1, 0],
            [0, 1],
          ],
          stiffness: [
            [-64, 1],
            [0, 1],
          ],
        },
        [0, 0],
        [0, 0],
      ),
    ],
  ])('an iteration matrix that is singular is named with its system, %s', (_, bad) => {
    // h²θ²K = −M at h = 1/8, θ = 1, exactly in binary.
    const error = refusal(model([particle('good', 0, 0), bad], [], { h: 0.125, theta: 1 }));
    expect(error).toMatchObject({ code: 'iteration-matrix-singular', where: 'bad' });
    expect(error.message).toContain('0.125');
  });

  it('a motion that grows without bound is reported with its system and time, and what was before stays', () => {
    // Explicit, ω h = 100: each step multiplies the amplitude by 100.
    const systems = [particle('calm', 1, 0), particle('wild', 1, 0, { stiffness: [[1e6]] })];
    const { error, session, column } = runFailure(model(systems, [], { h: 0.1, tEnd: 100, theta: 0 }));
    expect(error).toMatchObject({ code: 'not-finite', where: 'wild' });
    expect(error.time).toBeCloseTo((session.steps + 1) * 0.1, 12);
    expect(error.message).toContain('wild');
    expect(session.rows).toBe(session.steps + 1);
    expect(session.rows).toBeGreaterThan(20);
    expect(column('wild.q')).toHaveLength(session.rows);
    expect(column('wild.q').every(Number.isFinite)).toBe(true);
    expect(column('t').at(-1)).toBeCloseTo(session.time, 12);
    expect(session.advance(10)).toBe('failed');
  });

  it('contacts without a solution are named with the time', () => {
    // A wall that moves into a mass against a fixed one: no velocity satisfies both.
    const document = withFunctions(
      {
        ...model([particle('m', 0, 0)], [contact('fixed', ['m'], [[-1]], 0)], { h: 1e-2, tEnd: 1 }),
      },
      'export const gap: Constraint = (t, q, out) => { out[0] = q[0] + 0.1 - t; };',
      'export const rate: ConstraintTimeDerivative = (t, q, out) => { out[0] = -1; };',
    );
    document.interactions.push({
      id: 'moving',
      systems: ['m'],
      relation: {
        type: 'LagrangianRheonomous',
        h: { function: 'gap' },
        hDot: { function: 'rate' },
        jacobian: [[1]],
      },
      law: { type: 'NewtonImpact', e: 0 },
    });
    const { error, session } = runFailure(document, { sandbox });
    expect(error.code).toBe('solver-infeasible');
    expect(error.where).toContain('fixed');
    expect(error.where).toContain('moving');
    expect(error.time).toBeCloseTo(0.1, 1);
    expect(session.rows).toBeGreaterThan(5);
  });
});
