import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Dispatcher } from '@contract/methods';
import { type OpenedFile, shellParams } from '@contract/shell';
import { temporaryFolder } from './support';
import { PATIENCE } from '../support/patience';

/** What the code under test asked of Electron. */
const electron = vi.hoisted(() => ({
  handlers: new Map<string, (...args: unknown[]) => unknown>(),
  listeners: new Map<string, (...args: unknown[]) => unknown>(),
  windows: [] as { options: { webPreferences: Record<string, unknown> } }[],
  dialogs: { open: { canceled: true, filePaths: [] as string[] }, save: { canceled: true, filePath: '' } },
  messageBoxes: [] as { message: string }[],
  answer: { response: 0 },
  recentDocuments: [] as string[],
  themeSource: { themeSource: 'system' },
}));

vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events');
  class FakeContents extends Emitter {
    mainFrame = { url: 'app://moreau/index.html' };
    windowOpenHandler: ((details: { url: string }) => { action: string }) | null = null;
    crashed = false;
    reloads = 0;
    setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
      this.windowOpenHandler = handler;
    }
    isCrashed(): boolean {
      return this.crashed;
    }
    isDestroyed(): boolean {
      return false;
    }
    reload(): void {
      this.reloads++;
    }
  }
  class BrowserWindow extends Emitter {
    webContents = new FakeContents();
    destroyed = false;
    title = '';
    constructor(readonly options: { webPreferences: Record<string, unknown> }) {
      super();
      electron.windows.push(this);
    }
    loadURL = (): Promise<void> => Promise.resolve();
    setTitle(title: string): void {
      this.title = title;
    }
    setDocumentEdited = (): void => undefined;
    isDestroyed = (): boolean => this.destroyed;
    destroy(): void {
      this.destroyed = true;
    }
    getNormalBounds = () => ({ x: 10, y: 20, width: 1000, height: 700 });
    isMaximized = (): boolean => false;
  }
  return {
    BrowserWindow,
    app: {
      addRecentDocument: (path: string) => electron.recentDocuments.push(path),
      clearRecentDocuments: () => (electron.recentDocuments.length = 0),
      quit: () => undefined,
    },
    dialog: {
      showOpenDialog: () => Promise.resolve(electron.dialogs.open),
      showSaveDialog: () => Promise.resolve(electron.dialogs.save),
      showMessageBox: (_window: unknown, options: { message: string }) => {
        electron.messageBoxes.push(options);
        return Promise.resolve(electron.answer);
      },
    },
    ipcMain: {
      handle: (channel: string, handler: (...args: unknown[]) => unknown) =>
        electron.handlers.set(channel, handler),
      on: (channel: string, listener: (...args: unknown[]) => unknown) =>
        electron.listeners.set(channel, listener),
    },
    nativeTheme: electron.themeSource,
    protocol: { registerSchemesAsPrivileged: () => undefined },
    screen: { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] },
    shell: { openExternal: () => Promise.resolve() },
  };
});

const { answer } = await import('@main/desktop/app-protocol');
const { CHANNEL } = await import('@main/desktop/channels');
const { FileHandles } = await import('@main/desktop/file-handles');
const { confineNavigation, denyPermissions } = await import('@main/desktop/hardening');
const { connectIpc } = await import('@main/desktop/ipc');
const { RecentFiles } = await import('@main/desktop/recent-files');
const { WatchedFiles } = await import('@main/desktop/watched-files');
const { callShell } = await import('@main/desktop/shell');
const { MainWindow, windowSettings } = await import('@main/desktop/window');
const { WindowState } = await import('@main/desktop/window-state');

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
  electron.messageBoxes.length = 0;
  electron.windows.length = 0;
  electron.recentDocuments.length = 0;
});
afterEach(() => folder.remove());

const TICKET = 'a'.repeat(32);

