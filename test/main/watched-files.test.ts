import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stampOf, WatchedFiles } from '@main/desktop/watched-files';
import { temporaryFolder } from './support';
import { PATIENCE } from '../support/patience';

let folder: ReturnType<typeof temporaryFolder>;
let watched: WatchedFiles;
let news: (string | null)[];
beforeEach(() => {
  folder = temporaryFolder();
  news = [];
  watched = new WatchedFiles((_path, stamp) => news.push(stamp), 10);
});
afterEach(async () => {
  watched.dispose();
  await folder.remove();
});

describe('a watched file', () => {
  it('tells what another program writes, and that it is gone', async () => {
    const path = join(folder.path, 'a.json');
    await writeFile(path, 'one');
    watched.know(path, stampOf('one'));
    watched.watch([path]);
    await writeFile(path, 'another');
    await vi.waitFor(() => expect(news).toEqual([stampOf('another')]), PATIENCE);
    await rm(path);
    await vi.waitFor(() => expect(news).toEqual([stampOf('another'), null]), PATIENCE);
  });

  it('tells nothing of what the window itself writes', async () => {
    const path = join(folder.path, 'a.json');
    await writeFile(path, 'one');
    watched.know(path, stampOf('one'));
    watched.watch([path]);
    await watched.whileWriting(path, stampOf('mine'), () => writeFile(path, 'mine'));
    await writeFile(path, 'another one');
    await vi.waitFor(() => expect(news.at(-1)).toBe(stampOf('another one')), PATIENCE);
    // A look may come between the moments in which the file is emptied and filled.
    expect(news.filter((stamp) => stamp !== stampOf(''))).toEqual([stampOf('another one')]);
  });
});
