#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { toolNode } from '../scripts/paths.mjs';

/** First version on which a realm that is locked down for scripts writes numbers as fast as any other. */
const QUICK_NODE = 24;

const entry = new URL('../out/main/cli.js', import.meta.url);
const isSlow = Number.parseInt(process.versions.node, 10) < QUICK_NODE && toolNode !== process.execPath;

if (!existsSync(entry)) {
  process.stderr.write('moreau: the program has not been built. Run `npm run build` in its folder first.\n');
  process.exitCode = 1;
} else if (isSlow) handOver();
else {
  // Before anything is loaded: writing numbers makes a short-lived text for each, and V8 left to itself answers with a
  // larger and larger space for them, a fifth of all the memory of an export. A small one, emptied more often, is just
  // as fast.
  setFlagsFromString('--semi-space-growth-factor=1');
  await import(entry.href);
}

/** Runs the same command on the Node that is installed with the program; input, output and the end are those of this process. */
function handOver() {
  const child = spawn(toolNode, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  // A terminal interrupts both; what comes from elsewhere is passed on.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exitCode = code ?? 1;
    else {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
  });
  child.on('error', ({ message }) => {
    process.stderr.write(`moreau: ${toolNode} does not start: ${message}\n`);
    process.exitCode = 1;
  });
}
