/**
 * A browser door and a page for all tests of a file, and the window in it for each test, which must end
 * without an error on its console. The page stays because its process has compiled the workbench: loading it
 * once more takes a third of the time. All that a window leaves behind is on the door, which forgets it.
 */
import { test as base, expect, type Page } from '@playwright/test';
import { type BrowserDoor, startBrowserDoor } from '../../support/door';
import { Workbench } from '../support/workbench';

interface Fixtures {
  workbench: Workbench;
}

interface WorkerFixtures {
  door: BrowserDoor;
  keptPage: Page;
}

/**
 * Whether an address is that of the page between two windows, or of the icon that the browser asks for on its
 * behalf. Neither exists, and the browser says so when it gets round to it, which may be when the next window
 * is there.
 */
const isOfNothing = (url: string): boolean => /\/(?:nothing|favicon\.ico)$/.test(url);

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
  keptPage: [
    async ({ browser }, use, { project }) => {
      const { viewport = null, locale, timezoneId, actionTimeout = 0 } = project.use;
      const context = await browser.newContext({
        viewport,
        ...(locale === undefined ? {} : { locale }),
        ...(timezoneId === undefined ? {} : { timezoneId }),
      });
      context.setDefaultTimeout(actionTimeout);
      await use(await context.newPage());
      await context.close();
    },
    { scope: 'worker' },
  ],
  workbench: async ({ keptPage: page, door }, use, { project }) => {
    // The window before, which writes to the door as long as it is there, goes; a text of the same origin
    // stays in the process.
    await page.goto(new URL('/nothing', door.url).href);
    // Each test starts with the settings of a new machine, as it starts with an empty page.
    await door.forget();
    await page.evaluate(() => {
      sessionStorage.clear();
      localStorage.clear();
    });
    await page.emulateMedia({ colorScheme: null, reducedMotion: null, forcedColors: null, media: null });
    const { viewport } = project.use;
    if (viewport) await page.setViewportSize(viewport);
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && !isOfNothing(message.location().url)) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.stack ?? String(error)));
    // The driver answers file choosers while somebody listens; that takes a moment, so it begins here.
    page.on('filechooser', () => undefined);
    await page.goto(door.url);
    const workbench = new Workbench(page);
    await workbench.ready();
    await use(workbench);
    for (const event of ['console', 'pageerror', 'filechooser', 'dialog', 'download', 'request'] as const)
      await page.removeAllListeners(event, { behavior: 'wait' });
    expect(complaints).toEqual([]);
  },
});

export { expect };
