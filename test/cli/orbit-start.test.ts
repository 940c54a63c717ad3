/** Starting at the periodic steady state: of a drawn converter, and what cannot hold its state. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { drawn, type Part } from '../engine/components/drawn';
import { modelFile, moreau } from './support';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'moreau-orbit-'))));
afterAll(() => rmSync(folder, { recursive: true }));

const BUCK: readonly Part[] = [
  ['V1', 'VoltageSource', ['in', '0'], { voltage: 24 }],
  ['S1', 'Switch', ['in', 'x'], { gate: 't mod 1e-4 < 0.4e-4' }],
  ['D1', 'Diode', ['0', 'x']],
  ['L1', 'Inductor', ['x', 'out'], { inductance: 1e-3 }],
  ['C1', 'Capacitor', ['out', '0'], { capacitance: 1e-4 }],
  ['R1', 'Resistor', ['out', '0'], { resistance: 5 }],
];

const withOrbit = (parts: readonly Part[]): ModelDocument => ({
  ...drawn(parts, { h: 1e-6, tEnd: 1e-3 }),
  analyses: [{ id: 'steady', type: 'orbit', period: 1e-4, settle: 20 }],
});

it('a buck begins where it comes back to, after one period', async () => {
  const model = modelFile(folder, withOrbit(BUCK));
  const started = join(folder, 'started.moreau.json');
  const found = await moreau(['analyse', model, '--analysis', 'steady', '--save-start', started]);
  expect([found.code, found.notes]).toEqual([0, found.notes]);
  const document = JSON.parse(readFileSync(started, 'utf8')) as ModelDocument;
  const [current, voltage] = [document.components?.[3]?.['i0'], document.components?.[4]?.['v0']].map(Number);
  // The mean of the output is D E; the valley of the current is below its mean by half the ripple.
  expect(voltage).toBeCloseTo(9.6, 1);
  expect(current).toBeCloseTo(9.6 / 5 - (0.4e-4 * (24 - 9.6)) / 1e-3 / 2, 2);
  const t0 = Number(document.simulation.t0);
  const end = String(t0 + 1e-4);
  const out = await moreau([
    'run',
    started,
    '--scheme',
    'event-driven',
    '--t-end',
    end,
    '--json',
    '--no-accuracy',
  ]);
  const { signals } = JSON.parse(out.out) as { signals: { name: string; last: number }[] };
  const last = (name: string): number => signals.find((one) => one.name === name)?.last ?? NaN;
  expect(last('L1.i')).toBeCloseTo(current, 7);
  expect(last('C1.v')).toBeCloseTo(voltage, 7);
}, 60_000);

it('what is no orbit, or is not held by capacitors and inductors, is refused', async () => {
  const both: readonly Part[] = [...BUCK, ['C2', 'Capacitor', ['out', '0'], { capacitance: 1e-5 }]];
  const model = modelFile(folder, withOrbit(both), 'both.moreau.json');
  const { code, notes } = await moreau(['analyse', model, '--save-start', join(folder, 'none.json')]);
  expect(notes).toContain('Fields of the model cannot hold the state of');
  expect(code).toBe(2);
}, 60_000);
