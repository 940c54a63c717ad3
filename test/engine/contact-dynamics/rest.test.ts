/** What contacts hold is at rest to the last bit; what they do not hold is not. */
import { describe, expect, it } from 'vitest';
import { box } from '@engine/model/shapes/box';
import { sphere } from '@engine/model/shapes/sphere';
import type { ContactDynamics } from '@engine/contact-dynamics/contact-dynamics';
import type { ContactMaterial } from '@engine/model/contact-laws/registry';
import { rankOf } from '@engine/linalg/cholesky';
import { FrictionAdmm } from '@engine/solvers/friction/admm';
import type { SpatialBodyDescription, SpatialModel } from '@engine/spatial/compile';
import { certified, detected, dry, G, simulate, weight } from './worlds';
import { sample } from '../../support/prove';

/** 1 m × 1 m × 0.2 m, 1 kg. */
const brick = (rest: Partial<SpatialBodyDescription> = {}): SpatialBodyDescription => ({
  id: 'brick',
  mass: 1,
  inertia: [1.04 / 12, 1.04 / 12, 1 / 6],
  position: [0, 0, 0.1],
  ...rest,
});
const slab = box(0.5, 0.5, 0.1);
const cube = (k: number, z: number): SpatialBodyDescription => ({
  id: `cube${k}`,
  mass: 1,
  inertia: [1 / 6, 1 / 6, 1 / 6],
  position: [0, 0, z],
});

/** Gravity of a slope along x; the plane stays z = 0. */
const onSlope = (angle: number, material: ContactMaterial, body = brick()): ContactDynamics =>
  simulate(
    { bodies: [body], loads: [weight(G * Math.sin(angle), 0, -G * Math.cos(angle))] },
    {},
    detected([slab]),
    material,
  );

const isStill = ({ u }: ContactDynamics): boolean => u.every((value) => value === 0);

describe('a brick on a slope', () => {
  it('below the angle of friction is after many steps where it was after 1000, to the last bit, and has never slipped', () => {
    const rough = dry(1.02 * Math.tan(0.3));
    // Put down a little above the slope, turned, and sliding.
    const dynamics = onSlope(
      0.3,
      rough,
      brick({
        position: [0, 0, 0.101],
        orientation: [1, 0, 0, 0.2],
        velocity: [-0.3, 0.2, 0],
        spin: [0, 0, 0.4],
      }),
    );
    certified(dynamics, 1000, rough);
    expect(isStill(dynamics)).toBe(true);
    expect(dynamics.activeCount).toBe(4);
    expect(rankOf(dynamics.problem.W)).toBe(6);
    const place = dynamics.q.slice();
    let still = 0;
    const steps = sample(50_000, 1_000_000);
    for (let k = 1000; k < steps; k++) {
      if (dynamics.advance() !== 'ok') break;
      if (isStill(dynamics)) still++;
    }
    expect(dynamics.steps).toBe(steps);
    expect(still).toBe(steps - 1000);
    expect(dynamics.q).toEqual(place);
    const impulse = [0, 1, 2].map((i) => [0, 3, 6, 9].reduce((sum, k) => sum + dynamics.problem.r[k + i], 0));
    expect(impulse[0]).toBeCloseTo(1e-3 * G * Math.cos(0.3), 12);
    expect(Math.hypot(impulse[1], impulse[2])).toBeCloseTo(1e-3 * G * Math.sin(0.3), 12);
  });

  it('keeps the contacts that carry it, though their gaps are noise of the steps in which it settled', () => {
    const angle = 0.4;
    const normal = [Math.sin(angle), 0, Math.cos(angle)] as const;
    const rough = dry(Math.tan(angle) + 0.05);
    const dynamics = simulate(
      {
        bodies: [
          {
            id: 'cube',
            mass: 1,
            inertia: [0.02 / 3, 0.02 / 3, 0.02 / 3],
            position: normal.map((x) => 0.1 * x),
            orientation: [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0],
          },
        ],
        loads: [weight(0, 0, -G)],
      },
      { tolerance: 1e-8 },
      detected([box(0.1, 0.1, 0.1)], normal),
      rough,
    );
    for (let k = 0; k < 50; k++) expect(dynamics.advance()).toBe('ok');
    const place = dynamics.q.slice();
    for (let k = 0; k < 1000; k++) {
      expect(dynamics.advance()).toBe('ok');
      expect(dynamics.activeCount).toBe(4);
    }
    expect(dynamics.q).toEqual(place);
    expect(isStill(dynamics)).toBe(true);
  });

  it('above it slides with g (sin α − μ cos α), and is never taken for one at rest', () => {
    for (const excess of [1e-3, 0.1]) {
      const rough = dry((1 - excess) * Math.tan(0.3));
      const dynamics = onSlope(0.3, rough);
      certified(dynamics, 1000, rough, () => {
        expect(dynamics.resting.isAtRest[0]).toBe(0);
      });
      const acceleration = G * (Math.sin(0.3) - rough.friction * Math.cos(0.3));
      expect(Math.abs(dynamics.u[0] - acceleration)).toBeLessThan(1e-9);
      expect(Math.abs(dynamics.q[0] - acceleration / 2)).toBeLessThan(1e-9);
    }
  });

  it('without friction is not held, however slowly it starts', () => {
    const smooth = dry(0);
    const dynamics = onSlope(1e-9, smooth);
    certified(dynamics, 100, smooth);
    expect(dynamics.u[0] / (0.1 * G * 1e-9)).toBeCloseTo(1, 6);
  });
});

