/**
 * `npm run check:changed [REV]`: what a change touches, in a minute and a half on two cores. Changed are the
 * files that differ from REV: the place where this branch left main, or on main the last commit. Formatting,
 * lint and types are those of the changed files and of what imports them, boundaries those of the whole;
 * tests are those that come to a changed file by their imports, the nearest first. What the time does not
 * allow is named at the end. `npm test` remains what every commit passes.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createVitest } from 'vitest/node';
import { SCRIPTS, writeComponentScripts, writtenScript } from './component-scripts.mjs';
import { distances, importGraph } from './import-graph.mjs';
import { root, testResults, toolNode } from './paths.mjs';

/** Seconds for all of it. What runs then is ended. */
const TIME_LIMIT_S = 85;
/** No test file is begun so long before that, s: the last ones come to their end. */
const LAST_TESTS_S = 10;
/** Files that Oxlint reads with their types: the changed ones, then what imports them, the nearest first. */
const MOST_LINTED = 200;
/**
 * Seconds of tests on one core, as long as each took here the last time, besides those that were changed
 * themselves.
 */
const TEST_BUDGET_S = 80;
/** A test file that has not run here, s: the mean of all. */
const UNKNOWN_S = 2;
/** Folders of which files are read by tests that name the folder only. */
const DATA = /^(?:resources|docs)\//;

const began = performance.now();
const elapsed = () => (performance.now() - began) / 1000;
const left = () => TIME_LIMIT_S - elapsed();
const bin = (script) => join(root, 'node_modules', script);
const failed = [];
const leftOut = [];
/** Files that were not looked at, by name: too many for a screen. */
const leftFiles = [];
const LEFT_FILE = join(testResults, 'left-out.txt');

/** @returns {string[]} lines of what git says */
function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr.trim());
  return stdout.split('\n').filter((line) => line !== '');
}

/** What the change is measured against where nothing was said. */
function defaultBase() {
  const [branch] = git('rev-parse', '--abbrev-ref', 'HEAD');
  return branch === 'main' ? 'HEAD' : git('merge-base', 'main', 'HEAD')[0];
}

/** Runs a command of a step, tells how it ended, and ends it when the time is up. */
function step(name, ...command) {
  const since = elapsed();
  if (left() < 1) {
    leftOut.push(`${name}: no time was left`);
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const child = spawn(toolNode, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
    let isLate = false;
    const end = setTimeout(() => {
      isLate = true;
      child.kill();
    }, left() * 1000);
    child.on('close', (code) => {
      clearTimeout(end);
      if (isLate) leftOut.push(`${name}: not done after ${(elapsed() - since).toFixed(0)} s`);
      else if (code !== 0) {
        failed.push(name);
        process.stdout.write(Buffer.concat(output));
      }
      const word = isLate ? 'not done' : code === 0 ? 'passed' : 'FAILED';
      console.log(`== ${name} ${word} (${(elapsed() - since).toFixed(1)} s)`);
      resolve();
    });
  });
}

/** Formatting, lint, types and boundaries, one after the other beside the tests. */
async function checkSources(changed, graph) {
  const present = changed.filter((file) => existsSync(join(root, file)));
  if (present.length > 0)
    await step(
      'format',
      bin('prettier/bin/prettier.cjs'),
      '--check',
      '--ignore-unknown',
      '--log-level=warn',
      ...present,
    );
  // A file that is gone is missed by those that import it.
  const touched = [...distances(changed, graph.typed).keys()].filter((file) => existsSync(join(root, file)));
  const linted = touched.filter((file) => /\.(?:ts|vue|mjs)$/.test(file)).slice(0, MOST_LINTED);
  const far = touched.filter((file) => /\.(?:ts|vue|mjs)$/.test(file)).slice(MOST_LINTED);
  if (far.length > 0)
    leftOut.push(`types and lint of ${far.length} files that import what changed, farther away`);
  leftFiles.push(...far.map((file) => `types and lint: ${file}`));
  if (linted.length > 0) {
    const oxlint = [bin('oxlint/bin/oxlint'), '--type-aware', '--report-unused-disable-directives'];
    const scripts = linted.filter((file) => !file.endsWith('.vue'));
    const components = linted.filter((file) => file.endsWith('.vue'));
    if (scripts.length > 0) await step('lint and types', 'scripts/types-of.mjs', ...scripts);
    if (components.length > 0) {
      writeComponentScripts();
      const written = components.map(writtenScript);
      await step('lint of components', ...oxlint, '-c', `${SCRIPTS}/.oxlintrc.json`, ...written);
    }
    const ofWindow = present.filter((file) => file.startsWith('src/renderer/') && /\.(?:ts|vue)$/.test(file));
    if (ofWindow.length > 0) await step('components', bin('eslint/bin/eslint.js'), ...ofWindow);
  }
  if (changed.some((file) => file.startsWith('src/')))
    await step('boundaries', bin('dependency-cruiser/bin/dependency-cruiser.mjs'), 'src', '--config');
  // The only checker that knows templates; quick where it has run before.
  if (changed.some((file) => file.endsWith('.vue')))
    await step('types of components', bin('vue-tsc/bin/vue-tsc.js'), '-b', 'src/renderer');
}

