import { readFile } from 'node:fs/promises';
import { axe } from '../support/axe';
import { expect, test } from './fixtures';

test('a plot and the dashboard become figures of a chosen size', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('bouncing-ball');
  await workbench.runToEnd();
  const command = async (name: string): Promise<void> => {
    await page.keyboard.press('Control+Shift+P');
    await page.getByTestId('command-palette').locator('input').fill(name);
    await expect(page.getByTestId('command-palette').getByRole('option').first()).toContainText(name);
    await page.keyboard.press('Enter');
  };
  const dialog = page.getByTestId('export-figure');
  const save = async (): Promise<Buffer> => {
    const waiting = page.waitForEvent('download');
    await page.getByTestId('export-figure-save').click();
    const bytes = await readFile(await (await waiting).path());
    await expect(dialog).toBeHidden();
    return bytes;
  };

  // From the menu of a plot; PDF for publication at first.
  await page.locator('[data-panel-menu]').first().click();
  await page.getByTestId('export-figure-of').click();
  await expect(dialog).toBeVisible();
  expect((await axe(page).include('[role="dialog"]').analyze()).violations).toEqual([]);
  await page.getByLabel('Width, mm').fill('88');
  await page.getByLabel('Height, mm').fill('60');
  const pdf = (await save()).toString('latin1');
  expect(pdf).toMatch(/^%PDF-/);
  expect(pdf).toMatch(/\/MediaBox \[0 0 249\.75 170\.25\]/);

  // A picture of the same size, which was remembered, as fine as asked for.
  await command('Export figure');
  await expect(page.getByLabel('Width, mm')).toHaveValue('88');
  await page.locator('#export-figure-format').click();
  await page.getByRole('option', { name: 'PNG' }).click();
  await page.getByLabel('Resolution, dots per inch').fill('192');
  const png = await save();
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([666, 454]);

  // The dashboard as on the screen, its fonts in the file.
  await command('Export dashboard figure');
  await page.locator('#export-figure-format').click();
  await page.getByRole('option', { name: 'SVG' }).click();
  await page.locator('#export-figure-style').click();
  await page.getByRole('option', { name: 'As on the screen' }).click();
  const svg = (await save()).toString('utf8');
  expect(svg).toMatch(/^<svg [^>]*width="605" height="454"/);
  expect(svg).toContain('@font-face{font-family:"Inter"');
});