describe('a brick that cos t pulls at', () => {
  it('slides, sticks and slides back as the scalar equation says', () => {
    // m a = F cos t − μ m g sgn v, from rest: F = 4 N is above the 2.943 N of friction
    const mu = 0.3;
    const force = 4;
    const a = mu * G;
    const rough = dry(mu);
    const dynamics = simulate(
      {
        bodies: [brick()],
        loads: [
          weight(0, 0, -G),
          {
            type: 'wrench',
            id: 'pull',
            on: { body: 'brick' },
            frame: 'world',
            value: (clock, out) => {
              out.fill(0);
              out[0] = force * Math.cos(clock[0]);
            },
          },
        ],
      },
      {},
      detected([slab]),
      rough,
    );
    // v = F sin t − a t until it is zero at t₁; it sticks until F |cos t| = a at t₂.
    let first = 2;
    for (let k = 0; k < 50; k++)
      first -= (force * Math.sin(first) - a * first) / (force * Math.cos(first) - a);
    const second = Math.acos(-a / force);
    const stuck = force * (1 - Math.cos(first)) - 0.5 * a * first * first;
    expect(first).toBeLessThan(second);
    let place: number | null = null;
    certified(dynamics, 3000, rough, () => {
      const t = dynamics.time;
      const { 0: x } = dynamics.q;
      if (t < first - 1e-3)
        expect(Math.abs(x - (force * (1 - Math.cos(t)) - 0.5 * a * t * t))).toBeLessThan(2e-6);
      else if (t > first + 2e-3 && t < second - 2e-3) {
        expect(dynamics.u[0]).toBe(0);
        place ??= x;
        expect(x).toBe(place);
      } else if (t > second + 1e-3) {
        // v = F (sin t − sin t₂) + a (t − t₂)
        const s = t - second;
        const back = force * (Math.cos(second) - Math.cos(t) - Math.sin(second) * s) + 0.5 * a * s * s;
        expect(Math.abs(x - stuck - back)).toBeLessThan(5e-6);
      }
    });
    expect(place).toBeCloseTo(stuck, 5);
  });
});

