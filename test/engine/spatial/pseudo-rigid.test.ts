/**
 * Pseudo-rigid bodies: forces against the strain energy, waves of small stretch, what is conserved, and local
 * frames.
 */
import { describe, expect, it } from 'vitest';
import { EngineError } from '@engine/errors';
import { AffineVariationalInequality } from '@engine/problems/avi';
import { createSolver } from '@engine/solvers/registry';
import { createSolverResult } from '@engine/solvers/solver';
import { BodyMotion, HalfStep } from '@engine/contact-dynamics/schemes/half-steps';
import {
  AFFINE,
  DEFORMATION,
  PseudoRigidBody,
  type PseudoRigidDescription,
  eulerTensor,
  lameConstants,
} from '@engine/spatial/bodies/pseudo-rigid';
import type { BodyDescription } from '@engine/spatial/compile';
import type { JointDescription } from '@engine/spatial/joints/registry';
import type { LoadDescription } from '@engine/spatial/loads';
import { rotationMatrix } from '@engine/spatial/quaternion';
import { RowSet } from '@engine/spatial/rows';
import { maximum, observedOrder } from '../support/order';
import { seeded } from '../support/random';
import { compile, turnAbout, unitQuaternion, vector } from './support/models';

const UNIT = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** A box of sides a, b, c: E = m/12 diag(a², b², c²). */
const box = (
  [a, b, c]: readonly number[],
  density: number,
  { lambda, mu }: { lambda: number; mu: number },
): PseudoRigidDescription => {
  const mass = density * a * b * c;
  return {
    id: 'box',
    mass,
    euler: [(mass * a * a) / 12, 0, 0, 0, (mass * b * b) / 12, 0, 0, 0, (mass * c * c) / 12],
    volume: a * b * c,
    lambda,
    mu,
  };
};
const elastic = lameConstants(2000, 0.3);
const brick = box([1, 0.5, 0.4], 3, elastic);

/** The scheme for one body. */
const schemeOf = (description: PseudoRigidDescription, loads: readonly LoadDescription[] = []): HalfStep => {
  const body = { kind: 'pseudoRigid', position: [0, 0, 0], ...description } as const;
  return new HalfStep(new BodyMotion(compile([body], [], loads), { gyroscopic: 'conserving' }));
};

const run = (
  scheme: HalfStep,
  q: Float64Array,
  u: Float64Array,
  h: number,
  steps: number,
  each?: () => void,
): void => {
  for (let k = 0; k < steps; k++) {
    expect(scheme.begin(Float64Array.of(k * h), q, u, h)).toBe('ok');
    expect(scheme.finish(q, u, h, null)).toBe('ok');
    each?.();
  }
};

describe('elasticity of St Venant and Kirchhoff', () => {
  it('has the force that its energy says', () => {
    const random = seeded(1);
    const { elasticity } = new PseudoRigidBody(brick);
    for (let n = 0; n < 10; n++) {
      const f = Float64Array.from(UNIT, (x) => x + random.uniform(-0.3, 0.3));
      const force = new Float64Array(9);
      elasticity.addForce(f, 0, force, 0);
      for (let i = 0; i < 9; i++) {
        const at = (d: number): number =>
          elasticity.energy(
            f.map((x, j) => (j === i ? x + d : x)),
            0,
          );
        const slope = (at(1e-5) - at(-1e-5)) / 2e-5;
        expect(Math.abs(force[i] + slope)).toBeLessThan(1e-6);
      }
    }
  });

  it('has none in a rotated body', () => {
    const random = seeded(2);
    const { elasticity } = new PseudoRigidBody(brick);
    const f = new Float64Array(9);
    rotationMatrix(unitQuaternion(random), 0, f, 0);
    const force = new Float64Array(9);
    elasticity.addForce(f, 0, force, 0);
    expect(maximum(force)).toBeLessThan(1e-12);
    expect(elasticity.energy(f, 0)).toBeLessThan(1e-25);
  });

  it('has the stress of uniaxial stretch: 2nd Piola–Kirchhoff ½ (λ + 2μ)(s² − 1) along, ½ λ (s² − 1) across', () => {
    const { elasticity } = new PseudoRigidBody(brick);
    const s = 1.2;
    const force = new Float64Array(9);
    elasticity.addForce(Float64Array.of(s, 0, 0, 0, 1, 0, 0, 0, 1), 0, force, 0);
    const strain = 0.5 * (s * s - 1);
    expect(force[0]).toBeCloseTo(-brick.volume * s * (elastic.lambda + 2 * elastic.mu) * strain, 10);
    expect(force[4]).toBeCloseTo(-brick.volume * elastic.lambda * strain, 10);
    expect(lameConstants(2000, 0.3).mu).toBeCloseTo(2000 / 2.6, 12);
    expect(elastic.lambda).toBeCloseTo(600 / (1.3 * 0.4), 12);
  });
});

