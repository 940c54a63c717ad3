/** Stiff linear motion after its fast part has died out, against arcs through all of it. */
import { FALLING } from '@engine/smooth/event-functions';
import { ExactArcs } from '@engine/smooth-arcs/exact-arcs';
import { LinearFlight } from '@engine/smooth-arcs/linear-flight';
import type { LinearSystem } from '@engine/smooth-arcs/linear-system';
import { describe, expect, it } from 'vitest';
import { sample } from '../../support/prove';
import { form } from '../smooth/support';
import { type Random, seeded } from '../support/random';

/** Slow components, fast ones that decay and are driven by them, and an oscillator that drives all. */
function stiff(random: Random): LinearSystem {
  const fast = random.integer(1, 3);
  const slow = random.integer(1, 2);
  const size = fast + slow + 2;
  const matrix = new Float64Array(size * size);
  for (let i = 0; i < size - 2; i++) {
    const rate = i < fast ? 10 ** random.uniform(5.5, 6.5) : random.uniform(1, 30);
    for (let j = 0; j < size; j++) matrix[i * size + j] = random.uniform(-0.3, 0.3) * (i < fast ? rate : 20);
    matrix[i * size + i] = -rate;
  }
  matrix[(size - 1) * size - 1] = 20;
  matrix[size * size - 2] = -20;
  const constant = Float64Array.from({ length: size }, (_, i) => (i < size - 2 ? random.uniform(-5, 5) : 0));
  return { size, matrix, constant };
}

function fly(system: LinearSystem, isSettled: boolean): { states: Float64Array; steps: number } {
  const { size } = system;
  const events = {
    count: 1,
    linear: () => form([...new Array<number>(size - 1).fill(0), 1], 0),
    value: () => undefined,
    watch: Int8Array.of(FALLING),
  };
  const arcs = new ExactArcs(system, { maxSteps: 1_000_000 }, events);
  const flight = new LinearFlight(system);
  if (isSettled) expect(flight.settle(1e4)).toBe(true);
  arcs.change(flight);
  arcs.x.fill(1);
  arcs.start(0);
  const states: number[] = [];
  for (let k = 1; k <= 4; k++) {
    while (arcs.advance(0.05 * k) === 'root') states.push(arcs.clock[0]);
    states.push(...arcs.x);
  }
  return { states: Float64Array.from(states), steps: arcs.counters.steps };
}

describe('stiff linear motion', () => {
  it('goes on by what is slow, with the same states and roots', () => {
    for (let seed = 0; seed < sample(6, 100); seed++) {
      const system = stiff(seeded(seed));
      const [all, settled] = [fly(system, false), fly(system, true)];
      expect(settled.states.length).toBe(all.states.length);
      settled.states.forEach((value, k) => {
        expect(Math.abs(value - all.states[k]), `${seed}, ${k}`).toBeLessThan(2e-11 * (1 + Math.abs(value)));
      });
      expect(settled.steps).toBeLessThan(0.02 * all.steps);
    }
  });

  it('has no such part where something fast does not die out, or nothing is fast', () => {
    const spinning = { size: 2, matrix: Float64Array.of(0, 1e6, -1e6, 0), constant: new Float64Array(2) };
    const growing = { size: 2, matrix: Float64Array.of(1e6, 0, 0, -1), constant: new Float64Array(2) };
    const calm = { size: 1, matrix: Float64Array.of(-1), constant: new Float64Array(1) };
    for (const system of [spinning, growing, calm]) expect(new LinearFlight(system).settle(1e3)).toBe(false);
  });

  it('keeps apart rates that are close', () => {
    const close = { size: 2, matrix: Float64Array.of(-1500, 0, 0, -900), constant: new Float64Array(2) };
    expect(new LinearFlight(close).settle(1e3)).toBe(false);
  });
});
