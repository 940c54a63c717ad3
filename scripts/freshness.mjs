/** Is the build in out/ newer than everything it was made from? */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/** Written by `build.mjs` after a complete build; holds the time at which that build began. */
export const stampFile = join(root, 'out/build-stamp');

const SOURCES = ['src', 'electron.vite.config.ts', 'package.json', 'package-lock.json', 'tsconfig.base.json'];

/** @param {string} path; @returns {number} newest modification time below it, ms */
function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  let time = 0;
  for (const name of readdirSync(path)) time = Math.max(time, newest(join(path, name)));
  return time;
}

/** @returns {boolean} false when there is no build or a source is newer than it */
export function buildIsFresh() {
  let built;
  try {
    built = Date.parse(readFileSync(stampFile, 'utf8').trim());
  } catch {
    return false;
  }
  return SOURCES.every((source) => newest(join(root, source)) <= built);
}
