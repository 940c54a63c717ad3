/**
 * Random rectifiers from event to event: phases with and without inductance, diodes with and without forward
 * voltage, resistance and snubbers, loads of all sorts, mostly from rest. While all diodes block, potentials
 * float; at the start everything is zero. Against steps, whose error goes with h, extrapolated.
 */
import { describe, expect, it } from 'vitest';
import { createSandbox } from '@engine/script/sandbox';
import { atLeast, sample } from '../../support/prove';
import { type Random, seeded } from '../support/random';
import { type Run, start } from '../support/run';
import { drawn, type Part } from './drawn';

const FREQUENCY = 50;
const END = 0.05;
const STEPS = 1000;

/** Parts between the wires `p` and `m` that the diodes feed. */
function load(random: Random): Part[] {
  const R = 10 ** random.uniform(1, 3);
  const kind = random.integer(0, 4);
  if (kind === 0) return [['R1', 'Resistor', ['p', 'm'], { resistance: R }]];
  if (kind === 1)
    return [
      ['L1', 'Inductor', ['p', 'q'], { inductance: random.uniform(0.001, 0.05) }],
      ['R1', 'Resistor', ['q', 'm'], { resistance: R }],
    ];
  if (kind === 2)
    return [
      ['R1', 'Resistor', ['p', 'q'], { resistance: 0.1 * R }],
      ['E1', 'VoltageSource', ['q', 'm'], { voltage: random.uniform(20, 80) }],
    ];
  const v0 = random.chance(0.5) ? 0 : random.uniform(0, 100);
  const C: Part = ['C1', 'Capacitor', [kind === 3 ? 'p' : 'q', 'm'], { capacitance: 1e-4, v0 }];
  const R1: Part = ['R1', 'Resistor', [kind === 3 ? 'p' : 'q', 'm'], { resistance: R }];
  return kind === 3 ? [C, R1] : [C, R1, ['L1', 'Inductor', ['p', 'q'], { inductance: 0.01 }]];
}

function rectifier(random: Random): Part[] {
  const phases = random.integer(1, 3);
  const isBridge = random.chance(0.7);
  const isOffset = random.chance(0.3);
  const hasSnubbers = random.chance(0.25);
  const diode = {
    ...(random.chance(0.3) ? { forwardVoltage: 0.8 } : {}),
    ...(random.chance(0.3) ? { onResistance: 0.05 } : {}),
  };
  const star = isBridge || random.chance(0.5) ? 'star' : 'm';
  const parts = load(random);
  // One phase of a bridge comes back by a second pair of diodes.
  const legs = isBridge && phases === 1 ? 2 : phases;
  for (let k = 0; k < legs; k++) {
    const node = `x${k}`;
    if (k < phases) {
      const phase = (2 * Math.PI * k) / phases + (isOffset ? random.uniform(0, 1) : 0);
      const inner = random.uniform(0, 1);
      const first = inner < 0.3 ? node : `u${k}`;
      parts.push([`V${k}`, 'SineVoltage', [first, star], { amplitude: 100, frequency: FREQUENCY, phase }]);
      const second = inner < 0.6 ? node : `w${k}`;
      if (first !== node) parts.push([`La${k}`, 'Inductor', [first, second], { inductance: 0.002 }]);
      if (first !== node && second !== node)
        parts.push([`Ra${k}`, 'Resistor', [second, node], { resistance: 0.5 }]);
    } else parts.push([`Ra${k}`, 'Resistor', ['star', node], { resistance: 0.1 }]);
    parts.push([`Du${k}`, 'Diode', [node, 'p'], diode]);
    if (hasSnubbers) parts.push([`Su${k}`, 'Resistor', [node, 'p'], { resistance: 1e4 }]);
    if (!isBridge) continue;
    parts.push([`Dl${k}`, 'Diode', ['m', node], diode]);
    if (hasSnubbers) parts.push([`Sl${k}`, 'Resistor', ['m', node], { resistance: 1e4 }]);
  }
  if (!isBridge) parts.push(['F1', 'Diode', ['m', 'p'], diode]);
  if (!isBridge && star !== 'm') parts.push(['Rs', 'Resistor', ['star', 'm'], { resistance: 0.2 }]);
  // The wire `m` is ground.
  return parts.map(([id, type, nodes, fields]): Part => {
    const named = nodes.map((node) => (node === 'm' ? '0' : node));
    return fields === undefined ? [id, type, named] : [id, type, named, fields];
  });
}

interface Judged {
  /** mean of the voltage of the load, V, by the rows */
  readonly mean: number;
  /** worst residual of the certificate */
  readonly defect: number;
}

/** Null where the run is refused or ends with an error. */
function judge(
  parts: readonly Part[],
  scheme: 'event-driven' | 'time-stepping',
  steps: number,
): Judged | null {
  const document = drawn(parts, { h: END / steps, tEnd: END });
  let started: Run;
  try {
    started = start(document, { sandbox: createSandbox, scheme });
  } catch {
    return null;
  }
  const { session, column } = started;
  if (session.advance(Number.MAX_SAFE_INTEGER) !== 'done') return null;
  const { complementarity, dynamics, coneViolation } = session.certificate;
  const [times, values] = [column('t'), column('R1.v')];
  let sum = 0;
  for (let k = 1; k < times.length; k++) {
    const height = scheme === 'event-driven' ? (values[k] + values[k - 1]) / 2 : values[k];
    sum += (times[k] - times[k - 1]) * height;
  }
  return { mean: sum / END, defect: Math.max(complementarity, dynamics, coneViolation) };
}

const CASES = 1000;
/**
 * Those of them that end with an error or red, where several diodes change at once to rounding, or flights
 * are stiff. None should; what is green must be right in any case.
 */
const MOST_FAILED = 47;

describe('random rectifiers', () => {
  it('go from event to event as by steps that become small', { timeout: sample(60_000, 3_600_000) }, () => {
    const cases = sample(16, CASES);
    let [compared, failed] = [0, 0];
    for (let seed = 0; seed < cases; seed++) {
      const parts = rectifier(seeded(seed));
      const found = judge(parts, 'event-driven', STEPS);
      // On stiff flights events are found to the tolerance of the integration.
      if (found === null || !(found.defect < 1e-7)) {
        failed++;
        continue;
      }
      const coarse = judge(parts, 'time-stepping', STEPS);
      const fine = judge(parts, 'time-stepping', 2 * STEPS);
      if (coarse === null || fine === null) throw new Error(`${seed} fails by steps`);
      const open = Math.abs(coarse.mean - fine.mean);
      expect(Math.abs(found.mean - (2 * fine.mean - coarse.mean)), `${seed}`).toBeLessThan(2 * open + 0.2);
      if (open < 1) compared++;
    }
    expect(failed).toBeLessThanOrEqual(sample(0, MOST_FAILED));
    expect(compared).toBeGreaterThanOrEqual(atLeast(850, cases, CASES));
  });
});
