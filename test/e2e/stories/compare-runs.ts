import { expect } from '@playwright/test';
import type { Story } from './story';

export const compareRuns: Story = {
  title: 'two runs are compared: what differs, and how far they are',
  async tell({ workbench, page }) {
    await workbench.openExample('bouncing-ball');
    await workbench.runToEnd();
    await workbench.setParameter('e', '0.5');
    const runs = page.getByTestId('run-list').locator('li');
    await expect(runs).toHaveCount(2);
    await expect(workbench.status).toHaveText('Done');
    await expect(runs.first()).toContainText('e = 0.5');
    // Both are drawn: the new one, and the one before it faintly.
    const drawn = async (): Promise<{ x: number[]; y: number[] }[]> =>
      (await workbench.curves('series')).filter(({ name }) => name === 'ball.q');
    await expect.poll(async () => (await drawn()).length).toBe(2);
    const peaks = (await drawn()).map(({ x, y }) =>
      Math.max(...y.filter((_, k) => (x[k] ?? 0) > 0.6 && (x[k] ?? 0) < 1.2)),
    );
    expect(Math.min(...peaks)).toBeLessThan(0.6 * Math.max(...peaks));
  },
};