/** A shell on a fresh folder. */
function shell() {
  const handles = new FileHandles();
  const recent = new RecentFiles(join(folder.path, 'recent-files.json'), handles, () => undefined);
  const seen: unknown[] = [];
  const context = {
    handles,
    recent,
    watched: new WatchedFiles(() => undefined),
    window: () => ({}) as never,
    setDocument: (name: string, dirty: boolean) => void seen.push([name, dirty]),
    keepsBackup: () => true,
    setMenu: (sections: unknown) => void seen.push(sections),
    closeNow: () => void seen.push('closed'),
    exportedFile: (ticket: string) => (ticket === TICKET ? join(folder.path, 'exported.tmp') : null),
  };
  return { context, seen, call: (method: string, params: unknown) => callShell(context, method, params) };
}

describe('the window', () => {
  it('runs its page in the sandbox, isolated and without Node', () => {
    const { webPreferences } = windowSettings('/preload.cjs', false, { width: 1, height: 1 });
    expect(webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      devTools: false,
    });
  });

  it('keeps its page on its own origin', () => {
    const contents = new EventEmitter() as EventEmitter & {
      setWindowOpenHandler: (handler: (details: { url: string }) => { action: string }) => void;
    };
    let opens: (details: { url: string }) => { action: string } = () => ({ action: 'allow' });
    contents.setWindowOpenHandler = (handler) => (opens = handler);
    const external: string[] = [];
    confineNavigation(contents as never, undefined, (url) => external.push(url));
    const prevented = (event: string, url: string): boolean => {
      let stopped = false;
      contents.emit(event, { url, preventDefault: () => (stopped = true) });
      return stopped;
    };
    for (const event of ['will-navigate', 'will-frame-navigate', 'will-redirect']) {
      expect(prevented(event, 'https://example.org/')).toBe(true);
      expect(prevented(event, 'file:///etc/passwd')).toBe(true);
      expect(prevented(event, 'app://moreau.evil/')).toBe(true);
      expect(prevented(event, 'app://moreau/index.html')).toBe(false);
    }
    expect(prevented('will-attach-webview', 'app://moreau/')).toBe(true);
    expect(opens({ url: 'https://example.org/' })).toEqual({ action: 'deny' });
    expect(external).toEqual([]);
  });

  describe('permissions', () => {
    interface Details {
      isMainFrame: boolean;
      requestingUrl?: string;
    }
    const own = {};
    const page: Details = { isMainFrame: true, requestingUrl: 'app://moreau/index.html' };
    const COPY = 'clipboard-sanitized-write';
    const DEV = 'http://localhost:5173/';

    /**
     * What is decided when somebody asks, and when Chromium only checks.
     * @param window contents of the window, while there is one
     */
    function decisions(
      permission: string,
      contents: object | null,
      details: Details,
      { window = own, devUrl }: { window?: object | null; devUrl?: string } = {},
    ): boolean[] {
      let request: (c: unknown, p: string, decide: (granted: boolean) => void, d: Details) => void = () =>
        undefined;
      let check: (c: unknown, p: string, origin: string, d: Details) => boolean = () => true;
      let device: () => boolean = () => true;
      denyPermissions(
        {
          setPermissionRequestHandler: (handler: typeof request) => (request = handler),
          setPermissionCheckHandler: (handler: typeof check) => (check = handler),
          setDevicePermissionHandler: (handler: typeof device) => (device = handler),
          on: () => undefined,
        } as never,
        () => window as never,
        devUrl,
      );
      expect(device()).toBe(false);
      const made = [check(contents, permission, details.requestingUrl ?? '', details)];
      request(contents, permission, (granted) => made.push(granted), details);
      return made;
    }

    it('let the window’s own page copy text', () => {
      expect(decisions(COPY, own, page)).toEqual([true, true]);
      const dev = { ...page, requestingUrl: `${DEV}index.html` };
      expect(decisions(COPY, own, dev, { devUrl: DEV })).toEqual([true, true]);
    });

    it.each<[string, object | null, Details, { window: null }?]>([
      ['another window', {}, page],
      ['a worker, which has no window', null, { isMainFrame: false }],
      ['a frame inside the page', own, { ...page, isMainFrame: false }],
      ['another page in the window', own, { ...page, requestingUrl: 'https://example.org/' }],
      [
        'a page that pretends to be ours',
        own,
        { ...page, requestingUrl: 'https://example.org/app://moreau/' },
      ],
      ['the development server where there is none', own, { ...page, requestingUrl: DEV }],
      ['a page without an address', own, { isMainFrame: true }],
      ['a page while there is no window', null, page, { window: null }],
    ])('refuse that to %s', (_who, contents, details, options) => {
      expect(decisions(COPY, contents, details, options)).toEqual([false, false]);
    });

    it.each([
      ...['media', 'clipboard-read', 'deprecated-sync-clipboard-read', 'notifications', 'geolocation'],
      ...['display-capture', 'fileSystem', 'fullscreen', 'openExternal', 'midi', 'unknown'],
    ])('refuse all others to everybody: %s', (permission) => {
      expect(decisions(permission, own, page)).toEqual([false, false]);
      expect(decisions(permission, {}, page)).toEqual([false, false]);
    });
  });

  it('serves its files and nothing else under app://', async () => {
    const root = join(folder.path, 'renderer');
    mkdirSync(root);
    writeFileSync(join(root, 'index.html'), 'page');
    writeFileSync(join(folder.path, 'secret.txt'), 'secret');
    const page = await answer(root, 'GET', 'app://moreau/');
    expect(await page.text()).toBe('page');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await answer(root, 'GET', 'app://other/')).status).toBe(403);
    expect((await answer(root, 'POST', 'app://moreau/')).status).toBe(403);
    for (const path of ['..%2fsecret.txt', '%2e%2e/secret.txt', '..%5csecret.txt', 'no.js']) {
      expect((await answer(root, 'GET', `app://moreau/${path}`)).status).toBe(404);
    }
  });
});

