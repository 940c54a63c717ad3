import { expect, test } from './fixtures';
import { DIALOG, LOWER, MODEL, PAGE, SIDE, violationsInBothThemes } from '../support/axe';

test('every view is accessible in both themes', async ({ workbench }) => {
  // The first analysis walks the whole window, some seconds on a slow machine; the others what has come
  // since.
  test.slow();
  const { page } = workbench;
  const check = async (...parts: string[]): Promise<void> => {
    expect(await violationsInBothThemes(page, ...parts)).toEqual([]);
  };
  await workbench.openExample('cam-follower-358');
  await workbench.runToEnd();
  await check(PAGE);
  await page.getByTestId('graph-node-cam').click();
  await check(SIDE);
  await workbench.openScript();
  await check(MODEL);
  await page.getByTestId('tab-problems').click();
  await check(LOWER);
  await page.keyboard.press('Control+Shift+P');
  await expect(page.getByTestId('command-palette')).toBeVisible();
  await check(DIALOG);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Shift+O');
  await expect(page.getByTestId('example-bouncing-ball')).toBeVisible();
  await check(DIALOG);
});

test('zooming is kept while a run streams in', async ({ workbench }) => {
  // The run takes one core and drawing without a graphics card the other.
  test.slow();
  const { page } = workbench;
  await workbench.openExample('cam-follower-660');
  await page.getByTestId('simulation-settings').click();
  // Long enough not to end before it has been looked at, however slowly the window is drawn.
  await page.getByTestId('field-h').locator('input').fill('1e-8');
  await workbench.run();
  await page.getByTestId('answer-run').click();
  await expect.poll(() => workbench.points('series')).toBeGreaterThan(200);
  const box = (await page.getByTestId('plot-series').locator('canvas').first().boundingBox())!;
  await page.mouse.move(box.x + box.width / 4, box.y + box.height / 2);
  for (let i = 0; i < 4; i++) await page.mouse.wheel(0, -300);
  await expect
    .poll(async () => {
      const range = await workbench.range('series');
      return range === null ? 1 : range.xMax - range.xMin;
    })
    .toBeLessThan(3);
  const zoomed = (await workbench.range('series'))!;
  const rows = await workbench.points('series');
  expect(rows).toBeGreaterThan(0);
  // The bar, not its number: a percent of this run may take a minute.
  const progress = page.locator('[role="progressbar"] .filled').first();
  const before = (await progress.getAttribute('style'))!;
  await expect(progress).not.toHaveAttribute('style', before);
  const later = (await workbench.range('series'))!;
  expect(later.xMin).toBeCloseTo(zoomed.xMin, 9);
  expect(later.xMax).toBeCloseTo(zoomed.xMax, 9);
  await page.getByTestId('cancel-button').click();
});

test('a model of a builder script with two thousand elements opens and runs', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('bead-column');
  await workbench.setParameter('N', '1000');
  // The map stands where something of the drawing is out of sight.
  const stage = (await page.getByTestId('graph-stage').boundingBox())!;
  await page.mouse.move(stage.x + 0.5 * stage.width, stage.y + 0.5 * stage.height);
  await expect(async () => {
    await page.mouse.wheel(0, -240);
    await expect(page.getByTestId('graph-map')).toBeVisible({ timeout: 500 });
  }).toPass();
  await workbench.runToEnd();
  await expect.poll(() => workbench.drawnTo('series', 'contact0.impulse')).toBeCloseTo(1, 6);
  const { y } = await workbench.curve('series', 'contact0.impulse');
  // 1000 beads of 1 kg over one step of 5 ms
  expect(y.at(-1)! / (1000 * 9.81 * 5e-3)).toBeCloseTo(1, 9);
});
