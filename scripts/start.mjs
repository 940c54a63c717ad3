/**
 * Starts the workbench: builds when that is due, then opens the desktop application, or the browser door
 * where no Electron runtime can be had. Arguments go to the application (a file to open).
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root, toolNode } from './paths.mjs';

const build = spawnSync(toolNode, [join(root, 'scripts/build-if-stale.mjs')], { stdio: 'inherit' });
if (build.status !== 0) process.exit(build.status ?? 1);

/** @returns {string | null} the Electron executable; null when there is none and none can be downloaded */
function electronExecutable() {
  const require = createRequire(import.meta.url);
  try {
    const folder = dirname(require.resolve('electron/package.json'));
    const named = process.env.ELECTRON_OVERRIDE_DIST_PATH !== undefined;
    if (!named && !existsSync(join(folder, 'path.txt'))) {
      console.log('Downloading the Electron runtime …');
      // What it prints when it fails is a stack trace; the one line below says it in words.
      const { status } = spawnSync(process.execPath, [join(folder, 'install.js')], { stdio: 'ignore' });
      if (status !== 0) return null;
    }
    const path = require('electron');
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

/** @returns {string | null} why a window cannot be opened here */
function obstacle(executable) {
  if (executable === null) return 'no Electron runtime is installed and none could be downloaded';
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return 'there is no display';
  return null;
}

/** @param {string} command; @param {string[]} args */
function hand(command, args, env = process.env) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', env });
  // Ctrl-C reaches the whole process group by itself; a signal sent to this process alone is passed on.
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGINT', () => undefined);
  child.on('error', (error) => {
    console.error(`${command} could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1);
  });
}

const executable = electronExecutable();
const reason = obstacle(executable);
if (reason !== null) {
  console.log(
    `The desktop window cannot be opened: ${reason}. Serving the workbench to your browser instead.`,
  );
  hand(toolNode, [join(root, 'out/main/serve.js')]);
} else {
  // Chromium refuses to run its sandbox as root; only there, in containers mostly, it has to go without.
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0;
  const env = { ...process.env };
  // Set by tools that use Electron as a plain Node; the application would start as such.
  delete env.ELECTRON_RUN_AS_NODE;
  hand(executable, [...(asRoot ? ['--no-sandbox'] : []), root, ...process.argv.slice(2)], env);
}
