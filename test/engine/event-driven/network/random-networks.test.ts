/**
 * Random passive networks from event to event against the implicit Euler method with tiny steps: the index of
 * their rows depends on the mode, and states that the modes do not admit jump.
 */
import { describe, expect, it } from 'vitest';
import { atLeast, sample } from '../../../support/prove';
import { euler, networkModel, passiveNetwork, type PassiveNetwork } from '../../support/passive-networks';
import { seeded } from '../../support/random';
import { simulateEvents } from '../support';

const END = 3;
const SAMPLES = 6;
const STEPS = 400;
/** What the extrapolated oracle leaves: at switchings its error is not of one order. */
const OFF = 2e-3;
const CASES = 590;

/** Largest distance of states at the times of the samples, beyond what the oracle leaves open. */
function distance(seed: number, network: PassiveNetwork, coarse: number[][], fine: number[][]): number {
  const simulation = simulateEvents(networkModel(network), {
    tEnd: END,
    h: END / SAMPLES / 10,
    relativeTolerance: 1e-10,
    absoluteTolerance: 1e-11,
  });
  let worst = 0;
  let next = 0;
  while (simulation.hasNextEvent) {
    simulation.computeOneStep();
    if (next >= SAMPLES || Math.abs(simulation.state[0] - ((next + 1) * END) / SAMPLES) > 1e-9) continue;
    for (let s = 0; s < network.x0.length; s++) {
      const [a, b] = [coarse[next][s], fine[next][s]];
      worst = Math.max(worst, Math.abs(simulation.x[s] - (2 * b - a)) - 3 * Math.abs(b - a));
    }
    next++;
  }
  expect(next).toBe(SAMPLES);
  const { complementarity, dynamics, coneViolation } = simulation.certificate.report;
  expect(Math.max(complementarity, dynamics, coneViolation), `${seed}`).toBeLessThan(1e-7);
  return worst;
}

describe('random passive networks', () => {
  it(
    'follow the implicit Euler method as its step becomes small',
    { timeout: sample(60_000, 3_600_000) },
    () => {
      let [compared, jumped] = [0, 0];
      const cases = sample(24, CASES);
      for (let seed = 0; seed < cases; seed++) {
        const options = { isTimed: seed % 3 === 1, hasEquations: seed % 2 === 0, hasRelays: seed % 5 === 2 };
        const network = passiveNetwork(seeded(seed), options);
        const coarse = euler(network, END, SAMPLES, STEPS);
        const fine = euler(network, END, SAMPLES, 2 * STEPS);
        if (coarse === null || fine === null) continue;
        compared++;
        if (simulateEvents(networkModel(network)).impulses.some((p) => p !== 0)) jumped++;
        expect(distance(seed, network, coarse, fine), `${seed}`).toBeLessThan(OFF);
      }
      expect(compared).toBeGreaterThan(0.8 * cases);
      expect(jumped).toBeGreaterThanOrEqual(atLeast(150, cases, CASES));
    },
  );
});
