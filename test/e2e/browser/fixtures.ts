/** A browser door for each test file and a window for each test, which must end without an error on its console. */
import { test as base, expect } from '@playwright/test';
import { type BrowserDoor, startBrowserDoor } from '../../support/door';
import { Workbench } from '../support/workbench';

interface Fixtures {
  workbench: Workbench;
}

interface WorkerFixtures {
  door: BrowserDoor;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  door: [
    // eslint: Playwright reads the fixtures a function wants from its first parameter's pattern.
    async ({}, use) => {
      const door = await startBrowserDoor();
      await use(door);
      await door.stop();
    },
    { scope: 'worker' },
  ],
  workbench: async ({ page, door }, use) => {
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    // The driver answers file choosers while somebody listens; that takes a moment, so it begins here.
    page.on('filechooser', () => undefined);
    // Each test starts with the settings of a new machine, as it starts with an empty page.
    await door.forget();
    await page.goto(door.url);
    const workbench = new Workbench(page);
    await workbench.ready();
    await use(workbench);
    expect(complaints).toEqual([]);
  },
});

export { expect };
