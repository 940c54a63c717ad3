/** Bundles the application (electron-vite) and emits the engine's declarations for the library export. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, toolNode } from './paths.mjs';
import { stampFile } from './freshness.mjs';

/** @param {string} script of a package; @param {string[]} args */
function run(script, args) {
  const { status } = spawnSync(toolNode, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

// The time before the first file is read: a source saved while the build runs makes the build stale.
const started = new Date().toISOString();
rmSync(stampFile, { force: true });
run('electron-vite/bin/electron-vite.js', ['build', ...process.argv.slice(2)]);
run('typescript/bin/tsc', ['-b', 'src/engine']);
mkdirSync(dirname(stampFile), { recursive: true });
writeFileSync(stampFile, `${started}\n`);
