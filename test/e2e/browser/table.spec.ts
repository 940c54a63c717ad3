import { PLOTS, violationsInBothThemes } from '../support/axe';
import { expect, test } from './fixtures';

test('a table shows the rows of a run where one looks, and goes with the cursor of the plots', async ({
  workbench,
}) => {
  const { page } = workbench;
  await workbench.openExample('bouncing-ball');
  await workbench.runToEnd();
  await page.getByTestId('add-plot').click();
  await page.getByRole('menuitem', { name: 'Table' }).click();
  const plot = page.getByTestId('plot-table');
  await plot.scrollIntoViewIfNeeded();
  const grid = plot.getByRole('grid');
  await expect(grid).toHaveAttribute('aria-rowcount', '10002');
  const row = (name: string) => grid.getByRole('row', { name: new RegExp(`^${name} `) });
  await expect(row('0')).toContainText('0.9');

  // By keyboard to the end; the cursor of the plots goes along.
  await grid.getByRole('rowgroup').focus();
  await page.keyboard.press('End');
  await expect(row('10000')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByTestId('plot-mark').first()).toContainText('10');
  await page.keyboard.press('PageUp');
  await expect(row('10000')).toHaveAttribute('aria-selected', 'false');
  await page.keyboard.press('Home');
  await row('5').click();
  await expect(page.getByTestId('plot-mark').first()).toContainText('0.005');
  expect(await violationsInBothThemes(page, PLOTS)).toEqual([]);
});
