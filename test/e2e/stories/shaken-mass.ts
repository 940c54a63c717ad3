import { expect } from '@playwright/test';
import { Hand } from '../support/hand';
import { takePictures } from '../support/pictures';
import type { Story } from './story';

export const shakenMass: Story = {
  title: 'a mass on a spring, shaken at its base, is drawn from nothing and hits its stop',
  async tell({ workbench, page }) {
    const hand = new Hand(workbench);
    const shows = (id: string) => expect(page.getByTestId(`graph-node-${id}`)).toBeVisible();
    /** A value beside a symbol, edited where it stands. */
    const value = async (id: string, words: string): Promise<void> => {
      await page.getByTestId(`graph-node-${id}`).dblclick();
      await expect(page.getByTestId('component-value-input')).toBeFocused();
      await page.keyboard.press('Control+a');
      await hand.type(words);
      hand.gestures++;
    };
    await page.getByTestId('tab-new').click();
    await expect(page.locator('.vue-flow__node')).toHaveCount(0);
    await hand.doubleClick(await hand.at(0.12, 0.5));
    await hand.pick('shaker');
    await shows('M1');
    await value('M1', '0.02*sin(12*t)');
    await hand.drag('M1.a', await hand.at(0.3, 0.5));
    await hand.pick('spring');
    await shows('S1');
    await hand.drag('S1.b', await hand.at(0.55, 0.5));
    await hand.pick('mass');
    await shows('M2');
    await hand.drag('M2.b', await hand.at(0.75, 0.5));
    await hand.pick('stop');
    await shows('S2');
    await page.getByTestId('field-gap').locator('input').fill('0.03');
    await page.getByTestId('field-gap').locator('input').press('Enter');
    await page.getByTestId('field-restitution').locator('input').fill('0.8');
    await page.getByTestId('field-restitution').locator('input').press('Enter');
    hand.gestures += 2;
    await hand.drag('S2.b', await hand.at(0.94, 0.5));
    await hand.pick('wall');
    await shows('W1');
    await workbench.runToEnd();
    hand.gestures++;
    // Near its resonance it reaches the stop, passes it by less than the way of a step, and is thrown back.
    await expect.poll(async () => (await workbench.curves('positions')).length).toBeGreaterThan(0);
    const { y } = await workbench.settledCurve('positions', 'M2.x', 4.9);
    expect(Math.max(...y)).toBeGreaterThan(0.0299);
    expect(Math.max(...y)).toBeLessThan(0.031);
    expect(Math.min(...y)).toBeLessThan(-0.03);
    expect(hand.gestures).toBeLessThanOrEqual(16);
    await takePictures(page, 'shaken-mass');
  },
};
