/** A model of first order, built by hand in the window. */
import type { Locator, Page } from '@playwright/test';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './fixtures';

async function add(page: Page, element: string): Promise<void> {
  await page.getByTestId('add-element').click();
  await page.getByTestId(`add-${element}`).click();
}

/** The n-th cell of a field, from 0. */
const cell = (page: Page, field: string, n = 0): Locator =>
  page.getByTestId(`field-${field}`).locator('input').nth(n);

async function fill(page: Page, field: string, values: readonly (number | string)[]): Promise<void> {
  for (const [n, value] of values.entries()) await cell(page, field, n).fill(String(value));
}

async function newModel(page: Page): Promise<void> {
  await page.keyboard.press('Control+Alt+N');
  await expect(page.getByTestId('add-element')).toBeVisible();
}

/** Drags from the right port of one node to the left port of another. */
async function drag(page: Page, from: string, to: string): Promise<void> {
  const port = (id: string, side: string): Locator =>
    page.getByTestId(`graph-node-${id}`).locator(`.vue-flow__handle-${side}`);
  await port(from, 'right').hover();
  await page.mouse.down();
  await port(to, 'left').hover();
  await page.mouse.up();
}

test('a circuit with a diode is built by hand and runs as its solution says', async ({ workbench }) => {
  const { page } = workbench;
  await newModel(page);

  // A capacitor and an inductor, with an ideal diode across the capacitor: L = C = 1, x = (voltage, current).
  await add(page, 'system-FirstOrderLinear');
  await fill(page, 'n', [2]);
  await fill(page, 'A', [0, -1, 1, 0]);
  await fill(page, 'x0', [1, 0]);
  await add(page, 'relation-FirstOrderLinearTI');
  await drag(page, 'system', 'relation');
  await page.getByTestId('graph-node-relation').click();
  await fill(page, 'C', [1, 0]);
  await fill(page, 'B', [1, 0]);
  await page.getByTestId('graph-node-system').click();
  await expect(page.getByTestId('graph-node-system')).toContainText('states: 2');
  await expect(page.getByTestId('run-button')).toBeEnabled();

  await workbench.runToEnd();
  await expect.poll(() => workbench.drawnTo('time-series', 'system.x[0]')).toBeCloseTo(5, 6);
  const voltage = await workbench.curve('time-series', 'system.x[0]');
  const current = await workbench.curve('time-series', 'system.x[1]');
  // cos t until the voltage has fallen to zero at π/2; from then on the diode carries the current, which stays 1.
  const early = voltage.x.findIndex((t) => t >= 1);
  expect(voltage.y[early]).toBeCloseTo(Math.cos(voltage.x[early] ?? 0), 2);
  expect(Math.min(...voltage.y)).toBeGreaterThan(-1e-9);
  expect(current.y.at(-1)).toBeCloseTo(1, 2);
});

test('a link between orders that do not match is refused in words', async ({ workbench }) => {
  const { page } = workbench;
  await newModel(page);
  await add(page, 'relation-LagrangianLinear');
  await add(page, 'system-FirstOrderLinear');
  await drag(page, 'system', 'contact');
  const notice = page.getByRole('list', { name: 'Notifications' });
  await expect(notice).toContainText('contact has a Lagrangian relation');
  await expect(notice).toContainText('system is a first-order system');
  await expect(page.locator('.vue-flow__edge')).toHaveCount(0);
});

test('integrators are added, mixed and removed, and all of it is undone', async ({ workbench }) => {
  const { page } = workbench;
  await newModel(page);
  await add(page, 'system-FirstOrderLinear');
  await add(page, 'system-LagrangianLinearTI');
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('Simulation settings');
  await page.keyboard.press('Enter');
  const assignment = page.getByTestId('integrator-assignment');
  await expect(assignment).toContainText('by default');
  await page.getByTestId('add-integrator').click();
  await page.getByTestId('add-integrator').click();
  await expect(assignment).toContainText('Euler–Moreau');
  await expect(assignment).toContainText('Moreau–Jean');
  await expect(assignment).not.toContainText('by default');
  await page.getByTestId('step-control').click();
  await expect(page.getByTestId('field-hMin')).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).exclude('.monaco-editor').analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  await page.getByRole('button', { name: 'Remove Integrator 2' }).click();
  await expect(assignment).toContainText('by default');

  const undo = page.getByTestId('undo-button');
  for (let i = 0; i < 20 && (await undo.isEnabled()); i++) await undo.click();
  await expect(page.getByTestId('add-integrator')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove Integrator 1' })).toHaveCount(0);
});
