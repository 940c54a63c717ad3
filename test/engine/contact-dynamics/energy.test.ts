/** The ledger of energy: it closes in every step, and its entries are the works that are known. */
import { describe, expect, it } from 'vitest';
import { box } from '@engine/model/shapes/box';
import { sphere } from '@engine/model/shapes/sphere';
import type { ContactDynamics } from '@engine/contact-dynamics/contact-dynamics';
import { ENERGIES, ENERGY } from '@engine/contact-dynamics/energy-terms';
import type { SpatialModel } from '@engine/spatial/compile';
import { frameAlong } from '@engine/spatial/joints/joint';
import { GivenContacts } from './sources';
import { certified, detected, dry, G, simulate, weight } from './worlds';

const along = frameAlong([1, 0, 0]);
const ball = (rest: Partial<SpatialModel['bodies'][number]> = {}): SpatialModel['bodies'][number] => ({
  id: 'ball',
  mass: 2,
  inertia: [0.2, 0.2, 0.2],
  position: [0, 0, 1],
  ...rest,
});

/** Advances, and finds how far the ledger is from closing, relative to the largest energy or work. */
function closing(dynamics: ContactDynamics, steps: number): number {
  const { system } = dynamics;
  const energy = (): number =>
    system.kineticEnergy(dynamics.u) + system.potentialEnergy(dynamics.clock, dynamics.q);
  let before = energy();
  let [defect, scale] = [0, Math.abs(before)];
  const sums = new Float64Array(ENERGIES);
  for (let k = 0; k < steps; k++) {
    expect(dynamics.advance()).toBe('ok');
    const now = energy();
    let work = 0;
    for (let e = ENERGY.loads; e < ENERGIES; e++) {
      work += dynamics.energy[e];
      sums[e] += dynamics.energy[e];
    }
    expect(dynamics.energy[ENERGY.kinetic] + dynamics.energy[ENERGY.potential]).toBeCloseTo(now, 12);
    scale = Math.max(scale, Math.abs(now), Math.abs(work));
    defect = Math.max(defect, Math.abs(now - before - work));
    before = now;
  }
  for (let e = ENERGY.loads; e < ENERGIES; e++) expect(dynamics.totalEnergy[e]).toBe(sums[e]);
  return defect / scale;
}

describe('the ledger closes in every step', () => {
  it('of a box that tumbles over a rough plane, with drag', () => {
    const dynamics = simulate(
      {
        bodies: [
          ball({ inertia: [0.2, 0.3, 0.4], position: [0, 0, 1.2], velocity: [1, 0, 0], spin: [0.3, 2, 1] }),
        ],
        loads: [
          weight(0, 0, -G),
          {
            type: 'wrench',
            id: 'push',
            on: { body: 'ball', point: [0.1, 0, 0] },
            frame: 'body',
            value: [1, 2, 0, 0, 0.3, 0],
          },
        ],
      },
      { overlap: 1e-5, tolerance: 1e-10 },
      detected([box(0.5, 0.4, 0.3)]),
      dry(0.5, 0.3),
    );
    expect(closing(dynamics, 2000)).toBeLessThan(1e-12);
    const { totalEnergy } = dynamics;
    expect(totalEnergy[ENERGY.contactNormal]).toBeLessThan(-1);
    expect(totalEnergy[ENERGY.contactTangent]).toBeLessThan(-0.1);
    expect(totalEnergy[ENERGY.loads]).not.toBe(0);
    expect(totalEnergy[ENERGY.corrections]).toBeGreaterThan(0);
  });

  it('of an arm with limits, friction, motors and drives', () => {
    const up = frameAlong([0, 1, 0]);
    const dynamics = simulate({
      bodies: [
        ball({ id: 'upper', position: [0.5, 0, 0], inertia: [0.1, 0.2, 0.3] }),
        ball({ id: 'fore', position: [1.5, 0, 0], inertia: [0.3, 0.2, 0.2] }),
        ball({ id: 'wheel', position: [2, 0, 0], inertia: [0.01, 0.01, 0.02] }),
      ],
      joints: [
        {
          type: 'revolute',
          id: 'shoulder',
          first: { body: 'ground', frame: up },
          second: { body: 'upper', point: [-0.5, 0, 0], frame: up },
          limits: { angle: [-0.4, 0.6] },
          restitution: 0.5,
          friction: { angle: 0.8 },
        },
        {
          type: 'revolute',
          id: 'elbow',
          first: { body: 'upper', point: [0.5, 0, 0], frame: up },
          second: { body: 'fore', point: [-0.5, 0, 0], frame: up },
          motors: { angle: { speed: -1, limit: 8 } },
        },
        {
          type: 'revolute',
          id: 'axle',
          first: { body: 'fore', point: [0.5, 0, 0] },
          second: { body: 'wheel' },
          motors: { angle: { speed: 20, limit: Number.POSITIVE_INFINITY } },
        },
      ],
      loads: [weight(0, 0, -G)],
    });
    expect(closing(dynamics, 1000)).toBeLessThan(1e-12);
    const { totalEnergy } = dynamics;
    for (const key of ['limits', 'friction'] as const) expect(totalEnergy[ENERGY[key]]).toBeLessThan(-1e-2);
    expect(Math.abs(totalEnergy[ENERGY.motors])).toBeGreaterThan(1);
    // What nature does not know: joints that work, and the gyroscopic term.
    expect(Math.abs(totalEnergy[ENERGY.joints])).toBeLessThan(1e-2);
    expect(Math.abs(totalEnergy[ENERGY.gyroscopic])).toBeLessThan(1e-2);
  });
});

