import { expect, test } from './fixtures';
import { MODEL, violationsInBothThemes } from '../support/axe';
import { takePictures } from '../support/pictures';

test('an interaction comes and goes by a condition that the inspector shows and takes away', async ({
  workbench,
}) => {
  const { page } = workbench;
  await workbench.openExample('coupling-and-rope');
  await workbench.runToEnd();
  await page.getByTestId('graph-node-rope').click();
  const box = page.getByTestId('presence');
  await expect(box).toBeChecked();
  const condition = page.getByTestId('field-condition').locator('input');
  await expect(condition).toHaveValue('cut - t');
  await expect(page.getByTestId('plot-presence')).toBeVisible();
  expect(await violationsInBothThemes(page, MODEL)).toEqual([]);
  await box.scrollIntoViewIfNeeded();
  await takePictures(page, 'presence');
  // A condition that names nothing is said at its field.
  await condition.fill('cut - nothing.q');
  await expect(page.getByTestId('field-condition')).toContainText('neither a signal nor a parameter');
  await page.keyboard.press('Control+Z');
  await box.uncheck();
  await expect(page.getByTestId('field-condition')).toHaveCount(0);
});
