/** Coordinates with joints by half steps: order, energy, positions of joints, contacts and friction beside them, and the certificate. */
import { describe, expect, it } from 'vitest';
import type { InteractionDocument, ModelDocument, SystemDocument } from '@engine/document/types';
import { originOf } from '@engine/simulation/carry-over';
import { TimeStepping } from '@engine/simulation/time-stepping';
import { buildSound } from '../support/built';
import { simulateEvents } from '../event-driven/support';
import { exactPendulum } from '../multibody/support/exact-pendulum';
import { body, G, joint } from '../support/bodies';
import { compile, timeStepping } from '../support/compiled';
import { model } from '../support/models';
import { maximum, observedOrder } from '../support/order';
import { run } from '../support/run';
import { sample } from '../../support/prove';

const mechanism = (
  systems: SystemDocument[],
  interactions: InteractionDocument[],
  tEnd = 1,
): ModelDocument => {
  const document = model(systems, interactions, { tEnd });
  return { ...document, simulation: { ...document.simulation, integrators: [], problem: { type: 'auto' } } };
};

/** A bar between two points. */
const bar = (id: string, mass: number, from: number[], to: number[], fields = {}): SystemDocument => {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const place = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, Math.atan2(dy, dx)];
  return body(id, place, [0, 0, 0], { mass, inertia: (mass * (dx * dx + dy * dy)) / 12, ...fields });
};
const pin = (id: string, systems: string[], point1: number[], point2: number[]): InteractionDocument =>
  joint(id, systems, { type: 'Revolute', point1, point2 });

/** Four hinges: a crank of 0.3 m that stands upright, a coupler, a rocker on a hinge at (0.7, 0). */
const linkage = (tEnd = 1): ModelDocument => {
  const a = 0.3;
  const [top, foot] = [
    [0.8, 0.59],
    [0.7, 0],
  ];
  const b = Math.hypot(top[0], top[1] - a);
  const rocker = Math.hypot(top[0] - foot[0], top[1] - foot[1]);
  return mechanism(
    [bar('crank', 0.4, [0, 0], [0, a]), bar('coupler', 0.9, [0, a], top), bar('rocker', 0.7, foot, top)],
    [
      pin('A', ['crank'], [0, 0], [-a / 2, 0]),
      pin('B', ['crank', 'coupler'], [a / 2, 0], [-b / 2, 0]),
      pin('C', ['coupler', 'rocker'], [b / 2, 0], [rocker / 2, 0]),
      pin('D', ['rocker'], foot, [-rocker / 2, 0]),
    ],
    tEnd,
  );
};

const last = (values: Float64Array): number => values.at(-1) ?? NaN;

