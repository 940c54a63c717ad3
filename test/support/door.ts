/**
 * Starts the doors of the workbench for end-to-end tests: the browser door's server and the desktop
 * application.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { SETTINGS_VERSION } from '@contract/settings';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { SocketDispatcher, type SocketLike } from '@renderer/transport/socket';
import { WebSocket } from 'ws';
import { removeFolder } from '../e2e/support/remove-folder';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What the server prints once it listens; the address carries the access token. */
const ADDRESS = /Moreau is at (http:\/\/127\.0\.0\.1:\d+\/\?token=\S+)/;

/** A server that has not said its address by then never will. */
const START_TIMEOUT_MS = 120_000;
/** A process that ignores SIGTERM for so long is killed. */
const STOP_TIMEOUT_MS = 5_000;

export interface BrowserDoor {
  /** address to open, access token included */
  url: string;
  /** lines the server has printed so far, standard output and error */
  output: readonly string[];
  /**
   * Removes the settings, the unsaved edits, the runs and what analyses have found, of earlier windows.
   * @param isNew whether the next window is the first of a new machine; otherwise it opens on a model
   */
  forget(isNew?: boolean): Promise<void>;
  /** Kills the server at once. Its folder stays, for another one to be started on. */
  kill(): Promise<void>;
  /** folder of its settings and journals */
  readonly home: string;
  /** Ends the server and waits until it has gone. */
  stop(): Promise<void>;
}

/** A run that has lost its window may still write its last file into a folder that is being removed; ms. */
const PATIENTLY = { maxRetries: 50, retryDelay: 50 };

type ServerProcess = ChildProcessByStdio<null, Readable, Readable>;

/** Settings, recent files and the autosave journal live here: every door starts as on a new machine. */
async function freshFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'moreau-e2e-'));
}

async function stopProcess(child: ServerProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const kill = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await gone;
  clearTimeout(kill);
}

function waitForAddress(child: ServerProcess, output: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (what: string): void => {
      reject(new Error(`The browser door ${what}. It printed:\n${output.join('\n')}`));
    };
    const timeout = setTimeout(() => {
      fail('did not say its address');
    }, START_TIMEOUT_MS);
    const read = (line: string): void => {
      output.push(line);
      const address = ADDRESS.exec(line)?.[1];
      if (address === undefined) return;
      clearTimeout(timeout);
      resolve(address);
    };
    createInterface({ input: child.stdout }).on('line', read);
    createInterface({ input: child.stderr }).on('line', read);
    child.once('error', (error) => {
      fail(`could not be started: ${error.message}`);
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timeout);
      fail(`ended with ${signal ?? `code ${String(code)}`} before it said its address`);
    });
  });
}

/**
 * Settings with which a window opens on a model that runs, for tests of what is done with one. What a new
 * machine shows is for those to look at that ask for it.
 */
async function onAModel(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const settings = { version: SETTINGS_VERSION, values: { 'files.onStart': 'example' } };
  await writeFile(join(folder, 'settings.json'), JSON.stringify(settings));
}

/** A run that an earlier window has left, paused or under way, is shown to the next one with its model. */
async function forgetRuns(url: string): Promise<void> {
  const { origin, host, search } = new URL(url);
  const socket = new WebSocket(`ws://${host}/socket${search}`, { origin });
  const server = new SocketDispatcher({
    connect: () => socket as unknown as SocketLike,
    schedule: () => undefined,
  });
  try {
    for (const { runId } of await server.dispatch('run.list', {}))
      await server.dispatch('run.delete', { runId, forGood: true });
  } finally {
    socket.close();
  }
}

/**
 * Starts the browser door's server on a free port, with a home folder of its own.
 * @param args further arguments of the server
 * @param given home folder of an earlier server, to test what this one finds of it; a fresh one otherwise
 * @throws when the server ends or stays silent instead of saying its address; the message holds what it
 *   printed
 */
