import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { Hand } from '../support/hand';
import { takePictures } from '../support/pictures';
import type { Story } from './story';

interface Model {
  components: { id: string; type: string }[];
  wires: { id: string; ends: string[] }[];
  views: { id: string; analyses?: string[] }[];
  analyses: { id: string; axes: { count: number }[]; transient: number; points: number; start: string }[];
}

/** The converter of the gallery without its modulator, and with fewer points in its diagram. */
async function withoutModulator(): Promise<string> {
  const file = join(import.meta.dirname, '../../../resources/examples/buck-voltage-mode.moreau.json');
  const model = JSON.parse(await readFile(file, 'utf8')) as Model;
  model.components = model.components.filter(({ type }) => type !== 'PWM');
  model.wires = model.wires.filter(({ id }) => id !== 'control' && id !== 'gate');
  model.views = model.views.filter(({ id }) => id !== 'controller');
  model.analyses = model.analyses.filter(({ id }) => id === 'diagram');
  for (const view of model.views) if (view.analyses !== undefined) view.analyses = ['diagram'];
  for (const analysis of model.analyses) {
    for (const axis of analysis.axes) axis.count = 8;
    Object.assign(analysis, { transient: 200, points: 16, start: 'initial' });
  }
  return JSON.stringify(model);
}

export const voltageModeBuck: Story = {
  title: 'a buck converter gets its modulator, and its bifurcation diagram shows how it becomes chaotic',
  async tell({ workbench, page, openFile }) {
    const hand = new Hand(workbench);
    await openFile('buck.moreau.json', await withoutModulator());
    await expect(page.getByTestId('document-title')).toContainText('Voltage-mode buck');
    await expect(page.getByTestId('graph-node-PID1')).toBeVisible();
    await page.getByTestId('graph-stage').focus();
    await hand.press('Insert');
    await hand.pick('PWM');
    await expect(page.getByTestId('graph-node-P1')).toBeVisible();
    for (const [field, value] of [
      ['period', 'T'],
      ['low', 'VL'],
      ['high', 'VU'],
    ] as const) {
      await page.getByTestId(`field-${field}`).locator('input').first().fill(value);
      await page.getByTestId(`field-${field}`).locator('input').first().press('Enter');
      hand.gestures++;
    }
    await hand.drag('PID1.y', 'P1.u');
    await hand.drag('P1.n', 'S1.gate');
    await workbench.runToEnd();
    hand.gestures++;
    await page.getByRole('tab', { name: 'Analyses' }).click();
    await page.getByTestId('analysis-start').click();
    hand.gestures += 2;
    await expect(page.getByTestId('analysis-state')).toContainText('done', { timeout: 240_000 });
    // Sixteen points at each of eight supplies; where the motion is chaotic they spread.
    await expect(page.getByTestId('plot-bifurcation').getByTestId('decimation')).toHaveText('128 points');
    const { xMin, xMax, yMin, yMax } = (await workbench.range('bifurcation'))!;
    expect([xMin, xMax].map(Math.round)).toEqual([20, 34]);
    expect(yMax - yMin).toBeGreaterThan(0.3);
    expect(yMin).toBeGreaterThan(11);
    expect(yMax).toBeLessThan(14);
    expect(hand.gestures).toBeLessThanOrEqual(10);
    await takePictures(page, 'voltage-mode-buck');
  },
};
