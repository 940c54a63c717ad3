/** The script pane: a force with a mistake is seen at its line with its values, and mended. */
import { violationsInBothThemes } from '../support/axe';
import { expect, test } from './fixtures';

const MISTAKEN = [
  '/** Pushes the follower upwards, more and more. */',
  'export const push: ExternalForce = (t, out, p) => {',
  "if (t < 0.01) console.log('pushed', p.mu);",
  'const root = Math.sqrt(0.5 - t);',
  'out[0]   =   root * p.mu;',
  '};',
];

test('a force that fails shows its values at the line, is mended, compared, measured and formatted', async ({
  workbench,
}) => {
  test.slow();
  const { page } = workbench;
  await workbench.openExample('cam-follower-358');
  await workbench.openScript();
  const editor = page.getByTestId('script-editor');

  // Above each function stands who uses it, and the way there.
  const lens = editor.locator('.codelens-decoration');
  await workbench.caretAtEndOfLine(1);
  await page.keyboard.press('Control+End');
  await expect(lens.filter({ hasText: 'Used by cam' }).first()).toBeVisible({ timeout: 30_000 });

  await page.keyboard.press('Control+Home');
  await workbench.typeScript(MISTAKEN);
  await expect(lens.filter({ hasText: 'Not used by any element' })).toBeVisible();
  await lens.getByText('Use in…').click();
  await page.getByRole('button', { name: 'follower (External force)' }).click();
  await workbench.openScript();
  await expect(lens.filter({ hasText: 'Used by follower (External force)' })).toBeVisible();
  await workbench.run();

  // The failure at its line, with the values of the call.
  const zone = page.getByTestId('script-failure');
  await expect(zone).toContainText('root = Math.sqrt(0.5 - t) gives NaN', { timeout: 30_000 });
  await expect(zone).toContainText('p.mu');
  const values = page.getByTestId('failure-values');
  await values.locator('summary').click();
  await expect(values).toContainText('follower');

  // What it said, with time and line.
  await page.getByTestId('tab-console').click();
  const line = page.getByTestId('console-line');
  await expect(line.first()).toContainText('pushed 1.221');
  await page.getByTestId('script-menu').click();
  await page.getByRole('menuitem', { name: 'Check derivatives' }).click();
  await expect(page.getByTestId('derivatives')).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Close derivatives' }).click();

  // Formatting is one step of the one history.
  await page.keyboard.press('Shift+Alt+F');
  await expect(editor).toContainText('out[0] = root * p.mu;', { timeout: 30_000 });
  await page.keyboard.press('Control+z');
  await expect(editor).toContainText('out[0]   =   root');
});

test('a builder’s element leads to its line and becomes the document’s own; the start page is left for an example', async ({
  workbench,
}) => {
  const { page } = workbench;
  await page.getByRole('menuitem', { name: 'Help' }).click();
  await page.getByRole('menuitem', { name: 'Start page' }).click();
  await expect(page.getByTestId('start-page')).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.getByTestId('start-page').getByTestId('example-watch-escapement').click();
  await page.getByTestId('graph-origin-wheel').click();
  await expect(
    page.getByTestId('script-editor').locator('.view-line', { hasText: "id: 'wheel'" }),
  ).toBeVisible({
    timeout: 30_000,
  });
  await page.getByTestId('script-menu').click();
  await page.getByRole('menuitem', { name: 'Make editable…' }).click();
  await page.getByRole('button', { name: 'Keep the script, switched off' }).click();
  await expect(page.getByText('builder, off')).toBeVisible();
  await workbench.openGraph();
  await expect(page.getByTestId('graph-node-wheel')).toBeVisible();
  await expect(page.getByTestId('graph-origin-wheel')).toBeHidden();
  await page.keyboard.press('Control+z');
  await expect(page.getByTestId('graph-origin-wheel')).toBeVisible();
});