describe('a linkage of four hinges', () => {
  /** Work of the weights, Σ −m g y, from the state of time-stepping: t, then positions. */
  const weights = (state: Float64Array): number =>
    -G * [0.4, 0.9, 0.7].reduce((sum, mass, s) => sum + mass * state[1 + 3 * s + 1], 0);

  it('is where it is from event to event, with order 2, without asking for it', () => {
    const document = linkage();
    const exact = simulateEvents(buildSound(document).model, { tEnd: 1, h: 0.01 });
    exact.run();
    const steps = [8e-3, 4e-3, 2e-3];
    const errors = steps.map((h) => {
      const { column } = run(document, { h });
      return Math.max(
        ...[0, 1, 2].map((k) => Math.abs(last(column(`coupler.q[${k}]`)) - exact.state[1 + 3 + k])),
      );
    });
    expect(observedOrder(steps, errors)).toBeGreaterThan(1.9);
    expect(errors[2]).toBeLessThan(2e-4);
    expect(compile(document).settings.integrators.map(({ type }) => type)).toEqual(['MoreauHalfStep']);
  });

  it('is of order 1 by Moreau–Jean, which may be chosen', () => {
    const document = linkage();
    const exact = simulateEvents(buildSound(document).model, { tEnd: 1, h: 0.01 });
    exact.run();
    const old: ModelDocument = {
      ...document,
      simulation: { ...document.simulation, integrators: [{ type: 'MoreauJean' }] },
    };
    const { column } = run(old, { h: 2e-3 });
    expect(Math.abs(last(column('coupler.q[0]')) - exact.state[4])).toBeGreaterThan(5e-3);
  });

  it('keeps its joints to rounding and its energy within a bound that falls with the square of the step', () => {
    const losses = [4e-3, 2e-3].map((h) => {
      const simulation = timeStepping({ ...linkage(1e6), simulation: { ...linkage(1e6).simulation, h } });
      const { state } = simulation;
      const steps = sample(1500, 100_000);
      const { kinetic, potential } = simulation.certificate;
      const start = kinetic + potential - weights(state);
      let early = 0;
      let late = 0;
      for (let step = 0; step < steps; step++) {
        simulation.advance();
        const energy = simulation.certificate.kinetic + simulation.certificate.potential - weights(state);
        const off = Math.abs(energy - start);
        if (step < steps / 3) early = Math.max(early, off);
        else if (step > (2 * steps) / 3) late = Math.max(late, off);
      }
      expect(late).toBeLessThan(1.5 * early);
      const { certificate } = simulation.certificate;
      expect(certificate.complementarity).toBeLessThan(1e-11);
      expect(certificate.dynamics).toBeLessThan(1e-11);
      return Math.max(early, late);
    });
    expect(losses[0] / losses[1]).toBeGreaterThan(2.5);
    expect(losses[1]).toBeLessThan(2e-3);
    const { column } = run(linkage(0.3));
    for (const name of ['A', 'B', 'C', 'D'])
      for (const k of [0, 1]) expect(maximum(column(`${name}.y[${k}]`))).toBeLessThan(1e-14);
  });

  it('goes on from a state that is taken, with the same bits', () => {
    const { model: built, layout, settings } = compile(linkage());
    const whole = new TimeStepping(built, layout, settings);
    for (let k = 0; k < 30; k++) whole.advance();
    const resumed = new TimeStepping(built, layout, settings, originOf(built, whole.exportState()));
    for (let k = 0; k < 30; k++) {
      whole.advance();
      resumed.advance();
    }
    expect([...resumed.state]).toEqual([...whole.state]);
  });

  it('is found out by its certificate when a velocity or a position is falsified', () => {
    for (const place of [1 + 1, 1 + 9 + 1]) {
      const simulation = timeStepping(linkage());
      for (let k = 0; k < 20; k++) simulation.advance();
      simulation.state[place] += 1e-7;
      simulation.certificate.check(simulation.oneStep.active);
      const { dynamics, complementarity } = simulation.certificate.certificate;
      expect(Math.max(dynamics, complementarity)).toBeGreaterThan(1e-9);
    }
  });

  it('cannot share an interaction with another integrator', () => {
    const document = linkage();
    const mixed: ModelDocument = {
      ...document,
      simulation: { ...document.simulation, integrators: [{ type: 'MoreauJean', systems: ['crank'] }] },
    };
    expect(() => timeStepping(mixed)).toThrow(/“B” are advanced by half steps and by another integrator/);
  });
});

