/** Every view of the window, brought to where it shows what it is for. */
import { expect, type Page } from '@playwright/test';
import { node } from '../stories/story';
import { openText } from '../support/open-text';
import { MEASURED_VIEWS } from './measured-views';
import { command, type View } from './view';

async function editor(page: Page, testId: string): Promise<void> {
  await expect(page.getByTestId(testId).locator('.view-line').first()).toBeVisible();
  // Colours come from a worker, a moment after the letters.
  await expect(page.getByTestId(testId).locator('.view-line span[class*="mtk"]').nth(20)).toBeVisible();
}

const BROKEN = JSON.stringify({
  formatVersion: 3,
  title: 'A broken model',
  parameters: [{ name: 'm', value: '2*k' }],
  systems: [{ id: 'ball', type: 'LagrangianLinearTI', ndof: 1, q0: [1, 2], v0: [0] }],
  interactions: [
    {
      id: 'floor',
      systems: ['absent'],
      relation: { type: 'LagrangianLinear', H: [[1]] },
      law: { type: 'NewtonImpact', e: 2 },
    },
  ],
  simulation: {
    scheme: 'time-stepping',
    t0: 0,
    tEnd: 1,
    h: 0.001,
    integrators: [],
    problem: { type: 'auto' },
    solver: { type: 'auto' },
  },
});

/**
 * In the order in which they are walked through; each leaves nothing open that stands in the way of the next
 * one.
 */
