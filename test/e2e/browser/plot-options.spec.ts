/** Options of plots in the inspector, and texts in plots: by keyboard, in both themes, in files. */
import { readFile } from 'node:fs/promises';
import { DIALOG, PLOTS, SIDE, violations, violationsInBothThemes } from '../support/axe';
import { expect, test } from './fixtures';

test('a spectrum, a table and a certificate are drawn as the inspector says', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('cam-follower-358');
  await workbench.runToEnd();
  const form = page.getByTestId('view-inspector');
  const add = async (name: string): Promise<void> => {
    await page.getByTestId('add-plot').click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  const type = async (id: string, value: string): Promise<void> => {
    await form.getByTestId(id).fill(value);
    await form.getByTestId(id).press('Enter');
  };

  await add('Spectrum');
  await page.getByTestId('plot-spectrum').locator('[data-panel-menu]').press('Enter');
  await page.getByTestId('panel-options').press('Enter');
  await form.getByTestId('option-log-x').check();
  await type('option-x-min', '1');
  await type('option-x-max', '100');
  await expect.poll(async () => (await workbench.range('spectrum'))?.xMax).toBe(100);
  expect((await workbench.range('spectrum'))?.xMin).toBe(1);
  await type('option-y-min', '1e-9');
  await expect.poll(async () => Math.round((await workbench.range('spectrum'))!.yMin)).toBe(-9);
  expect(await violationsInBothThemes(page, PLOTS, SIDE)).toEqual([]);

  await add('Table');
  await page.getByTestId('plot-table').locator('[data-panel-menu]').press('Enter');
  await page.getByTestId('panel-options').press('Enter');
  await form.getByTestId('option-format').click();
  await page.getByRole('option', { name: 'Fixed point' }).click();
  await type('option-digits', '3');
  await expect(page.getByTestId('plot-table').getByRole('gridcell').first()).toHaveText(/^-?\d+\.\d{3}$/);
  await form.getByTestId('option-numbers').uncheck();
  await expect(page.getByTestId('plot-table').getByRole('rowheader')).toHaveCount(0);
  await page.getByTestId('undo-button').click();
  await expect(page.getByTestId('plot-table').getByRole('rowheader').first()).toBeVisible();
  expect(await violationsInBothThemes(page, PLOTS, SIDE)).toEqual([]);
});

test('a text is put into a portrait at the pointer, and is in the file', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('cam-follower-358');
  await workbench.runToEnd();
  const surface = page.getByTestId('plot-portrait').getByRole('img').first();
  const box = (await surface.boundingBox())!;
  await surface.focus();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await surface.press('a');
  await page.getByTestId('annotate-text').fill('separation');
  expect(Number(await page.getByTestId('annotate-x').inputValue())).not.toBeNaN();
  expect(await violations(page, DIALOG)).toEqual([]);
  await page.getByTestId('annotate-text').press('Enter');
  await expect(page.getByTestId('annotate')).toHaveCount(0);
  await page.getByTestId('plot-portrait').locator('[data-panel-menu]').press('Enter');
  await page.getByTestId('panel-options').press('Enter');
  await expect(page.getByTestId('annotation-0')).toHaveValue('separation');
  await page.getByTestId('plot-portrait').locator('[data-panel-menu]').press('Enter');
  const waiting = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export as SVG…' }).click();
  expect(await readFile(await (await waiting).path(), 'utf8')).toContain('>separation</text>');
  await page.getByTestId('undo-button').click();
  await expect(page.getByTestId('annotation-0')).toHaveCount(0);
});

test('a right click opens the menu of a plot, and a text stands where that was', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('cam-follower-358');
  await workbench.runToEnd();
  const plot = page.getByTestId('plot-series');
  const surface = plot.getByRole('img').first();
  const box = (await surface.boundingBox())!;
  await page.mouse.click(box.x + 0.3 * box.width, box.y + box.height / 2);
  const range = (await workbench.range('series'))!;
  const noteAt = async (part: number): Promise<number> => {
    await page.mouse.click(box.x + part * box.width, box.y + box.height / 2, { button: 'right' });
    await expect(page.getByRole('menuitem', { name: 'Export as SVG…' })).toBeVisible();
    await page.getByTestId('annotate').click();
    const time = Number(await page.getByTestId('annotate-x').inputValue());
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('annotate-x')).toHaveCount(0);
    return time;
  };
  // Not where the cursor stands that a click has set.
  const [first, second] = [await noteAt(0.4), await noteAt(0.8)];
  expect(second - first).toBeGreaterThan(0.35 * (range.xMax - range.xMin));
  expect(second - first).toBeLessThan(0.6 * (range.xMax - range.xMin));

  // Escape leads back into the plot, and the button opens its menu at itself.
  await page.mouse.click(box.x + 0.5 * box.width, box.y + box.height / 2, { button: 'right' });
  await page.keyboard.press('Escape');
  await expect(surface).toBeFocused();
  await plot.locator('[data-panel-menu]').click();
  const menu = (await page.getByRole('menu').boundingBox())!;
  expect(menu.y).toBeLessThan(box.y + box.height / 2);
  await page.keyboard.press('Escape');
  await expect(plot.locator('[data-panel-menu]')).toBeFocused();
});

test('Shift+wheel over the scale of an axis zooms that axis alone, elsewhere all of them', async ({
  workbench,
}) => {
  const { page } = workbench;
  await workbench.openExample('cam-follower-358');
  await workbench.runToEnd();
  await page.getByTestId('plot-series').locator('.panel-title').click();
  await page.getByTestId('view-inspector').getByTestId('option-axis-lift').click();
  await page.getByRole('option', { name: 'Right', exact: true }).click();
  const { x, y, width, height } = (await page.getByTestId('plot-series').getByRole('img').boundingBox())!;
  const left = async (): Promise<number> => {
    const { yMin, yMax } = (await workbench.range('series'))!;
    return yMax - yMin;
  };
  const wheel = async (at: number): Promise<void> => {
    await page.mouse.move(x + at, y + height / 2);
    await page.keyboard.down('Shift');
    await page.mouse.wheel(0, -300);
    await page.keyboard.up('Shift');
  };
  const whole = await left();
  await wheel(width - 20);
  await expect(page.getByTestId('plot-series').getByRole('button', { name: 'Show all' })).toBeVisible();
  expect(await left()).toBe(whole);
  await wheel(20);
  await expect.poll(left).toBeLessThan(0.9 * whole);
  const zoomed = await left();
  await wheel(width / 2);
  await expect.poll(left).toBeLessThan(0.9 * zoomed);
  expect((await workbench.range('series'))!.xMax).toBe(5);
});
