/**
 * Animations and tables on the command line: the bodies where the run has them, numbered pictures, and what
 * is wrong with a film.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { floor, G, rigid, spaceModel, touch } from '../engine/support/space';
import { bouncingBall } from '../main/models';
import { temporaryFolder } from '../main/support';
import { modelFile, moreau } from './support';

/** Half a side of the box, m; see the support. */
const HALF = 0.1;
const CAMERA = { position: [0, -10, 0.5], target: [0, 0, 0.5] };

let folder: ReturnType<typeof temporaryFolder>;
let model: string;
beforeEach(() => {
  folder = temporaryFolder();
  const document = spaceModel([floor(), rigid('box', [0, 0, 1])], [touch('ground', ['floor', 'box'])], {
    tEnd: 0.4,
  });
  model = modelFile(folder.path, {
    ...document,
    views: [
      { type: 'animation', id: 'film', camera: CAMERA, overlays: [], speed: 0.5 },
      { type: 'table', id: 'numbers', signals: ['t', 'box.q[2]'] },
      { type: 'time-series', id: 'height', signals: ['box.q[2]'] },
    ],
  });
});
afterEach(() => folder.remove());
const out = (name: string): string => join(folder.path, name);
const draw = (view: string, file: string, ...more: string[]) =>
  moreau(['export', model, '--figure', view, '--out', out(file), ...more]);

/** Corners of all polygons of a drawing, px. */
const cornersOf = (svg: string): [number, number][] =>
  [...svg.matchAll(/<polygon points="([^"]+)"/g)].flatMap(([, points = '']) =>
    points.split(' ').map((pair): [number, number] => {
      const [x, y] = pair.split(',').map(Number);
      return [x ?? NaN, y ?? NaN];
    }),
  );

/** Where the camera sees a point: it looks along y, its opening is 35° from top to bottom. */
function seen([x, y, z]: readonly [number, number, number], width: number, height: number): [number, number] {
  const scale = height / 2 / Math.tan((17.5 * Math.PI) / 180) / (y + 10);
  return [width / 2 + scale * x, height / 2 - scale * (z - 0.5)];
}

describe('moreau export --figure of an animation', () => {
  it.each([0, 0.1, 0.25])('has the corners of a falling box where the run has them at %d s', async (time) => {
    const { code } = await draw('film', 'a.svg', '--time', String(time));
    expect(code).toBe(0);
    const svg = readFileSync(out('a.svg'), 'utf8');
    const [, width, height] = /^<svg [^>]*width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
    const corners = cornersOf(svg);
    const middle = 1 - (G * time ** 2) / 2;
    for (const x of [-HALF, HALF])
      for (const z of [middle - HALF, middle + HALF]) {
        const [px, py] = seen([x, -HALF, z], Number(width), Number(height));
        const nearest = Math.min(...corners.map((corner) => Math.hypot(corner[0] - px, corner[1] - py)));
        expect(nearest).toBeLessThan(0.02);
      }
  });

  it('draws it among all views, where it was left out, with the table', async () => {
    const all = await draw('all', 'all.svg');
    expect([all.code, all.notes]).toEqual([0, '']);
    const svg = readFileSync(out('all.svg'), 'utf8');
    expect(svg).toMatch(/^<svg [^>]*width="605" height="906"/);
    expect(svg).toContain('<polygon ');
    expect(svg).toMatch(/>box\.q\[2\] {2}\[m\]</);
    expect(svg).toMatch(/>\d+ of 401 rows, with the last one</);
    // The last row is there, at its time.
    expect(svg).toContain('>400</text>');
    expect((await draw('dashboard', 'main.pdf')).code).toBe(0);
    expect(readFileSync(out('main.pdf'), 'latin1')).toMatch(/^%PDF-1\./);
  });

  it('writes numbered pictures, each of its own time, at the speed of the view', async () => {
    const { code, out: told } = await draw('film', 'drop-%03d.svg', '--frames', '10', '--until', '0.2');
    expect(code).toBe(0);
    // 0.2 s at half the speed are 0.4 s of ten pictures a second, and one at the end.
    const names = readdirSync(folder.path).filter((name) => name.startsWith('drop-'));
    expect(names).toEqual(['drop-001.svg', 'drop-002.svg', 'drop-003.svg', 'drop-004.svg', 'drop-005.svg']);
    expect(told).toBe(`${out('drop-001.svg')}\n${out('drop-005.svg')}\n`);
    await draw('film', 'third.svg', '--time', '0.1');
    expect(readFileSync(out('drop-003.svg'), 'utf8')).toBe(readFileSync(out('third.svg'), 'utf8'));
    expect(readFileSync(out('drop-004.svg'), 'utf8')).not.toBe(readFileSync(out('third.svg'), 'utf8'));
  });

  it('makes the folder of its pictures', async () => {
    const size = ['--width', '50.8', '--height', '25.4', '--dpi', '96'];
    expect(
      (await draw('film', 'pictures', '--frames', '5', '--from', '0.1', '--until', '0.3', ...size)).code,
    ).toBe(0);
    expect(readdirSync(out('pictures'))).toEqual(['frame-0001.png', 'frame-0002.png', 'frame-0003.png']);
    const png = readFileSync(join(out('pictures'), 'frame-0002.png'));
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([192, 96]);
  });

  it.each<[string, string, string[], RegExp]>([
    ['a plot', 'height', ['--frames', '10'], /Only an animation/],
    ['all views', 'all', ['--frames', '10'], /Only an animation/],
    ['no pictures', 'film', ['--frames', '0'], /--frames must lie between/],
    ['one moment', 'film', ['--frames', '10', '--time', '0.1'], /one moment/],
    ['two runs', 'film', ['--frames', '10', '--compare', 'time-stepping'], /--compare/],
    ['a part behind the end', 'film', ['--frames', '10', '--from', '9'], /ends at 0\.4 s/],
    ['too many pictures', 'film', ['--frames', '999999'], /more than 100000/],
  ])('says what is wrong with a film of %s, and writes nothing', async (_, view, more, words) => {
    const { code, notes } = await draw(view, 'film', ...more);
    expect(notes).toMatch(words);
    expect(code).toBe(2);
    expect(existsSync(out('film'))).toBe(false);
  });

  it('says that a model has no bodies', async () => {
    const views = [
      { type: 'animation', id: 'film' },
      { type: 'time-series', id: 'height', signals: ['ball.q'] },
    ];
    model = modelFile(folder.path, { ...bouncingBall({ tEnd: 0.1 }), views });
    const { code, notes } = await draw('film', 'a.svg');
    expect(notes).toMatch(/no bodies/);
    expect(code).toBe(2);
    expect(existsSync(out('a.svg'))).toBe(false);
    // Among others it says so in its place.
    expect((await draw('all', 'all.svg')).code).toBe(0);
    expect(readFileSync(out('all.svg'), 'utf8')).toMatch(/>The model has no bodies[^<]*<[^]*>ball\.q/);
  });
});