export const VIEWS: readonly View[] = [
  {
    name: 'run',
    async show(workbench) {
      await workbench.openExample('cam-follower-358');
      await workbench.runToEnd();
      await workbench.setParameter('rpm', '420');
      await expect(workbench.page.getByTestId('run-list').locator('li')).toHaveCount(2);
      await expect(workbench.status).toHaveText('Done');
      await node(workbench.page, 'follower').click();
    },
  },
  {
    name: 'script',
    async show({ page }) {
      await page.keyboard.press('Control+2');
      await page.keyboard.press('Control+j');
      await editor(page, 'script-editor');
      // The functions with their users above them stand at the end.
      await page.keyboard.press('Control+End');
      await expect(page.locator('.codelens-decoration:visible').first()).toBeVisible({ timeout: 30_000 });
    },
  },
  {
    name: 'text-and-tree',
    async show({ page }) {
      await page.keyboard.press('Control+j');
      await page.keyboard.press('Control+3');
      await editor(page, 'text-editor');
      await page.getByTestId('tab-tree').click();
      await expect(page.getByRole('treeitem').first()).toBeVisible();
    },
  },
  {
    name: 'find-and-replace',
    async show({ page }) {
      await page.keyboard.press('Control+1');
      await page.keyboard.press('Control+Shift+F');
      await expect(page.getByTestId('find-query')).toBeFocused();
      await page.keyboard.type('rpm');
      await expect(page.getByTestId('find-result').first()).toBeVisible();
    },
  },
  {
    name: 'palette',
    async show({ page }) {
      await page.getByTestId('tab-parameters').click();
      await page.keyboard.press('Control+Shift+P');
      await page.keyboard.type('run');
      await expect(page.getByRole('option').nth(3)).toBeVisible();
    },
  },
  {
    name: 'add-element',
    async show({ page }) {
      await page.keyboard.press('Escape');
      await page.getByTestId('add-element').click();
      await expect(page.getByTestId('graph-palette')).toBeVisible();
    },
  },
  {
    name: 'settings',
    async show({ page }) {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+,');
      await expect(page.getByTestId('settings')).toBeVisible();
      await page.getByTestId('settings').getByText('Runs', { exact: true }).click();
    },
  },
  {
    name: 'shortcuts',
    async show({ page }) {
      await page.keyboard.press('Escape');
      await command(page, 'shortcuts');
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'export-model',
    async show({ page }) {
      await page.keyboard.press('Escape');
      await command(page, 'Export model');
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'saved-runs',
    async show({ page }) {
      await page.keyboard.press('Escape');
      await command(page, 'Saved runs');
      await expect(page.getByTestId('kept-runs-figures')).toBeVisible();
    },
  },
  {
    name: 'run-with',
    async show({ page }) {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+Shift+F5');
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'model-difference',
    async show({ page }) {
      await page.keyboard.press('Escape');
      await command(page, 'Differences of the models');
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'help',
    async show({ page }) {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+Shift+F1');
      await expect(page.getByTestId('help')).toBeVisible();
      await page.waitForTimeout(500);
    },
  },
  {
    name: 'gallery',
    async show({ page }) {
      await page
        .getByTestId('help')
        .getByRole('button', { name: /^Close/ })
        .click();
      await page.keyboard.press('Control+Shift+O');
      await expect(page.getByTestId('gallery-search')).toBeVisible();
      await page.waitForTimeout(700);
    },
  },
  {
    name: 'topology',
    async show(workbench) {
      const { page } = workbench;
      await page.keyboard.press('Escape');
      await workbench.openExample('diode-bridge');
      await workbench.runToEnd();
      await page.getByTestId('tab-topology').click();
    },
  },
  {
    name: 'events',
    async show(workbench) {
      const { page } = workbench;
      await workbench.openExample('cam-follower-event-driven-660');
      await workbench.runToEnd();
      await page.getByTestId('tab-events').click();
    },
  },
  {
    name: 'comparison',
    async show(workbench) {
      const { page } = workbench;
      await workbench.openExample('bouncing-ball');
      await page.getByTestId('tab-comparison').click();
      await page.getByTestId('comparison-start').click();
      await expect(page.getByTestId('error-table')).toBeVisible({ timeout: 60_000 });
    },
  },
  {
    name: 'console',
    async show(workbench) {
      const { page } = workbench;
      await workbench.openExample('cam-follower-358');
      await workbench.openScript();
      await workbench.caretAtEndOfLine(1);
      await page.keyboard.press('Control+Home');
      await workbench.typeScript([
        '/** Pushes the follower upwards, more and more. */',
        'export const push: ExternalForce = (t, out, p) => {',
        "  if (t < 0.01) console.log('pushed', p.mu);",
        '  const root = Math.sqrt(0.5 - t);',
        '  out[0] = root * p.mu;',
        '};',
      ]);
      const lens = page.getByTestId('script-editor').locator('.codelens-decoration');
      await expect(lens.filter({ hasText: 'Not used by any element' })).toBeVisible({ timeout: 30_000 });
      await lens.getByText('Use in…').click();
      await page.getByRole('button', { name: 'follower (External force)' }).click();
      await workbench.openScript();
      await workbench.run();
      await expect(page.getByTestId('script-failure')).toBeVisible({ timeout: 30_000 });
      await page.getByTestId('tab-console').click();
    },
  },
  {
    name: '3d-bodies',
    async show(workbench) {
      const { page } = workbench;
      await page.keyboard.press('Control+1');
      await workbench.openExample('box-tower');
      await workbench.runToEnd();
      await page.getByTestId('tab-inspector').click();
      await page.waitForTimeout(1500);
    },
  },
  {
    name: 'thousand-beads',
    async show(workbench) {
      const { page } = workbench;
      await workbench.openExample('bead-column');
      await workbench.setParameter('N', '1000');
      await workbench.runToEnd();
      await page.waitForTimeout(1500);
    },
  },
  {
    name: 'problems',
    async show({ page }) {
      await openText(page, 'broken.moreau.json', BROKEN);
      await page.getByTestId('tab-problems').click();
      await expect(page.getByTestId('problems-list')).toContainText('Mass matrix');
    },
  },
  {
    name: 'groups-and-notes',
    async show(workbench) {
      const { page } = workbench;
      await workbench.openExample('newtons-cradle');
      await workbench.runToEnd();
      await page.keyboard.press('Control+j');
      await page.keyboard.press('Control+1');
      await expect(page.getByTestId('graph-stage')).toBeFocused();
      await page.keyboard.press('Control+9');
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Control+g');
      await expect(page.locator('.vue-flow input:focus')).toBeVisible();
      await page.keyboard.type('Cradle');
      await page.keyboard.press('Enter');
      await page.waitForTimeout(500);
    },
  },
  {
    name: 'collapsed-group-and-note',
    async show({ page }) {
      await page.locator('[data-graph-handle]').click({ button: 'right' });
      await page.getByTestId('graph-menu-graph.collapse').click();
      await page.getByTestId('graph-stage').focus();
      await page.keyboard.press('Control+m');
      await expect(page.getByTestId('note-text')).toBeFocused();
      await page.keyboard.type('# Swing\n\nEach ball has the energy $\\frac12 m v^2 + m g h$.');
      await page.keyboard.press('Escape');
      await expect(page.getByTestId('graph-note-note').locator('.katex')).toBeVisible();
      await page.getByTestId('graph-stage').focus();
      await page.keyboard.press('Control+9');
    },
  },
  {
    name: 'legend',
    async show(workbench) {
      const { page } = workbench;
      await workbench.openExample('three-balls');
      await workbench.runToEnd();
      await command(page, 'Legend of the live');
      await expect(page.getByTestId('graph-legend')).toBeVisible();
    },
  },
  {
    name: 'initial-values',
    async show(workbench) {
      const { page } = workbench;
      await command(page, 'Legend of the live');
      await workbench.openExample('bouncing-ball');
      await command(page, 'Run for several initial values');
      await page.locator('#initial-list').fill('0.4:1.4:6');
      await expect(page.getByTestId('initial-start')).toBeEnabled();
    },
  },
  {
    name: 'initial-values-run',
    async show({ page }) {
      await page.getByTestId('initial-start').click();
      await expect(page.getByTestId('initial-start')).toBeHidden();
      await expect(page.getByTestId('run-status')).toHaveText('Done');
      await page.waitForTimeout(1000);
    },
  },
  {
    name: 'changes-of-parameters',
    async show(workbench) {
      const { page } = workbench;
      await workbench.openExample('cam-follower-660');
      await command(page, 'Start paused');
      await expect(workbench.status).toHaveText('Paused');
      await page.keyboard.press('Control+F10');
      await page.getByLabel('Time (s)').fill('1.5');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('dialog')).toBeHidden();
      await expect(workbench.status).toHaveText('Paused');
      await command(page, 'Parameters of this run');
      await page.getByTestId('run-parameters').locator('input').first().fill('400');
      await page.getByTestId('apply-run-parameters').click();
      await expect(page.getByTestId('run-parameters')).toBeHidden();
      await page.getByTestId('pause-button').click();
      await expect(workbench.status).toHaveText('Done');
      await page.waitForTimeout(700);
    },
  },
  {
    name: 'run-details',
    async show({ page }) {
      await command(page, 'Details of the run');
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'display-units',
    async show(workbench) {
      const { page } = workbench;
      await page.keyboard.press('Escape');
      await workbench.openExample('cam-follower-358');
      await page.getByRole('button', { name: 'Unit of height0, shown in m', exact: true }).click();
      await page.getByRole('menuitemradio', { name: 'mm', exact: true }).click();
      await command(page, 'Display units');
      await expect(page.getByTestId('display-units')).toBeVisible();
    },
  },
  {
    name: 'make-editable',
    async show(workbench) {
      const { page } = workbench;
      await page.keyboard.press('Escape');
      await workbench.openExample('box-tower');
      await page.locator('.vue-flow__node').first().click();
      await command(page, 'Make editable');
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  ...MEASURED_VIEWS,
  {
    name: 'start-page',
    async show({ page }) {
      await page.keyboard.press('Escape');
      await command(page, 'Start page');
      await expect(page.getByTestId('start-page')).toBeVisible();
      await page.waitForTimeout(1000);
    },
  },
];