describe('closing the window', () => {
  function open(canAsk: boolean) {
    const asked: string[] = [];
    const state = new WindowState(join(folder.path, 'window.json'));
    const main = new MainWindow({
      dark: false,
      preload: '/preload.cjs',
      devUrl: undefined,
      development: false,
      state,
      canAsk: () => canAsk,
      askToClose: () => asked.push('asked'),
      onPageLost: () => undefined,
      onClosed: () => undefined,
    });
    const close = (): boolean => {
      let prevented = false;
      main.window.emit('close', { preventDefault: () => (prevented = true) });
      return prevented;
    };
    return { main, asked, close, state };
  }

  it('asks nothing without changes, and keeps the window’s place', async () => {
    const { asked, close, state } = open(true);
    expect(close()).toBe(false);
    expect(asked).toEqual([]);
    await state.settled();
    const again = new WindowState(join(folder.path, 'window.json'));
    expect(again.bounds([{ x: 0, y: 0, width: 1920, height: 1080 }])).toEqual({
      x: 10,
      y: 20,
      width: 1000,
      height: 700,
    });
    expect(again.bounds([{ x: 5000, y: 0, width: 100, height: 100 }])).toEqual({ width: 1000, height: 700 });
  });

  it('asks the page when there are changes', () => {
    const { main, asked, close } = open(true);
    main.setDocument('ball', true);
    expect(main.window.isDestroyed()).toBe(false);
    expect(close()).toBe(true);
    expect(asked).toEqual(['asked']);
    expect(electron.messageBoxes).toEqual([]);
    main.closeNow();
    expect(main.window.isDestroyed()).toBe(true);
  });

  it.each(['a page that hangs', 'a page that has crashed', 'no page'])(
    'asks natively when there is %s',
    async (what) => {
      electron.answer.response = 1;
      const { main, asked, close } = open(what !== 'no page');
      main.setDocument('ball', true);
      if (what === 'a page that hangs') main.window.emit('unresponsive');
      if (what === 'a page that has crashed')
        vi.spyOn(main.window.webContents, 'isCrashed').mockReturnValue(true);
      expect(close()).toBe(true);
      expect(asked).toEqual([]);
      expect(electron.messageBoxes[0].message).toContain('ball');
      await vi.waitUntil(() => main.window.isDestroyed(), PATIENCE);
    },
  );

  it('offers to reload a page that crashed', async () => {
    electron.answer.response = 0;
    const { main } = open(true);
    const reload = vi.spyOn(main.window.webContents, 'reload');
    main.window.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
    await vi.waitUntil(() => reload.mock.calls.length === 1, PATIENCE);
    expect(electron.messageBoxes[0].message).toContain('crashed');
  });
});

