import { expect } from '@playwright/test';
import { Hand } from '../support/hand';
import { takePictures } from '../support/pictures';
import type { Story } from './story';

export const halfWaveRectifier: Story = {
  title: 'a half-wave rectifier is drawn from nothing',
  async tell({ workbench, page }) {
    const hand = new Hand(workbench);
    await page.getByTestId('tab-new').click();
    await expect(page.locator('.vue-flow__node')).toHaveCount(0);
    await hand.doubleClick(await hand.at(0.25, 0.5));
    await hand.pick('sine voltage');
    await expect(page.getByTestId('graph-node-V1')).toBeVisible();
    await hand.press('r');
    await hand.drag('V1.p', await hand.at(0.45, 0.25));
    await hand.pick('diode');
    await expect(page.getByTestId('graph-node-D1')).toBeVisible();
    await hand.drag('D1.k', await hand.at(0.75, 0.55));
    await hand.pick('R');
    await expect(page.getByTestId('graph-node-R1')).toBeVisible();
    await hand.drag('R1.b', 'V1.n');
    await hand.drag('V1.n', await hand.at(0.25, 0.9));
    await hand.pick('gnd');
    await expect(page.getByTestId('graph-node-GND1')).toBeVisible();
    await expect(page.getByTestId('wire-n1')).toBeAttached();
    await expect(page.getByTestId('wire-n3').locator('.dot')).toHaveCount(1);
    hand.gestures++;
    await workbench.runToEnd();
    await expect
      .poll(async () => (await workbench.curves('voltages')).map(({ name }) => name))
      .toEqual(['n1.v', 'n2.v']);
    const { y } = await workbench.settledCurve('voltages', 'n2.v', 0.1);
    expect(Math.max(...y)).toBeGreaterThan(9);
    expect(Math.min(...y)).toBeGreaterThan(-1e-6);
    expect(hand.gestures).toBeLessThanOrEqual(16);
    await takePictures(page, 'half-wave-rectifier');
  },
};
