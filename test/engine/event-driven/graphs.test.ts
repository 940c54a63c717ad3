/** Laws that are graphs of straight pieces, from event to event. */
import { describe, expect, it } from 'vitest';
import { EngineError } from '@engine/errors';
import { EventCertificate } from '@engine/event-driven/certificate/certificate';
import { EventDriven } from '@engine/event-driven/event-driven';
import type { LawForm } from '@engine/model/forms';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { placeState } from '@engine/model/state-places';
import { sample } from '../../support/prove';
import {
  graph,
  impact,
  interaction,
  lagrangianRelation,
  linearFirstOrder,
  linearLagrangian,
  linearRelation,
  system,
} from '../support/forms';
import { identity } from '../support/dense';
import { type Random, seeded } from '../support/random';
import { type SwitchedModel, SwitchedOracle } from '../support/switched-oracle';
import { type RandomGraphs, randomGraph, randomGraphs } from './graph-models';
import { kinds, simulateEvents } from './support';
import { one, sine } from './switched-models';

const END = 4;
/** Steps of the recording: none of them may show in the result. */
const STEPS = [0.001, 0.01, 0.1, 0.4];
/** A piece that is passed so fast that what it does is below the tolerance of the states. */
const PAIR = 2e-3;

const without = (times: readonly number[], others: readonly number[]): number[] =>
  times.filter((time) => !others.some((other) => Math.abs(other - time) < 1e-6));

/** Times of one list that have no counterpart in the other, but for a pair in which a corner is touched. */
function missed(times: readonly number[], others: readonly number[]): number[] {
  const left = without(times, others);
  return left.length === 2 && left[1] - left[0] < PAIR ? [] : left;
}

const distance = (a: ArrayLike<number>, b: readonly number[]): number =>
  Math.max(...b.map((value, i) => Math.abs(a[i] - value) / Math.max(1, Math.abs(value))));

const eventTimes = ({ events }: EventDriven): number[] => [...new Set(events.map(({ time }) => time))];

function compare({ oracle, model, what }: RandomGraphs, seed: number): number {
  const label = `${seed}: ${what}`;
  const expected = new SwitchedOracle(oracle).run(END, 0.01);
  const simulation = simulateEvents(model, {
    tEnd: END,
    h: STEPS[seed % STEPS.length],
    relativeTolerance: 1e-11,
    absoluteTolerance: 1e-12,
  });
  simulation.run();
  const found = eventTimes(simulation);
  expect(missed(expected.switches, found), `missed, ${label}`).toEqual([]);
  expect(without(found, expected.switches), `invented, ${label}`).toEqual([]);
  expect(distance(simulation.x, expected.x), label).toBeLessThan(1e-8);
  const { complementarity, dynamics } = simulation.certificate.report;
  expect(Math.max(complementarity, dynamics), label).toBeLessThan(1e-8);
  return expected.switches.length;
}

/** A mass on a spring with a graph between its velocity and a force, driven by a sine. */
function randomDashpot(random: Random): RandomGraphs {
  const [stiffness, damping, amplitude] = [
    random.uniform(0.5, 20),
    random.uniform(0, 0.5),
    random.uniform(0, 4),
  ];
  const mass = random.uniform(0.5, 2);
  const source = sine(random.uniform(1, 6), random.uniform(0, 6));
  const { law, pieces, shapes } = randomGraph(random, true, false);
  const x0 = [random.uniform(-1, 1), random.uniform(-1, 1)];
  const oracle: SwitchedModel = {
    A: [
      [0, 1],
      [-stiffness / mass, -damping / mass],
    ],
    B: [[0], [1 / mass]],
    C: [[0, 1]],
    D: [[0]],
    E: [
      [0, 0],
      [0, amplitude / mass],
    ],
    F: [[0, 0]],
    lower: [],
    upper: [],
    x0,
    sources: [one, source],
    graphs: [pieces],
  };
  const still = linearLagrangian([x0[0]], [x0[1]], [[mass]], {
    damping: [[damping]],
    stiffness: [[stiffness]],
  });
  const { linear } = still;
  if (linear === null) throw new Error('the mass is linear');
  const driven = {
    ...still,
    linear: {
      ...linear,
      force: (clock: Float64Array, out: Float64Array) => {
        out[0] = amplitude * source.value(clock[0]);
      },
    },
    force: (clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array) => {
      out[0] = amplitude * source.value(clock[0]) - damping * v[0] - stiffness * q[0];
    },
  };
  return {
    oracle,
    model: {
      systems: [system('mass', driven)],
      interactions: [interaction('law', [0], lagrangianRelation([[1]]), { ...law, level: 'velocity' })],
    },
    what: `dashpot, ${shapes}`,
  };
}

