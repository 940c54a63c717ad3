/** Entry of the Electron main process. */
import { app } from 'electron';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { registerAppScheme } from './desktop/app-protocol';
import type { Application } from './desktop/application';
import { fileArgument } from './desktop/launch-files';
import { installation } from './installation';

const place = installation(import.meta.url);
const entry = fileURLToPath(new URL('../..', import.meta.url));
const devUrl = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL'];

/**
 * Where settings live: asked for by switch or environment, so that tests and portable installations keep
 * apart.
 */
const userData = app.commandLine.getSwitchValue('user-data-dir') || process.env['MOREAU_USER_DATA'];
if (userData) app.setPath('userData', resolve(userData));
app.setName('Moreau');

if (!app.requestSingleInstanceLock()) {
  // The first instance receives our arguments and opens the file.
  app.quit();
} else {
  registerAppScheme();
  start();
}

function start(): void {
  // Loaded while Electron gets ready, which it does not do before its entry is.
  const loading = import('./desktop/application');
  let application: Application | null = null;
  let disposed = false;
  const named = fileArgument(process.argv.slice(1), process.cwd(), entry);
  const early: string[] = named === null ? [] : [named];
  app.on('open-file', (event, path) => {
    event.preventDefault();
    if (application === null) early.push(path);
    else void application.openFile(path);
  });
  app.on('second-instance', (_event, argv, workingDirectory) => {
    const path = fileArgument(argv.slice(1), workingDirectory, entry);
    if (path === null) application?.openWindow();
    else void application?.openFile(path);
  });
  app.on('activate', () => application?.openWindow());
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('before-quit', () => application?.beginQuit());
  app.on('will-quit', (event) => {
    if (disposed || application === null) return;
    event.preventDefault();
    void application.dispose().finally(() => {
      disposed = true;
      app.quit();
    });
  });
  void Promise.all([loading, app.whenReady()]).then(([{ Application }]) => {
    application = new Application(place, devUrl);
    application.openWindow();
    for (const path of early) void application.openFile(path);
  });
}
