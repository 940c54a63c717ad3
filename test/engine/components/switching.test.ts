/** Switches with hysteresis and IGBTs, in both schemes, against closed forms. */
import { describe, expect, it } from 'vitest';
import { createSandbox } from '@engine/script/sandbox';
import { reportDocument } from '@engine/preparation/report';
import { run, type Run } from '../support/run';
import { drawn, type Part } from './drawn';

type Scheme = 'event-driven' | 'time-stepping';
const SCHEMES = ['event-driven', 'time-stepping'] as const;

const ran = (parts: readonly Part[], scheme: Scheme, times: { h: number; tEnd: number }): Run =>
  run(drawn(parts, times), { sandbox: createSandbox, scheme });

const worst = ({ session }: Run): number =>
  Math.max(
    session.certificate.dynamics,
    session.certificate.complementarity,
    session.certificate.coneViolation,
  );

/** Times at which a signal changes from zero to what is not, and back. */
function changes(times: Float64Array, values: Float64Array): number[] {
  return Array.from(times).filter((_, k) => k > 0 && values[k - 1] > 0.5 !== values[k] > 0.5);
}

describe('hysteresis', () => {
  /** A capacitor is charged below 4 V and discharged above 6 V: through R to 10 V, and to 0 V beside it. */
  const charger = (start: 'on' | 'off', v0: number): readonly Part[] => [
    ['V1', 'VoltageSource', ['in', '0'], { voltage: 10 }],
    ['S1', 'Switch', ['in', 'x'], { gate: 'C1.v < 5', hysteresis: 1, start }],
    ['R1', 'Resistor', ['x', 'c'], { resistance: 1000 }],
    ['R2', 'Resistor', ['c', '0'], { resistance: 1000 }],
    ['C1', 'Capacitor', ['c', '0'], { capacitance: 1e-6, v0 }],
  ];
  // To 5 V through 500 Ω it would never come to 6 V: R2 is left out of the charge by a larger source.
  const parts = (start: 'on' | 'off', v0: number): readonly Part[] =>
    charger(start, v0).map((part) =>
      part[0] === 'V1' ? ['V1', 'VoltageSource', ['in', '0'], { voltage: 20 }] : part,
    );
  const [up, down] = [0.5e-3 * Math.log((10 - 4) / (10 - 6)), 1e-3 * Math.log(6 / 4)];
  it.each(SCHEMES)('turns at both thresholds, %s', (scheme) => {
    const h = 1e-6;
    const result = ran(parts('off', 5), scheme, { h, tEnd: 3e-3 });
    const [times, voltages] = [result.column('t'), result.column('S1.v')];
    const closed = Float64Array.from(voltages, (v) => (Math.abs(v) < 1e-9 ? 1 : 0));
    const found = changes(times, closed);
    const first = 1e-3 * Math.log(5 / 4);
    const expected = [first, first + up, first + up + down, first + 2 * up + down, first + 2 * (up + down)];
    expected.forEach((t, k) => {
      expect(Math.abs(found[k] - t)).toBeLessThan(scheme === 'event-driven' ? 1e-12 : 5 * (k + 1) * h);
    });
    expect(worst(result)).toBeLessThan(1e-9);
  });
  it.each(SCHEMES)('says between them what it is at the start, %s', (scheme) => {
    for (const start of ['on', 'off'] as const) {
      const result = ran(parts(start, 5), scheme, { h: 1e-6, tEnd: 1e-5 });
      const v = result.column('C1.v').at(-1) ?? NaN;
      expect(v > 5).toBe(start === 'on');
    }
  });
  it.each(SCHEMES)('also where the switch alone leads to an inductor, %s', (scheme) => {
    // Nothing leads to L1 but S1, so that it is an equation for the current while it is open.
    const result = ran(
      [
        ['V1', 'SineVoltage', ['in', '0'], { amplitude: 10, frequency: 50 }],
        ['S1', 'Switch', ['in', 'x'], { gate: 'in.v - 5', hysteresis: 2 }],
        ['L1', 'Inductor', ['x', 'y'], { inductance: 1e-3 }],
        ['R1', 'Resistor', ['y', '0'], { resistance: 1 }],
      ],
      scheme,
      { h: 1e-5, tEnd: 0.02 },
    );
    const [times, voltages] = [result.column('t'), result.column('S1.v')];
    const closed = Float64Array.from(voltages, (v) => (Math.abs(v) < 1e-9 ? 1 : 0));
    const [on, off] = changes(times, closed).filter((t) => t > 1e-4);
    const slack = scheme === 'event-driven' ? 1e-9 : 2e-5;
    expect(Math.abs(on - Math.asin(0.7) / (100 * Math.PI))).toBeLessThan(slack);
    expect(Math.abs(off - (Math.PI - Math.asin(0.3)) / (100 * Math.PI))).toBeLessThan(slack);
  });
});

