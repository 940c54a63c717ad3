#!/usr/bin/env node
import { existsSync } from 'node:fs';

const entry = new URL('../out/main/cli.js', import.meta.url);
if (existsSync(entry)) {
  await import(entry.href);
} else {
  process.stderr.write('moreau: the program has not been built. Run `npm run build` in its folder first.\n');
  process.exitCode = 1;
}
