/**
 * Measures the window on a run of 2·10⁷ rows: time from a gesture to the answered read and the drawn curve. A
 * program that prints figures, not a test: `npm run measure`.
 */
import { startBrowserDoor } from '../../support/door';
import { expect, test } from '../browser/fixtures';
import { Workbench } from '../support/workbench';

const ROWS = 2e7;

test('a run of 2·10⁷ rows: shown, zoomed, panned', async ({ page }) => {
  test.setTimeout(600_000);
  const door = await startBrowserDoor();
  await page.goto(door.url);
  const workbench = new Workbench(page);
  await workbench.ready();
  await workbench.openExample('bouncing-ball');
  await page.getByTestId('simulation-settings').click();
  const h = page.getByTestId('field-h').locator('input');
  await h.fill(String(10 / ROWS));
  await h.press('Enter');
  await workbench.run();
  await expect(workbench.status).toHaveText('Done', { timeout: 500_000 });

  /** Milliseconds from a gesture until the plot holds other data than before. */
  const answer = async (name: string, gesture: () => Promise<void>): Promise<void> => {
    const waiting = page.evaluate(async () => {
      const curve = (): Float64Array | undefined => window.__moreauPlots?.series?.data()[0]?.x;
      const before = curve();
      const begin = performance.now();
      while (curve() === before) await new Promise((resolve) => requestAnimationFrame(resolve));
      return performance.now() - begin;
    });
    await gesture();
    console.log(`${name.padEnd(28)} ${(await waiting).toFixed(0).padStart(5)} ms`);
  };
  const box = (await page.getByTestId('plot-series').locator('canvas').first().boundingBox())!;
  const at = (fraction: number): [number, number] => [box.x + box.width * fraction, box.y + box.height / 2];
  await page.mouse.move(...at(0.5));
  for (let i = 1; i <= 6; i++) await answer(`zoom in ${i}`, () => page.mouse.wheel(0, -500));
  for (let i = 1; i <= 4; i++) {
    await page.mouse.move(...at(0.6));
    await page.mouse.down();
    await answer(`pan ${i}`, () => page.mouse.move(...at(0.3), { steps: 1 }));
    await page.mouse.up();
  }
  for (let i = 1; i <= 6; i++) await answer(`zoom out ${i}`, () => page.mouse.wheel(0, 500));
  await answer('whole run', () => page.mouse.dblclick(...at(0.5)));
  await door.stop();
});