describe('random systems whose laws are graphs', () => {
  it('go from piece to piece when an enumeration of all pieces does', { timeout: 7_200_000 }, () => {
    let switches = 0;
    const seeds = sample(12, 10_000);
    for (let seed = 0; seed < seeds; seed++) switches += compare(randomGraphs(seeded(seed)), seed);
    expect(switches).toBeGreaterThan(2 * seeds);
  });

  it('find an event on a step whose estimated error vanishes by accident', () => {
    compare(randomGraphs(seeded(3904)), 3904);
  });

  it('of velocities and forces likewise', { timeout: 3_600_000 }, () => {
    let switches = 0;
    const seeds = sample(6, 2000);
    for (let seed = 0; seed < seeds; seed++) switches += compare(randomDashpot(seeded(seed)), seed);
    expect(switches).toBeGreaterThan(seeds);
  });
});

const saturation = (): LawForm =>
  graph(
    [
      [-1, 1],
      [1, -1],
    ],
    [1, 0],
    [1, 0],
  );

const relay = (): LawForm =>
  graph(
    [
      [0, 1],
      [0, -1],
    ],
    [1, 0],
    [1, 0],
  );

const integrator = (law: LawForm, x0 = 3): NonSmoothDynamicalSystem => ({
  systems: [system('x', linearFirstOrder([[0]], [x0]))],
  interactions: [interaction('law', [0], linearRelation([[1]], [[1]]), law)],
});

