import { readFile } from 'node:fs/promises';
import { violations } from '../support/axe';
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
  expect(await violations(page, '[role="dialog"]')).toEqual([]);
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

test('charts of an analysis become figures, and what it has found data, by command', async ({
  workbench,
}) => {
  test.slow();
  const { page } = workbench;
  await workbench.openExample('cam-follower-event-driven-660');
  await workbench.setParameter('rpm', '358');
  const command = async (name: string): Promise<void> => {
    await page.keyboard.press('Control+Shift+P');
    await page.getByTestId('command-palette').locator('input').fill(name);
    await page.getByTestId('command-palette').getByRole('option', { name }).click();
  };
  const save = async (button: string): Promise<string> => {
    const waiting = page.waitForEvent('download');
    await page.getByTestId(button).click();
    const bytes = await readFile(await (await waiting).path());
    await expect(page.getByTestId(button)).toBeHidden();
    return bytes.toString('utf8');
  };
  await page.getByRole('tab', { name: 'Analyses' }).click();
  await page.getByTestId('add-analysis').press('Enter');
  await page.getByTestId('add-analysis-orbit').click();
  await page.getByTestId('analysis-start').click();
  await expect(page.getByTestId('orbit-result')).toContainText('Stable');

  // For publication, though no run is shown; the other chart is chosen in the dialog or by its own button.
  await command('Export chart of the analysis');
  await page.locator('#export-figure-format').click();
  await page.getByRole('option', { name: 'SVG' }).click();
  expect(await save('export-figure-save')).toContain('>follower.q  [m]</text>');
  await page.getByRole('button', { name: 'Export figure: Multipliers…' }).click();
  await expect(page.locator('#export-figure-subject')).toContainText('Multipliers');
  expect(await violations(page, '[role="dialog"]')).toEqual([]);
  expect(await save('export-figure-save')).toContain('>Re μ</text>');

  await command('Export data of the analysis');
  await page.locator('#export-analysis-format').click();
  await page.getByRole('option', { name: /CSV/ }).click();
  expect(await save('export-analysis-save')).toContain('follower.q');
});