describe('an IGBT', () => {
  const [U, V0, R0, Vf, R, L, T, D] = [100, 1.5, 0.1, 0.8, 10, 0.01, 1e-3, 0.6];
  const fields = { gate: 't mod 1e-3 < 0.6e-3', threshold: V0, onResistance: R0, forwardVoltage: Vf };
  it.each(SCHEMES)('drops its threshold and that of its resistance, %s', (scheme) => {
    const result = ran(
      [
        ['V1', 'VoltageSource', ['in', '0'], { voltage: U }],
        ['Q1', 'Igbt', ['in', 'x'], fields],
        ['D1', 'Diode', ['0', 'x'], { forwardVoltage: Vf }],
        ['L1', 'Inductor', ['x', 'y'], { inductance: L }],
        ['R1', 'Resistor', ['y', '0'], { resistance: R }],
      ],
      scheme,
      { h: 1e-6, tEnd: T },
    );
    const peak = ((U - V0) / (R + R0)) * -Math.expm1((-D * T * (R + R0)) / L);
    const end = -Vf / R + (peak + Vf / R) * Math.exp(-((1 - D) * T * R) / L);
    const i = result.column('L1.i');
    const off = scheme === 'event-driven' ? 1e-10 : 1e-3;
    expect(Math.abs(Math.max(...i) / peak - 1)).toBeLessThan(off);
    expect(Math.abs((i.at(-1) ?? NaN) / end - 1)).toBeLessThan(5 * off);
    expect(worst(result)).toBeLessThan(1e-9);
  });
  it.each(SCHEMES)('blocks forwards while it is off, and conducts backwards at all times, %s', (scheme) => {
    for (const ideal of [true, false]) {
      const result = ran(
        [
          ['V1', 'SineVoltage', ['in', '0'], { amplitude: 10, frequency: 1000 }],
          ['Q1', 'Igbt', ['in', 'x'], ideal ? { gate: '0' } : { ...fields, gate: 't < 0' }],
          ['R1', 'Resistor', ['x', '0'], { resistance: 1 }],
        ],
        scheme,
        { h: 1e-5, tEnd: 1e-3 },
      );
      const [times, i] = [result.column('t'), result.column('Q1.i')];
      times.forEach((t, k) => {
        const v = 10 * Math.sin(2000 * Math.PI * t);
        expect(i[k]).toBeCloseTo(Math.min(0, v + (ideal ? 0 : Vf)), 9);
      });
    }
  });
});

it('a gate that cannot be read is a fault at the thyristor', () => {
  const { issues } = reportDocument(
    drawn([
      ['V1', 'VoltageSource', ['in', '0'], { voltage: 1 }],
      ['T1', 'Thyristor', ['in', 'x'], { gate: 'nothing.v > 1' }],
      ['L1', 'Inductor', ['x', '0'], { inductance: 1 }],
    ]),
  );
  expect(issues).toContainEqual(
    expect.objectContaining({ severity: 'error', pointer: '/components/1/gate', element: 'T1' }),
  );
});

it.each([0.5, 0.6])('a run may end where a gate jumps, to rounding, D = %s', (D) => {
  for (const periods of [1, 2, 3, 7]) {
    const parts: readonly Part[] = [
      ['V1', 'VoltageSource', ['in', '0'], { voltage: 1 }],
      ['S1', 'Switch', ['in', 'x'], { gate: `t mod 1e-3 < ${D}*1e-3` }],
      ['R1', 'Resistor', ['x', '0'], { resistance: 1 }],
    ];
    const result = ran(parts, 'event-driven', { h: 1e-5, tEnd: periods * 1e-3 });
    expect(result.column('t').at(-1)).toBe(periods * 1e-3);
  }
});
