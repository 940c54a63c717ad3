import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Story } from './story';

const CRADLE = await readFile(
  join(import.meta.dirname, '../../../resources/examples/newtons-cradle.moreau.json'),
  'utf8',
);

export const strangersModel: Story = {
  title:
    'a stranger’s model is opened, looked through in its views, found to be sound, and cannot reach the machine',
  async tell({ workbench, page, openFile }) {
    const { keyboard } = page;
    await openFile('cradle.moreau.json', CRADLE);
    await expect(page.getByTestId('document-title')).toContainText('cradle');
    await expect(page.getByTestId('run-button')).toBeEnabled();
    await page.getByTestId('tab-tree').click();
    await expect(page.getByRole('treeitem').first()).toBeVisible();
    await page.getByTestId('tab-text').click();
    await expect(page.getByTestId('text-editor')).toContainText('formatVersion');
    await page.getByTestId('tab-parameters').click();
    await workbench.runToEnd();
    await expect(page.getByTestId('unsaved-marker')).toBeHidden();

    // The same model with a script that wants more than a model may.
    const model = JSON.parse(CRADLE) as { systems: Record<string, unknown>[]; scripts: unknown[] };
    model.systems[0].fExt = { function: 'pull' };
    model.scripts = [
      {
        name: 'pull.ts',
        role: 'functions',
        source: ['export const pull: ExternalForce = (t, out, p) => {', "  fetch('http://127.0.0.1');", '};'],
      },
    ];
    await openFile('curious.moreau.json', JSON.stringify(model));
    await expect(page.getByTestId('tab-strip').getByRole('tab')).toHaveCount(2);
    await expect(workbench.problems).toContainText('line 2');
    await expect(page.getByTestId('run-button')).toBeDisabled();
    await keyboard.press('Control+PageUp');
    await expect(workbench.status).toHaveText('Done');
  },
};
