/**
 * The browser door: builds when that is due, then serves the workbench on 127.0.0.1. Arguments go to the
 * server.
 */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, toolNode } from './paths.mjs';

const build = spawnSync(toolNode, [join(root, 'scripts/build-if-stale.mjs')], { stdio: 'inherit' });
if (build.status !== 0) process.exit(build.status ?? 1);

const server = spawn(toolNode, [join(root, 'out/main/serve.js'), ...process.argv.slice(2)], {
  stdio: 'inherit',
});
// Ctrl-C reaches the whole process group by itself; a signal sent to this process alone is passed on.
process.on('SIGTERM', () => server.kill('SIGTERM'));
process.on('SIGINT', () => undefined);
server.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1);
});
