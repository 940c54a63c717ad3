/**
 * Multipliers, exponents and orbits where sources jump at given times: found in their source, or named
 * because it does not show them.
 */
import { analysedMotion } from '@engine/analysis/jobs/motion-of';
import { lyapunovSpectrum } from '@engine/analysis/stability/lyapunov';
import type { MotionModel } from '@engine/analysis/stability/motion-model';
import { findOrbit, type PeriodicOrbit } from '@engine/analysis/stability/periodic-orbit';
import { TangentMotion } from '@engine/event-driven/tangent/tangent-motion';
import type { RelationForm } from '@engine/model/forms';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { createSandbox } from '@engine/script/sandbox';
import { describe, expect, it } from 'vitest';
import { documentOf, type Parts, source } from '../event-driven/conditions/support';
import { kinds, simulateEvents } from '../event-driven/support';
import { frictionImpact, interaction, lagrangianRelation, linearLagrangian, system } from '../support/forms';

const motionOf = (parts: Parts): MotionModel =>
  analysedMotion(documentOf(parts), {}, { sandbox: createSandbox }).motion;

/** The orbit of period 1 from a state at the time t0. */
function orbitAt(motion: MotionModel, t0: number, x: number): PeriodicOrbit {
  const found = findOrbit(motion, Float64Array.of(x), { t0, period: 1, isAutonomous: false });
  if (found.status !== 'converged') throw new Error(JSON.stringify(found));
  return found;
}

function exponentOf(motion: MotionModel, x: number): number {
  const settings = { t0: 0, transient: 5, duration: 40, interval: 1 };
  const found = lyapunovSpectrum(motion, Float64Array.of(x), settings);
  if (found.status !== 'done') throw new Error(found.status);
  return found.exponents[0];
}

describe('a pulse that its source does not show, in a model that names its jumps', () => {
  const WIDTH = 1e-4;
  const script = `export const f: TimeVector = (t, out) => {
  const phase = t - Math.floor(t);
  const order = [0.4, ${0.4 + WIDTH}, phase].sort((a, b) => a - b);
  out[0] = order.indexOf(phase) === 1 ? ${1 / WIDTH} : 0;
};`;
  const jumps = [0.4, 0.4 + WIDTH].map((from) => ({ from, every: 1 }));
  const motion = motionOf({
    systems: [source([0], { A: [[-1]], b: { function: 'f' } })],
    script,
    simulation: { tEnd: 2, h: 0.5, eventDriven: { jumps } },
  });
  // ∫ e^(s − 1) / w ds over the pulse, and what is left of the start
  const pushed = (Math.exp(WIDTH - 0.6) - Math.exp(-0.6)) / WIDTH;

  it.each([0, 3])('acts on the orbit from t = %d s on, also behind the end of the run', (t0) => {
    const orbit = orbitAt(motion, t0, 0.1);
    expect(orbit.x[0]).toBeCloseTo(pushed / (1 - Math.exp(-1)), 9);
    expect(orbit.multipliers.real[0]).toBeCloseTo(Math.exp(-1), 10);
  });

  it('is no event for disturbances', () => {
    expect(exponentOf(motion, 0.1)).toBeCloseTo(-1, 9);
  });
});