describe('what is not held', () => {
  it('is a ball on a rough plane, which may roll', () => {
    const rough = dry(0.5);
    const ball: SpatialModel['bodies'][number] = {
      id: 'ball',
      mass: 1,
      inertia: [0.1, 0.1, 0.1],
      position: [0, 0, 0.5],
      velocity: [1e-9, 0, 0],
      spin: [0, 2e-9, 0],
    };
    const dynamics = simulate(
      { bodies: [ball], loads: [weight(0, 0, -G)] },
      {},
      detected([sphere(0.5)]),
      rough,
    );
    certified(dynamics, 100, rough);
    expect(dynamics.resting.isAtRest[0]).toBe(0);
    expect(dynamics.u[0] / 1e-9).toBeCloseTo(1, 6);
  });

  it('is a brick on a body that moves', () => {
    const rough = dry(0.5);
    const dynamics = simulate(
      {
        bodies: [
          brick({ id: 'lower', velocity: [1, 0, 0] }),
          brick({ id: 'upper', position: [0, 0, 0.3], velocity: [1, 0, 0] }),
        ],
        loads: [
          weight(0, 0, -G),
          // Without it the upper one would need exactly μ m g.
          { type: 'wrench', id: 'pull', on: { body: 'upper' }, frame: 'world', value: [-1, 0, 0, 0, 0, 0] },
        ],
      },
      {},
      detected([slab, slab]),
      rough,
    );
    certified(dynamics, 100, rough);
    // Both are braked together, with μ 2 m g + 1 N.
    expect(dynamics.u[0]).toBeCloseTo(1 - 0.05 * G - 0.05, 9);
    expect(dynamics.u[6]).toBeCloseTo(1 - 0.05 * G - 0.05, 9);
    expect([...dynamics.resting.isAtRest]).toEqual([0, 0]);
    certified(dynamics, 200, rough);
    expect([...dynamics.resting.isAtRest]).toEqual([1, 1]);
    expect(isStill(dynamics)).toBe(true);
  });

  it('is a brick that has left all contacts', () => {
    const rough = dry(0.5);
    const dynamics = onSlope(0, rough);
    certified(dynamics, 10, rough);
    expect(dynamics.resting.isAtRest[0]).toBe(1);
    dynamics.u[2] = 1;
    certified(dynamics, 1, rough);
    expect(dynamics.activeCount).toBe(0);
    expect(dynamics.resting.isAtRest[0]).toBe(0);
  });

  it('is a brick that bounces, until it has done so', () => {
    const rough = dry(0.5, 0.5);
    const dynamics = simulate(
      { bodies: [brick({ position: [0, 0, 0.15] })], loads: [weight(0, 0, -G)] },
      {},
      detected([slab]),
      rough,
    );
    let highest = 0;
    certified(dynamics, 2000, rough, () => {
      if (dynamics.activeCount > 0) highest = Math.max(highest, dynamics.u[2]);
    });
    expect(highest).toBeCloseTo(0.5 * Math.sqrt(2 * G * 0.05), 1);
    expect(isStill(dynamics)).toBe(true);
  });
});

describe('a stack of cubes', () => {
  /** @param gap between them at the start */
  const stack = (count: number, gap: number): ContactDynamics =>
    simulate(
      {
        bodies: Array.from({ length: count }, (_, k) => cube(k, 0.5 + k + gap * (k + 1))),
        loads: [weight(0, 0, -G)],
      },
      { h: 5e-3, tolerance: 1e-8 },
      detected(Array.from({ length: count }, () => box(0.5, 0.5, 0.5))),
      dry(0.5),
      new FrictionAdmm(5000),
    );

  it('of 100 stands still from the first step on', () => {
    const dynamics = stack(100, 0);
    const place = dynamics.q.slice();
    for (let k = 0; k < 100; k++) expect(dynamics.advance()).toBe('ok');
    expect(dynamics.activeCount).toBe(400);
    expect(dynamics.q).toEqual(place);
    // W has been formed once.
    expect(dynamics.problem.revision).toBe(1);
  });

  it('that falls together comes to rest, upright', () => {
    const dynamics = stack(10, 1e-3);
    for (let k = 0; k < 100; k++) expect(dynamics.advance()).toBe('ok');
    expect(isStill(dynamics)).toBe(true);
    for (let k = 0; k < 10; k++) {
      expect(Math.abs(dynamics.q[7 * k])).toBeLessThan(1e-12);
      expect(dynamics.q[7 * k + 3]).toBeCloseTo(1, 12);
    }
    const place = dynamics.q.slice();
    for (let k = 0; k < 100; k++) expect(dynamics.advance()).toBe('ok');
    expect(dynamics.q).toEqual(place);
  });
});
