import { describe, expect, it, vi } from 'vitest';
import { fileArgument } from '@main/desktop/launch-files';

vi.mock('electron', () => ({ Menu: {} }));
const { menuTemplate } = await import('@main/desktop/menu');

describe('the menu', () => {
  interface Item {
    id?: string;
    label?: string;
    role?: string;
    accelerator?: string;
    registerAccelerator?: boolean;
    visible?: boolean;
    submenu?: Item[];
    click?: () => void;
  }
  const build = (mac: boolean, development: boolean, sent: string[] = []): Item[] =>
    menuTemplate({ mac, development }, [{ handle: 'h', name: 'a & b.json', folder: '/models' }], {
      command: (id) => sent.push(id),
      openRecent: (file) => sent.push(file.name),
      clearRecent: () => sent.push('clear'),
    }) as Item[];
  const flat = (items: readonly Item[]): Item[] => items.flatMap((one) => [one, ...flat(one.submenu ?? [])]);

  it('offers every command of the contract with the window', () => {
    const ids = flat(build(false, false)).map((one) => one.id);
    for (const id of [
      ...['file.new', 'file.open', 'file.openExample', 'file.save', 'file.saveAs', 'file.exportImage'],
      ...['edit.undo', 'edit.redo', 'run.start', 'run.pause', 'run.cancel'],
      ...['view.fit', 'view.toggleTheme', 'view.commandPalette', 'help.about', 'help.shortcuts'],
      ...['edit.projectInitialState', 'run.startOther', 'run.compareSchemes'],
      ...['view.events', 'view.comparison', 'view.eventMarkers'],
      ...['file.exportAnimation', 'view.addAnimation', 'view.playAnimation'],
    ]) {
      expect(ids).toContain(id);
    }
  });

  it('sends each command by its name', () => {
    const sent: string[] = [];
    for (const one of flat(build(false, false, sent))) one.click?.();
    expect(sent).toContain('edit.undo');
    expect(sent).toContain('a & b.json');
    expect(sent).toContain('clear');
  });

  it('fires no key twice: keys of the window are shown only, and no two items share one', () => {
    for (const mac of [false, true]) {
      const items = flat(build(mac, true));
      const keys = items.flatMap((one) => (one.accelerator === undefined ? [] : [one.accelerator]));
      expect(new Set(keys).size).toBe(keys.length);
      const registered = items.filter(
        (one) => one.click && one.accelerator && one.registerAccelerator !== false,
      );
      expect(registered.map((one) => one.accelerator)).toEqual(['CmdOrCtrl+Y']);
    }
  });

  it('has developer tools in development only, and never a reload that loses the model', () => {
    const roles = (development: boolean) => flat(build(false, development)).map((one) => one.role);
    expect(roles(false)).not.toContain('toggleDevTools');
    expect(roles(true)).toContain('toggleDevTools');
    for (const role of ['reload', 'forceReload', 'undo', 'redo']) expect(roles(true)).not.toContain(role);
  });
});

describe('the file named at start', () => {
  it.each<[string[], string | null]>([
    [['/app', '--no-sandbox', '--user-data-dir=/tmp/x'], null],
    [['/app', 'ball.moreau.json'], '/models/ball.moreau.json'],
    [['/app', '--inspect=0', '/models/a.json', '/models/b.json'], '/models/a.json'],
    [['--config.json', '/app'], null],
  ])('of %j is %s', (argv, path) => {
    expect(fileArgument(argv, '/models', '/app')).toBe(path);
  });
});
