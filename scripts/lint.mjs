/**
 * Lint. Oxlint reads TypeScript with the types of the whole program (.oxlintrc.json), in a fifteenth of the
 * time that ESLint takes for it; ESLint has the rules for components (eslint.config.js).
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { SCRIPTS, writeComponentScripts } from './component-scripts.mjs';
import { root, toolNode } from './paths.mjs';

/** @returns {boolean} whether it has found nothing */
function run(...command) {
  return spawnSync(toolNode, command, { cwd: root, stdio: 'inherit' }).status === 0;
}

const bin = (script) => join(root, 'node_modules', script);
const oxlint = (...args) =>
  run(bin('oxlint/bin/oxlint'), '--type-aware', '--report-unused-disable-directives', ...args);

writeComponentScripts();
const passed = [
  oxlint('.'),
  oxlint('-c', `${SCRIPTS}/.oxlintrc.json`, SCRIPTS),
  run(bin('eslint/bin/eslint.js'), 'src/renderer', 'src/views'),
];
process.exitCode = passed.every(Boolean) ? 0 : 1;
