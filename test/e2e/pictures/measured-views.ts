/** Views that measure: contacts over time, analyses, exports. */
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { openText } from '../support/open-text';
import { command, type View } from './view';

/** Computes an analysis of the model that is open. @param name of the analysis, as its list says it */
async function analyse(page: Page, name: string): Promise<void> {
  const tab = page.getByTestId('tab-analyses');
  // A view before may have hidden the pane.
  if (!(await tab.isVisible())) await page.keyboard.press('Control+j');
  await tab.click();
  await page.getByTestId('analyses-pane').getByRole('button', { name }).first().click();
  // What an earlier window has computed is there.
  const start = page.getByTestId('analysis-start');
  await page.waitForTimeout(1000);
  if (await start.isEnabled()) await start.click();
  await expect(page.getByTestId('analysis-state')).toContainText('done', { timeout: 120_000 });
}

/** What contacts do over time and what they take, beside what the one-step problem is. */
const CONTACT_VIEWS = [
  { type: 'index-sets', id: 'sets', title: 'Index sets' },
  { type: 'energy-ledger', id: 'ledger', title: 'Energy' },
  { type: 'matrix', id: 'matrix', title: 'One-step problem' },
];

export const MEASURED_VIEWS: readonly View[] = [
  {
    name: 'contacts-over-time',
    async show(workbench) {
      const { page } = workbench;
      const text = await readFile('resources/examples/newtons-cradle.moreau.json', 'utf8');
      const model = JSON.parse(text) as Record<string, unknown>;
      await page.keyboard.press('Escape');
      await openText(page, 'contacts.moreau.json', JSON.stringify({ ...model, views: CONTACT_VIEWS }));
      await expect(page.getByTestId('plot-ledger')).toBeVisible();
      await workbench.runToEnd();
      // To the impact that has taken most.
      await page.getByTestId('plot-ledger').locator('table button').first().click();
      await page.waitForTimeout(1000);
    },
  },
  {
    name: 'attractor',
    async show(workbench) {
      const { page } = workbench;
      await workbench.openExample('lorenz');
      await workbench.runToEnd();
      await analyse(page, 'Lyapunov exponents');
      await page.waitForTimeout(500);
    },
  },
  {
    name: 'bifurcations',
    async show(workbench) {
      const { page } = workbench;
      await workbench.openExample('vibrating-table');
      await analyse(page, 'Bifurcation diagram');
      await analyse(page, 'Orbit of one impact a period');
      await page.waitForTimeout(500);
    },
  },
  {
    name: 'basins',
    async show(workbench) {
      const { page } = workbench;
      await workbench.openExample('impact-oscillator-basins');
      await analyse(page, 'Basins');
      await page.waitForTimeout(500);
    },
  },
  {
    name: 'figure',
    async show(workbench) {
      const { page } = workbench;
      await workbench.openExample('cam-follower-event-driven-358');
      await workbench.runToEnd();
      await command(page, 'Export figure');
      await expect(page.getByRole('dialog')).toBeVisible();
      await page.waitForTimeout(1000);
    },
  },
  {
    name: 'export-data',
    async show(workbench) {
      const { page } = workbench;
      await page.keyboard.press('Escape');
      await command(page, 'Export data');
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
];
