/**
 * Contact dynamics of pseudo-rigid bodies: what they weigh on, how they come to rest, what is conserved, and
 * how W is built.
 */
import { describe, expect, it } from 'vitest';
import type { ContactDynamics } from '@engine/contact-dynamics/contact-dynamics';
import { ENERGY } from '@engine/contact-dynamics/energy-terms';
import { rankOf } from '@engine/linalg/cholesky';
import { AutomaticFriction } from '@engine/solvers/friction/automatic';
import { EngineError } from '@engine/errors';
import type { BodyDescription } from '@engine/spatial/compile';
import { boxContacts, hardBox, softBox, type SoftBox } from './soft';
import { certified, dry, G, simulate, weight } from './worlds';

const cube: SoftBox = { sides: [0.2, 0.2, 0.2], density: 1000, young: 2e5, poisson: 0.3, relaxation: 2e-3 };
const down = [weight(0, 0, -G)];

/** |T⁺ + V⁺ + W⁺ − T⁻ − V⁻ − W⁻ − works| of the last step, J */
const energies = (dynamics: ContactDynamics): number =>
  dynamics.energy[ENERGY.kinetic] + dynamics.energy[ENERGY.potential] + dynamics.energy[ENERGY.strain];
const works = (dynamics: ContactDynamics): number =>
  dynamics.energy.subarray(ENERGY.loads).reduce((sum, x) => sum + x, 0);

describe('a soft cube on a floor without friction', () => {
  it('comes to rest shortened by its weight: s ½ (s² − 1) Y A = −½ m g, and widened by Poisson’s ratio', () => {
    const bodies = [softBox('cube', cube, { position: [0, 0, 0.1] })];
    const dynamics = simulate(
      { bodies, loads: down },
      { h: 1e-3 },
      boxContacts(bodies, [cube.sides]),
      dry(0),
    );
    certified(dynamics, 1500);
    const [, , , ...f] = dynamics.q;
    const [side, mass] = [0.2, 8];
    let s = 1;
    for (let k = 0; k < 20; k++)
      s -=
        (0.5 * s * (s * s - 1) * cube.young * side * side + 0.5 * mass * G) /
        (0.5 * (3 * s * s - 1) * cube.young * side * side);
    expect(s).toBeLessThan(0.996);
    expect(f[8]).toBeCloseTo(s, 9);
    expect(f[0]).toBeCloseTo(Math.sqrt(1 - cube.poisson * (s * s - 1)), 9);
    expect(f[4]).toBeCloseTo(f[0], 12);
    expect(Math.abs(dynamics.u[2])).toBeLessThan(1e-9);
    expect(dynamics.activeCount).toBe(4);
    const normals = [0, 1, 2, 3].map((k) => dynamics.impulses[3 * k] / dynamics.h);
    expect(normals.reduce((sum, x) => sum + x, 0)).toBeCloseTo(mass * G, 7);
    // Four frames on one flat face: three of twelve rows follow from the others.
    expect(rankOf(dynamics.problem.W)).toBe(9);
  });
});

