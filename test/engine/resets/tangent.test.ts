/** Disturbances of motions with resets: saltation matrices, orbits and multipliers. */
import { describe, expect, it } from 'vitest';
import { findOrbit } from '@engine/analysis/stability/periodic-orbit';
import { lyapunovSpectrum } from '@engine/analysis/stability/lyapunov';
import { type MotionModel, preparedMotion } from '@engine/analysis/stability/motion-model';
import type { ModelDocument } from '@engine/document/types';
import type { EventDriven } from '@engine/event-driven/event-driven';
import { sample } from '../../support/prove';
import { prepareDocument } from '../event-driven/gallery';
import { seeded } from '../support/random';
import { linear, reset, resetting } from './documents';
import { draw, written } from './random-cases';

const motionOf = (document: ModelDocument): MotionModel => preparedMotion(prepareDocument(document));

const firings = ({ events }: EventDriven): string =>
  events
    .filter(({ kind }) => kind === 'reset')
    .map(({ element }) => element)
    .join();

function ended(motion: MotionModel, end: number, x: Float64Array): EventDriven | null {
  try {
    const simulation = motion.simulate(0, end, x);
    simulation.run();
    return simulation;
  } catch {
    // A reset that leaves its guard on the wrong side, or calls others without end.
    return null;
  }
}

/** ∂x(end)/∂x(0) by differences of whole motions; null where some of them fire in another order. */
function differences(motion: MotionModel, end: number, x: Float64Array, order: string): number[] | null {
  const out: number[] = [];
  const delta = 1e-4;
  for (let j = 0; j < x.length; j++) {
    const at = [-2, -1, 1, 2].map((k) =>
      ended(
        motion,
        end,
        x.map((v, i) => (i === j ? v + k * delta : v)),
      ),
    );
    const ends = at.flatMap((one) => (one === null || firings(one) !== order ? [] : [one.x]));
    if (ends.length < 4) return null;
    const [a, b, c, d] = ends;
    for (let i = 0; i < x.length; i++) out.push((a[i] - 8 * b[i] + 8 * c[i] - d[i]) / (12 * delta));
  }
  return out;
}

