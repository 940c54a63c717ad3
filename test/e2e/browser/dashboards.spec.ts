import { readFile } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import { PLOTS, SIDE, violationsInBothThemes } from '../support/axe';
import { openText } from '../support/open-text';
import { expect, test } from './fixtures';

test('panels are docked by mouse and by keyboard, on several dashboards, and the file keeps them', async ({
  workbench,
}) => {
  test.slow();
  const { page } = workbench;
  const { keyboard, mouse } = page;
  await workbench.openExample('cam-follower-358');
  await workbench.runToEnd();
  const series = page.getByTestId('plot-series');
  const portrait = page.getByTestId('plot-portrait');
  const box = async (of: Locator) => (await of.boundingBox())!;
  const isBeside = async () => (await box(portrait)).x > (await box(series)).x + 50;
  const undo = page.getByTestId('undo-button');

  // A zoom is no matter of where the panel stands.
  await series.getByRole('img').focus();
  await keyboard.press('+');
  // Of the time: the other axis follows what is seen, which comes a moment later in all its points.
  const span = async (): Promise<unknown> => {
    const range = await workbench.range('series');
    return range === null ? null : [range.xMin, range.xMax];
  };
  const zoomed = await span();

  // By mouse: to the right side of everything, given up once.
  const board = await box(page.getByTestId('board'));
  const drag = async (panel: Locator, x: number, y: number): Promise<void> => {
    const head = await box(panel.locator('.panel-header .panel-title').first());
    await mouse.move(head.x + 5, head.y + 5);
    await mouse.down();
    await mouse.move(x, y, { steps: 4 });
  };
  await drag(portrait, board.x + board.width - 6, board.y + board.height / 2);
  await expect(page.getByTestId('drop-place')).toBeVisible();
  await keyboard.press('Escape');
  await mouse.up();
  expect(await isBeside()).toBe(false);
  await expect(undo).toBeDisabled();
  await drag(portrait, board.x + board.width - 6, board.y + board.height / 2);
  await mouse.up();
  await expect.poll(isBeside).toBe(true);
  expect(await span()).toEqual(zoomed);

  // The border, by keys and by mouse: each a step.
  const border = page.getByTestId('board').getByRole('separator');
  const width = (await box(series)).width;
  await border.focus();
  await keyboard.press('ArrowLeft');
  await keyboard.press('ArrowLeft');
  await expect.poll(async () => (await box(series)).width).toBeLessThan(width - 10);
  const line = await box(border);
  await mouse.move(line.x, line.y + 200);
  await mouse.down();
  await mouse.move(line.x + 80, line.y + 200, { steps: 3 });
  await mouse.up();
  await expect.poll(async () => (await box(series)).width).toBeGreaterThan(width + 10);
  expect(await violationsInBothThemes(page, PLOTS)).toEqual([]);

  // By keyboard: into the tabs of the other, and between them.
  await portrait.locator('[data-panel-menu]').focus();
  await keyboard.press('Enter');
  await page.getByTestId('panel-move').press('ArrowRight');
  await page.getByTestId('panel-into-series').press('Enter');
  await expect(page.getByTestId('panel-tab-portrait')).toHaveAttribute('aria-selected', 'true');
  await expect(series).toBeHidden();
  await page.getByTestId('panel-tab-portrait').focus();
  await keyboard.press('ArrowLeft');
  await expect(page.getByTestId('panel-tab-series')).toBeFocused();
  await expect(series).toBeVisible();
  const tabs = page.getByTestId('board').getByRole('tab');
  await expect(tabs.first()).toHaveAttribute('data-tab-of', 'series');
  await keyboard.press('Alt+ArrowRight');
  await expect(tabs.first()).toHaveAttribute('data-tab-of', 'portrait');
  await expect(page.getByTestId('panel-tab-series')).toBeFocused();
  const goal = await box(tabs.first());
  const from = await box(tabs.last());
  await mouse.move(from.x + 8, from.y + 8);
  await mouse.down();
  await mouse.move(goal.x + 8, goal.y + 8, { steps: 3 });
  await mouse.up();
  await expect(tabs.first()).toHaveAttribute('data-tab-of', 'series');
  expect(await violationsInBothThemes(page, PLOTS)).toEqual([]);

  // A second dashboard, whose plots are its own; another view is moved there.
  await page.getByTestId('add-plot').click();
  await page.getByTestId('new-dashboard').click();
  await page.getByTestId('add-plot').click();
  await page.getByRole('menuitem', { name: 'Spectrum' }).click();
  await expect(page.getByTestId('plot-spectrum')).toBeVisible();
  await expect(series).toBeHidden();
  await page.getByTestId('dashboard-dashboard-2').press('F2');
  await page.getByTestId('rename-view').getByRole('textbox').fill('Frequencies');
  await keyboard.press('Enter');
  await expect(page.getByTestId('dashboard-dashboard-2')).toHaveText('Frequencies');
  await page.getByTestId('dashboard-dashboard').click();
  await series.locator('[data-panel-menu]').click();
  await page.getByTestId('panel-move').press('ArrowRight');
  await page.getByTestId('panel-to-dashboard-2').press('Enter');
  await expect(portrait).toBeVisible();
  await page.getByTestId('dashboard-dashboard').press('ArrowRight');
  await expect(series).toBeVisible();
  expect(await violationsInBothThemes(page, PLOTS)).toEqual([]);

  // Both fill the dashboard in turn.
  await series.locator('.panel-title').dblclick();
  await expect(page.getByTestId('plot-spectrum')).toBeHidden();
  await page.getByRole('button', { name: 'Restore plots' }).click();
  await expect(page.getByTestId('plot-spectrum')).toBeVisible();

  // Saved and opened again.
  const waiting = page.waitForEvent('download');
  await keyboard.press('Control+s');
  const saved = await readFile(await (await waiting).path(), 'utf8');
  expect(JSON.parse(saved)).toMatchObject({
    dashboards: [
      { id: 'dashboard', layout: { tabs: ['portrait'] } },
      { id: 'dashboard-2', title: 'Frequencies' },
    ],
  });
  await openText(page, 'again.moreau.json', saved.replace('Cam-follower at 358 rpm', 'Again'));
  await expect(page.getByTestId('document-title')).toHaveText('Again');
  await expect(portrait).toBeVisible();
  await page.getByTestId('dashboard-dashboard-2').click();
  await expect(page.getByTestId('plot-spectrum')).toBeVisible();
  await expect(series).toBeVisible();
  await page.getByTestId('tab-0').click();

  // Removed with its plots, and everything undone.
  await page.getByTestId('dashboard-dashboard-2').press('Delete');
  await expect(page.getByTestId('dashboards')).toHaveCount(0);
  await undo.click();
  await expect(page.getByTestId('dashboard-dashboard-2')).toBeVisible();
  for (let steps = 0; steps < 20 && (await undo.isEnabled()); steps++) await undo.click();
  await expect(undo).toBeDisabled();
  await expect(page.getByTestId('dashboards')).toHaveCount(0);
  await expect.poll(isBeside).toBe(false);
});

