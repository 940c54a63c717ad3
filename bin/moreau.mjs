#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** First version on which a realm that is locked down for scripts writes numbers as fast as any other. */
const QUICK_NODE = 24;

/**
 * Space for short-lived objects, MiB. V8 begins with less and empties it every few milliseconds while the
 * program is loaded, of which nearly all stays. A process or thread has it from its start or not at all.
 */
const YOUNG_SPACE = '--min-semi-space-size=2';

/** Set for the process that a command has been handed over to, so that it is handed over once. */
const MARK = 'MOREAU_HANDED_OVER';

const entry = new URL('../out/main/cli.js', import.meta.url);
const isSlow = Number.parseInt(process.versions.node, 10) < QUICK_NODE;

if (!existsSync(entry)) {
  process.stderr.write('moreau: the program has not been built. Run `npm run build` in its folder first.\n');
  process.exitCode = 1;
} else if (!isSlow || process.env[MARK] !== undefined || !(await isHandedOver())) await start();

/** Whether another Node executes the command. What that takes is loaded here only. */
async function isHandedOver() {
  const { toolNode } = await import('../scripts/paths.mjs');
  if (toolNode === process.execPath) return false;
  const { handOver } = await import('./hand-over.mjs');
  const given = [YOUNG_SPACE, ...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  // One for another machine, say: slow is better than not at all.
  handOver(toolNode, given, { [MARK]: '1' }, () => void start());
  return true;
}

async function start() {
  const [{ default: nodeModule }, { setFlagsFromString }] = await Promise.all([
    import('node:module'),
    import('node:v8'),
  ]);
  // Before anything is loaded: writing numbers makes a short-lived text for each, and V8 left to itself answers with a
  // larger and larger space for them, a fifth of all the memory of an export. A small one, emptied more often, is just
  // as fast.
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString(YOUNG_SPACE);
  // Most of the time that loading takes is compiling: what one command compiles, the next ones load. Node has it
  // from 22.8 on; where the folder cannot be written, all is compiled each time.
  nodeModule.enableCompileCache?.(fileURLToPath(new URL('../out/compile-cache', import.meta.url)));
  await import(entry.href);
}
