/**
 * What a window must not do: mix documents, refuse a model for its plots, lose its layout when it is zoomed.
 */
import type { Page } from '@playwright/test';
import type { Workbench } from '../support/workbench';
import { expect, test } from './fixtures';

/** A plot of a section is added to a model that has none. */
async function missingSection({ page }: Workbench): Promise<void> {
  await page.getByTestId('add-plot').click();
  await page.getByRole('menuitem', { name: 'Poincaré section' }).click();
  const plot = page.locator('[data-testid^="plot-section"]').first();
  await expect(plot).toContainText('The model does not have this section');
  await expect(page.getByTestId('run-button')).toBeEnabled();
  await expect(page.getByTestId('status-problems').locator('span').first()).toHaveText(/^0/);
}

test('zooms and cursors belong to their document; a plot without its section keeps no model from running', async ({
  workbench,
}) => {
  test.slow();
  const { page } = workbench;
  await workbench.openExample('bouncing-ball');
  await workbench.runToEnd();
  const whole = { xMin: 0, xMax: 10 };
  await expect.poll(() => workbench.range('series')).toMatchObject(whole);
  const box = (await page.getByTestId('plot-series').getByRole('img').boundingBox())!;
  await page.mouse.move(box.x + 0.4 * box.width, box.y + 0.5 * box.height);
  await page.mouse.wheel(0, -800);
  // The vertical axis follows what is read of the run for the new window, so that it is looked at when that
  // is there.
  await expect.poll(async () => (await workbench.curve('series', 'ball.q')).x[0]).toBeGreaterThan(0.1);
  const zoomed = await workbench.range('series');
  expect(zoomed!.xMax - zoomed!.xMin).toBeLessThan(5);
  await page.mouse.click(box.x + 0.5 * box.width, box.y + 0.5 * box.height);
  await expect(page.getByTestId('plot-series').getByTestId('plot-mark')).toBeVisible();

  // Another document of the same plots and times shows all of its own.
  await page.keyboard.press('Control+Shift+O');
  await page.getByTestId('example-bouncing-ball').click();
  await workbench.runToEnd();
  await expect.poll(() => workbench.range('series')).toMatchObject(whole);
  await expect(page.getByTestId('plot-mark')).toHaveCount(0);
  await page.getByTestId('tab-0').click();
  await expect.poll(() => workbench.range('series')).toMatchObject(zoomed!);
  await expect(page.getByTestId('plot-series').getByTestId('plot-mark')).toBeVisible();

  await missingSection(workbench);
});

/** What lies over something else in the bar, and what of it or of the names is cut off. */
const crowded = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const said: string[] = [];
    const seen = [...document.querySelectorAll<HTMLElement>('header button, header .display')].filter(
      ({ offsetWidth }) => offsetWidth > 0,
    );
    const name = (one: HTMLElement): string => one.dataset['testid'] ?? one.textContent.trim();
    const boxes = seen.map((one) => ({ name: name(one), box: one.getBoundingClientRect() }));
    boxes.forEach(({ name: a, box }, k) => {
      if (box.left < 0 || box.right > window.innerWidth + 1) said.push(`${a} is outside`);
      for (const { name: b, box: other } of boxes.slice(k + 1))
        if (
          box.left < other.right - 1 &&
          other.left < box.right - 1 &&
          box.top < other.bottom - 1 &&
          other.top < box.bottom - 1
        )
          said.push(`${a} lies over ${b}`);
    });
    for (const one of document.querySelectorAll<HTMLElement>('.parameter .name'))
      if (one.scrollWidth > one.clientWidth + 1) said.push(`${one.textContent} is cut`);
    return said;
  });

/** Distance of the ends of the edges of the graph from the ports of their nodes, px of the screen. */
const detached = (page: Page): Promise<number[]> =>
  page.evaluate(() => {
    const ports = [...document.querySelectorAll('.vue-flow__handle')].map((port) => {
      const { left, top, width, height } = port.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2, reach: Math.max(width, height) };
    });
    return [...document.querySelectorAll<SVGPathElement>('.vue-flow__edge-path')].flatMap((path) => {
      // What the browser says of places on the screen: the box of the path ends where its ends are.
      const { left, right, top, bottom } = path.getBoundingClientRect();
      const ends = [
        { x: left, y: (top + bottom) / 2 },
        { x: right, y: (top + bottom) / 2 },
      ];
      return ends.map(({ x, y }) =>
        Math.min(...ports.map((port) => Math.hypot(port.x - x, port.y - y) - port.reach)),
      );
    });
  });

test('nothing lies over the menus, names are read and edges end at their nodes, whatever the size and zoom of the window', async ({
  workbench,
}) => {
  test.slow();
  const { page } = workbench;
  await workbench.openExample('bouncing-ball');
  await workbench.runToEnd();
  for (const zoom of [100, 150]) {
    for (let k = 0; zoom === 150 && k < 3; k++) await page.keyboard.press('Control+=');
    await expect(page.getByTestId('status-zoom')).toHaveText(`${zoom} %`);
    for (const width of [1280, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => crowded(page), `${width} px at ${zoom} %`).toEqual([]);
      await page.getByTestId('graph-stage').focus();
      await page.keyboard.press('Control+0');
      await expect
        .poll(async () => Math.max(...(await detached(page))), `${width} px at ${zoom} %`)
        .toBeLessThan(3);
    }
  }
  // Places in plots are where the pointer is.
  const plot = page.getByTestId('plot-series').getByRole('img');
  const box = (await plot.boundingBox())!;
  await page.mouse.click(box.x + 0.5 * box.width, box.y + 0.5 * box.height);
  const mark = (await page.getByTestId('plot-series').getByTestId('plot-mark').boundingBox())!;
  expect(Math.abs(mark.x - (box.x + 0.5 * box.width))).toBeLessThan(3);
});
