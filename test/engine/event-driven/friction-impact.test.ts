/** Impacts with Coulomb friction: Newton's and Poisson's restitution, at one contact and at several. */
import type { EventDriven } from '@engine/event-driven/event-driven';
import { EngineError } from '@engine/errors';
import type { LawForm } from '@engine/model/forms';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { describe, expect, it } from 'vitest';
import type { Matrix } from '../support/dense';
import { interaction, lagrangianRelation, linearLagrangian, system } from '../support/forms';
import { seeded } from '../support/random';
import { coulomb } from './friction-support';
import { G, ofKind, simulateEvents } from './support';
import { sample } from '../../support/prove';

/**
 * A disc of mass 1 and radius 1 that comes down on the plane y = 0 with velocity v = (ẋ, ẏ, θ̇); the slip is
 * ẋ + θ̇.
 */
const disc = (v: readonly number[], law: LawForm, inertia = 0.5): NonSmoothDynamicalSystem => ({
  systems: [
    system(
      'disc',
      linearLagrangian(
        [0, 1, 0],
        v,
        [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, inertia],
        ],
        { force: [0, -G, 0] },
      ),
    ),
  ],
  interactions: [
    interaction(
      'plane',
      [0],
      lagrangianRelation(
        [
          [0, 1, 0],
          [1, 0, 1],
        ],
        [-1, 0],
      ),
      law,
    ),
  ],
});

const velocities = (simulation: EventDriven): number[] => [...simulation.state.subarray(4, 7)];
const near = (values: readonly number[]): number[] =>
  values.map((value) => expect.closeTo(value, 13) as number);

describe.each(['newton', 'poisson'] as const)(
  'the oblique impact of a disc, with the law of %s',
  (hypothesis) => {
    it('that slides throughout: P_t = −μ P_n', () => {
      const simulation = simulateEvents(disc([3, -2, 0], coulomb(0.1, 0.5, { hypothesis })));
      // P_n = 2 (1 + e) = 3, P_t = −0.3; the slip 3 becomes 3 − 0.3 (1 + 1/I)
      expect([...simulation.impulses]).toEqual(near([3, -0.3]));
      expect(velocities(simulation)).toEqual(near([2.7, 1, -0.6]));
      expect(simulation.certificate.worst.law).toBeLessThan(1e-14);
    });

    it('that rolls away: P_t takes the slip, ẋ + θ̇ = 0', () => {
      const simulation = simulateEvents(disc([3, -2, 1.5], coulomb(0.9, 0.5, { hypothesis })));
      // slip 4.5 with W_tt = 3: P_t = −1.5 < 0.9 · 2 (compression alone can hold it)
      expect([...simulation.impulses]).toEqual(near([3, -1.5]));
      expect(velocities(simulation)).toEqual(near([1.5, 1, -1.5]));
      expect(simulation.certificate.worst.law).toBeLessThan(1e-14);
    });

    it('without slip is without friction', () => {
      const simulation = simulateEvents(disc([1, -2, -1], coulomb(0.9, 0.5, { hypothesis })));
      expect([...simulation.impulses]).toEqual(near([3, 0]));
      expect(velocities(simulation)).toEqual(near([1, 1, -1]));
    });
  },
);

describe('tangential restitution', () => {
  it('reverses the slip where friction allows, as of a superball', () => {
    const simulation = simulateEvents(disc([1, -2, 0], coulomb(2, 1, { et: 1 }), 0.4));
    // W_tt = 1 + 1/I = 3.5: P_t = −2 · 1/3.5; nothing is lost
    expect([...simulation.impulses]).toEqual(near([4, -4 / 7]));
    const [vx, , w] = velocities(simulation);
    expect(vx + w).toBeCloseTo(-1, 13);
    expect(vx * vx + 0.4 * w * w).toBeCloseTo(1, 13);
    expect(simulation.certificate.worst.law).toBeLessThan(1e-14);
  });

  it('is limited by the cone', () => {
    const simulation = simulateEvents(disc([5, -1, 0], coulomb(0.1, 1, { et: 1 }), 0.4));
    expect([...simulation.impulses]).toEqual(near([2, -0.2]));
  });
});

