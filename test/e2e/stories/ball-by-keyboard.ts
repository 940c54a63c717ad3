import { expect, type Page } from '@playwright/test';
import { expectBounces, type Story } from './story';

/** Tabs on until what a selector finds has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let i = 0; i < 80; i++) {
    const isThere = await page.evaluate(
      (wanted) => document.activeElement?.matches(wanted) === true,
      selector,
    );
    if (isThere) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the tab key does not lead to ${selector}`);
}

async function type(page: Page, field: string, value: string): Promise<void> {
  await tabTo(page, `[data-testid="field-${field}"] input`);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(value);
  await page.keyboard.press('Enter');
}

export const ballByKeyboard: Story = {
  title: 'the bouncing ball is built from an empty model with the keyboard only',
  async tell({ workbench, page }) {
    const { keyboard } = page;
    await keyboard.press('Control+Alt+n');
    await expect(page.getByTestId('graph-stage')).toBeVisible();
    await keyboard.press('Control+1');
    // Typing on the drawing opens the palette with what was typed.
    await keyboard.type('linear time');
    await expect(page.getByTestId('graph-palette')).toBeVisible();
    await expect(page.getByTestId('add-system-LagrangianLinearTI').first()).toBeVisible();
    await keyboard.press('Enter');
    await expect(page.getByTestId('graph-node-system')).toBeVisible();
    await type(page, 'q0', '1');
    await tabTo(page, '[data-testid="source-fExt"]');
    await keyboard.press('Enter');
    await expect(
      page.getByRole('option', { name: 'constant, or expressions of t', exact: true }),
    ).toBeVisible();
    await keyboard.type('constant');
    await keyboard.press('Enter');
    await type(page, 'fExt', '-10');

    // With the system chosen, a contact is linked to it as it is added.
    await keyboard.press('Control+1');
    await keyboard.press('Insert');
    await keyboard.type('Lagrangian linear');
    const option = page.locator('[data-entry="relation-LagrangianLinear"]');
    await expect(option).toBeVisible();
    for (let i = 0; i < 12 && (await option.getAttribute('data-highlighted')) === null; i++)
      await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await expect(page.getByTestId('graph-node-contact')).toBeVisible();
    if ((await page.locator('.vue-flow__edge').count()) === 0) {
      await keyboard.press('Control+l');
      await expect(page.getByTestId('graph-panel')).toBeVisible();
      await keyboard.press('Enter');
    }
    await expect(page.locator('.vue-flow__edge')).toHaveCount(1);
    await type(page, 'e', '0.5');
    await keyboard.press('Control+Enter');
    await expect(workbench.status).toHaveText('Done');
    await expectBounces(workbench);
  },
};
