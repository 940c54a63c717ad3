import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChangedSettings } from '@contract/settings';
import {
  completeUserSettings,
  settingDefinitions,
  settingProblem,
  type SettingKey,
} from '@contract/settings';
import { SettingsFile } from '@main/host/settings-file';
import { stateDirectory } from '@main/state-directory';
import { createHost, failure, nextEvent, temporaryFolder } from './support';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => folder.remove());

const path = (): string => join(folder.path, 'settings.json');
const open = (onChange: (changed: ChangedSettings) => void = () => undefined): SettingsFile =>
  new SettingsFile(folder.path, onChange);
const stored = (): unknown => JSON.parse(readFileSync(path(), 'utf8'));

describe('the table of settings', () => {
  it.each(Object.keys(settingDefinitions) as SettingKey[])('%s has a valid default', (key) => {
    expect(settingProblem(key, settingDefinitions[key].default)).toBeNull();
    expect(key.startsWith(`${settingDefinitions[key].section}.`)).toBe(true);
  });
});

describe('settings of the host', () => {
  it('last from one session to the next, in a file with a version', async () => {
    await open().write({ 'appearance.theme': 'dark', 'editor.fontSize': 15 });
    expect(stored()).toEqual({ version: 1, values: { 'appearance.theme': 'dark', 'editor.fontSize': 15 } });
    const { changed, problems } = open().read();
    expect(problems).toEqual([]);
    expect(completeUserSettings(changed)).toMatchObject({
      'appearance.theme': 'dark',
      'editor.fontSize': 15,
      'runs.live': true,
    });
  });

  it('go back to their default by null', async () => {
    const settings = open();
    await settings.write({ 'runs.live': false });
    expect((await settings.write({ 'runs.live': null })).changed).toEqual({});
  });

  it('keep what a newer version has written', async () => {
    writeFileSync(path(), JSON.stringify({ version: 9, flavour: 1, values: { 'future.thing': [1] } }));
    const settings = open();
    expect(settings.read()).toEqual({ changed: {}, problems: [] });
    await settings.write({ 'runs.live': false });
    expect(stored()).toEqual({
      version: 9,
      flavour: 1,
      values: { 'future.thing': [1], 'runs.live': false },
    });
  });

  it('see what another process has written meanwhile', async () => {
    const one = open();
    const other = open();
    await one.write({ 'runs.live': false });
    await other.write({ 'editor.fontSize': 20 });
    expect(one.read().changed).toEqual({ 'runs.live': false, 'editor.fontSize': 20 });
  });

  it('are those of a new machine again when the file is taken away', async () => {
    const settings = open();
    await settings.write({ 'runs.live': false });
    rmSync(path());
    expect(settings.read().changed).toEqual({});
  });

  it('set a corrupt file aside and say so once', () => {
    writeFileSync(path(), '{ "version": 1, "val');
    const settings = open();
    const { changed, problems } = settings.read();
    expect(changed).toEqual({});
    expect(problems).toHaveLength(1);
    expect(problems[0].remedy).toContain('settings.json.corrupt');
    expect(existsSync(`${path()}.corrupt`)).toBe(true);
    expect(settings.read().problems).toEqual([]);
  });

  it('use the default of a stored value that is not valid, and name it', () => {
    writeFileSync(
      path(),
      JSON.stringify({ version: 1, values: { 'editor.fontSize': 'large', 'runs.live': false } }),
    );
    const { changed, problems } = open().read();
    expect(changed).toEqual({ 'runs.live': false });
    expect(problems[0].message).toContain('editor.fontSize');
  });

  it('are refused as a whole when one of them is not valid', async () => {
    const settings = open();
    expect(await failure(settings.write({ 'runs.live': false, 'appearance.zoom': 9000 }))).toMatchObject({
      code: 'invalid-setting',
      where: 'appearance.zoom',
    });
    expect(await failure(settings.write({ 'appearance.colour': 'red' }))).toMatchObject({
      code: 'invalid-setting',
      where: 'appearance.colour',
    });
    expect(settings.read().changed).toEqual({});
  });

  it('reach every window', async () => {
    const host = createHost({ stateDirectory: folder.path });
    const told = nextEvent(host, ({ event }) => event === 'settings.changed');
    await host.dispatch('settings.write', { changes: { 'appearance.theme': 'light' } });
    expect((await told).data).toEqual({ changed: { 'appearance.theme': 'light' } });
    await host.dispose();
  });

  it('hold for the session where nothing is stored', async () => {
    const host = createHost();
    await host.dispatch('settings.write', { changes: { 'appearance.theme': 'light' } });
    expect((await host.dispatch('settings.read', {})).changed).toEqual({ 'appearance.theme': 'light' });
    await host.dispose();
  });
});

describe('the folder for what lasts', () => {
  it.each<[NodeJS.Platform, Record<string, string>, string]>([
    ['linux', {}, '/home/ada/.local/share/moreau'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/moreau'],
    ['linux', { XDG_DATA_HOME: 'relative' }, '/home/ada/.local/share/moreau'],
    ['darwin', {}, '/home/ada/Library/Application Support/Moreau'],
    ['linux', { MOREAU_STATE: '/lab/state' }, '/lab/state'],
  ])('on %s with %j is %s', (platform, environment, expected) => {
    expect(stateDirectory(platform, environment, '/home/ada')).toBe(expected);
  });

  it('is that of the user on Windows', () => {
    const environment = { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' };
    expect(stateDirectory('win32', environment, 'C:\\Users\\ada')).toBe(
      'C:\\Users\\ada\\AppData\\Roaming\\Moreau',
    );
  });
});
