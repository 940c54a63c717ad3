/**
 * Starts that rounding has left beside zero, as those of a run that goes on where another one has met a
 * contact.
 */
import { describe, expect, it } from 'vitest';
import { sample } from '../../support/prove';
import { ball, G, kinds, simulateEvents } from './support';

const E = 0.6;
const T_END = 0.8;

/** Height of a ball that starts from the ground at a speed. */
function heightAt(time: number, speed: number): number {
  let up = Math.max(speed, -E * speed);
  let since = time;
  // Bounces become a rest after a time that is finite.
  for (let bounce = 0; bounce < 200 && since > (2 * up) / G; bounce++) {
    since -= (2 * up) / G;
    up *= E;
  }
  return Math.max(0, up * since - (G * since ** 2) / 2);
}

describe('a ball that starts beside the ground', () => {
  const trials = (): number => sample(60, 5000);
  let state = 7;
  const uniform = (): number => (state = (16_807 * state) % 2_147_483_647) / 2_147_483_647;

  it.each(['exact', 'integrated'] as const)(
    `by up to what counts as rounding, moves as one that starts on it (${trials()} gaps, flights: %s)`,
    (flights) => {
      for (let trial = 0; trial < trials(); trial++) {
        const gap = (uniform() < 0.7 ? -1 : 1) * 10 ** (-12.2 - 18 * uniform());
        const speed = uniform() < 0.3 ? -(1 + 2 * uniform()) : 1 + 2 * uniform();
        const simulation = simulateEvents(ball(gap, E, speed), { tEnd: T_END, h: 0.05, flights });
        simulation.run();
        const [, height] = simulation.state;
        const name = `gap ${gap}, speed ${speed}`;
        expect(Math.abs(height - heightAt(T_END, speed)), name).toBeLessThan(1e-9);
        const first = kinds(simulation.events)[0];
        expect(first, name).toBe('impact');
        for (const value of Object.values(simulation.certificate.worst))
          expect(value, name).toBeLessThan(1e-9);
        expect(simulation.events[0].time, name).toBeCloseTo(speed < 0 ? 0 : (2 * speed) / G, 9);
      }
    },
  );

  it.each(['exact', 'integrated'] as const)('at rest, stays there (%s)', (flights) => {
    for (const gap of [-9e-13, -1e-14, -3e-17, -1e-30, 0, 1e-30, 1e-27, 3e-17, 5e-13]) {
      const simulation = simulateEvents(ball(gap, E), { h: 0.05, flights });
      simulation.run();
      expect(Math.abs(simulation.state[1]), `gap ${gap}`).toBeLessThan(1e-12);
      expect(simulation.isActive(0)).toBe(true);
      expect(
        simulation.events.filter(({ kind }) => kind === 'impact'),
        `gap ${gap}`,
      ).toEqual([]);
    }
  });
});
