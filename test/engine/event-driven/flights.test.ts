/**
 * Exact arcs and the general integration carry the same motions, and the choice between them follows the
 * modes.
 */
import { EngineError } from '@engine/errors';
import type { EventDriven } from '@engine/event-driven/event-driven';
import type { EventDrivenSettings } from '@engine/event-driven/settings';
import type { RelationForm } from '@engine/model/forms';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { placeState } from '@engine/model/state-places';
import { describe, expect, it } from 'vitest';
import {
  complementarity,
  equality,
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
import { ball, G, kinds, simulateEvents } from './support';

/** Rows at the points of the discretisation. */
function rowsOf(simulation: EventDriven): number[][] {
  const rows: number[][] = [];
  while (simulation.hasNextEvent) {
    simulation.computeOneStep();
    if (simulation.manager.current[1] === 0) rows.push([...simulation.state]);
  }
  return rows;
}

/** Largest difference of the states that both kinds of flight give, relative to 1 or the value. */
function disagreement(
  model: NonSmoothDynamicalSystem,
  settings: Partial<EventDrivenSettings>,
): { worst: number; exact: EventDriven; integrated: EventDriven } {
  const [exact, integrated] = (['exact', 'integrated'] as const).map((flights) =>
    simulateEvents(model, { ...settings, flights, relativeTolerance: 1e-12, absoluteTolerance: 1e-13 }),
  );
  expect(exact.flight).toBe('exact');
  expect(integrated.flight).toBe('integrated');
  const places = placeState(model);
  const others = rowsOf(integrated);
  let worst = 0;
  rowsOf(exact).forEach((row, k) => {
    for (let i = 1; i < places.q + 2 * places.ndof; i++)
      worst = Math.max(worst, Math.abs(row[i] - others[k][i]) / Math.max(1, Math.abs(row[i])));
  });
  expect(kinds(exact.events)).toEqual(kinds(integrated.events));
  expect(exact.certificate.worst.motion).toBeLessThan(1e-12);
  return { worst, exact, integrated };
}

const bead = (k: number, gap: number) =>
  system(`bead${k}`, linearLagrangian([0.1 + gap + k * (0.2 + gap)], [0], [[1]], { force: [-G] }));

const column = (count: number, e: number, gap: number): NonSmoothDynamicalSystem => ({
  systems: Array.from({ length: count }, (_, k) => bead(k, gap)),
  interactions: Array.from({ length: count }, (_, k) =>
    k === 0
      ? interaction('floor', [0], lagrangianRelation([[1]], [-0.1]), impact(e))
      : interaction(`contact${k}`, [k - 1, k], lagrangianRelation([[-1, 1]], [-0.2]), impact(e)),
  ),
});

/** ẋ = A x + B λ, y = C x + D λ */
const circuit = (
  A: number[][],
  B: number[][],
  C: number[][],
  x0: number[],
  law: Parameters<typeof interaction>[3],
  D?: number[][],
): NonSmoothDynamicalSystem => ({
  systems: [system('x', linearFirstOrder(A, x0))],
  interactions: [interaction('law', [0], linearRelation(C, B, D === undefined ? {} : { D }), law)],
});

describe('exact and integrated flights agree', () => {
  it('on a ball, to the accumulation of its impacts and beyond', () => {
    const { worst, exact } = disagreement(ball(0.9, 0.9), { tEnd: 9, h: 0.005 });
    expect(worst).toBeLessThan(1e-9);
    const impacts = exact.events.filter(({ kind }) => kind === 'impact').map(({ time }) => time);
    const exactTimes = [0.4283529368781, 1.199388, 1.89332];
    expect(Math.abs(impacts[0] - exactTimes[0])).toBeLessThan(1e-13);
    impacts.forEach((time, k) => {
      const sum = 1 + (2 * 0.9 * (1 - 0.9 ** k)) / 0.1;
      expect(Math.abs(time - Math.sqrt(1.8 / G) * sum)).toBeLessThan(1e-13);
    });
    const zeno = exact.events.find(({ kind }) => kind === 'zeno')!;
    expect(Math.abs(zeno.accumulation!.time - 8.138705801)).toBeLessThan(1e-8);
    // at rest: λ carries the weight
    expect(exact.isActive(0)).toBe(true);
    expect(exact.flight).toBe('exact');
    expect(exact.state[placeState(ball(0.9, 0.9)).lambda]).toBeCloseTo(G, 12);
  });

  it('on columns of beads that come to rest on each other', () => {
    const { worst, exact } = disagreement(column(5, 0, 0.01), { tEnd: 0.5, h: 0.005 });
    expect(worst).toBeLessThan(1e-9);
    expect([0, 1, 2, 3, 4].every((row) => exact.isActive(row))).toBe(true);
    expect(disagreement(column(4, 0.6, 0.05), { tEnd: 0.7, h: 0.005 }).worst).toBeLessThan(1e-9);
  });

  it('on a mass that a spring pulls off its support: take-off where the force vanishes', () => {
    // The spring is compressed; when it pulls with the weight of the lower mass, that leaves the floor.
    const model: NonSmoothDynamicalSystem = {
      systems: [
        system(
          'pair',
          linearLagrangian(
            [0, -1.6],
            [0, 0],
            [
              [1, 0],
              [0, 2],
            ],
            {
              stiffness: [
                [40, -40],
                [-40, 40],
              ],
              force: [-G, -2 * G],
            },
          ),
        ),
      ],
      interactions: [interaction('floor', [0], lagrangianRelation([[1, 0]]), impact(0.4))],
    };
    const { worst, exact } = disagreement(model, { tEnd: 2, h: 0.01 });
    expect(kinds(exact.events)).toContain('takeOff');
    expect(kinds(exact.events)).toContain('impact');
    expect(worst).toBeLessThan(1e-9);
  });

  it('on a pair of masses that a linear joint holds', () => {
    const model: NonSmoothDynamicalSystem = {
      systems: [
        system(
          'mass',
          linearLagrangian(
            [0.3, 0.6],
            [0, 0],
            [
              [1, 0],
              [0, 3],
            ],
            {
              stiffness: [
                [20, 0],
                [0, 5],
              ],
            },
          ),
        ),
      ],
      interactions: [interaction('rod', [0], lagrangianRelation([[2, -1]]), equality())],
    };
    const { worst, exact } = disagreement(model, { tEnd: 5, h: 0.01 });
    expect(worst).toBeLessThan(1e-9);
    // q₂ = 2 q₁: (1 + 4·3) q̈₁ = −(20 + 4·5) q₁
    expect(Math.abs(exact.state[1] - 0.3 * Math.cos(5 * Math.sqrt(40 / 13)))).toBeLessThan(1e-12);
  });

  it('on a relay that switches and then slides', () => {
    // crosses the switching line x₁ + x₂/2 = 0 and stays on it: ẋ₁ = −2 x₁
    const model = circuit(
      [
        [0, 1],
        [-4, -0.3],
      ],
      [[0], [3]],
      [[1, 0.5]],
      [1, 0.5],
      relay(),
    );
    const { worst, exact } = disagreement(model, { tEnd: 4, h: 0.01 });
    expect(worst).toBeLessThan(1e-9);
    expect(kinds(exact.events)).toContain('slidingOn');
  });

  it('on a diode of degree 1, and on one with a resistance', () => {
    const oscillator = [
      [0, -100],
      [10, 0],
    ];
    const open = circuit(oscillator, [[1], [0]], [[1, 0]], [0.5, 1], complementarity());
    expect(disagreement(open, { tEnd: 0.5, h: 0.005 }).worst).toBeLessThan(1e-9);
    const resisting = circuit(oscillator, [[1], [0]], [[-1, 0]], [0.5, 1], complementarity(), [[0.2]]);
    const { worst, exact } = disagreement(resisting, { tEnd: 0.5, h: 0.005 });
    expect(worst).toBeLessThan(1e-9);
    expect(exact.events.length).toBeGreaterThan(2);
  });
});

describe('the choice of the flight', () => {
  /** A table that moves as 0.02 sin 9t. */
  const table: RelationForm = {
    ...lagrangianRelation([[1]]),
    isAffine: false,
    isTimeDependent: true,
    output: (clock, q, _lambda, out) => (out[0] = q[0] - 0.02 * Math.sin(9 * clock[0])),
    timeDerivative: (clock, _q, out) => (out[0] = -0.18 * Math.cos(9 * clock[0])),
  };

  it('changes with the modes: a ball on a table that moves is integrated while it stays there', () => {
    const { systems } = ball(0.1, 0);
    const model = { systems, interactions: [interaction('table', [0], table, impact(0))] };
    const simulation = simulateEvents(model, { tEnd: 2, h: 0.01 });
    expect(simulation.flight).toBe('exact');
    const integrated = simulateEvents(model, { tEnd: 2, h: 0.01, flights: 'integrated' });
    const used = new Set<string>();
    while (simulation.hasNextEvent) {
      simulation.computeOneStep();
      integrated.computeOneStep();
      used.add(`${simulation.flight} ${simulation.isActive(0) ? 'closed' : 'open'}`);
      expect(Math.abs(simulation.state[1] - integrated.state[1])).toBeLessThan(1e-9);
    }
    expect([...used].sort()).toEqual(['exact open', 'integrated closed']);
    // 0.02 · 81 < G: it never leaves
    expect(kinds(simulation.events)).toEqual(['impact', 'closing']);
  });

  it('is integration where arcs would be too many, unless what is fast dies out or exact flight is asked for', () => {
    const model = (damping: number, rate: number): NonSmoothDynamicalSystem =>
      circuit(
        [
          [-damping, rate, 0],
          [-rate, -damping, 0],
          [0, 0, -1],
        ],
        [[0], [0], [1]],
        [[0, 0, 1]],
        [1, 1, 1],
        complementarity(),
      );
    expect(simulateEvents(model(1000, 0)).flight).toBe('exact');
    expect(simulateEvents(model(1e5, 0)).flight).toBe('exact');
    expect(simulateEvents(model(0, 1e5)).flight).toBe('integrated');
    expect(simulateEvents(model(0, 1e5), { flights: 'exact' }).flight).toBe('exact');
  });

  it('is integration of large models, unless exact flight is asked for', () => {
    expect(simulateEvents(column(16, 0.5, 0.01)).flight).toBe('exact');
    const spring = system('spring', linearLagrangian([0], [0], [[1]], { stiffness: [[1]] }));
    const free = column(16, 0.5, 0.01);
    const coupled = { ...free, systems: [...free.systems, spring] };
    expect(simulateEvents(coupled).flight).toBe('integrated');
    expect(simulateEvents(coupled, { flights: 'exact' }).flight).toBe('exact');
  });

  it('is exact for any number of bodies that are free but for contacts, unless integration is asked for', () => {
    expect(simulateEvents(column(17, 0.5, 0.01)).flight).toBe('exact');
    expect(simulateEvents(column(17, 0.5, 0.01), { flights: 'integrated' }).flight).toBe('integrated');
  });

  it('is made again where a scheduled event changes a force', () => {
    const { interactions } = ball(1, 0.5);
    const force = Float64Array.of(-G);
    const form = linearLagrangian([1], [0], [[1]]);
    const model: NonSmoothDynamicalSystem = {
      systems: [system('ball', { ...form, force: (_clock, _q, _v, out) => out.set(force) })],
      interactions,
    };
    const simulation = simulateEvents(model, { tEnd: 0.4, h: 0.1 });
    simulation.schedule(0.2, () => (force[0] = 2));
    simulation.run();
    expect(simulation.flight).toBe('exact');
    // falls for 0.2 s, then rises with 2 m/s²
    expect(simulation.state[2]).toBeCloseTo(-0.2 * G + 0.2 * 2, 13);
    expect(simulation.certificate.worst.motion).toBeLessThan(1e-14);
  });
});

describe('exact flight where there is none', () => {
  const refusal = (
    model: NonSmoothDynamicalSystem,
    settings: Partial<EventDrivenSettings> = {},
  ): EngineError => {
    expect(simulateEvents(model, settings).flight).toBe('integrated');
    try {
      simulateEvents(model, { ...settings, flights: 'exact' });
    } catch (error) {
      if (error instanceof EngineError) return error;
    }
    throw new Error('not refused');
  };

  it.each([
    [
      'a rate that is not linear',
      {
        systems: [
          system(
            'heater',
            nonlinearFirstOrder(
              [1],
              (_t, x, out) => (out[0] = -(x[0] ** 3)),
              (_t, x, out) => (out[0] = -3 * x[0] ** 2),
            ),
          ),
        ],
        interactions: [],
      },
      'heater',
      'rate is not linear',
    ],
    [
      'a source that depends on time',
      {
        systems: [system('line', linearFirstOrder([[-1]], [1], { source: (t) => [Math.sin(t)] }))],
        interactions: [],
      },
      'line',
      'depends on time',
    ],
    [
      'a force of a script',
      {
        systems: [system('mass', { ...linearLagrangian([0], [0], [[1]]), linear: null })],
        interactions: [],
      },
      'mass',
      'forces are not linear',
    ],
  ] as const)('names the system with %s', (_what, model, where, what) => {
    const error = refusal(model);
    expect(error.details.code).toBe('event-driven-not-exact');
    expect(error.details.where).toBe(where);
    expect(error.message).toContain(what);
  });

  it('names a joint that is curved', () => {
    const circle: RelationForm = {
      ...lagrangianRelation([[1, 0]]),
      C: null,
      isAffine: false,
      output: (_clock, q, _lambda, out) => (out[0] = q[0] * q[0] + q[1] * q[1] - 1),
      outputJacobians: (_clock, q, _lambda, C) => {
        C[0] = 2 * q[0];
        C[1] = 2 * q[1];
      },
    };
    const model: NonSmoothDynamicalSystem = {
      systems: [
        system(
          'mass',
          linearLagrangian(
            [1, 0],
            [0, 1],
            [
              [1, 0],
              [0, 1],
            ],
          ),
        ),
      ],
      interactions: [interaction('circle', [0], circle, equality())],
    };
    const error = refusal(model, { h: 0.1 });
    expect(error.details.where).toBe('circle');
    expect(error.message).toContain('not linear');
  });
});

describe('bits', () => {
  it('are the same again, and after going on from an exported state', () => {
    const model = column(4, 0.5, 0.03);
    const run = (): number[][] => rowsOf(simulateEvents(model, { tEnd: 0.6, h: 0.01, flights: 'exact' }));
    expect(run()).toEqual(run());
    const first = simulateEvents(model, { tEnd: 0.6, h: 0.01, flights: 'exact' });
    while (first.startingTime < 0.3) first.computeOneStep();
    const state = first.exportState();
    const second = simulateEvents(model, { tEnd: 0.6, h: 0.01, flights: 'exact' });
    second.loadState(state);
    expect(second.flight).toBe('exact');
    expect(rowsOf(second)).toEqual(rowsOf(first));
  });
});
