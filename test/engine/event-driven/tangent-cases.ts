/** Models whose motions are differentiated with respect to where they start. */
import type { EventDrivenSettings } from '@engine/event-driven/settings';
import type { LagrangianForm, RelationForm } from '@engine/model/forms';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import {
  frictionImpact,
  graph,
  impact,
  interaction,
  lagrangianRelation,
  linearFirstOrder,
  linearLagrangian,
  linearRelation,
  nonlinearFirstOrder,
  relay,
  system,
} from '../support/forms';
import { curved, dryFriction, forced } from './friction-support';

export interface Case {
  /** a model that starts at x = q | v */
  readonly model: (x: readonly number[]) => NonSmoothDynamicalSystem;
  readonly start: readonly number[];
  readonly settings: Partial<EventDrivenSettings>;
  /** events on the way, each kind once */
  readonly expected: readonly string[];
  /** largest difference, relative to the largest entry */
  readonly tolerance?: number;
}

/** y = q − A sin ωt */
export const table = (amplitude: number, omega: number, hasCurvature: boolean): RelationForm => ({
  ...lagrangianRelation([[1]]),
  isTimeDependent: true,
  output: (clock, q, _lambda, out) => (out[0] = q[0] - amplitude * Math.sin(omega * clock[0])),
  timeDerivative: (clock, _q, out) => (out[0] = -amplitude * omega * Math.cos(omega * clock[0])),
  ...(hasCurvature && {
    curvature: (clock, _q, _v, out) => (out[0] = amplitude * omega ** 2 * Math.sin(omega * clock[0])),
  }),
});

/** A pendulum of unit length and mass in its angle, which a wall at x = d stops. */
const pendulum = (x: readonly number[], e: number): NonSmoothDynamicalSystem => ({
  systems: [
    system(
      'rod',
      forced([x[0]], [x[1]], [[1]], (_t, q, v, out) => (out[0] = -9.81 * Math.sin(q[0]) - 0.1 * v[0])),
    ),
  ].map((made) => ({
    ...made,
    form: {
      ...made.form,
      forceJacobians: (
        _clock: Float64Array,
        q: Float64Array,
        _v: Float64Array,
        outQ: Float64Array,
        outV: Float64Array,
      ) => {
        outQ[0] = -9.81 * Math.cos(q[0]);
        outV[0] = -0.1;
      },
    },
  })),
  interactions: [
    interaction(
      'wall',
      [0],
      curved(
        1,
        1,
        (q, out) => (out[0] = Math.sin(q[0]) + 0.3),
        (q, out) => (out[0] = Math.cos(q[0])),
      ),
      impact(e),
    ),
  ],
});

/** Two rods of unit length with unit masses at their ends, in their angles to the vertical. */
const doublePendulum = (x: readonly number[]): LagrangianForm => ({
  ...forced(
    [x[0], x[1]],
    [x[2], x[3]],
    [
      [2, 1],
      [1, 1],
    ],
    (_t, q, v, out) => {
      const s = Math.sin(q[0] - q[1]);
      out[0] = -s * v[1] ** 2 - 2 * 9.81 * Math.sin(q[0]);
      out[1] = s * v[0] ** 2 - 9.81 * Math.sin(q[1]);
    },
  ),
  constantMass: null,
  mass: (q, out) => {
    const c = Math.cos(q[0] - q[1]);
    out.set([2, c, c, 1]);
  },
});

