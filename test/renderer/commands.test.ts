import { describe, expect, it, vi } from 'vitest';
import { matchesShortcut } from '@renderer/commands/chords';
import { listenForShortcuts } from '@renderer/commands/keyboard';
import { CommandRegistry } from '@renderer/commands/registry';

const key = (value: string, modifiers: Partial<KeyboardEvent> = {}): KeyboardEvent =>
  new KeyboardEvent('keydown', { key: value, cancelable: true, bubbles: true, ...modifiers });

describe('command registry', () => {
  it('runs enabled commands only', () => {
    const registry = new CommandRegistry();
    const run = vi.fn();
    let enabled = false;
    registry.register({ id: 'run.start', group: 'run', title: () => 'Run', enabled: () => enabled, run });
    expect(registry.run('run.start')).toBe(false);
    enabled = true;
    expect(registry.run('run.start')).toBe(true);
    expect(registry.run('no.such')).toBe(false);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('hides commands the door does not have', () => {
    const registry = new CommandRegistry();
    registry.register({
      id: 'a',
      group: 'file',
      title: () => 'A',
      available: () => false,
      run: () => undefined,
    });
    expect(registry.list()).toHaveLength(0);
    expect(registry.isEnabled('a')).toBe(false);
  });

  it('refuses a second command of the same id', () => {
    const registry = new CommandRegistry();
    const command = { id: 'a', group: 'file' as const, title: () => 'A', run: () => undefined };
    registry.register(command);
    expect(() => registry.register(command)).toThrow('a');
  });
});

describe('shortcuts', () => {
  it('match exactly their modifiers', () => {
    expect(matchesShortcut(key('z', { ctrlKey: true }), 'Ctrl+Z')).toBe(true);
    expect(matchesShortcut(key('Z', { ctrlKey: true, shiftKey: true }), 'Ctrl+Z')).toBe(false);
    expect(matchesShortcut(key('Z', { ctrlKey: true, shiftKey: true }), 'Ctrl+Shift+Z')).toBe(true);
    expect(matchesShortcut(key('z', { metaKey: true }), 'Ctrl+Z')).toBe(true);
    expect(matchesShortcut(key('z'), 'Ctrl+Z')).toBe(false);
  });

  it('reach the registry before a text field can keep them for its own history', () => {
    const registry = new CommandRegistry();
    const undo = vi.fn();
    registry.register({ id: 'edit.undo', group: 'edit', title: () => 'Undo', shortcut: 'Ctrl+Z', run: undo });
    const end = listenForShortcuts(window, registry);
    const field = document.createElement('input');
    const own = vi.fn();
    field.addEventListener('keydown', own);
    document.body.append(field);
    const event = key('z', { ctrlKey: true });
    field.dispatchEvent(event);
    expect(undo).toHaveBeenCalledTimes(1);
    expect(own).not.toHaveBeenCalled();
    expect(event.defaultPrevented).toBe(true);
    end();
    field.dispatchEvent(key('z', { ctrlKey: true }));
    expect(undo).toHaveBeenCalledTimes(1);
  });

  it('reach a command by its aliases too', () => {
    const registry = new CommandRegistry();
    const redo = vi.fn();
    registry.register({
      id: 'edit.redo',
      group: 'edit',
      title: () => 'Redo: Change rpm',
      shortcut: 'Ctrl+Shift+Z',
      aliases: ['Ctrl+Y'],
      run: redo,
    });
    const end = listenForShortcuts(window, registry);
    document.body.dispatchEvent(key('y', { ctrlKey: true }));
    document.body.dispatchEvent(key('Z', { ctrlKey: true, shiftKey: true }));
    document.body.dispatchEvent(key('y'));
    end();
    expect(redo).toHaveBeenCalledTimes(2);
  });
});
