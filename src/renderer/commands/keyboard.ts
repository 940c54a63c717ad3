/** Shortcuts: how they are written, matched and shown. */
import type { Command, CommandRegistry } from './registry';

interface KeyChord {
  key: string;
  ctrlKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

/** True when the pressed keys are those of `shortcut`. Command counts as Ctrl, for macOS. */
export function matchesShortcut(event: KeyChord, shortcut: string): boolean {
  const parts = shortcut.toLowerCase().split('+');
  const key = parts.pop() ?? '';
  return (
    event.key.toLowerCase() === key &&
    (event.ctrlKey || event.metaKey) === parts.includes('ctrl') &&
    event.shiftKey === parts.includes('shift') &&
    event.altKey === parts.includes('alt')
  );
}

/** Every shortcut of a command, the one shown in menus first. */
export function shortcutsOf(command: Pick<Command, 'shortcut' | 'aliases'>): string[] {
  return [...(command.shortcut === undefined ? [] : [command.shortcut]), ...(command.aliases ?? [])];
}

/** The shortcut as it is shown on this platform. */
export function shortcutLabel(shortcut: string): string {
  const mac = typeof navigator !== 'undefined' && navigator.platform.startsWith('Mac');
  if (!mac) return shortcut;
  return shortcut.replace('Ctrl+', '⌘').replace('Shift+', '⇧').replace('Alt+', '⌥');
}

/**
 * Runs commands by their shortcuts. Listens in the capture phase, so that the text editor and input fields do not
 * take undo for their own private history. @returns a function that ends it
 */
export function listenForShortcuts(target: Window, registry: CommandRegistry): () => void {
  const onKey = (event: KeyboardEvent): void => {
    for (const command of registry.list()) {
      if (!shortcutsOf(command).some((shortcut) => matchesShortcut(event, shortcut))) continue;
      // The keys are ours even while the command may not run: the browser would save the page otherwise.
      event.preventDefault();
      event.stopPropagation();
      registry.run(command.id);
      return;
    }
  };
  target.addEventListener('keydown', onKey, { capture: true });
  return () => target.removeEventListener('keydown', onKey, { capture: true });
}
