/** What `npm run desktop:install` writes, and takes away again. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from './support';

const script = join(import.meta.dirname, '../../scripts/install-desktop.mjs');
let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => folder.remove());

const run = (...args: string[]): string => {
  const env = { ...process.env, XDG_DATA_HOME: folder.path };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    env,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
};

it.skipIf(process.platform !== 'linux')(
  'a desktop learns the type of models and what opens them, and forgets it again',
  () => {
    const entry = join(folder.path, 'applications/moreau.desktop');
    const mime = join(folder.path, 'mime/packages/moreau.xml');
    const icon = join(folder.path, 'icons/hicolor/scalable/apps/moreau.svg');
    run();
    expect(run()).toContain(entry);
    const lines = readFileSync(entry, 'utf8').split('\n');
    expect(lines[0]).toBe('[Desktop Entry]');
    const keys = new Map(lines.slice(1).map((line) => line.split(/=(.*)/s) as [string, string]));
    expect(keys.get('Exec')).toMatch(/^".*node[^"]*" ".*start\.mjs" %f$/);
    expect(keys.get('MimeType')).toBe('application/vnd.moreau.model+json;');
    const type = readFileSync(mime, 'utf8');
    expect(type).toContain('<glob pattern="*.moreau.json" weight="80"/>');
    expect(type).toContain('type="application/vnd.moreau.model+json"');
    expect(existsSync(icon)).toBe(true);
    run('--remove');
    expect([entry, mime, icon].filter(existsSync)).toEqual([]);
  },
);