describe('a disturbance is carried across resets', () => {
  it('as differences of motions have it, of random guards and maps', { timeout: 600_000 }, () => {
    const random = seeded(977);
    let compared = 0;
    let resets = 0;
    const count = sample(40, 1000);
    for (let k = 0; k < count; k++) {
      const motion = motionOf(resetting(written(draw(random)), { tEnd: 2, h: 0.05 }));
      const x = motion.initialState;
      const plain = ended(motion, 2, x);
      if (plain === null || firings(plain).length === 0) continue;
      const order = firings(plain);
      const reference = differences(motion, 2, x, order);
      const size = reference === null ? 0 : Math.max(...reference.map(Math.abs));
      // Passages that graze are ill-conditioned for both.
      if (reference === null || size > 50) continue;
      const simulation = motion.simulate(0, 2, x);
      const tangent = motion.tangent(simulation);
      simulation.run();
      expect(tangent.broken, `case ${k}`).toBeNull();
      reference.forEach((value, i) => {
        expect(Math.abs(tangent.frame[i] - value) / Math.max(1, size), `case ${k}, ${order}`).toBeLessThan(
          1e-6,
        );
      });
      compared++;
      resets += order.split(',').length;
    }
    expect(compared).toBeGreaterThan(count / 5);
    expect(resets).toBeGreaterThan(compared);
  });

  it('where map and guard vary with the time, long after its start and within microseconds just so', () => {
    const frameOf = (
      begin: number,
      unit: number,
    ): { frame: Float64Array; motion: MotionModel; order: string } => {
      const rate = 1 / unit;
      const phase = `20 * (t - ${begin}) / ${unit}`;
      const motion = motionOf(
        resetting(
          [
            linear('first', [[-rate]], [1.5 * rate], [0.2]),
            linear('second', [[-0.5 * rate]], [0.3 * rate], [0.4]),
            reset('fire', 'first', `first.x - 1 - 0.05 * sin(${phase})`, [
              `0.1 * second.x^2 + 0.2 * sin(${phase})`,
            ]),
          ],
          { t0: begin, tEnd: begin + 3 * unit, h: 0.05 * unit },
        ),
      );
      const simulation = motion.simulate(begin, 3 * unit, motion.initialState);
      const tangent = motion.tangent(simulation);
      simulation.run();
      expect(tangent.broken).toBeNull();
      return { frame: tangent.frame, motion, order: firings(simulation) };
    };
    const { frame, motion, order } = frameOf(0, 1);
    expect(order).toContain('fire,fire');
    const reference = differences(motion, 3, motion.initialState, order) ?? [];
    expect(reference).toHaveLength(4);
    const late = frameOf(1000, 1).frame;
    const fast = frameOf(0, 1e-6).frame;
    reference.forEach((value, i) => {
      expect(Math.abs(frame[i] - value)).toBeLessThan(1e-7);
      expect(Math.abs(late[i] - value)).toBeLessThan(1e-6);
      expect(Math.abs(fast[i] - value)).toBeLessThan(1e-6);
    });
  });

  it('through a second neuron that is kicked over its threshold at the same instant', () => {
    const document = resetting(
      [
        linear('first', [[-1]], [1.5], [0.2]),
        linear('second', [[-0.5]], [0.3], [0.4]),
        reset('fire', 'first', 'first.x - 1', ['0.1 * second.x^2 + 0.2 * sin(t)']),
        reset('kick', 'second', 'first.x - 1', ['second.x + 0.6']),
        reset('answer', 'second', 'second.x - 0.9', ['0.5 * (second.x - 0.9)']),
      ],
      { tEnd: 2, h: 0.05 },
    );
    const motion = motionOf(document);
    const simulation = motion.simulate(0, 2, motion.initialState);
    const tangent = motion.tangent(simulation);
    simulation.run();
    const order = firings(simulation);
    expect(order).toContain('fire,kick,answer');
    expect(tangent.broken).toBeNull();
    const reference = differences(motion, 2, motion.initialState, order) ?? [];
    expect(reference).toHaveLength(4);
    reference.forEach((value, i) => expect(Math.abs(tangent.frame[i] - value)).toBeLessThan(1e-8));
  });

  it('through a loop with Clegg’s integrator, whose guard its reset keeps', () => {
    const A = [
      [0, 1, 0],
      [0, -0.2, 1],
      [-1, -1, 0],
    ];
    const map = ['s.x[0]', 's.x[1]', '0'];
    const guard = '1 - s.x[0] - s.x[1]';
    for (const text of [guard, `sinh(${guard})`]) {
      const systems = [linear('s', A, [0, 0, 1], [0.1, 0.2, 0]), reset('zero', 's', text, map, 'both')];
      const motion = motionOf(resetting(systems, { tEnd: 6, h: 0.05 }));
      const simulation = motion.simulate(0, 6, motion.initialState);
      const tangent = motion.tangent(simulation);
      simulation.run();
      const order = firings(simulation);
      expect(order).toBe('zero,zero,zero');
      expect(tangent.broken).toBeNull();
      const reference = differences(motion, 6, motion.initialState, order) ?? [];
      expect(reference).toHaveLength(9);
      reference.forEach((value, i) => expect(Math.abs(tangent.frame[i] - value)).toBeLessThan(1e-7));
    }
  });

  it('unless two guards that have nothing to do with each other pass zero at once', () => {
    const document = resetting(
      [
        linear('first', [[0]], [1], [0]),
        linear('second', [[0]], [2], [-1]),
        reset('one', 'first', 'first.x - 1', [0]),
        reset('two', 'second', 'second.x - 1', [-3]),
      ],
      { tEnd: 1.5, h: 0.1 },
    );
    const motion = motionOf(document);
    const simulation = motion.simulate(0, 1.5, motion.initialState);
    const tangent = motion.tangent(simulation);
    simulation.run();
    expect(tangent.broken).toMatchObject({ status: 'simultaneous', element: 'one' });
  });

  /** A relay on x₁ or x₂ switches at the instant t = 1 at which the first is reset. */
  const switched = (C: number[], e: number): MotionModel =>
    motionOf({
      ...resetting(
        [
          linear('first', [[0]], [1], [0]),
          linear('second', [[0]], [3], [-4]),
          reset('one', 'first', 'first.x - 1', [0]),
        ],
        { tEnd: 1.5, h: 0.1 },
      ),
      interactions: [
        {
          id: 'relay',
          systems: ['first', 'second'],
          relation: { type: 'FirstOrderLinearTI', C: [C], B: [[0], [1]], e: [e] },
          law: { type: 'Relay' },
        },
      ],
    });

  it('nor a relay with a guard of its own', () => {
    const motion = switched([0, 1], 0);
    const simulation = motion.simulate(0, 1.5, motion.initialState);
    const tangent = motion.tangent(simulation);
    simulation.run();
    expect(firings(simulation)).toBe('one');
    expect(tangent.broken).toMatchObject({ status: 'simultaneous', element: 'one' });
  });

  it('but a relay of the same function meets it at the same instant nearby', () => {
    const motion = switched([1, 0], -1);
    const simulation = motion.simulate(0, 1.5, motion.initialState);
    const tangent = motion.tangent(simulation);
    simulation.run();
    expect(tangent.broken).toBeNull();
    const reference = differences(motion, 1.5, motion.initialState, 'one') ?? [];
    expect(reference).toHaveLength(4);
    reference.forEach((value, i) => expect(Math.abs(tangent.frame[i] - value)).toBeLessThan(1e-8));
  });
});

