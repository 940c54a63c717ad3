/**
 * A long session of random actions, each of which a user could do where they are. Nothing may be said on the
 * console, and the window may not keep growing. A few actions, or those of MOREAU_SESSION_MINUTES, which
 * `npm run prove` sets; MOREAU_SESSION_SEED says which. Both are printed.
 */
import type { CDPSession, Page } from '@playwright/test';
import { expect, test } from './fixtures';
import type { Workbench } from '../support/workbench';

const MINUTES = Number(process.env.MOREAU_SESSION_MINUTES ?? '0');
/** Actions of a session without a time. */
const FEW = 20;
const SEED = Number(process.env.MOREAU_SESSION_SEED ?? '1');
const EXAMPLES = ['bouncing-ball', 'cam-follower-358', 'diode-bridge', 'newtons-cradle', 'three-balls'];
const MIB = 1024 ** 2;

/** Numbers in [0, 1) from a seed: the same session again. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Player {
  workbench: Workbench;
  page: Page;
  random: () => number;
}

const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)];

/** Lets nothing stand in the way of what comes next. */
async function closeAll(page: Page): Promise<void> {
  for (let i = 0; i < 4 && (await page.locator('[role="dialog"], [role="menu"]').count()) > 0; i++)
    await page.keyboard.press('Escape');
  const help = page.getByTestId('help');
  if (await help.isVisible()) await help.getByRole('button', { name: /^Close/ }).click();
}

const ACTIONS: readonly ((player: Player) => Promise<void>)[] = [
  async function openExample({ workbench, random }) {
    await workbench.openExample(pick(random, EXAMPLES));
  },
  async function newModel({ page }) {
    await page.keyboard.press('Control+Alt+N');
  },
  async function closeTab({ page }) {
    const tabs = page.getByTestId('tab-strip').getByRole('tab');
    const before = await tabs.count();
    if (before < 2) return;
    await page.keyboard.press('Control+Alt+w');
    const discard = page.getByTestId('answer-discard');
    // Closed, or asked: a question that came later would stand in the way of what comes next.
    await expect(async () => {
      if (await discard.isVisible()) await discard.click();
      expect(await tabs.count()).toBe(before - 1);
    }).toPass({ intervals: [50] });
  },
  async function otherTab({ page }) {
    await page.keyboard.press('Control+PageUp');
  },
  async function addElement({ page, random }) {
    await page.getByTestId('tab-graph').click();
    await page.getByTestId('add-element').click();
    const entries = page.getByTestId('graph-palette').getByRole('option');
    await entries.nth(Math.floor(random() * Math.min(12, await entries.count()))).click();
  },
  async function selectAndDelete({ page, random }) {
    await page.getByTestId('tab-graph').click();
    const nodes = page.locator('.vue-flow__node');
    const count = await nodes.count();
    if (count === 0) return;
    await nodes.nth(Math.floor(random() * count)).focus();
    await page.keyboard.press('Enter');
    if (random() < 0.4) await page.keyboard.press('Delete');
    else await page.keyboard.press(pick(random, ['ArrowLeft', 'ArrowDown', 'Control+d', 'Control+c']));
  },
  async function undo({ page, random }) {
    const button = page.getByTestId('undo-button');
    for (let i = 0; i < 1 + 6 * random() && (await button.isEnabled()); i++) await button.click();
  },
  async function redo({ page, random }) {
    const button = page.getByTestId('redo-button');
    for (let i = 0; i < 1 + 6 * random() && (await button.isEnabled()); i++) await button.click();
  },
  async function changeParameter({ page, random }) {
    await page.getByTestId('tab-parameters').click();
    const inputs = page.locator('[data-testid^="parameter-"][data-testid$="-input"]');
    const count = await inputs.count();
    if (count === 0) return;
    const input = inputs.nth(Math.floor(random() * count));
    await input.fill(String((Number(await input.inputValue()) || 1) * (0.9 + 0.2 * random())));
    await input.press('Enter');
  },
  async function run({ page, workbench, random }) {
    const button = page.getByTestId('run-button');
    if (!(await button.isVisible()) || !(await button.isEnabled())) return;
    // By key: the model may turn out to be broken just now, and a button that goes grey would be waited for.
    await page.keyboard.press('Control+Enter');
    await page.waitForTimeout(1500 * random());
    if (random() < 0.3) await page.keyboard.press('Control+.');
    await expect(workbench.status).not.toHaveText('Running');
  },
  async function showView({ page, random }) {
    await page.getByTestId(pick(random, ['tab-graph', 'tab-script', 'tab-text'])).click();
  },
  async function showPanel({ page, random }) {
    const tabs = ['inspector', 'problems', 'topology', 'events', 'console'];
    await page.getByTestId(`tab-${pick(random, tabs)}`).click();
    await page.getByTestId(pick(random, ['tab-tree', 'tab-parameters'])).click();
  },
  async function zoomPlot({ page, random }) {
    const plots = page.locator('.plot');
    const count = await plots.count();
    if (count === 0) return;
    await plots.nth(Math.floor(random() * count)).hover();
    await page.mouse.wheel(0, random() < 0.5 ? -240 : 240);
  },
  async function theme({ page }) {
    await page.keyboard.press('Control+Shift+P');
    await page.keyboard.type('theme');
    await page.keyboard.press('Enter');
  },
  async function dialog({ page, random }) {
    await page.keyboard.press(pick(random, ['Control+,', 'Control+Shift+O', 'F1', 'Control+Shift+P']));
    await expect(page.locator('[role="dialog"], [data-testid="help"]').first()).toBeVisible();
  },
  async function deleteRun({ page }) {
    const button = page.getByRole('button', { name: /^Delete run/ }).first();
    if (await button.isVisible()) await button.click();
  },
];

/** Bytes of the page's heap that are still in use. */
async function heap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number };
  return usedSize;
}

/** Brings the window to where it can be compared with itself: one example, nothing else open. */
async function settle({ page, workbench }: Player): Promise<void> {
  await closeAll(page);
  await workbench.openExample('bouncing-ball');
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('Close other');
  await page.keyboard.press('Enter');
  const tabs = page.getByTestId('tab-strip').getByRole('tab');
  const discard = page.getByTestId('answer-discard');
  await expect(async () => {
    if (await discard.isVisible()) await discard.click();
    expect(await tabs.count()).toBe(1);
  }).toPass({ intervals: [150] });
  await workbench.runToEnd();
}

// A trace of all of it would be what grows.
test.use({ trace: 'off' });

test('a session of random actions says nothing on the console and does not grow', async ({ workbench }) => {
  test.setTimeout(MINUTES * 60_000 + 240_000);
  const { page } = workbench;
  const player: Player = { workbench, page, random: generator(SEED) };
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  const play = async (action: (typeof ACTIONS)[number]): Promise<void> => {
    await test.step(action.name, () => action(player));
    await closeAll(page);
  };
  // Everything is loaded once before it is measured.
  for (const action of ACTIONS) await play(action);
  for (const tab of ['tab-script', 'tab-text', 'tab-graph']) await page.getByTestId(tab).click();
  await settle(player);
  const before = await heap(session);
  let count = 0;
  for (const end = Date.now() + MINUTES * 60_000; MINUTES > 0 ? Date.now() < end : count < FEW; count++)
    await play(pick(player.random, ACTIONS));
  await settle(player);
  const growth = (await heap(session)) - before;
  console.log(
    `${count} random actions (seed ${SEED}): the heap was ${(before / MIB).toFixed(1)} MiB and grew by ${(growth / MIB).toFixed(1)} MiB`,
  );
  expect(growth).toBeLessThan(50 * MIB);
});