export async function startBrowserDoor(args: readonly string[] = [], given?: string): Promise<BrowserDoor> {
  const home = given ?? (await freshFolder());
  if (given === undefined) await onAModel(join(home, 'data/moreau'));
  const output: string[] = [];
  const child = spawn(process.execPath, [join(ROOT, 'out/main/serve.js'), '--port', '0', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      HOME: home,
      XDG_CONFIG_HOME: join(home, 'config'),
      XDG_DATA_HOME: join(home, 'data'),
    },
  });
  const stop = async (): Promise<void> => {
    await stopProcess(child);
    await rm(home, { recursive: true, force: true, ...PATIENTLY });
  };
  try {
    const url = await waitForAddress(child, output);
    const forget = async (isNew = false): Promise<void> => {
      await forgetRuns(url);
      if (isNew) await rm(join(home, 'data/moreau/settings.json'), { force: true });
      else await onAModel(join(home, 'data/moreau'));
      for (const folder of ['journal', 'kept-runs', 'analyses'])
        await rm(join(home, 'data/moreau', folder), { recursive: true, force: true, ...PATIENTLY });
    };
    const kill = async (): Promise<void> => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    };
    return { url, output, home, forget, kill, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** An application that has not answered the test driver by then never will. */
const LAUNCH_TIMEOUT_MS = 120_000;
const LAUNCH_ATTEMPTS = 3;

/**
 * Launches Electron. On a busy machine the driver sometimes misses the first navigation of an older Electron
 * and waits for it for ever, while the application itself is up; only the connection is tried again, never a
 * test.
 */
async function launch(options: Parameters<typeof _electron.launch>[0]): Promise<ElectronApplication> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await _electron.launch(options);
    } catch (error) {
      if (attempt === LAUNCH_ATTEMPTS) throw error;
    }
  }
}

export interface Desktop {
  app: ElectronApplication;
  /** the first window, loaded */
  window: Page;
  /** folder given as `--user-data-dir` */
  userData: string;
  /** Ends the application, whatever state it is in, and removes its folder unless it was given. */
  close(): Promise<void>;
}

export interface DesktopOptions {
  /** further command line arguments, such as a file to open */
  args?: readonly string[];
  /** whether it is the first start on a new machine; otherwise the window opens on a model */
  isNew?: boolean;
  /** folder of an earlier start, to test what the application finds of itself; a fresh one otherwise */
  userData?: string;
  env?: Readonly<Record<string, string>>;
}

/**
 * Starts the desktop application from `out/` in the Electron runtime that ELECTRON_OVERRIDE_DIST_PATH names,
 * or in the one of node_modules. Needs a display.
 * @throws when the application does not open a window
 */
export async function startDesktop(options: DesktopOptions = {}): Promise<Desktop> {
  const userData = options.userData ?? (await freshFolder());
  if (options.isNew !== true && !existsSync(join(userData, 'settings.json'))) await onAModel(userData);
  const runtime = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const env: Record<string, string> = { ...options.env };
  for (const [name, value] of Object.entries(process.env)) {
    // Set by tools that use Electron as a plain Node; the application would start as such.
    if (value !== undefined && name !== 'ELECTRON_RUN_AS_NODE') env[name] ??= value;
  }
  const app = await launch({
    cwd: ROOT,
    env,
    timeout: LAUNCH_TIMEOUT_MS,
    args: ['--no-sandbox', '--disable-gpu', `--user-data-dir=${userData}`, ROOT, ...(options.args ?? [])],
    ...(runtime === undefined ? {} : { executablePath: join(runtime, 'electron') }),
  });
  const close = async (): Promise<void> => {
    // Not app.close(): a window with unsaved changes would ask, and no answer comes.
    const child = app.process();
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
    if (options.userData === undefined) await removeFolder(userData);
  };
  try {
    const window = await app.firstWindow({ timeout: LAUNCH_TIMEOUT_MS });
    await window.waitForLoadState('domcontentloaded');
    return { app, window, userData, close };
  } catch (error) {
    await close();
    throw error;
  }
}
