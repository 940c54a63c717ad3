import { EngineError } from '@engine/errors';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { describe, expect, it } from 'vitest';
import type { Matrix } from '../support/dense';
import {
  complementarity,
  graph,
  interaction,
  linearFirstOrder,
  linearRelation,
  relay,
  system,
} from '../support/forms';
import { kinds, simulateEvents } from './support';

const switched = (
  A: Matrix,
  x0: readonly number[],
  C: Matrix,
  B: Matrix,
  options: {
    b?: readonly number[];
    D?: Matrix;
    law?: ReturnType<typeof relay>;
    source?: (t: number) => number[];
  } = {},
): NonSmoothDynamicalSystem => ({
  systems: [
    system(
      'plant',
      linearFirstOrder(A, x0, {
        ...(options.b && { b: options.b }),
        ...(options.source && { source: options.source }),
      }),
    ),
  ],
  interactions: [
    interaction('law', [0], linearRelation(C, B, options.D && { D: options.D }), options.law ?? relay()),
  ],
});

describe('ẋ = −sgn x', () => {
  it('reaches zero at t = x₀ and stays', () => {
    const simulation = simulateEvents(switched([[0]], [1], [[1]], [[1]]), { tEnd: 2, h: 0.1 });
    simulation.run();
    expect(kinds(simulation.events)).toEqual(['slidingOn']);
    expect(simulation.events[0].time).toBeCloseTo(1, 14);
    expect(Math.abs(simulation.state[1])).toBeLessThan(2e-16);
    // y, ẏ, λ follow x and its velocity slot
    expect(simulation.state[5]).toBeCloseTo(0, 15);
  });
});

describe('a relay that slides on a plane', () => {
  // ẋ₁ = x₂ + λ, ẋ₂ = −x₁, y = x₁: sliding on x₁ = 0 with λ = −x₂, ẋ₂ = 0.
  // From (1, 0.5), λ = −1: x₁ = 1 + ∫(x₂ − 1), a rotation about (0, 1).
  const model = switched(
    [
      [0, 1],
      [-1, 0],
    ],
    [1, 0.5],
    [[1, 0]],
    [[1], [0]],
  );

  it('enters sliding at the exact time and keeps y = 0 by the equivalent control', () => {
    const simulation = simulateEvents(model, { tEnd: 6, h: 0.05 });
    simulation.run();
    // u = x₁ = cos t − 0.5 sin t = 0 at tan t = 2; x₂ − 1 = −sin t − 0.5 cos t
    const t = Math.atan(2);
    const x2 = 1 - Math.sin(t) - 0.5 * Math.cos(t);
    expect(kinds(simulation.events)).toEqual(['slidingOn']);
    expect(Math.abs(simulation.events[0].time - t)).toBeLessThan(1e-12);
    expect(Math.abs(simulation.state[1])).toBeLessThan(1e-15);
    expect(Math.abs(simulation.state[2] - x2)).toBeLessThan(1e-11);
    expect(Math.abs(simulation.state[7] + x2)).toBeLessThan(1e-11);
  });

  it('leaves sliding where the control reaches its bound', () => {
    // ẋ₁ = x₂ + λ, ẋ₂ = 1: λ = −x₂ = −t until t = 1, then x₁ = (t − 1)²/2 with λ = −1
    const leaving = switched(
      [
        [0, 1],
        [0, 0],
      ],
      [0, 0],
      [[1, 0]],
      [[1], [0]],
      { b: [0, 1] },
    );
    const simulation = simulateEvents(leaving, { tEnd: 2, h: 0.25 });
    simulation.run();
    expect(kinds(simulation.events)).toEqual(['slidingOff']);
    expect(Math.abs(simulation.events[0].time - 1)).toBeLessThan(1e-12);
    expect(Math.abs(simulation.state[1] - 0.5)).toBeLessThan(1e-11);
    expect(simulation.state[7]).toBe(-1);
  });

  it('crosses where the control is too weak', () => {
    // ẋ = −3 + λ: −4 above zero, −2 below
    const crossing = switched([[0]], [1], [[1]], [[1]], { b: [-3] });
    const simulation = simulateEvents(crossing, { tEnd: 1, h: 0.1 });
    simulation.run();
    expect(kinds(simulation.events)).toEqual(['switch']);
    expect(simulation.events[0].time).toBeCloseTo(0.25, 14);
    expect(simulation.state[1]).toBeCloseTo(-1.5, 13);
  });
});

