import { readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Examples } from '@main/host/examples';
import { temporaryFolder } from './support';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const path = (name: string): string => join(folder.path, `${name}.moreau.json`);
const put = (name: string, title: string): void => writeFileSync(path(name), JSON.stringify({ title }));
const titles = async (examples: Examples): Promise<string[]> =>
  (await examples.list()).map(({ title }) => title);

describe('the list of examples', () => {
  it('reads no file a second time that has not changed', async () => {
    put('one', 'One');
    put('two', 'Two');
    const examples = new Examples(folder.path);
    expect(await titles(examples)).toEqual(['One', 'Two']);
    // The same length and time, so that only a second look at the content could tell them apart.
    const then = new Date(1e12);
    utimesSync(path('one'), then, then);
    expect(await titles(examples)).toEqual(['One', 'Two']);
    writeFileSync(path('one'), JSON.stringify({ title: 'Not' }));
    utimesSync(path('one'), then, then);
    expect(await titles(examples)).toEqual(['One', 'Two']);
  });

  it('shows what was added, changed and taken away since', async () => {
    put('one', 'One');
    const examples = new Examples(folder.path);
    expect(await titles(examples)).toEqual(['One']);
    put('two', 'Two');
    put('one', 'Another one');
    expect(await titles(examples)).toEqual(['Another one', 'Two']);
    renameSync(path('one'), path('three'));
    expect(await titles(examples)).toEqual(['Another one', 'Two']);
    expect(readdirSync(folder.path)).toHaveLength(2);
    expect((await examples.list()).map(({ name }) => name)).toEqual(['three', 'two']);
  });

  it('names a file that cannot be read by its name, and looks again later', async () => {
    writeFileSync(path('one'), '{');
    const examples = new Examples(folder.path);
    expect(await titles(examples)).toEqual(['one']);
    put('one', 'One');
    expect(await titles(examples)).toEqual(['One']);
  });
});
