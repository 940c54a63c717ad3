import { readFile } from 'node:fs/promises';
import { expect, test } from './fixtures';
import { violations } from '../support/axe';

test('what a run has recorded becomes a data file: all of it, or the part that is seen', async ({
  workbench,
}) => {
  const { page } = workbench;
  await workbench.openExample('bouncing-ball');
  await workbench.runToEnd();
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('Export data');
  await page.keyboard.press('Enter');
  const dialog = page.getByTestId('export-data');
  await expect(dialog).toBeVisible();

  // HDF5 at first: its signature, and the names in it.
  const first = page.waitForEvent('download');
  await page.getByTestId('export-data-save').click();
  const download = await first;
  expect(download.suggestedFilename()).toMatch(/^bouncing-ball.*\.h5$/);
  const bytes = await readFile(await download.path());
  expect(bytes.subarray(1, 4).toString()).toBe('HDF');
  expect(bytes.includes('ball.q')).toBe(true);
  await expect(dialog).toBeHidden();

  // By keyboard to CSV, a span of time, every tenth row.
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('Export data');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  await expect(page.locator('#export-data-format')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: /CSV/ }).click();
  await page.locator('#export-data-span').click();
  await page.getByRole('option', { name: 'From … to … s' }).click();
  await page.getByLabel('From, s').fill('2');
  await page.getByLabel('To, s').fill('1');
  await expect(dialog.getByText('Enter two times, the earlier one first.')).toBeVisible();
  await expect(page.getByTestId('export-data-save')).toBeDisabled();
  expect(await violations(page, '[role="dialog"]')).toEqual([]);
  await page.getByLabel('From, s').fill('0.5');
  await page.locator('#export-data-every').fill('10');
  const second = page.waitForEvent('download');
  await page.getByTestId('export-data-save').click();
  const lines = (await readFile(await (await second).path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines[0]).toMatch(/^t \[s\],ball\.q \[m\]/);
  expect(lines).toHaveLength(1 + 51);
  expect(Number(lines[1]?.split(',')[0])).toBeCloseTo(0.5, 9);
});
