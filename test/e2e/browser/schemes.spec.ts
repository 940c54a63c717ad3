import type { Page } from '@playwright/test';
import type { Workbench } from '../support/workbench';
import { expect, test } from './fixtures';
import { FLOATING, LOWER, PAGE, PLOTS, violationsInBothThemes } from '../support/axe';

/** End of the bouncing of a ball that is dropped from 0.9 m with e = 0.9: √(2H/g) (1 + e)/(1 − e), s. */
const REST = Math.sqrt((2 * 0.9) / 9.81) * (1.9 / 0.1);
/** Its first two impacts, s. */
const FIRST = Math.sqrt((2 * 0.9) / 9.81);
const SECOND = FIRST * (1 + 2 * 0.9);

async function runBall(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  await workbench.openExample('bouncing-ball');
  await page.getByTestId('status-scheme').click();
  const card = page.getByTestId('scheme-time-stepping');
  await card.focus();
  // A card that takes the focus is chosen in the next turn, and only while the key is down.
  await page.keyboard.down('ArrowRight');
  await expect(page.getByTestId('scheme-event-driven')).toBeChecked();
  await page.keyboard.up('ArrowRight');
  await expect(page.getByTestId('status-scheme')).toContainText('Event-driven');
  await workbench.runToEnd();
}

const accessible = async (page: Page, ...parts: string[]): Promise<void> => {
  expect(await violationsInBothThemes(page, ...parts)).toEqual([]);
};

test('a ball bounces from event to event, and the limit of its impacts is a number with an error bar', async ({
  workbench,
}) => {
  const { page } = workbench;
  await runBall(workbench);
  await page.getByTestId('certificate-badge').click();
  const zeno = page.getByTestId('zeno-times');
  await expect(zeno).toContainText('floor');
  const [, time, error] = /([\d.]+) ± ([\d.e-]+) s/.exec((await zeno.textContent()) ?? '') ?? [];
  expect(Number(error)).toBeLessThan(1e-6);
  expect(Math.abs(Number(time) - REST)).toBeLessThanOrEqual(Number(error));
  await expect(page.getByTestId('certificate')).toContainText('Penetration');
  await page.getByTestId('show-events').click();
  await expect(page.getByTestId('events-pane')).toBeVisible();
});

test('an event leads to its place in the plots; both values of the jump are drawn', async ({ workbench }) => {
  const { page } = workbench;
  await runBall(workbench);
  await page.getByTestId('tab-events').click();
  const rows = page.getByTestId('event-row');
  await expect(rows.first()).toContainText('impact');
  await rows.nth(1).click();
  await expect(page.getByTestId('plot-mark').first()).toContainText(`t = ${SECOND.toPrecision(6)} s`);
  await expect(page.getByTestId('graph-node-floor')).toHaveClass(/chosen/);
  await page.getByTestId('event-grid').focus();
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.press('Shift+Enter');
  await expect
    .poll(async () => {
      const range = await workbench.range('series');
      return range === null ? Infinity : range.xMax - range.xMin;
    })
    .toBeCloseTo(0.01, 6);
  await expect
    .poll(async () => {
      const { x } = await workbench.curve('series', 'energy');
      return x.filter((t) => Math.abs(t - SECOND) < 1e-9).length;
    })
    .toBe(2);
  // Energy falls by the factor e² at the instant, without a slope.
  const { x, y } = await workbench.curve('series', 'energy');
  const at = x.findIndex((t) => Math.abs(t - SECOND) < 1e-9);
  expect(y[at + 1] / y[at]).toBeCloseTo(0.81, 9);

  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('plot-mark').first()).toBeVisible();
  await page.getByTestId('events-kind').click();
  await page.getByRole('option', { name: 'accumulation' }).click();
  await expect(page.getByTestId('events-count')).toContainText('1 of');
  await expect(rows).toHaveCount(1);
});

test('both schemes on one model: differences, orders and impact times', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('bouncing-ball');
  await page.getByTestId('run-more').click();
  await page.locator('[data-command="run.compareSchemes"]').click();
  await page.getByTestId('comparison-start').click();
  const table = page.getByTestId('error-table');
  await expect(table).toBeVisible();
  const row = table.getByRole('row', { name: /^ball\.q/ });
  const cells = await row.getByRole('cell').allTextContents();
  const errors = cells.slice(0, 3).map(Number);
  expect(errors[0] / errors[2]).toBeGreaterThan(2.5);
  const orders = cells[3].trim().split(/\s+/).map(Number);
  for (const order of orders) expect(Math.abs(order - 1)).toBeLessThan(0.3);
  await expect(page.getByTestId('convergence').getByRole('img')).toHaveAttribute(
    'aria-label',
    /ball\.q: p = /,
  );
  await expect(page.getByTestId('impact-table')).toContainText('floor.impulse');
  // The event-driven run, with the coarsest of the others behind it.
  await expect.poll(async () => (await workbench.curves('series')).length).toBe(4);
  await page.getByTestId('comparison-measure').click();
  await page.getByRole('option', { name: 'Impact times' }).click();
  await expect(table.getByRole('row', { name: /^floor\.impulse/ })).toBeVisible();
});

test('a signal that a scheme has not is reported, not left out in silence', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('bouncing-ball');
  await page.keyboard.press('Control+Alt+Enter');
  await expect(workbench.status).toHaveText('Done');
  await page.getByTestId('signal-picker').first().click();
  await page.getByRole('option', { name: /floor\.lambda/ }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('plot-remark')).toHaveCount(0);
  await workbench.runToEnd();
  await expect(page.getByTestId('plot-remark')).toContainText('Time-stepping does not provide floor.lambda');
});

test('settings, events and comparison are accessible in both themes', async ({ workbench }) => {
  test.slow();
  const { page } = workbench;
  await runBall(workbench);
  await accessible(page, PAGE);
  await page.getByTestId('certificate-badge').click();
  await expect(page.getByTestId('zeno-times')).toBeVisible();
  await accessible(page, FLOATING);
  await page.keyboard.press('Escape');
  await page.getByTestId('tab-events').click();
  await page.getByTestId('event-row').nth(2).click();
  await page.getByTestId('mark-events').click();
  await accessible(page, LOWER, PLOTS);
  await page.getByTestId('tab-comparison').click();
  await page.getByTestId('comparison-start').click();
  await expect(page.getByTestId('impact-table')).toBeVisible();
  await accessible(page, LOWER, PLOTS);
});