test('how plots are drawn is chosen in the inspector, and said where it cannot be', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('cam-follower-358');
  await workbench.runToEnd();
  const form = page.getByTestId('view-inspector');
  await page.getByTestId('plot-series').locator('.panel-title').click();
  await expect(form.getByTestId('view-title')).toHaveValue('Follower and cam');
  await form.getByTestId('option-axis-lift').click();
  await page.getByRole('option', { name: 'Right', exact: true }).click();
  const top = form.getByTestId('option-axis-0-max');
  await top.fill('high');
  await top.press('Enter');
  await expect(form.getByText('Enter a number, or leave the field empty.')).toBeVisible();
  await top.fill('2');
  await top.press('Enter');
  await expect.poll(async () => (await workbench.range('series'))?.yMax).toBe(2);
  await form.getByTestId('option-axis-0-min').fill('3');
  await form.getByTestId('option-axis-0-min').press('Enter');
  await expect(form.getByText('it begins at 3')).toBeVisible();
  await page.getByTestId('undo-button').click();
  await form.getByTestId('add-annotation').click();
  await form.getByTestId('annotation-0').fill('settles');
  await form.getByTestId('annotation-0').press('Tab');
  await form.getByTestId('option-legend').click();
  await page.getByRole('option', { name: 'Among the curves' }).click();
  await expect(page.getByTestId('plot-series').getByRole('list', { name: 'Signals shown' })).toHaveCount(0);
  expect(await violationsInBothThemes(page, PLOTS, SIDE)).toEqual([]);

  // By keyboard, of the portrait.
  await page.getByTestId('plot-portrait').locator('[data-panel-menu]').press('Enter');
  await page.getByTestId('panel-options').press('Enter');
  await form.getByTestId('option-x-max').fill('0.3');
  await form.getByTestId('option-x-max').press('Enter');
  await expect.poll(async () => (await workbench.range('portrait'))?.xMax).toBe(0.3);
  await form.getByTestId('option-equal').check();
  await expect
    .poll(async () => {
      const { xMin, xMax } = (await workbench.range('portrait'))!;
      return xMax - xMin;
    })
    .toBeGreaterThan(10);
  expect(await violationsInBothThemes(page, PLOTS, SIDE)).toEqual([]);

  // All of it as one file, laid out as on the screen.
  const save = async (format: string): Promise<Buffer> => {
    await page.keyboard.press('Control+Shift+P');
    const palette = page.getByTestId('command-palette');
    await palette.locator('input').fill(`Export dashboard as ${format}`);
    await expect(palette.getByRole('option').first()).toContainText(format);
    const waiting = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    return readFile(await (await waiting).path());
  };
  const board = await page
    .locator('[data-board]')
    .evaluate((element) => ({ width: element.clientWidth, height: element.clientHeight }));
  const svg = (await save('SVG')).toString('utf8');
  expect(svg).toMatch(new RegExp(`^<svg [^>]*width="${board.width}" height="${board.height}"`));
  expect(svg.match(/<g transform="translate\(0 \d+\)">/g)).toHaveLength(2);
  expect(svg).toContain('>settles</text>');
  const png = await save('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([3 * board.width, 3 * board.height]);
  expect((await save('PDF')).subarray(0, 5).toString()).toBe('%PDF-');
});
