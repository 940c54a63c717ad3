/** Runs that last: over a killed server, in the list of the model they belong to. */
import { expect, test as plain } from '@playwright/test';
import { startBrowserDoor } from '../../support/door';
import { Workbench } from '../support/workbench';

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
      const before = await workbench.curve('series', 'ball.q');
      await workbench.setParameter('height', '1.5');
      await expect(row).toHaveCount(2);
      await expect(workbench.status).toHaveText('Done');
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
        expect(await later.curve('series', 'ball.q')).toEqual(before);
      } finally {
        await second.stop();
      }
    } finally {
      await first.stop();
    }
  },
);
