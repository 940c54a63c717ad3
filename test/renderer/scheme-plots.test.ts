/**
 * How plots draw runs of either scheme, what they say of signals that a scheme has not, and the figures of a
 * certificate.
 */
import type { CertificateSummary, ReadResult, RunInfo } from '@contract/methods';
import type { SignalInfo, SignalKind } from '@engine/document/types';
import { beforeEach, describe, expect, it } from 'vitest';
import { formatWithError } from '@renderer/components/numbers';
import { missingHint, missingSignals, otherMeanings } from '@renderer/dashboard/signals/missing-signals';
import { LIGHT_PLOT } from '@figures/palette';
import { rangeAround } from '@figures/ranges';
import { stems, timeSeriesOption, type TimeSeriesInput } from '@views/time-series/drawing';
import { isCertified, limitOf, worstOf } from '@contract/verdict';
import { blockDefect, certificateFigures, certificateText } from '@renderer/shell/certificate-figures';
import { useRunsStore } from '@renderer/stores/runs';
import type { FakeHost } from './fake/host';
import { openCamFollower } from './setup';

const info = (name: string, kind: SignalKind, description = ''): SignalInfo => ({
  name,
  unit: '',
  kind,
  description,
});
const INFOS = [info('a.v', 'velocity'), info('c.impulse', 'impulse')];

/** An impact at t = 1.5 with both values at one time. */
const reading = (runId: string): ReadResult => ({
  runId,
  rows: 5,
  rowsPerBucket: 1,
  recordedFrom: 0,
  recordedTo: 3,
  signals: [
    { name: 'a.v', t: Float64Array.of(0, 1, 1.5, 1.5, 2), y: Float64Array.of(-1, -2, -2.5, 2, 1.5) },
    { name: 'c.impulse', t: Float64Array.of(0, 1, 1.5, 1.5, 2), y: Float64Array.of(0, 0, 0, 4.5, 0) },
  ],
});

const input = (changes: Partial<TimeSeriesInput>): TimeSeriesInput => ({
  signals: ['a.v', 'c.impulse'],
  infos: INFOS,
  current: reading('events'),
  compared: [],
  x: { min: 0, max: 2 },
  y: [],
  theme: LIGHT_PLOT,
  width: 600,
  height: 300,
  ...changes,
});

interface Drawn {
  series: { step?: string; id?: string; data?: number[][] }[];
  dataset: { source: Float64Array }[];
}
const drawn = (changes: Partial<TimeSeriesInput>): Drawn =>
  timeSeriesOption(input(changes)) as unknown as Drawn;
const pairs = (flat: Float64Array | undefined): number[][] =>
  Array.from({ length: (flat?.length ?? 0) / 2 }, (_, i) => [...(flat?.subarray(2 * i, 2 * i + 2) ?? [])]);

describe('a run from event to event', () => {
  const eventDriven = new Set(['events']);

  it('jumps where its rows do, without steps between them', () => {
    const { series, dataset } = drawn({ eventDriven });
    expect(series.map(({ step }) => step)).toEqual([undefined, undefined]);
    expect(pairs(dataset[0]?.source)).toEqual([
      [0, -1],
      [1, -2],
      [1.5, -2.5],
      [1.5, 2],
      [2, 1.5],
    ]);
  });

  it('has impulses as upright lines', () => {
    expect(pairs(drawn({ eventDriven }).dataset[1]?.source)).toEqual([
      [0, 0],
      [1, 0],
      [1.5, 0],
      [1.5, 4.5],
      [1.5, 0],
      [2, 0],
    ]);
    // Where only the extremes of columns come, the line stands upright, too.
    const { t, y } = stems(Float64Array.of(0, 3), Float64Array.of(0, 7));
    expect([[...t], [...y]]).toEqual([
      [0, 3, 3, 3],
      [0, 0, 7, 0],
    ]);
  });

  it('stands beside one by time-stepping, which keeps its steps', () => {
    const { series } = drawn({ eventDriven, compared: [reading('steps')] });
    expect(series.map(({ step }) => step)).toEqual(['start', 'start', undefined, undefined]);
  });

  it('is marked with its events, as separate lines over the whole height', () => {
    const { series } = drawn({ eventDriven, events: Float64Array.of(0.5, 1.5), y: [{ min: -3, max: 3 }] });
    const marks = series.at(-1);
    expect(marks?.id).toBe('events');
    expect(marks?.data).toEqual([
      [0.5, -3],
      [0.5, 3],
      [0.5, NaN],
      [1.5, -3],
      [1.5, 3],
      [1.5, NaN],
    ]);
    expect(drawn({ eventDriven, events: null }).series).toHaveLength(2);
    expect(drawn({ eventDriven, events: new Float64Array(0) }).series).toHaveLength(2);
  });
});

