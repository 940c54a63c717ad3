import { expect, test } from './fixtures';
import { DIALOG, violations, violationsInBothThemes } from '../support/axe';
import { takePictures } from '../support/pictures';

test('a run is stepped, goes back, takes other parameters on the way, is repeated and becomes a model', async ({
  workbench,
}) => {
  const { page } = workbench;
  await workbench.openExample('bouncing-ball');
  const status = page.getByTestId('run-status');

  // Stepping, by keys and buttons.
  await page.keyboard.press('F10');
  await expect(status).toHaveText('Paused');
  await expect(page.getByTestId('step-back-button')).toBeDisabled();
  await page.keyboard.press('F10');
  const minor = page.getByRole('region', { name: 'Run controls' });
  await expect(minor).toContainText(/1 (step|impact)|0 impacts/);
  await expect(page.getByTestId('step-back-button')).toBeEnabled();
  await page.keyboard.press('F9');
  await expect(page.getByTestId('step-back-button')).toBeDisabled();

  // To a time.
  await page.keyboard.press('Control+F10');
  await page.getByLabel('Time (s)').fill('0.5');
  await page.keyboard.press('Enter');
  await expect(minor).toContainText('0.5 /');

  // Another restitution from here on.
  await page.getByTestId('run-more').click();
  await page.getByRole('menuitem', { name: 'Parameters of this run…' }).click();
  const parameters = page.getByTestId('run-parameters');
  await parameters.locator('input').first().fill('0.5');
  expect(await violations(page, '[role="dialog"]')).toEqual([]);
  await page.getByTestId('apply-run-parameters').click();
  await expect(parameters).toBeHidden();

  // On to the end, and the same run once more.
  await page.getByTestId('pause-button').click();
  await expect(status).toHaveText('Done');
  const list = page.getByTestId('run-list').locator('li');
  await list.first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Run again exactly' }).click();
  await expect(list).toHaveCount(2);
  await expect(status).toHaveText('Done');

  // Several values, with what they cost.
  await page.getByTestId('run-more').click();
  await page.getByRole('menuitem', { name: 'Run with…' }).click();
  await expect(page.getByTestId('run-estimate')).toContainText('rows');
  // The first field has the focus, and a choice is made with the keyboard.
  await expect(page.locator('#run-with-scheme')).toBeFocused();
  await page.getByLabel('Run for several values of').press('Enter');
  // The list takes the focus to its chosen option twice: when it opens, and once it has its place.
  await expect(async () => {
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.waitForTimeout(100);
    await expect(page.getByRole('option').nth(1)).toBeFocused({ timeout: 100 });
  }).toPass();
  await page.keyboard.press('Enter');
  await page.getByLabel('Values', { exact: true }).fill('0.3:0.7:3');
  await expect(page.getByTestId('run-estimate')).toContainText('3 runs');
  await page.getByTestId('run-with-start').click();
  await expect(list).toHaveCount(5);

  // The end of a run as the start of a model.
  await list.first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Open this moment as a model' }).click();
  await expect(page.getByRole('tab', { name: /from t =/ })).toBeVisible();
});

test('a run is continued from its end and from the cursor', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('bouncing-ball');
  await workbench.runToEnd();
  const list = page.getByTestId('run-list').locator('li');
  await list.last().click({ button: 'right' });
  await page.getByTestId('run-menu').getByText('Continue from here…').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('the same bits as a run that never stopped');
  await expect(dialog.getByLabel('From time (s)')).toHaveValue('10');
  await dialog.getByLabel('End time (s)').fill('9');
  await expect(page.getByTestId('continue-run-go')).toBeDisabled();
  await dialog.getByLabel('End time (s)').fill('11');
  await takePictures(page, 'continue');
  expect(await violationsInBothThemes(page, DIALOG)).toEqual([]);
  await page.getByTestId('continue-run-go').click();
  await expect(list).toHaveCount(2);
  await expect(list.first()).toContainText('from 10 s');
  await expect(list.first()).toContainText('Done');
  // From the cursor of the first run.
  await list.last().click();
  await page.getByTestId('plot-series').locator('canvas').first().click();
  await list.last().click({ button: 'right' });
  await page
    .getByTestId('run-menu')
    .getByText(/Continue from t = /)
    .click();
  const time = Number(await dialog.getByLabel('From time (s)').inputValue());
  expect(time).toBeGreaterThan(1);
  expect(time).toBeLessThan(9);
  await page.getByTestId('continue-run-go').click();
  await expect(list).toHaveCount(3);
  await expect(list.first()).toContainText('Done');
  await takePictures(page, 'continued');
});
