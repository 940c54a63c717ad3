import { PLOTS, SIDE, violationsInBothThemes } from '../support/axe';
import { expect, test } from './fixtures';

test('sections are taken without a trajectory, looked into, and trajectories start from them by mouse and by keyboard', async ({
  workbench,
}) => {
  test.slow();
  const { page } = workbench;
  await workbench.openExample('cam-follower-maps-660');
  await workbench.setParameter('revolutions', '3100');
  await workbench.runToEnd();
  const plot = page.getByTestId('plot-strobe');
  await expect(plot.getByTestId('decimation')).toHaveText(/3000|3001|3 k/);
  await expect.poll(() => workbench.points('strobe')).toBeGreaterThanOrEqual(3000);
  await expect(page.getByText('2 rows recorded')).toBeVisible();

  // What is zoomed into is asked for again: of the points, those in view.
  const surface = plot.getByRole('img');
  const box = await surface.boundingBox();
  if (box === null) throw new Error('no plot');
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 0.4 * box.height);
  await page.mouse.wheel(0, -600);
  await expect.poll(() => workbench.points('strobe')).toBeLessThan(2500);
  await plot.getByRole('button', { name: 'Show all' }).click();

  // A double click shows all and starts nothing; a click offers to start a trajectory there.
  const rows = page.getByTestId('run-list').locator('li');
  const runs = await rows.count();
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 0.4 * box.height);
  await page.mouse.wheel(0, -600);
  await expect(plot.getByRole('button', { name: 'Show all' })).toBeVisible();
  await page.mouse.dblclick(box.x + 0.5 * box.width, box.y + 0.4 * box.height);
  await expect(plot.getByRole('button', { name: 'Show all' })).toBeHidden();
  await expect(plot.getByTestId('start-here')).toBeHidden();
  await page.mouse.click(box.x + 0.5 * box.width, box.y + 0.4 * box.height);
  await expect(plot.getByRole('group', { name: 'Start of a run' })).toContainText(/follower\.q = /);
  expect(await violationsInBothThemes(page, PLOTS)).toEqual([]);
  await plot.getByRole('button', { name: 'Do not start' }).click();
  await page.mouse.click(box.x + 0.5 * box.width, box.y + 0.4 * box.height);
  expect(await rows.count()).toBe(runs);
  await plot.getByTestId('start-here').click();
  await expect(plot.getByTestId('start-here')).toBeHidden();
  await expect(page.getByTestId('run-list').getByText(/^From follower\.q = /)).toBeVisible();
  await expect(workbench.status).toHaveText('Done');
  await plot.getByRole('button', { name: 'Plot menu' }).focus();
  await page.keyboard.press('Enter');
  await page.getByTestId('section-distance').click();
  await expect(plot.getByTestId('plot-remark')).toHaveText(
    /Hausdorff distance from Run \d+.*: 0\.\d+ of the extents/,
  );

  // The same by keyboard, at values that are typed.
  await plot.getByRole('button', { name: 'Plot menu' }).focus();
  await page.keyboard.press('Enter');
  await page.getByTestId('start-at-point').focus();
  await page.keyboard.press('Enter');
  await page.locator('#start-point-0').fill('0.31');
  await page.locator('#start-point-1').fill('-12.5');
  await page.keyboard.press('Enter');
  await expect(
    page.getByTestId('run-list').getByText('From follower.q = 0.31, follower.v = -12.5'),
  ).toBeVisible();
  await expect(workbench.status).toHaveText('Done');

  // Sections are settings of the simulation, and adding one is an edit like others.
  await page.getByTestId('simulation-settings').click();
  await page.getByTestId('add-section').click();
  const added = page.getByRole('heading', { name: 'Section impact', exact: true });
  await expect(added).toBeVisible();
  expect(await violationsInBothThemes(page, SIDE)).toEqual([]);
  await page.keyboard.press('Control+z');
  await expect(added).toBeHidden();
});
