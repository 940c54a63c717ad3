/**
 * Frequencies of pseudo-rigid bodies and the longest stable step, against the stiffness by differences of the
 * elastic force, and against the scheme.
 */
import { describe, expect, it } from 'vitest';
import { EngineError } from '@engine/errors';
import {
  AFFINE,
  DEFORMATION,
  PseudoRigidBody,
  type PseudoRigidDescription,
  lameConstants,
} from '@engine/spatial/bodies/pseudo-rigid';
import { BodyMotion, HalfStep } from '@engine/contact-dynamics/schemes/half-steps';
import { criticalStep, requireStableStep, squaredFrequencies } from '@engine/spatial/bodies/critical-step';
import { maximum } from '../support/order';
import { seeded } from '../support/random';
import { compile } from './support/models';

const UNIT = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** With an Euler tensor whose axes are not those of the body. */
const oblique: PseudoRigidDescription = {
  id: 'stone',
  mass: 3,
  euler: [0.05, 0.012, -0.008, 0.012, 0.03, 0.006, -0.008, 0.006, 0.02],
  volume: 0.4,
  ...lameConstants(2000, 0.3),
};

/** M⁻¹ K of the nine numbers of F at F = 1, K by central differences of the force, column by column. */
function vibrations(body: PseudoRigidBody): number[][] {
  const step = 1e-5;
  const force = (i: number, d: number): Float64Array => {
    const f = Float64Array.from(UNIT, (x, j) => (j === i ? x + d : x));
    const out = new Float64Array(AFFINE);
    body.elasticity.addForce(f, 0, out, DEFORMATION);
    body.applyInverseMass(out, 0);
    return out.subarray(DEFORMATION);
  };
  return UNIT.map((_, i) => {
    const [after, before] = [force(i, step), force(i, -step)];
    return [...after.map((x, j) => (before[j] - x) / (2 * step))];
  });
}

describe('the frequencies of a free undeformed body', () => {
  it.each<[string, Partial<PseudoRigidDescription>]>([
    ['with an oblique Euler tensor', {}],
    ['of a material that becomes thicker where it is stretched', lameConstants(2000, -0.4)],
    ['that is a thin rod', { euler: [0.05, 0, 0, 0, 1e-4, 0, 0, 0, 1e-4] }],
  ])('are those of the stiffness, %s', (_, change) => {
    const body = new PseudoRigidBody({ ...oblique, ...change });
    const squares = squaredFrequencies(body);
    const matrix = vibrations(body);
    // Of eigenvalues the sums of powers are traces; turns have none, so that six of nine are left.
    const largest = Math.max(...squares);
    let power = matrix;
    for (let k = 1; k <= 6; k++) {
      const trace = power.reduce((sum, row, i) => sum + row[i], 0);
      const expected = squares.reduce((sum, x) => sum + x ** k, 0);
      expect(Math.abs(trace - expected) / largest ** k).toBeLessThan(1e-7);
      power = power.map((row) => UNIT.map((__, j) => row.reduce((sum, x, l) => sum + x * matrix[l][j], 0)));
    }
  });
});

describe('the critical step', () => {
  /** Growth of a small deformation in the scheme by half steps. */
  const growth = (relaxation: number, part: number): number => {
    const description = { ...oblique, relaxation };
    const h = part * criticalStep(new PseudoRigidBody(description));
    const system = compile([{ kind: 'pseudoRigid', position: [0, 0, 0], ...description }]);
    const scheme = new HalfStep(new BodyMotion(system, { gyroscopic: 'conserving' }));
    const random = seeded(7);
    const [q, u] = [system.initialPositions(), new Float64Array(AFFINE)];
    for (let i = DEFORMATION; i < AFFINE; i++) q[i] += random.uniform(-1e-9, 1e-9);
    let most = 0;
    for (let k = 0; k < 1000 && most < 1e-3; k++) {
      if (scheme.begin(Float64Array.of(k * h), q, u, h) !== 'ok') return Infinity;
      scheme.finish(q, u, h, null);
      most = Math.max(most, maximum(q.subarray(DEFORMATION).map((x, i) => x - UNIT[i])));
    }
    return most / 1e-9;
  };

  it.each([0, 2e-3, 0.1])(
    'is where the scheme begins to blow up, with a relaxation time of %f s',
    (relaxation) => {
      expect(growth(relaxation, 0.98)).toBeLessThan(100);
      expect(growth(relaxation, 1.02)).toBeGreaterThan(1e3);
    },
  );

  it('is refused a little before, with the frequency and a step that will do', () => {
    const system = compile([{ kind: 'pseudoRigid', position: [0, 0, 0], ...oblique }]);
    const longest = criticalStep(system.pseudoRigid[0].body);
    const highest = Math.sqrt(Math.max(...squaredFrequencies(system.pseudoRigid[0].body)));
    expect(longest).toBeCloseTo(2 / highest, 14);
    requireStableStep(system, 0.94 * longest);
    let found: unknown = null;
    try {
      requireStableStep(system, 0.96 * longest);
    } catch (error) {
      found = error;
    }
    if (!(found instanceof EngineError)) throw new Error('not refused');
    const { code, where, message, remedy } = found.details;
    expect([code, where]).toEqual(['step-above-critical', 'stone']);
    expect(message).toContain(`${(highest / (2 * Math.PI)).toPrecision(3)} Hz`);
    expect(remedy).toContain((0.5 * longest).toPrecision(2));
  });
});
