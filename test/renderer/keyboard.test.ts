import { beforeEach, describe, expect, it, vi } from 'vitest';
import { settingDefinitions, type SettingKey } from '@contract/settings';
import { shellParams } from '@contract/shell';
import { canonicalChord, chordOf, isBrowserChord, shortcutLabel } from '@renderer/commands/chords';
import { chordTrouble } from '@renderer/commands/conflicts';
import { useCommands } from '@renderer/commands/definitions';
import { nextZoom } from '@renderer/commands/groups/zoom';
import { listenForShortcuts, suspendShortcuts } from '@renderer/commands/keyboard';
import { accelerator, menus, nativeMenus } from '@renderer/commands/menus';
import { type Command, CommandRegistry, type KeyBindings } from '@renderer/commands/registry';
import { settingEntries } from '@renderer/settings/setting-groups';
import { readSettingsText, settingsText } from '@renderer/settings/settings-text';
import { useSettingsStore } from '@renderer/stores/settings';
import { openCamFollower } from './setup';

const press = (value: string, modifiers: Partial<KeyboardEvent> = {}): KeyboardEvent =>
  new KeyboardEvent('keydown', { key: value, cancelable: true, bubbles: true, ...modifiers });

describe('chords', () => {
  it.each<[string, Partial<KeyboardEvent>, string | null]>([
    ['p', { ctrlKey: true, shiftKey: true }, 'Ctrl+Shift+P'],
    ['+', { ctrlKey: true }, 'Ctrl+Plus'],
    [' ', { altKey: true }, 'Alt+Space'],
    ['Control', { ctrlKey: true }, null],
    ['F1', {}, 'F1'],
    ['˜', { altKey: true, code: 'KeyN' }, 'Alt+N'],
    ['ArrowLeft', { metaKey: true }, 'Ctrl+ArrowLeft'],
  ])('of %s with %j is %s', (key, modifiers, chord) => {
    expect(chordOf(press(key, modifiers))).toBe(chord);
  });

  it('are the same in whatever order and spelling they are written', () => {
    expect(canonicalChord('shift+ctrl+p')).toBe('Ctrl+Shift+P');
    expect(canonicalChord('Ctrl+Plus')).toBe('Ctrl+Plus');
    expect(isBrowserChord('ctrl+t')).toBe(true);
    expect(shortcutLabel('Ctrl+Plus')).toBe('Ctrl++');
  });
});

describe('keys of a part of the window', () => {
  let deleted: number;
  let other: number;
  let end: () => void;
  const remove: Command = {
    id: 'edit.delete',
    group: 'edit',
    title: () => 'Delete',
    shortcut: 'Delete',
    context: 'graph',
    run: () => deleted++,
  };
  const global: Command = {
    id: 'view.x',
    group: 'view',
    title: () => 'X',
    shortcut: 'Delete',
    run: () => other++,
  };

  beforeEach(() => {
    document.body.innerHTML =
      '<main id="outside" tabindex="0"></main><section data-key-context="graph"><div id="node" tabindex="0"></div><input id="field" /></section>';
    deleted = other = 0;
    const registry = new CommandRegistry();
    registry.register(global, remove);
    end = listenForShortcuts(window, registry);
    return () => end();
  });
  const at = (id: string): boolean => document.getElementById(id)!.dispatchEvent(press('Delete'));

  it('hold there and not in its text fields, and go before those of the window', () => {
    at('node');
    expect([deleted, other]).toEqual([1, 0]);
    expect(at('field')).toBe(true);
    expect([deleted, other]).toEqual([1, 0]);
    at('outside');
    expect([deleted, other]).toEqual([1, 1]);
  });

  it('run nothing while a chord is being recorded', () => {
    const resume = suspendShortcuts();
    at('node');
    resume();
    resume();
    expect(deleted).toBe(0);
    at('node');
    expect(deleted).toBe(1);
  });
});

describe('the key that marks everything', () => {
  it('marks text that is written or read, not the labels of the window', () => {
    document.body.innerHTML =
      '<main id="window" tabindex="0"></main><input id="field" /><aside><p id="help">Read me</p></aside>';
    const end = listenForShortcuts(window, new CommandRegistry());
    const marks = (id: string): boolean =>
      document.getElementById(id)!.dispatchEvent(press('a', { ctrlKey: true }));
    expect([marks('window'), marks('field'), marks('help')]).toEqual([false, true, true]);
    end();
  });
});

