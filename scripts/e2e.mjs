/**
 * End-to-end tests: builds when that is due and runs the Playwright projects whose runtime is there. A
 * project that cannot run is counted as skipped, with the reason. Arguments go to Playwright.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { onPath, root, testResults, toolNode } from './paths.mjs';

const playwright = join(
  dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')),
  'cli.js',
);
const report = join(testResults, 'e2e-playwright.json');

/** @returns {string | null} why the browser project cannot run */
function browserObstacle() {
  const chromium = process.env.MOREAU_CHROMIUM ?? '/usr/bin/chromium';
  if (existsSync(chromium)) return null;
  return `${chromium} does not exist; install chromium, or name a Chromium with MOREAU_CHROMIUM`;
}

/** @returns {string | null} why the electron project cannot run */
function electronObstacle() {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const folder = override ?? join(root, 'node_modules/electron/dist');
  const name = { win32: 'electron.exe', darwin: 'Electron.app' }[process.platform] ?? 'electron';
  if (!existsSync(join(folder, name))) {
    return override === undefined
      ? 'no Electron runtime; run "npx install-electron", or name one with ELECTRON_OVERRIDE_DIST_PATH'
      : `ELECTRON_OVERRIDE_DIST_PATH names ${override}, where there is no Electron`;
  }
  if (needsDisplay && onPath('xvfb-run') === null) return 'there is no display and no xvfb-run';
  return null;
}

/**
 * @param {string[]} args;
 * @param {string} out JSON report;
 * @param {object} options;
 * @returns {number} exit code
 */
function runPlaywright(args, out, options = {}) {
  const [command, ...rest] = [...(options.wrapper ?? []), toolNode, playwright, 'test', ...args];
  const { status } = spawnSync(command, rest, {
    cwd: root,
    stdio: options.quiet ? 'ignore' : 'inherit',
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: out, PLAYWRIGHT_JSON_OUTPUT_NAME: out },
  });
  return status ?? 1;
}

/** @param {string} project; @returns {number} how many tests it has */
function countTests(project) {
  const list = join(testResults, `e2e-list-${project}.json`);
  runPlaywright(['--list', '--project', project, '--reporter=json', ...passed], list, { quiet: true });
  const count = (suite) =>
    (suite.specs ?? []).reduce((sum, spec) => sum + spec.tests.length, 0) +
    (suite.suites ?? []).reduce((sum, child) => sum + count(child), 0);
  return existsSync(list) ? count(JSON.parse(readFileSync(list, 'utf8'))) : 0;
}

const passed = process.argv.slice(2).filter((argument) => argument !== '--no-build');
const needsDisplay = process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;

if (!process.argv.includes('--no-build')) {
  const build = spawnSync(toolNode, [join(root, 'scripts/build-if-stale.mjs')], { stdio: 'inherit' });
  if (build.status !== 0) process.exit(build.status ?? 1);
}

mkdirSync(testResults, { recursive: true });
rmSync(report, { force: true });
const counts = { passed: 0, failed: 0, skipped: 0 };
const projects = [];
for (const [project, obstacle] of [
  ['browser', browserObstacle()],
  ['electron', electronObstacle()],
]) {
  if (obstacle === null) {
    projects.push(project);
  } else {
    const tests = countTests(project);
    counts.skipped += tests;
    console.log(`Tests of the ${project} project skipped: ${tests}. Reason: ${obstacle}.`);
  }
}

let code = 0;
if (projects.length > 0) {
  const wrapper =
    projects.includes('electron') && needsDisplay
      ? [onPath('xvfb-run'), '-a', '--server-args=-screen 0 1440x900x24']
      : [];
  code = runPlaywright([...projects.flatMap((project) => ['--project', project]), ...passed], report, {
    wrapper,
  });
  if (existsSync(report)) {
    const { stats, errors } = JSON.parse(readFileSync(report, 'utf8'));
    counts.passed += stats.expected + stats.flaky;
    // An error outside any test (a file that does not load, a broken fixture) is a failure too.
    counts.failed += stats.unexpected + (stats.unexpected === 0 ? errors.length : 0);
    counts.skipped += stats.skipped;
    if (stats.flaky > 0) console.log(`Passed at the second attempt: ${stats.flaky}; see “flaky” above.`);
  } else {
    counts.failed += 1;
  }
}
writeFileSync(join(testResults, 'e2e.json'), JSON.stringify(counts));
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 ? 1 : code;
