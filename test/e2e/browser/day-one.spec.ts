/** What users of such programs expect on their first day. */
import { readFile } from 'node:fs/promises';
import type { ModelDocument } from '@engine/document/types';
import { openText } from '../support/open-text';
import { add, fill, node } from '../stories/story';
import { expect, test } from './fixtures';

test('a link let go over the empty canvas offers what fits, in one step', async ({ workbench }) => {
  const { page } = workbench;
  await page.getByTestId('tab-new').click();
  await add(page, 'system-LagrangianLinearTI');
  await node(page, 'system').locator('.vue-flow__handle-right').first().hover();
  await page.mouse.down();
  const stage = (await page.getByTestId('graph-stage').boundingBox())!;
  await page.mouse.move(stage.x + 0.7 * stage.width, stage.y + 0.75 * stage.height, { steps: 8 });
  await page.mouse.up();
  const palette = page.getByTestId('graph-palette');
  await expect(palette.getByTestId('add-relation-LagrangianLinear').first()).toBeVisible();
  await expect(palette.getByTestId('add-system-LagrangianLinearTI')).toHaveCount(0);
  await palette.getByTestId('add-relation-LagrangianLinear').first().click();
  await expect(page.locator('.vue-flow__edge')).toHaveCount(1);
  await page.getByTestId('undo-button').click();
  await expect(page.locator('.vue-flow__node')).toHaveCount(1);
});

test('a name that is no parameter becomes one beside its error', async ({ workbench }) => {
  const { page } = workbench;
  await node(page, 'follower').click();
  await fill(page, 'mass', ['mux']);
  await page.getByTestId('tab-problems').click();
  const problems = page.getByTestId('problems-list');
  await expect(problems).toContainText('“mux” is not a parameter');
  await expect(problems.getByRole('button', { name: 'Write mu', exact: true })).toBeVisible();
  await page.getByTestId('tab-inspector').click();
  await page.getByRole('button', { name: 'Add the parameter mux' }).first().click();
  await expect(page.getByTestId('parameter-mux-input')).toHaveValue('1');
  await expect(page.getByTestId('parameter-mux-input')).toBeFocused();
  await expect(page.getByTestId('status-problems')).toContainText('0errors');
  await page.getByTestId('undo-button').click();
  await expect(page.getByTestId('parameter-mux-input')).toBeHidden();
});

test('type errors of a script are problems, and the failure that follows names them first', async ({
  workbench,
}) => {
  test.slow();
  const { page } = workbench;
  const model = JSON.parse(
    await readFile('resources/examples/cam-follower-358.moreau.json', 'utf8'),
  ) as ModelDocument;
  for (const system of model.systems) system['fExt'] = { function: 'push' };
  for (const script of model.scripts)
    script.source = [
      'export const push: ExternalForce = (t, out, p) => {',
      '  const root: string = Math.sqrt(0.5 - t);',
      '  out[0] = Number(root) * p.mu;',
      '};',
      ...script.source,
    ];
  await openText(page, 'types.moreau.json', JSON.stringify(model));
  await workbench.openScript();
  await page.getByTestId('tab-problems').click();
  const problems = page.getByTestId('problems-list');
  await expect(problems).toContainText("Type 'number' is not assignable to type 'string'");
  await workbench.run();
  await expect(page.getByTestId('failure-types')).toContainText('line 2');
  await page.getByTestId('failure-types').getByRole('button').first().click();
  await expect(page.getByTestId('status-caret')).toContainText('Line 2');
});

test('a plot that is added below the others is scrolled to', async ({ workbench }) => {
  const { page } = workbench;
  for (let k = 0; k < 3; k++) {
    await page.getByTestId('add-plot').click();
    await page.getByRole('menuitem', { name: 'Phase portrait' }).click();
  }
  const last = page.locator('[data-pane="plots"] section.plot').last();
  await expect(last).toBeInViewport();
});
