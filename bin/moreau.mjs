#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { toolNode } from '../scripts/paths.mjs';

/** First version on which a realm that is locked down for scripts writes numbers as fast as any other. */
const QUICK_NODE = 24;

/** Set for the process that a command has been handed over to, so that it is handed over once. */
const MARK = 'MOREAU_HANDED_OVER';

const entry = new URL('../out/main/cli.js', import.meta.url);
const isSlow = Number.parseInt(process.versions.node, 10) < QUICK_NODE;

if (!existsSync(entry)) {
  process.stderr.write('moreau: the program has not been built. Run `npm run build` in its folder first.\n');
  process.exitCode = 1;
} else if (isSlow && toolNode !== process.execPath && process.env[MARK] === undefined) handOver();
else await start();

async function start() {
  // Before anything is loaded: writing numbers makes a short-lived text for each, and V8 left to itself answers with a
  // larger and larger space for them, a fifth of all the memory of an export. A small one, emptied more often, is just
  // as fast.
  setFlagsFromString('--semi-space-growth-factor=1');
  await import(entry.href);
}

/** Runs the same command on the Node that is installed with the program; input, output and the end are those of this process. */
function handOver() {
  const given = [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const child = spawn(toolNode, given, { stdio: 'inherit', env: { ...process.env, [MARK]: '1' } });
  // A terminal interrupts both; what comes from elsewhere is passed on.
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  process.on('SIGINT', () => hasTerminal || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exitCode = code ?? 1;
    else {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
  });
  // One for another machine, say: slow is better than not at all.
  child.on('error', () => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal);
    void start();
  });
}
