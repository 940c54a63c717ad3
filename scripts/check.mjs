/**
 * Everything that must hold before a change goes in: types, lint, boundaries, unit tests, build, end-to-end
 * tests. A later step runs even when an earlier one failed, so that one run shows all that is wrong. The last
 * line of output is `N passed, N failed, N skipped`, summed over both test runners; a step that is not a test
 * run and fails (types, lint, boundaries, build) counts as one failure, so that the line never looks better
 * than the exit code.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root, testResults, toolNode } from './paths.mjs';

const bin = (script) => join(root, 'node_modules', script);
const node = (...args) => [toolNode, ...args];

const steps = {
  types: [node(bin('vue-tsc/bin/vue-tsc.js'), '-b')],
  lint: [
    node('scripts/lint.mjs'),
    node(bin('prettier/bin/prettier.cjs'), '--check', '--log-level=warn', '.'),
  ],
  boundaries: [
    node(bin('dependency-cruiser/bin/dependency-cruiser.mjs'), 'src', '--config'),
    node(bin('knip/bin/knip.js')),
  ],
  unit: [node(bin('vitest/vitest.mjs'), 'run')],
  build: [node('scripts/build.mjs')],
  e2e: [node('scripts/e2e.mjs', '--no-build')],
};

/** Steps that have nothing to do with each other, and use one core each, run side by side. */
const phases = [['types', 'lint', 'boundaries'], ['unit'], ['build'], ['e2e']];
/** The type checkers take GiB: no more commands at a time than this, whatever the number of cores. */
const atOnce = Math.min(2, availableParallelism());

/**
 * @param {string[]} command
 * @param {boolean} isAlone its output is seen while it runs; of several, that of each comes when it has ended
 * @returns {Promise<number>} exit code
 */
function run([command, ...args], isAlone) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    const output = [];
    for (const stream of isAlone ? [] : [child.stdout, child.stderr])
      stream.on('data', (chunk) => output.push(chunk));
    child.on('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(output));
      resolve(code ?? 1);
    });
  });
}

/** @param {string} name of a step with a test runner; @returns its counts; a run that left none failed */
function readCounts(name) {
  const file = join(testResults, `${name}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { passed: 0, failed: 1, skipped: 0 };
}

mkdirSync(testResults, { recursive: true });
for (const name of ['unit.json', 'e2e.json', 'summary.txt']) rmSync(join(testResults, name), { force: true });

const failedSteps = [];

/** Runs the steps of a phase and tells how each of them ended. */
async function runPhase(names) {
  const waiting = names.flatMap((name) => steps[name].map((command) => ({ name, command })));
  const left = new Map(names.map((name) => [name, steps[name].length]));
  const since = new Map();
  const isAlone = names.length === 1;
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { name, command } = next;
      if (!since.has(name)) {
        since.set(name, process.hrtime.bigint());
        console.log(`\n== ${name}`);
      }
      if ((await run(command, isAlone)) !== 0 && !failedSteps.includes(name)) failedSteps.push(name);
      left.set(name, left.get(name) - 1);
      if (left.get(name) > 0) continue;
      const seconds = Number(process.hrtime.bigint() - since.get(name)) / 1e9;
      console.log(`== ${name} ${failedSteps.includes(name) ? 'FAILED' : 'passed'} (${seconds.toFixed(1)} s)`);
    }
  };
  // Commands of a step that runs alone come one after the other.
  await Promise.all(Array.from({ length: isAlone ? 1 : atOnce }, worker));
}

for (const names of phases) {
  if (names.includes('e2e') && failedSteps.includes('build')) {
    console.log('\n== e2e\nNot run: there is no build to test.');
    failedSteps.push('e2e');
  } else await runPhase(names);
}

const counts = { passed: 0, failed: 0, skipped: 0 };
const failedTests = [];
for (const name of ['unit', 'e2e']) {
  const found = readCounts(name);
  failedTests.push(...(found.names ?? []));
  for (const key of Object.keys(counts)) counts[key] += found[key];
  // A runner that fails for another reason than a test must not be counted as clean.
  if (failedSteps.includes(name) && found.failed === 0) counts.failed += 1;
}
counts.failed += failedSteps.filter((name) => name !== 'unit' && name !== 'e2e').length;

const { minimum } = JSON.parse(readFileSync(join(root, 'test/minimum-tests.json'), 'utf8'));
const ran = counts.passed + counts.failed;
console.log('');
if (failedSteps.length > 0) console.log(`Failed: ${failedSteps.join(', ')}.`);
for (const name of failedTests) console.log(`  ${name}`);
if (ran < minimum) {
  console.log(`Only ${ran} tests ran, ${minimum} are expected at least (test/minimum-tests.json).`);
}
process.exitCode = failedSteps.length > 0 || counts.failed > 0 || ran < minimum ? 1 : 0;
const summary = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;
writeFileSync(join(testResults, 'summary.txt'), `${summary}\n`);
console.log(summary);