/** A leaky neuron, τ = 1, whose threshold and value after a spike are driven. */
const I = 1.5;
const period = 1.1;
const w = (2 * Math.PI) / period;
const threshold = (t: number): number => 1 + 0.1 * Math.sin(w * t);
const driven = (): ModelDocument =>
  resetting(
    [
      linear('neuron', [[-1]], [I], [0]),
      reset('fire', 'neuron', 'neuron.x - 1 - 0.1 * sin(w * t)', ['0.05 * cos(w * t)']),
    ],
    { tEnd: 100, h: 0.05 },
    { w },
  );

describe('integrate and fire, driven with a period', () => {
  it('has the multiplier of its formula', () => {
    const motion = motionOf(driven());
    const long = motion.simulate(0, 60 * period, motion.initialState);
    long.run();
    const orbit = findOrbit(motion, long.x.slice(), { t0: 0, period, isAutonomous: false });
    if (orbit.status !== 'converged') throw new Error(orbit.status);
    const spikes = orbit.events.filter(({ kind }) => kind === 'reset').map(({ time }) => time);
    expect(spikes).toHaveLength(1);
    // S = (f⁺ − dR/dt)/(f⁻ − dθ/dt) between factors e^{−Δt}.
    const [t] = spikes;
    const after = I - 0.05 * Math.cos(w * t) + 0.05 * w * Math.sin(w * t);
    const before = I - threshold(t) - 0.1 * w * Math.cos(w * t);
    const multiplier = Math.exp(-period) * (after / before);
    expect(Math.abs(orbit.multipliers.real[0] - multiplier)).toBeLessThan(1e-9);
    expect(Math.abs(multiplier)).toBeLessThan(1);
    const spectrum = lyapunovSpectrum(motion, long.x.slice(), {
      t0: 0,
      transient: 0,
      duration: 20 * period,
      interval: period,
    });
    if (spectrum.status !== 'done') throw new Error(spectrum.status);
    expect(Math.abs(spectrum.exponents[0] - Math.log(Math.abs(multiplier)) / period)).toBeLessThan(1e-6);
  });
});
