/**
 * `npm run prove`: the tests that take a sample in `npm test` (those that use `test/support/prove.ts`, by themselves or
 * by a helper), with all their cases, and the table of them, docs/proofs.md. Arguments are filters of test files.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, toolNode } from './paths.mjs';

const SAMPLES = /support\/(?:prove|describe-mutants)'/;

const wanted = process.argv.slice(2);
const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map((name) => join('test', name))
  .filter((name) => name.endsWith('.test.ts') && SAMPLES.test(readFileSync(join(root, name), 'utf8')))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)));

// A part of the proofs is shown, and leaves the table of all of them as it is.
const reporters = wanted.length === 0 ? ['./test/support/proof-reporter.ts'] : [];
const { status } = spawnSync(
  toolNode,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--testTimeout=3600000',
    '--reporter=default',
    ...reporters.map((reporter) => `--reporter=${reporter}`),
    ...files,
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, MOREAU_PROVE: '1' } },
);
process.exitCode = status ?? 1;
