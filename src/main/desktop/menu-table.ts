/**
 * The application menu as data: the sections that the window sends, and what only the system provides. Items
 * with a command send it to the window's registry, which is the one place that knows what a command does.
 * Their keys are shown here and handled in the window, also in the browser door, so that no key fires twice.
 */
import type { WindowMenuSection } from '@contract/shell';

/** Standard items the system provides. */
type Role =
  | 'cut'
  | 'copy'
  | 'paste'
  | 'selectAll'
  | 'togglefullscreen'
  | 'toggleDevTools'
  | 'close'
  | 'quit'
  | 'services'
  | 'hide'
  | 'hideOthers'
  | 'unhide';

export type MenuEntry =
  | { kind: 'command'; command: string; label: string; key?: string }
  | { kind: 'role'; role: Role; key?: string }
  | { kind: 'separator' }
  | { kind: 'recentFiles'; label: string; clearLabel: string };

export interface MenuSection {
  label: string;
  entries: readonly MenuEntry[];
}

type Group = WindowMenuSection['group'];

const role = (name: Role, key?: string): MenuEntry => ({
  kind: 'role',
  role: name,
  ...(key === undefined ? {} : { key }),
});
const separator: MenuEntry = { kind: 'separator' };

const NAMES: Readonly<Record<Group, string>> = {
  file: 'File',
  edit: 'Edit',
  view: 'View',
  run: 'Run',
  help: 'Help',
};

/**
 * The menu for a platform.
 * @param options.development adds the developer tools
 * @param sections what the window sent; empty until it has
 */
export function menuTable(
  options: { mac: boolean; development: boolean },
  sections: readonly WindowMenuSection[],
): MenuSection[] {
  const own: Readonly<Record<Group, readonly MenuEntry[]>> = {
    // The customary key of the window closes a model here.
    file: [options.mac ? role('close', 'CmdOrCtrl+Shift+W') : role('quit')],
    edit: [role('cut'), role('copy'), role('paste'), role('selectAll')],
    view: [role('togglefullscreen'), ...(options.development ? [separator, role('toggleDevTools')] : [])],
    run: [],
    help: [],
  };
  const drawn = (['file', 'edit', 'view', 'run', 'help'] as const).flatMap((group) => {
    const sent = sections.find((section) => section.group === group);
    const entries = (sent?.entries ?? []).flatMap(windowEntry);
    const separated = entries.length > 0 && own[group].length > 0 ? [separator] : [];
    const all = [...entries, ...separated, ...own[group]];
    return all.length === 0 ? [] : [{ label: `&${sent?.label ?? NAMES[group]}`, entries: all }];
  });
  return options.mac ? [applicationSection(sections), ...drawn] : drawn;
}

/** An entry of the window; the files opened lately follow the command that opens one. */
function windowEntry(entry: WindowMenuSection['entries'][number]): MenuEntry[] {
  if (entry === null) return [separator];
  const { command, label, key } = entry;
  const item: MenuEntry = { kind: 'command', command, label, ...(key === undefined ? {} : { key }) };
  if (command !== 'file.open') return [item];
  return [item, { kind: 'recentFiles', label: 'Open Recent', clearLabel: 'Clear List' }];
}

/** The menu that macOS puts first: commands it expects there stand there too, without their keys. */
function applicationSection(sections: readonly WindowMenuSection[]): MenuSection {
  const all = sections.flatMap(({ entries }) => entries);
  const also = (id: string): MenuEntry[] =>
    all.flatMap((entry) =>
      entry?.command === id ? [{ kind: 'command' as const, command: id, label: entry.label }] : [],
    );
  return {
    label: 'Moreau',
    entries: [
      ...also('help.about'),
      ...also('file.settings'),
      separator,
      role('services'),
      separator,
      role('hide'),
      role('hideOthers'),
      role('unhide'),
      separator,
      role('quit'),
    ],
  };
}
