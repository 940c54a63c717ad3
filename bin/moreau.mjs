#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

// Before anything is loaded: writing numbers makes a short-lived text for each, and V8 left to itself answers with a
// larger and larger space for them, a fifth of all the memory of an export. A small one, emptied more often, is just
// as fast.
setFlagsFromString('--semi-space-growth-factor=1');

const entry = new URL('../out/main/cli.js', import.meta.url);
if (existsSync(entry)) {
  await import(entry.href);
} else {
  process.stderr.write('moreau: the program has not been built. Run `npm run build` in its folder first.\n');
  process.exitCode = 1;
}
