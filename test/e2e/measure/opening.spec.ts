/**
 * Measures how long the main thread of the window is held up while a model with much script is opened, and
 * while the editor shows it. A program that prints figures, not a test: `npm run measure`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from '../browser/fixtures';

/** Characters of script. */
const SIZE = 1e6;
/** Everything is done so long after it has been begun, ms. */
const SETTLED = 3000;

/** The bouncing ball with a script of that size, of which one function is called. */
async function model(): Promise<string> {
  const document = JSON.parse(await readFile('resources/examples/bouncing-ball.moreau.json', 'utf8')) as {
    title: string;
    systems: { fExt: unknown }[];
    scripts: unknown[];
  };
  const source: string[] = [];
  for (let size = 0, k = 0; size < SIZE; k++) {
    const lines = [
      `/** Force number ${k}, N. */`,
      `export function force${k}(t: number, q: Float64Array, v: Float64Array, p: Parameters, out: Float64Array): void {`,
      `  const wave = Math.sin(${k} * t) * 1e-9;`,
      `  out[0] = -p.m * p.g + (q[0] > ${k} ? wave : 0);`,
      '}',
      '',
    ];
    source.push(...lines);
    for (const line of lines) size += line.length + 1;
  }
  document.title = 'Much script';
  document.systems[0].fExt = { function: 'force7' };
  document.scripts = [{ name: 'forces.ts', role: 'functions', source }];
  return JSON.stringify(document);
}

/** Prints the long tasks of the main thread while something is done: those from 50 ms on. */
async function held(page: Page, what: string, act: () => Promise<void>): Promise<void> {
  await page.evaluate(() => {
    const tasks: number[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    });
    observer.observe({ entryTypes: ['longtask'] });
    Object.assign(window, { watched: tasks });
  });
  await act();
  // What the window does when it has time for it belongs to it.
  await page.waitForTimeout(SETTLED);
  const tasks = await page.evaluate(() => (window as unknown as { watched: number[] }).watched);
  const sorted = tasks.toSorted((a, b) => b - a).map((duration) => duration.toFixed(0));
  console.log(`${what}: long tasks ${sorted.length === 0 ? 'none' : sorted.join(', ')} ms`);
}

test('opening a megabyte of script', async ({ workbench }, testInfo) => {
  const { page } = workbench;
  // A text that the driver hands over itself holds the thread up for longer than the window does.
  const file = testInfo.outputPath('script.moreau.json');
  await writeFile(file, await model());
  await held(page, 'opened', async () => {
    const choosing = page.waitForEvent('filechooser');
    await page.keyboard.press('Control+O');
    await (await choosing).setFiles(file);
    await expect(page.getByText('Much script').first()).toBeVisible();
  });
  await held(page, 'shown', async () => {
    await page.getByTestId('tab-script').click();
    await expect(page.getByTestId('script-editor')).toBeVisible();
  });
});