describe('the cursor that stays', () => {
  it('comes into view without changing the scale, or is zoomed in on', () => {
    const range = { min: 0, max: 10 };
    expect(rangeAround(range, { t: 4, zoom: false })).toBeNull();
    expect(rangeAround(range, { t: 40, zoom: false })).toEqual({ min: 35, max: 45 });
    expect(rangeAround(range, { t: 4, zoom: true })).toEqual({ min: 3.5, max: 4.5 });
    expect(rangeAround({ min: 1, max: 1 + 1e-12 }, { t: 1, zoom: true })).toBeNull();
  });
});

describe('a signal that a scheme has not', () => {
  const stepping = {
    name: 'Run 1',
    scheme: 'time-stepping' as const,
    signals: [
      info('c.impulse', 'impulse', 'Impulse over the step of c'),
      info('f.normalImpulse[1]', 'impulse'),
    ],
  };
  const events = {
    name: 'Run 2',
    scheme: 'event-driven' as const,
    signals: [
      info('c.impulse', 'impulse', 'Impulse of the event of c'),
      info('c.lambda', 'multiplier', 'Force between events of c'),
    ],
  };

  it('is named with what stands in its place', () => {
    expect(missingSignals(['c.impulse', 'c.lambda', 'f.normalForce[1]', 'x.q'], stepping)).toEqual([
      { name: 'c.lambda', instead: stepping.signals[0] },
      { name: 'f.normalForce[1]', instead: stepping.signals[1] },
      { name: 'x.q', instead: null },
    ]);
    expect(missingHint(['c.lambda'], stepping, 'Time-stepping')).toBe(
      'Time-stepping does not provide c.lambda. Use c.impulse: impulse over the step of c.',
    );
    expect(missingHint(['x.q'], stepping, 'Time-stepping')).toBe('Run 1 did not record x.q.');
    expect(missingHint(['c.impulse'], stepping, 'Time-stepping')).toBe('');
  });

  it('and one that means something else in a run behind is said to', () => {
    expect(otherMeanings(['c.impulse'], events, [stepping])).toBe(
      'In Run 1, c.impulse has another meaning: impulse over the step of c.',
    );
    expect(otherMeanings(['c.impulse'], stepping, [stepping])).toBe('');
    expect(otherMeanings(['c.lambda'], events, [stepping])).toBe('');
  });
});

describe('a value with its error bar', () => {
  it('has the digits that the error leaves', () => {
    expect(formatWithError(8.138705800684, 4e-12)).toBe('8.138705800684 ± 4e-12');
    expect(formatWithError(8.138705800684, 3e-3)).toBe('8.139 ± 0.003');
    expect(formatWithError(1234.5, 20)).toBe('1.23e+3 ± 20');
    expect(formatWithError(0.5, 1e-30)).toBe('0.500000000000000 ± 1e-30');
    expect(formatWithError(0.5, NaN)).toBe('0.5');
    expect(formatWithError(0.5, 0)).toBe('0.5');
  });
});

