/** Where things are, for the scripts. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');

const packagedNode = join(root, 'node_modules/.bin/node');

/**
 * Node for the tools: the one the optional dependency brings, on which npm scripts run too; some tools refuse
 * an older one that a script may have been started with. Elsewhere the running Node.
 */
export const toolNode = existsSync(packagedNode) ? packagedNode : process.execPath;

/** Reports of the test runners; `check.mjs` sums them. */
export const testResults = join(root, 'out/test-results');

/** @param {string} program; @returns {string | null} its path, when it is on PATH */
export function onPath(program) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (folder !== '' && existsSync(join(folder, program))) return join(folder, program);
  }
  return null;
}
