/** Bodies that stick, slide and take off on rough planes. */
import { EventDriven } from '@engine/event-driven/event-driven';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { placeState } from '@engine/model/state-places';
import { describe, expect, it } from 'vitest';
import type { Matrix } from '../support/dense';
import { interaction, lagrangianRelation, linearLagrangian, system } from '../support/forms';
import { coulomb, expectCertified, forced, ran } from './friction-support';
import { G, kinds, ofKind, simulateEvents } from './support';

const MASS: Matrix = [
  [2, 0, 0],
  [0, 2, 0],
  [0, 0, 0.5],
];
const [HALF, HIGH] = [0.4, 0.3];
/** Two feet at (±HALF, −HIGH) of q = (x, y, angle), which stays small: rows gap, slip, gap, slip. */
const FEET = lagrangianRelation([
  [0, 1, -HALF],
  [1, 0, HIGH],
  [0, 1, HALF],
  [1, 0, HIGH],
]);

/** A block on two feet on a plane inclined by α, x down the slope; `push` adds to the force along x. */
const block = (
  alpha: number,
  mu: number,
  { v = 0, push = () => 0 }: { v?: number; push?: (t: number) => number } = {},
): NonSmoothDynamicalSystem => ({
  systems: [
    system(
      'block',
      forced([0, 0, 0], [v, 0, 0], MASS, (t, _q, _v, out) => {
        out[0] = 2 * G * Math.sin(alpha) + push(t);
        out[1] = -2 * G * Math.cos(alpha);
        out[2] = 0;
      }),
    ),
  ],
  interactions: [interaction('feet', [0], FEET, coulomb(mu))],
});

/** λ of the last row of a result: normal and tangential force of each foot. */
const forces = ({ state }: EventDriven): number[] => [...state.subarray(15, 19)];

describe('a block on two feet on a slope', () => {
  const mu = 0.5;
  const critical = Math.atan(mu);

  it('sticks below arctan μ without creeping, though the feet are redundant', () => {
    const simulation = ran(block(critical - 0.01, mu), { tEnd: 10, h: 0.5 });
    expect(simulation.events).toEqual([]);
    const [x, y, angle] = simulation.state.subarray(1, 4);
    expect(Math.max(Math.abs(x), Math.abs(y), Math.abs(angle))).toBeLessThan(1e-14);
    const [n1, t1, n2, t2] = forces(simulation);
    expect(n1 + n2).toBeCloseTo(2 * G * Math.cos(critical - 0.01), 12);
    expect(t1 + t2).toBeCloseTo(-2 * G * Math.sin(critical - 0.01), 12);
    // the moment about the centre: HALF (n2 − n1) + HIGH (t1 + t2) = 0
    expect(HALF * (n2 - n1) + HIGH * (t1 + t2)).toBeCloseTo(0, 12);
    // all feet are equally far from slipping
    expect(t1 / n1).toBeCloseTo(t2 / n2, 12);
    expectCertified(simulation, 20);
  });

  it('does not creep under a force that changes, and is followed without a restart at each point of the discretisation', () => {
    const push = (t: number): number => 6 * Math.sin(3 * t) + Math.cos(7 * t);
    const simulation = ran(block(0, mu, { push }), { tEnd: 100, h: 0.05 });
    expect(simulation.events).toEqual([]);
    expect(Math.abs(simulation.state[1])).toBeLessThan(1e-13);
    // 2000 points
    expect(simulation.counters.steps).toBeLessThan(1000);
    expectCertified(simulation, 20, 1e-12);
  });

  it('slides above it with g (sin α − μ cos α)', () => {
    const alpha = critical + 0.01;
    const simulation = ran(block(alpha, mu), { tEnd: 1, h: 0.1 });
    const a = G * (Math.sin(alpha) - mu * Math.cos(alpha));
    expect(Math.abs(simulation.state[1] - a / 2)).toBeLessThan(1e-13);
    expect(Math.abs(simulation.state[4] - a)).toBeLessThan(1e-13);
    expectCertified(simulation, 20);
  });

  it('at arctan μ stays, and slides on at constant speed when it slides', () => {
    const resting = ran(block(critical, mu), { tEnd: 1, h: 0.1 });
    expect(Math.abs(resting.state[1])).toBeLessThan(1e-15);
    const sliding = ran(block(critical, mu, { v: 1 }), { tEnd: 1, h: 0.1 });
    expect(Math.abs(sliding.state[1] - 1)).toBeLessThan(1e-13);
  });

  it('slips with both feet at once when a growing force overcomes friction', () => {
    const simulation = ran(block(0, mu, { push: (t) => 20 * t }), { tEnd: 0.8, h: 0.05 });
    expect(kinds(simulation.events)).toEqual(['slip', 'slip']);
    const time = (mu * 2 * G) / 20;
    for (const event of simulation.events) expect(Math.abs(event.time - time)).toBeLessThan(1e-11);
    // 2 v̇ = 20 (t − time)
    const s = 0.8 - time;
    expect(Math.abs(simulation.state[1] - (10 / 6) * s ** 3)).toBeLessThan(1e-11);
    expectCertified(simulation, 30);
  });

  it('that is pushed uphill stops, and slides back or stays as the slope says', () => {
    for (const alpha of [critical - 0.1, critical + 0.1]) {
      const simulation = ran(block(alpha, mu, { v: -1 }), { tEnd: 1, h: 0.05 });
      const up = G * (Math.sin(alpha) + mu * Math.cos(alpha));
      const down = Math.max(0, G * (Math.sin(alpha) - mu * Math.cos(alpha)));
      const kind = down > 0 ? 'reversal' : 'stick';
      expect(kinds(simulation.events)).toEqual([kind, kind]);
      expect(Math.abs(simulation.events[0].time - 1 / up)).toBeLessThan(1e-12);
      const s = 1 - 1 / up;
      expect(Math.abs(simulation.state[1] - (-0.5 / up + (down / 2) * s * s))).toBeLessThan(1e-12);
      expectCertified(simulation, 40);
    }
  });

  it('tips over its lower foot when the slope is steeper than its feet are wide', () => {
    // with friction large enough the block lifts its upper foot where tan α > HALF/HIGH
    const steep = Math.atan(HALF / HIGH) + 0.05;
    const simulation = simulateEvents(block(steep, 5), { tEnd: 0.1, h: 0.05 });
    expect(simulation.isActive(2)).toBe(true);
    expect(simulation.isActive(0)).toBe(false);
  });
});

