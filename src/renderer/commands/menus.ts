/** The menus, for both doors: the menu bar of the page and the native one. */
import { text } from '../i18n';
import { canonicalChord } from './chords';
import type { Command, CommandGroup, CommandRegistry } from './registry';

export interface Menu {
  group: CommandGroup;
  /** command ids; a dash is a separator */
  items: string[];
}

const ORDER: readonly CommandGroup[] = ['file', 'edit', 'view', 'run', 'help'];

/** Commands before which a menu draws a line. */
const BREAKS: ReadonlySet<string> = new Set([
  ...['file.save', 'file.close', 'file.exportFigure', 'view.nextDocument', 'file.settings', 'edit.arrange'],
  ...['view.graph', 'view.problems', 'view.simulation', 'view.eventMarkers', 'view.addAnimation', 'view.fit'],
  ...[
    'view.toggleTheme',
    'view.zoomIn',
    'view.layoutModelling',
    'view.toggleSide',
    'run.pause',
    'help.about',
    'help.shortcuts',
  ],
]);

/** Every command with a place in the menus, in the order of registration. */
export function menus(registry: CommandRegistry): Menu[] {
  return ORDER.map((group) => {
    const commands = registry.list().filter((command) => command.group === group && command.inMenu !== false);
    return { group, items: commands.flatMap(({ id }, k) => (k > 0 && BREAKS.has(id) ? ['-', id] : [id])) };
  });
}

const ACCELERATOR_KEYS: Readonly<Record<string, string>> = {
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
};
/** Keys that a native menu can show. */
const SHOWABLE =
  /^(?:[A-Z0-9]|F\d{1,2}|[.,;=/\\`'[\]-]|Plus|Space|Tab|Backspace|Delete|Insert|Enter|Left|Right|Up|Down|Home|End|PageUp|PageDown|Escape)$/;

/** A shortcut in the words of native menus; null for a key they cannot show. */
export function accelerator(shortcut: string): string | null {
  const parts = canonicalChord(shortcut).split('+');
  const key = parts.pop() ?? '';
  const named = ACCELERATOR_KEYS[key] ?? key;
  if (!SHOWABLE.test(named)) return null;
  return [...parts.map((part) => (part === 'Ctrl' ? 'CmdOrCtrl' : part)), named].join('+');
}

const plainTitle = (command: Command): string => (command.plainTitle ?? command.title)();

/**
 * The menus as the desktop's shell takes them. Commands of a part of the window have no key there: the part
 * has.
 */
export function nativeMenus(registry: CommandRegistry): {
  group: CommandGroup;
  label: string;
  entries: ({ command: string; label: string; key?: string } | null)[];
}[] {
  return menus(registry).map(({ group, items }) => ({
    group,
    label: text(`menu.${group}`),
    entries: items.map((id) => {
      const command = registry.get(id);
      if (command === undefined) return null;
      const shortcut = (command.context ?? 'window') === 'window' ? registry.shortcut(id) : '';
      const key = shortcut === '' ? null : accelerator(shortcut);
      return { command: id, label: plainTitle(command), ...(key === null ? {} : { key }) };
    }),
  }));
}
