/** Two programs on one state folder: what one of them has stored, the other does not take away. */
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingDefinitions } from '@contract/settings';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FileHandles } from '@main/desktop/file-handles';
import { RecentFiles } from '@main/desktop/recent-files';
import { withFileLock } from '@main/files/file-lock';
import { JsonStore } from '@main/files/json-store';
import { SettingsFile } from '@main/host/settings-file';
import { sample } from '../support/prove';
import { temporaryFolder } from './support';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** Whole numbers below `most`, the same ones each time. */
function numbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (1103515245 * state + 12345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * most);
  };
}

const CHANGES = sample(120, 3000);

describe('two programs on one state folder', () => {
  it(`lose no key of ${CHANGES} that they change in any order`, async () => {
    const path = join(folder.path, 'store.json');
    const schema = z.record(z.string(), z.number());
    const stores = Array.from({ length: 3 }, () => new JsonStore(path, schema, {}));
    const below = numbers(1);
    const expected: Record<string, number> = {};
    const pending: Promise<unknown>[] = [];
    for (let k = 0; k < CHANGES; k++) {
      const store = stores[below(stores.length)];
      if (below(4) === 0) store.reload();
      const key = `key${k}`;
      expected[key] = k;
      pending.push(store.update((present) => ({ ...present, [key]: k })));
      if (below(3) === 0) await pending[below(pending.length)];
    }
    expect(await Promise.all(pending)).toEqual(pending.map(() => null));
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(expected);
    expect(readdirSync(folder.path)).toEqual(['store.json']);
  });

  it('keep the settings of both, and what one of them takes back', async () => {
    const [one, other] = [0, 1].map(() => new SettingsFile(folder.path, () => undefined));
    await one.write({ 'runs.live': false, 'editor.fontSize': 20 });
    await Promise.all([
      one.write({ 'appearance.theme': 'dark' }),
      other.write({ 'editor.fontSize': null }),
      one.write({ 'appearance.zoom': 120 }),
      other.write({ 'files.autosaveInterval': 9 }),
    ]);
    const expected = {
      'runs.live': false,
      'appearance.theme': 'dark',
      'appearance.zoom': 120,
      'files.autosaveInterval': 9,
    };
    for (const key of Object.keys(expected)) expect(settingDefinitions).toHaveProperty([key]);
    expect(one.read().changed).toEqual(expected);
    expect(other.read().changed).toEqual(expected);
  });

  it('keep the recent files and the handles that both have given', async () => {
    const recent = join(folder.path, 'recent-files.json');
    const kept = join(folder.path, 'handles.json');
    const programs = [0, 1].map(() => {
      const handles = new FileHandles(kept);
      return { handles, recent: new RecentFiles(recent, handles, () => undefined) };
    });
    const given = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (name, k) => {
        const path = join(folder.path, name);
        const program = programs[k % 2];
        await program.recent.add(path);
        return [program.handles.give(path), path] as const;
      }),
    );
    await Promise.all(programs.map(({ handles }) => handles.settled()));
    const later = new FileHandles(kept);
    const names = new RecentFiles(recent, later, () => undefined).list().map(({ name }) => name);
    expect(names.sort()).toEqual(['a', 'b', 'c', 'd']);
    for (const [handle, path] of given) expect(later.path(handle)).toBe(path);
  });
});

describe('a lock between processes', () => {
  it('lets one in at a time', async () => {
    const path = join(folder.path, 'file');
    let inside = 0;
    const one = async (): Promise<void> => {
      expect(++inside).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      inside--;
    };
    await Promise.all(Array.from({ length: 8 }, () => withFileLock(path, one)));
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('that a killed process has left behind is broken, whatever the clock says', async () => {
    const path = join(folder.path, 'file');
    writeFileSync(`${path}.lock`, '');
    const future = new Date(Date.now() + 1e9);
    utimesSync(`${path}.lock`, future, future);
    const order: number[] = [];
    const enter = (k: number): Promise<number> => Promise.resolve(order.push(k));
    await Promise.all([1, 2].map((k) => withFileLock(path, () => enter(k))));
    expect(order.sort()).toEqual([1, 2]);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('is no hindrance where the disk takes none', async () => {
    expect(await withFileLock(join(folder.path, 'missing', 'file'), () => Promise.resolve(7))).toBe(7);
  });
});
