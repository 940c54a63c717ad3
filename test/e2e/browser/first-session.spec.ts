import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Download, Page } from '@playwright/test';
import { lineOf } from '../support/workbench';
import { expect, test } from './fixtures';

const EXAMPLES = join(import.meta.dirname, '../../../resources/examples');
const cam = JSON.parse(await readFile(join(EXAMPLES, 'cam-follower-358.moreau.json'), 'utf8')) as {
  scripts: { source: string[] }[];
};
const script = cam.scripts[0].source.join('\n');

async function savedText(page: Page): Promise<{ text: string; download: Download }> {
  const waiting = page.waitForEvent('download');
  await page.keyboard.press('Control+S');
  const download = await waiting;
  return { text: await readFile(await download.path(), 'utf8'), download };
}

test('runs the cam-follower, and a new speed gives new curves', async ({ workbench }) => {
  await workbench.openExample('cam-follower-358');
  await workbench.runToEnd();
  await expect.poll(() => workbench.drawnTo('series', 'follower.q')).toBeCloseTo(5, 6);
  const slow = await workbench.curve('series', 'follower.q');
  expect(slow.x.length).toBeGreaterThan(500);
  expect(slow.y[0]).toBeCloseTo(0.5, 3);
  await expect(workbench.page.getByTestId('certificate-badge')).toBeVisible();

  await workbench.setParameter('rpm', '700');
  await expect(workbench.status).toHaveText('Done');
  await expect
    .poll(async () => Math.max(...(await workbench.curve('series', 'follower.q')).y))
    .toBeGreaterThan(1.5);
  const portrait = await workbench.curves('portrait');
  expect(Math.max(...portrait.flatMap(({ y }) => y))).toBeGreaterThan(20);
});

test('a slider moved by keyboard re-runs the model', async ({ workbench }) => {
  await workbench.openExample('bouncing-ball');
  await workbench.runToEnd();
  await expect.poll(() => workbench.drawnTo('series', 'ball.q')).toBeCloseTo(10, 6);
  const before = (await workbench.curve('series', 'ball.q')).y;
  const thumb = workbench.page.getByTestId('parameter-e-slider').getByRole('slider');
  await thumb.focus();
  await thumb.press('Home');
  await expect
    .poll(async () => {
      const { y } = await workbench.curve('series', 'ball.q');
      return Math.max(...y.slice(Math.floor(y.length / 2)));
    })
    .toBeLessThan(0.01);
  expect(Math.max(...before.slice(Math.floor(before.length / 4)))).toBeGreaterThan(0.01);
});

test('plots fill while a run goes on; it can be paused, resumed and cancelled', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('cam-follower-660');
  await page.getByTestId('simulation-settings').click();
  await page.getByTestId('field-h').locator('input').fill('4e-7');
  await workbench.run();
  await expect(workbench.status).toHaveText('Running');
  await expect.poll(() => workbench.points('series')).toBeGreaterThan(100);
  const early = await workbench.drawnTo('series', 'follower.q');
  await expect.poll(() => workbench.drawnTo('series', 'follower.q')).toBeGreaterThan(early);

  await page.getByTestId('pause-button').click();
  await expect(workbench.status).toHaveText('Paused');
  await page.getByTestId('pause-button').click();
  await expect(workbench.status).toHaveText('Running');
  await page.getByTestId('cancel-button').click();
  await expect(workbench.status).toHaveText('Cancelled');
  expect(await workbench.points('series')).toBeGreaterThan(100);
});

test('an error in the script is shown at its line and keeps the last curves; mended, it runs again', async ({
  workbench,
}) => {
  const { page } = workbench;
  await workbench.openExample('cam-follower-358');
  await workbench.runToEnd();
  // The last read of a run comes after its end.
  await expect.poll(() => workbench.drawnTo('series', 'follower.q')).toBeCloseTo(5, 9);
  const before = await workbench.settledCurve('series', 'follower.q');

  await workbench.openScript();
  const line = lineOf(script, 'const rho1');
  await workbench.caretAtEndOfLine(line);
  await page.keyboard.type(' +* 2');
  await expect(page.getByTestId('run-button')).toBeDisabled();
  await page.getByTestId('tab-problems').click();
  await expect(workbench.problems).toContainText('cam.ts');
  await expect(workbench.problems).toContainText(String(line));
  await expect(page.locator('.monaco-editor .squiggly-error').first()).toBeVisible();
  expect((await workbench.curve('series', 'follower.q')).y).toEqual(before.y);

  await workbench.caretAtEndOfLine(line);
  for (let i = 0; i < 5; i++) await page.keyboard.press('Backspace');
  await expect(page.getByTestId('run-button')).toBeEnabled();
  await workbench.runToEnd();
  await expect.poll(async () => (await workbench.curve('series', 'follower.q')).y).toEqual(before.y);
});

