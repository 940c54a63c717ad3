/**
 * Relations that bend: the yo-yo, whose string turns it round at its end, and whose turns become ever
 * shorter.
 */
import { analysedMotion } from '@engine/analysis/jobs/motion-of';
import { WatchedFunctions } from '@engine/event-driven/conditions/watched-functions';
import type { EventDriven } from '@engine/event-driven/event-driven';
import { describe, expect, it, vi } from 'vitest';
import { createSandbox } from '@engine/script/sandbox';
import { example } from '../../support/models';

const { motion } = analysedMotion(example('yoyo'), {}, { sandbox: createSandbox });

// a = g/(1 + k²/r²); at each turn (k² − r²)/(k² + r²) of the speed is left.
const FALL = Math.sqrt((2 * 0.95) / (9.81 / 17));
const LEFT = 15 / 17;
const turns = (count: number): number[] =>
  Array.from({ length: count }, (_, k) => FALL * (1 + (2 * LEFT * (1 - LEFT ** k)) / (1 - LEFT)));

const simulate = (tEnd: number, start: Float64Array, certify = false): EventDriven =>
  motion.simulate(0, tEnd, start, Math.ceil(tEnd / 0.01), certify);

describe('a yo-yo', () => {
  it('turns round where its string ends, by impacts that satisfy their equations', () => {
    const simulation = simulate(16, motion.initialState, true);
    simulation.run();
    const { events, certificate } = simulation;
    expect(events.map(({ kind }) => kind)).toEqual(new Array(6).fill('impact'));
    turns(6).forEach((time, k) => expect(events[k].time).toBeCloseTo(time, 9));
    const { dynamics, complementarity, coneViolation } = certificate.report;
    expect(Math.max(dynamics, complementarity, coneViolation)).toBeLessThan(1e-11);
  });

  it('has disturbances that are differences of motions across a turn', () => {
    const r = 0.005;
    // x = q | v with q = (x, y, φ); the string stays taut.
    for (const [along, across] of [
      [1, 2],
      [4, 5],
    ]) {
      const moved = (by: number): Float64Array => {
        const x = motion.initialState;
        x[along] -= r * by;
        x[across] += by;
        const simulation = simulate(2.5, x);
        simulation.run();
        return simulation.x.slice();
      };
      const simulation = simulate(2.5, motion.initialState);
      const tangent = motion.tangent(simulation);
      simulation.run();
      expect(tangent.broken).toBeNull();
      const { frame } = tangent;
      const delta = 0.5;
      const [above, below] = [moved(delta), moved(-delta)];
      for (let i = 0; i < 6; i++) {
        const carried = frame[6 * across + i] - r * frame[6 * along + i];
        expect(Math.abs(carried - (above[i] - below[i]) / (2 * delta))).toBeLessThan(
          1e-4 * (1 + Math.abs(carried)),
        );
      }
    }
  });

  it('is ended where its turns accumulate, and does not fall through the end of its string', () => {
    const simulation = simulate(32, motion.initialState);
    const end = FALL * (1 + (2 * LEFT) / (1 - LEFT));
    let failure: unknown = null;
    try {
      simulation.run();
    } catch (error) {
      failure = error;
    }
    expect(failure).toMatchObject({ details: { code: 'infinite-events' } });
    expect(simulation.startingTime).toBeCloseTo(end, 4);
  });

  it('that is not watched is not said to be complete', () => {
    // What a slip in the watching of conditions would leave of it.
    const watching = vi.spyOn(WatchedFunctions.prototype, 'begin').mockImplementation((isZero) => isZero);
    try {
      const simulation = simulate(4, motion.initialState, true);
      simulation.run();
      expect(simulation.events).toEqual([]);
      expect(simulation.complete).toBe(false);
    } finally {
      watching.mockRestore();
    }
  });
});
