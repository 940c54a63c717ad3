/** Components of one’s own: gone into and out of, edited once for all, made of a selection, taken apart. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { MODEL, violationsInBothThemes } from '../support/axe';
import { openText } from '../support/open-text';
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

test('a row of balls is an array, is looked into by the tree, and unlinked to its members', async ({
  workbench,
}) => {
  const { page } = workbench;
  await workbench.openExample('ball-chain-drawn');
  await workbench.openGraph();
  await workbench.runToEnd();
  const last = async (): Promise<number> =>
    (await workbench.curve('velocities', 'balls[4].m.v')).y.at(-1) ?? NaN;
  await expect.poll(last).toBeGreaterThan(0.98);
  const before = await last();
  await page.getByTestId('graph-node-balls').click();
  await expect(page.getByTestId('instance-count')).toHaveValue('5');
  await expect(page.getByTestId('chain-0')).toContainText('right');
  await page.getByTestId('add-chain').click();
  await expect(page.getByTestId('chain-1')).toBeVisible();
  await takePictures(page, 'own-component-array');
  expect(await violationsInBothThemes(page, MODEL)).toEqual([]);
  await page.keyboard.press('Control+Z');
  await expect(page.getByTestId('chain-1')).toHaveCount(0);

  await page.getByTestId('tab-tree').click();
  const tree = page.getByTestId('model-tree');
  await tree.getByTestId('tree-instance:balls').locator('.twist').click();
  await expect(tree.getByTestId('tree-inside:balls.m')).toBeVisible();
  await tree.getByTestId('tree-inside:balls.m').click();
  await expect(root(page)).toContainText('balls');
  await expect(page.getByTestId('graph-node-contact')).toBeVisible();
  await expect(tree.getByTestId('tree-inside:balls.m')).toHaveAttribute('aria-selected', 'true');
  await takePictures(page, 'own-component-tree');
  await tree.getByTestId('tree-component:first').click();
  await expect(root(page)).toHaveCount(0);

  await page.getByTestId('graph-node-balls').click({ button: 'right' });
  await page.getByTestId('graph-menu-graph.unlink').click();
  await expect(page.getByTestId('graph-node-balls_4')).toBeVisible();
  await expect(page.getByTestId('graph-node-balls')).toHaveCount(0);
  await takePictures(page, 'own-component-unlinked');
  await workbench.runToEnd();
  const after = async (): Promise<number> =>
    (await workbench.curve('velocities', 'balls_4.m.v')).y.at(-1) ?? NaN;
  await expect.poll(after).toBe(before);
});

const LADDER = `export default (model: ModelBuilder) => {
  for (let k = 0; k < 3; k++) {
    model.instance({ id: \`cell\${k}\`, of: 'Cell' });
    model.wire({ id: k === 0 ? 'in' : \`n\${k}\`, ends: [\`cell\${k}.a\`] });
    model.wire({ id: \`n\${k + 1}\`, ends: [\`cell\${k}.b\`] });
    model.wire({ id: 'zero', ends: [\`cell\${k}.n\`] });
  }
  model.component({ id: 'R9', type: 'Resistor', resistance: 100 });
  model.wire({ id: 'n3', ends: ['R9.a'] });
  model.wire({ id: 'zero', ends: ['R9.b'] });
};`;

test('what a script draws stands in the drawing, and becomes its own', async ({ workbench }) => {
  const { page } = workbench;
  const example = join(import.meta.dirname, '../../../resources/examples/half-wave-rectifier.moreau.json');
  const document = {
    ...(JSON.parse(await readFile(example, 'utf8')) as Record<string, unknown>),
    ...{ title: 'Ladder', parameters: [], observables: [], views: [], dashboards: [], layout: { nodes: {} } },
    components: [
      { id: 'V1', type: 'SineVoltage', amplitude: 10, frequency: 50 },
      { id: 'GND1', type: 'Ground' },
    ],
    wires: [
      { id: 'in', ends: ['V1.p'] },
      { id: 'zero', ends: ['V1.n', 'GND1.p'] },
    ],
    scripts: [{ name: 'ladder.ts', role: 'builder', source: LADDER.split('\n') }],
    submodels: [
      {
        id: 'Cell',
        ports: [
          { name: 'a', wire: 'from', side: 'left' },
          { name: 'b', wire: 'to', side: 'right' },
          { name: 'n', wire: 'zero', side: 'bottom' },
        ],
        parameters: [],
        components: [
          { id: 'R1', type: 'Resistor', resistance: 10 },
          { id: 'C1', type: 'Capacitor', capacitance: '10u' },
        ],
        wires: [
          { id: 'from', ends: ['R1.a'] },
          { id: 'to', ends: ['R1.b', 'C1.a'] },
          { id: 'zero', ends: ['C1.b'] },
        ],
      },
    ],
  };
  await openText(page, 'ladder.moreau.json', JSON.stringify(document));
  await workbench.openGraph();
  await expect(page.getByTestId('graph-node-cell2')).toBeVisible();
  await expect(page.getByTestId('graph-node-cell2')).toHaveClass(/built/);
  await expect(page.getByTestId('built-wire-n2').locator('.line').first()).toBeAttached();
  await workbench.runToEnd();
  await page.getByTestId('graph-node-R9').click();
  await expect(page.getByTestId('drawn-by-script')).toContainText('R9 Resistor');
  await takePictures(page, 'drawn-by-script');
  expect(await violationsInBothThemes(page, MODEL)).toEqual([]);
  // What is not the document’s own is not taken away.
  await page.keyboard.press('Delete');
  await expect(page.getByTestId('graph-node-R9')).toBeVisible();
  await page.getByTestId('graph-node-R9').click();
  await page.getByTestId('make-editable').click();
  await page.getByTestId('answer-keep').click();
  await expect(page.getByTestId('graph-node-R9')).not.toHaveClass(/built/);
  await expect(page.getByTestId('wire-n2')).toBeAttached();
  await takePictures(page, 'made-editable');
  await page.keyboard.press('Control+Z');
  await expect(page.getByTestId('graph-node-R9')).toHaveClass(/built/);
});
