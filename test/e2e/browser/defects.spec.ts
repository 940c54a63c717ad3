import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openText } from '../support/open-text';
import { expect, test } from './fixtures';
import type { Workbench } from '../support/workbench';

const EXAMPLE = await readFile(
  join(import.meta.dirname, '../../../resources/examples/bouncing-ball.moreau.json'),
  'utf8',
);

const open = (workbench: Workbench, text: string): Promise<void> =>
  openText(workbench.page, 'broken.moreau.json', text);

test('a truncated file is refused with its place, and the open document stays', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('cam-follower-358');
  await open(workbench, EXAMPLE.slice(0, 700));
  await expect(page.getByTestId('refusal-issues')).toContainText(/incomplete|not JSON/);
  await expect(page.getByTestId('refusal-issues')).toContainText(/line \d+/);
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('document-title')).toContainText('Cam-follower');
});

test('a model with a missing matrix opens, is drawn broken, refuses to run, and can be mended in the form', async ({
  workbench,
}) => {
  const { page } = workbench;
  const model = JSON.parse(EXAMPLE) as { systems: Record<string, unknown>[] };
  delete model.systems[0].mass;
  await open(workbench, JSON.stringify(model));
  await expect(page.getByTestId('document-title')).toContainText('Bouncing ball');
  await expect(page.getByTestId('run-button')).toBeDisabled();
  await page.getByTestId('tab-problems').click();
  await expect(workbench.problems).toContainText('Mass matrix');
  await page.getByTestId('graph-node-ball').click();
  const mass = page.getByTestId('field-mass').locator('input').first();
  await mass.fill('m');
  await mass.press('Enter');
  await expect(page.getByTestId('run-button')).toBeEnabled();
  await workbench.runToEnd();
});

test('wrong shapes, unknown references and cyclic expressions are listed with their remedy', async ({
  workbench,
}) => {
  const { page } = workbench;
  const model = JSON.parse(EXAMPLE) as {
    systems: Record<string, unknown>[];
    interactions: { systems: string[] }[];
    parameters: { name: string; value: unknown }[];
  };
  model.systems[0].q0 = [1, 2];
  model.interactions[0].systems = ['absent'];
  model.parameters[0].value = '2*g';
  model.parameters[1].value = 'm + 1';
  await open(workbench, JSON.stringify(model));
  await expect(page.getByTestId('run-button')).toBeDisabled();
  await page.getByTestId('tab-problems').click();
  await expect(workbench.problems).toContainText('depends on itself');
  await expect(workbench.problems).toContainText('absent');
  await expect(workbench.problems).toContainText('2 entries');
});

test('a script of a stranger cannot reach the machine', async ({ workbench }) => {
  const { page } = workbench;
  for (const [k, attack] of [
    'process.exit(1)',
    "require('fs')",
    "fetch('http://127.0.0.1')",
    "(() => 0).constructor('return 1')()",
  ].entries()) {
    const model = JSON.parse(EXAMPLE) as { systems: Record<string, unknown>[]; scripts: unknown[] };
    model.systems[0].fExt = { function: 'pull' };
    model.scripts = [
      {
        name: `pull${k}.ts`,
        role: 'functions',
        source: ['export const pull: ExternalForce = (t, out, p) => {', `  ${attack};`, '};'],
      },
    ];
    await open(workbench, JSON.stringify(model));
    await expect(workbench.problems).toContainText(`pull${k}.ts, line 2`);
    await expect(page.getByTestId('run-button')).toBeDisabled();
  }
});

test('a file of 200 MB is refused before it is read', async ({ workbench }) => {
  const { page } = workbench;
  const choosing = page.waitForEvent('filechooser');
  await page.keyboard.press('Control+O');
  const chooser = await choosing;
  // Made in the page: a test file of that size would have to cross three processes first.
  await chooser.element().evaluate((input: HTMLInputElement) => {
    const piece = new Uint8Array(50 * 1024 * 1024).fill(32);
    const file = new File([piece, piece, piece, piece], 'large.moreau.json', { type: 'application/json' });
    const transfer = new DataTransfer();
    transfer.items.add(file);
    input.files = transfer.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await expect(page.getByText(/too large|larger than/i).first()).toBeVisible();
});