describe('IPC', () => {
  const frame = { url: 'app://moreau/index.html' };
  const sent: unknown[] = [];
  const contents = {
    mainFrame: frame,
    isDestroyed: () => false,
    send: (...args: unknown[]) => sent.push(args),
  };
  const dispatcher: Dispatcher = {
    dispatch: (method, params) => Promise.resolve({ method, params } as never),
    onEvent: () => () => undefined,
  };
  const connect = () =>
    connectIpc({
      dispatcher,
      shell: (method) => (method === 'boom' ? Promise.reject(new Error('no')) : Promise.resolve(method)),
      contents: () => contents as never,
      devUrl: undefined,
    });
  const call = (channel: string, event: object, ...args: unknown[]): unknown =>
    electron.handlers.get(channel)?.(event, ...args);
  beforeEach(() => {
    sent.length = 0;
  });

  it('answers the window’s main frame with an envelope', async () => {
    connect();
    const own = { sender: contents, senderFrame: frame };
    expect(await call(CHANNEL.call, own, 'app.info', {})).toEqual({
      ok: true,
      result: { method: 'app.info', params: {} },
    });
    expect(await call(CHANNEL.shell, own, 'shell.open', {})).toEqual({ ok: true, result: 'shell.open' });
    expect(await call(CHANNEL.shell, own, 'boom', {})).toMatchObject({
      ok: false,
      error: { code: 'internal' },
    });
  });

  it.each<[string, () => object]>([
    ['another window', () => ({ sender: {}, senderFrame: frame })],
    [
      'a frame inside the page',
      () => ({ sender: contents, senderFrame: { url: 'app://moreau/index.html' } }),
    ],
    ['a frame that is gone', () => ({ sender: contents, senderFrame: null })],
  ])('refuses %s', async (_what, event) => {
    connect();
    for (const channel of [CHANNEL.call, CHANNEL.shell]) {
      expect(await call(channel, event(), 'app.info', {})).toMatchObject({
        ok: false,
        error: { code: 'foreign-sender' },
      });
    }
  });

  it('refuses the main frame once it shows another page', async () => {
    connect();
    frame.url = 'https://example.org/';
    const reply = await call(CHANNEL.call, { sender: contents, senderFrame: frame }, 'app.info', {});
    frame.url = 'app://moreau/index.html';
    expect(reply).toMatchObject({ ok: false, error: { code: 'foreign-sender' } });
  });

  it('keeps shell events until the page listens, and again after a reload', () => {
    const events = connect();
    const listening = () =>
      electron.listeners.get(CHANNEL.listening)?.({ sender: contents, senderFrame: frame });
    const command = (id: string) => ({ event: 'shell.command' as const, data: { command: id } });
    events.send(command('file.new'));
    expect(sent).toEqual([]);
    listening();
    expect(sent).toEqual([[CHANNEL.shellEvent, command('file.new')]]);
    events.reset();
    events.send(command('run.start'));
    expect(sent).toHaveLength(1);
    listening();
    expect(sent).toHaveLength(2);
  });
});

