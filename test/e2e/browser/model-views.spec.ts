import type { Page } from '@playwright/test';
import { violations, violationsInBothThemes } from '../support/axe';
import { expect, test } from './fixtures';

/** Puts the caret after the first occurrence of a text in the text view. */
async function caretAfter(page: Page, words: string): Promise<void> {
  const editor = page.getByTestId('text-editor');
  await editor.locator('.monaco-editor[role="code"]').click({ position: { x: 120, y: 8 } });
  await page.keyboard.press('Control+f');
  await page.keyboard.insertText(words);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowRight');
}

test('the tree, the text and the graph are views of one model', async ({ workbench }) => {
  test.slow();
  const { page } = workbench;
  await workbench.openExample('cam-follower-660');
  await expect(page.getByTestId('field-title')).toHaveValue('Cam-follower at 660 rpm');

  // By keyboard: to the tree, to a system, another name in place.
  await page.keyboard.press('Control+Shift+E');
  const tree = page.getByTestId('model-tree');
  await tree.pressSequentially('fol');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('field-id').locator('input')).toHaveValue('follower');
  await tree.focus();
  await page.keyboard.press('F2');
  await page.getByTestId('tree-rename').fill('rocker');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('graph-node-rocker')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(page.getByTestId('graph-node-follower')).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);

  // The text has the same content, and an edit of it reaches the other views.
  await page.keyboard.press('Control+3');
  const state = page.getByTestId('text-state');
  const editor = page.getByTestId('text-editor');
  await expect(editor).toContainText('formatVersion');
  await expect(state).toContainText('are in sync');
  expect(await violationsInBothThemes(page)).toEqual([]);
  await caretAfter(page, '"name": "rpm"');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('2');
  await expect(page.getByTestId('tree-parameter:rpm2')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(page.getByTestId('tree-parameter:rpm')).toBeVisible();
  await expect(editor).toContainText('"name": "rpm"');

  // Text that is no model stays, says so, and the model keeps what it had.
  await caretAfter(page, '"name": "rpm"');
  await page.keyboard.press('Delete');
  await expect(state).toContainText('a comma is missing');
  await page.getByTestId('tab-graph').click();
  await expect(page.getByTestId('tab-text')).toContainText('!');
  await expect(page.getByTestId('graph-node-follower')).toBeVisible();
  await page.getByTestId('tab-parameters').click();
  await workbench.setParameter('rpm', '400');
  await page.getByTestId('tab-text').click();
  await expect(page.getByTestId('text-keep')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByTestId('text-discard').click();
  await expect(state).toContainText('are in sync');
  await expect(page.getByTestId('tab-text')).not.toContainText('!');
  await expect(editor).toContainText('400');

  // From the text to the inspector.
  await caretAfter(page, '"NewtonImpact"');
  await page.getByTestId('text-show-element').click();
  await expect(page.getByTestId('field-id').locator('input')).toHaveValue('cam');
});

test('a parameter is replaced everywhere, several elements are set together, equations show values', async ({
  workbench,
}) => {
  test.slow();
  const { page } = workbench;
  await workbench.openExample('cam-follower-660');
  await expect(page.getByTestId('field-title')).toHaveValue('Cam-follower at 660 rpm');

  // Renamed with its uses in expressions and scripts, as one step.
  await page.getByRole('button', { name: 'Details of rpm' }).click();
  await page.getByTestId('uses-rpm').click();
  await expect(page.getByTestId('find-result').first()).toBeVisible();
  await page.getByTestId('find-by').fill('speed');
  await expect(page.getByText('The parameter will be renamed to speed')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByTestId('find-replace').click();
  await page.getByTestId('tab-parameters').click();
  await expect(page.getByTestId('parameter-speed-input')).toBeVisible();
  await expect(page.getByTestId('run-button')).toBeEnabled();
  await page.keyboard.press('Control+z');
  await expect(page.getByTestId('parameter-rpm-input')).toBeVisible();

  // Words anywhere, with the way to the script they stand in.
  await page.keyboard.press('Control+Shift+F');
  await page.getByTestId('find-query').fill('beta1');
  await page.getByTestId('find-result').first().click();
  await expect(page.getByTestId('script-editor')).toBeVisible();

  // Values of the element in its equations; cells of a spreadsheet in its matrices.
  await page.keyboard.press('Control+1');
  await page.getByTestId('graph-node-follower').click();
  await page.getByTestId('equation-values').click();
  await expect(page.getByTestId('inspector').locator('.equations')).toContainText('mu');
  expect(await violations(page)).toEqual([]);
});

test('common fields of several elements are set as one step', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('newtons-cradle');
  await page.keyboard.press('Control+Shift+E');
  const tree = page.getByTestId('model-tree');
  const systems = tree.locator('[data-testid^="tree-system:"]');
  await expect(systems).toHaveCount(5);
  await systems.nth(0).click();
  await systems.nth(2).click({ modifiers: ['Shift'] });
  const several = page.getByTestId('several-system');
  await expect(several.getByRole('heading')).toHaveText('3 systems');
  expect(await violations(page)).toEqual([]);
});