test('a type error is underlined by the editor without keeping the model from running', async ({
  workbench,
}) => {
  const { page } = workbench;
  await workbench.openExample('cam-follower-358');
  await workbench.openScript();
  await workbench.caretAtEndOfLine(lineOf(script, 'const rho1'));
  await page.keyboard.type("\nconst wrong: number = 'text';");
  await expect(page.locator('.monaco-editor .squiggly-error').first()).toBeVisible();
});

test('a script that throws names its line; the rows before it are kept', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('cam-follower-358');
  await workbench.openScript();
  const line = lineOf(script, 'function angle');
  await workbench.caretAtEndOfLine(line);
  await page.keyboard.type("\nif (t > 1) throw new Error('past one second');");
  await expect(page.getByTestId('run-button')).toBeEnabled();
  await workbench.run();
  await expect(workbench.status).toHaveText('Failed');
  await expect(page.getByTestId('run-error')).toContainText('past one second');
  await expect(page.getByTestId('run-error')).toContainText(`line ${line + 1}`);
  await expect.poll(() => workbench.drawnTo('series', 'follower.q')).toBeGreaterThan(0.99);
});

test('a script stuck in an endless loop is cancelled, keeps its rows, and runs again once it is mended', async ({
  workbench,
}) => {
  const { page } = workbench;
  await workbench.openExample('cam-follower-358');
  await workbench.openScript();
  await workbench.caretAtEndOfLine(lineOf(script, 'function angle'));
  await page.keyboard.type('\nwhile (t > 0.5) {}');
  await expect(page.getByTestId('run-button')).toBeEnabled();
  await workbench.cancelStuckRun('series', 'follower.q');
  await expect.poll(() => workbench.drawnTo('series', 'follower.q')).toBeGreaterThan(0.4);
  const undo = page.getByTestId('undo-button');
  for (let i = 0; i < 40 && (await undo.isEnabled()); i++) await undo.click();
  await expect(page.getByTestId('run-button')).toBeEnabled();
  await workbench.runToEnd();
});

test('form, graph, script and slider change one document; undo and redo lead through all of it', async ({
  workbench,
}) => {
  const { page } = workbench;
  await workbench.openExample('cam-follower-358');
  const original = (await savedText(page)).text;

  await page.getByTestId('graph-node-follower').click();
  await expect(page.getByTestId('inspector').locator('.katex').first()).toBeVisible();
  const mass = page.getByTestId('field-mass').locator('input').first();
  await mass.fill('mu + 0.1');
  await mass.press('Enter');
  await workbench.setParameter('rpm', '400');
  await workbench.openScript();
  await workbench.caretAtEndOfLine(1);
  await page.keyboard.type('\n// note');
  const changed = (await savedText(page)).text;
  expect(changed).toContain('"mu + 0.1"');
  expect(changed).toContain('"value": 400');
  expect(changed).toContain('"// note"');

  const undo = page.getByTestId('undo-button');
  for (let i = 0; i < 40 && (await undo.isEnabled()); i++) await undo.click();
  await expect(undo).toBeDisabled();
  expect((await savedText(page)).text).toBe(original);
  const redo = page.getByTestId('redo-button');
  for (let i = 0; i < 40 && (await redo.isEnabled()); i++) await redo.click();
  expect((await savedText(page)).text).toBe(changed);
});

test('saved, closed and opened again, the document is byte-equal', async ({ workbench, door }) => {
  const { page } = workbench;
  await workbench.openExample('cam-follower-358');
  await workbench.setParameter('rpm', '2*179 + 42');
  await expect(page.getByTestId('unsaved-marker')).toBeVisible();
  const { text, download } = await savedText(page);
  await expect(page.getByTestId('unsaved-marker')).toBeHidden();
  expect(text).toContain('"2*179 + 42"');

  const second = await page.context().newPage();
  // As for the page of the fixture: the driver needs a moment until it answers file choosers.
  second.on('filechooser', () => undefined);
  await second.goto(door.url);
  await expect(second.getByTestId('run-button')).toBeEnabled();
  const choosing = second.waitForEvent('filechooser');
  await second.keyboard.press('Control+O');
  await (
    await choosing
  ).setFiles({
    name: download.suggestedFilename(),
    mimeType: 'application/json',
    buffer: Buffer.from(text),
  });
  await expect(second.getByTestId('parameter-rpm-input')).toHaveValue('2*179 + 42');
  expect((await savedText(second)).text).toBe(text);
  await second.close();
});
