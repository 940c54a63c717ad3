/**
 * Coordinates with joints by half steps: order, energy, positions of joints, contacts and friction beside
 * them, and the certificate.
 */
import { describe, expect, it } from 'vitest';
import type { InteractionDocument, ModelDocument, SystemDocument } from '@engine/document/types';
import { originOf } from '@engine/time-stepping/state';
import { TimeStepping } from '@engine/time-stepping/time-stepping';
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

/**
 * Goes 20 steps, and has the certificate look at the last one again with an end that has been changed.
 * @returns the worst of that
 */
function judged(simulation: TimeStepping, change: (state: Float64Array) => void): number {
  const { state, certificate, context } = simulation;
  for (let k = 0; k < 20; k++) simulation.advance();
  const before = state.slice();
  const t0 = context.clock[0];
  simulation.advance();
  const after = state.slice();
  const t = context.clock[0];
  state.set(before);
  context.clock[0] = t0;
  certificate.start();
  state.set(after);
  context.clock[0] = t;
  change(state);
  certificate.check(simulation.oneStep.active);
  state.set(after);
  const { dynamics, complementarity } = certificate.report;
  return Math.max(dynamics, complementarity);
}

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
      const { report } = simulation.certificate;
      expect(report.complementarity).toBeLessThan(1e-11);
      expect(report.dynamics).toBeLessThan(1e-11);
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
      expect(judged(simulation, () => undefined)).toBeLessThan(1e-11);
      const worst = judged(simulation, (state) => {
        state[place] += 1e-7;
      });
      expect(worst).toBeGreaterThan(1e-9);
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

  /** A body of 1 kg on a spring of 100 N/m from the origin. */
  const bound = (length: number, q0: number[]): ModelDocument =>
    mechanism(
      [body('m', q0, [0, 2, 0], { gravity: [0, 0] })],
      [joint('s', ['m'], { type: 'Spring', point1: [0, 0], stiffness: 100, length })],
    );

  it('a spring without a free length takes a mass through its pivot with order 2, and a spring with one names where it cannot', () => {
    const steps = [4e-3, 2e-3, 1e-3];
    const errors = steps.map((h) => {
      const { column } = run(bound(0, [0.3, 0, 0]), { h });
      return Math.hypot(
        last(column('m.q[0]')) - 0.3 * Math.cos(10),
        last(column('m.q[1]')) - 0.2 * Math.sin(10),
      );
    });
    expect(observedOrder(steps, errors)).toBeGreaterThan(1.95);
    expect(errors[2]).toBeLessThan(3e-5);
    // Straight through the pivot, and at rest in it.
    expect(last(run(bound(0, [0, 0, 0]), { h: 1e-3 }).column('m.q[1]'))).toBeCloseTo(0.2 * Math.sin(10), 4);
    expect(() => run(bound(0.1, [0, 0, 0]))).toThrow(/“s” are in one place/);
  });

  it('a spring beside joints is where it is from event to event, with order 2, and its energy does not drift', () => {
    const [mass, k, length] = [2, 300, 0.6];
    const document = mechanism(
      [body('bob', [1, 0, 0], [0, 0, 0], { mass: 1 }), body('weight', [1.4, -0.7, 0], [0.3, 0, 0], { mass })],
      [
        joint('rod', ['bob'], { type: 'Distance', length: 1 }),
        joint('spring', ['bob', 'weight'], { type: 'Spring', stiffness: k, length }),
      ],
    );
    const exact = simulateEvents(buildSound(document).model, { tEnd: 1, h: 0.01 });
    exact.run();
    const steps = [4e-3, 2e-3, 1e-3];
    const errors = steps.map((h) => {
      const { column, session } = run(document, { h });
      expect(session.certificate.complementarity).toBeLessThan(1e-10);
      expect(session.certificate.dynamics).toBeLessThan(1e-10);
      return Math.max(
        ...[0, 1, 3, 4].map((c) =>
          Math.abs(last(column(`${c < 3 ? 'bob' : 'weight'}.q[${c % 3}]`)) - exact.state[1 + c]),
        ),
      );
    });
    expect(observedOrder(steps, errors)).toBeGreaterThan(1.9);
    expect(errors[2]).toBeLessThan(1e-4);
    const { column } = run(document, { h: 2e-3, tEnd: sample(10, 100) });
    const [x, y, X, Y] = ['bob.q[0]', 'bob.q[1]', 'weight.q[0]', 'weight.q[1]'].map(column);
    const energy = column('energy.kinetic').map((kinetic, n) => {
      const stretch = Math.hypot(X[n] - x[n], Y[n] - y[n]) - length;
      return kinetic + 0.5 * k * stretch ** 2 + G * (y[n] + mass * Y[n]);
    });
    const off = energy.map((e) => Math.abs(e - energy[0]));
    const half = off.length >> 1;
    expect(maximum(off)).toBeLessThan(0.05);
    expect(maximum(off.slice(half))).toBeLessThan(2 * maximum(off.slice(0, half)));
    // ẏ is the rate of the length at the end of a step, λ the thrust in its middle.
    const speeds = ['bob.v[0]', 'bob.v[1]', 'weight.v[0]', 'weight.v[1]'].map(column);
    const n = 700;
    const [dx, dy] = [X[n] - x[n], Y[n] - y[n]];
    const rate =
      (dx * (speeds[2][n] - speeds[0][n]) + dy * (speeds[3][n] - speeds[1][n])) / Math.hypot(dx, dy);
    expect(column('spring.yDot')[n]).toBeCloseTo(rate, 12);
    const mean = 0.5 * (X[n] - x[n] + X[n - 1] - x[n - 1]);
    const other = 0.5 * (Y[n] - y[n] + Y[n - 1] - y[n - 1]);
    expect(column('spring.lambda')[n]).toBeCloseTo(-k * (Math.hypot(mean, other) - length), 9);
  });

  it('a thrust of a spring that is falsified is found out', () => {
    const document = bound(0.2, [0.3, 0, 0]);
    const simulation = timeStepping(document);
    const { lambda } = compile(document).layout;
    expect(judged(simulation, () => undefined)).toBeLessThan(1e-11);
    expect(
      judged(simulation, (state) => {
        state[lambda] *= 1 + 1e-6;
      }),
    ).toBeGreaterThan(1e-9);
  });

  it('a linear relation that yields is a spring as well, with order 2', () => {
    // Two carts of 1 kg on a line with a buffer of 50 N/m between them: 10 rad/s.
    const cart = (id: string, x: number): SystemDocument => ({
      id,
      type: 'LagrangianLinearTI',
      ndof: 1,
      mass: [[1]],
      q0: [x],
      v0: [0],
    });
    const buffer: InteractionDocument = {
      id: 'buffer',
      systems: ['a', 'b'],
      relation: { type: 'LagrangianCompliantLinear', H: [[-1, 1]], D: [[1 / 50]], b: [-1] },
      law: { type: 'Equality', level: 'position' },
    };
    const document = mechanism([cart('a', 0), cart('b', 1.5)], [buffer]);
    const byHalves = {
      ...document,
      simulation: { ...document.simulation, integrators: [{ type: 'MoreauHalfStep' }] },
    };
    const steps = [4e-3, 2e-3, 1e-3];
    const errors = steps.map((h) =>
      Math.abs(last(run(byHalves, { h }).column('b.q')) - 1.25 - 0.25 * Math.cos(10)),
    );
    expect(observedOrder(steps, errors)).toBeGreaterThan(1.95);
    expect(errors[2]).toBeLessThan(1e-4);
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