describe('complementarity', () => {
  it('of degree 0: a diode that conducts half of each period', () => {
    // ẋ = sin t − x... y = λ + s(t)-like output: y = x + λ ≥ 0 ⊥ λ ≥ 0 with ẋ = cos t, so λ = max(0, −sin t)
    const model = switched([[0]], [0], [[1]], [[0]], {
      D: [[1]],
      law: complementarity(),
      source: (t) => [Math.cos(t)],
    });
    const simulation = simulateEvents(model, { tEnd: 10, h: 0.05 });
    let worst = 0;
    while (simulation.hasNextEvent) {
      simulation.computeOneStep();
      const [t] = simulation.state;
      worst = Math.max(worst, Math.abs(simulation.state[5] - Math.max(0, -Math.sin(t))));
    }
    expect(worst).toBeLessThan(1e-10);
    expect(kinds(simulation.events)).toEqual(['closing', 'release', 'closing']);
    simulation.events.forEach(({ time }, k) => {
      expect(Math.abs(time - (k + 1) * Math.PI)).toBeLessThan(1e-10);
    });
  });

  it('of degree 0: the diode ends to conduct, whatever rounding leaves of an output that is zero at every event', () => {
    for (let k = 0; k < 40; k++) {
      const frequency = 1 + 0.037 * k;
      const size = 10 ** ((k % 9) - 4);
      const model = switched([[0]], [0], [[1]], [[0]], {
        D: [[1]],
        law: complementarity(),
        source: (t) => [size * frequency * Math.cos(frequency * t)],
      });
      const simulation = simulateEvents(model, { tEnd: 10 / frequency, h: 0.05 / frequency });
      simulation.run();
      expect(kinds(simulation.events), `${k}`).toEqual(['closing', 'release', 'closing']);
    }
  });

  it('of degree 1: an output that is held at zero and released', () => {
    // ẋ = cos t + λ, y = x ≥ 0: sin t until π, then 0 while cos t < 0, released at 3π/2 with x = sin t + 1
    const model = switched([[0]], [0], [[1]], [[1]], {
      law: complementarity(),
      source: (t) => [Math.cos(t)],
    });
    const simulation = simulateEvents(model, { tEnd: 2 * Math.PI, h: Math.PI / 50 });
    simulation.run();
    expect(kinds(simulation.events)).toEqual(['closing', 'release']);
    expect(Math.abs(simulation.events[0].time - Math.PI)).toBeLessThan(1e-11);
    expect(Math.abs(simulation.events[1].time - 1.5 * Math.PI)).toBeLessThan(1e-11);
    expect(Math.abs(simulation.state[1] - 1)).toBeLessThan(1e-10);
  });

  it('of two coupled rows: the diode bridge of the Siconos developer’s notes before and after the first commutation', () => {
    // L i̇ = −v, C v̇ = i − … (Siconos developer's notes §8.0.9): capacitor voltage x₁, inductor current x₂
    const [L, Cap, R] = [1e-2, 1e-6, 1e3];
    const model: NonSmoothDynamicalSystem = {
      systems: [
        system(
          'circuit',
          linearFirstOrder(
            [
              [0, -1 / Cap],
              [1 / L, 0],
            ],
            [10, 0],
          ),
        ),
      ],
      interactions: [
        interaction(
          'bridge',
          [0],
          linearRelation(
            [
              [0, 0],
              [0, 0],
              [-1, 0],
              [1, 0],
            ],
            [
              [0, 0, -1 / Cap, 1 / Cap],
              [0, 0, 0, 0],
            ],
            {
              D: [
                [1 / R, 1 / R, -1, 0],
                [1 / R, 1 / R, 0, -1],
                [1, 0, 0, 0],
                [0, 1, 0, 0],
              ],
            },
          ),
          complementarity(),
        ),
      ],
    };
    const simulation = simulateEvents(model, { tEnd: 5e-3, h: 5e-6 });
    let half = NaN;
    while (simulation.hasNextEvent) {
      simulation.computeOneStep();
      if (Math.abs(simulation.state[0] - 5e-4) < 1e-12) half = simulation.state[1];
    }
    const omega = 9987.4922;
    const exact = (t: number): number =>
      Math.exp(-500 * t) * (10 * Math.cos(omega * t) - 0.500626 * Math.sin(omega * t));
    expect(half).toBeCloseTo(2.53697, 5);
    expect(simulation.state[1]).toBeCloseTo(0.790323, 5);
    expect(Math.abs(simulation.state[1] - exact(5e-3))).toBeLessThan(1e-5);
  });
});

describe('what is refused', () => {
  const refusal = (run: () => unknown): EngineError => {
    try {
      run();
    } catch (error) {
      if (error instanceof EngineError) return error;
      throw error;
    }
    throw new Error('nothing was refused');
  };

  it('names a law that is a graph of pieces', () => {
    const model = switched([[0]], [1], [[1]], [[1]], {
      law: graph(
        [
          [0, 0],
          [1, -1],
        ],
        [-1, 0],
        [1, -1],
      ),
    });
    expect(refusal(() => simulateEvents(model)).details).toMatchObject({
      code: 'event-driven-unsupported',
      where: 'law',
    });
  });

  it('names a relay that acts on the second derivative only', () => {
    const model = switched(
      [
        [0, 1],
        [0, 0],
      ],
      [0, 0],
      [[1, 0]],
      [[0], [1]],
    );
    expect(refusal(() => simulateEvents(model)).details).toMatchObject({
      code: 'event-driven-degree',
      where: 'law',
    });
  });

  it('names an output that starts on the wrong side', () => {
    const model = switched([[0]], [-0.5], [[1]], [[1]], { law: complementarity() });
    const { details } = refusal(() => simulateEvents(model));
    expect(details.code).toBe('inconsistent-start');
    expect(details.message).toContain('5.000e-1');
  });
});
