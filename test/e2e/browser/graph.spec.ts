/** The graph editor: building, choosing, copying, arranging and finding, mostly without a mouse. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { violations, violationsInBothThemes } from '../support/axe';

async function newModel(page: Page): Promise<void> {
  await page.keyboard.press('Control+Alt+N');
  await expect(page.getByTestId('graph-stage')).toBeVisible();
}

const GRAPH = '.graph';

test('the palette, by kind and searched, is accessible in both themes', async ({ workbench }) => {
  const { page } = workbench;
  const { keyboard } = page;
  await newModel(page);
  await page.getByTestId('graph-stage').focus();
  await keyboard.press('Insert');
  const palette = page.getByTestId('graph-palette');
  const joints = palette.getByRole('group', { name: /Planar joints, drivers and springs/ });
  const count = await joints.getByRole('option').count();
  expect(count).toBeGreaterThan(5);
  await expect(joints).toHaveAccessibleName(new RegExp(`\\b${count}$`));
  await joints.getByText(/Planar joints, drivers/).scrollIntoViewIfNeeded();
  expect(await violationsInBothThemes(page, GRAPH)).toEqual([]);
  await keyboard.type('revolute');
  await expect(palette.getByRole('option').first()).toContainText('Revolute');
  expect(await violationsInBothThemes(page, GRAPH)).toEqual([]);
  await keyboard.press('Enter');
  await expect(page.locator('.vue-flow__node')).toHaveCount(1);
  expect(await violationsInBothThemes(page, GRAPH)).toEqual([]);
});

test('elements are copied, pasted, aligned, found and deleted', async ({ workbench }) => {
  const { page } = workbench;
  const { keyboard } = page;
  await workbench.openExample('bouncing-ball');
  // At rest at the end: a contact of the second index set.
  await workbench.runToEnd();
  await expect(page.getByTestId('graph-node-floor').getByTestId('graph-live')).toContainText('closed');
  const stage = page.getByTestId('graph-stage');
  const nodes = page.locator('.vue-flow__node');
  const before = await nodes.count();
  await stage.focus();
  await keyboard.press('Control+a');
  await expect(page.locator('.card.chosen')).toHaveCount(before);
  await keyboard.press('Control+d');
  await expect(nodes).toHaveCount(2 * before);
  await expect(page.locator('.card.chosen')).toHaveCount(before);
  await keyboard.press('Control+c');
  await keyboard.press('Control+v');
  await expect(nodes).toHaveCount(3 * before);
  await keyboard.press('Delete');
  await expect(nodes).toHaveCount(2 * before);
  await keyboard.press('Control+z');
  await expect(nodes).toHaveCount(3 * before);

  // Search leads to a node and moves the focus there.
  await stage.focus();
  await keyboard.press('Control+f');
  await expect(page.locator('input:focus')).toBeVisible();
  await keyboard.type('ball');
  await expect(page.getByRole('option').first()).toContainText('ball');
  await keyboard.press('Enter');
  await expect(page.locator('.vue-flow__node:focus')).toHaveAttribute('data-id', 'ball');

  // From there it is linked to another, by keys; undo takes the link away.
  const edges = page.locator('.vue-flow__edge');
  const linked = await edges.count();
  await keyboard.press('Control+l');
  await page.getByTestId('graph-panel').getByRole('textbox').press('Enter');
  await expect(edges).toHaveCount(linked + 1);
  await page.getByTestId('undo-button').click();
  await expect(edges).toHaveCount(linked);

  // A box chooses what it touches.
  await stage.focus();
  await keyboard.press('Escape');
  const { x, y, width, height } = (await stage.boundingBox())!;
  await keyboard.press('Control+9');
  await keyboard.down('Shift');
  await page.mouse.move(x + 4, y + 46);
  await page.mouse.down();
  await page.mouse.move(x + 0.6 * width, y + 0.6 * height);
  await page.mouse.move(x + width - 4, y + height - 4);
  await page.mouse.up();
  await keyboard.up('Shift');
  await expect(page.locator('.card.chosen')).toHaveCount(3 * before);
  expect(await violations(page, GRAPH)).toEqual([]);
});

test('nodes are grouped, named, coloured and collapsed, and a note is written, by keys and by mouse', async ({
  workbench,
}) => {
  const { page } = workbench;
  const { keyboard } = page;
  await workbench.openExample('newtons-cradle');
  await page.getByTestId('graph-node-ball0').click();
  await page.getByTestId('graph-node-ball1').click({ modifiers: ['Control'] });
  await keyboard.press('Control+g');
  await expect(page.getByTestId('group-name')).toBeFocused();
  await keyboard.type('First pair');
  await keyboard.press('Enter');
  const frame = page.getByRole('group', { name: 'group First pair, 2 members' });
  await expect(frame).toBeFocused();
  await page.getByTestId('frame-colour-blue').click();
  expect(await violations(page, GRAPH)).toEqual([]);
  // Dragged by its name, the members go along.
  const handle = page.locator('[data-graph-handle]');
  const ball = page.getByTestId('graph-node-ball0');
  const [grip, before] = [(await handle.boundingBox())!, (await ball.boundingBox())!];
  await page.mouse.move(grip.x + 0.6 * grip.width, grip.y + 0.5 * grip.height);
  await page.mouse.down();
  await page.mouse.move(grip.x + 0.6 * grip.width - 60, grip.y + 0.5 * grip.height, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => (await ball.boundingBox())!.x).toBeLessThan(before.x - 40);
  // A member that is dragged takes the frame along before it is dropped.
  const [at, was] = [(await ball.boundingBox())!, (await frame.boundingBox())!];
  await page.mouse.move(at.x + 0.5 * at.width, at.y + 0.5 * at.height);
  await page.mouse.down();
  await page.mouse.move(at.x + 0.5 * at.width - 80, at.y + 0.5 * at.height, { steps: 4 });
  await expect.poll(async () => (await frame.boundingBox())!.x).toBeLessThan(was.x - 40);
  await page.mouse.up();
  await page.getByTestId('undo-button').click();
  // The menu where the pointer is.
  await handle.click({ button: 'right' });
  await page.getByTestId('graph-menu-graph.collapse').click();
  await expect(ball).toBeHidden();
  await expect(page.getByTestId('graph-group-group')).toContainText('First pair');
  await page.getByTestId('graph-stage').focus();
  await keyboard.press('Control+m');
  await expect(page.getByTestId('note-text')).toBeFocused();
  await keyboard.type('# Swing\n\n$\\frac12 m v^2$');
  await keyboard.press('Escape');
  await expect(page.getByTestId('graph-note-note').locator('.katex')).toBeVisible();
  await expect(page.getByRole('group', { name: 'note: Swing' })).toBeFocused();
  expect(await violations(page, GRAPH)).toEqual([]);
  for (let i = 0; i < 5; i++) await page.getByTestId('undo-button').click();
  await expect(ball).toBeVisible();
  await expect(handle).toBeVisible();
});

test('each document keeps its view; what a run does is shown at nodes and links, with a legend', async ({
  workbench,
}) => {
  const { page } = workbench;
  const { keyboard } = page;
  const viewport = page.locator('.vue-flow__transformationpane');
  await workbench.openExample('bouncing-ball');
  const stage = page.getByTestId('graph-stage');
  const { x, y, width, height } = (await stage.boundingBox())!;
  await page.mouse.move(x + 0.3 * width, y + 0.8 * height);
  await page.mouse.wheel(0, 240);
  await expect.poll(() => viewport.getAttribute('style')).not.toContain('scale(1.15)');
  const left = await viewport.getAttribute('style');
  await newModel(page);
  await expect(page.locator('.vue-flow__node')).toHaveCount(0);
  await keyboard.press('Control+PageUp');
  await expect(page.locator('.vue-flow__node').first()).toBeVisible();
  await expect.poll(() => viewport.getAttribute('style')).toBe(left);
  await keyboard.press('Control+Shift+p');
  await keyboard.type('legend of the live');
  await keyboard.press('Enter');
  await expect(page.getByTestId('graph-legend')).toContainText('sticking');
  await stage.focus();
  await keyboard.press('Control+9');
  await workbench.runToEnd();
  await expect(page.getByTestId('graph-live').filter({ hasText: 'closed' })).toBeVisible();
  await expect(page.locator('.vue-flow__edge.in-contact')).toHaveCount(1);
  expect(await violations(page, GRAPH)).toEqual([]);
});

test('what a builder script builds is fitted into the view', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('box-tower');
  await expect.poll(() => page.locator('.vue-flow__node').count()).toBeGreaterThan(10);
  const stage = (await page.getByTestId('graph-stage').boundingBox())!;
  await expect
    .poll(async () => {
      const boxes = await Promise.all(
        (await page.locator('.vue-flow__node').all()).map((one) => one.boundingBox()),
      );
      return boxes.every(
        (box) =>
          box !== null &&
          box.x >= stage.x &&
          box.y >= stage.y &&
          box.x + box.width <= stage.x + stage.width &&
          box.y + box.height <= stage.y + stage.height,
      );
    })
    .toBe(true);
});

test('the end of a link that leads nowhere leads to where the link is mended', async ({ workbench }) => {
  const { page } = workbench;
  const source = await readFile('resources/examples/bouncing-ball.moreau.json', 'utf8');
  const document = JSON.parse(source) as { interactions: { systems: string[] }[] };
  document.interactions[0]?.systems.push('bat');
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Control+O')]);
  const buffer = Buffer.from(JSON.stringify(document));
  await chooser.setFiles({ name: 'broken.moreau.json', mimeType: 'application/json', buffer });
  await page.getByTestId('graph-missing').click();
  const unlink = page.getByRole('button', { name: /bat/ }).and(page.locator(':focus'));
  await expect(unlink).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('graph-missing')).toBeHidden();
});
