/** Several models at once, and what is left of them when the window, a worker or the server is killed. */
import { join } from 'node:path';
import { readdir, readFile } from 'node:fs/promises';
import { expect, type Page, test as plain } from '@playwright/test';
import { startBrowserDoor } from '../../support/door';
import { lineOf, Workbench } from '../support/workbench';
import { test } from './fixtures';

const CAM = await readFile(
  join(import.meta.dirname, '../../../resources/examples/cam-follower-358.moreau.json'),
  'utf8',
);

const tabs = (page: Page): Promise<string[]> =>
  page.getByTestId('tab-strip').getByRole('tab').allInnerTexts();

/** Two models with unsaved edits, one of them without a file, both in the journal. */
async function editTwo(workbench: Workbench, home: string): Promise<void> {
  const { page } = workbench;
  await workbench.openExample('bouncing-ball');
  await workbench.setParameter('height', '1.25');
  await page.getByTestId('tab-new').click();
  await expect(page.getByTestId('document-title')).toHaveText('Untitled model');
  await workbench.openExample('cam-follower-358');
  await workbench.setParameter('rpm', '444');
  expect(CAM).not.toContain('444');
  await expect
    .poll(async () => (await journals(home)).filter((text) => /1\.25|444/.test(text)).length)
    .toBe(2);
}

async function journals(home: string): Promise<string[]> {
  const folder = join(home, 'data/moreau/journal');
  const names = await readdir(folder).catch(() => []);
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
}

/** Recovers everything that is offered, and looks whether it is what was left. */
async function recoverTwo(page: Page): Promise<void> {
  const list = page.getByTestId('recovery-list');
  await expect(list).toContainText('Bouncing ball');
  await expect(list.getByRole('checkbox')).toHaveCount(2);
  await page.getByTestId('recovery-recover').click();
  await expect(list).toBeHidden();
  await expect(page.getByTestId('parameter-rpm-input')).toHaveValue('444');
  await expect(page.getByTestId('unsaved-marker')).toBeVisible();
  const ball = page.getByTestId('tab-strip').getByRole('tab', { name: /Bouncing ball/ });
  await ball.click();
  await expect(page.getByTestId('parameter-height-input')).toHaveValue('1.25');
}

test('models stay open beside each other, each with what it shows', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('bouncing-ball');
  await workbench.runToEnd();
  await page.getByTestId('graph-node-ball').click();
  await workbench.openExample('cam-follower-358');
  await workbench.setParameter('rpm', '500');
  expect(await tabs(page)).toHaveLength(2);
  await page.keyboard.press('Control+PageUp');
  await expect(page.getByTestId('parameter-height-input')).toBeVisible();
  await expect(page.getByTestId('tab-inspector')).toContainText('ball');
  await expect.poll(() => workbench.drawnTo('series', 'ball.q')).toBeCloseTo(10, 6);
  await expect(page.getByTestId('undo-button')).toBeDisabled();
  await page.keyboard.press('Control+PageDown');
  await expect(page.getByTestId('parameter-rpm-input')).toHaveValue('500');
  await page.keyboard.press('Control+Alt+w');
  await page.getByTestId('answer-cancel').click();
  expect(await tabs(page)).toHaveLength(2);
  await page.keyboard.press('Control+Alt+w');
  await page.getByTestId('answer-discard').click();
  await expect(page.getByTestId('parameter-height-input')).toBeVisible();
  expect(await tabs(page)).toHaveLength(1);
});

plain('a killed window and a killed server lose no edit', async ({ browser }) => {
  const first = await startBrowserDoor();
  try {
    const page = await browser.newPage();
    await page.goto(first.url);
    const workbench = new Workbench(page);
    await workbench.ready();
    await editTwo(workbench, first.home);
    // The renderer is gone in an instant: no handler of the page runs.
    const crashed = page.waitForEvent('crash');
    await page.goto('chrome://crash').catch(() => undefined);
    await crashed;
    await page.close();

    const next = await browser.newPage();
    await next.goto(first.url);
    await recoverTwo(next);
    // What has been recovered is journaled again before the old journals go.
    await expect.poll(async () => (await journals(first.home)).length).toBe(2);
    await first.kill();

    const second = await startBrowserDoor([], first.home);
    try {
      await next.close();
      const last = await browser.newPage();
      await last.goto(second.url);
      await recoverTwo(last);
    } finally {
      await second.stop();
    }
  } finally {
    await first.stop();
  }
});

plain(
  'a second window of another profile leaves the edits of the first one alone, and has them when it is gone',
  async ({ browser }) => {
    const door = await startBrowserDoor();
    try {
      const first = await browser.newPage();
      await first.goto(door.url);
      const workbench = new Workbench(first);
      await workbench.ready();
      await editTwo(workbench, door.home);

      // A page of its own context sees neither the locks nor the storage of the first one.
      const second = await browser.newPage();
      await second.goto(door.url);
      await new Workbench(second).ready();
      await second.keyboard.press('Control+Shift+P');
      const palette = second.getByTestId('command-palette');
      await palette.locator('input').fill('Recover unsaved');
      await palette.getByRole('option').first().click();
      await expect(second.getByTestId('notice').filter({ hasText: 'nothing to recover' })).toBeVisible();
      await expect(second.getByTestId('recovery-list')).toBeHidden();
      expect((await journals(door.home)).length).toBe(2);

      // The first one goes on, and what it edits is journaled as before.
      await workbench.setParameter('rpm', '445');
      await expect
        .poll(async () => (await journals(door.home)).filter((text) => text.includes('445')).length)
        .toBe(1);
      await first.getByTestId('undo-button').click();
      await expect
        .poll(async () =>
          // The value, not the digits: checksums and names of pages have digits, too.
          (await journals(door.home)).some((text) =>
            /"value":"?444\b/.test(text.trimEnd().split('\n').at(-1) ?? ''),
          ),
        )
        .toBe(true);

      const crashed = first.waitForEvent('crash');
      await first.goto('chrome://crash').catch(() => undefined);
      await crashed;
      await first.close();
      await second.reload();
      await recoverTwo(second);
    } finally {
      await door.stop();
    }
  },
);

test('a worker that dies takes its run with it and nothing else', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('cam-follower-358');
  await workbench.runToEnd();
  await workbench.openScript();
  const { scripts } = JSON.parse(CAM) as { scripts: { source: string[] }[] };
  await workbench.caretAtEndOfLine(lineOf(scripts[0].source.join('\n'), 'function angle'));
  await page.keyboard.type(
    '\nif (t > 0.5) for (const hoard: number[][] = []; ; ) hoard.push(new Array(1e5).fill(1));',
  );
  await expect(page.getByTestId('run-button')).toBeEnabled();
  await workbench.run();
  await expect(page.getByTestId('run-error')).toContainText(/memory/i);
  const undo = page.getByTestId('undo-button');
  while (await undo.isEnabled()) await undo.click();
  await workbench.runToEnd();
});
