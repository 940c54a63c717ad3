/** Writes `docs/reference` out of the definitions, by the test that checks it. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root, toolNode } from './paths.mjs';

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
mkdirSync(join(root, 'docs/reference'), { recursive: true });
const { status } = spawnSync(
  toolNode,
  [
    vitest,
    'run',
    'test/renderer/reference-docs.test.ts',
    'test/engine/reference-pages.test.ts',
    '--update=all',
  ],
  { cwd: root, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