describe('a switch that closes where a sawtooth jumps and opens where the state meets it', () => {
  // ẋ = 1 − x up to x = r, then ẋ = −x up to the next jump, with r falling from 1/2 to 0
  const meets = (): number => {
    let [a, b] = [0, 1];
    for (let k = 0; k < 60; k++) {
      const t = 0.5 * (a + b);
      const before = 0.5 * (1 - t) * Math.exp(t - 1);
      if (1 + (before - 1) * Math.exp(-t) > 0.5 * (1 - t)) b = t;
      else a = t;
    }
    return b;
  };
  const time = meets();
  const value = 0.5 * (1 - time);
  // S = 1 + (f⁺ − f⁻)/ġ with f⁻ = 1 − x, f⁺ = −x, ġ = f⁻ − ṙ; at the jump S = 1
  const multiplier = Math.exp(-1) * (1 - 1 / (1 - value + 0.5));

  it.each([
    ['found', 'Math.floor(t)', []],
    ['named', '(t | 0)', [{ from: 0, every: 1 }]],
  ])('has the orbit and multiplier of closed flights, its jumps being %s', (_, whole, jumps) => {
    const motion = motionOf({
      systems: [source([0.2], { A: [[-1]] })],
      interactions: [
        {
          id: 'switch',
          systems: ['c'],
          relation: { type: 'FirstOrderLinearTI', C: [[1]], B: [[1]], e: { function: 'ramp' } },
          law: { type: 'Relay', lower: [0], upper: [1] },
        },
      ],
      script: `export const ramp: TimeVector = (t, out) => { out[0] = -0.5 * (1 - (t - ${whole})); };`,
      simulation: { tEnd: 2, h: 0.5, eventDriven: { jumps } },
    });
    for (const t0 of [0, 7]) {
      const orbit = orbitAt(motion, t0, 0.2);
      expect(orbit.x[0]).toBeCloseTo(value * Math.exp(time - 1), 9);
      expect(orbit.multipliers.real[0]).toBeCloseTo(multiplier, 9);
    }
    expect(exponentOf(motion, 0.2)).toBeCloseTo(Math.log(multiplier), 8);
  });
});

describe('a block that slides on a table which starts to rise at a given time', () => {
  const [START, G, MU] = [0.3, 9.81, 0.3];
  const block = (u: number, rise: number): NonSmoothDynamicalSystem => {
    const table: RelationForm = {
      ...lagrangianRelation([
        [0, 1],
        [1, 0],
      ]),
      isTimeDependent: true,
      output: (clock, q, _lambda, out) => {
        out[0] = q[1] - rise * Math.max(0, clock[0] - START);
        out[1] = q[0];
      },
      timeDerivative: (clock, _q, out) => {
        out[0] = clock[0] < START ? 0 : -rise;
        out[1] = 0;
      },
      curvature: (_clock, _q, _v, out) => out.fill(0),
    };
    const mass = [
      [1, 0],
      [0, 1],
    ];
    return {
      systems: [system('block', linearLagrangian([0, 0], [u, 0], mass, { force: [0, -G] }))],
      interactions: [interaction('floor', [0], table, frictionImpact(MU))],
    };
  };
  const simulate = (u: number, rise: number): ReturnType<typeof simulateEvents> =>
    simulateEvents(block(u, rise), { tEnd: 0.32, jumps: { times: [START], periodic: [] } });
  const left = 1 - MU * G * START;

  it.each([
    ['stops it, and with it all motions nearby', 0.5, 0, START],
    ['slows it, and all motions nearby as much', 0.1, 1, 0.32],
  ])('%s', (_, rise, speed, path) => {
    const simulation = simulate(1, rise);
    const tangent = simulation.observe((parts) => new TangentMotion(parts, 4, true));
    simulation.run();
    expect(tangent.broken).toBeNull();
    expect(kinds(simulation.events)).toContain('impact');
    // The blow is judged by the speed that the table has behind it.
    expect(simulation.certificate.report.dynamics).toBeLessThan(1e-12);
    expect(simulation.certificate.report.complementarity).toBeLessThan(1e-12);
    const after = Math.max(0, left - MU * rise);
    expect(simulation.x[2]).toBeCloseTo(after > 0 ? after - MU * G * (0.32 - START) : 0, 10);
    // δx and δu of a disturbance of the speed: it lasts until the block stops.
    expect(tangent.frame[4 * 2]).toBeCloseTo(path, 9);
    expect(tangent.frame[4 * 2 + 2]).toBeCloseTo(speed, 9);
    const [above, below] = [1e-3, -1e-3].map((by) => {
      const other = simulate(1 + by, rise);
      other.run();
      return other.x.slice();
    });
    for (const i of [0, 2]) expect((above[i] - below[i]) / 2e-3).toBeCloseTo(tangent.frame[4 * 2 + i], 8);
  });
});
