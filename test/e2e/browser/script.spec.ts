/** The script pane. That a force is written, fails and is mended is shown by the story of the plug-in. */
import { readFile } from 'node:fs/promises';
import type { ModelDocument } from '@engine/document/types';
import { violationsInBothThemes } from '../support/axe';
import { openText } from '../support/open-text';
import { expect, test } from './fixtures';

const MISTAKEN = [
  '/** Pushes the follower upwards, more and more. */',
  'export const push: ExternalForce = (t, out, p) => {',
  '  const root = Math.sqrt(0.5 - t);',
  '  out[0]   =   root * p.mu;',
  '};',
];

/** The cam-follower with a force that fails after half a second. */
async function mistaken(): Promise<string> {
  const model = JSON.parse(
    await readFile('resources/examples/cam-follower-358.moreau.json', 'utf8'),
  ) as ModelDocument;
  for (const system of model.systems) system['fExt'] = { function: 'push' };
  for (const script of model.scripts) script.source = [...MISTAKEN, ...script.source];
  return JSON.stringify(model);
}

test('a failure at its line, lenses and derivatives are read by all; formatting is one step', async ({
  workbench,
}) => {
  test.slow();
  const { page } = workbench;
  await openText(page, 'mistaken.moreau.json', await mistaken());
  await workbench.openScript();
  const editor = page.getByTestId('script-editor');
  await workbench.run();
  await expect(page.getByTestId('script-failure')).toContainText('p.mu');

  // Above each function stands who uses it; the cam's are below the force.
  const lens = editor.locator('.codelens-decoration');
  await workbench.caretAtEndOfLine(1);
  await page.keyboard.press('Control+End');
  await expect(lens.filter({ hasText: 'Used by cam' }).first()).toBeVisible();
  await page.keyboard.press('Control+Home');

  await page.getByTestId('script-menu').click();
  await page.getByRole('menuitem', { name: 'Check derivatives' }).click();
  await expect(page.getByTestId('derivatives')).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Close derivatives' }).click();

  // Formatting is one step of the one history.
  await workbench.caretAtEndOfLine(1);
  await page.keyboard.press('Shift+Alt+F');
  await expect(editor).toContainText('out[0] = root * p.mu;');
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
  ).toBeVisible();
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
