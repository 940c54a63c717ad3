/**
 * Measures the graph editor with a thousand beads: frames a second while the view is panned, and the longest
 * task of an edit. A program that prints figures, not a test: `npm run measure`.
 */
import type { Page } from '@playwright/test';
import { startBrowserDoor } from '../../support/door';
import { expect, test } from '../browser/fixtures';
import { chain } from '../support/chain';
import { Workbench } from '../support/workbench';

const BEADS = 1000;

interface Watched {
  frames: number[];
  tasks: number[];
}

/** Frame times and long tasks while something is done. */
async function watched(page: Page, act: () => Promise<void>): Promise<Watched> {
  await page.evaluate(() => {
    const kept = { frames: [] as number[], tasks: [] as number[], isOver: false };
    Object.assign(window, { kept });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) kept.tasks.push(duration);
    }).observe({ entryTypes: ['longtask'] });
    let last = performance.now();
    const step = (now: number): void => {
      kept.frames.push(now - last);
      last = now;
      if (!kept.isOver) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
  await act();
  return page.evaluate(() => {
    const { kept } = window as unknown as { kept: Watched & { isOver: boolean } };
    kept.isOver = true;
    return { frames: kept.frames.slice(1), tasks: kept.tasks };
  });
}

/** Pans by the pointer for two seconds. */
async function pan(page: Page): Promise<void> {
  const { x, y, width, height } = (await page.getByTestId('graph-stage').boundingBox())!;
  const middle = { x: x + 0.5 * width, y: y + 0.7 * height };
  // Where nothing stands, the whole drawing is panned.
  await page.mouse.move(x + 4, y + height - 4);
  await page.mouse.down();
  const since = Date.now();
  for (let i = 0; Date.now() - since < 2000; i++) {
    const turn = i / 12;
    await page.mouse.move(
      middle.x + 0.3 * width * Math.cos(turn),
      middle.y - 0.3 * height + 0.2 * height * Math.sin(turn),
    );
  }
  await page.mouse.up();
}

function figures(name: string, { frames, tasks }: Watched): void {
  const sorted = [...frames].sort((a, b) => a - b);
  const mean = frames.reduce((sum, frame) => sum + frame, 0) / frames.length;
  console.log(
    `${name}: ${(1000 / mean).toFixed(0)} frames/s, 95 % of the frames within ` +
      `${(sorted[Math.floor(0.95 * sorted.length)] ?? 0).toFixed(0)} ms, longest ${(sorted.at(-1) ?? 0).toFixed(0)} ms, ` +
      `longest task ${Math.max(0, ...tasks).toFixed(0)} ms`,
  );
}

async function zoom(page: Page, steps: number): Promise<void> {
  const { x, y, width, height } = (await page.getByTestId('graph-stage').boundingBox())!;
  await page.mouse.move(x + 0.5 * width, y + 0.5 * height);
  for (let i = 0; i < Math.abs(steps); i++) await page.mouse.wheel(0, Math.sign(steps) * -120);
}

/** What single edits cost, each with the report that follows it. */
async function measureEdits(page: Page): Promise<void> {
  const edit = async (name: string, act: () => Promise<void>): Promise<void> => {
    await page.waitForTimeout(1500);
    figures(
      name,
      await watched(page, async () => {
        await act();
        await page.waitForTimeout(2000);
      }),
    );
  };
  // The node with the focus comes into view; chosen, it is moved by keys.
  await page.getByTestId('graph-stage').focus();
  for (const key of ['ArrowRight', 'Enter', 'ArrowRight']) {
    await page.keyboard.press(key);
    await page.waitForTimeout(300);
  }
  await edit('choosing the next node', () =>
    page.keyboard.press('Alt+ArrowRight').then(() => page.keyboard.press('Enter')),
  );
  await edit('moving one node by key', () => page.keyboard.press('ArrowRight'));
  await edit('undoing that', () => page.keyboard.press('Control+Z'));
  const node = page.locator('.vue-flow__node').and(page.locator('[tabindex="0"]'));
  await edit('moving one node by mouse', async () => {
    const { x, y, width, height } = (await node.boundingBox())!;
    await page.mouse.move(x + 0.5 * width, y + 0.5 * height);
    await page.mouse.down();
    for (let i = 1; i <= 20; i++) await page.mouse.move(x + 0.5 * width + 3 * i, y + 0.5 * height + 2 * i);
    await page.mouse.up();
  });
  await edit('undoing that', () => page.keyboard.press('Control+Z'));
  const field = page.locator('[data-testid^="field-"] input').first();
  await edit('changing a field', async () => {
    await field.fill('0.5');
    await field.press('Enter');
  });
  await edit('undoing that', () => page.keyboard.press('Control+Z'));
  await page.getByTestId('graph-stage').focus();
  await edit('adding a node', async () => {
    await page.keyboard.press('Insert');
    await page.keyboard.press('Enter');
  });
  await edit('undoing that', () => page.keyboard.press('Control+Z'));
  await page.getByTestId('graph-stage').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await edit('deleting one', () => page.keyboard.press('Delete'));
  await edit('undoing that', () => page.keyboard.press('Control+Z'));
}

test('a graph of a thousand beads', async ({ page }) => {
  test.setTimeout(300_000);
  const door = await startBrowserDoor();
  await page.goto(door.url);
  const workbench = new Workbench(page);
  await workbench.ready();

  await workbench.openExample('bead-column');
  await workbench.setParameter('N', String(BEADS));
  const progress = page.getByTestId('graph-progress');
  await page.waitForTimeout(1500);
  await progress.waitFor({ state: 'hidden', timeout: 120_000 });
  await page.waitForTimeout(1500);
  figures('built, all in view', await watched(page, () => pan(page)));

  // Opened beside: the other document is not drawn any more.
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Control+O')]);
  await chooser.setFiles({
    name: 'chain.moreau.json',
    mimeType: 'application/json',
    buffer: Buffer.from(await chain(BEADS)),
  });
  await page.waitForTimeout(1500);
  await progress.waitFor({ state: 'hidden', timeout: 120_000 });
  await page.waitForTimeout(1500);
  figures('own, all in view', await watched(page, () => pan(page)));
  figures(
    'own, zooming in',
    await watched(page, async () => {
      for (let i = 0; i < 10; i++) await zoom(page, 1);
    }),
  );
  for (const level of ['far', 'names', 'full']) {
    figures(
      `own, ${level} (${await page.locator('.vue-flow__node').count()} cards)`,
      await watched(page, () => pan(page)),
    );
    await zoom(page, 3);
    await page.waitForTimeout(300);
  }

  await measureEdits(page);
  expect(await page.locator('.vue-flow__node').count()).toBeGreaterThan(0);
  await door.stop();
});
