/**
 * Converters drawn of ideal switches and diodes, event-driven, against closed forms. Erickson and Maksimović
 * 2020, §2 and §5: continuous and discontinuous conduction.
 */
import { describe, expect, it } from 'vitest';
import { createSandbox } from '@engine/script/sandbox';
import type { Expression, ModelDocument } from '@engine/document/types';
import { run } from '../support/run';
import { drawn, type Part } from './drawn';

/** In its parameters, event-driven. */
function converter(
  parts: readonly Part[],
  parameters: Readonly<Record<string, Expression>>,
  times: { h: number; tEnd: number },
): ModelDocument {
  const document = drawn(parts, times);
  return {
    ...document,
    parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })),
    simulation: { ...document.simulation, scheme: 'event-driven' },
  };
}

const GATE = 't mod T < D*T';

const BUCK: readonly Part[] = [
  ['V1', 'VoltageSource', ['in', '0'], { voltage: 'U' }],
  ['S1', 'Switch', ['in', 'x'], { gate: GATE }],
  ['D1', 'Diode', ['0', 'x']],
  ['L1', 'Inductor', ['x', 'out'], { inductance: 'L' }],
  ['C1', 'Capacitor', ['out', '0'], { capacitance: 'C' }],
  ['R1', 'Resistor', ['out', '0'], { resistance: 'R' }],
];
const BOOST: readonly Part[] = [
  ['V1', 'VoltageSource', ['in', '0'], { voltage: 'U' }],
  ['L1', 'Inductor', ['in', 'x'], { inductance: 'L', i0: 'i0' }],
  ['S1', 'Switch', ['x', '0'], { gate: GATE }],
  ['D1', 'Diode', ['x', 'out']],
  ['C1', 'Capacitor', ['out', '0'], { capacitance: 'C', v0: 'v0' }],
  ['R1', 'Resistor', ['out', '0'], { resistance: 'R' }],
];
const BUCK_BOOST: readonly Part[] = [
  ['V1', 'VoltageSource', ['in', '0'], { voltage: 'U' }],
  ['S1', 'Switch', ['in', 'x'], { gate: GATE }],
  ['L1', 'Inductor', ['x', '0'], { inductance: 'L', i0: 'i0' }],
  ['D1', 'Diode', ['out', 'x']],
  ['C1', 'Capacitor', ['out', '0'], { capacitance: 'C', v0: 'v0' }],
  ['R1', 'Resistor', ['out', '0'], { resistance: 'R' }],
];
/** Windings of one core without leakage. */
const FLYBACK: readonly Part[] = [
  ['V1', 'VoltageSource', ['in', '0'], { voltage: 'U' }],
  ['L1', 'Inductor', ['in', 'x'], { inductance: 'L', i0: 'i0' }],
  ['L2', 'Inductor', ['0', 's'], { inductance: 'L*n^2' }],
  ['K1', 'Coupling', [], { inductors: ['L1', 'L2'], coupling: 1 }],
  ['S1', 'Switch', ['x', '0'], { gate: GATE }],
  ['D1', 'Diode', ['s', 'out']],
  ['C1', 'Capacitor', ['out', '0'], { capacitance: 'C', v0: 'v0' }],
  ['R1', 'Resistor', ['out', '0'], { resistance: 'R' }],
];

/** Mean of a signal over the last periods, by the rows, which are dense. */
function mean(times: Float64Array, values: Float64Array, from: number): number {
  let [sum, span] = [0, 0];
  for (let k = 1; k < times.length; k++) {
    if (times[k - 1] < from) continue;
    const dt = times[k] - times[k - 1];
    sum += (dt * (values[k] + values[k - 1])) / 2;
    span += dt;
  }
  return sum / span;
}

const sandbox = (): ReturnType<typeof createSandbox> => createSandbox();

describe('converters', () => {
  it.each([1e-6, 5e-3 / 699])(
    'a buck in discontinuous conduction is right at every row distance: %s',
    (h) => {
      const model = converter(BUCK, { U: 24, L: 1e-4, C: 1e-4, R: 10, T: 1e-4, D: 0.5 }, { h, tEnd: 5e-3 });
      const { column, session } = run(model, { sandbox });
      expect(column('C1.v').at(-1)).toBeCloseTo(15.71413, 5);
      expect(column('L1.i').at(-1)).toBeCloseTo(0, 12);
      expect(column('L1.i').every((i) => i > -1e-12)).toBe(true);
      expect(session.certificate.complementarity).toBeLessThan(1e-8);
      expect(session.certificate.dynamics).toBeLessThan(1e-8);
    },
  );

  it.each([
    ['a boost, E/(1 − D)', BOOST, 1 / (1 - 0.4), 24 / (1 - 0.4) ** 2 / 20],
    ['a buck-boost, −E D/(1 − D)', BUCK_BOOST, -0.4 / (1 - 0.4), (24 * 0.4) / (1 - 0.4) ** 2 / 20],
    ['a flyback, n E D/(1 − D)', FLYBACK, (2 * 0.4) / (1 - 0.4), (24 * 0.4 * 4) / (1 - 0.4) ** 2 / 20],
  ] as const)('%s in continuous conduction', (_, parts, ratio, current) => {
    const T = 1e-5;
    const parameters = { U: 24, L: 1e-3, C: 1e-5, R: 20, T, D: 0.4, n: 2, v0: ratio * 24, i0: current };
    const { column } = run(converter(parts, parameters, { h: T / 10, tEnd: 800 * T }), { sandbox });
    const times = column('t');
    expect(mean(times, column('C1.v'), 600 * T) / (24 * ratio)).toBeCloseTo(1, 3);
  });

  it('a boost in discontinuous conduction, ½ (1 + √(1 + 4 D²/K)) with K = 2 L/(R T)', () => {
    const [U, L, R, T, D] = [10, 1e-5, 100, 1e-5, 0.5];
    const M = 0.5 * (1 + Math.sqrt(1 + (4 * D * D * R * T) / (2 * L)));
    const parameters = { U, L, C: 1e-4, R, T, D, v0: M * U, i0: 0 };
    const { column } = run(converter(BOOST, parameters, { h: T / 20, tEnd: 500 * T }), { sandbox });
    const ripple = (M * U * T) / (R * 1e-4);
    expect(Math.abs(mean(column('t'), column('C1.v'), 400 * T) - M * U)).toBeLessThan(ripple);
    // The current comes to nothing in each period.
    expect(column('L1.i').filter((i) => Math.abs(i) < 1e-12).length).toBeGreaterThan(500);
  });

  it('a three-phase bridge rectifier with a load of resistance, mean 3 √2/π of the line voltage', () => {
    const phase = (k: number): string => `V*sin(2*pi*f*t - ${k}*2*pi/3)`;
    const parts: Part[] = [0, 1, 2].flatMap((k): Part[] => [
      [`V${k}`, 'VoltageSource', [`u${k}`, '0'], { voltage: phase(k) }],
      [`Du${k}`, 'Diode', [`u${k}`, 'p']],
      [`Dl${k}`, 'Diode', ['m', `u${k}`]],
    ]);
    parts.push(['R1', 'Resistor', ['p', 'm'], { resistance: 10 }]);
    const model = converter(parts, { V: 325, f: 50 }, { h: 1e-5, tEnd: 0.04 });
    const { column } = run(model, { sandbox });
    const line = 325 * Math.sqrt(3 / 2);
    expect(mean(column('t'), column('R1.v'), 0.02) / ((3 * Math.SQRT2 * line) / Math.PI)).toBeCloseTo(1, 5);
  });
});