describe('motion', () => {
  it('of a small stretch is harmonic, with ω² = V (λ + 2μ)/E, and of order 2', () => {
    // Without transverse coupling: λ = 0.
    const description = box([1, 0.5, 0.4], 3, { lambda: 0, mu: 1000 });
    const omega = Math.sqrt((description.volume * 2000) / description.euler[0]);
    const amplitude = 1e-6;
    const end = 1;
    const steps = [200, 400, 800];
    const errors = steps.map((n) => {
      const q = Float64Array.of(0, 0, 0, 1 + amplitude, 0, 0, 0, 1, 0, 0, 0, 1);
      run(schemeOf(description), q, new Float64Array(AFFINE), end / n, n);
      return Math.abs((q[DEFORMATION] - 1) / amplitude - Math.cos(omega * end));
    });
    expect(errors[2]).toBeLessThan(0.1);
    const order = observedOrder(
      steps.map((n) => 1 / n),
      errors,
    );
    expect(order).toBeGreaterThan(1.8);
    expect(order).toBeLessThan(2.2);
  });

  it('keeps momentum and moment of momentum to rounding, and energy without drift', () => {
    const random = seeded(3);
    const body = new PseudoRigidBody(brick);
    const q = Float64Array.of(1, 2, 3, ...UNIT);
    const u = vector(random, AFFINE, 0.8);
    const strain = (): number => body.elasticity.energy(q, DEFORMATION);
    const energy = (): number => body.kineticEnergy(u, 0) + strain();
    const momentum = (): Float64Array => {
      const out = new Float64Array(3);
      body.angularMomentum(q, 0, u, 0, out);
      return out;
    };
    const [e0, l0, p0] = [energy(), momentum(), u.slice(0, DEFORMATION)];
    let [drift, turn] = [0, 0];
    run(schemeOf(brick), q, u, 1e-3, 5000, () => {
      drift = Math.max(drift, Math.abs(energy() - e0));
      turn = Math.max(turn, maximum(momentum().map((x, i) => x - l0[i])));
    });
    expect(turn).toBeLessThan(1e-12);
    expect([...u.subarray(0, DEFORMATION)]).toEqual([...p0]);
    expect(drift).toBeLessThan(2e-3 * e0);
    // It has moved, and deformed.
    expect(strain()).toBeGreaterThan(1e-4);
  });

  it('of a stiff body is that of a rigid one: π and Ω of a spinning box', () => {
    const stiff = box([1, 0.5, 0.4], 3, lameConstants(2e7, 0.3));
    const [a, b, c] = [0, 4, 8].map((k) => stiff.euler[k]);
    const rigid = compile([
      {
        id: 'box',
        mass: stiff.mass,
        inertia: [b + c, a + c, a + b],
        position: [0, 0, 0],
        spin: [0.3, 2, 0.2],
      },
    ]);
    const expected = new Float64Array(3);
    rigid.bodies[0].angularMomentum(rigid.initialPositions(), 0, rigid.initialVelocities(), 0, expected);
    const body = new PseudoRigidBody(stiff);
    const q = Float64Array.of(0, 0, 0, ...UNIT);
    // Ḟ = skew(Ω)
    const u = Float64Array.of(0, 0, 0, 0, -0.2, 2, 0.2, 0, -0.3, -2, 0.3, 0);
    const found = new Float64Array(3);
    body.angularMomentum(q, 0, u, 0, found);
    expect(maximum(found.map((x, i) => x - expected[i]))).toBeLessThan(1e-15);
    expect(body.kineticEnergy(u, 0)).toBeCloseTo(rigid.kineticEnergy(rigid.initialVelocities()), 14);
    const inertia = [b + c, 0, 0, 0, a + c, 0, 0, 0, a + b];
    eulerTensor(inertia).forEach((x, k) => expect(x + 0).toBeCloseTo(stiff.euler[k], 14));
  });

  it('falls under its weight, and its shape stays', () => {
    const weight = { type: 'gravity', id: 'weight', acceleration: [0, 0, -9.81] } as const;
    const q = Float64Array.of(0, 0, 5, ...UNIT);
    run(schemeOf(brick, [weight]), q, new Float64Array(AFFINE), 0.0625, 16);
    expect(q[2]).toBeCloseTo(5 - 0.5 * 9.81, 13);
    expect([...q.subarray(DEFORMATION)]).toEqual(UNIT);
  });

  it('ends with notFinite when it has blown up, and with inverted when it is inside out', () => {
    const ends = (f: readonly number[]): string => {
      const q = Float64Array.of(0, 0, 0, ...f);
      return schemeOf(brick).begin(new Float64Array(1), q, new Float64Array(AFFINE), 1e-3);
    };
    expect(ends([1e200, 0, 0, 0, 1, 0, 0, 0, 1])).toBe('notFinite');
    expect(ends([1, 0, 0, 0, 1, 0, 0, 0, -0.5])).toBe('inverted');
    expect(ends(UNIT)).toBe('ok');
  });
});

