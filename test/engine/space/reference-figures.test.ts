/**
 * Figures known beforehand, reached by documents and the scheme they run with: half steps, of second order.
 */
import { describe, expect, it } from 'vitest';
import type { ModelDocument, SystemDocument } from '@engine/document/types';
import { completeElliptic } from '../spatial/support/free-top';
import { crossings } from '../support/example';
import { maximum, observedOrder } from '../support/order';
import { run } from '../support/run';
import { floor, joint, rigid, spaceModel, touch, turned } from '../support/space';

const STEPS = [8e-3, 4e-3, 2e-3, 1e-3];

/** What the figures at the two smallest steps become with h → 0. */
const limit = (figures: readonly number[]): number =>
  (4 * figures[figures.length - 1] - figures[figures.length - 2]) / 3;

/** Largest value, of the parabola through the largest sample and its neighbours. */
function peak(values: Float64Array): number {
  let k = 1;
  for (let i = 1; i < values.length - 1; i++) if (values[i] > values[k]) k = i;
  const slope = (values[k + 1] - values[k - 1]) / 2;
  return values[k] - slope ** 2 / (2 * (values[k + 1] - 2 * values[k] + values[k - 1]));
}

describe('a pendulum let go at 90°, g = π² m/s², of reduced length 1 m', () => {
  const period = (h: number): number => {
    const body = rigid('bob', [0.4, 0, 0], {
      mass: 1,
      inertia: [0.5, 0.24, 0.7],
      gravity: [0, 0, -(Math.PI ** 2)],
    });
    const hinge = joint('hinge', ['bob'], { type: 'RevoluteJoint', point: [0, 0, 0], axis: [0, 1, 0] });
    const { column } = run(spaceModel([body], [hinge], { h, tEnd: 3.2 }));
    const passages = crossings(column('t'), column('bob.q[0]'));
    return passages[2] - passages[0];
  };

  it('has the period 2.360681 s in the limit of second order', () => {
    const exact = (4 * completeElliptic(Math.SQRT1_2)) / Math.PI;
    expect(exact).toBeCloseTo(2.360681, 6);
    const found = STEPS.map(period);
    const errors = found.map((each) => Math.abs(each - exact));
    expect(errors[3]).toBeLessThan(2.5e-6);
    expect(observedOrder(STEPS, errors)).toBeCloseTo(2, 1);
    expect(limit(found)).toBeCloseTo(2.360681, 6);
  });
});

describe('a slender bar of 1 m, pinned 0.25 m from its middle, let go at 30°', () => {
  const fastest = (h: number): number => {
    const angle = Math.PI / 6;
    const bar = rigid('bar', [0.25 * Math.sin(angle), 0, -0.25 * Math.cos(angle)], {
      mass: 1,
      inertia: [1 / 12, 1 / 12, 1e-3],
      orientation: turned(1, -angle),
      gravity: [0, 0, -9.8],
    });
    const pin = joint('pin', ['bar'], { type: 'RevoluteJoint', point: [0, 0, 0], axis: [0, 1, 0] });
    const { column } = run(spaceModel([bar], [pin], { h, tEnd: 0.8 }));
    return peak(column('bar.v[4]').map(Math.abs));
  };

  it('passes the vertical at 2.1217 rad/s, in the limit of second order', () => {
    const exact = Math.sqrt((2 * 9.8 * 0.25 * (1 - Math.cos(Math.PI / 6))) / (1 / 12 + 0.0625));
    const found = STEPS.map(fastest);
    expect(found[3]).toBeCloseTo(2.1217, 4);
    const errors = found.map((each) => Math.abs(each - exact));
    expect(observedOrder(STEPS, errors)).toBeCloseTo(2, 0);
    expect(limit(found)).toBeCloseTo(exact, 6);
  });
});

it('a heavy top that nutates changes its energy by the square of the step, and does not drift', () => {
  const [tilt, arm] = [0.6, 0.5];
  const change = (h: number): { largest: number; early: number } => {
    const top = rigid('top', [arm * Math.sin(tilt), 0, arm * Math.cos(tilt)], {
      mass: 2,
      inertia: [0.3, 0.3, 0.4],
      orientation: turned(1, tilt),
      spin: [0, 0, 25],
    });
    const tip = joint('tip', ['top'], { type: 'BallJoint', point: [0, 0, 0] });
    const { column } = run(spaceModel([top], [tip], { h, tEnd: 8 }));
    const potential = column('energy.potential');
    const energy = column('energy.kinetic').map((each, k) => each + potential[k]);
    const off = energy.map((each) => each - energy[0]);
    return { largest: maximum(off), early: maximum(off.slice(0, off.length / 4)) };
  };
  const steps = [4e-3, 2e-3, 1e-3, 5e-4];
  const found = steps.map(change);
  expect(
    observedOrder(
      steps,
      found.map(({ largest }) => largest),
    ),
  ).toBeCloseTo(2, 0);
  for (const { largest, early } of found) expect(largest).toBeLessThan(2 * early);
  // Of 125 J of the spin alone.
  expect(found[3].largest).toBeLessThan(2e-5);
});