describe('a body that slides and is lifted', () => {
  it('takes off where the force along the normal vanishes, with the speed that friction has left', () => {
    // m = 1, lift 4 t: λ_n = g − 4 t, v̇ = −μ λ_n
    const mu = 0.3;
    const simulation = ran(
      {
        systems: [
          system(
            'body',
            forced(
              [0, 0],
              [5, 0],
              [
                [1, 0],
                [0, 1],
              ],
              (t, _q, _v, out) => {
                out[0] = 0;
                out[1] = 4 * t - G;
              },
            ),
          ),
        ],
        interactions: [
          interaction(
            'ground',
            [0],
            lagrangianRelation([
              [0, 1],
              [1, 0],
            ]),
            coulomb(mu),
          ),
        ],
      },
      { tEnd: 3, h: 0.1 },
    );
    expect(kinds(simulation.events)).toEqual(['takeOff']);
    const time = G / 4;
    expect(Math.abs(simulation.events[0].time - time)).toBeLessThan(1e-9);
    expect(Math.abs(simulation.state[3] - (5 - mu * (G * time - 2 * time * time)))).toBeLessThan(1e-10);
    expect(Math.abs(simulation.state[2] - (2 / 3) * (3 - time) ** 3)).toBeLessThan(1e-9);
    expectCertified(simulation, G);
  });
});

describe('a ball that is thrown onto a rough floor', () => {
  // a disc, q = (x, y, angle), radius 0.1: gap y − r, velocity of the point of contact ẋ + r θ̇
  const r = 0.1;
  const disc = (v: readonly number[], mu: number): NonSmoothDynamicalSystem => ({
    systems: [
      system(
        'disc',
        linearLagrangian(
          [0, r, 0],
          v,
          [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, (r * r) / 2],
          ],
          { force: [0, -G, 0] },
        ),
      ),
    ],
    interactions: [
      interaction(
        'floor',
        [0],
        lagrangianRelation(
          [
            [0, 1, 0],
            [1, 0, r],
          ],
          [-r, 0],
        ),
        coulomb(mu),
      ),
    ],
  });

  it('slides until it rolls, and rolls on', () => {
    // ẋ = v − μ g t, r θ̇ = −2 μ g t: rolling from t = v/(3 μ g) on with 2v/3
    const mu = 0.2;
    const simulation = ran(disc([3, 0, 0], mu), { tEnd: 1.5, h: 0.1 });
    expect(kinds(simulation.events)).toEqual(['stick']);
    const time = 3 / (3 * mu * G);
    expect(Math.abs(simulation.events[0].time - time)).toBeLessThan(1e-13);
    expect(Math.abs(simulation.state[4] - 2)).toBeLessThan(1e-13);
    expect(Math.abs(simulation.state[6] + 2 / r)).toBeLessThan(1e-12);
    expectCertified(simulation, G);
  });

  it('with backspin comes back', () => {
    const mu = 0.2;
    const simulation = ran(disc([1, 0, 5 / r], mu), { tEnd: 2, h: 0.1 });
    // slip 6 − 3 μ g t: rolls with 1 − 2
    expect(ofKind(simulation, 'stick')[0].time).toBeCloseTo(6 / (3 * mu * G), 12);
    expect(simulation.state[4]).toBeCloseTo(-1, 12);
  });
});

describe('friction of zero', () => {
  it('is none', () => {
    const simulation = ran(block(0.3, 0, { v: -1 }), { tEnd: 1, h: 0.1 });
    const a = G * Math.sin(0.3);
    expect(simulation.events).toEqual([]);
    expect(Math.abs(simulation.state[1] - (a / 2 - 1))).toBeLessThan(1e-13);
    expect(forces(simulation)[1]).toBeCloseTo(0, 15);
  });
});

describe('an exported state of a block that sticks on redundant feet', () => {
  it('goes on with the same bits, the shares of the feet included', () => {
    const model = block(0.2, 0.5, { push: (t) => 6 * t });
    const settings = { t0: 0, tEnd: 2, h: 0.05 };
    const simulation = new EventDriven(model, placeState(model), settings);
    for (let k = 0; k < 8; k++) simulation.computeOneStep();
    const exported = simulation.exportState();
    const other = new EventDriven(model, placeState(model), settings);
    other.loadState(exported);
    simulation.run();
    other.run();
    expect([...other.state]).toEqual([...simulation.state]);
    expect(ofKind(simulation, 'slip')).toHaveLength(2);
  });
});