describe('a graph has the motion of its formula', () => {
  it.each(['exact', 'integrated'] as const)('of a saturated integrator, %s', (flights) => {
    const simulation = simulateEvents(integrator(saturation()), { tEnd: 5, flights });
    simulation.run();
    expect(simulation.flight).toBe(flights);
    expect(kinds(simulation.events)).toEqual(['piece']);
    expect(Math.abs(simulation.events[0].time - 2)).toBeLessThan(1e-10);
    expect(Math.abs(simulation.x[0] - Math.exp(-3))).toBeLessThan(1e-10);
    expect(simulation.certificate.report.complementarity).toBeLessThan(1e-9);
  });

  it('of dry and viscous friction in one graph: the mass stops at ln(1 + v₀)', () => {
    const friction: LawForm = {
      ...graph(
        [
          [0, 1],
          [0, -1],
        ],
        [1, -1],
        [1, -1],
      ),
      level: 'velocity',
    };
    const model: NonSmoothDynamicalSystem = {
      systems: [system('mass', linearLagrangian([0], [3], [[1]]))],
      interactions: [interaction('floor', [0], lagrangianRelation([[1]]), friction)],
    };
    const simulation = simulateEvents(model, { tEnd: 3, flights: 'exact' });
    simulation.run();
    expect(kinds(simulation.events)).toEqual(['slidingOn']);
    expect(Math.abs(simulation.events[0].time - Math.log(4))).toBeLessThan(1e-11);
    expect(Math.abs(simulation.x[0] - (3 - Math.log(4)))).toBeLessThan(1e-11);
    expect(simulation.x[1]).toBe(0);
    expect(simulation.isActive(0)).toBe(true);
  });

  it('of friction on a belt that weakens with the slip: it sticks at the speed of the belt', () => {
    // λ = ±(2 − |slip|) within |slip| < 1, and ±1 beyond: rising pieces on both sides of the vertical one.
    const [belt, v0] = [0.5, 1.25];
    const stribeck: LawForm = {
      ...graph(
        [
          [belt - 1, 1],
          [belt, 2],
          [belt, -2],
          [belt + 1, -1],
        ],
        [1, 0],
        [1, 0],
      ),
      level: 'velocity',
    };
    const model: NonSmoothDynamicalSystem = {
      systems: [system('block', linearLagrangian([0], [v0], [[1]]))],
      interactions: [interaction('belt', [0], lagrangianRelation([[1]]), stribeck)],
    };
    const simulation = simulateEvents(model, { tEnd: 2 });
    simulation.run();
    // s′ = s − 2 from s₀ = 3/4: s = 2 − 5/4 eᵗ.
    const stop = Math.log(1.6);
    const way = 2 * stop - 1.25 * 0.6 + belt * 2;
    expect(kinds(simulation.events)).toEqual(['slidingOn']);
    expect(simulation.events[0].after).toBeCloseTo(belt, 12);
    expect(Math.abs(simulation.events[0].time - stop)).toBeLessThan(1e-10);
    expect(Math.abs(simulation.x[0] - way)).toBeLessThan(1e-10);
    expect(simulation.state[placeState(model).yDot]).toBeCloseTo(belt, 12);
  });

  it('of a soft bumper of two springs, and of a contact beside it', () => {
    // λ = −100 y up to y = 0.05, then −400 (y − 0.05) − 5: a mass at 1 m/s.
    const bumper = graph(
      [
        [0, 0],
        [0.05, -5],
      ],
      [1, 0],
      [1, -400],
    );
    const model: NonSmoothDynamicalSystem = {
      systems: [
        system('cart', linearLagrangian([-0.1], [1], [[1]])),
        system('ball', linearLagrangian([0.5], [0], [[1]], { force: [-10] })),
      ],
      interactions: [
        interaction('bumper', [0], lagrangianRelation([[1]]), bumper),
        interaction('ground', [1], lagrangianRelation([[1]]), impact(0.5)),
      ],
    };
    const simulation = simulateEvents(model, { tEnd: 0.6, flights: 'exact' });
    const impulses: number[] = [];
    while (simulation.hasNextEvent) {
      simulation.computeOneStep();
      if (simulation.impulses[1] !== 0) impulses.push(simulation.impulses[1]);
    }
    // First spring: sin 10τ = 1/2. Second: from speed cos(π/6), ω = 20, equilibrium at 0.05 − 5/400.
    const first = Math.PI / 60;
    const u = Math.cos(Math.PI / 6);
    const offset = 5 / 400;
    const second = 2 * (Math.PI / 2 - Math.atan2(offset * 20, u)) * (1 / 20);
    const leaving = 0.1 + 2 * first + second;
    const pieces = simulation.events.filter(({ kind }) => kind === 'piece').map(({ time }) => time);
    expect(pieces).toHaveLength(4);
    [0.1, 0.1 + first, 0.1 + first + second, leaving].forEach((time, k) =>
      expect(Math.abs(pieces[k] - time)).toBeLessThan(1e-11),
    );
    expect(Math.abs(simulation.x[0] + (0.6 - leaving))).toBeLessThan(1e-10);
    expect(impulses).toHaveLength(1);
    expect(impulses[0]).toBeCloseTo(1.5 * Math.sqrt(10), 10);
    expect(simulation.certificate.report.complementarity).toBeLessThan(1e-9);
  });

  it('of a point at which it starts, vertical or at a corner', () => {
    // A relay of [−1, 1] beside slopes, at its vertical piece, with a force that it holds.
    const law = graph(
      [
        [0, 1],
        [0, -1],
      ],
      [1, -1],
      [1, -1],
    );
    const model: NonSmoothDynamicalSystem = {
      systems: [system('x', linearFirstOrder([[0]], [0], { source: (t) => [t] }))],
      interactions: [interaction('law', [0], linearRelation([[1]], [[1]]), law)],
    };
    const simulation = simulateEvents(model, { tEnd: 2 });
    simulation.run();
    // It holds t up to t = 1, and then ẋ = t − 1 − x.
    expect(kinds(simulation.events)).toEqual(['slidingOff']);
    expect(Math.abs(simulation.events[0].time - 1)).toBeLessThan(1e-10);
    expect(Math.abs(simulation.x[0] - Math.exp(-1))).toBeLessThan(1e-10);
  });
});

