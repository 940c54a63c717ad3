/** `moreau analyse`: what the analyses of a model find, on the command line. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnalysisDocument, ModelDocument } from '@engine/document/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bouncingBall } from '../main/models';
import { ROOT, temporaryFolder } from '../main/support';
import { modelFile, moreau } from './support';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const SWEEP: AnalysisDocument = {
  id: 'heights',
  type: 'sweep',
  axes: [{ type: 'values', parameter: 'g', values: [9, 10] }],
  measures: 'max ball.q, events',
};
const ball = (...analyses: AnalysisDocument[]): string =>
  modelFile(folder.path, { ...bouncingBall({ tEnd: 0.6 }), analyses });

function follower(): string {
  const path = join(ROOT, 'resources/examples/cam-follower-event-driven-660.moreau.json');
  const document = JSON.parse(readFileSync(path, 'utf8')) as ModelDocument;
  const period = '60/rpm';
  const analyses = [
    { id: 'orbit', type: 'orbit', period },
    { id: 'exponents', type: 'lyapunov', duration: '300*60/rpm', interval: period },
  ];
  return modelFile(folder.path, { ...document, analyses });
}

describe('moreau analyse', () => {
  it('tells orbits and exponents in words and as JSON, at other values of the parameters', async () => {
    const { code, out } = await moreau(['analyse', follower(), '--set', 'rpm=358']);
    expect(code).toBe(0);
    expect(out).toContain('stable orbit, period 0.5027932961 s, 3 periods of the forcing');
    expect(out).toContain('multipliers 0.2752697, 0.1022543');
    expect(out).toMatch(/lambda1 = -\d/);
    const json = await moreau(['analyse', follower(), '--set', 'rpm=358', '--analysis', 'orbit', '--json']);
    const { status, analyses } = JSON.parse(json.out) as {
      status: string;
      analyses: Record<string, { multiple: number; real: number[] }>;
    };
    expect(status).toBe('done');
    expect(Object.keys(analyses)).toEqual(['orbit']);
    expect(analyses['orbit'].real[0] * analyses['orbit'].real[1]).toBeCloseTo(0.8 ** 16, 10);
  });

  it('tells limit cycles and points of rest in basins of a model that nothing drives', async () => {
    const path = join(ROOT, 'resources/examples/friction-belt.moreau.json');
    const document = JSON.parse(readFileSync(path, 'utf8')) as ModelDocument;
    const plane = { type: 'basins', forcing: 'none', period: 5, stride: 1, xCount: 2, yCount: 2 };
    const [across, up] = [
      { xState: 'mass.q', xFrom: 0, xTo: 1 },
      { yState: 'mass.v', yFrom: 0, yTo: 0.1 },
    ];
    const falls = { xParameter: 'fall', xFrom: -0.1, xTo: 0.1 };
    const analyses = [
      { id: 'plane', ...plane, ...across, ...up },
      { id: 'chart', ...plane, ...falls, ...up },
    ];
    const { code, out } = await moreau(['analyse', modelFile(folder.path, { ...document, analyses })]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /attractor 1: limit cycle of period \d+\.\d+ s, largest multiplier \S+, 100 % of the starts/,
    );
    expect(out).toContain('rest: 50 % of the plane');
    expect(out).toContain('limit cycle, 2 events: 50 % of the plane');
  });

  it('tells where an orbit starts on its section, and its returns and impacts in a period', async () => {
    const document = JSON.parse(readFileSync(follower(), 'utf8')) as ModelDocument;
    const sections = [{ id: 'hits', type: 'impact', contact: 'cam', state: 'before' }];
    const [orbit] = document.analyses ?? [];
    const model = modelFile(folder.path, {
      ...document,
      simulation: { ...document.simulation, sections },
      analyses: [{ ...orbit, section: 'hits' }],
    });
    const { code, out } = await moreau(['analyse', model, '--set', 'rpm=358']);
    expect(code).toBe(0);
    expect(out).toContain('stable orbit, period 0.5027932961 s, 3 periods of the forcing');
    expect(out).toMatch(/starts on the section hits at t = \d+\.\d+ s, closes after 8 returns/);
    expect(out).toContain('multipliers 0.2752697, 0.1022543');
    expect(out).toContain('8 events in a period, 8 impacts among them');
    const json = await moreau(['analyse', model, '--set', 'rpm=358', '--json']);
    expect(JSON.parse(json.out)).toMatchObject({
      analyses: { orbit: { section: { id: 'hits', kind: 'impact', returns: 8 }, impacts: 8 } },
    });
  });

  it('writes what one finds as a table', async () => {
    const file = join(folder.path, 'table.csv');
    const { code } = await moreau(['analyse', ball(SWEEP), '--out', file]);
    expect(code).toBe(0);
    const rows = readFileSync(file, 'utf8')
      .split(/\r?\n/)
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(rows[0]).toBe('g [m/s^2],max ball.q [m],events,solved,complete');
    expect(rows).toHaveLength(3);
    expect(rows[1].split(',').slice(0, 2)).toEqual(['9', '1']);
  });

  it('names points that fail, with exit code 5, and runs that are over before they meet the section', async () => {
    const plain = bouncingBall({ tEnd: 0.6 });
    const share = { name: 'share', value: '1/(g - 10)' };
    const failing = { ...plain, parameters: [...plain.parameters, share], analyses: [SWEEP] };
    const failed = await moreau(['analyse', modelFile(folder.path, failing)]);
    expect(failed.code).toBe(5);
    expect(failed.out).toContain('1 failed');
    expect(failed.out).toContain('point 2: At g = 10: Parameter “share”');
    const sections = [{ id: 'high', type: 'surface', g: 'ball.q - 10' }];
    const sweep = { ...SWEEP, section: 'high', transient: 0, points: 1 };
    const unmet = { ...plain, simulation: { ...plain.simulation, sections }, analyses: [sweep] };
    const { out } = await moreau(['analyse', modelFile(folder.path, unmet, 'unmet.moreau.json')]);
    expect(out).toContain('0 section points, 2 runs without one: they do not meet the section');
  });

  it('writes section points of both directions, a row each', async () => {
    const sweep: AnalysisDocument = { ...SWEEP, section: 'hits', transient: 1, points: 2, start: 'both' };
    const plain = bouncingBall({ tEnd: 3 });
    const sections = [{ id: 'hits', type: 'impact', contact: 'table' }];
    const model = modelFile(folder.path, {
      ...plain,
      simulation: { ...plain.simulation, scheme: 'event-driven' as const, sections },
      analyses: [sweep],
    });
    const file = join(folder.path, 'hits.csv');
    const { code } = await moreau(['analyse', model, '--out', file]);
    expect(code).toBe(0);
    const [heading, ...rows] = readFileSync(file, 'utf8')
      .split(/\r?\n/)
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(heading).toBe(
      'direction,g [m/s^2],max ball.q [m],events,t [s],ball.q [m],ball.v [m/s],solved,complete',
    );
    const cells = rows.map((row) => row.split(',').map(Number));
    expect(cells.map(([direction, g]) => [direction, g])).toEqual([
      ...[9, 9, 10, 10].map((g) => [1, g]),
      ...[9, 9, 10, 10].map((g) => [-1, g]),
    ]);
    // From its initial state, which the first run of a chain has, the ball leaves the table by e² of the
    // speed it fell with.
    const t1 = Math.sqrt(2 / 9);
    expect(cells[0][4]).toBeCloseTo(t1 * (1 + 2 * 0.9), 9);
    expect(cells[0][6]).toBeCloseTo(0.81 * 9 * t1, 9);
  });

  it.each([
    ['no analyses', () => ball(), [], /The model has no analyses/],
    ['an unknown one', () => ball(SWEEP), ['--analysis', 'absent'], /no analysis “absent”.*heights/s],
    ['an unknown parameter', () => ball(SWEEP), ['--set', 'absent=1'], /no parameter “absent”/],
    [
      'two tables in one file',
      () => ball(SWEEP, { ...SWEEP, id: 'again' }),
      ['--out', 'x.csv'],
      /name it with --analysis/,
    ],
    ['an unknown format', () => ball(SWEEP), ['--out', 'x.xyz'], /\.xyz/],
  ] as const)('refuses %s', async (_, model, flags, message) => {
    const { code, notes } = await moreau(['analyse', model(), ...flags]);
    expect(code).not.toBe(0);
    expect(notes).toMatch(message);
  });

  it('is interrupted by Ctrl-C', async () => {
    const long = { ...SWEEP, axes: [{ type: 'range', parameter: 'g', from: 9, to: 10, count: 5000 }] };
    const { code, notes } = await moreau(['analyse', ball(long)], { interruptAt: 'points of heights' });
    expect(code).not.toBe(0);
    expect(notes).toContain('cancelled');
  });
});

describe('moreau export --figure of analyses', () => {
  it('computes its sweeps and branches, and draws them', async () => {
    const sweep: AnalysisDocument = {
      ...SWEEP,
      axes: [{ type: 'range', parameter: 'g', from: 9, to: 10, count: 7 }],
      start: 'both',
    };
    const document = {
      ...bouncingBall({ tEnd: 0.6 }),
      analyses: [sweep],
      views: [{ type: 'bifurcation' as const, id: 'diagram', analyses: ['heights'], y: 'events' }],
    };
    const file = join(folder.path, 'diagram.svg');
    const model = modelFile(folder.path, document);
    const { code, notes } = await moreau(['export', model, '--figure', 'diagram', '--out', file]);
    expect(notes).toBe('');
    expect(code).toBe(0);
    const svg = readFileSync(file, 'utf8');
    for (const word of ['g  [m/s^2]', 'events', 'upwards', 'downwards']) expect(svg).toContain(word);
  });

  it.each([
    ['the sweep that it names', 'plane'],
    ['the first sweep over two parameters, where it names none', ''],
  ])('draws a heat map of %s', async (_, analysis) => {
    const plane: AnalysisDocument = {
      ...SWEEP,
      id: 'plane',
      axes: [
        { type: 'range', parameter: 'g', from: 9, to: 10, count: 3 },
        { type: 'range', parameter: 'e', from: 0.5, to: 0.9, count: 4 },
      ],
    };
    const ball = bouncingBall({ tEnd: 0.6 });
    const document = {
      ...ball,
      parameters: [...ball.parameters, { name: 'e', value: 0.8 }],
      interactions: ball.interactions.map((one) => ({ ...one, law: { ...one.law, e: 'e' } })),
      analyses: [SWEEP, plane],
      views: [{ type: 'heat-map' as const, id: 'map', analysis, y: 'events' }],
    };
    const file = join(folder.path, 'map.svg');
    const { code, notes } = await moreau([
      ...['export', modelFile(folder.path, document), '--figure', 'map', '--out', file],
    ]);
    expect(notes).toBe('');
    expect(code).toBe(0);
    const svg = readFileSync(file, 'utf8');
    for (const word of ['g  [m/s^2]', '>e<', 'events']) expect(svg).toContain(word);
    // The map and the bar of its colours.
    expect(svg.match(/<image/g)).toHaveLength(2);
  });
});
