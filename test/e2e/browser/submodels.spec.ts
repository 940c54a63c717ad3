/** Components of one’s own: gone into and out of, edited once for all, made of a selection, taken apart. */
import type { Page } from '@playwright/test';
import { MODEL, violationsInBothThemes } from '../support/axe';
import { takePictures } from '../support/pictures';
import { expect, test } from './fixtures';

const root = (page: Page) => page.getByTestId('drawing-way');

const CURRENTS = ['La.i', 'Lb.i', 'Lc.i'];

test('a switch that a three-phase inverter has six times is changed once', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('three-phase-inverter');
  await workbench.openGraph();
  await workbench.runToEnd();
  const before = await Promise.all(CURRENTS.map((name) => workbench.settledCurve('currents', name, 0.0999)));
  await takePictures(page, 'own-component-root');
  expect(await violationsInBothThemes(page, MODEL)).toEqual([]);

  await page.getByTestId('graph-node-leg2').dblclick();
  await expect(root(page)).toContainText('leg2');
  await expect(page.getByTestId('graph-node-upper')).toBeVisible();
  await expect(page.getByTestId('submodel-inspector').getByTestId('used')).toContainText('Used 3 times');
  await takePictures(page, 'own-component-leg');
  // The keyboard goes in as well: what has the focus is chosen first, then opened.
  await page.locator('.vue-flow__node[data-id="upper"]').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('instance-inspector')).toBeVisible();
  await page.locator('.vue-flow__node[data-id="upper"]').focus();
  await page.keyboard.press('Enter');
  await expect(root(page)).toContainText('upper');
  await expect(page.getByTestId('used')).toContainText('Used 6 times');
  await takePictures(page, 'own-component-arm');
  expect(await violationsInBothThemes(page, MODEL)).toEqual([]);
  await page.getByTestId('default-Rlead').fill('5');
  await page.getByTestId('default-Rlead').press('Enter');

  await page.getByTestId('way-0').click();
  await expect(root(page)).toHaveCount(0);
  await expect(page.getByTestId('graph-node-leg2')).toBeVisible();
  await workbench.runToEnd();
  const most = ({ y }: { y: readonly number[] }): number => Math.max(...y.slice(y.length / 2).map(Math.abs));
  for (const [k, name] of CURRENTS.entries()) {
    const was = most(before[k] ?? { y: [] });
    await expect
      .poll(async () => most(await workbench.curve('currents', name)) / was, { message: name })
      .toBeLessThan(0.85);
    expect(most(await workbench.settledCurve('currents', name, 0.0999)) / was).toBeGreaterThan(0.6);
  }
  // Undo shows where the change was.
  await page.keyboard.press('Control+Z');
  await expect(root(page)).toContainText('Three-phase inverter');
  await expect(page.getByTestId('default-Rlead')).toHaveValue('0.002');
  await page.getByTestId('graph-stage').focus();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(root(page)).toHaveCount(0);
});

test('a selection becomes a component, is placed again and taken apart', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('three-phase-inverter');
  await workbench.openGraph();
  await page.getByTestId('graph-node-Ra').click();
  await page.getByTestId('graph-node-La').click({ modifiers: ['Control'] });
  await page.keyboard.press('Control+Shift+D');
  await expect(page.getByTestId('graph-node-part1')).toBeVisible();
  await expect(page.getByTestId('graph-node-Ra')).toHaveCount(0);
  await expect(page.getByTestId('pin-part1.a')).toBeAttached();
  await expect(page.getByTestId('pin-part1.star')).toBeAttached();
  await takePictures(page, 'own-component-made');
  await workbench.runToEnd();
  await expect
    .poll(async () => (await workbench.curves('currents')).map(({ name }) => name))
    .toEqual(['part1.La.i', 'Lb.i', 'Lc.i']);

  await page.getByTestId('graph-stage').focus();
  await page.keyboard.press('Insert');
  await expect(page.locator('.palette .search')).toBeFocused();
  await takePictures(page, 'own-component-palette');
  await page.keyboard.type('Phase leg');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('graph-node-leg4')).toBeVisible();
  await expect(page.getByTestId('used')).toContainText('Used 4 times');
  await page.getByTestId('instance-value-phase').fill('pi/3');
  await page.getByTestId('instance-value-phase').press('Enter');
  await takePictures(page, 'own-component-instance');
  await page.getByTestId('graph-node-leg4').click({ button: 'right' });
  await page.getByTestId('graph-menu-graph.unlink').click();
  await expect(page.getByTestId('graph-node-leg4_upper')).toBeVisible();
  await expect(page.getByTestId('graph-node-leg4')).toHaveCount(0);
  await takePictures(page, 'own-component-apart');
});
