import { PLOTS, violationsInBothThemes } from '../support/axe';
import { expect, test } from './fixtures';

test('a spectrum is added, shows the line of the forcing, and takes what the time series shows', async ({
  workbench,
}) => {
  const { page } = workbench;
  await workbench.openExample('cam-follower-700');
  await workbench.setParameter('rpm', '600');
  await workbench.runToEnd();
  await page.getByTestId('add-plot').click();
  await page.getByRole('menuitem', { name: 'Spectrum' }).click();
  const plot = page.getByTestId('plot-spectrum');
  await expect(plot).toBeVisible();
  await plot.scrollIntoViewIfNeeded();

  // 600 revolutions a minute are 10 Hz: the lift of the cam has its highest line there.
  await plot.getByRole('button', { name: 'Choose signals' }).click();
  await page.getByRole('option', { name: /^lift/ }).click();
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await workbench.curve('spectrum', 'lift')).x.length).toBeGreaterThan(100);
  const { x, y } = await workbench.curve('spectrum', 'lift');
  const above = x.map((f, k) => ({ f, value: y[k] ?? 0 })).filter(({ f }) => f > 1);
  const [highest] = above.sort((a, b) => b.value - a.value);
  expect(highest?.f).toBeCloseTo(10, 0);
  await expect(plot.getByTestId('decimation')).toContainText('Δf');

  await plot.getByRole('button', { name: 'Plot menu' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemradio', { name: 'Flat top' }).click();
  await plot.getByRole('button', { name: 'Plot menu' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Take the visible span of the time series' }).click();
  await expect(page.getByTestId('undo-button')).toBeEnabled();
  expect(await violationsInBothThemes(page, PLOTS)).toEqual([]);
});
