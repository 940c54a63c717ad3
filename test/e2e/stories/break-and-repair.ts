import { expect } from '@playwright/test';
import { cell, node, type Story } from './story';

/** Near the end of the example, s. */
const END = 9.9;

/** What of a curve does not depend on the pixels that its plot has: start, end, and both extremes. */
const marks = (y: readonly number[]): (number | undefined)[] => [
  y[0],
  y.at(-1),
  Math.min(...y),
  Math.max(...y),
];

export const breakAndRepair: Story = {
  title: 'a model is broken in the form, in the text and in the graph, says where and how, and is repaired',
  async tell({ workbench, page }) {
    const { keyboard } = page;
    const run = page.getByTestId('run-button');
    await workbench.openExample('bouncing-ball');
    await workbench.runToEnd();
    const sound = await workbench.settledCurve('series', 'ball.q', END);

    // In the form: an expression of a parameter that does not exist.
    await node(page, 'ball').click();
    await cell(page, 'mass').fill('weight');
    await cell(page, 'mass').press('Enter');
    await expect(run).toBeDisabled();
    await page.getByTestId('tab-problems').click();
    await expect(workbench.problems).toContainText('weight');
    await expect(node(page, 'ball').getByRole('img', { name: /weight|problem|error/i })).toBeVisible();
    await keyboard.press('Escape');
    await page.getByTestId('undo-button').click();
    await expect(run).toBeEnabled();

    // In the text: a bracket is missing, and then there again.
    await keyboard.press('Control+3');
    const text = page.getByTestId('text-editor');
    await expect(text).toContainText(/"\w+":/);
    await expect(text.locator('.monaco-editor.focused, .monaco-editor .focused').first()).toBeVisible();
    await keyboard.press('Control+End');
    await keyboard.press('ArrowUp');
    await keyboard.press('End');
    await keyboard.press('Backspace');
    // The model stays as it was before; the text says where it cannot be read.
    await expect(page.getByTestId('text-state')).toContainText(/line \d+/i);
    await keyboard.type('}');
    await expect(page.getByTestId('text-state')).not.toContainText(/line \d+/i);

    // In the graph: its only contact is taken away, and comes back.
    await page.getByTestId('tab-graph').click();
    await node(page, 'floor').click();
    await keyboard.press('Delete');
    await expect(node(page, 'floor')).toHaveCount(0);
    await keyboard.press('Control+z');
    await expect(node(page, 'floor')).toBeVisible();
    await workbench.runToEnd();
    const again = await workbench.settledCurve('series', 'ball.q', END);
    expect(marks(again.y)).toEqual(marks(sound.y));
  },
};
