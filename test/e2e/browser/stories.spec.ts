/** What users come for, from an empty window to the answer. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures';

const cell = (page: Page, field: string): Locator =>
  page.getByTestId(`field-${field}`).locator('input').first();

async function fill(page: Page, field: string, value: string): Promise<void> {
  await cell(page, field).fill(value);
  await cell(page, field).press('Enter');
}

test('a bouncing ball is built from an empty model with the mouse and bounces as it should', async ({
  workbench,
}) => {
  const { page } = workbench;
  await page.getByTestId('tab-new').click();
  const add = async (element: string): Promise<void> => {
    await page.getByTestId('add-element').click();
    await page.getByTestId(`add-${element}`).first().click();
  };
  await add('system-LagrangianLinearTI');
  await fill(page, 'q0', '1');
  await page.getByTestId('source-fExt').click();
  await page.getByRole('option', { name: 'constant', exact: true }).click();
  await fill(page, 'fExt', '-10');
  await add('relation-LagrangianLinear');
  await page.getByTestId('graph-node-contact').click();
  const port = (id: string, side: string): Locator =>
    page.getByTestId(`graph-node-${id}`).locator(`.vue-flow__handle-${side}`);
  // A contact that was added with the system selected is linked to it already.
  if ((await page.locator('.vue-flow__edge').count()) === 0) {
    await port('system', 'right').hover();
    await page.mouse.down();
    await port('contact', 'left').hover();
    await page.mouse.up();
  }
  await expect(page.locator('.vue-flow__edge')).toHaveCount(1);
  await fill(page, 'e', '0.5');
  await expect(page.getByTestId('run-button')).toBeEnabled();
  await workbench.runToEnd();

  const height = await workbench.curve('time-series', 'system.q');
  // Falls 1 m in √(2/10) s, and rises to e² = 1/4 of that at the first bounce.
  const impact = Math.sqrt(0.2);
  const after = height.y.filter((_, k) => (height.x[k] ?? 0) > impact + 0.01);
  expect(Math.max(...after)).toBeCloseTo(0.25, 2);
  expect(Math.min(...height.y)).toBeGreaterThan(-0.01);
  const undo = page.getByTestId('undo-button');
  while (await undo.isEnabled()) await undo.click();
  await expect(page.locator('.vue-flow__node')).toHaveCount(0);
});

test('a stranger’s column of beads is opened, its builder read, and a thousand beads are built and run', async ({
  workbench,
}) => {
  const { page } = workbench;
  await workbench.openExample('bead-column');
  await workbench.runToEnd();
  await page.getByTestId('tab-script').click();
  await expect(page.locator('.monaco-editor .view-line').first()).toBeVisible();
  await page.getByTestId('tab-graph').click();
  await workbench.setParameter('N', '1000');
  await page.getByTestId('tab-tree').click();
  await expect(page.getByRole('tree')).toBeVisible();
  await page.getByTestId('tab-parameters').click();
  await workbench.runToEnd();
  // The lowest contact carries all thousand beads: m g h N in each step.
  await expect
    .poll(async () => (await workbench.curve('series', 'contact0.impulse')).y.at(-1) ?? 0)
    .toBeCloseTo(1000 * 9.81 * 0.005, 6);
});

test('two runs are compared: what differs, and how far they are', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('bouncing-ball');
  await workbench.runToEnd();
  await workbench.setParameter('e', '0.5');
  await expect(page.getByTestId('run-list').locator('li')).toHaveCount(2);
  await expect(workbench.status).toHaveText('Done');
  await expect(page.getByTestId('run-list').locator('li').first()).toContainText('e = 0.5');
  // Both are drawn: the new one, and the one before it faintly.
  await expect
    .poll(async () => (await workbench.curves('series')).filter(({ name }) => name === 'ball.q').length)
    .toBe(2);
  const drawn = (await workbench.curves('series')).filter(({ name }) => name === 'ball.q');
  const peaks = drawn.map(({ x, y }) =>
    Math.max(...y.filter((_, k) => (x[k] ?? 0) > 0.6 && (x[k] ?? 0) < 1.2)),
  );
  expect(Math.min(...peaks)).toBeLessThan(0.6 * Math.max(...peaks));
});
