/** Films and archives, read back by others; labels; colours; what an export may ask for. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MoreauError } from '@contract/errors';
import { filmObstacle, sizeObstacle, exportedSizeOf } from '@renderer/animation/export-form';
import { MOST_PICTURES, pictureCount, pictureName, pictureTime } from '@figures/animation/film-plan';
import { bodyColours, LIGHT_STAGE, sceneColours } from '@figures/animation/stage-theme';
import { type FilmMaker, makeFilm } from '@renderer/animation/film';
import { axesInPicture, project, visibleIds } from '@renderer/animation/labels';
import { overlayObstacle, OVERLAYS, toggled } from '@renderer/animation/overlays';
import { readStageTheme } from '@renderer/animation/stage-theme';
import { archiveBytes, crc32, storedZip } from '@renderer/animation/zip';
import { ground, sceneOf, spatialBody } from './support/scenes';

describe('the archive', () => {
  it('has the checksum of the standard', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
    fc.assert(fc.property(fc.uint8Array(), (data) => crc32(data) === zlib.crc32(data)));
  });

  it('is read by another program, file by file', () => {
    const files = [
      { name: 'frame-0001.png', data: Uint8Array.of(1, 2, 3) },
      { name: 'empty', data: new Uint8Array(0) },
      { name: 'long.bin', data: Uint8Array.from({ length: 70_000 }, (_, i) => i % 251) },
    ];
    const archive = storedZip(files);
    expect(archive).toHaveLength(archiveBytes(files));
    const folder = mkdtempSync(join(tmpdir(), 'moreau-zip-'));
    try {
      const path = join(folder, 'a.zip');
      writeFileSync(path, archive);
      const script =
        'import zipfile,sys,json;z=zipfile.ZipFile(sys.argv[1]);assert z.testzip() is None;print(json.dumps({i.filename:sum(z.read(i)) for i in z.infolist()}))';
      const read = JSON.parse(execFileSync('python3', ['-c', script, path], { encoding: 'utf8' })) as unknown;
      const sums = files.map(({ name, data }) => [name, data.reduce((sum, byte) => sum + byte, 0)]);
      expect(read).toEqual(Object.fromEntries(sums));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a film', () => {
  const maker = (changes: Partial<FilmMaker> = {}): FilmMaker & { times: number[]; done: number[] } => {
    const times: number[] = [];
    const done: number[] = [];
    return {
      times,
      done,
      signal: new AbortController().signal,
      picture: (time) => {
        times.push(time);
        return Promise.resolve(Uint8Array.of(times.length));
      },
      progress: (count) => done.push(count),
      ...changes,
    };
  };
  const plan = { from: 1, to: 3, speed: 0.5, rate: 10 };

  it('has a picture at its beginning, one at its end where one falls there, and equal steps between', async () => {
    expect(pictureCount(plan)).toBe(41);
    expect(pictureTime(plan, 40)).toBe(3);
    expect(pictureCount({ ...plan, to: 3.04 })).toBe(41);
    const one = maker();
    expect(await makeFilm(plan, one)).not.toBeNull();
    expect(one.times).toHaveLength(41);
    one.times.forEach((time, i) => expect(time).toBeCloseTo(1 + 0.05 * i, 12));
    expect(one.done.at(-1)).toBe(41);
  });

  it('has its pictures in the order of their names', () => {
    const names = Array.from({ length: 12_000 }, (_, i) => pictureName(i, 12_000));
    expect([...names].sort()).toEqual(names);
    expect(pictureName(0, 20)).toBe('frame-0001.png');
  });

  it('is given up when the user wants it, without another picture', async () => {
    const control = new AbortController();
    const one = maker({ signal: control.signal });
    const picture = one.picture;
    one.picture = (time) => {
      if (one.times.length === 3) control.abort();
      return picture(time);
    };
    expect(await makeFilm(plan, one)).toBeNull();
    expect(one.times).toHaveLength(4);
  });

  it('is refused when it is too long, or too large for the door', async () => {
    const refusal = (error: unknown): string => (error instanceof MoreauError ? error.details.code : 'none');
    const long = { ...plan, rate: 1e6 };
    expect(await makeFilm(long, maker()).catch(refusal)).toBe('film-too-long');
    const huge = maker({ picture: () => Promise.resolve(new Uint8Array(90 * 2 ** 20)) });
    expect(await makeFilm(plan, huge).catch(refusal)).toBe('export-too-large');
    expect(huge.done).toEqual([1, 2]);
  });
});

describe('what an export may ask for', () => {
  it('is a size that can be drawn', () => {
    expect(sizeObstacle(exportedSizeOf('uhd', { width: 1, height: 1 }))).toBe('');
    expect(exportedSizeOf('panel', { width: 500.4, height: 300.6 })).toEqual({ width: 500, height: 301 });
    for (const width of [0, 15, 8193, 100.5, NaN])
      expect(sizeObstacle({ width, height: 100 })).toContain('8192');
  });

  it('is a part that has an extent and not too many pictures', () => {
    const plan = { from: 0, to: 1, speed: 1, rate: 30 };
    expect(filmObstacle(plan)).toBe('');
    expect(filmObstacle({ ...plan, to: 0 })).not.toBe('');
    expect(filmObstacle({ ...plan, to: NaN })).not.toBe('');
    expect(filmObstacle({ ...plan, to: (MOST_PICTURES - 1) / 30 })).toBe('');
    expect(filmObstacle({ ...plan, to: MOST_PICTURES / 30 })).not.toBe('');
  });
});

describe('labels', () => {
  /** A camera at (0, 0, 5) that looks down on z = 0 with half-heights of 1 at distance 1, twice as wide. */
  const matrix = [0.5, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, 5 - 0.2, 5];
  const view = { matrix, width: 200, height: 100 };

  it('stand where their points are seen, and not where they are behind the camera', () => {
    expect(project(view, 0, 0, 0)).toMatchObject({ x: 100, y: 50 });
    // One metre at a distance of five is a fifth of the half-height.
    expect(project(view, 1, 1, 0)?.x).toBeCloseTo(110, 9);
    expect(project(view, 1, 1, 0)?.y).toBeCloseTo(40, 9);
    expect(project(view, 0, 0, 6)).toBeNull();
  });

  it('show the axes as they are seen, whatever the shape of the picture', () => {
    const [x, y, z] = axesInPicture(view);
    expect(x).toMatchObject({ x: 1, y: 0 });
    expect(y).toMatchObject({ x: 0, y: 1 });
    expect(z).toMatchObject({ x: 0, y: 0, depth: -1 });
  });

  it('name the nearest bodies in the picture', () => {
    const places = [0, 0, 0, 0, 0, 4, 100, 0, 0, 0, 0, 9];
    const poses = Float64Array.from({ length: 28 }, (_, i) =>
      i % 7 < 3 ? places[3 * Math.floor(i / 7) + (i % 7)] : 0,
    );
    const theme = readStageTheme({ getPropertyValue: () => '#123456' });
    const content = { theme, axes: true, cell: null, ids: ['far', 'near', 'beside', 'behind'], poses };
    expect(visibleIds(view, content).map(({ id }) => id)).toEqual(['near', 'far']);
    expect(visibleIds(view, { ...content, ids: null })).toEqual([]);
  });
});

