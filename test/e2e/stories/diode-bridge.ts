import { expect } from '@playwright/test';
import { add, cell, fill, link, node, type Story } from './story';

/**
 * Voltage of the capacitor of the bridge with L = 10 mH, C = 1 µF, R = 1 kΩ from 10 V: a damped oscillation,
 * V.
 */
function voltage(t: number): number {
  const omega = Math.sqrt(1e8 - 500 ** 2);
  return Math.exp(-500 * t) * (10 * Math.cos(omega * t) - ((10 * 500) / omega) * Math.sin(omega * t));
}

export const diodeBridge: Story = {
  title:
    'a diode bridge is modelled by hand, and its voltage is that of the circuit with the diodes thought away',
  async tell({ workbench, page }) {
    await page.getByTestId('tab-new').click();
    await page.getByTestId('tab-parameters').click();
    await add(page, 'system-FirstOrderLinear');
    await fill(page, 'n', [2]);
    await fill(page, 'A', [0, '-1/1e-6', '1/0.01', 0]);
    await fill(page, 'x0', [10, 0]);
    await add(page, 'relation-FirstOrderLinearTI');
    await node(page, 'relation').click();
    if ((await page.locator('.vue-flow__edge').count()) === 0) await link(page, 'system', 'relation');
    await page.getByRole('textbox', { name: 'Number of outputs' }).fill('4');
    await page.getByRole('textbox', { name: 'Number of outputs' }).press('Enter');
    await fill(page, 'C', [0, 0, 0, 0, -1, 0, 1, 0]);
    await page.getByTestId('source-D').click();
    await page.getByRole('option', { name: 'constant', exact: true }).click();
    await fill(page, 'D', ['1/1000', '1/1000', -1, 0, '1/1000', '1/1000', 0, -1, 1, 0, 0, 0, 0, 1, 0, 0]);
    await fill(page, 'B', [0, 0, '-1/1e-6', '1/1e-6', 0, 0, 0, 0]);
    await page.getByRole('button', { name: /^h = / }).click();
    await cell(page, 'tEnd').fill('0.0005');
    await cell(page, 'h').fill('1e-7');
    await cell(page, 'h').press('Enter');
    await expect(page.getByTestId('run-button')).toBeEnabled();
    await workbench.runToEnd();
    await expect.poll(() => workbench.drawnTo('time-series', 'system.x[0]')).toBeCloseTo(5e-4, 9);
    const { x, y } = await workbench.curve('time-series', 'system.x[0]');
    // The bridge puts the resistor across the circuit whichever way the current flows: 2.537 V at half a
    // millisecond.
    expect(voltage(5e-4)).toBeCloseTo(2.53697, 4);
    const worst = Math.max(...y.map((value, k) => Math.abs(value - voltage(x[k] ?? 0))));
    expect(worst).toBeLessThan(0.05);
  },
};
