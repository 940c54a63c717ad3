import { describe, expect, it, vi } from 'vitest';
import type { WindowMenuSection } from '@contract/shell';
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
  const SECTIONS: WindowMenuSection[] = [
    {
      group: 'file',
      label: 'File',
      entries: [
        { command: 'file.open', label: 'Open…', key: 'CmdOrCtrl+O' },
        null,
        { command: 'file.settings', label: 'Settings…', key: 'CmdOrCtrl+,' },
      ],
    },
    {
      group: 'edit',
      label: 'Edit',
      entries: [{ command: 'edit.undo', label: 'Undo', key: 'CmdOrCtrl+Z' }],
    },
    { group: 'help', label: 'Help', entries: [{ command: 'help.about', label: 'About R & D' }] },
  ];
  const build = (
    mac: boolean,
    development: boolean,
    sent: string[] = [],
    sections: WindowMenuSection[] = SECTIONS,
  ): Item[] =>
    menuTemplate({ mac, development }, sections, [{ handle: 'h', name: 'a & b.json', folder: '/models' }], {
      command: (id) => sent.push(id),
      openRecent: (file) => sent.push(file.name),
      clearRecent: () => sent.push('clear'),
    }) as Item[];
  const flat = (items: readonly Item[]): Item[] => items.flatMap((one) => [one, ...flat(one.submenu ?? [])]);

  it('offers what the window sent, files opened lately, and what the system has', () => {
    const file = build(false, false)[0].submenu ?? [];
    expect(file.map((one) => one.id ?? one.role ?? one.label ?? '-')).toEqual([
      'file.open',
      'Open Recent',
      '-',
      'file.settings',
      '-',
      'quit',
    ]);
    expect(flat(build(false, false)).map((one) => one.role)).toContain('selectAll');
    expect(flat(build(false, false)).find((one) => one.id === 'help.about')?.label).toBe('About R && D');
  });

  it('can be used before the window has sent its commands', () => {
    const roles = flat(build(false, false, [], [])).map((one) => one.role);
    expect(roles).toEqual(expect.arrayContaining(['quit', 'copy', 'togglefullscreen']));
  });

  it('sends each command by its name', () => {
    const sent: string[] = [];
    for (const one of flat(build(false, false, sent))) one.click?.();
    expect(sent).toContain('edit.undo');
    expect(sent).toContain('a & b.json');
    expect(sent).toContain('clear');
  });

  it('fires no key twice: keys are shown only, and no two items share one', () => {
    for (const mac of [false, true]) {
      const items = flat(build(mac, true));
      const keys = items.flatMap((one) => (one.accelerator === undefined ? [] : [one.accelerator]));
      expect(new Set(keys).size).toBe(keys.length);
      const registered = items.filter(
        (one) => one.click && one.accelerator && one.registerAccelerator !== false,
      );
      expect(registered.map((one) => one.accelerator)).toEqual([]);
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
