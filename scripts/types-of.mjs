/**
 * Lint and types of single TypeScript files, in a few seconds: Oxlint's type checker knows everything but
 * components.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, toolNode } from './paths.mjs';

/** What imports a component, of which this checker knows nothing. */
const NO_COMPONENT = /Cannot find module '[^']+\.vue'/;

const { stdout, stderr } = spawnSync(
  toolNode,
  [
    join(root, 'node_modules/oxlint/bin/oxlint'),
    ...['--type-aware', '--type-check', '--report-unused-disable-directives', '--format=json'],
    ...process.argv.slice(2),
  ],
  { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 },
);
let found;
try {
  found = JSON.parse(stdout).diagnostics;
} catch {
  console.log(stdout, stderr);
  process.exit(1);
}
const errors = found.filter(({ severity, message }) => severity === 'error' && !NO_COMPONENT.test(message));
for (const { message, code, filename, labels } of errors) {
  const { line, column } = labels?.[0]?.span ?? {};
  console.log(`${filename}:${line ?? 1}:${column ?? 1} ${message} (${code})`);
}
process.exitCode = errors.length > 0 ? 1 : 0;
