/** What surrounds the model: settings, shortcuts, notifications, help, zoom, layout and palette. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { violations } from '../support/axe';

async function expectAccessible(page: Page, part: string): Promise<void> {
  expect(await violations(page, part)).toEqual([]);
}

test('settings and shortcuts are changed, hold at once and after a reload', async ({ workbench }) => {
  const { page } = workbench;
  await page.keyboard.press('Control+,');
  await expectAccessible(page, '.dialog');
  await page.getByTestId('setting-appearance.theme').getByRole('combobox').click();
  await page.getByRole('option', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByTestId('setting-appearance.theme')).toContainText('Changed from Follow the system');
  const digits = page.getByTestId('setting-appearance.digits').getByRole('spinbutton');
  await digits.fill('99');
  await digits.press('Enter');
  await expect(page.getByTestId('setting-appearance.digits').getByRole('alert')).toContainText('3 to 12');

  await page.getByTestId('settings-keyboard').click();
  await page.getByTestId('keys-search').fill('topology');
  const row = page.getByTestId('keys-view.topology');
  await row.getByTestId('keys-add').click();
  await page.keyboard.press('Control+S');
  await expect(row).toContainText('used by “Save”');
  await page.keyboard.press('Control+T');
  await expect(row).toContainText('The browser reserves');
  await page.keyboard.press('F7');
  await expect(row).toContainText('F7');
  await expectAccessible(page, '.dialog');
  await page.keyboard.press('Escape');
  await page.keyboard.press('F7');
  await expect(page.getByTestId('tab-topology')).toHaveAttribute('data-state', 'active');

  await page.reload();
  await workbench.ready();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.keyboard.press('F7');
  await expect(page.getByTestId('tab-topology')).toHaveAttribute('data-state', 'active');
});

test('the window zooms, takes a layout, lets a pane fill it, and keeps that', async ({ workbench }) => {
  const { page } = workbench;
  const runButton = page.getByTestId('run-button');
  const before = (await runButton.boundingBox())!.height;
  await page.keyboard.press('Control+=');
  await expect(page.getByTestId('status-zoom')).toContainText('110 %');
  expect((await runButton.boundingBox())!.height).toBeGreaterThan(1.05 * before);
  await page.getByTestId('status-zoom').click();
  await expect(page.getByTestId('status-zoom')).toContainText('100 %');

  await page.getByTestId('layout-menu').click();
  await page.getByTestId('layout-presenting').click();
  await expect(page.getByTestId('tab-graph')).toBeHidden();
  await page.keyboard.press('Control+Shift+M');
  await expect(page.getByTestId('problems-list')).toBeVisible();
  await page.reload();
  await workbench.ready();
  await expect(page.getByTestId('tab-graph')).toBeHidden();

  await page.getByTestId('layout-menu').click();
  await page.getByRole('menuitem', { name: 'Reset layout' }).click();
  const pane = page.locator('[data-pane=plots]');
  const width = (await pane.boundingBox())!.width;
  await pane.locator('.panel-header h2').first().dblclick();
  await expect.poll(async () => (await pane.boundingBox())!.width).toBeGreaterThan(2 * width);
  await page.keyboard.press('Control+Alt+M');
  await expect.poll(async () => (await pane.boundingBox())!.width).toBeCloseTo(width, 0);
  await expectAccessible(page, 'footer');
});

test('help is searched, read, and acts; notifications are kept; the palette knows what ran', async ({
  workbench,
}) => {
  const { page } = workbench;
  await page.keyboard.press('F1');
  const help = page.getByTestId('help');
  await expect(help.getByRole('heading', { name: 'Help', exact: true })).toBeVisible();
  await expectAccessible(page, '[data-testid=help]');
  await page.getByTestId('help-search').fill('ideal diodes');
  await page.getByTestId('help-hit').filter({ hasText: 'A circuit with ideal diodes' }).click();
  await expect(help.locator('.katex').first()).toBeVisible();
  await help.getByRole('link', { name: 'the law' }).click();
  await expect(help.getByRole('heading', { name: 'Complementarity', exact: true })).toBeInViewport();
  await page.getByTestId('help-back').click();
  await help.getByRole('link', { name: 'Open the example “Diode bridge”' }).click();
  await expect(page.getByTestId('document-title').first()).toContainText('Diode bridge');
  await expectAccessible(page, '[data-testid=help]');
  await help.getByRole('button', { name: 'Close', exact: true }).click();

  await page.getByTestId('notice-bell').click();
  await expect(page.getByTestId('notice-centre')).toBeVisible();
  await expectAccessible(page, '[data-testid=notice-centre]');
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+Shift+P');
  const first = page.getByTestId('command-palette').getByRole('option').first();
  await expect(first).toContainText('Help');
  await expect(page.getByTestId('command-palette').getByRole('option', { name: /Undo/ })).toContainText(
    'unavailable now',
  );
});
