import { expect } from '@playwright/test';
import type { Story } from './story';

export const thousandBeads: Story = {
  title: 'a builder script of a column is read, told to build a thousand beads, and carries their weight',
  async tell({ workbench, page }) {
    await workbench.openExample('bead-column');
    await workbench.runToEnd();
    await workbench.openScript();
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
  },
};
