/** A user's story: what somebody comes for, done as they do it, in whichever door the window stands. */
import { expect, type Locator, type Page } from '@playwright/test';
import type { Workbench } from '../support/workbench';

/** A window of one of the doors, and what only that door can do for a story. */
interface Session {
  workbench: Workbench;
  page: Page;
  /** Opens a model as a file of that name, through the dialog of the door. */
  openFile(name: string, text: string): Promise<void>;
}

export interface Story {
  /** what the user does, as the name of the test */
  title: string;
  tell(session: Session): Promise<void>;
}

/** The n-th cell of a field of the inspector, from 0. */
export const cell = (page: Page, field: string, n = 0): Locator =>
  page.getByTestId(`field-${field}`).locator('input').nth(n);

/** Fills the cells of a field, row after row. */
export async function fill(page: Page, field: string, values: readonly (number | string)[]): Promise<void> {
  for (const [n, value] of values.entries()) {
    await cell(page, field, n).fill(String(value));
    await cell(page, field, n).press('Enter');
  }
}

export const node = (page: Page, id: string): Locator => page.getByTestId(`graph-node-${id}`);

/** Adds an element through the palette of the graph. */
export async function add(page: Page, element: string): Promise<void> {
  await page.getByTestId('add-element').click();
  await page.getByTestId(`add-${element}`).first().click();
}

/** Drags from the right port of one node to the left port of another. */
export async function link(page: Page, from: string, to: string): Promise<void> {
  await node(page, from).locator('.vue-flow__handle-right').first().hover();
  await page.mouse.down();
  await node(page, to).locator('.vue-flow__handle-left').first().hover();
  await page.mouse.up();
}

/** Presses undo until nothing is left to undo. */
export async function undoAll(page: Page): Promise<void> {
  const undo = page.getByTestId('undo-button');
  // The last step may be undone before the button shows it: it is not waited for to become enabled again.
  while (await undo.isEnabled()) await undo.click({ force: true });
}

/**
 * Falls from 1 m under g = 10 m/s² onto a floor of restitution 1/2: √(2/10) s, then a quarter of the height.
 */
export async function expectBounces(workbench: Workbench): Promise<void> {
  await expect.poll(() => workbench.drawnTo('time-series', 'system.q')).toBeGreaterThan(1);
  // While the run went on it was drawn coarser, without the tip of the bounce.
  const height = await workbench.settledCurve('time-series', 'system.q');
  const impact = Math.sqrt(0.2);
  const after = height.y.filter((_, k) => (height.x[k] ?? 0) > impact + 0.01);
  expect(Math.max(...after)).toBeCloseTo(0.25, 2);
  expect(Math.min(...height.y)).toBeGreaterThan(-0.01);
}
