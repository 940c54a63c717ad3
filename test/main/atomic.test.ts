import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AtomicFile, saveAtomically } from '@main/files/atomic';
import { readDocumentFile } from '@main/files/document-file';
import { JsonStore } from '@main/files/json-store';
import { failure, temporaryFolder } from './support';

let folder: ReturnType<typeof temporaryFolder>;
let target: string;
beforeEach(() => {
  folder = temporaryFolder();
  target = join(folder.path, 'ball.moreau.json');
});
afterEach(() => folder.remove());

const visible = (): string[] => readdirSync(folder.path).sort();

describe('an atomic save', () => {
  it('writes a new file without a backup', async () => {
    await saveAtomically(target, 'one', { backup: true });
    expect(visible()).toEqual(['ball.moreau.json']);
  });

  it('keeps the previous content beside it', async () => {
    for (const text of ['one', 'two', 'three']) await saveAtomically(target, text, { backup: true });
    expect(readFileSync(target, 'utf8')).toBe('three');
    expect(readFileSync(`${target}.bak`, 'utf8')).toBe('two');
    expect(visible()).toEqual(['ball.moreau.json', 'ball.moreau.json.bak']);
  });

  it('keeps the permissions of the file', async () => {
    writeFileSync(target, 'one');
    chmodSync(target, 0o640);
    await saveAtomically(target, 'two', { backup: true });
    expect(statSync(target).mode & 0o777).toBe(0o640);
  });

  it('writes through a symbolic link', async () => {
    const real = join(folder.path, 'real.json');
    writeFileSync(real, 'one');
    symlinkSync(real, target);
    await saveAtomically(target, 'two', { backup: false });
    expect(lstatSync(target).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toBe('two');
  });

  it('leaves nothing behind when it is given up', async () => {
    writeFileSync(target, 'one');
    const file = await AtomicFile.create(target, { backup: true });
    await file.write('tw');
    await file.abort();
    expect(visible()).toEqual(['ball.moreau.json']);
    expect(readFileSync(target, 'utf8')).toBe('one');
  });

  it('says what is wrong with the place', async () => {
    const details = await failure(saveAtomically(join(folder.path, 'no', 'x.json'), 'one', { backup: true }));
    expect(details).toMatchObject({ code: 'folder-missing' });
    expect(details.message).toContain('x.json');
    expect(details.remedy).toBeTruthy();
  });
});

describe('opening a file', () => {
  it('reads UTF-8 with or without a byte order mark', async () => {
    writeFileSync(target, '\ufeff{"title":"Nocken–Stößel"}');
    expect(await readDocumentFile(target)).toBe('{"title":"Nocken–Stößel"}');
  });

  it('refuses what is not text', async () => {
    writeFileSync(target, new Uint8Array([0xff, 0xfe, 0x00, 0xd8]));
    expect((await failure(readDocumentFile(target))).code).toBe('not-text');
  });

  it('refuses a folder and a file that is not there', async () => {
    expect((await failure(readDocumentFile(folder.path))).code).toBe('file-is-folder');
    expect((await failure(readDocumentFile(target))).code).toBe('file-missing');
  });
});

describe('a store of the program', () => {
  const schema = z.strictObject({ size: z.number() });

  it('keeps its value from one session to the next', async () => {
    const path = join(folder.path, 'deep', 'window.json');
    const store = new JsonStore(path, schema, { size: 1 });
    void store.set({ size: 2 });
    await store.set({ size: 3 });
    expect(new JsonStore(path, schema, { size: 1 }).value).toEqual({ size: 3 });
  });

  it.each(['{"size":', '{"size":"large"}', '', 'null'])('sets a corrupt file aside: %s', (text) => {
    const path = join(folder.path, 'window.json');
    writeFileSync(path, text);
    expect(new JsonStore(path, schema, { size: 1 }).value).toEqual({ size: 1 });
    expect(readFileSync(`${path}.corrupt`, 'utf8')).toBe(text);
  });

  it('lives with a disk that refuses', async () => {
    const path = join(folder.path, 'file', 'window.json');
    writeFileSync(join(folder.path, 'file'), 'not a folder');
    const store = new JsonStore(path, schema, { size: 1 });
    await store.set({ size: 2 });
    expect(store.value).toEqual({ size: 2 });
  });
});