describe('colours', () => {
  it('of pictures without a window are those of its light theme', () => {
    const css = readFileSync('src/renderer/theme/tokens.css', 'utf8');
    // The light theme stands first.
    const token = (name: string): string => new RegExp(`${name}: (#\\w+);`).exec(css)?.[1] ?? '';
    expect(readStageTheme({ getPropertyValue: token })).toEqual(LIGHT_STAGE);
  });

  const theme = readStageTheme({ getPropertyValue: (name) => ` ${name} ` });

  it('come from the tokens of the theme', () => {
    expect(theme.axes).toEqual(['--stage-axis-x', '--stage-axis-y', '--stage-axis-z']);
    expect(theme.bodies).toHaveLength(7);
    expect(readStageTheme({ getPropertyValue: () => '' }).ground).toBe('#808080');
  });

  it('of few bodies all differ, and stay when a body is added behind them', () => {
    const ids = ['b1', 'b2', 'b3', 'b4', 'b5', 'b6', 'b7'];
    const colours = bodyColours(theme, ids);
    expect(new Set(colours).size).toBe(7);
    expect(bodyColours(theme, [...ids, 'another', 'more']).slice(0, 7)).toEqual(colours);
  });

  it('of bodies that do not move are another one', () => {
    expect(sceneColours(theme, sceneOf(ground, spatialBody('a')))).toEqual([
      theme.fixed,
      ...bodyColours(theme, ['a']),
    ]);
  });
});

describe('what is shown beside the bodies', () => {
  it('is toggled one at a time, in the order of the menu', () => {
    expect(toggled(['axes', 'grid'], 'trails')).toEqual(['grid', 'axes', 'trails']);
    expect(toggled(['grid', 'axes', 'trails'], 'axes')).toEqual(['grid', 'trails']);
    for (const overlay of OVERLAYS) expect(toggled(toggled(OVERLAYS, overlay), overlay)).toEqual(OVERLAYS);
  });

  it('has a reason where it cannot be shown', () => {
    const nothing = { contacts: false, joints: false };
    const missing = OVERLAYS.filter((overlay) => overlayObstacle(overlay, nothing) !== null);
    expect(missing).toEqual(['joints', 'contacts', 'forces', 'cones']);
    expect(
      OVERLAYS.every((overlay) => overlayObstacle(overlay, { contacts: true, joints: true }) === null),
    ).toBe(true);
  });
});