/** W = H M⁻¹ᵗH, m × m */
function delassus(
  rows: number,
  width: number,
  h: Float64Array,
  inverse: (x: Float64Array) => void,
): Float64Array {
  const w = new Float64Array(rows * rows);
  for (let r = 0; r < rows; r++) {
    const x = h.slice(r * width, (r + 1) * width);
    inverse(x);
    for (let s = 0; s < rows; s++) for (let j = 0; j < width; j++) w[s * rows + r] += h[s * width + j] * x[j];
  }
  for (let r = 0; r < rows; r++)
    for (let s = 0; s < r; s++) w[s * rows + r] = w[r * rows + s] = (w[s * rows + r] + w[r * rows + s]) / 2;
  return w;
}

/** Rank of a symmetric positive semidefinite matrix, by diagonal pivoting. */
function rankOf(matrix: Float64Array, n: number): number {
  const a = matrix.slice();
  const largest = maximum(a);
  for (let rank = 0; rank < n; rank++) {
    let pivot = 0;
    for (let i = 1; i < n; i++) if (a[i * n + i] > a[pivot * n + pivot]) pivot = i;
    const d = a[pivot * n + pivot];
    if (!(d > 1e-10 * largest)) return rank;
    const row = a.slice(pivot * n, (pivot + 1) * n);
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) a[i * n + j] -= (row[i] * row[j]) / d;
  }
  return n;
}

