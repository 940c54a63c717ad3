/** Drawing by hand: what is clicked, dragged and typed, counted. */
import { expect, type Locator } from '@playwright/test';
import type { Workbench } from './workbench';

/** Gestures are counted: a click, a drag, a text with its Enter. */
export class Hand {
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
