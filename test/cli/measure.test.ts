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
    expect(out).toMatch(/V1\.v\s+V\s+\S+\s+\S+\s+7\.07\d+\s+0\.00\d\s+\S+\s+9\.99\d+\s+0\.\d+ %\s+0\.02/);
    expect(out).toMatch(/equations +solved/);
    expect(out).toMatch(/accurate +to/);
    expect(out).toContain('sum over all devices');
    expect(out).toMatch(/Efficiency .* with the load R1/);
  });

  it('windings are no sources: a lossless flyback hands on all that it takes', async () => {
    const { code, out } = await moreau([
      ...['measure', 'example:flyback-converter', '--scheme', 'event-driven', '--no-accuracy', '--json'],
      ...['--period', '2e-5', '--t-end', '0.004'],
    ]);
    expect(code).toBe(0);
    const { powers } = JSON.parse(out) as Measures & { powers: { loads: string[]; stored: number } };
    expect(powers.loads).toEqual(['R1']);
    expect(Math.abs(powers.losses)).toBeLessThan(0.002 * Math.abs(powers.devices[0].power));
  });

  it('powers of a fast decay between rows say how far off they may be, and are right where rows are close', async () => {
    // Each period takes C V² from the source, and R takes all of it.
    const [T, C, V] = [1e-5, 1e-9, 10];
    const parts: readonly Part[] = [
      ['V1', 'VoltageSource', ['in', '0'], { voltage: V }],
      ['S1', 'Switch', ['in', 'x'], { gate: `t mod ${T} < ${T / 2}` }],
      ['S2', 'Switch', ['x', '0'], { gate: `${T / 2} - t mod ${T} < 0` }],
      ['R1', 'Resistor', ['x', 'y'], { resistance: 22 }],
      ['C1', 'Capacitor', ['y', '0'], { capacitance: C }],
    ];
    const file = modelFile(folder, drawn(parts, { h: T / 50, tEnd: 20 * T }));
    const command = ['measure', file, '--scheme', 'event-driven', '--period', String(T)];
    const at = async (h: number): Promise<{ power: number; error: number }[]> => {
      const { out } = await moreau([...command, '--json', '--no-accuracy', '--h', String(h)]);
      const { powers } = JSON.parse(out) as { powers: { devices: { power: number; error: number }[] } };
      return powers.devices;
    };
    for (const h of [T / 50, T / 500, T / 5000])
      for (const { power, error } of await at(h)) {
        const right = [C * V * V, -C * V * V, 0].map((one) => one / T);
        expect(Math.min(...right.map((one) => Math.abs(power - one)))).toBeLessThanOrEqual(error + 1e-15);
      }
    const [first] = await at(T / 20_000);
    expect(Math.abs(first.power)).toBeCloseTo((C * V * V) / T, 5);
    const { out } = await moreau([...command, '--no-accuracy']);
    expect(out).toContain('Rows are too far apart for these powers');
  });

  it('says that a run is not accurate, with its exit code', async () => {
    const parts: readonly Part[] = [
      ['V1', 'SineVoltage', ['in', '0'], { amplitude: 10, frequency: 1000 }],
      ['L1', 'Inductor', ['in', 'out'], { inductance: 1e-3 }],
      ['C1', 'Capacitor', ['out', '0'], { capacitance: 25e-6 }],
      ['R1', 'Resistor', ['out', '0'], { resistance: 20 }],
    ];
    const file = modelFile(folder, drawn(parts, { h: 1e-4, tEnd: 0.02 }));
    const { code, out } = await moreau(['measure', file, '--scheme', 'time-stepping', '--signals', 'out.v']);
    expect(out).toContain('NOT ACCURATE');
    expect(code).toBe(5);
  });

  it.each([
    [['--signals', 'nothing'], 2, 'There is no signal “nothing”'],
    [['--load', 'V9'], 2, 'There is no component “V9” with a power'],
    [['--period', '1', '--frequency', '1'], 2, 'say the same'],
    [['--period', '-1'], 2, 'greater than zero'],
    [
      ['--period', '1'],
      2,
      'From -0.99999 s to 0.00001 s is no span of this run, which is from 0 s to 0.00001 s',
    ],
    [['--from', '1'], 2, 'is no span of this run'],
    [['--until', '2e-5'], 2, 'is no span of this run'],
    [['--from', '5e-6', '--period', '6e-6'], 2, 'no whole period of 0.000006 s'],
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