describe('four contacts on a flat face', () => {
  const corners = [
    [0.5, 0.25],
    [-0.5, 0.25],
    [-0.5, -0.25],
    [0.5, -0.25],
  ];
  const axes = Float64Array.of(0, 0, 1, 1, 0, 0, 0, 1, 0);
  const undeformed = Float64Array.of(0, 0, 0, ...UNIT);
  const affine = (): Float64Array => {
    const h = new Float64Array(12 * AFFINE);
    const body = new PseudoRigidBody(brick);
    corners.forEach(([x, y], k) => {
      const frame = Float64Array.of(x, y, -0.2, ...axes);
      body.addFrameRows(undeformed, 0, frame, 0, 1, h, 3 * k * AFFINE, AFFINE);
    });
    return h;
  };
  const rigid = compile(
    [{ id: 'box', mass: brick.mass, inertia: [0.02, 0.05, 0.06], position: [0, 0, 0] }],
    corners.map(([x, y], k) => ({
      type: 'ball',
      id: `c${k}`,
      first: { body: 'ground', point: [x, y, -0.2] },
      second: { body: 'box', point: [x, y, -0.2] },
    })),
  );

  it('have a W of rank 6 on a rigid body and 9 on a pseudo-rigid one, of 12', () => {
    const h = new Float64Array(12 * 6);
    rigid.equations.jacobian(rigid.initialPositions(), h, 6, 'velocity');
    expect(
      rankOf(
        delassus(12, 6, h, (x) => rigid.applyInverseMass(x)),
        12,
      ),
    ).toBe(6);
    const body = new PseudoRigidBody(brick);
    expect(
      rankOf(
        delassus(12, AFFINE, affine(), (x) => {
          body.applyInverseMass(x, 0);
        }),
        12,
      ),
    ).toBe(9);
  });

  it('leave impulses undetermined but not the velocities', () => {
    const body = new PseudoRigidBody(brick);
    const rows = affine();
    const normals = new Float64Array(4 * AFFINE);
    for (let k = 0; k < 4; k++) normals.set(rows.subarray(3 * k * AFFINE, (3 * k + 1) * AFFINE), k * AFFINE);
    const w = delassus(4, AFFINE, normals, (x) => {
      body.applyInverseMass(x, 0);
    });
    expect(rankOf(w, 4)).toBe(3);
    const falling = Float64Array.of(-1, -1.2, -1, -0.8);
    const velocities = ['Lemke', 'PGS', 'Enumeration', 'ConvexQP'].map((name) => {
      const problem = AffineVariationalInequality.dense(w, falling);
      const result = createSolverResult();
      createSolver(name, 4).solve(problem, 1e-12, result);
      expect(result.status).toBe('converged');
      return problem.w.slice();
    });
    for (const u of velocities) expect(maximum(u.map((x, i) => x - velocities[0][i]))).toBeLessThan(1e-10);
  });

  it('move as H says, and as the velocity of a point does without it', () => {
    const random = seeded(5);
    const body = new PseudoRigidBody(brick);
    // The numbers of the body stand behind others.
    const at = 3;
    const q = vector(random, at + AFFINE, 0.3);
    UNIT.forEach((x, k) => (q[at + DEFORMATION + k] += x));
    const u = vector(random, at + AFFINE);
    const frame = new Float64Array(12);
    frame.set(vector(random, 3));
    rotationMatrix(Float64Array.from(turnAbout([1, 2, 3], 0.4)), 0, frame, 3);
    const h = new Float64Array(3 * AFFINE);
    body.addFrameRows(q, at, frame, 0, -1, h, 0, AFFINE);
    const reference = new Float64Array(3);
    body.materialPoint(q, at, frame, 0, reference);
    const pointAfter = (time: number): number[] => {
      const moved = q.map((x, i) => (i < at ? x : x + time * u[i]));
      return [0, 1, 2].map((i) => {
        const row = at + DEFORMATION + 3 * i;
        return moved[at + i] + reference.reduce((sum, x, j) => sum + moved[row + j] * x, 0);
      });
    };
    pointAfter(0).forEach((x, i) => expect(x).toBeCloseTo(frame[i], 13));
    const [after, before] = [pointAfter(0.5), pointAfter(-0.5)];
    const velocity = new Float64Array(3);
    body.addPointVelocity(q, at, u, at, frame, 0, -1, velocity);
    for (let r = 0; r < 3; r++) {
      const along = [0, 1, 2].reduce((sum, i) => sum + frame[3 + 3 * r + i] * (after[i] - before[i]), 0);
      const rate = h.subarray(r * AFFINE, (r + 1) * AFFINE).reduce((sum, x, i) => sum + x * u[at + i], 0);
      expect(rate).toBeCloseTo(-along, 13);
      expect(velocity[r]).toBeCloseTo(before[r] - after[r], 13);
    }
  });
});