describe('what the scheme keeps', () => {
  it('of balls under constant gravity is all: no entry but contacts', () => {
    const dynamics = simulate(
      {
        bodies: [ball({ velocity: [1, 0, 0], spin: [3, 1, 2] })],
        loads: [weight(0.3, 0, -G)],
      },
      {},
      detected([sphere(0.5)]),
      dry(0.3, 0.6),
    );
    expect(closing(dynamics, 2000)).toBeLessThan(1e-12);
    const { totalEnergy } = dynamics;
    for (const key of ['loads', 'potentialDefect', 'gyroscopic', 'joints', 'corrections'] as const)
      expect(Math.abs(totalEnergy[ENERGY[key]])).toBeLessThan(1e-10);
    expect(totalEnergy[ENERGY.contactNormal] + totalEnergy[ENERGY.contactTangent]).toBeLessThan(-2);
  });
});

describe('entries that are known', () => {
  it('an impact takes ½ (1 − e²) m U²: Moreau’s ½ (u⁺ + u⁻)·p', () => {
    const floor = new GivenContacts([
      { body: 0, point: [0, 0, 0], radius: 0.5, normal: [0, 0, 1], offset: 0 },
    ]);
    const dynamics = simulate({ bodies: [ball({ velocity: [0, 0, -3] })] }, {}, floor, dry(0, 0.5));
    certified(dynamics, 300, dry(0, 0.5));
    expect(dynamics.totalEnergy[ENERGY.contactNormal]).toBeCloseTo(-0.5 * 2 * 9 * 0.75, 12);
    expect(dynamics.totalEnergy[ENERGY.kinetic]).toBeCloseTo(0.5 * 2 * 9 * 0.25, 12);
  });

  it('friction of a slider takes all it has', () => {
    const dynamics = simulate({
      bodies: [ball({ position: [0, 0, 0], velocity: [1.5, 0, 0] })],
      joints: [
        {
          type: 'prismatic',
          id: 'rail',
          first: { body: 'ground', frame: along },
          second: { body: 'ball', frame: along },
          friction: { displacement: 4 },
        },
      ],
    });
    certified(dynamics, 1000);
    expect(dynamics.totalEnergy[ENERGY.friction]).toBeCloseTo(-0.5 * 2 * 2.25, 11);
    expect(dynamics.totalEnergy[ENERGY.kinetic]).toBe(0);
  });

  it('motors, bounded or not, give what a wheel has', () => {
    for (const limit of [1, Number.POSITIVE_INFINITY]) {
      const dynamics = simulate({
        bodies: [ball({ position: [0, 0, 0] })],
        joints: [
          {
            type: 'revolute',
            id: 'axle',
            first: { body: 'ground' },
            second: { body: 'ball' },
            motors: { angle: { speed: 3, limit } },
          },
        ],
      });
      certified(dynamics, 1000);
      expect(dynamics.totalEnergy[ENERGY.motors]).toBeCloseTo(0.5 * 0.2 * 9, 11);
    }
  });
});
