/** Drawing circuits: components, wires and values by hand, and what a run shows of them. */
import type { Locator } from '@playwright/test';
import type { Workbench } from '../support/workbench';
import { expect, test } from './fixtures';

/** Gestures are counted: a click, a drag, a text with its Enter. */
class Hand {
  gestures = 0;

  constructor(readonly workbench: Workbench) {}

  get page(): Workbench['page'] {
    return this.workbench.page;
  }

  async #middle(target: Locator): Promise<{ x: number; y: number }> {
    const box = await target.boundingBox();
    if (box === null) throw new Error('nothing there');
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /** A place in the pane of the graph, as shares of its sides. */
  async at(x: number, y: number): Promise<{ x: number; y: number }> {
    const box = (await this.page.getByTestId('graph-stage').boundingBox())!;
    return { x: box.x + x * box.width, y: box.y + y * box.height };
  }

  async doubleClick(place: { x: number; y: number }): Promise<void> {
    this.gestures++;
    await this.page.mouse.dblclick(place.x, place.y);
  }

  async type(words: string): Promise<void> {
    this.gestures++;
    await this.page.keyboard.type(words);
    await this.page.keyboard.press('Enter');
  }

  /** Takes what a word finds in the palette. */
  async pick(words: string): Promise<void> {
    await expect(this.page.locator('.palette .search')).toBeFocused();
    await this.type(words);
  }

  async press(key: string): Promise<void> {
    this.gestures++;
    await this.page.keyboard.press(key);
  }

  pin(end: string): Locator {
    return this.page.getByTestId(`pin-${end}`);
  }

  async drag(end: string, to: { x: number; y: number } | string): Promise<void> {
    this.gestures++;
    const from = await this.#middle(this.pin(end));
    const goal = typeof to === 'string' ? await this.#middle(this.pin(to)) : to;
    await this.page.mouse.move(from.x, from.y);
    await this.page.mouse.down();
    await this.page.mouse.move((from.x + goal.x) / 2, (from.y + goal.y) / 2, { steps: 4 });
    await this.page.mouse.move(goal.x, goal.y, { steps: 4 });
    await this.page.mouse.up();
  }

  async dragNode(id: string, by: { x: number; y: number }): Promise<void> {
    this.gestures++;
    const from = await this.#middle(this.page.getByTestId(`graph-node-${id}`));
    await this.page.mouse.move(from.x, from.y);
    await this.page.mouse.down();
    await this.page.mouse.move(from.x + by.x / 2, from.y + by.y / 2, { steps: 4 });
    await this.page.mouse.move(from.x + by.x, from.y + by.y, { steps: 4 });
    await this.page.mouse.up();
  }
}

test('a half-wave rectifier is drawn from nothing', async ({ workbench }) => {
  const { page } = workbench;
  const hand = new Hand(workbench);
  await page.keyboard.press('Control+Alt+N');
  await hand.doubleClick(await hand.at(0.25, 0.5));
  await hand.pick('sine');
  await expect(page.getByTestId('graph-node-V1')).toBeVisible();
  await hand.press('r');
  await hand.drag('V1.p', await hand.at(0.45, 0.25));
  await hand.pick('diode');
  await expect(page.getByTestId('graph-node-D1')).toBeVisible();
  await hand.drag('D1.k', await hand.at(0.75, 0.55));
  await hand.pick('R');
  await expect(page.getByTestId('graph-node-R1')).toBeVisible();
  await hand.drag('R1.b', 'V1.n');
  await hand.drag('V1.n', await hand.at(0.25, 0.9));
  await hand.pick('gnd');
  await expect(page.getByTestId('graph-node-GND1')).toBeVisible();
  await expect(page.getByTestId('wire-n1')).toBeAttached();
  await expect(page.getByTestId('wire-n3').locator('.dot')).toHaveCount(1);
  hand.gestures++;
  await workbench.runToEnd();
  await expect
    .poll(async () => (await workbench.curves('voltages')).map(({ name }) => name))
    .toEqual(['n1.v', 'n2.v']);
  const { y } = await workbench.curve('voltages', 'n2.v');
  expect(Math.max(...y)).toBeGreaterThan(9);
  expect(Math.min(...y)).toBeGreaterThan(-1e-6);

  expect(hand.gestures).toBeLessThanOrEqual(16);
});
