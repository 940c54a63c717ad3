/**
 * What contacts do, what they take, the certificate over time, and trajectories in space, as panels of a
 * dashboard.
 */
import { readFile } from 'node:fs/promises';
import { PLOTS, violationsInBothThemes } from '../support/axe';
import { takePictures } from '../support/pictures';
import { expect, test } from './fixtures';

test('contacts over time, an energy ledger and the certificate have one time axis and one cursor', async ({
  workbench,
}) => {
  const { page } = workbench;
  await workbench.openExample('rocking-block');
  await workbench.runToEnd();
  await expect.poll(() => workbench.points('energy')).toBeGreaterThan(100);
  await expect.poll(() => workbench.points('certificate')).toBeGreaterThan(100);
  await expect
    .poll(async () => (await workbench.curves('corner-states')).map(({ name }) => name))
    .toEqual(['left', 'right']);

  // Zooming into one zooms into all of them.
  const states = page.getByTestId('plot-corner-states');
  await states.scrollIntoViewIfNeeded();
  await states.getByRole('img').focus();
  await page.keyboard.press('+');
  const { xMin, xMax } = (await workbench.range('corner-states'))!;
  expect(xMax - xMin).toBeCloseTo(6 * 0.7, 6);
  for (const other of ['series', 'energy', 'certificate'])
    expect(await workbench.range(other)).toMatchObject({ xMin, xMax });

  // The problem that the last event has solved: the block has come to rest on both corners.
  await page.getByTestId('add-plot').click();
  await page.getByRole('menuitem', { name: 'One-step problem' }).click();
  const problem = page.locator('[data-testid^=plot-matrix]');
  await expect(problem.getByTestId('plot-remark')).toContainText('8 × 8 · ');

  // The loss of an impact leads there.
  const ledger = page.getByTestId('plot-energy');
  await ledger.scrollIntoViewIfNeeded();
  await ledger
    .getByRole('button', { name: /^Cursor to t = / })
    .first()
    .click();
  await expect(states.getByTestId('plot-mark')).toContainText('0.338');
  await expect(page.getByTestId('plot-certificate').getByTestId('plot-mark')).toContainText('0.338');
  await page.keyboard.press('Control+0');

  // Which contacts are shown is an option of the plot.
  await states.locator('header').click();
  await page.getByTestId('option-interaction-right').uncheck();
  await expect
    .poll(async () => (await workbench.curves('corner-states')).map(({ name }) => name))
    .toEqual(['left']);
  expect(await violationsInBothThemes(page, PLOTS)).toEqual([]);
});

test('an attractor is turned, and where it is seen from can be undone', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('colpitts-oscillator');
  await workbench.runToEnd();
  await expect.poll(() => workbench.points('space')).toBeGreaterThan(1000);
  const plot = page.getByTestId('plot-space');
  await plot.scrollIntoViewIfNeeded();
  const picture = plot.getByRole('img');
  const { x, y, width, height } = (await picture.boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + 50, y + height / 2 + 20, { steps: 4 });
  await page.mouse.up();
  await expect(picture).toHaveAttribute('data-camera', '15.0 30.0 1.00');
  await page.getByTestId('undo-button').click();
  await expect(picture).toHaveAttribute('data-camera', '35.0 22.0 1.00');

  // So does a click in the portrait, where a ring shows the state at the cursor.
  const portrait = page.getByTestId('plot-portrait');
  await portrait.scrollIntoViewIfNeeded();
  const plane = (await portrait.getByRole('img').boundingBox())!;
  await page.mouse.click(plane.x + 0.9 * plane.width, plane.y + 0.3 * plane.height);
  await expect(portrait.getByTestId('plot-spot')).toBeVisible();
  await page.keyboard.press('Control+0');
  await plot.scrollIntoViewIfNeeded();

  // A click on the curve moves the cursor of every plot.
  await page.mouse.click(x + width / 2, y + height / 2 + 10);
  await expect(plot.getByTestId('attractor-mark')).toBeVisible();
  await expect(page.getByTestId('plot-series').getByTestId('plot-mark')).toBeVisible();
  expect(await violationsInBothThemes(page, PLOTS)).toEqual([]);
});

