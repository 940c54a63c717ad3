/** The return map: added, read, set in the inspector, in files. */
import { readFile } from 'node:fs/promises';
import { PLOTS, SIDE, violationsInBothThemes } from '../support/axe';
import { expect, test } from './fixtures';

test('a return map is added, shows each value over the one before, takes options, and becomes a figure', async ({
  workbench,
}) => {
  test.slow();
  const { page } = workbench;
  await workbench.openExample('cam-follower-maps-660');
  await workbench.setParameter('revolutions', '300');
  await workbench.runToEnd();
  await page.getByTestId('add-plot').click();
  await page.getByRole('menuitem', { name: 'Return map' }).click();
  const plot = page.getByTestId('plot-return-map');
  await expect(plot).toBeVisible();
  await plot.scrollIntoViewIfNeeded();

  // A point for each return: one fewer than the map itself has.
  await expect.poll(() => workbench.points('strobe')).toBe(201);
  await expect.poll(() => workbench.points('return-map')).toBe(200);
  await expect(plot.getByTestId('decimation')).toHaveText('200 points');
  const [{ x, y }] = await workbench.curves('return-map');
  expect(y.slice(0, -1)).toEqual(x.slice(1));
  const strobe = await workbench.curves('strobe');
  expect(x).toEqual(strobe[0]?.x.slice(0, -1));

  // Another signal, by keyboard.
  await plot.getByRole('button', { name: 'Signal: follower.q' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: /^follower\.v/ }).click();
  await expect(plot.getByRole('button', { name: 'Signal: follower.v' })).toBeVisible();
  await expect
    .poll(async () => (await workbench.curves('return-map'))[0]?.x)
    .toEqual(strobe[0]?.y.slice(0, -1));
  expect(await violationsInBothThemes(page, PLOTS)).toEqual([]);

  // The section and the ends of the axes are in the inspector.
  await plot.locator('[data-panel-menu]').press('Enter');
  await page.getByTestId('panel-options').press('Enter');
  const form = page.getByTestId('view-inspector');
  await form.getByTestId('option-x-min').fill('-50');
  await form.getByTestId('option-x-min').press('Enter');
  await form.getByTestId('option-x-max').fill('50');
  await form.getByTestId('option-x-max').press('Enter');
  await expect.poll(async () => (await workbench.range('return-map'))?.xMin).toBe(-50);
  expect((await workbench.range('return-map'))?.xMax).toBe(50);
  expect(await violationsInBothThemes(page, SIDE)).toEqual([]);
  await form.getByTestId('option-section').click();
  await page.getByRole('option', { name: /impact/i }).click();
  await expect.poll(() => workbench.points('return-map')).not.toBe(200);

  await plot.locator('[data-panel-menu]').click();
  const waiting = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export as SVG…' }).click();
  const svg = await readFile(await (await waiting).path(), 'utf8');
  expect(svg).toContain('follower.v (n)');
  expect(svg).toContain('follower.v (n+1)');
});
