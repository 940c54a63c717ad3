import { expect } from '@playwright/test';
import { add, expectBounces, fill, link, node, type Story, undoAll } from './story';

export const ballByMouse: Story = {
  title: 'a bouncing ball is built from an empty model with the mouse and bounces as it should',
  async tell({ workbench, page }) {
    await page.getByTestId('tab-new').click();
    await add(page, 'system-LagrangianLinearTI');
    await fill(page, 'q0', [1]);
    await page.getByTestId('source-fExt').click();
    await page.getByRole('option', { name: 'constant, or expressions of t', exact: true }).click();
    await fill(page, 'fExt', [-10]);
    await add(page, 'relation-LagrangianLinear');
    const edges = page.locator('.vue-flow__edge');
    await node(page, 'contact').click();
    // A contact that was added with the system selected is linked to it already.
    if ((await edges.count()) === 0) await link(page, 'system', 'contact');
    await expect(edges).toHaveCount(1);
    await fill(page, 'e', [0.5]);
    await expect(page.getByTestId('run-button')).toBeEnabled();
    await workbench.runToEnd();
    await expectBounces(workbench);
    await undoAll(page);
    await expect(page.locator('.vue-flow__node')).toHaveCount(0);
  },
};