describe('a stack of a soft cube between stiff and rigid ones', () => {
  const sides = [0.2, 0.2, 0.2] as const;
  const stiff: SoftBox = { ...cube, young: 8e5 };
  const bodies: BodyDescription[] = [
    softBox('lowest', stiff, { position: [0, 0, 0.1] }),
    hardBox('rigid', { sides, density: 500 }, { position: [0.03, 0, 0.3] }),
    softBox('soft', cube, { position: [0, 0.02, 0.5], velocity: [0.1, 0, 0] }),
  ];
  const stack = (): ContactDynamics =>
    simulate(
      { bodies, loads: down },
      { h: 1e-3, tolerance: 1e-11 },
      boxContacts(bodies, [sides, sides, sides]),
      dry(0.6),
    );

  it('settles, certified, and the balance of energy closes in every step', () => {
    const dynamics = stack();
    let before = Number.NaN;
    let worst = 0;
    certified(dynamics, 900, dry(0.6), () => {
      if (!Number.isNaN(before))
        worst = Math.max(worst, Math.abs(energies(dynamics) - before - works(dynamics)));
      before = energies(dynamics);
    });
    expect(worst).toBeLessThan(1e-12 * before);
    expect(dynamics.energy[ENERGY.kinetic]).toBeLessThan(1e-4);
    expect(dynamics.activeCount).toBeGreaterThanOrEqual(12);
    const { positionsAt } = dynamics.system;
    // The upper one has been carried along a little by its friction, and stands.
    expect(dynamics.q[positionsAt[2]]).toBeGreaterThan(0);
    expect(dynamics.q[positionsAt[2]]).toBeLessThan(0.02);
  });

  it('has a W of blocks that is H M⁻¹ ᵗH, with H from velocities of points', () => {
    const dynamics = stack();
    for (let k = 0; k < 20; k++) expect(dynamics.advance()).toBe('ok');
    const { system, frames, contacts, active, activeCount, middle, problem } = dynamics;
    if (contacts === null) throw new Error('no contacts');
    const rows = 3 * activeCount;
    const n = system.velocities;
    const h = new Float64Array(rows * n);
    const pairs = new Map<string, number>();
    for (let row = 0; row < activeCount; row++) {
      const sides = [contacts.bodies[2 * active[row]], contacts.bodies[2 * active[row] + 1]];
      pairs.set(sides.join(' '), (pairs.get(sides.join(' ')) ?? 0) + 1);
      for (let c = 0; c < n; c++) {
        const unit = new Float64Array(n);
        unit[c] = 1;
        const velocity = new Float64Array(3);
        sides.forEach((body, side) => {
          if (body < 0) return;
          const [q, v] = [system.positionsAt[body], system.velocitiesAt[body]];
          system.bodies[body].addPointVelocity(
            middle,
            q,
            unit,
            v,
            frames.axes,
            12 * row,
            2 * side - 1,
            velocity,
          );
        });
        for (let a = 0; a < 3; a++)
          for (let i = 0; i < 3; i++)
            h[(3 * row + a) * n + c] += frames.axes[12 * row + 3 + 3 * a + i] * velocity[i];
      }
    }
    // On the floor, between soft and rigid, and between rigid and soft, with four frames each or more.
    expect(pairs.size).toBe(3);
    expect(Math.min(...pairs.values())).toBeGreaterThanOrEqual(4);
    const { W } = problem;
    let entries = 0;
    const dense = new Float64Array(rows * rows);
    for (let i = 0; i < W.rows; i++)
      for (let k = W.rowStart[i]; k < W.rowStart[i + 1]; k++)
        for (let e = 0; e < 9; e++, entries++)
          dense[(3 * i + Math.floor(e / 3)) * rows + 3 * W.columns[k] + (e % 3)] = W.values[9 * k + e];
    let [worst, largest] = [0, 0];
    for (let s = 0; s < rows; s++) {
      const moved = h.slice(s * n, (s + 1) * n);
      system.applyInverseMass(moved);
      for (let r = 0; r < rows; r++) {
        let sum = 0;
        for (let c = 0; c < n; c++) sum += h[r * n + c] * moved[c];
        worst = Math.max(worst, Math.abs(sum - dense[r * rows + s]));
        largest = Math.max(largest, Math.abs(sum));
      }
    }
    expect(entries).toBeGreaterThan(0);
    expect(worst).toBeLessThan(1e-14 * largest);
    // 9 on the floor; 9 + 6 of 12 velocities of the rigid one: the whole has 30 velocities and 36 rows.
    expect(rankOf(W)).toBeLessThan(rows);
  });
});

describe('two soft cubes that collide in free space', () => {
  it('keep momentum and moment of momentum to rounding, and lose energy by the impact alone', () => {
    const bodies = [
      softBox(
        'a',
        { ...cube, relaxation: 0 },
        { position: [-0.15, 0, 5], velocity: [1, 0, 0], rate: [0, -1, 0, 1, 0, 0, 0, 0, 0] },
      ),
      softBox('b', { ...cube, relaxation: 0 }, { position: [0.15, 0.05, 5.04], velocity: [-0.5, 0, 0] }),
    ];
    const dynamics = simulate(
      { bodies },
      { h: 5e-4, tolerance: 1e-11 },
      boxContacts(bodies, [cube.sides, cube.sides]),
      dry(0.3, 0.5),
      new AutomaticFriction(),
    );
    const { system, q, u } = dynamics;
    const momenta = (): number[] => {
      const total = new Array<number>(6).fill(0);
      const own = new Float64Array(3);
      system.bodies.forEach((body, k) => {
        const [at, vAt] = [system.positionsAt[k], system.velocitiesAt[k]];
        body.angularMomentum(q, at, u, vAt, own);
        for (let i = 0; i < 3; i++) {
          const [a, b] = [(i + 1) % 3, (i + 2) % 3];
          total[i] += body.mass * u[vAt + i];
          total[3 + i] += own[i] + body.mass * (q[at + a] * u[vAt + b] - q[at + b] * u[vAt + a]);
        }
      });
      return total;
    };
    const first = momenta();
    let worst = 0;
    let touched = 0;
    certified(dynamics, 800, dry(0.3, 0.5), () => {
      momenta().forEach((x, i) => (worst = Math.max(worst, Math.abs(x - first[i]))));
      touched += dynamics.activeCount;
    });
    expect(touched).toBeGreaterThan(0);
    expect(worst).toBeLessThan(1e-11);
    expect(u[0]).toBeLessThan(0.9);
  });
});

