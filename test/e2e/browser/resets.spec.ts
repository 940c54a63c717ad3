/** A reset, built by hand in the window. */
import { expect, test } from './fixtures';
import { MODEL, violationsInBothThemes } from '../support/axe';

test('a neuron that fires is built with the form of a reset', async ({ workbench }) => {
  const { page } = workbench;
  await page.keyboard.press('Control+Alt+N');
  await page.getByTestId('add-element').click();
  await page.getByTestId('add-system-FirstOrderLinear').click();
  await page.getByTestId('add-element').click();
  await page.getByTestId('add-system-Reset').click();
  const node = page.locator('[data-testid^="graph-node-"]').filter({ hasText: 'Reset' });
  await node.click();
  // What it is and what it is of are two fields with names of their own.
  await expect(page.getByLabel('Type: Block or reset')).toBeVisible();
  await expect(page.getByTestId('field-of')).toContainText('System that jumps');
  await expect(node).toContainText('resets system');
  await expect(node).not.toContainText('outputs');
  const guard = page.getByTestId('field-guard').locator('input').first();
  await guard.fill('system.nothing - 1');
  await expect(page.getByTestId('field-guard')).toContainText('neither a signal nor a parameter');
  await guard.fill('system.x - 1');
  await expect(page.getByTestId('field-guard')).not.toContainText('neither a signal');
  expect(await violationsInBothThemes(page, MODEL)).toEqual([]);
});
