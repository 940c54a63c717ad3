/**
 * How long the window's main thread is held up: while a run streams in, and while a large model is edited.
 * Printed, not judged; what is judged is that the edits do what they should. A thousand nodes in
 * `npm run prove`, a part of them otherwise.
 */
import type { Page } from '@playwright/test';
import { node } from '../stories/story';
import { chain } from '../support/chain';
import { openText } from '../support/open-text';
import { expect, test } from './fixtures';

const isProving = process.env.MOREAU_PROVE !== undefined;
const BEADS = isProving ? 1000 : 200;
/** of two beads next to each other, which are at its number, m */
const MIDDLE = BEADS / 2;
const ROUNDS = isProving ? 5 : 2;

/** Long tasks of the main thread while something is done, ms. The browser tells those from 50 ms on. */
async function longTasks(page: Page, act: () => Promise<void>): Promise<number[]> {
  await page.evaluate(() => {
    const tasks: number[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    });
    observer.observe({ entryTypes: ['longtask'] });
    Object.assign(window, { watched: { tasks, observer } });
  });
  await act();
  // Two frames: what the last action set off has been painted.
  return page.evaluate(async () => {
    const { tasks, observer } = (
      window as unknown as { watched: { tasks: number[]; observer: PerformanceObserver } }
    ).watched;
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const { duration } of observer.takeRecords()) tasks.push(duration);
    observer.disconnect();
    return tasks;
  });
}

function print(what: string, tasks: readonly number[]): void {
  const over = tasks.filter((duration) => duration > 100);
  const longest = tasks.length === 0 ? 'under 50' : Math.max(...tasks).toFixed(0);
  console.log(`${what}: longest task ${longest} ms, ${over.length} over 100 ms`);
}

// A trace would take pictures of the page all the time, and that is most of what would be measured.
test.use({ trace: 'off', screenshot: 'off' });

test('the main thread while a run streams in and while a large model is edited', async ({ workbench }) => {
  test.slow();
  const { page } = workbench;
  const { keyboard } = page;
  await workbench.openExample('cam-follower-660');
  await page.getByRole('button', { name: /^h = / }).click();
  await page.getByTestId('field-h').locator('input').fill('1e-7');
  await workbench.run();
  const ask = page.getByTestId('answer-run');
  await expect(ask.or(workbench.status.getByText('Running'))).toBeVisible();
  if (await ask.isVisible()) await ask.click();
  await expect(workbench.status).toHaveText('Running');
  const streaming = await longTasks(page, async () => {
    const plot = page.getByTestId('plot-series').or(page.locator('.plot')).first();
    await plot.hover();
    for (let i = 0; i < ROUNDS; i++) {
      await page.mouse.wheel(0, -200);
      await page.getByTestId('tab-tree').click();
      await page.getByTestId('tab-parameters').click();
      await page.getByTestId('graph-node-follower').click();
      await page.waitForTimeout(400);
    }
  });
  await expect(workbench.status).toHaveText('Running');
  print('a run streams in', streaming);
  await page.getByTestId('cancel-button').click();
  await expect(workbench.status).toHaveText('Cancelled');

  await openText(page, 'column.moreau.json', await chain(BEADS));
  await expect(page.getByTestId('document-title')).toContainText('column', { ignoreCase: true });
  await expect(page.getByTestId('run-button')).toBeEnabled();
  const stage = page.getByTestId('graph-stage');
  const choose = async (id: string): Promise<void> => {
    await stage.focus();
    await keyboard.press('Control+f');
    await expect(page.getByTestId('graph-panel').getByRole('textbox')).toBeFocused();
    await keyboard.type(id);
    await expect(page.getByRole('option').first()).toContainText(id);
    await keyboard.press('Enter');
    await expect(page.locator('.vue-flow__node:focus')).toHaveAttribute('data-id', id);
    await expect(page.getByTestId('tab-inspector')).toContainText(id);
  };
  await choose(`bead${MIDDLE}`);
  const undone = page.getByTestId('undo-button');
  print(
    'a node is moved by keys',
    await longTasks(page, async () => {
      for (let i = 0; i < 4; i++) await keyboard.press('ArrowRight');
      await expect(undone).toBeEnabled();
    }),
  );
  const position = page.getByTestId('field-q0').locator('input').first();
  print(
    'a field is changed',
    await longTasks(page, async () => {
      await position.fill(`${MIDDLE}.5`);
      await position.press('Enter');
      await page.waitForTimeout(500);
    }),
  );
  print(
    'a node is deleted, and comes back',
    await longTasks(page, async () => {
      await choose(`bead${MIDDLE + 1}`);
      await keyboard.press('Delete');
      await expect(node(page, `bead${MIDDLE + 1}`)).toHaveCount(0);
      await keyboard.press('Control+z');
      await expect(node(page, `bead${MIDDLE + 1}`)).toBeVisible();
    }),
  );
  print(
    'a system is added',
    await longTasks(page, async () => {
      await page.getByTestId('add-element').click();
      await page.getByTestId('add-system-LagrangianLinearTI').first().click();
      await expect(node(page, 'system')).toBeVisible();
    }),
  );
  while (await undone.isEnabled()) await undone.click();
  await choose(`bead${MIDDLE}`);
  await expect(position).toHaveValue(String(MIDDLE));
});