describe('the pendulum by half steps', () => {
  const pendulum = (tEnd = 1): ModelDocument =>
    mechanism([body('bob', [1, 0, 0])], [joint('rod', ['bob'], { type: 'Distance', length: 1 })], tEnd);

  it('converges with order 2, and its rod has the force that holds it', () => {
    const exact = exactPendulum(1, G);
    const steps = [4e-3, 2e-3, 1e-3];
    const places: number[] = [];
    const forces: number[] = [];
    for (const h of steps) {
      const { column } = run(pendulum(), { h });
      places.push(Math.hypot(last(column('bob.q[0]')) - exact.x, last(column('bob.q[1]')) - exact.y));
      // Between two steps the mean of their mean forces is that of the moment: m (g·n + v²/l), n = −r.
      const [y, vx, vy, p] = ['bob.q[1]', 'bob.v[0]', 'bob.v[1]', 'rod.impulse'].map(column);
      const k = Math.round(0.7 / h);
      const pull = -(p[k] + p[k + 1]) / (2 * h);
      forces.push(Math.abs(pull - (-G * y[k] + vx[k] ** 2 + vy[k] ** 2)));
    }
    expect(observedOrder(steps, places)).toBeGreaterThan(1.9);
    expect(places[2]).toBeLessThan(2e-5);
    expect(observedOrder(steps, forces)).toBeGreaterThan(1.8);
  });

  it('springs back from a stop with e, and rests on it with the force of its weight', () => {
    const hinge = joint('hinge', ['arm'], { type: 'Revolute', point1: [0, 0], point2: [-0.5, 0] });
    const stop = (law: Record<string, number>): InteractionDocument =>
      joint(
        'stop',
        ['arm'],
        { type: 'PointOnPlane', point1: [0, -0.2], axis: 0, point2: [0.5, 0] },
        {
          type: 'NewtonImpact',
          ...law,
        },
      );
    const arm = (e: number, tEnd: number): ModelDocument =>
      mechanism([body('arm', [0.5, 0, 0], [0, 0, 0])], [hinge, stop({ e })], tEnd);
    const { column } = run(arm(0.6, 0.5), { h: 1e-3 });
    const rate = column('arm.v[2]');
    const struck = column('stop.impulse').findIndex((p) => p > 0);
    expect(struck).toBeGreaterThan(50);
    expect(-rate[struck] / rate[struck - 1]).toBeCloseTo(0.6, 1);
    const resting = run(arm(0, 0.6), { h: 1e-3 });
    const impulses = resting.column('stop.impulse').slice(-50);
    // Moments about the hinge: the stop is at the end of the arm, twice as far as its weight.
    for (const p of impulses) expect(p / 1e-3).toBeCloseTo(G / 2, 9);
    expect(maximum(resting.column('arm.v[2]').slice(-50))).toBeLessThan(1e-13);
    expect(resting.session.certificate.complementarity).toBeLessThan(1e-11);
  });

  it('two blocks on a rod slide with μ g and stop', () => {
    const ground = (block: string, x: number): InteractionDocument =>
      joint(
        `${block}${x > 0 ? 'Front' : 'Back'}`,
        [block],
        { type: 'PointOnPlane', point1: [0, 0], point2: [x, -0.1], rows: 'gapAndSlip' },
        { type: 'NewtonImpactFriction', e: 0, mu: 0.3 },
      );
    const blocks = mechanism(
      [body('a', [0, 0.1, 0], [1, 0, 0]), body('b', [1, 0.1, 0], [1, 0, 0], { mass: 2 })],
      [
        joint('rod', ['a', 'b'], { type: 'Distance', length: 1 }),
        ...['a', 'b'].flatMap((block) => [ground(block, -0.1), ground(block, 0.1)]),
      ],
      0.5,
    );
    const { column } = run(blocks, { h: 1e-3 });
    const speed = column('a.v[0]');
    for (let k = 1; k < 300; k++) expect(speed[k]).toBeCloseTo(1 - 0.3 * G * k * 1e-3, 10);
    expect(maximum(speed.slice(-50))).toBeLessThan(1e-12);
    expect(maximum(column('rod.y'))).toBeLessThan(1e-14);
  });

  it('redundant joints share their impulses, and the motion is the same', () => {
    const platform = (cranks: number): ModelDocument =>
      mechanism(
        [body('platform', [0, -1, 0], [2, 0, 0])],
        [-1, 1, 0]
          .slice(0, cranks)
          .map((x, k) =>
            joint(`crank${k}`, ['platform'], { type: 'Distance', point1: [x, 0], point2: [x, 0], length: 1 }),
          ),
        0.5,
      );
    const [three, two] = [run(platform(3)), run(platform(2))];
    const places = two.column('platform.q[0]');
    three.column('platform.q[0]').forEach((x, k) => expect(Math.abs(x - places[k])).toBeLessThan(1e-11));
    expect(three.session.certificate.dynamics).toBeLessThan(1e-11);
  });

  it('a driven crank turns with its drive to rounding', () => {
    const driven = mechanism(
      [body('crank', [0.2, 0, 0], [0, 0.2 * 7, 7])],
      [
        joint('pivot', ['crank'], { type: 'Revolute', point1: [0, 0], point2: [-0.2, 0] }),
        joint('drive', ['crank'], { type: 'Driver', coordinate: 'angle', start: 0, rate: 7 }),
      ],
    );
    const { column, session } = run(driven, { h: 1e-3 });
    expect(last(column('crank.q[2]'))).toBeCloseTo(7, 12);
    expect(last(column('crank.q[0]'))).toBeCloseTo(0.2 * Math.cos(7), 12);
    expect(session.certificate.dynamics).toBeLessThan(1e-11);
  });

  it('a start with open joints is closed before the first step, and velocities with it', () => {
    const open = mechanism(
      [body('bob', [1.001, 0, 0], [0.01, 0, 0])],
      [joint('rod', ['bob'], { type: 'Distance', length: 1 })],
    );
    const simulation = timeStepping(open);
    expect(simulation.state[1]).toBeCloseTo(1, 14);
    expect(simulation.state[4]).toBeCloseTo(0, 14);
    simulation.advance();
    expect(Math.hypot(simulation.state[1], simulation.state[2])).toBeCloseTo(1, 14);
  });

  it('a spring without a free length takes a mass through its pivot, and a spring with one names where it cannot', () => {
    const bound = (length: number, q0: number[]): ModelDocument =>
      model(
        [body('m', q0, [0, 2, 0], { gravity: [0, 0] })],
        [joint('s', ['m'], { type: 'Spring', point1: [0, 0], stiffness: 100, length })],
        { h: 1e-3, tEnd: 1 },
      );
    const own = (document: ModelDocument): ModelDocument => ({
      ...document,
      simulation: { ...document.simulation, problem: { type: 'auto' } },
    });
    const steps = [1e-3, 5e-4, 2.5e-4];
    const errors = steps.map((h) => {
      const { column } = run(own(bound(0, [0.3, 0, 0])), { h });
      return Math.hypot(
        last(column('m.q[0]')) - 0.3 * Math.cos(10),
        last(column('m.q[1]')) - 0.2 * Math.sin(10),
      );
    });
    expect(observedOrder(steps, errors)).toBeGreaterThan(0.9);
    expect(errors[2]).toBeLessThan(4e-3);
    // Straight through the pivot, and at rest in it.
    expect(last(run(own(bound(0, [0, 0, 0])), { h: 1e-4 }).column('m.q[1]'))).toBeCloseTo(
      0.2 * Math.sin(10),
      2,
    );
    expect(() => run(own(bound(0.1, [0, 0, 0])))).toThrow(/“s” are in one place/);
  });

  it('springs and masses that depend on coordinates move as by Moreau–Jean, with order 2', () => {
    // A linear oscillator with damping: the implicit midpoint rule, whatever is stiff.
    const oscillator = (h: number): ModelDocument => {
      const document = model(
        [
          {
            id: 'm',
            type: 'LagrangianLinearTI',
            ndof: 1,
            mass: [[2]],
            stiffness: [[1e6]],
            damping: [[3]],
            q0: [0.01],
            v0: [1],
          },
        ],
        [],
        { h, tEnd: 0.5 },
      );
      return { ...document, simulation: { ...document.simulation, problem: { type: 'auto' } } };
    };
    const half = (document: ModelDocument): ModelDocument => ({
      ...document,
      simulation: { ...document.simulation, integrators: [{ type: 'MoreauHalfStep' }] },
    });
    const document = oscillator(5e-3);
    const [a, b] = [run(document).column('m.q'), run(half(document)).column('m.q')];
    b.forEach((x, k) => expect(Math.abs(x - a[k])).toBeLessThan(1e-11));
    expect(run(half(document)).session.certificate.dynamics).toBeLessThan(1e-11);
  });
});