describe('a ball that bounces with friction', () => {
  it('comes to rest against the plane after infinitely many impacts, and rolls', () => {
    const simulation = simulateEvents(disc([1, 0, 0], coulomb(0.3, 0.5)), { tEnd: 3, h: 0.05 });
    expect(ofKind(simulation, 'impact')).toEqual([]);
    const falling = simulateEvents(
      {
        ...disc([1, 0, 0], coulomb(0.3, 0.5)),
        systems: [
          system(
            'disc',
            linearLagrangian(
              [0, 2, 0],
              [1, 0, 0],
              [
                [1, 0, 0],
                [0, 1, 0],
                [0, 0, 0.5],
              ],
              { force: [0, -G, 0] },
            ),
          ),
        ],
      },
      { tEnd: 4, h: 0.05 },
    );
    falling.run();
    const fall = Math.sqrt(2 / G);
    expect(ofKind(falling, 'zeno')).toHaveLength(1);
    expect(ofKind(falling, 'zeno')[0].accumulation?.time).toBeCloseTo(3 * fall, 9);
    // Rolling from ẋ = 1: angular momentum about the contact gives ẋ = 1/(1 + I) = 2/3.
    expect(falling.state[4]).toBeCloseTo(2 / 3, 11);
    expect(falling.state[6]).toBeCloseTo(-2 / 3, 11);
  });
});

/**
 * A planar rigid body of unit mass with up to three contacts at random points, whose normals lie within an
 * angle.
 */
function randomBody(
  random: ReturnType<typeof seeded>,
  laws: () => LawForm,
  spread = 2 * Math.PI,
): { model: NonSmoothDynamicalSystem; inertia: number; v: number[] } {
  const count = 1 + Math.floor(random.uniform(0, 2.3));
  const inertia = random.uniform(0.05, 1);
  const v = [random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-2, 2)];
  const mass: Matrix = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, inertia],
  ];
  const interactions = Array.from({ length: count }, (_, k) => {
    const angle = random.uniform(0, spread);
    const [x, y] = [random.uniform(-1, 1), random.uniform(-1, 1)];
    const n = [Math.cos(angle), Math.sin(angle)];
    const t = [-n[1], n[0]];
    const row = (d: number[]): number[] => [d[0], d[1], x * d[1] - y * d[0]];
    return interaction(`contact${k}`, [0], lagrangianRelation([row(n), row(t)]), laws());
  });
  return {
    model: { systems: [system('body', linearLagrangian([0, 0, 0], v, mass))], interactions },
    inertia,
    v,
  };
}

const energyOf = (v: ArrayLike<number>, inertia: number): number =>
  0.5 * (v[0] * v[0] + v[1] * v[1] + inertia * v[2] * v[2]);

describe('random impacts of a rigid body', () => {
  it('never gain energy with Poisson’s restitution, one e ≤ 1 and any friction', () => {
    const random = seeded(11);
    let worst = -Infinity;
    let count = 0;
    let law = 0;
    const cases = sample(500, 10_000);
    for (let trial = 0; trial < cases; trial++) {
      const e = random.uniform(0, 1);
      const { model, inertia, v } = randomBody(random, () =>
        coulomb(random.uniform(0, 2), e, { hypothesis: 'poisson' }),
      );
      const simulation = simulateEvents(model);
      const before = energyOf(v, inertia);
      worst = Math.max(worst, (energyOf(velocities(simulation), inertia) - before) / before);
      law = Math.max(law, simulation.certificate.worst.law);
      if (simulation.events.length > 0) count++;
    }
    expect(worst).toBeLessThan(1e-12);
    expect(law).toBeLessThan(1e-8);
    expect(count).toBeGreaterThan(cases / 2);
  });

  it('push in the expansion also where the compression has jammed the body', () => {
    // One of the bodies above: of its expansion Lemke's method meets a ray, and what solves it then has to
    // know of bounds that are not zero.
    const JAMMED = 6596;
    const random = seeded(11);
    let e = 0;
    let body: ReturnType<typeof randomBody> | null = null;
    for (let trial = 0; trial <= JAMMED; trial++) {
      e = random.uniform(0, 1);
      const own = e;
      body = randomBody(random, () => coulomb(random.uniform(0, 2), own, { hypothesis: 'poisson' }));
    }
    if (body === null) throw new Error('no body');
    const simulation = simulateEvents(body.model);
    expect(simulation.certificate.worst.law).toBeLessThan(1e-8);
    // P^C = 0.5345 N s at the first contact.
    expect(simulation.impulses[0]).toBeGreaterThan((1 + e) * 0.5345);
  });

  it('obey Newton’s law with friction, which may gain energy: the certificate says by how much', () => {
    const random = seeded(12);
    let gains = 0;
    let law = 0;
    for (let trial = 0; trial < 2000; trial++) {
      const { model, inertia, v } = randomBody(
        random,
        () => coulomb(random.uniform(0, 2), random.uniform(0.5, 1), { et: random.uniform(0, 0.5) }),
        1.2,
      );
      const simulation = simulateEvents(model);
      const [before, after] = [energyOf(v, inertia), energyOf(velocities(simulation), inertia)];
      const { worst } = simulation.certificate;
      law = Math.max(law, worst.law);
      const gain = Math.max(0, after - before) / Math.max(before, after);
      expect(Math.abs(worst.gain - gain)).toBeLessThan(1e-12);
      expect(worst.energy).toBeLessThan(1e-12);
      if (gain > 1e-3) gains++;
    }
    expect(law).toBeLessThan(1e-8);
    expect(gains).toBeGreaterThan(10);
  });
});

