/**
 * Jumps that the settings name, one by one and with a period, and the resolution of what cannot be followed.
 */
import { createSandbox } from '@engine/script/sandbox';
import { describe, expect, it } from 'vitest';
import { refusal } from '../../support/run';
import { documentOf, last, type Parts, runDocument, source } from './support';

const STEADY = 'export const f: TimeVector = (t, out, p) => { out[0] = Math.cos(t); };';

const parts = (eventDriven: object, script = STEADY): Parts => ({
  systems: [source([0], { b: { function: 'f' } })],
  parameters: [{ name: 'T', value: 0.25 }],
  script,
  simulation: { tEnd: 2, h: 0.5, eventDriven },
});

/** Times that have two rows. */
function doubled(eventDriven: object): number[] {
  const times = [...runDocument(parts(eventDriven)).column('t')];
  return times.filter((t, i) => times[i + 1] === t);
}

describe('jumps that the settings name', () => {
  it('are met one by one and with a period, up to their end', () => {
    expect(doubled({ jumps: [0.3] })).toEqual([0.3]);
    expect(doubled({ jumps: [0.3, { from: 0.25, every: '2 * T', until: 1.3 }] })).toEqual([
      0.25, 0.3, 0.75, 1.25,
    ]);
    expect(doubled({ jumps: [{ from: -1, every: 0.75 }] })).toEqual([0.5, 1.25]);
  });

  it('need a period that is positive, and does not come too often', () => {
    const refused = (jump: object): ReturnType<typeof refusal> =>
      refusal(documentOf(parts({ jumps: [0.1, jump] })), { sandbox: createSandbox });
    for (const every of [0, -1, 'T - T']) {
      const { code, where, message } = refused({ from: 0, every });
      expect(code).toBe('invalid-document');
      expect(where).toBe('/simulation/eventDriven/jumps/1/every');
      expect(message).toContain('must be positive');
    }
    expect(refused({ from: 0, every: 1e-9 }).message).toContain('at most 10000000');
    expect(refused({ every: 1 }).where).toContain('/simulation/eventDriven/jumps/1');
    expect(refused({ from: 0, every: 'nonsense' }).where).toBe('/simulation/eventDriven/jumps/1/every');
  });
});

describe('conditions that cannot be followed', () => {
  const sorting = `export const f: TimeVector = (t, out, p) => {
  const order = [t, 1.1, 0.4].sort((a, b) => a - b);
  out[0] = order.indexOf(t);
};`;

  it('are reported with their lines, and sampled at the declared resolution', () => {
    const { session } = runDocument(parts({ fastest: 0.01 }, sorting));
    expect(session.complete).toEqual({ resolution: 0.01 });
    expect(session.warnings.some((text) => text.includes('functions.ts, line 2'))).toBe(true);
    expect(session.warnings.some((text) => text.includes('functions.ts, line 3'))).toBe(true);
  });

  it('are sampled at the row distance where nothing is declared, and located by the steps of the integration', () => {
    const run = runDocument(parts({}, sorting));
    expect(run.session.complete).toEqual({ resolution: 0.5 });
    // 0 until 0.4, 1 until 1.1, then 2.
    expect(Math.abs(last(run, 'c.x') - (0.7 + 1.8))).toBeLessThan(1e-6);
  });

  it('leave models alone whose conditions depend on parameters and counters only', () => {
    const script = `export const f: TimeVector = (t, out, p) => {
  let sum = 0;
  for (let k = 1; k < 5; k++) if (k % 2 === 1 && p.T > 0.1) sum += Math.sin(k * t);
  out[0] = sum;
};`;
    const { session } = runDocument(parts({}, script));
    expect(session.complete).toBe(true);
    expect(session.path).toBe('exact');
  });

  it('need a resolution that is positive', () => {
    const { where } = refusal(documentOf(parts({ fastest: 0 })), { sandbox: createSandbox });
    expect(where).toBe('/simulation/eventDriven/fastest');
  });
});