/** The tests a change is seen by, the nearest first, and among those the quickest. */
function chooseTests(changed, { files, importers, named }) {
  const begins = new Set(changed);
  const found = distances(begins, importers);
  for (const file of changed.filter((name) => DATA.test(name))) {
    for (const [path, tests] of named) {
      if (file !== path && !file.startsWith(`${path}/`)) continue;
      // Who names the file itself is nearer than who names its folder.
      const distance = file === path ? 1 : 1 + file.slice(path.length).split('/').length;
      for (const [test, more] of distances(tests, importers))
        found.set(test, Math.min(found.get(test) ?? Infinity, distance + more));
    }
  }
  const known = join(testResults, 'durations.json');
  const durations = existsSync(known) ? JSON.parse(readFileSync(known, 'utf8')) : {};
  const seconds = (file) => durations[file] ?? UNKNOWN_S;
  const related = files
    .filter((file) => found.has(file) && file.endsWith('.test.ts'))
    .sort((a, b) => found.get(a) - found.get(b) || seconds(a) - seconds(b));
  const chosen = [];
  let sum = 0;
  for (const file of related) {
    if (found.get(file) > 0) {
      if (sum + seconds(file) > TEST_BUDGET_S) continue;
      sum += seconds(file);
    }
    chosen.push(file);
  }
  const specs = changed.filter((file) => /^test\/e2e\/.*\.spec\.ts$/.test(file));
  if (specs.length > 0) leftOut.push(`end-to-end tests: node scripts/e2e.mjs ${specs.join(' ')}`);
  const far = related.filter((file) => !chosen.includes(file));
  if (far.length > 0)
    leftOut.push(`${far.length} of ${related.length} test files that come to it, farther away or longer`);
  leftFiles.push(...far.map((file) => `tests: ${file}`));
  return chosen;
}

/** Runs them in that order as long as there is time. */
async function runTests(chosen) {
  const rank = new Map(chosen.map((file, k) => [join(root, file), k]));
  class NearestFirst {
    shard = (specs) => specs;
    sort = (specs) => {
      // The files of a project follow each other, because they share processes.
      const first = new Map();
      for (const { project, moduleId } of specs)
        first.set(project.name, Math.min(first.get(project.name) ?? Infinity, rank.get(moduleId)));
      return [...specs].sort(
        (a, b) =>
          first.get(a.project.name) - first.get(b.project.name) ||
          rank.get(a.moduleId) - rank.get(b.moduleId),
      );
    };
  }
  const since = elapsed();
  let isLate = false;
  const vitest = await createVitest('test', {
    watch: false,
    reporters: ['dot', './test/support/duration-reporter.ts'],
    sequence: { sequencer: NearestFirst },
  });
  const timer = setTimeout(
    () => {
      isLate = true;
      void vitest.cancelCurrentRun('keyboard-input');
    },
    Math.max(0, left() - LAST_TESTS_S) * 1000,
  );
  // Most tests are over in a second or two. One that is not is not waited for.
  const late = new Promise((resolve) => setTimeout(resolve, left() * 1000));
  await Promise.race([vitest.start([...rank.keys()]), late]);
  clearTimeout(timer);
  const modules = vitest.state.getTestModules();
  const done = new Set(
    modules
      .filter((module) => ['passed', 'failed'].includes(module.state()))
      .map((module) => module.relativeModuleId),
  );
  const isBad = modules.some((module) => !module.ok()) || vitest.state.getUnhandledErrors().length > 0;
  if (isBad || (done.size < chosen.length && !isLate)) failed.push('tests');
  const notDone = chosen.filter((file) => !done.has(file));
  if (notDone.length > 0) leftOut.push(`${notDone.length} chosen test files, for which there was no time`);
  leftFiles.push(...notDone.map((file) => `tests: ${file}`));
  console.log(
    `== tests ${failed.includes('tests') ? 'FAILED' : 'passed'} (${done.size} files, ${(elapsed() - since).toFixed(1)} s)`,
  );
}

process.env.VITE_CONFIG_NATIVE_IGNORE_WARNING = 'true';
const base = process.argv[2] ?? defaultBase();
const changed = [
  ...new Set([...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]),
];
if (changed.length === 0) {
  console.log(`Nothing differs from ${base}.`);
  process.exit(0);
}
const graph = importGraph();
const chosen = chooseTests(changed, graph);
console.log(`${changed.length} changed files, ${chosen.length} test files, ${availableParallelism()} cores`);
const sources = checkSources(changed, graph);
if (chosen.length > 0) await runTests(chosen);
await sources;
for (const what of leftOut) console.log(`Left out: ${what}`);
if (leftFiles.length > 0) {
  mkdirSync(testResults, { recursive: true });
  writeFileSync(LEFT_FILE, `${leftFiles.join('\n')}\n`);
  console.log(`Their names are in ${LEFT_FILE.slice(root.length + 1)}.`);
}
if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}.`);
else console.log(leftOut.length > 0 ? 'Passed, but for what was left out.' : 'Passed.');
console.log(`${elapsed().toFixed(0)} s`);
process.exit(failed.length > 0 ? 1 : 0);
