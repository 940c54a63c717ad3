/**
 * Figures on the command line in the units that the document shows its values in; data stay in those of the
 * model.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AnalysisDocument, ModelDocument, ViewDocument } from '@engine/document/types';
import { bouncingBall } from '../main/models';
import { ROOT, temporaryFolder } from '../main/support';
import { moreau } from './support';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => folder.remove());

const DISPLAY = {
  units: { m: 'mm', 'm/s': 'km/h', s: 'ms', J: 'mJ' },
  parameters: { g: 'cm/s^2' },
};
const SWEEP: AnalysisDocument = {
  id: 'heights',
  type: 'sweep',
  axes: [{ type: 'range', parameter: 'g', from: 9, to: 10, count: 5 }],
  measures: 'max ball.q',
};

/** A ball that is dropped from 1 m. */
const ball = (views: readonly ViewDocument[], change: Partial<ModelDocument> = {}): ModelDocument => ({
  ...bouncingBall({ tEnd: 1 }),
  displayUnits: DISPLAY,
  views: [...views],
  ...change,
});

function modelFile(document: ModelDocument): string {
  const file = join(folder.path, 'ball.moreau.json');
  writeFileSync(file, JSON.stringify(document));
  return file;
}

/** Texts of the figure of a view. */
async function texts(document: ModelDocument, figure = 'view'): Promise<string[]> {
  const out = join(folder.path, 'figure.svg');
  const { code, notes } = await moreau(['export', modelFile(document), '--figure', figure, '--out', out]);
  expect(notes).toBe('');
  expect(code).toBe(0);
  return [...readFileSync(out, 'utf8').matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
}

describe('figures are drawn in the units of the document:', () => {
  it('time series, with the ends of their axes', async () => {
    const view: ViewDocument = {
      type: 'time-series',
      id: 'view',
      signals: ['ball.q'],
      axes: [{ min: 0, max: 0.8 }],
      annotations: [{ text: 'here', t: 0.5, y: 0.4 }],
    };
    const found = await texts(ball([view]));
    for (const text of ['t  [ms]', 'ball.q  [mm]', '800', '1000', 'here']) expect(found).toContain(text);
    const plain = await texts({ ...ball([view]), displayUnits: undefined } as unknown as ModelDocument);
    for (const text of ['t  [s]', 'ball.q  [m]', '0.8']) expect(plain).toContain(text);
    expect(plain).not.toContain('800');
  });

  it('portraits and sections', async () => {
    const views: ViewDocument[] = [
      { type: 'phase-portrait', id: 'portrait', x: 'ball.q', y: 'ball.v', xRange: { min: 0, max: 0.8 } },
      { type: 'section', id: 'map', section: 'clock', x: 't', y: 'ball.q', yRange: { min: 0, max: 0.8 } },
    ];
    const document = ball(views);
    const sections = [{ id: 'clock', type: 'stroboscopic' as const, period: 0.02 }];
    const sectioned = { ...document, simulation: { ...document.simulation, sections } };
    const portrait = await texts(sectioned, 'portrait');
    for (const text of ['ball.q  [mm]', 'ball.v  [km/h]', '800']) expect(portrait).toContain(text);
    const map = await texts(sectioned, 'map');
    for (const text of ['t  [ms]', 'ball.q  [mm]', '800', '1000']) expect(map).toContain(text);
  });

  it('spectra, energies, states of contacts, certificates, curves in space and tables', async () => {
    const views: ViewDocument[] = [
      { type: 'spectrum', id: 'spectrum', signals: ['ball.q'], quantity: 'density' },
      { type: 'energy-ledger', id: 'energy' },
      { type: 'index-sets', id: 'states' },
      { type: 'certificate', id: 'certificate' },
      { type: 'attractor', id: 'space', x: 't', y: 'ball.q', z: 'ball.v' },
      { type: 'table', id: 'table', signals: ['t', 'ball.q'] },
    ];
    const document = ball(views);
    expect((await texts(document, 'spectrum')).join()).toContain('[mm²/Hz]');
    expect(await texts(document, 'energy')).toEqual(expect.arrayContaining(['t  [ms]', '[mJ]', '10000']));
    expect(await texts(document, 'states')).toEqual(expect.arrayContaining(['t  [ms]', '1000']));
    expect(await texts(document, 'certificate')).toEqual(expect.arrayContaining(['t  [ms]', '1000']));
    expect((await texts(document, 'space')).join()).toContain('ball.v  [km/h]');
    const table = await texts(document, 'table');
    expect(table.join()).toContain('mm');
    expect(table).toContain('1000');
  });

  it('diagrams of sweeps and heat maps, of which parameters have their own', async () => {
    const plane: AnalysisDocument = {
      ...SWEEP,
      id: 'plane',
      axes: [
        { type: 'range', parameter: 'g', from: 9, to: 10, count: 3 },
        { type: 'range', parameter: 'e', from: 0.5, to: 0.9, count: 3 },
      ],
    };
    const start = bouncingBall({ tEnd: 0.3 });
    const document = ball(
      [
        {
          type: 'bifurcation',
          id: 'diagram',
          analyses: ['heights'],
          y: 'max ball.q',
          yRange: { min: 0, max: 2 },
        },
        { type: 'heat-map', id: 'map', analysis: 'plane', y: 'max ball.q', colourRange: { min: 0, max: 2 } },
      ],
      {
        parameters: [...start.parameters, { name: 'e', value: 0.8 }],
        interactions: start.interactions.map((one) => ({ ...one, law: { ...one.law, e: 'e' } })),
        analyses: [SWEEP, plane],
      },
    );
    const diagram = await texts(document, 'diagram');
    for (const text of ['g  [cm/s^2]', '900', '1000', 'max ball.q  [mm]', '2000'])
      expect(diagram).toContain(text);
    const map = await texts(document, 'map');
    for (const text of ['g  [cm/s^2]', '900', 'e', 'max ball.q  [mm]', '2000']) expect(map).toContain(text);
  });

  it('basins of attraction', async () => {
    const example = join(ROOT, 'resources/examples/impact-oscillator-basins.moreau.json');
    const read = JSON.parse(readFileSync(example, 'utf8')) as ModelDocument;
    const analyses = (read.analyses ?? [])
      .filter(({ type }) => type === 'basins')
      .map((one) => ({ ...one, xCount: 4, yCount: 4 }));
    const found = await texts({ ...read, analyses, displayUnits: DISPLAY }, 'basins');
    for (const text of ['oscillator.q  [mm]', '-2000', 'oscillator.v  [km/h]', '10'])
      expect(found.map((one) => one.replace('−', '-'))).toContain(text);
  });

  it('and in those of the model where the unit chosen is of another quantity', async () => {
    const view: ViewDocument = { type: 'time-series', id: 'view', signals: ['ball.q'] };
    const document = { ...ball([view]), displayUnits: { units: { m: 'kg', s: 'ms' } } };
    expect(await texts(document)).toEqual(expect.arrayContaining(['ball.q  [m]', 't  [ms]']));
  });

  it('but data are written in those of the model', async () => {
    const out = join(folder.path, 'ball.csv');
    expect((await moreau(['run', modelFile(ball([])), '--out', out])).code).toBe(0);
    const [head, first] = readFileSync(out, 'utf8').split('\n');
    expect(head).toContain('ball.q [m]');
    expect(first).toContain(',1,');
  });
});
