import { expect, test } from './fixtures';
import { violationsInBothThemes } from '../support/axe';

test('the topology of a bridge is reported and can be walked by keyboard in both themes', async ({
  workbench,
}) => {
  const { page } = workbench;
  await workbench.openExample('diode-bridge');
  await page.getByTestId('tab-topology').click();
  const pane = page.getByTestId('topology-pane');
  await expect(pane.getByTestId('topology-table')).toContainText('λ acts on y at once');
  await expect(pane).toContainText('if other multipliers act first: 3–4');
  await expect(pane.getByTestId('block-matrix').getByRole('img')).toHaveAccessibleName(
    'Pattern of the one-step matrix, blocks that are not zero: 1 of 1',
  );
  const button = pane.getByTestId('topology-table').getByRole('button').first();
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  expect(await violationsInBothThemes(page, '[data-testid="topology-pane"]')).toEqual([]);
  // The inspector shows what was chosen.
  const id = (await button.textContent())?.trim() ?? '';
  await page.getByTestId('tab-inspector').click();
  await expect(page.getByTestId('tab-inspector')).toContainText(id);
});

test('what a tower of boxes links, and its contacts, can be walked by keyboard in both themes', async ({
  workbench,
}) => {
  const { page } = workbench;
  await workbench.openExample('box-tower');
  await page.getByTestId('tab-topology').click();
  const pane = page.getByTestId('topology-pane');
  await expect(pane.getByTestId('link-table')).toContainText('as contacts close');
  await expect(pane.getByTestId('contact-state')).toContainText('Run the model');
  await workbench.runToEnd();
  // Four corners of each of twenty boxes, each of which has six velocities.
  await expect(pane.getByTestId('contact-state')).toContainText('240 rows, rank 120');
  await expect(pane.getByTestId('contact-matrix').getByRole('img')).toHaveAccessibleName(
    /^Pattern of W by contacts, blocks that are not zero: \d+ of 6400$/,
  );
  const button = pane.getByTestId('pair-table').getByRole('button').first();
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  await expect(button).toBeVisible();
  expect(await violationsInBothThemes(page, '[data-testid="topology-pane"]')).toEqual([]);
});

test('the topology of a column of a thousand beads is shown a hundred at a time', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('bead-column');
  await workbench.setParameter('N', '1000');
  await page.getByTestId('tab-topology').click();
  const rows = page.getByTestId('topology-table').locator('tbody');
  await expect(rows).toHaveCount(100);
  await page.getByTestId('topology-more').click();
  await expect(rows).toHaveCount(200);
  // Near its lower edge the matrix stands for the last beads, whose rows are not drawn yet.
  const matrix = page.getByTestId('block-matrix').getByRole('img');
  await matrix.click({ position: { x: 80, y: 157 } });
  const pressed = page.getByTestId('topology-table').locator('[aria-pressed="true"]');
  await expect(pressed).toBeInViewport();
  await expect(pressed).toContainText('contact9');
});