describe('the figures of a certificate', () => {
  const summary: CertificateSummary = {
    complementarity: 1e-14,
    coneViolation: 3e-9,
    dynamics: 2e-12,
    worstTime: null,
    worstElement: null,
  };
  const parts = {
    law: 1e-14,
    impact: 2e-7,
    energy: 0,
    motion: 1e-13,
    gain: 0,
    cone: 0,
    slip: 0,
    penetration: 3e-9,
    pull: 2e-7,
  };

  it('are three for time-stepping, and those of events otherwise', () => {
    expect(certificateFigures(summary).map(({ key }) => key)).toEqual([
      'complementarity',
      'coneViolation',
      'dynamics',
    ]);
    const figures = certificateFigures({ ...summary, parts });
    expect(figures.map(({ key }) => key)).toEqual([
      'law',
      'impact',
      'energy',
      'motion',
      'penetration',
      'pull',
    ]);
    expect(figures.map(({ isGood }) => isGood)).toEqual([true, false, true, true, null, null]);
    expect(figures.map(({ unit }) => unit)).toEqual(['', '', '', '', 'm', 'N']);
    expect(worstOf(summary)).toBe(3e-9);
  });

  it('are those of contacts and joints where 3D bodies are simulated by steps', () => {
    const contactParts = {
      cone: 0,
      law: 1e-14,
      momentum: 2e-12,
      joints: 0,
      limits: 4e-5,
      drives: 0,
      moments: 0,
      gaps: 0,
      positions: 0,
      motion: 1e-13,
    };
    const figures = certificateFigures({ ...summary, complementarity: 4e-5, contactParts });
    expect(figures.map(({ key }) => key)).toEqual(['momentum', 'motion', 'law', 'gaps', 'limits']);
    expect(figures.map(({ isGood }) => isGood)).toEqual([true, true, true, true, false]);
    expect(figures.at(-1)).toMatchObject({ label: 'Stops of joints', value: 4e-5 });
  });

  it('tell of friction and of energy that a law let appear where there is something to tell', () => {
    const figures = certificateFigures({
      ...summary,
      parts: { ...parts, cone: 1e-12, slip: 1e-11, gain: 0.1 },
    });
    expect(figures.map(({ key }) => key).slice(-3)).toEqual(['cone', 'slip', 'gain']);
  });

  it('are text for a report, in full, with the place of the worst', () => {
    const worst = { worstTime: 0.1 + 0.2, worstElement: 'floor' };
    const lines = certificateText('Ball, Run 1', { ...summary, ...worst, parts }, 4e-15).split('\n');
    expect(lines[0]).toBe('Ball, Run 1');
    expect(lines).toContain('Penetration: 3e-9 m (How far a gap is below zero)');
    expect(lines).toContain('Energy drift: 4e-15 (Energy that work and dissipation do not account for)');
    expect(lines.at(-2)).toBe('The worst one is at t = 0.30000000000000004 s, at floor.');
    expect(certificateText('Ball, Run 1', summary, null)).not.toContain('drift');
  });

  it('are satisfied up to what the solver was asked for, and never below rounding', () => {
    expect(isCertified(summary)).toBe(true);
    expect(isCertified({ ...summary, dynamics: 5e-8 })).toBe(false);
    const asked = { ...summary, dynamics: 5e-8, limit: 1e-7 };
    expect(isCertified(asked)).toBe(true);
    expect(certificateFigures(asked).map(({ isGood }) => isGood)).toEqual([true, true, true]);
    expect(isCertified({ ...asked, limit: 1e-15 })).toBe(false);
    expect(limitOf({ ...summary, limit: 1e-15 })).toBe(1e-8);
    expect(certificateText('Ball, Run 1', asked, null)).toContain('Satisfied up to 1e-7');
    expect(certificateText('Ball, Run 1', summary, null)).not.toContain('Satisfied');
  });

  it('of control blocks stand behind the others, with the place of the first that is wrong', () => {
    const defect = {
      kind: 'value',
      block: 'pid',
      signal: 'pid.u',
      time: 0.3,
      expected: 1.2,
      found: 1.4,
    } as const;
    const blocks = { worst: 1e-4, samples: 30, defect };
    const figures = certificateFigures({ ...summary, limit: 1e-3, blocks });
    expect(figures.map(({ key }) => key)).toEqual(['complementarity', 'coneViolation', 'dynamics', 'blocks']);
    // No solver has a part in them.
    expect(figures.at(-1)).toMatchObject({ label: 'Control blocks', value: 1e-4, isGood: false });
    const of = (other: Partial<Record<keyof typeof defect, unknown>>): string =>
      certificateText(
        'Run 1',
        { ...summary, blocks: { ...blocks, defect: { ...defect, ...other } as typeof defect } },
        null,
      );
    expect(of({})).toContain('At the sample at t = 0.3 s pid.u is 1.4, where its law gives 1.2.\n');
    expect(of({ kind: 'held' })).toContain('between two samples, pid.u changes from 1.2 to 1.4.\n');
    expect(of({ kind: 'missing', expected: null, found: null })).toContain(
      '“pid” has no sample at t = 0.3 s.\n',
    );
    expect(of({ kind: 'driving' })).toContain('pid.u drives fields by 1.4, and is recorded as 1.2.\n');
    expect(blockDefect({ ...summary, blocks: { worst: 0, samples: 30, defect: null } })).toBeNull();
  });

  it('do not pass what is not a number', () => {
    expect(isCertified({ ...summary, dynamics: NaN, limit: 1 })).toBe(false);
    const figures = certificateFigures({ ...summary, parts: { ...parts, motion: NaN, gain: NaN } });
    expect(figures.find(({ key }) => key === 'motion')?.isGood).toBe(false);
    expect(figures.some(({ key }) => key === 'gain')).toBe(true);
  });
});

describe('a run with the other scheme', () => {
  let host: FakeHost;
  beforeEach(async () => {
    host = await openCamFollower();
  });

  it('is run once, without a change of the document, and compared with the one before', async () => {
    const runs = useRunsStore();
    await runs.start();
    host.advance(1);
    expect(runs.otherScheme).toBe('event-driven');
    await runs.start({ scheme: runs.otherScheme });
    host.advance(1);
    const schemes = (list: readonly RunInfo[]): string[] => list.map(({ scheme }) => scheme);
    expect(schemes(runs.current === null ? [] : [runs.current])).toEqual(['event-driven']);
    expect(schemes(runs.compared)).toEqual(['time-stepping']);
    expect(runs.stale).toBe(false);
    await runs.start();
    expect(runs.current?.scheme).toBe('time-stepping');
  });
});