describe('a soft cube that spins on its face', () => {
  it('is stopped by spinning friction, certified', () => {
    // ω = 2 rad/s about z
    const rate = [0, -2, 0, 2, 0, 0, 0, 0, 0];
    const bodies = [softBox('cube', cube, { position: [0, 0, 0.1], rate })];
    const law = { ...dry(0), spinning: 0.01, rolling: 0.02 };
    const dynamics = simulate(
      { bodies, loads: down },
      { h: 1e-3, tolerance: 1e-12 },
      boxContacts(bodies, [cube.sides]),
      law,
    );
    const momentum = (): number => {
      const out = new Float64Array(3);
      dynamics.system.bodies[0].angularMomentum(dynamics.q, 0, dynamics.u, 0, out);
      return out[2];
    };
    let [before, pushed, worst] = [momentum(), 0, 0];
    expect(before).toBeCloseTo((2 * 8 * 0.04) / 6, 14);
    // As long as it spins, it loses μ_s times what it pushes with, step by step.
    certified(dynamics, 60, law, () => {
      let sum = 0;
      for (let row = 0; row < dynamics.activeCount; row++) sum += dynamics.impulses[3 * row];
      worst = Math.max(worst, Math.abs(before - momentum() - law.spinning * sum));
      before = momentum();
      pushed += sum;
    });
    expect(worst).toBeLessThan(1e-13);
    expect(pushed).toBeGreaterThan(4);
    certified(dynamics, 240, law);
    expect(Math.abs(momentum())).toBeLessThan(1e-4);
    expect(dynamics.energy[ENERGY.kinetic]).toBeLessThan(1e-5);
  });
});

describe('a soft body is refused or stopped', () => {
  const codeOf = (make: () => unknown): EngineError['details'] | null => {
    try {
      make();
    } catch (error) {
      if (error instanceof EngineError) return error.details;
    }
    return null;
  };

  it('with a step that its vibrations cannot bear, with the number', () => {
    const bodies = [softBox('cube', { ...cube, relaxation: 0 }, { position: [0, 0, 1] })];
    const details = codeOf(() => simulate({ bodies }, { h: 1e-2 }));
    expect(details).toMatchObject({ code: 'step-above-critical', where: 'cube' });
    expect(details?.remedy).toContain('s or less');
    expect(codeOf(() => simulate({ bodies }, { h: 2e-3 }))).toBeNull();
  });

  it('when it is pressed flat', () => {
    const bodies = [
      softBox(
        'cube',
        { ...cube, young: 2e3, relaxation: 0 },
        { position: [0, 0, 0.1], velocity: [0, 0, -50] },
      ),
    ];
    const dynamics = simulate({ bodies }, { h: 1e-3 }, boxContacts(bodies, [cube.sides]));
    let status = 'ok';
    for (let k = 0; k < 100 && status === 'ok'; k++) status = dynamics.advance();
    expect(status).toBe('inverted');
    expect(dynamics.system.pseudoRigid[0].body.volumeRatio(dynamics.q, 0)).toBeLessThanOrEqual(0);
  });

  it('inside out or not finite at the start, and on joints that need its axes', () => {
    const at = (state: Partial<Parameters<typeof softBox>[2]>): BodyDescription =>
      softBox('cube', cube, { position: [0, 0, 0], ...state });
    expect(
      codeOf(() => simulate({ bodies: [at({ deformation: [1, 0, 0, 0, 1, 0, 0, 0, -1] })] })),
    ).toMatchObject({
      code: 'deformation-not-positive',
      where: 'cube',
    });
    expect(
      codeOf(() => simulate({ bodies: [at({ rate: [Number.NaN, 0, 0, 0, 0, 0, 0, 0, 0] })] }))?.code,
    ).toBe('state-not-finite');
    const joint = { id: 'hinge', first: { body: 'ground' }, second: { body: 'cube' } };
    const hinge = { ...joint, type: 'revolute' } as const;
    expect(codeOf(() => simulate({ bodies: [at({})], joints: [hinge] }))).toMatchObject({
      code: 'pseudo-rigid-without-axes',
      where: 'hinge',
    });
    expect(codeOf(() => simulate({ bodies: [at({})], joints: [{ ...joint, type: 'ball' }] }))).toBeNull();
  });
});