describe('changed shortcuts', () => {
  it('replace those of a command at once, and can all be taken away', () => {
    let bindings: KeyBindings = {};
    const registry = new CommandRegistry(() => bindings);
    const run = vi.fn();
    registry.register({ id: 'run.start', group: 'run', title: () => 'Run', shortcut: 'Ctrl+Enter', run });
    const end = listenForShortcuts(window, registry);
    bindings = { 'run.start': ['F5', 'Ctrl+R'] };
    document.body.dispatchEvent(press('Enter', { ctrlKey: true }));
    expect(run).not.toHaveBeenCalled();
    document.body.dispatchEvent(press('F5'));
    document.body.dispatchEvent(press('r', { ctrlKey: true }));
    expect(run).toHaveBeenCalledTimes(2);
    expect(registry.shortcut('run.start')).toBe('F5');
    bindings = { 'run.start': [] };
    document.body.dispatchEvent(press('F5'));
    expect(run).toHaveBeenCalledTimes(2);
    expect(registry.shortcut('run.start')).toBe('');
    end();
  });

  it('are refused where another command has them, a browser keeps them, or they are needed for typing', () => {
    const registry = new CommandRegistry();
    const command = (id: string, more: Partial<Command> = {}): Command => ({
      id,
      group: 'edit',
      title: () => id,
      run: () => undefined,
      ...more,
    });
    const save = command('save', { shortcut: 'Ctrl+S' });
    const graph = command('graph', { shortcut: 'Ctrl+C', context: 'graph' });
    const script = command('script', { context: 'editor' });
    registry.register(save, graph, script);
    expect(chordTrouble(registry, 'Ctrl+S', script, 'desktop')).toEqual({ kind: 'taken', by: save });
    expect(chordTrouble(registry, 'Ctrl+C', script, 'desktop')).toBeNull();
    expect(chordTrouble(registry, 'Ctrl+C', save, 'desktop')).toEqual({ kind: 'taken', by: graph });
    expect(chordTrouble(registry, 'Ctrl+T', save, 'browser')).toEqual({ kind: 'browser' });
    expect(chordTrouble(registry, 'Ctrl+T', save, 'desktop')).toBeNull();
    expect(chordTrouble(registry, 'A', save, 'desktop')).toEqual({ kind: 'typing' });
    expect(chordTrouble(registry, 'F6', save, 'desktop')).toBeNull();
  });
});

describe('the commands of the window', () => {
  beforeEach(() => openCamFollower());

  it('have shortcuts that no two of them share', () => {
    const registry = useCommands();
    for (const command of registry.list()) {
      for (const shortcut of registry.shortcutsOf(command))
        expect(chordTrouble(registry, shortcut, command, 'desktop'), `${command.id} ${shortcut}`).toBeNull();
    }
  });

  it('stand in the menus of both doors, whose entries the shell accepts', () => {
    const registry = useCommands();
    const shown = menus(registry).flatMap(({ items }) => items);
    for (const { id, inMenu } of registry.list()) if (inMenu !== false) expect(shown).toContain(id);
    const sections = nativeMenus(registry);
    expect(shellParams['shell.setMenu'].safeParse({ sections }).success).toBe(true);
    expect(accelerator('Ctrl+Shift+P')).toBe('CmdOrCtrl+Shift+P');
    expect(accelerator('Ctrl+ArrowUp')).toBe('CmdOrCtrl+Up');
    expect(accelerator('Ctrl+ß')).toBeNull();
  });

  it('are remembered as they run, newest first', () => {
    const commands = useCommands();
    commands.run('view.graph');
    commands.run('view.topology');
    commands.run('view.graph');
    expect(useSettingsStore().values['window.recentCommands'].slice(0, 2)).toEqual([
      'view.graph',
      'view.topology',
    ]);
  });

  it('step the zoom to its ends', () => {
    expect(nextZoom(100, 1)).toBe(110);
    expect(nextZoom(95, -1)).toBe(90);
    expect(nextZoom(250, 1)).toBe(250);
  });
});

describe('settings of the window', () => {
  beforeEach(() => openCamFollower());

  it('hold at once, are stored when they differ, and go back', async () => {
    const settings = useSettingsStore();
    const stored = settings.set('editor.fontSize', 18);
    expect(settings.values['editor.fontSize']).toBe(18);
    await stored;
    expect(settings.isChanged('editor.fontSize')).toBe(true);
    await settings.set('editor.fontSize', settingDefinitions['editor.fontSize'].default);
    expect(settings.isChanged('editor.fontSize')).toBe(false);
    await settings.set('appearance.theme', 'dark');
    await settings.reset(['appearance.theme']);
    expect(settings.changed).toEqual({});
  });

  it('are all explained, except what the window remembers by itself', () => {
    const shown = settingEntries().map(({ key }) => key as string);
    for (const key of Object.keys(settingDefinitions) as SettingKey[]) {
      const isOwn = settingDefinitions[key].control.kind === 'own';
      expect(shown.includes(key), key).toBe(!isOwn);
    }
    for (const { title, help, options, control } of settingEntries()) {
      expect(title).not.toBe('');
      expect(help).not.toBe('');
      if (control.kind === 'choice') expect(options.map(({ label }) => label)).not.toContain('');
    }
  });

  it('come back from their text, without what is of this machine', () => {
    const source = settingsText({ 'appearance.theme': 'dark', 'window.favourites': ['a'] });
    expect(readSettingsText(source)).toEqual({ ok: true, changed: { 'appearance.theme': 'dark' } });
  });

  it.each<[string, string]>([
    ['{', 'not valid JSON'],
    ['[]', 'not a settings file'],
    ['{"values":{"appearance.colour":"red"}}', 'appearance.colour'],
    ['{"values":{"appearance.zoom":7,"runs.live":false}}', 'appearance.zoom'],
  ])('of the text %s are refused with a reason', (source, reason) => {
    const read = readSettingsText(source);
    expect(read.ok).toBe(false);
    if (!read.ok) expect(read.problems.join(' ')).toContain(reason);
  });
});
