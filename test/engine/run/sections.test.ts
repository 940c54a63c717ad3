/**
 * Sections that a run takes: the same points whether it goes straight on, back and on, or with a change of
 * nothing.
 */
import { describe, expect, it } from 'vitest';
import type { ModelDocument, SectionDocument } from '@engine/document/types';
import { MemoryChunks } from '@engine/recording/chunks';
import { prepareRun, type RunSession } from '@engine/run/session';
import { FORMAT_VERSION } from '@engine/document/schema';

const OMEGA = 7;
const SECTIONS: SectionDocument[] = [
  { id: 'strobe', type: 'stroboscopic', period: '2*pi/w', phase: 0.25 },
  { id: 'hits', type: 'impact', contact: 'floor', state: 'before' },
  { id: 'top', type: 'surface', g: 'ball.v', direction: 'falling' },
  { id: 'late', type: 'stroboscopic', period: '2*pi/w', transient: 3 },
];

/** A ball that bounces without loss on a floor, with a spring that never rests. */
function bouncing(
  scheme: 'time-stepping' | 'event-driven',
  change: Partial<ModelDocument['simulation']> = {},
): ModelDocument {
  return {
    formatVersion: FORMAT_VERSION,
    title: 'bouncing',
    parameters: [
      { name: 'w', value: OMEGA },
      { name: 'g', value: 9.81 },
    ],
    systems: [
      {
        id: 'ball',
        type: 'LagrangianLinearTI',
        ndof: 1,
        mass: [[1]],
        fExt: ['-g'],
        q0: [1],
        v0: [0.3],
      },
    ],
    interactions: [
      {
        id: 'floor',
        systems: ['ball'],
        relation: { type: 'LagrangianLinear', H: [[1]] },
        law: { type: 'NewtonImpact', e: 0.98 },
      },
    ],
    simulation: {
      scheme,
      t0: 0,
      tEnd: 12,
      h: 0.01,
      integrators: [{ type: 'MoreauJean', theta: 0.5 }],
      problem: { type: 'LCP' },
      solver: { type: 'auto' },
      sections: SECTIONS,
      ...change,
    },
    observables: [{ name: 'energy', expression: 'ball.v^2/2 + g*ball.q' }],
    scripts: [],
    views: [],
    layout: { nodes: {} },
  };
}

interface Taken {
  session: RunSession;
  /** rows of each section */
  points(): number[][][];
  rows(): number;
}

function start(document: ModelDocument): Taken {
  const sinks: MemoryChunks[] = [];
  const sink = new MemoryChunks();
  const run = prepareRun(
    { document },
    {
      sink,
      sectionSinks: (k) => (sinks[k] = new MemoryChunks()),
      sandbox: () => {
        throw new Error('there are no scripts');
      },
      keepsHistory: true,
    },
  );
  if (!run.ok) throw new Error(run.error.message);
  const rowsOf = (chunks: MemoryChunks): number[][] =>
    Array.from({ length: chunks.rows() }, (_, row) => {
      const { rowsPerChunk, columns } = chunks.layout;
      const chunk = Math.floor(row / rowsPerChunk);
      return Array.from(
        { length: columns },
        (__, column) => chunks.column(chunk, column)[row % rowsPerChunk],
      );
    });
  return { session: run.session, points: () => sinks.map(rowsOf), rows: () => sink.rows() };
}

function toEnd({ session }: Taken): void {
  while (session.advance(100) === 'running');
  expect(session.error).toBeNull();
}

