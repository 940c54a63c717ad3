/**
 * Mechanisms of bodies and joints by time-stepping: joints as impulses at velocity level, and beside
 * contacts.
 */
import { describe, expect, it } from 'vitest';
import type { ModelDocument, TypedElement } from '@engine/document/types';
import { exactPendulum } from './multibody/support/exact-pendulum';
import { body, G, joint } from './support/bodies';
import { buildSound } from './support/built';
import { simulateEvents } from './event-driven/support';
import { example, model } from './support/models';
import { observedOrder } from './support/order';
import { run } from './support/run';

const largest = (values: Float64Array): number =>
  values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

const joints = (
  systems: Parameters<typeof model>[0],
  interactions: Parameters<typeof model>[1],
  tEnd: number,
): ModelDocument => {
  const document = model(systems, interactions, { tEnd });
  return { ...document, simulation: { ...document.simulation, problem: { type: 'auto' } } };
};

const pendulum = (law?: TypedElement): ModelDocument =>
  joints([body('bob', [1, 0, 0])], [joint('rod', ['bob'], { type: 'Distance', length: 1 }, law)], 1);

describe('the pendulum', () => {
  const exact = exactPendulum(1, G);
  const error = (document: ModelDocument, h: number): number => {
    const { column } = run(document, { h });
    return Math.hypot(
      (column('bob.q[0]').at(-1) ?? NaN) - exact.x,
      (column('bob.q[1]').at(-1) ?? NaN) - exact.y,
    );
  };

  it.each(['velocity', 'position'])(
    'converges to the exact motion with order 1, joint at %s level',
    (level) => {
      const steps = [4e-3, 2e-3, 1e-3];
      const errors = steps.map((h) => error(pendulum({ type: 'Equality', level }), h));
      expect(observedOrder(steps, errors)).toBeGreaterThan(0.9);
      expect(errors[2]).toBeLessThan(1e-2);
    },
  );

  it('keeps its rod to rounding at position level, and drifts with the step at velocity level', () => {
    const drift = (level: string): number =>
      largest(run(pendulum({ type: 'Equality', level }), { h: 1e-3 }).column('rod.y'));
    expect(drift('position')).toBeLessThan(1e-14);
    expect(drift('velocity')).toBeGreaterThan(1e-9);
    expect(drift('velocity')).toBeLessThan(1e-4);
  });

  it('has the impulses in its rod that the force from event to event gives', () => {
    const h = 1e-3;
    const { column } = run(pendulum(), { h });
    const total = column('rod.impulse').reduce((sum, p) => sum + p, 0);
    const simulation = simulateEvents(buildSound(pendulum()).model, { tEnd: 1, h });
    let integral = 0;
    let last = simulation.state[9];
    while (simulation.hasNextEvent) {
      simulation.computeOneStep();
      integral += (h / 2) * (last + simulation.state[9]);
      last = simulation.state[9];
    }
    expect(Math.abs(total / integral - 1)).toBeLessThan(5e-3);
    expect(integral).toBeLessThan(-5);
  });
});