describe('a rod that strikes the ground with its tip', () => {
  // W_nn = W_tt = 2.5, W_nt = −1.5: the tip of a rod of length 2 and mass 1 at 45°, q = (x, y, angle).
  const lever = Math.SQRT1_2;
  const rod = (law: LawForm): NonSmoothDynamicalSystem => ({
    systems: [
      system(
        'rod',
        linearLagrangian(
          [0, 0, 0],
          [1, -1, 0],
          [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1 / 3],
          ],
        ),
      ),
    ],
    interactions: [
      interaction(
        'tip',
        [0],
        lagrangianRelation([
          [0, 1, lever],
          [1, 0, -lever],
        ]),
        law,
      ),
    ],
  });

  it('gains energy with Newton’s e = 1, after Kane and Levinson, and loses it with Poisson’s', () => {
    // Sticking: W P = (1 + e, −1): P_n = (2 · 2.5 − 1.5)/4 = 0.875, P_t = (1.5 · 2 − 2.5)/4 = 0.125
    const newton = simulateEvents(rod(coulomb(0.5, 1)));
    expect([...newton.impulses]).toEqual(near([0.875, 0.125]));
    // ΔT = P_n (ẏ_n⁺ + ẏ_n⁻)/2 + P_t (ẏ_t⁺ + ẏ_t⁻)/2 = 0.0625 on T = 1
    expect(newton.certificate.worst.gain).toBeCloseTo(0.0625 / 1.0625, 13);
    expect(newton.certificate.worst.law).toBeLessThan(1e-14);
    const poisson = simulateEvents(rod(coulomb(0.5, 1, { hypothesis: 'poisson' })));
    expect(poisson.certificate.worst.gain).toBe(0);
    // Compression slides, P = (1, −μ)/(2.5 + 1.5 μ), unless the slip ends before: 1 − 1.5 P_n + 2.5 P_t
    const [Pn, Pt] = poisson.impulses;
    expect(Pn).toBeGreaterThan(0);
    expect(Math.abs(Pt)).toBeLessThanOrEqual(0.5 * Pn + 1e-15);
  });

  it('divides Poisson’s impulse into compression and expansion', () => {
    const e = 0.5;
    const simulation = simulateEvents(rod(coulomb(0.1, e, { hypothesis: 'poisson' })));
    // Compression: slides forward, P_t = −0.1 P_n, (2.5 + 0.15) P_n = 1; slip 1 − (1.5 + 0.25) P_n
    const compression = 1 / 2.65;
    const slip = 1 - 1.75 * compression;
    // Expansion with e P_n: forward still, as 1.75 e P_n is less than what is left
    expect(1.75 * e * compression).toBeLessThan(slip);
    expect([...simulation.impulses]).toEqual(near([(1 + e) * compression, -0.1 * (1 + e) * compression]));
    expect(velocities(simulation)[1]).toBeCloseTo(-1 + (1 + e) * compression, 13);
  });
});

describe('coefficients that differ between contacts', () => {
  it('may gain energy with friction and Poisson’s restitution too', () => {
    const random = seeded(12);
    let worst = 0;
    for (let trial = 0; trial < 10; trial++) {
      const { model } = randomBody(random, () =>
        coulomb(random.uniform(1, 2), random.uniform(0, 1) > 0.5 ? 1 : 0, { hypothesis: 'poisson' }),
      );
      worst = Math.max(worst, simulateEvents(model).certificate.worst.gain);
    }
    expect(worst).toBeGreaterThan(0.1);
  });

  it('may leave bodies that jam without any impulse of Newton’s law', () => {
    const random = seeded(12);
    const codes = new Set<string>();
    for (let trial = 0; trial < 200; trial++) {
      const { model } = randomBody(random, () =>
        coulomb(random.uniform(0, 2), random.uniform(0.5, 1), { et: random.uniform(0, 0.5) }),
      );
      try {
        simulateEvents(model);
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        codes.add(error.details.code);
        expect(error.message).toContain('jam');
        expect(error.details.where).toMatch(/contact\d, contact\d/);
      }
    }
    expect([...codes]).toEqual(['impact-no-solution']);
  });
});
