/** The application's window: its settings, and what happens when it closes, hangs or crashes. */
import { app, BrowserWindow, dialog, type BrowserWindowConstructorOptions, screen, shell } from 'electron';
import { APP_URL } from './app-protocol';
import { confineNavigation } from './hardening';
import type { WindowState } from './window-state';

export interface MainWindowOptions {
  preload: string;
  devUrl: string | undefined;
  development: boolean;
  /** ground of the window before the page is drawn */
  dark: boolean;
  state: WindowState;
  /** whether a page is there that can be asked to save */
  canAsk: () => boolean;
  /** asks the page to save or give up its changes */
  askToClose: () => void;
  /** the page is gone or reloads */
  onPageLost: () => void;
  onClosed: () => void;
}

/** Electron's settings of the window. The page runs in the sandbox, in a world of its own, without Node. */
export function windowSettings(
  preload: string,
  development: boolean,
  bounds: { width: number; height: number; x?: number; y?: number },
  dark = false,
): BrowserWindowConstructorOptions {
  return {
    ...bounds,
    minWidth: 800,
    minHeight: 560,
    show: false,
    title: 'Moreau',
    // The surface of the page in the two themes.
    backgroundColor: dark ? '#0e1115' : '#e9ecf0',
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: development,
    },
  };
}

export class MainWindow {
  readonly window: BrowserWindow;
  readonly #options: MainWindowOptions;
  #name = '';
  #dirty = false;
  #responsive = true;
  #asking = false;

  constructor(options: MainWindowOptions) {
    this.#options = options;
    const bounds = options.state.bounds(screen.getAllDisplays().map((display) => display.workArea));
    this.window = new BrowserWindow(
      windowSettings(options.preload, options.development, bounds, options.dark),
    );
    if (options.state.maximized) this.window.maximize();
    confineNavigation(this.window.webContents, options.devUrl, (url) => void shell.openExternal(url));
    this.#listen();
  }

  load(): void {
    void this.window.loadURL(this.#options.devUrl ?? APP_URL).catch(() => undefined);
  }

  /** Window title and unsaved marker. */
  setDocument(name: string, dirty: boolean): void {
    this.#name = name;
    this.#dirty = dirty;
    this.window.setTitle(`${dirty ? '• ' : ''}${name} — Moreau`);
    this.window.setDocumentEdited(dirty);
  }

  /** Closes without asking. */
  closeNow(): void {
    void this.#options.state.keep(this.window);
    this.window.destroy();
  }

  /** Brings the window to the front. */
  focus(): void {
    if (this.window.isMinimized()) this.window.restore();
    this.window.show();
    this.window.focus();
  }

  #listen(): void {
    const { window } = this;
    const { webContents } = window;
    window.once('ready-to-show', () => window.show());
    // The page's own title would hide the document's name.
    window.on('page-title-updated', (event) => event.preventDefault());
    window.on('close', (event) => this.#close(event));
    window.on('closed', () => this.#options.onClosed());
    window.on('unresponsive', () => (this.#responsive = false));
    window.on('responsive', () => (this.#responsive = true));
    // Committed, not started: a navigation that is refused leaves the page as it is.
    webContents.on('did-navigate', () => this.#options.onPageLost());
    webContents.on('did-finish-load', () => (this.#asking = false));
    webContents.on('render-process-gone', (_event, details) => {
      this.#options.onPageLost();
      if (details.reason !== 'clean-exit') void this.#offerReload();
    });
  }

  #close(event: { preventDefault(): void }): void {
    if (!this.#dirty) {
      void this.#options.state.keep(this.window);
      return;
    }
    event.preventDefault();
    if (this.#responsive && this.#options.canAsk() && !this.window.webContents.isCrashed()) {
      this.#asking = true;
      this.#options.askToClose();
      return;
    }
    void this.#askNatively();
  }

  /** The page cannot ask: it hangs or has crashed. */
  async #askNatively(): Promise<void> {
    const answer = await dialog.showMessageBox(this.window, {
      type: 'warning',
      message: `The window does not respond, and ${this.#name || 'the model'} has unsaved changes.`,
      detail: 'Changes since the last save are lost if it is closed now.',
      buttons: ['Wait', 'Close without Saving'],
      defaultId: 0,
      cancelId: 0,
    });
    if (answer.response === 1 && !this.window.isDestroyed()) this.closeNow();
  }

  async #offerReload(): Promise<void> {
    if (this.window.isDestroyed()) return;
    if (this.#asking) return this.closeNow();
    const answer = await dialog.showMessageBox(this.window, {
      type: 'error',
      message: 'The window has crashed.',
      detail: 'Runs go on and nothing saved is lost. Reloading brings the window back.',
      buttons: ['Reload', 'Quit'],
      defaultId: 0,
      cancelId: 0,
    });
    if (this.window.isDestroyed()) return;
    if (answer.response === 1) {
      this.closeNow();
      app.quit();
      return;
    }
    this.#dirty = false;
    this.#responsive = true;
    this.window.webContents.reload();
  }
}
