import { expect } from '@playwright/test';
import type { Story } from './story';

const MISTAKEN = [
  '/** Pushes the follower upwards, more and more. */',
  'export const push: ExternalForce = (t, out, p) => {',
  "if (t < 0.01) console.log('pushed', p.mu);",
  'const root = Math.sqrt(0.5 - t);',
  'out[0]   =   root * p.mu;',
  '};',
];

export const forcePlugIn: Story = {
  title: 'a force is written, fails, shows its values at the line, is mended and acts',
  async tell({ workbench, page }) {
    const { keyboard } = page;
    await workbench.openExample('cam-follower-358');
    await workbench.runToEnd();
    const before = await workbench.curve('series', 'follower.q');
    await workbench.openScript();
    const editor = page.getByTestId('script-editor');
    const lens = editor.locator('.codelens-decoration');
    await workbench.caretAtEndOfLine(1);
    await keyboard.press('Control+Home');
    await workbench.typeScript(MISTAKEN);
    await expect(lens.filter({ hasText: 'Not used by any element' })).toBeVisible();
    await lens.getByText('Use in…').click();
    await page.getByRole('button', { name: 'follower (External force)' }).click();
    await workbench.openScript();
    await workbench.caretAtEndOfLine(1);
    await expect(lens.filter({ hasText: 'Used by follower (External force)' })).toBeVisible();
    await workbench.run();

    // The failure stands at its line, with the values of the call and what was said before it.
    await expect(page.getByTestId('script-failure')).toContainText('root = Math.sqrt(0.5 - t) gives NaN');
    const values = page.getByTestId('failure-values');
    await values.locator('summary').click();
    await expect(values).toContainText('follower');
    await page.getByTestId('tab-console').click();
    await expect(page.getByTestId('console-line').first()).toContainText('pushed 1.221');

    // Mended: the root of a positive number.
    await workbench.caretAtEndOfLine(4);
    for (let i = 0; i < '(0.5 - t);'.length; i++) await keyboard.press('Backspace');
    await keyboard.type('(0.5 + t);');
    await workbench.runToEnd();
    await expect(page.getByTestId('script-failure')).toBeHidden();
    // The plot may still show the run before.
    await expect
      .poll(async () => {
        const after = await workbench.curve('series', 'follower.q');
        return Math.max(...after.y.map((value, k) => Math.abs(value - (before.y[k] ?? 0))));
      })
      .toBeGreaterThan(1e-4);
  },
};
