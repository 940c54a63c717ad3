/**
 * Installs the dependencies when node_modules is missing or older than package-lock.json. Plain Node, no
 * packages.
 */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { root } from './paths.mjs';

/**
 * @param {string} file relative to the repository;
 * @returns {number} modification time, ms; 0 when it is missing
 */
function modified(file) {
  return statSync(`${root}/${file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

if (modified('node_modules/.package-lock.json') < modified('package-lock.json')) {
  console.log('Installing the dependencies (npm ci) …');
  // The Node that runs npm, not the one in node_modules/.bin: npm ci removes that folder while it runs.
  const { npm_execpath: npm, npm_node_execpath: node = process.execPath } = process.env;
  const [command, args] = npm === undefined ? ['npm', ['ci']] : [node, [npm, 'ci']];
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: npm === undefined && process.platform === 'win32',
  });
  if (status !== 0) {
    console.error(
      `The dependencies could not be installed${error ? ` (${error.message})` : ''}. ` +
        'Check the connection to the npm registry, then run "npm ci".',
    );
    process.exit(1);
  }
}