describe('what else belongs to a simulation', () => {
  const oscillator = (): NonSmoothDynamicalSystem => randomGraphs(seeded(5)).model;

  it('goes on from an exported state with the same bits', () => {
    const settings = { tEnd: 2, h: 0.1 };
    const whole = simulateEvents(oscillator(), settings);
    while (whole.startingTime < 1) whole.computeOneStep();
    const state = whole.exportState();
    const other = simulateEvents(oscillator(), settings);
    other.loadState(state);
    whole.run();
    other.run();
    expect(Array.from(other.state)).toEqual(Array.from(whole.state));
  });

  it('has the certificate object to a point off the graph', () => {
    const model = integrator(saturation(), 0.5);
    const places = placeState(model);
    const simulation = new EventDriven(model, places, { t0: 0, tEnd: 1, h: 0.1 });
    const judged = (change: (row: Float64Array) => void): number => {
      const row = simulation.state.slice();
      change(row);
      const certificate = new EventCertificate(model, places);
      certificate.row(row);
      return certificate.worst.law;
    };
    expect(judged(() => undefined)).toBeLessThan(1e-15);
    expect(judged((row) => (row[places.lambda] *= 1.01))).toBeGreaterThan(1e-3);
    expect(
      judged((row) => {
        row[places.q] = row[places.y] = 2;
        row[places.lambda] = -2;
      }),
    ).toBeGreaterThan(0.1);
  });
});

describe('a graph that has no motion from event to event', () => {
  const refusal = (model: NonSmoothDynamicalSystem): EngineError => {
    try {
      simulateEvents(model);
    } catch (error) {
      if (error instanceof EngineError) return error;
      throw error;
    }
    throw new Error('nothing was refused');
  };

  const mass = (law: LawForm, D?: number[][]): NonSmoothDynamicalSystem => ({
    systems: [system('mass', linearLagrangian([-1], [1], [[1]]))],
    interactions: [interaction('law', [0], lagrangianRelation([[1]], [], D), law)],
  });
  const stop = graph([[0, 0]], [1, 0], [0, -1]);
  const withD = (law: LawForm, d: number): NonSmoothDynamicalSystem => ({
    systems: [system('x', linearFirstOrder([[0]], [1]))],
    interactions: [interaction('law', [0], linearRelation([[1]], [[1]], { D: [[d]] }), law)],
  });

  it.each([
    [
      'turns back',
      integrator(
        graph(
          [
            [0, 0],
            [1, -1],
          ],
          [-1, 0],
          [1, -1],
        ),
      ),
      'turns back in y at (0, 0)',
    ],
    [
      'rises vertically',
      integrator(
        graph(
          [
            [0, -1],
            [0, 1],
          ],
          [1, 0],
          [1, 0],
        ),
      ),
      'rises vertically at (0, -1)',
    ],
    ['is constant', integrator(graph([[0, 2]], [1, 0], [1, 0])), 'constant λ'],
    ['stops positions', mass(stop), 'vertical piece on positions'],
    ['stops velocities at once', mass({ ...stop, level: 'velocity' }), 'infinite bound'],
    ['holds a velocity', mass({ ...graph([[0, 0]], [0, -1], [0, -1]), level: 'velocity' }), 'vertical line'],
    ['is of velocities that yield', mass({ ...saturation(), level: 'velocity' }, [[1]]), 'one of velocities'],
    ['has λ an impulse', mass({ ...saturation(), level: 'velocity', multiplier: 'impulse' }), 'impulse'],
    [
      'stops positions beside a row that yields',
      {
        systems: [system('mass', linearLagrangian([-1, -1], [1, 1], identity(2)))],
        interactions: [
          interaction(
            'law',
            [0],
            lagrangianRelation(
              identity(2),
              [],
              [
                [0, 0],
                [0, 1],
              ],
            ),
            { ...stop, size: 2, rows: [...stop.rows, ...stop.rows] },
          ),
        ],
      },
      'vertical piece on positions',
    ],
    ['falls less than D is negative', withD(graph([[0, 0]], [1, -2], [1, -1]), -0.6), 'D is so negative'],
    ['is a relay whose D is negative', withD(relay(), -1), 'D is so negative'],
    ['rises more than D lets it', withD(graph([[0, 0]], [1, 0], [1, 2]), 0.6), 'rises so steeply'],
  ])('because it %s is refused with its place', (_what, model, words) => {
    const { details, message } = refusal(model);
    expect(details).toMatchObject({ code: 'event-driven-unsupported', where: 'law' });
    expect(message).toContain(words);
  });

  it('is treated where it rises less than D lets it', () => {
    // y = x + 0.6 λ, λ = y for y > 0: λ = x/0.4, ẋ = λ.
    const simulation = simulateEvents(withD(graph([[0, 0]], [1, 0], [1, 1]), 0.6), { tEnd: 0.5 });
    simulation.run();
    expect(simulation.x[0]).toBeCloseTo(Math.exp(1.25), 8);
  });
});
