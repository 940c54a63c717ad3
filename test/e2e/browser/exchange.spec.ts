/** Explanations are read, data come in and force a run, models go out. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { DIALOG, violations, violationsInBothThemes } from '../support/axe';

async function command(page: Page, title: string): Promise<void> {
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type(title);
  await page.keyboard.press('Enter');
}

test('examples are found, explained and opened, accessibly in both themes', async ({ workbench }) => {
  const { page } = workbench;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.keyboard.press('Control+Shift+O');
  await page.getByTestId('gallery-search').fill('painleve');
  await expect(page.getByTestId('example-painleve-rod')).toBeVisible();
  await expect(page.getByTestId('example-bouncing-ball')).toBeHidden();
  await page.getByTestId('gallery-search').fill('');
  await page.getByTestId('topic-circuits').click();
  await expect(page.getByTestId('example-bouncing-ball')).toBeHidden();
  expect(await violationsInBothThemes(page, DIALOG)).toEqual([]);
  await page.getByTestId('explain-diode-bridge').click();
  const explained = page.getByTestId('example-page');
  await expect(explained.getByRole('heading', { name: 'What to try' })).toBeVisible();
  await expect(explained.locator('.katex').first()).toBeVisible();
  expect(await violationsInBothThemes(page, DIALOG)).toEqual([]);
  await page.getByTestId('gallery-open').click();
  await expect(page.getByTestId('document-title')).toContainText('Diode bridge');
  await command(page, 'About this model');
  await expect(page.getByTestId('example-page')).toContainText('four ideal diodes');
});

test('a table of data becomes a script of the model, as one step that can be undone', async ({
  workbench,
}) => {
  const { page } = workbench;
  await workbench.openExample('bouncing-ball');
  const rows = Array.from(
    { length: 101 },
    (_, i) => `${(i / 10).toFixed(1).replace('.', ',')};${i % 2 === 0 ? '-9,81' : '-9,8'}`,
  );
  const chooser = page.waitForEvent('filechooser');
  await command(page, 'Import data');
  await (
    await chooser
  ).setFiles({
    name: 'lift.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`Zeit [s];Kraft [N]\n${rows.join('\r\n')}\nlast;1`),
  });
  await expect(page.getByTestId('import-data-notes')).toContainText('“last” is not a number');
  await page.locator('#data-role').click();
  await page.getByRole('option', { name: 'External force' }).click();
  expect(await violations(page, DIALOG)).toEqual([]);
  await page.getByTestId('import-data-go').click();
  await expect(page.getByTestId('import-data')).toBeHidden();
  const tab = page.getByRole('button', { name: 'data-lift.ts', exact: true });
  await expect(tab).toBeVisible();
  await workbench.runToEnd();
  await command(page, 'Undo');
  await expect(tab).toBeHidden();
});

test('a CSV file that is dropped becomes a table, which a force follows', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('bouncing-ball');
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(
      new File(['t [s],F [N]\n0,-9.81\n1,-9.7\n2,-9.81\n'], 'lift.csv', { type: 'text/csv' }),
    );
    return transfer;
  });
  await page.locator('.window').dispatchEvent('drop', { dataTransfer: data });
  await expect(page.getByTestId('import-data')).toBeVisible();
  expect(await violations(page, DIALOG)).toEqual([]);
  await page.getByTestId('import-data-go').click();
  const tables = page.getByTestId('tables');
  await expect(tables.getByRole('img')).toHaveAttribute('aria-label', /^lift: 3 points from 0 to 2/);
  expect(await violations(page, '[data-testid="tables"]')).toEqual([]);
  await tables.getByLabel('Name of the table').fill('wind');
  await tables.getByLabel('Name of the table').press('Enter');
  await tables.getByLabel('Name of the table').blur();
  await expect(tables.getByRole('img')).toHaveAttribute('aria-label', /^wind/);
  await command(page, 'Undo');
  await expect(tables.getByRole('img')).toHaveAttribute('aria-label', /^lift/);
  await command(page, 'Undo');
  await expect(tables.getByRole('img')).toBeHidden();
});

test('a model is exported with what is left out said first, and refused with a reason', async ({
  workbench,
}) => {
  const { page } = workbench;
  await workbench.openExample('cam-follower-358');
  await command(page, 'Export model');
  await expect(page.getByTestId('export-model-outcome')).toContainText('Observables are not written: lift.');
  expect(await violations(page, DIALOG)).toEqual([]);
  const download = page.waitForEvent('download');
  await page.getByTestId('export-model-save').click();
  const file = await (await download).path();
  expect(readFileSync(file, 'utf8')).toContain('follower = sk.LagrangianLinearTIDS(');
  await workbench.openExample('bouncing-box');
  await command(page, 'Export model');
  await expect(page.getByTestId('export-model-outcome')).toContainText('Only rigid bodies');
  await expect(page.getByTestId('export-model-save')).toBeDisabled();
});