describe('joints at points of pseudo-rigid bodies', () => {
  const ends = {
    first: { body: 'one', point: [0.3, -0.2, 0.5] },
    second: { body: 'two', point: [-0.5, 0.1, 0.2] },
  };
  const soft = (id: string): BodyDescription => ({ kind: 'pseudoRigid', ...brick, id, position: [0, 0, 0] });
  const grounded = { ...ends, first: { body: 'ground', point: [1, 2, 3] } };

  it.each<[string, JointDescription]>([
    ['a ball joint', { type: 'ball', id: 'j', ...ends }],
    ['a rod', { type: 'distance', id: 'j', ...ends, length: 0.8 }],
    ['a rope to the ground', { type: 'rope', id: 'j', ...grounded, limits: { length: [0, 2] } }],
  ])('have the gradients of their functions, by q and by v, and their γ: %s', (_, joint) => {
    // A rigid body before them: their numbers stand behind others.
    const system = compile(
      [{ id: 'rigid', mass: 1, inertia: [1, 1, 1], position: [0, 0, 0] }, soft('one'), soft('two')],
      [joint],
    );
    const { equations, coordinates, limits, positions, velocities } = system;
    const rows = new RowSet([...equations.kinds, ...coordinates.kinds, ...limits.kinds]);
    expect(rows.count).toBeGreaterThan(0);
    const random = seeded(9);
    const q = system.initialPositions();
    for (let i = 7; i < positions; i++) q[i] += random.uniform(-0.5, 0.5);
    const v = vector(random, velocities);
    v.fill(0, 0, 6);
    // What is linear in q goes on as it goes: h(s) = h(q + s v).
    const at = (s: number): Float64Array => {
      const out = new Float64Array(rows.count);
      rows.position(
        q.map((x, i) => (i < 7 ? x : x + s * v[i - 1])),
        out,
      );
      return out;
    };
    const step = 1e-4;
    const [before, now, after] = [at(-step), at(0), at(step)];
    const byVelocity = new Float64Array(rows.count * velocities);
    rows.jacobian(q, byVelocity, velocities, 'velocity');
    const byPosition = new Float64Array(rows.count * positions);
    rows.jacobian(q, byPosition, positions, 'position');
    const gamma = new Float64Array(rows.count);
    rows.gamma(q, v, gamma);
    for (let r = 0; r < rows.count; r++) {
      const own = byVelocity.subarray(r * velocities, (r + 1) * velocities);
      expect(own.reduce((sum, x, i) => sum + x * v[i], 0)).toBeCloseTo(
        (after[r] - before[r]) / (2 * step),
        6,
      );
      expect(-gamma[r]).toBeCloseTo((after[r] - 2 * now[r] + before[r]) / (step * step), 5);
      expect([...byPosition.subarray(r * positions + 7, (r + 1) * positions)]).toEqual([...own.subarray(6)]);
    }
  });
});

describe('a pseudo-rigid body is refused', () => {
  const codeOf = (change: Partial<PseudoRigidDescription>): string => {
    try {
      new PseudoRigidBody({ ...brick, ...change });
    } catch (error) {
      if (error instanceof EngineError) return error.details.code;
    }
    return 'none';
  };

  it('without a positive Euler tensor, mass, volume or elasticity, or with a negative relaxation time', () => {
    expect(codeOf({})).toBe('none');
    expect(codeOf({ euler: [1, 0, 0, 0, 1, 0, 0, 0, 0] })).toBe('euler-tensor-not-positive');
    expect(codeOf({ euler: [1, 0.5, 0, 0, 1, 0, 0, 0, 1] })).toBe('euler-tensor-not-positive');
    expect(codeOf({ mass: 0 })).toBe('pseudo-rigid-not-positive');
    expect(codeOf({ volume: -1 })).toBe('pseudo-rigid-not-positive');
    expect(codeOf({ mu: 0 })).toBe('pseudo-rigid-not-positive');
    expect(codeOf({ lambda: -2 * brick.mu })).toBe('pseudo-rigid-not-positive');
    expect(codeOf({ relaxation: -1e-3 })).toBe('relaxation-negative');
    expect(codeOf({ relaxation: Number.NaN })).toBe('relaxation-negative');
  });
});
