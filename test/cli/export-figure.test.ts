/** Figures on the command line: the same charts as in the window, in files with their fonts. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bouncingBall } from '../main/models';
import { temporaryFolder } from '../main/support';
import { moreau } from './support';

let folder: ReturnType<typeof temporaryFolder>;
let model: string;
beforeEach(() => {
  folder = temporaryFolder();
  model = join(folder.path, 'ball.moreau.json');
  const ball = bouncingBall({ tEnd: 1 });
  writeFileSync(
    model,
    JSON.stringify({
      ...ball,
      simulation: {
        ...ball.simulation,
        sections: [{ id: 'clock', type: 'stroboscopic', period: 0.02 }],
      },
      views: [
        { type: 'time-series', id: 'height', signals: ['ball.q', 'ball.v'] },
        { type: 'phase-portrait', id: 'portrait', x: 'ball.q', y: 'ball.v' },
        { type: 'section', id: 'map', section: 'clock', x: 'ball.q', y: 'ball.v' },
        { type: 'animation', id: 'film' },
      ],
    }),
  );
});
afterEach(() => folder.remove());
const out = (name: string): string => join(folder.path, name);

describe('moreau export --figure', () => {
  it('draws what contacts do and take, the certificate, and trajectories in space', async () => {
    const document = JSON.parse(readFileSync(model, 'utf8')) as object;
    const views = [
      { type: 'index-sets', id: 'states' },
      { type: 'energy-ledger', id: 'energy' },
      { type: 'certificate', id: 'certificate' },
      { type: 'matrix', id: 'problem', time: 0.8 },
      { type: 'attractor', id: 'space', x: 't', y: 'ball.q', z: 'ball.v', azimuth: -60, byTime: true },
    ];
    writeFileSync(model, JSON.stringify({ ...document, views }));
    const { code } = await moreau(['export', model, '--figure', 'all', '--out', out('all.svg')]);
    expect(code).toBe(0);
    const svg = readFileSync(out('all.svg'), 'utf8');
    for (const words of [
      'closed',
      'energy.kinetic',
      'taken by table',
      'equations of motion',
      'ball.v {2}\\[m/s\\]',
    ])
      expect(svg).toMatch(new RegExp(`>${words}<`));
  });

  it('draws all views of a model as SVG, text as text and fonts in the file', async () => {
    const { code } = await moreau(['export', model, '--figure', 'all', '--out', out('all.svg')]);
    expect(code).toBe(0);
    const svg = readFileSync(out('all.svg'), 'utf8');
    expect(svg).toMatch(/^<svg [^>]*width="605" height="1208"/);
    expect(svg).toContain('@font-face{font-family:"Inter";src:url(data:font/woff;base64,');
    expect(svg.match(/>ball\.v {2}\[m\/s\]</g)?.length).toBeGreaterThanOrEqual(2);
    // The same model, the same bytes.
    await moreau(['export', model, '--figure', 'all', '--out', out('again.svg')]);
    expect(readFileSync(out('again.svg'), 'utf8')).toBe(svg);
  });

  it('draws a dashboard as it stands in the window, with titles', async () => {
    const document = JSON.parse(readFileSync(model, 'utf8')) as { views: object[] };
    const layout = {
      split: 'horizontal',
      sizes: [0.25, 0.75],
      children: [{ tabs: ['portrait', 'film'] }, { tabs: ['height', 'map'] }],
    };
    document.views[0] = { ...document.views[0], title: 'Height & speed', legend: 'none' };
    const dashboards = [{ id: 'main', layout }, { id: 'empty' }];
    writeFileSync(model, JSON.stringify({ ...document, dashboards }));
    const draw = (name: string, file: string, ...more: string[]) =>
      moreau(['export', model, '--figure', name, '--out', out(file), ...more]);
    expect((await draw('dashboard', 'first.svg')).code).toBe(0);
    const svg = readFileSync(out('first.svg'), 'utf8');
    // 80 mm are for the higher of both columns.
    expect(svg).toMatch(/^<svg [^>]*width="605" height="302"/);
    expect([...svg.matchAll(/<g transform="translate\((\S+) (\S+)\)">/g)].map(([, x, y]) => [x, y])).toEqual([
      ['0', '0'],
      ['156', '20'],
    ]);
    expect(svg).toContain('>Height &amp; speed</text>');
    expect((await draw('dashboard:main', 'same.svg')).code).toBe(0);
    expect(readFileSync(out('same.svg'), 'utf8')).toBe(svg);
    expect((await draw('dashboard:main', 'main.pdf', '--height', '60')).code).toBe(0);
    expect(readFileSync(out('main.pdf'), 'latin1')).toMatch(/\/MediaBox \[0 0 453\.75 170\.25\]/);
    const none = await draw('dashboard:side', 'none.svg');
    expect([none.code, none.notes]).toEqual([2, expect.stringMatching(/“side”[^]*main, empty/)]);
    const empty = await draw('dashboard:empty', 'none.svg');
    expect([empty.code, empty.notes]).toEqual([2, expect.stringMatching(/“empty” has no view/)]);
  });

  it('says in the legends of compared runs which style is which scheme', async () => {
    for (const view of ['height', 'portrait', 'map']) {
      const file = out(`${view}.svg`);
      const draw = ['export', model, '--figure', view, '--out', file];
      expect((await moreau([...draw, '--compare', 'event-driven'])).code).toBe(0);
      const both = readFileSync(file, 'utf8');
      for (const words of ['Time-stepping', 'Event-driven']) expect(both).toContain(`>${words}</text>`);
      expect((await moreau(draw)).code).toBe(0);
      expect(readFileSync(file, 'utf8')).not.toContain('>Time-stepping</text>');
    }
  });

  it('draws one view as PDF with its fonts, both schemes in it', async () => {
    const { code } = await moreau([
      ...['export', model, '--figure', 'height', '--compare', 'event-driven'],
      ...['--width', '88', '--height', '60', '--from', '0.2', '--until', '0.7', '--out', out('height.pdf')],
    ]);
    expect(code).toBe(0);
    const pdf = readFileSync(out('height.pdf'), 'latin1');
    expect(pdf).toMatch(/^%PDF-1\./);
    expect(pdf).toMatch(/\/FontFile2 /);
    // 88 × 60 mm are 333 × 227 px, three quarters of a point each.
    expect(pdf).toMatch(/\/MediaBox \[0 0 249\.75 170\.25\]/);
  });

  it('draws pictures of a chosen resolution', async () => {
    const { code } = await moreau([
      ...['export', model, '--figure', 'map', '--dpi', '192', '--width', '50.8', '--height', '25.4'],
      ...['--style', 'screen', '--out', out('map.png')],
    ]);
    expect(code).toBe(0);
    const png = readFileSync(out('map.png'));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([384, 192]);
  });

  it.each<[string, string[], number, RegExp]>([
    ['a view that is not there', ['--figure', 'hight', '--out', 'a.svg'], 2, /height, portrait, map/],
    ['a format that is none', ['--figure', 'map', '--out', 'a.gif'], 2, /\.svg, \.pdf, \.png/],
    ['no file', ['--figure', 'map'], 2, /needs --out/],
    [
      'a style that is none',
      ['--figure', 'map', '--out', 'a.svg', '--style', 'pretty'],
      2,
      /publication and screen/,
    ],
    ['a side that is none', ['--figure', 'map', '--out', 'a.svg', '--width', '0'], 2, /--width/],
    [
      'a span that is none',
      ['--figure', 'map', '--out', 'a.svg', '--from', '1', '--until', '0'],
      2,
      /earlier/,
    ],
  ])('says what is wrong with %s, and writes nothing', async (_, argv, expected, words) => {
    const placed = argv.map((word) => (/^a\.\w+$/.test(word) ? out(word) : word));
    const { code, notes } = await moreau(['export', model, ...placed]);
    expect(notes).toMatch(words);
    expect(code).toBe(expected);
    expect(readdirSync(folder.path)).toEqual(['ball.moreau.json']);
  });
});
