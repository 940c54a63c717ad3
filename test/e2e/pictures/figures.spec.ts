/**
 * Takes the pictures of docs/figures.md of the window: the cam-follower by both schemes, in both themes. A
 * program, not a test: `npm run pictures`.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { timeSeriesMargins } from '@views/time-series/drawing';
import { expect, test } from '../browser/fixtures';
import type { Workbench } from '../support/workbench';
import { command } from './view';

const FOLDER = 'docs/images/figures';
const MAP_POINTS = 1e5;
const TRANSIENT = 100;

await mkdir(FOLDER, { recursive: true });
test.use({ trace: 'off', viewport: { width: 1600, height: 1000 } });

async function set({ page }: Workbench, field: 'tEnd' | 'h', value: string): Promise<void> {
  await page.getByTestId('simulation-settings').click();
  const input = page.getByTestId(`field-${field}`).locator('input');
  await input.fill(value);
  await input.press('Enter');
}

async function photograph({ page }: Workbench, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.mouse.move(0, 0);
    await page.waitForTimeout(1500);
    await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}.png`), animations: 'disabled' });
  }
}

/** Both schemes, the newer run over the older one. */
async function runBoth(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  await workbench.run();
  await expect(workbench.status).toHaveText('Done', { timeout: 300_000 });
  await page.getByTestId('status-scheme').click();
  await page.getByTestId('scheme-event-driven').check();
  await workbench.run();
  await expect(page.getByTestId('run-list').locator('li')).toHaveCount(2);
  await expect(workbench.status).toHaveText('Done', { timeout: 300_000 });
}

/** Selects a span of time by dragging over it, and shows nothing else of the plots over time. */
async function show({ page }: Workbench, view: string, from: number, until: number): Promise<void> {
  const plot = page.getByTestId(`plot-${view}`);
  await plot.getByRole('button', { name: 'Select a span of time' }).click();
  const range = await page.evaluate((id) => window.__moreauPlots?.[id]?.range() ?? null, view);
  const box = await plot.locator('canvas').first().boundingBox();
  if (range === null || box === null) throw new Error('no plot');
  const { left, right } = timeSeriesMargins(1);
  const at = (t: number): number =>
    box.x + left + ((t - range.xMin) / (range.xMax - range.xMin)) * (box.width - left - right);
  await page.mouse.move(at(from), box.y + 0.3 * box.height);
  await page.mouse.down();
  await page.mouse.move(at(until), box.y + 0.4 * box.height, { steps: 4 });
  await page.mouse.up();
  await command(page, 'Zoom plots to the selected time');
}

for (const { rpm, end, from, until } of [
  { rpm: 358, end: 20, from: 18.5, until: 20 },
  { rpm: 660, end: 20, from: 0, until: 2.2 },
  { rpm: 700, end: 10, from: 9, until: 10 },
])
  test(`time series and state space at ${rpm} rpm`, async ({ workbench }) => {
    test.setTimeout(600_000);
    const { page } = workbench;
    await workbench.openExample(`cam-follower-${rpm}`);
    await set(workbench, 'tEnd', String(end));
    await runBoth(workbench);
    await command(page, 'Layout: running');
    await page.waitForTimeout(500);
    await show(workbench, 'series', from, until);
    await photograph(workbench, `cam-${rpm}`);
  });

for (const scheme of ['event-driven', 'time-stepping'] as const)
  test(`maps at 660 rpm, ${scheme}`, async ({ workbench }) => {
    test.setTimeout(900_000);
    const { page } = workbench;
    await workbench.openExample('cam-follower-maps-660');
    await workbench.setParameter('revolutions', String(MAP_POINTS + TRANSIENT));
    if (scheme === 'time-stepping') await set(workbench, 'h', '1e-4');
    await page.getByTestId('status-scheme').click();
    await page.getByTestId(`scheme-${scheme}`).check();
    await workbench.run();
    await expect(workbench.status).toHaveText('Done', { timeout: 800_000 });
    await command(page, 'Layout: running');
    await photograph(workbench, `maps-660-${scheme}`);
  });