describe('examples of mechanisms', () => {
  it('the web cutter turns as the mechanism does, whatever the scheme', () => {
    const document = example('four-bar-web-cutter');
    const { column } = run(document, { tEnd: 0.5 });
    const simulation = simulateEvents(buildSound(document).model, { tEnd: 0.5, h: 0.01 });
    simulation.run();
    const names = ['crank', 'coupler', 'rocker'];
    names.forEach((name, s) => {
      for (let k = 0; k < 3; k++)
        expect(
          Math.abs((column(`${name}.q[${k}]`).at(-1) ?? NaN) - simulation.state[1 + 3 * s + k]),
        ).toBeLessThan(1e-6);
    });
  });

  const pendulums = (integrators: TypedElement[]): ModelDocument => {
    const document = example('double-pendulum');
    return { ...document, simulation: { ...document.simulation, integrators } };
  };
  const lossOf = (document: ModelDocument, h: number): number => {
    const energy = run(document, { scheme: 'time-stepping', h, tEnd: 1 }).column('energy');
    return energy[0] - (energy.at(-1) ?? NaN);
  };

  it('the double pendulum loses energy in proportion to the step by Moreau–Jean', () => {
    const steps = [2e-3, 1e-3, 5e-4];
    const losses = steps.map((h) => lossOf(pendulums([{ type: 'MoreauJean' }]), h));
    expect(Math.abs(observedOrder(steps, losses) - 1)).toBeLessThan(0.05);
    expect(losses[2]).toBeGreaterThan(0.05);
  });

  it('and by default only with the square of the step', () => {
    const steps = [2e-3, 1e-3, 5e-4];
    const losses = steps.map((h) => Math.abs(lossOf(pendulums([]), h)));
    expect(observedOrder(steps, losses)).toBeGreaterThan(1.8);
    expect(losses[2]).toBeLessThan(1e-3);
  });

  it('the pin of the slider-crank stays within its clearance', () => {
    const { column } = run(example('slider-crank-clearance'), { tEnd: 0.012 });
    const gaps = column('pin.gap');
    // The crank moves by ω r h in a step, and nothing in the pin is faster by much.
    expect(Math.min(...gaps)).toBeGreaterThan(-0.05 * ((5000 * Math.PI) / 30) * 2e-6);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(0.0005);
    expect(column('pin.impulse').some((p) => p > 0)).toBe(true);
    // The pin is within the clearance along the rod, whose angle to the slide is asin r/l at most.
    const obliqueness = Math.sqrt(1 - (0.05 / 0.12) ** 2);
    expect(largest(column('late'))).toBeLessThan((1.01 * 0.0005) / obliqueness);
    expect(largest(column('late'))).toBeGreaterThan(0.0004);
  });

  it('redundant joints share their impulses, and the motion is the same', () => {
    const platform = (cranks: number): ModelDocument =>
      joints(
        [body('platform', [0, -1, 0], [2, 0, 0])],
        [-1, 1, 0]
          .slice(0, cranks)
          .map((x, k) =>
            joint(`crank${k}`, ['platform'], { type: 'Distance', point1: [x, 0], point2: [x, 0], length: 1 }),
          ),
        0.5,
      );
    const [three, two] = [run(platform(3)).column('platform.q[0]'), run(platform(2)).column('platform.q[0]')];
    three.forEach((x, k) => expect(Math.abs(x - two[k])).toBeLessThan(1e-9));
    expect(three.at(-1)).not.toBeCloseTo(0, 2);
  });
});

describe('springs between points', () => {
  const [k, m1, m2] = [50, 1, 3];
  const bodies = [
    body('a', [0, 0, 0], [0, 0, 0], { mass: m1, gravity: [0, 0] }),
    body('b', [1.5, 0, 0], [0, 0, 0], { mass: m2, gravity: [0, 0] }),
  ];
  const spring = { type: 'Spring', stiffness: k, length: 1 };
  /** Distance of two bodies that are let go half a metre too far apart. */
  const exact = (t: number): number => 1 + 0.5 * Math.cos(Math.sqrt(k / ((m1 * m2) / (m1 + m2))) * t);

  it('oscillate with the frequency of the reduced mass, from event to event', () => {
    const { model: built } = buildSound(model(bodies, [joint('spring', ['a', 'b'], spring)]));
    const simulation = simulateEvents(built, { tEnd: 2 });
    while (simulation.hasNextEvent) {
      simulation.computeOneStep();
      const { state } = simulation;
      expect(Math.abs(state[4] - state[1] - exact(state[0]))).toBeLessThan(1e-9);
      // The thrust is against the stretch.
      expect(Math.abs(state[15] + k * (exact(state[0]) - 1))).toBeLessThan(1e-7);
    }
    expect(simulation.certificate.worst.motion).toBeLessThan(1e-6);
  });

  it('and by time-stepping, with order 1', () => {
    const steps = [2e-3, 1e-3, 5e-4];
    const errors = steps.map((h) => {
      const { column } = run(joints(bodies, [joint('spring', ['a', 'b'], spring)], 1), { h });
      return Math.abs((column('b.q[0]').at(-1) ?? NaN) - (column('a.q[0]').at(-1) ?? NaN) - exact(1));
    });
    expect(observedOrder(steps, errors)).toBeGreaterThan(0.9);
  });

  it('may push without pulling: a buffer gives back what it took, after half a period', () => {
    const wall = { type: 'Spring', point1: [-1, 0], stiffness: 400, length: 0.5 };
    const ball = body('ball', [0, 0, 0], [-2, 0, 0], { gravity: [0, 0] });
    const law = { type: 'Complementarity', level: 'position' };
    const { model: built } = buildSound(model([ball], [joint('buffer', ['ball'], wall, law)]));
    const simulation = simulateEvents(built, { tEnd: 1 });
    simulation.run();
    // Half a metre at 2 m/s, then half a period of the spring, 20 rad/s.
    const touched = 0.25;
    const left = touched + Math.PI / 20;
    expect(simulation.events.map(({ kind }) => kind)).toEqual(['closing', 'release']);
    expect(simulation.events[0].time).toBeCloseTo(touched, 10);
    expect(simulation.events[1].time).toBeCloseTo(left, 10);
    expect(simulation.state[4]).toBeCloseTo(2, 9);
    expect(simulation.state[1]).toBeCloseTo(-0.5 + 2 * (1 - left), 9);
  });
});