export const cases: Readonly<Record<string, Case>> = {
  'a ball that bounces': {
    model: ([q, v]) => ({
      systems: [system('ball', linearLagrangian([q], [v], [[1]], { force: [-9.81] }))],
      interactions: [interaction('ground', [0], lagrangianRelation([[1]]), impact(0.9))],
    }),
    start: [0.9, 0.1],
    settings: { tEnd: 1.7 },
    expected: ['impact'],
  },
  'an oscillator between two walls': {
    model: ([q, v]) => ({
      systems: [
        system(
          'mass',
          linearLagrangian([q], [v], [[2]], { stiffness: [[50]], damping: [[0.3]], force: [3] }),
        ),
      ],
      interactions: [
        interaction('left', [0], lagrangianRelation([[1]], [0.1]), impact(0.7)),
        interaction('right', [0], lagrangianRelation([[-1]], [0.2]), impact(0.5)),
      ],
    }),
    start: [0.05, 2],
    settings: { tEnd: 1.5 },
    expected: ['impact'],
  },
  'the same, integrated': {
    model: ([q, v]) => ({
      systems: [
        system(
          'mass',
          linearLagrangian([q], [v], [[2]], { stiffness: [[50]], damping: [[0.3]], force: [3] }),
        ),
      ],
      interactions: [
        interaction('left', [0], lagrangianRelation([[1]], [0.1]), impact(0.7)),
        interaction('right', [0], lagrangianRelation([[-1]], [0.2]), impact(0.5)),
      ],
    }),
    start: [0.05, 2],
    settings: { tEnd: 1.5, flights: 'integrated' },
    expected: ['impact'],
  },
  'a ball on a table that moves': {
    model: ([q, v]) => ({
      systems: [system('ball', linearLagrangian([q], [v], [[1]], { force: [-9.81] }))],
      interactions: [interaction('table', [0], table(0.05, 15, true), impact(0.5))],
    }),
    start: [0.3, 0],
    settings: { tEnd: 0.45, h: 1e-3 },
    expected: ['impact'],
  },
  'a ball that stays on a plate and leaves it': {
    model: ([a, b, u, v]) => ({
      systems: [
        system(
          'plate',
          linearLagrangian([a], [u], [[2]], { stiffness: [[200]], damping: [[0.5]], force: [-20] }),
        ),
        system('ball', linearLagrangian([b], [v], [[1]], { force: [-9.81] })),
      ],
      interactions: [interaction('contact', [0, 1], lagrangianRelation([[-1, 1]]), impact(0))],
    }),
    start: [0.1, 0.4, 0.5, 0],
    settings: { tEnd: 0.9 },
    expected: ['closing', 'impact', 'takeOff'],
  },
  'a pendulum and a wall': {
    model: (x) => pendulum(x, 0.8),
    start: [0.8, 0],
    settings: { tEnd: 2.5 },
    expected: ['impact'],
  },
  'a mass that sticks and slips while another one swings on it': {
    model: ([a, b, u, v]) => ({
      systems: [
        system(
          'pair',
          linearLagrangian(
            [a, b],
            [u, v],
            [
              [1, 0],
              [0, 0.5],
            ],
            {
              stiffness: [
                [60, -20],
                [-20, 20],
              ],
            },
          ),
        ),
      ],
      interactions: [interaction('floor', [0], lagrangianRelation([[1, 0]]), dryFriction(2))],
    }),
    start: [0.05, 0.4, 0.1, 0],
    settings: { tEnd: 2 },
    expected: ['slidingOn', 'slidingOff', 'switch'],
  },
  'a block that sticks and slips under a swinging mass': {
    model: ([x, y, b, u, w, v]) => ({
      systems: [
        system(
          'pair',
          linearLagrangian(
            [x, y, b],
            [u, w, v],
            [
              [1, 0, 0],
              [0, 1, 0],
              [0, 0, 0.5],
            ],
            {
              stiffness: [
                [60, 0, -20],
                [0, 0, 0],
                [-20, 0, 20],
              ],
              force: [0, -9.81, 0],
            },
          ),
        ),
      ],
      interactions: [
        interaction(
          'floor',
          [0],
          lagrangianRelation([
            [0, 1, 0],
            [1, 0, 0],
          ]),
          frictionImpact(0.2, 0),
        ),
      ],
    }),
    start: [0.05, 0.02, 0.4, 0.1, 0, 0],
    settings: { tEnd: 2 },
    expected: ['impact', 'closing', 'stick', 'slip', 'reversal'],
  },
  'a double pendulum and a wall': {
    model: (x) => ({
      systems: [system('rods', doublePendulum(x))],
      interactions: [
        interaction(
          'wall',
          [0],
          curved(
            1,
            2,
            (q, out) => (out[0] = Math.sin(q[0]) + Math.sin(q[1]) + 0.5),
            (q, out) => out.set([Math.cos(q[0]), Math.cos(q[1])]),
          ),
          impact(0.6),
        ),
      ],
    }),
    start: [0.7, 0.4, 0, 0],
    settings: { tEnd: 1.6 },
    expected: ['impact'],
  },
  'two balls that meet the ground at one time': {
    model: ([a, b, u, v]) => ({
      systems: [
        system('first', linearLagrangian([a], [u], [[1]], { force: [-9.81] })),
        system('second', linearLagrangian([b], [v], [[2]], { force: [-19.62] })),
      ],
      interactions: [
        interaction('left', [0], lagrangianRelation([[1]]), impact(0.9)),
        interaction('right', [1], lagrangianRelation([[1]]), impact(0.5)),
      ],
    }),
    start: [0.5, 0.5, 0, 0],
    settings: { tEnd: 0.5 },
    expected: ['impact'],
  },
  'a block with weight and friction that a spring pulls': {
    model: ([x, y, u, v]) => ({
      systems: [
        system(
          'block',
          linearLagrangian(
            [x, y],
            [u, v],
            [
              [1, 0],
              [0, 1],
            ],
            {
              stiffness: [
                [30, 0],
                [0, 0],
              ],
              force: [0, -9.81],
            },
          ),
        ),
      ],
      interactions: [
        interaction(
          'floor',
          [0],
          lagrangianRelation([
            [0, 1],
            [1, 0],
          ]),
          frictionImpact(0.3, 0.4),
        ),
      ],
    }),
    start: [0.4, 0.02, 0.3, 0],
    settings: { tEnd: 0.2 },
    expected: ['impact', 'zeno', 'closing'],
  },
  'a relay that switches': {
    model: ([a, b]) => ({
      systems: [
        system(
          'plant',
          linearFirstOrder(
            [
              [0, 1],
              [-4, -0.4],
            ],
            [a, b],
          ),
        ),
      ],
      interactions: [interaction('relay', [0], linearRelation([[1, 0.5]], [[0.4], [-0.3]]), relay(-1, 1))],
    }),
    start: [1, 0],
    settings: { tEnd: 3 },
    expected: ['switch'],
  },
  'a relay that slides': {
    model: ([a, b]) => ({
      systems: [
        system(
          'plant',
          linearFirstOrder(
            [
              [0, 1],
              [-1, -0.4],
            ],
            [a, b],
          ),
        ),
      ],
      interactions: [interaction('relay', [0], linearRelation([[1, 1]], [[0], [2]]), relay(-1, 1))],
    }),
    start: [1, 0.3],
    settings: { tEnd: 3 },
    expected: ['slidingOn'],
  },
  'a saturation and a dead zone': {
    model: ([a, b]) => ({
      systems: [
        system(
          'plant',
          linearFirstOrder(
            [
              [0, 1],
              [-4, -0.1],
            ],
            [a, b],
          ),
        ),
      ],
      interactions: [
        interaction(
          'law',
          [0],
          linearRelation([[1, 0.5]], [[0.4], [1.3]]),
          graph(
            [
              [-0.8, 0.7],
              [-0.2, 0],
              [0.3, 0],
              [0.6, -0.5],
            ],
            [1, 0],
            [1, 0.4],
          ),
        ),
      ],
    }),
    start: [1, 0.3],
    settings: { tEnd: 3 },
    expected: ['piece'],
  },
  'a graph whose vertical piece is crossed, integrated': {
    model: ([a, b]) => ({
      systems: [
        system(
          'plant',
          linearFirstOrder(
            [
              [0, 1],
              [-9, -0.2],
            ],
            [a, b],
          ),
        ),
      ],
      interactions: [
        interaction(
          'law',
          [0],
          linearRelation([[1, 0]], [[0.4], [-0.3]]),
          graph(
            [
              [0.2, 0.5],
              [0.2, -0.5],
            ],
            [1, -0.3],
            [1, -0.7],
          ),
        ),
      ],
    }),
    start: [1, 0.3],
    settings: { tEnd: 3, flights: 'integrated' },
    expected: ['switch'],
  },
  'a mass with friction that falls with the slip': {
    model: ([q, v]) => ({
      systems: [system('mass', linearLagrangian([q], [v], [[1]], { stiffness: [[20]] }))],
      interactions: [
        interaction('belt', [0], lagrangianRelation([[1]]), {
          ...graph(
            [
              [-0.7, 0.5],
              [0.3, 1],
              [0.3, -1],
              [1.3, -0.5],
            ],
            [1, 0],
            [1, 0],
          ),
          level: 'velocity',
        }),
      ],
    }),
    start: [0.5, 0.2],
    settings: { tEnd: 1.2 },
    expected: ['switch', 'piece'],
  },
  'Lorenz’ equations, which are smooth': {
    model: (x) => ({
      systems: [
        system(
          'convection',
          nonlinearFirstOrder(
            x,
            (_t, [a, b, c], out) => {
              out[0] = 10 * (b - a);
              out[1] = 28 * a - b - a * c;
              out[2] = a * b - (8 / 3) * c;
            },
            (_t, [a, b, c], out) => {
              out.set([-10, 10, 0, 28 - c, -1, -a, b, a, -8 / 3]);
            },
          ),
        ),
      ],
      interactions: [],
    }),
    start: [1, 2, 20],
    settings: { tEnd: 1 },
    expected: [],
  },
};