describe.each(['time-stepping', 'event-driven'] as const)('sections of a run by the %s scheme', (scheme) => {
  const straight = start(bouncing(scheme));
  toEnd(straight);
  const expected = straight.points();

  it('are what was asked for', () => {
    const [strobe, hits, top, late] = expected;
    const { signals } = straight.session;
    const [q, v] = ['ball.q', 'ball.v'].map((name) => signals.findIndex((one) => one.name === name));
    const period = (2 * Math.PI) / OMEGA;
    expect(strobe.map(([t]) => t)).toEqual(
      strobe.map((_, k) => expect.closeTo((0.25 + k) * period, 9) as number),
    );
    expect(strobe).toHaveLength(Math.floor(12 / period - 0.25) + 1);
    expect(late).toHaveLength(Math.floor(12 / period) + 1 - 3);
    expect(hits.length).toBeGreaterThan(10);
    for (const row of hits) expect(row[v]).toBeLessThan(0);
    for (const row of top) {
      expect(Math.abs(row[v])).toBeLessThan(scheme === 'event-driven' ? 1e-9 : 1e-12);
      expect(row[q]).toBeGreaterThan(0);
    }
    const energy = signals.findIndex(({ name }) => name === 'energy');
    for (const row of expected.flat()) expect(row[energy]).toBeCloseTo(row[v] ** 2 / 2 + 9.81 * row[q], 1);
    expect(straight.session.sections.map(({ id, kind }) => [id, kind])).toEqual([
      ['strobe', 'stroboscopic'],
      ['hits', 'impact'],
      ['top', 'surface'],
      ['late', 'stroboscopic'],
    ]);
  });

  it('are the same after going back', () => {
    const run = start(bouncing(scheme));
    run.session.advance(900);
    for (const move of [611, 300, 5, 0]) {
      run.session.goBack(move);
      run.session.advance(move + 250);
    }
    toEnd(run);
    expect(run.points()).toEqual(expected);
  });

  it('go on across a change of parameters, with no point twice and none missing', () => {
    const run = start(bouncing(scheme));
    run.session.advance(437);
    expect(run.session.change({ g: 9.81 })).toBeNull();
    toEnd(run);
    expect(run.points().map((points) => points.map(([t]) => t))).toEqual(
      expected.map((points) => points.map(([t]) => expect.closeTo(t, 6) as number)),
    );
  });

  it('need no trajectory', () => {
    const run = start(bouncing(scheme, { recording: { trajectory: false } }));
    toEnd(run);
    expect(run.points()).toEqual(expected);
    expect(run.rows()).toBeLessThanOrEqual(3);
  });

  it.each<[string, SectionDocument, string]>([
    ['an unknown contact', { id: 'a', type: 'impact', contact: 'wall' }, '/simulation/sections/0/contact'],
    [
      'an expression of unknown signals',
      { id: 'a', type: 'surface', g: 'boll.q' },
      '/simulation/sections/0/g',
    ],
    ['a period that is none', { id: 'a', type: 'stroboscopic', period: 0 }, '/simulation/sections/0/period'],
  ])('are refused for %s', (_, section, pointer) => {
    const document = bouncing(scheme, { sections: [section] });
    const environment = {
      sink: new MemoryChunks(),
      sandbox: () => Promise.reject(new Error('none')) as never,
    };
    const run = prepareRun({ document }, environment);
    expect(run.ok ? [] : run.issues).toEqual([expect.objectContaining({ pointer, severity: 'error' })]);
  });
});

describe('a surface on which a law has a corner', () => {
  /** A rectifier: a diode with a leakage, a threshold of 0.7 V and a resistance, on an RC load. */
  const crossings = (direction: 'rising' | 'falling' | 'both'): number => {
    const document = bouncing('event-driven', {
      tEnd: 0.06,
      h: 1e-4,
      integrators: [{ type: 'EulerMoreau', theta: 1 }],
      sections: [{ id: 'on', type: 'surface', g: 'diode.y + 0.7', direction }],
    });
    document.observables = [];
    document.systems = [
      {
        ...{ id: 'circuit', type: 'FirstOrderLinear', n: 3, x0: [2, 0, 1] },
        A: [
          [-100, 0, 0],
          [0, 0, '100*pi'],
          [0, '-100*pi', 0],
        ],
      },
    ];
    document.interactions = [
      {
        ...{ id: 'diode', systems: ['circuit'] },
        relation: { type: 'FirstOrderLinearTI', C: [[1, -10, 0]], D: [[1]], B: [[1e4], [0], [0]] },
        law: {
          type: 'PiecewiseLinear',
          points: [
            [-0.7, 0],
            [0, 0],
          ],
          start: [0.5, -1],
          end: [1, -1e-3],
        },
      },
    ];
    const run = start(document);
    toEnd(run);
    return run.points()[0].length;
  };

  it('is crossed once where rounding changes its sign many times', () => {
    // The diode switches on and off in each of three periods.
    expect(crossings('falling')).toBe(3);
    expect(crossings('rising')).toBe(3);
    expect(crossings('both')).toBe(6);
  });
});