describe('free rotation of I = (1, 2, 3), Ω₀ = (0.1, 2, 0.1), h = 1 ms, 10 s', () => {
  interface Rotation {
    ratio: number;
    /** largest change of |π|, and of π in the world */
    size: number;
    vector: number;
  }

  function rotation(type: string, gyroscopic: string): Rotation {
    const document = spaceModel(
      [rigid('body', [0, 0, 0], { mass: 1, inertia: [1, 2, 3], spin: [0.1, 2, 0.1], gravity: [0, 0, 0] })],
      [],
      { h: 1e-3, tEnd: 10 },
    );
    document.simulation.integrators = [{ type, gyroscopic }];
    const { column } = run(document);
    const [a, b, c, d] = [3, 4, 5, 6].map((i) => column(`body.q[${i}]`));
    const [x, y, z] = [3, 4, 5].map((i, k) => column(`body.v[${i}]`).map((each) => (k + 1) * each));
    const kinetic = column('energy.kinetic');
    const world = [
      (k: number) =>
        (1 - 2 * (c[k] ** 2 + d[k] ** 2)) * x[k] +
        2 * (b[k] * c[k] - a[k] * d[k]) * y[k] +
        2 * (b[k] * d[k] + a[k] * c[k]) * z[k],
      (k: number) =>
        2 * (b[k] * c[k] + a[k] * d[k]) * x[k] +
        (1 - 2 * (b[k] ** 2 + d[k] ** 2)) * y[k] +
        2 * (c[k] * d[k] - a[k] * b[k]) * z[k],
      (k: number) =>
        2 * (b[k] * d[k] - a[k] * c[k]) * x[k] +
        2 * (c[k] * d[k] + a[k] * b[k]) * y[k] +
        (1 - 2 * (b[k] ** 2 + c[k] ** 2)) * z[k],
    ];
    const start = [0.1, 4, 0.3];
    return {
      ratio: kinetic[kinetic.length - 1] / kinetic[0],
      size: maximum(kinetic.map((_, k) => Math.hypot(x[k], y[k], z[k]) - Math.hypot(...start))),
      vector: Math.max(...world.map((of, i) => maximum(kinetic.map((_, k) => of(k) - start[i])))),
    };
  }

  it.each(['MoreauHalfStep', 'MoreauJean'])('%s with the explicit term gains energy by 1.002514', (type) => {
    const { ratio, size } = rotation(type, 'explicit');
    expect(ratio).toBeCloseTo(1.002514, 6);
    expect(size).toBeGreaterThan(1e-3);
  });

  it.each(['MoreauHalfStep', 'MoreauJean'])('%s with the conserving one keeps π to 1e-12', (type) => {
    const { ratio, size, vector } = rotation(type, 'conserving');
    expect(size).toBeLessThan(1e-12);
    expect(vector).toBeLessThan(type === 'MoreauJean' ? 1e-11 : 1e-12);
    expect(Math.abs(ratio - 1)).toBeLessThan(1e-6);
  });
});

describe('a double pendulum of unit masses and links, let go at the horizontal against a wall with e = 0.1', () => {
  const [E, WALL] = [0.1, 0.3];
  /** From the ground's origin, or the first mass, to a mass. */
  const LINK = { type: 'DistanceJoint', given: 'bodies', length: 1 } as const;
  const bob = (id: string, x: number): SystemDocument =>
    rigid(id, [x, 0, 0], { mass: 1, inertia: [0.1, 0.1, 0.1], shapes: [{ type: 'Sphere', radius: 0.05 }] });
  const document = (h: number): ModelDocument =>
    spaceModel(
      [
        floor('wall', { position: [-WALL, 0, 0], shapes: [{ type: 'Plane', normal: [1, 0, 0] }] }),
        bob('upper', 1),
        bob('lower', 2),
      ],
      [
        joint('first', ['upper'], LINK),
        joint('second', ['upper', 'lower'], LINK),
        touch('upperImpact', ['wall', 'upper'], 0, E),
        touch('lowerImpact', ['wall', 'lower'], 0, E),
      ],
      { h, tEnd: 4 },
    );

  /**
   * 1/(J M⁻¹ ᵗJ) of a mass along x, by the angles of the links: M = [2 c; c 1], c the cosine between them,
   * and x changes with an angle by the depth of its link.
   */
  function effectiveMass(upper: readonly number[], lower: readonly number[], isLower: boolean): number {
    const link = [lower[0] - upper[0], lower[1] - upper[1]];
    const c = upper[0] * link[0] + upper[1] * link[1];
    const [a, b] = [-upper[1], isLower ? -link[1] : 0];
    return (2 - c * c) / (a * a - 2 * c * a * b + 2 * b * b);
  }

  it('has a total energy that falls by ½ (1 − e²) m v² at each impact, and stays between them', () => {
    const { column } = run(document(5e-4));
    const [kinetic, potential, normal] = ['kinetic', 'potential', 'contactNormal'].map((name) =>
      column(`energy.${name}`),
    );
    const [upper, lower] = ['upper', 'lower'].map((id) => ({
      x: column(`${id}.q[0]`),
      z: column(`${id}.q[2]`),
      speed: column(`${id}.v[0]`),
      impulse: column(`${id}Impact.normalImpulse`),
    }));
    const total = kinetic.map((each, k) => each + potential[k]);
    let impacts = 0;
    for (let k = 1; k < total.length; k++) {
      const hit = [upper, lower].find(({ impulse }) => impulse[k] > 0);
      if (hit === undefined) {
        expect(Math.abs(total[k] - total[k - 1])).toBeLessThan(1e-4);
        continue;
      }
      impacts++;
      const before = hit.speed[k - 1];
      expect(hit.speed[k] / before).toBeCloseTo(-E, 10);
      const at = ({ x, z }: typeof upper): number[] => [x[k - 1], z[k - 1]];
      const loss = (effectiveMass(at(upper), at(lower), hit === lower) * before ** 2 * (1 - E * E)) / 2;
      // Weight acts within the step, too.
      expect((normal[k - 1] - normal[k]) / loss).toBeCloseTo(1, 1);
    }
    expect(impacts).toBeGreaterThanOrEqual(3);
    expect(maximum(total.map((each, k) => each - total[0] - normal[k]))).toBeLessThan(2e-4);
    // Of the 29.4 J from the horizontal down, little is left.
    expect(total[total.length - 1]).toBeLessThan(-27);
  });
});