test('powers of a converter: what windings hand on is no loss, and rows that are far apart are said', async ({
  workbench,
}) => {
  const { page } = workbench;
  await workbench.openExample('rcd-snubber');
  await workbench.runToEnd();
  const plot = page.getByTestId(/^plot-/).first();
  await plot.getByRole('button', { name: 'Select a span of time' }).click();
  const { x, y, width } = (await plot.getByRole('img').boundingBox())!;
  await page.mouse.move(x + 0.4 * width, y + 50);
  await page.mouse.down();
  await page.mouse.move(x + 0.7 * width, y + 60, { steps: 4 });
  await page.mouse.up();
  await page.getByRole('button', { name: 'Statistics of the signals in the selection' }).click();
  const powers = page.getByTestId('selection-powers');
  await powers.getByTestId('selection-load').selectOption('R1');
  await expect(powers).toContainText('stored');
  await page.getByTestId('selection-period').fill('2e-5');
  await page.getByTestId('selection-period').press('Enter');
  await expect(powers.getByRole('row', { name: /^R1/ })).toBeVisible();
  // The diode of the snubber conducts for less than the distance of rows.
  const diode = page.getByTestId('selection-numbers').getByRole('row', { name: /^DS\.i/ });
  await expect(diode).toContainText(/0\.04\d* ± 0\.04/);
  // What the transformer takes it hands on: most of what is delivered arrives.
  await expect(powers).toContainText(/efficiency 9\d(?:\.\d+)? %/i);
  expect(await violationsInBothThemes(page, PLOTS)).toEqual([]);
  await takePictures(page, 'powers');
});

test('a span of time is selected by a drag, measured, zoomed to and offered for export', async ({
  workbench,
}) => {
  const { page } = workbench;
  await workbench.openExample('bouncing-ball');
  await workbench.runToEnd();
  await expect.poll(() => workbench.points('series')).toBeGreaterThan(100);
  const series = page.getByTestId('plot-series');
  await series.getByRole('button', { name: 'Select a span of time' }).click();
  const { x, y, width } = (await series.getByRole('img').boundingBox())!;
  await page.mouse.move(x + 0.4 * width, y + 50);
  await page.mouse.down();
  await page.mouse.move(x + 0.7 * width, y + 60, { steps: 4 });
  await page.mouse.up();
  await expect(series.getByTestId('plot-band')).toBeVisible();

  // Ends are typed, too; numbers follow them.
  await page.getByLabel('Start of the selection, s').fill('0');
  await page.getByLabel('Start of the selection, s').press('Enter');
  await page.getByLabel('End of the selection, s').fill('0.4');
  await page.getByLabel('End of the selection, s').press('Enter');
  await expect(page.getByTestId('selection-length')).toHaveText('Δt 0.4 s · 1/Δt 2.5 Hz');
  await page.getByRole('button', { name: 'Statistics of the signals in the selection' }).click();
  // Free fall from 0.9 m: after 0.4 s it has fallen by g·0.4²/2, and on the mean by a third of that.
  const row = page.getByTestId('selection-numbers').getByRole('row', { name: /^ball\.q/ });
  await expect(row.getByRole('cell')).toHaveText([
    ...['0.1152', '0.9', '0.6384', '0.6799'],
    // A fall has a ripple, and no period that a distortion could be of.
    ...['0.7848', '–', '–'],
    ...['-0.7848', '-1.962'],
  ]);
  await row.getByRole('button').first().click();
  await expect(series.getByTestId('plot-mark')).toContainText('0.4');
  expect(await violationsInBothThemes(page, PLOTS)).toEqual([]);

  await page.getByRole('button', { name: 'Zoom to the selection' }).click();
  expect(await workbench.range('series')).toMatchObject({ xMin: 0, xMax: 0.4 });
  await page.getByRole('button', { name: 'Export the selection' }).click();
  await expect(page.getByRole('combobox', { name: 'Span of time' })).toContainText('The selected span');
  await page.locator('#export-data-format').click();
  await page.getByRole('option', { name: /CSV/ }).click();
  const download = page.waitForEvent('download');
  await page.getByTestId('export-data-save').click();
  const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n');
  // A row each millisecond, both ends included.
  expect(lines).toHaveLength(1 + 401);
  expect(Number(lines.at(-1)?.split(',')[0])).toBeCloseTo(0.4, 9);

  // Keys in a plot: the cursor is an end, and Escape takes the selection away before it shows the whole run.
  const plot = series.getByRole('img');
  await plot.click({ position: { x: width / 2, y: 60 } });
  await plot.press(']');
  await expect(page.getByTestId('selection-length')).toContainText('Δt 0.');
  await plot.press('Escape');
  await expect(page.getByTestId('selection-bar')).toBeHidden();
  expect((await workbench.range('series'))!.xMax).toBeCloseTo(0.4, 9);
});
