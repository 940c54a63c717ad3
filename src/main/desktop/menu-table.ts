/**
 * The application menu as data. Items with a command send it to the window's registry, which is the one place that
 * knows what a command does. Their keys are shown here and handled in the window, also in the browser door, so
 * that no key fires twice.
 */

/** Standard items the system provides. */
type Role =
  | 'cut'
  | 'copy'
  | 'paste'
  | 'selectAll'
  | 'resetZoom'
  | 'zoomIn'
  | 'zoomOut'
  | 'togglefullscreen'
  | 'toggleDevTools'
  | 'minimize'
  | 'close'
  | 'quit'
  | 'about'
  | 'services'
  | 'hide'
  | 'hideOthers'
  | 'unhide';

export type MenuEntry =
  | {
      kind: 'command';
      command: string;
      label: string;
      key?: string;
      keyIn?: 'window' | 'menu';
      hidden?: true;
    }
  | { kind: 'role'; role: Role; key?: string }
  | { kind: 'separator' }
  | { kind: 'recentFiles'; label: string; clearLabel: string };

export interface MenuSection {
  label: string;
  entries: readonly MenuEntry[];
}

const command = (id: string, label: string, key?: string): MenuEntry =>
  key === undefined
    ? { kind: 'command', command: id, label }
    : { kind: 'command', command: id, label, key, keyIn: 'window' };
const role = (name: Role, key?: string): MenuEntry => ({
  kind: 'role',
  role: name,
  ...(key === undefined ? {} : { key }),
});
const separator: MenuEntry = { kind: 'separator' };

/** The menu for a platform. @param options.development adds the developer tools */
export function menuTable(options: { mac: boolean; development: boolean }): MenuSection[] {
  const application: MenuSection = {
    label: 'Moreau',
    entries: [
      command('help.about', 'About Moreau'),
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
  const file: MenuSection = {
    label: '&File',
    entries: [
      command('file.new', 'New', 'CmdOrCtrl+N'),
      command('file.open', 'Open…', 'CmdOrCtrl+O'),
      { kind: 'recentFiles', label: 'Open Recent', clearLabel: 'Clear List' },
      command('file.openExample', 'Open Example…', 'CmdOrCtrl+Shift+O'),
      separator,
      command('file.save', 'Save', 'CmdOrCtrl+S'),
      command('file.saveAs', 'Save As…', 'CmdOrCtrl+Shift+S'),
      command('file.saveAll', 'Save All'),
      command('file.reload', 'Reload from Disk'),
      command('file.recover', 'Recover Unsaved Models…'),
      separator,
      command('file.close', 'Close Model', 'CmdOrCtrl+W'),
      separator,
      command('file.exportModel', 'Export Model…'),
      command('file.exportImage', 'Export Plot as Image…'),
      command('file.exportAnimation', 'Export Animation as Pictures…'),
      separator,
      role(options.mac ? 'close' : 'quit', ...(options.mac ? ['CmdOrCtrl+Shift+W'] : [])),
    ],
  };
  const edit: MenuSection = {
    label: '&Edit',
    entries: [
      command('edit.undo', 'Undo', 'CmdOrCtrl+Z'),
      command('edit.redo', 'Redo', 'CmdOrCtrl+Shift+Z'),
      // The second customary key for redo; the window leaves it to the menu.
      {
        kind: 'command',
        command: 'edit.redo',
        label: 'Redo',
        key: 'CmdOrCtrl+Y',
        keyIn: 'menu',
        hidden: true,
      },
      separator,
      command('edit.projectInitialState', 'Project Initial State onto Joints'),
      separator,
      role('cut'),
      role('copy'),
      role('paste'),
      role('selectAll'),
    ],
  };
  const run: MenuSection = {
    label: '&Run',
    entries: [
      command('run.start', 'Run', 'CmdOrCtrl+Enter'),
      command('run.startOther', 'Run Once with Other Scheme', 'CmdOrCtrl+Alt+Enter'),
      command('run.compareSchemes', 'Compare Schemes…'),
      separator,
      command('run.pause', 'Pause or Resume', 'CmdOrCtrl+Shift+Enter'),
      command('run.cancel', 'Cancel', 'CmdOrCtrl+.'),
    ],
  };
  const view: MenuSection = {
    label: '&View',
    entries: [
      command('view.commandPalette', 'Command Palette…', 'CmdOrCtrl+Shift+P'),
      separator,
      command('view.events', 'Events'),
      command('view.comparison', 'Comparison'),
      command('view.eventMarkers', 'Mark Events in Time Series'),
      separator,
      command('view.addAnimation', 'Add Animation'),
      command('view.playAnimation', 'Play or Pause Animation'),
      separator,
      command('view.fit', 'Fit Graph', 'CmdOrCtrl+0'),
      command('view.toggleTheme', 'Light or Dark Theme'),
      separator,
      command('view.nextDocument', 'Next Model', 'CmdOrCtrl+PageDown'),
      command('view.previousDocument', 'Previous Model', 'CmdOrCtrl+PageUp'),
      separator,
      role('zoomIn'),
      role('zoomOut'),
      // Its customary key fits the graph here.
      role('resetZoom', 'CmdOrCtrl+Alt+0'),
      role('togglefullscreen'),
      ...(options.development ? [separator, role('toggleDevTools')] : []),
    ],
  };
  const help: MenuSection = {
    label: '&Help',
    entries: [
      command('help.shortcuts', 'Keyboard Shortcuts'),
      ...(options.mac ? [] : [separator, command('help.about', 'About Moreau')]),
    ],
  };
  return [...(options.mac ? [application] : []), file, edit, run, view, help];
}
