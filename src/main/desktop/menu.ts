/** The menu table as an Electron menu. */
import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { RecentFile, WindowMenuSection } from '@contract/shell';
import { type MenuEntry, menuTable } from './menu-table';

export interface MenuActions {
  command(command: string): void;
  openRecent(file: RecentFile): void;
  clearRecent(): void;
}

/** Template of the menu. */
export function menuTemplate(
  options: { mac: boolean; development: boolean },
  sections: readonly WindowMenuSection[],
  recent: readonly RecentFile[],
  actions: MenuActions,
): MenuItemConstructorOptions[] {
  return menuTable(options, sections).map(({ label, entries }) => ({
    label,
    submenu: entries.map((entry) => item(entry, recent, actions)),
  }));
}

/** Installs the menu; called again when the window's commands or the recent files change. */
export function installMenu(
  options: { mac: boolean; development: boolean },
  sections: readonly WindowMenuSection[],
  recent: readonly RecentFile[],
  actions: MenuActions,
): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(options, sections, recent, actions)));
}

function item(
  entry: MenuEntry,
  recent: readonly RecentFile[],
  actions: MenuActions,
): MenuItemConstructorOptions {
  switch (entry.kind) {
    case 'separator':
      return { type: 'separator' };
    case 'role':
      return { role: entry.role, ...(entry.key === undefined ? {} : { accelerator: entry.key }) };
    case 'command':
      return {
        id: entry.command,
        label: entry.label.replaceAll('&', '&&'),
        ...(entry.key === undefined ? {} : { accelerator: entry.key }),
        registerAccelerator: false,
        click: () => actions.command(entry.command),
      };
    case 'recentFiles':
      return {
        label: entry.label,
        enabled: recent.length > 0,
        submenu: [
          ...recent.map((file) => ({
            label: file.name.replaceAll('&', '&&'),
            sublabel: file.folder,
            click: () => actions.openRecent(file),
          })),
          { type: 'separator' as const },
          { label: entry.clearLabel, click: () => actions.clearRecent() },
        ],
      };
  }
}