describe('the shell', () => {
  it('validates every call', async () => {
    const { call } = shell();
    for (const [method, params, code] of [
      ['shell.nope', {}, 'unknown-method'],
      ['constructor', {}, 'unknown-method'],
      ['shell.save', { text: 'x' }, 'invalid-params'],
      ['shell.setTheme', { theme: 'pink' }, 'invalid-params'],
      ['shell.exportFile', { suggestedName: 'a', data: [1, 2] }, 'invalid-params'],
      ['shell.save', { handle: '/etc/passwd', text: 'x' }, 'unknown-handle'],
      ['shell.openRecent', { handle: '../../secret' }, 'unknown-handle'],
    ] as const) {
      await expect(call(method, params)).rejects.toMatchObject({ details: { code } });
    }
    expect(Object.keys(shellParams)).toContain('shell.closeNow');
  });

  it('gives a data file that the host has written to the place that the user chooses', async () => {
    const { call } = shell();
    writeFileSync(join(folder.path, 'exported.tmp'), 'numbers');
    const path = join(folder.path, 'run.h5');
    electron.dialogs.save = { canceled: true, filePath: '' };
    expect(await call('shell.takeExport', { ticket: TICKET, suggestedName: 'run.h5' })).toBeNull();
    electron.dialogs.save = { canceled: false, filePath: path };
    expect(await call('shell.takeExport', { ticket: TICKET, suggestedName: '../run.h5' })).toEqual({
      name: 'run.h5',
    });
    expect(readFileSync(path, 'utf8')).toBe('numbers');
    const foreign = call('shell.takeExport', { ticket: 'b'.repeat(32), suggestedName: 'run.h5' });
    await expect(foreign).rejects.toMatchObject({ details: { code: 'unknown-export' } });
    const named = call('shell.takeExport', { ticket: '../../etc/passwd', suggestedName: 'run.h5' });
    await expect(named).rejects.toMatchObject({ details: { code: 'invalid-params' } });
  });

  it('opens a chosen file, saves it in place and remembers it', async () => {
    const { call } = shell();
    const path = join(folder.path, 'ball.moreau.json');
    writeFileSync(path, 'one');
    electron.dialogs.open = { canceled: false, filePaths: [path] };
    const file = (await call('shell.open', {})) as OpenedFile;
    expect(file).toMatchObject({ name: 'ball.moreau.json', text: 'one' });
    expect(file.handle).not.toContain('ball');
    await call('shell.save', { handle: file.handle, text: 'two' });
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect(readFileSync(`${path}.bak`, 'utf8')).toBe('one');
    expect(await call('shell.recent', {})).toEqual([
      { handle: file.handle, name: 'ball.moreau.json', folder: folder.path },
    ]);
    expect(electron.recentDocuments).toEqual([path, path]);
  });

  it('gives a saved file its ending, and names that are safe', async () => {
    const { call } = shell();
    electron.dialogs.save = { canceled: false, filePath: join(folder.path, 'ball') };
    expect(await call('shell.saveAs', { suggestedName: '../a/b', text: '{}' })).toMatchObject({
      name: 'ball.moreau.json',
    });
    expect(existsSync(join(folder.path, 'ball.moreau.json'))).toBe(true);
    electron.dialogs.save = { canceled: true, filePath: '' };
    expect(await call('shell.saveAs', { suggestedName: 'x', text: '{}' })).toBeNull();
  });

  it('forgets a recent file that is gone', async () => {
    const { call, context } = shell();
    const path = join(folder.path, 'gone.moreau.json');
    await context.recent.add(path);
    const handle = context.handles.give(path);
    await expect(call('shell.openRecent', { handle })).rejects.toMatchObject({
      details: { code: 'file-missing' },
    });
    expect(await call('shell.recent', {})).toEqual([]);
  });

  it('keeps twelve recent files, newest first, across sessions', async () => {
    const { context } = shell();
    for (let i = 0; i < 15; i++) await context.recent.add(`/models/${i}.json`);
    await context.recent.add('/models/7.json');
    const again = new RecentFiles(join(folder.path, 'recent-files.json'), new FileHandles(), () => undefined);
    expect(again.list().map((file) => file.name)).toEqual(
      [7, 14, 13, 12, 11, 10, 9, 8, 6, 5, 4, 3].map((i) => `${i}.json`),
    );
    await again.clear();
    expect(again.list()).toEqual([]);
  });
});
