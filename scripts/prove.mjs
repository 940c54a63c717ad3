/**
 * `npm run prove`: the tests that take a sample in `npm test`, with all their cases: those of the unit tests
 * that use `test/support/prove.ts`, by themselves or by a helper, with the table of them, docs/proofs.md, and
 * those in the window. Arguments are filters of test files: the rows of those are renewed.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, toolNode } from './paths.mjs';

const SAMPLES = /support\/(?:prove|describe-mutants)'/;
/** Of the window; a session of random actions is as long as a user's. */
const IN_WINDOW = ['latency', 'random-session'];
const SESSION_MINUTES = '10';

const wanted = process.argv.slice(2);
const isWanted = (name) => wanted.length === 0 || wanted.some((part) => name.includes(part));
const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map((name) => join('test', name))
  .filter((name) => name.endsWith('.test.ts') && SAMPLES.test(readFileSync(join(root, name), 'utf8')))
  .filter(isWanted);
const inWindow = IN_WINDOW.map((name) => `test/e2e/browser/${name}.spec.ts`).filter(isWanted);

/** @param {string[]} args of node; @returns {number} exit code */
function run(args) {
  const { status } = spawnSync(toolNode, args, {
    cwd: root,
    stdio: 'inherit',
    env: { MOREAU_SESSION_MINUTES: SESSION_MINUTES, ...process.env, MOREAU_PROVE: '1' },
  });
  return status ?? 1;
}

let code = 0;
if (files.length > 0) {
  code = run([
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--testTimeout=3600000',
    '--reporter=default',
    '--reporter=./test/support/proof-reporter.ts',
    ...files,
  ]);
}
if (inWindow.length > 0) code = run(['scripts/e2e.mjs', '--project=browser', ...inWindow]) || code;
process.exitCode = code;
