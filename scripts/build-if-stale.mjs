/** Builds when there is no build or a source changed since. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildIsFresh } from './freshness.mjs';
import { root, toolNode } from './paths.mjs';

if (!buildIsFresh()) {
  const { status } = spawnSync(toolNode, [join(root, 'scripts/build.mjs')], {
    cwd: root,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
