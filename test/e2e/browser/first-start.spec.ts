/** What a new machine shows: a page to begin from, a tour that points, and models to begin with. */
import { violations } from '../support/axe';
import { expect, test } from './fixtures';

test.beforeEach(async ({ workbench, door }) => {
  const { page } = workbench;
  await page.goto(new URL('/nothing', door.url).href);
  await door.forget(true);
  await page.addInitScript(() => {
    // Whatever a window shows on the way to its first picture.
    const seen: string[] = [];
    Object.assign(window, { seen });
    const look = (): void => {
      if (document.querySelector('[data-testid="graph-stage"]') !== null) seen.push('graph');
      if (document.querySelector('[data-testid="start-page"]') !== null) seen.push('start page');
      if (seen.at(-1) !== 'start page') requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(door.url);
  await expect(page.getByTestId('start-page')).toBeVisible();
});

test('the start page comes first, and no model before it', async ({ workbench }) => {
  const { page } = workbench;
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  expect(seen).toEqual(['start page']);
  await expect(page.getByTestId('example-bouncing-ball')).toBeVisible();
  await page.getByTestId('template-circuit').click();
  await expect(page.getByTestId('document-title')).toHaveText('Untitled model');
  await workbench.runToEnd();
});

test('the tour points at one thing after the other, and can be left', async ({ workbench }) => {
  const { page } = workbench;
  await page.locator('[data-testid="start-page"] [data-command="help.tour"]').click();
  const card = page.getByTestId('tour');
  const steps = [
    'systems and interactions',
    'names',
    'Run it',
    'Look at it',
    'right',
    'drawn',
    'dynamics',
    'else',
  ];
  for (const [k, words] of steps.entries()) {
    await expect(card.getByRole('heading')).toContainText(words);
    await expect(card).toContainText(`${k + 1} of ${steps.length}`);
    // It stands beside what it points at and within the window.
    const [box, ring] = await Promise.all([card.boundingBox(), page.locator('.ring').boundingBox()]);
    expect(
      box && ring && box.x >= 0 && box.y >= 0 && box.x + box.width <= 1440 && box.y + box.height <= 900,
    ).toBe(true);
    if (words === 'Run it') {
      await page.getByTestId('tour-act').click();
      await expect(workbench.status).toHaveText('Done');
    }
    if (k === 1) expect(await violations(page, '[data-testid="tour"]')).toEqual([]);
    await page.keyboard.press('Enter');
  }
  await expect(card).toBeHidden();
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('tour');
  await page.keyboard.press('Enter');
  await expect(card).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(card).toBeHidden();
});
