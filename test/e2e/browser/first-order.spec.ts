/** A model of first order, built by hand in the window. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { PAGE, violations } from '../support/axe';

async function add(page: Page, element: string): Promise<void> {
  await page.getByTestId('add-element').click();
  await page.getByTestId(`add-${element}`).click();
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
  expect(await violations(page, PAGE)).toEqual([]);
  await page.getByRole('button', { name: 'Remove Integrator 2' }).click();
  await expect(assignment).toContainText('by default');

  const undo = page.getByTestId('undo-button');
  for (let i = 0; i < 20 && (await undo.isEnabled()); i++) await undo.click();
  await expect(page.getByTestId('add-integrator')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove Integrator 1' })).toHaveCount(0);
});
