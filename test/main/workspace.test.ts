import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Workspace } from '@main/host/workspace';
import { temporaryFolder } from './support';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

it('removes the recordings of processes that are gone, and no others', () => {
  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  const alive = new Workspace(folder.path);
  const name = basename(alive.directory);
  const stale = join(folder.path, name.replace(`-${process.pid}-`, `-${dead}-`));
  const foreign = join(folder.path, `moreau-elsewhere-machine-${dead}-abcdef`);
  for (const path of [stale, foreign]) {
    mkdirSync(path);
    writeFileSync(join(path, 'run-1.rows'), 'rows');
  }
  const next = new Workspace(folder.path);
  expect(existsSync(stale)).toBe(false);
  expect(readdirSync(folder.path).sort()).toEqual([name, basename(next.directory), basename(foreign)].sort());
  next.remove();
  alive.remove();
  expect(readdirSync(folder.path)).toEqual([basename(foreign)]);
});
