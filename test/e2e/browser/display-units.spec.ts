import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { violations, violationsInBothThemes } from '../support/axe';
import { expect, test } from './fixtures';

/** Text of the file that an action writes. */
async function written(page: Page, act: () => Promise<void>): Promise<string> {
  const waiting = page.waitForEvent('download');
  await act();
  return readFile(await (await waiting).path(), 'utf8');
}

test('values are shown and typed in millimetres, while the model and its runs stay in metres', async ({
  workbench,
}) => {
  test.slow();
  const { page } = workbench;
  await workbench.openExample('cam-follower-358');
  await workbench.runToEnd();
  const input = page.getByTestId('parameter-height0-input');
  const slider = page.getByRole('slider', { name: 'Slider of height0' });
  const label = (unit: string) =>
    page
      .getByTestId('parameter-height0-input')
      .locator('..')
      .getByRole('button', {
        name: `Unit of height0, shown in ${unit}`,
        exact: true,
      });

  // By keyboard, at the unit beside the value.
  await label('m').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitemradio', { name: 'mm', exact: true })).toBeVisible();
  expect(await violations(page, '[data-testid="unit-menu"]')).toEqual([]);
  const millimetre = page.getByRole('menuitemradio', { name: 'mm', exact: true });
  await expect(async () => {
    await page.keyboard.press('ArrowDown');
    await expect(millimetre).toBeFocused({ timeout: 100 });
  }).toPass();
  await page.keyboard.press('Enter');
  await expect(label('mm')).toBeFocused();
  await expect(input).toHaveValue('400');
  await expect(slider).toHaveAttribute('aria-valuemax', '1000');
  await expect(slider).toHaveAttribute('aria-valuetext', '400 mm');

  // What is typed is stored converted, and recordings are not touched; the picture and the cursor have the
  // shown unit.
  await workbench.setParameter('height0', '312.5');
  await expect(page.getByText('height0 = 312.5 mm')).toBeVisible();
  await expect(workbench.status).toHaveText('Done');
  expect(Math.max(...(await workbench.curve('series', 'follower.q')).y)).toBeLessThan(2);
  const plot = page.getByTestId('plot-series');
  await plot.hover({ position: { x: 300, y: 120 } });
  await expect(plot.locator('.readout')).toContainText(/follower\.q\s*\d{2,3}[\d.]* mm/);
  await plot.getByRole('button', { name: 'Plot menu' }).click();
  const picture = await written(page, () => page.getByRole('menuitem', { name: 'Export as SVG' }).click());
  expect(picture).toContain('[mm]');
  await page.getByTestId('graph-node-follower').click();
  await expect(page.getByTestId('field-q0')).toContainText('mm');
  expect(await violationsInBothThemes(page)).toEqual([]);

  // An expression is one in the model's unit.
  await workbench.setParameter('height0', '2*0.15');
  await expect(page.getByText('= 300 mm, written in m')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(input).toHaveValue('312.5');

  // One parameter alone; the unit of the model is another matter, and where the two do not fit that is a
  // problem with a way to it.
  await label('mm').click();
  await page.getByRole('menuitemcheckbox', { name: 'Only height0' }).click();
  await page.getByRole('menuitemradio', { name: 'cm', exact: true }).click();
  await expect(input).toHaveValue('31.25');
  const file = JSON.parse(await written(page, () => page.keyboard.press('Control+s'))) as {
    parameters: { name: string; value: number; unit: string }[];
    displayUnits: unknown;
  };
  expect(file.parameters.find(({ name }) => name === 'height0')).toMatchObject({ value: 0.3125, unit: 'm' });
  expect(file.displayUnits).toEqual({ units: { m: 'mm' }, parameters: { height0: 'cm' } });
  await page.getByRole('button', { name: 'Details of height0' }).click();
  await page.getByRole('textbox', { name: 'Unit in the model' }).fill('kg');
  await expect(input).toHaveValue('0.3125');
  await page.getByTestId('tab-problems').click();
  await workbench.problems.getByText('“cm” is a unit of another quantity than “kg”').click();

  // The way leads to the table of all units, where any unit can be typed.
  const table = page.getByTestId('display-units');
  await expect(table.getByTestId('display-unit-height0')).toContainText('another quantity');
  const mass = table.getByRole('combobox', { name: 'Unit that kg is shown in' });
  await mass.fill('kNm');
  await mass.press('Enter');
  await expect(table.getByTestId('display-unit-kg')).toContainText('Write kN m');
  expect(await violations(page, '[role="dialog"]')).toEqual([]);
  await mass.fill('t');
  await mass.press('Enter');
  await expect(table.getByTestId('display-unit-kg')).not.toContainText('Write kN m');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Unit of mu, shown in t', exact: true })).toBeVisible();

  // Undo leads back through all of it.
  for (let i = 0; i < 5; i++) await page.keyboard.press('Control+z');
  await expect(label('m')).toBeVisible();
  await expect(input).toHaveValue('0.4');
});
