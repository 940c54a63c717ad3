/** Random passive networks from event to event against the implicit Euler method with tiny steps. */
import { describe, expect, it } from 'vitest';
import { sample } from '../../../support/prove';
import { euler, networkModel, passiveNetwork } from '../../support/passive-networks';
import { seeded } from '../../support/random';
import { simulateEvents } from '../support';

const END = 3;
const SAMPLES = 6;
const STEPS = 400;

describe('random passive networks', () => {
  it('follow the implicit Euler method as its step becomes small', { timeout: sample(300_000, 7_200_000) }, () => {
    let [compared, jumped] = [0, 0];
    const from = Number(process.env.SEED ?? 0);
    const failures: string[] = [];
    for (let seed = from; seed < from + Number(process.env.COUNT ?? sample(24, 2000)); seed++) {
      const random = seeded(seed);
      const network = passiveNetwork(random, {
        isTimed: seed % 3 === 1,
        hasEquations: seed % 2 === 0,
        hasRelays: seed % 5 === 2,
      });
      const coarse = euler(network, END, SAMPLES, STEPS);
      const fine = euler(network, END, SAMPLES, 2 * STEPS);
      if (coarse === null || fine === null) continue;
      compared++;
      try {
        const simulation = simulateEvents(networkModel(network), {
          tEnd: END,
          h: END / SAMPLES / 10,
          relativeTolerance: 1e-10,
          absoluteTolerance: 1e-11,
        });
        if (simulation.rowsAtEvent === 2) jumped++;
        let next = 0;
        while (simulation.hasNextEvent) {
          simulation.computeOneStep();
          const t = simulation.state[0];
          if (next < SAMPLES && Math.abs(t - ((next + 1) * END) / SAMPLES) < 1e-9) {
            for (let s = 0; s < network.x0.length; s++) {
              const [a, b] = [coarse[next][s], fine[next][s]];
              const expected = 2 * b - a;
              const off = Math.abs(simulation.x[s] - expected);
              if (off > 2e-3 + 3 * Math.abs(b - a))
                throw new Error(`t ${t} x${s} ${simulation.x[s]} not ${expected} (${b - a})`);
            }
            next++;
          }
        }
        expect(next).toBe(SAMPLES);
        const { complementarity, dynamics, coneViolation } = simulation.certificate.report;
        const worst = Math.max(complementarity, dynamics, coneViolation);
        if (!(worst < 1e-7)) throw new Error(`certificate ${worst} ${JSON.stringify(simulation.certificate.worst)}`);
      } catch (error) {
        failures.push(`${seed}: ${String(error instanceof Error ? error.message : error).slice(0, 300)}`);
      }
    }
    console.log(compared, jumped);
    expect(failures).toEqual([]);
  });
});
