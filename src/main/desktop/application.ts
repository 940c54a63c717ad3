/** The desktop application: one window on one engine host. */
import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { app, nativeTheme, session, type WebContents } from 'electron';
import { MoreauError } from '@contract/errors';
import type { WindowMenuSection } from '@contract/shell';
import { EngineHost } from '../host/host';
import type { Installation } from '../installation';
import { serveApp } from './app-protocol';
import { FileHandles } from './file-handles';
import { denyPermissions } from './hardening';
import { connectIpc, type ShellEvents } from './ipc';
import { installMenu } from './menu';
import { RecentFiles } from './recent-files';
import { callShell } from './shell';
import type { ShellContext } from './shell/context';
import { openModel } from './shell/files';
import { WatchedFiles } from './watched-files';
import { MainWindow } from './window';
import { WindowState } from './window-state';

export class Application {
  readonly #place: Installation;
  readonly #devUrl: string | undefined;
  readonly #host: EngineHost;
  readonly #handles: FileHandles;
  readonly #recent: RecentFiles;
  readonly #state: WindowState;
  readonly #watched: WatchedFiles;
  readonly #events: ShellEvents;
  #main: MainWindow | null = null;
  #menu: readonly WindowMenuSection[] = [];
  #quitting = false;

  /** Called when Electron is ready. @param devUrl address of the development server, when there is one */
  constructor(place: Installation, devUrl: string | undefined) {
    this.#place = place;
    this.#devUrl = devUrl;
    const data = app.getPath('userData');
    const recordings = join(data, 'runs');
    // Only one instance runs on this folder, so what lies there was left by one that ended unexpectedly.
    rmSync(recordings, { recursive: true, force: true });
    this.#host = new EngineHost({
      ...place.host,
      door: 'desktop',
      dataDirectory: recordings,
      stateDirectory: data,
    });
    this.#handles = new FileHandles(join(data, 'file-handles.json'));
    // Before the page says so: the frame and the ground of the window have the theme from the start.
    nativeTheme.themeSource = this.#host.changedSettings['appearance.theme'] ?? 'system';
    this.#recent = new RecentFiles(join(data, 'recent-files.json'), this.#handles, () => this.#installMenu());
    this.#state = new WindowState(join(data, 'window.json'));
    this.#watched = new WatchedFiles((path, stamp) => {
      const handle = this.#handles.give(path);
      this.#events.send({ event: 'shell.fileChanged', data: { handle, stamp } });
    });
    const contents = (): WebContents | null => this.#main?.window.webContents ?? null;
    denyPermissions(session.defaultSession, contents, devUrl);
    serveApp(session.defaultSession, place.rendererDirectory);
    const context: ShellContext = {
      handles: this.#handles,
      recent: this.#recent,
      watched: this.#watched,
      window: () => this.#window().window,
      setDocument: (name, dirty) => this.#window().setDocument(name, dirty),
      keepsBackup: () => this.#host.changedSettings['files.backup'] ?? true,
      exportedFile: (ticket) => this.#host.exportedFile(ticket),
      setMenu: (sections) => {
        this.#menu = sections;
        this.#installMenu();
      },
      closeNow: () => this.#closeNow(),
    };
    this.#events = connectIpc({
      dispatcher: this.#host,
      shell: (method, params) => callShell(context, method, params),
      contents,
      devUrl,
    });
    this.#installMenu();
  }

  openWindow(): void {
    if (this.#main !== null) {
      this.#main.focus();
      return;
    }
    this.#main = new MainWindow({
      preload: this.#place.preload,
      devUrl: this.#devUrl,
      development: !app.isPackaged,
      dark: nativeTheme.shouldUseDarkColors,
      state: this.#state,
      canAsk: () => this.#events.listening,
      askToClose: () => this.#events.send({ event: 'shell.closeRequested', data: {} }),
      onPageLost: () => this.#events.reset(),
      onClosed: () => {
        this.#main = null;
        this.#events.reset();
      },
    });
    this.#main.load();
  }

  /** Opens a file named by the operating system or another start of the program. */
  async openFile(path: string): Promise<void> {
    this.openWindow();
    try {
      const context = { handles: this.#handles, recent: this.#recent, watched: this.#watched };
      const file = await openModel(context, path);
      this.#events.send({ event: 'shell.openFile', data: { file } });
    } catch (error) {
      const remedy = error instanceof MoreauError ? (error.details.remedy ?? '') : '';
      const message = error instanceof Error ? error.message : `${basename(path)} could not be opened.`;
      this.#events.send({ event: 'shell.problem', data: { message: `${message} ${remedy}`.trim() } });
    }
  }

  /** The user wants to quit: a window that is closed on the way ends the program. */
  beginQuit(): void {
    this.#quitting = true;
  }

  /** Ends workers, removes recordings, and waits for what is being written. */
  async dispose(): Promise<void> {
    this.#watched.dispose();
    await Promise.all([
      this.#host.dispose(),
      this.#state.settled(),
      this.#recent.settled(),
      this.#handles.settled(),
    ]);
  }

  #window(): MainWindow {
    if (this.#main !== null) return this.#main;
    throw new MoreauError({
      code: 'no-window',
      message: 'The window has been closed.',
      remedy: 'Open it again.',
    });
  }

  #closeNow(): void {
    this.#main?.closeNow();
    if (this.#quitting) app.quit();
  }

  #installMenu(): void {
    const platform = { mac: process.platform === 'darwin', development: !app.isPackaged };
    installMenu(platform, this.#menu, this.#recent.list(), {
      command: (command) => this.#events.send({ event: 'shell.command', data: { command } }),
      openRecent: (file) => void this.openFile(this.#handles.path(file.handle)),
      clearRecent: () => {
        app.clearRecentDocuments();
        void this.#recent.clear();
      },
    });
  }
}
