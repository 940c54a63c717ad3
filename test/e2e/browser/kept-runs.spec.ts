/** Runs that last: over a killed server, in the list of the model they belong to. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test as plain } from '@playwright/test';
import { startBrowserDoor } from '../../support/door';
import { Workbench } from '../support/workbench';
import { test } from './fixtures';

/** How many runs a restarted server would find complete. */
async function endedOnDisk(home: string): Promise<number> {
  const folder = join(home, 'data/moreau/kept-runs');
  const paths = (await readdir(folder)).map((run) => join(folder, run, 'manifest.json'));
  const texts = await Promise.all(
    paths.map((path) => readFile(path, 'utf8').catch(() => '{"endedAt":null}')),
  );
  return texts.filter((text) => (JSON.parse(text) as { endedAt: string | null }).endedAt !== null).length;
}

plain(
  'a run is there after the server was killed, with its name, its pin and its curve',
  async ({ browser }) => {
    const first = await startBrowserDoor();
    try {
      const page = await browser.newPage();
      await page.goto(first.url);
      const workbench = new Workbench(page);
      await workbench.ready();
      await workbench.openExample('bouncing-ball');
      await workbench.runToEnd();
      const row = page.getByTestId('run-list').locator('li');
      await row.hover();
      await row.getByRole('button', { name: 'Keep in the plots' }).click();
      await row.click({ button: 'right' });
      await page.getByTestId('run-menu').getByText('Rename run…').click();
      await page.getByLabel('Name', { exact: true }).fill('Drop from a metre');
      await page.keyboard.press('Enter');
      await expect(row).toContainText('Drop from a metre');
      const before = await workbench.settledCurve('series', 'ball.q');
      await workbench.setParameter('height', '1.5');
      await expect(row).toHaveCount(2);
      // Not the word at the top: for a moment that is still the word of the run before.
      await expect(row.filter({ hasText: 'Done' })).toHaveCount(2);
      // What is written at the end of a run is on the disk a moment after it is seen.
      await expect.poll(() => endedOnDisk(first.home)).toBe(2);
      await first.kill();

      const second = await startBrowserDoor([], first.home);
      try {
        const next = await browser.newPage();
        await next.goto(second.url);
        const later = new Workbench(next);
        await later.ready();
        await later.openExample('bouncing-ball');
        const rows = next.getByTestId('run-list').locator('li');
        await expect(rows).toHaveCount(2);
        const kept = rows.filter({ hasText: 'Drop from a metre' });
        await expect(kept).toContainText('Done');
        await kept
          .getByRole('button', { name: /Drop from a metre/ })
          .first()
          .click();
        await expect.poll(() => later.drawnTo('series', 'ball.q')).toBeCloseTo(10, 6);
        expect(await later.settledCurve('series', 'ball.q')).toEqual(before);
      } finally {
        await second.stop();
      }
    } finally {
      await first.stop();
    }
  },
);

test('initial values run side by side as a group; a deleted run is brought back', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('bouncing-ball');
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('several initial values');
  await page.keyboard.press('Enter');
  await page.locator('#initial-list').fill('0.4:1.4:6');
  await page.getByTestId('initial-start').click();
  const group = page.getByTestId('run-group');
  await expect(group.locator('li')).toHaveText([/= 0.4/, /= 0.6/, /= 0.8/, /= 1/, /= 1.2/, /= 1.4/]);
  await expect(group.locator('.state.done')).toHaveCount(6);
  await expect
    .poll(async () => (await workbench.curves('series')).filter(({ name }) => name === 'ball.q').length)
    .toBe(6);
  expect((await workbench.curve('series', 'ball.q')).y[0]).toBeCloseTo(0.4, 6);

  await page.getByTestId('runs-size').click();
  await expect(page.getByTestId('kept-runs-table').locator('tbody tr')).toHaveCount(6);
  await page.keyboard.press('Escape');
  await group.locator('li').first().hover();
  await page.getByRole('button', { name: /^Delete.*= 0.4/ }).click();
  await expect(group.locator('li')).toHaveCount(5);
  await page.locator('.notice').getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(group.locator('li')).toHaveCount(6);

  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('differences between models');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('difference-table')).toContainText('q0[0]');
  await expect(page.getByTestId('difference-table')).toContainText('0.4');
});
