/** `moreau measure`: closed forms of circuits, and what it refuses. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawn, type Part } from '../engine/components/drawn';
import { modelFile, moreau } from './support';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'moreau-measure-'))));
afterAll(() => rmSync(folder, { recursive: true }));

interface Measures {
  signals: { name: string; mean: number; rms: number; ripple: number; thd: number | null; period: number }[];
  powers: {
    devices: { element: string; power: number }[];
    balance: number;
    efficiency: number;
    losses: number;
  };
}

async function measured(
  parts: readonly Part[],
  times: { h: number; tEnd: number },
  flags: string[],
): Promise<Measures> {
  const file = modelFile(folder, drawn(parts, times));
  const { code, out, notes } = await moreau([
    'measure',
    file,
    '--scheme',
    'event-driven',
    '--json',
    ...flags,
  ]);
  expect([code, notes]).toEqual([0, notes]);
  return JSON.parse(out) as Measures;
}

describe('moreau measure', () => {
  it('half-wave rectification: RMS A/2, mean A/π, powers that balance', async () => {
    const { signals, powers } = await measured(
      [
        ['V1', 'SineVoltage', ['in', '0'], { amplitude: 10, frequency: 50 }],
        ['D1', 'Diode', ['in', 'out']],
        ['R1', 'Resistor', ['out', '0'], { resistance: 5 }],
        ['L1', 'Inductor', ['in', '0'], { inductance: 1 }],
      ],
      { h: 2e-5, tEnd: 0.04 },
      ['--signals', 'R1.v', '--frequency', '50'],
    );
    expect(signals[0].rms).toBeCloseTo(5, 4);
    expect(signals[0].mean).toBeCloseTo(10 / Math.PI, 4);
    expect(powers.devices.find(({ element }) => element === 'R1')?.power).toBeCloseTo(5, 3);
    expect(Math.abs(powers.balance)).toBeLessThan(1e-12);
    expect(powers.efficiency).toBeGreaterThan(0.99);
  });

  it('a lossy buck: efficiency by its closed form, device by device', async () => {
    // I is nearly constant: V_in D − I Ron D − (Vf + Rd I)(1 − D) − RL I = R I.
    const [E, D, T, Ron, Vf, RL, R] = [24, 0.4, 1e-5, 0.05, 0.7, 0.1, 2];
    const current = (E * D - Vf * (1 - D)) / (R + RL + Ron * D);
    const efficiency = (R * current) / (E * D);
    const { signals, powers } = await measured(
      [
        ['V1', 'VoltageSource', ['in', '0'], { voltage: E }],
        ['S1', 'Switch', ['in', 'x'], { gate: `t mod ${T} < ${D * T}`, onResistance: Ron }],
        ['D1', 'Diode', ['0', 'x'], { forwardVoltage: Vf }],
        ['L1', 'Inductor', ['x', 'y'], { inductance: 1e-3, i0: current }],
        ['RL', 'Resistor', ['y', 'out'], { resistance: RL }],
        ['R1', 'Resistor', ['out', '0'], { resistance: R }],
      ],
      { h: 1e-6, tEnd: 6e-3 },
      ['--signals', 'L1.i', '--period', String(T), '--load', 'R1'],
    );
    expect(signals[0].mean).toBeCloseTo(current, 4);
    expect(signals[0].ripple).toBeCloseTo((T * D * (E - current * (Ron + RL + R))) / 1e-3, 3);
    expect(powers.efficiency).toBeCloseTo(efficiency, 5);
    const power = Object.fromEntries(powers.devices.map((one) => [one.element, one.power]));
    expect(power['S1']).toBeCloseTo(Ron * D * current ** 2, 3);
    expect(power['D1']).toBeCloseTo(Vf * (1 - D) * current, 3);
    expect(power['RL']).toBeCloseTo(RL * current ** 2, 3);
    expect(Math.abs(powers.balance)).toBeLessThan(1e-11);
    expect(powers.losses).toBeCloseTo((1 - efficiency) * E * D * current, 2);
  });

  it('finds the period of each signal, and prints tables', async () => {
    const file = modelFile(
      folder,
      drawn(
        [
          ['V1', 'SineVoltage', ['in', '0'], { amplitude: 10, frequency: 50 }],
          ['R1', 'Resistor', ['in', 'out'], { resistance: 5 }],
          ['L1', 'Inductor', ['out', '0'], { inductance: 1e-3 }],
        ],
        { h: 1e-4, tEnd: 0.1 },
      ),
    );
    const { code, out } = await moreau(['measure', file, '--signals', 'V1.v']);
    expect(code).toBe(0);
    expect(out).toMatch(/V1\.v\s+V\s+\S+\s+7\.07\d+\s+\S+\s+9\.99\d+\s+0\.\d+ %\s+0\.02/);
    expect(out).toContain('sum over all devices');
    expect(out).toMatch(/Efficiency .* with the load R1/);
  });

  it.each([
    [['--signals', 'nothing'], 2, 'There is no signal “nothing”'],
    [['--load', 'V9'], 2, 'There is no component “V9” with a power'],
    [['--period', '1', '--frequency', '1'], 2, 'say the same'],
    [['--period', '-1'], 2, 'greater than zero'],
  ])('%o is refused', async (flags, expected, message) => {
    const parts: readonly Part[] = [
      ['V1', 'VoltageSource', ['in', '0'], { voltage: 1 }],
      ['R1', 'Resistor', ['in', 'out'], { resistance: 1 }],
      ['C1', 'Capacitor', ['out', '0'], { capacitance: 1e-6 }],
    ];
    const file = modelFile(folder, drawn(parts, { h: 1e-6, tEnd: 1e-5 }));
    const { code, notes } = await moreau(['measure', file, ...flags]);
    expect(notes).toContain(message);
    expect(code).toBe(expected);
  });
});
