/**
 * Takes the pictures of the documentation with the window as it is now, and makes them small where pngquant
 * is installed.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { onPath, root, toolNode } from './paths.mjs';

const run = (command, args) => spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
const playwright = join(
  dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')),
  'cli.js',
);

const build = run(toolNode, [join(root, 'scripts/build-if-stale.mjs')]);
if (build !== 0) process.exit(build);
const taken = run(toolNode, [
  playwright,
  'test',
  '--project',
  'pictures',
  '--reporter=line',
  ...process.argv.slice(2),
]);
if (onPath('pngquant') === null) {
  console.log('The pictures are as large as they were taken: pngquant is not installed.');
} else {
  for (const folder of ['docs/images/views', 'docs/images/first', 'docs/images/figures']) {
    const files = readdirSync(join(root, folder)).filter((name) => name.endsWith('.png'));
    // 99: a picture that would become larger or worse stays as it is.
    run('pngquant', [
      '--force',
      '--skip-if-larger',
      '--ext',
      '.png',
      '--strip',
      '128',
      ...files.map((name) => join(folder, name)),
    ]);
  }
}
process.exit(taken);
