/** 3D bodies, from an empty model to a box at rest, by hand. */
import type { Locator, Page } from '@playwright/test';
import type { Workbench } from '../support/workbench';
import { Hand } from '../support/hand';
import { takePictures } from '../support/pictures';
import { expect, test } from './fixtures';
import { PAGE, violations, violationsInBothThemes } from '../support/axe';

const SERIES = 'time-series';
/** An impact within a step leaves an overlap of at most the way of that step, m: 3 m/s over 1 ms. */
const OVERLAP = 0.004;

async function newModel(page: Page): Promise<void> {
  await page.keyboard.press('Control+Alt+N');
  await expect(page.getByTestId('document-title')).toContainText('Untitled model');
}

async function add(page: Page, element: string): Promise<void> {
  await page.getByTestId('add-element').click();
  await page.getByTestId(`add-${element}`).click();
}

const field = (page: Page, name: string): Locator => page.getByTestId(`field-${name}`);

/** Waits until the curves are those of a run that ends at a height, and says how the body gets there. */
async function expectRest(workbench: Workbench, height: number): Promise<void> {
  // The curves of the run before are there until the new ones have been read.
  await expect
    .poll(async () => {
      const { x, y } = await workbench.curve(SERIES, 'body.q[2]');
      return { end: Math.round(x.at(-1) ?? 0), isThere: Math.abs((y.at(-1) ?? 0) - height) < OVERLAP };
    })
    .toEqual({ end: 5, isThere: true });
  const { y } = await workbench.curve(SERIES, 'body.q[2]');
  expect(y[0]).toBeCloseTo(0.5, 3);
  const rest = y.slice(Math.floor(y.length / 2));
  expect(Math.max(...rest) - Math.min(...rest)).toBeLessThan(1e-9);
}

async function undoAll(page: Page): Promise<void> {
  const undo = page.getByTestId('undo-button');
  for (let i = 0; i < 40 && (await undo.isEnabled()); i++) await page.keyboard.press('Control+Z');
  await expect(undo).toBeDisabled();
  await expect(page.getByText('Nothing here yet.')).toBeVisible();
  await expect(page.locator('.vue-flow__node')).toHaveCount(0);
}

test('by mouse: a box falls on a floor and rests, then a ball; what breaks it is said at its field', async ({
  workbench,
}) => {
  const { page } = workbench;
  await newModel(page);
  await add(page, 'system-RigidBody');
  await expect(page.getByTestId('graph-node-body')).toContainText('6 dof');
  await add(page, 'system-FixedBody');
  await expect(page.getByTestId('graph-node-floor')).toContainText('fixed');
  await add(page, 'relation-ShapeContact');
  await expect(page.locator('.vue-flow__edge')).toHaveCount(2);
  await expect(page.getByTestId('run-button')).toBeEnabled();
  await workbench.runToEnd();
  await expectRest(workbench, 0.1);

  await page.getByTestId('graph-node-body').click();
  await page.getByTestId('element-0-type').click();
  await page.getByRole('option', { name: 'Sphere' }).click();
  const radius = field(page, 'shapes').getByTestId('field-radius').locator('input');
  await expect(radius).toHaveValue('0.1');
  await radius.fill('0.3');
  await radius.press('Enter');
  await expect(page.getByTestId('run-button')).toBeEnabled();
  await workbench.runToEnd();
  await expectRest(workbench, 0.3);

  await radius.fill('0');
  await expect(field(page, 'shapes').getByTestId('field-radius')).toContainText('must be');
  await expect(radius).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByTestId('run-button')).toBeDisabled();
  await page.getByTestId('element-0-toggle').click();
  await expect(page.getByTestId('element-0').getByLabel('has problems')).toBeVisible();
  await undoAll(page);
});

test('by keyboard: the same', async ({ workbench }) => {
  const { page } = workbench;
  const { keyboard } = page;
  await newModel(page);
  await page.getByTestId('add-element').focus();
  for (const [keys, title] of [
    ['rigid 3D body', 'Rigid 3D body'],
    ['fixed body', 'Fixed 3D body'],
    ['contact of shapes', 'Contact of shapes'],
  ] as const) {
    await keyboard.press('Enter');
    await expect(page.getByTestId('graph-palette')).toBeVisible();
    await keyboard.type(keys);
    await expect(page.getByRole('option').first()).toContainText(title);
    await keyboard.press('Enter');
    await expect(page.getByTestId('add-element')).toBeFocused();
  }
  await expect(page.getByTestId('run-button')).toBeEnabled();
  await keyboard.press('Control+Enter');
  await expect(workbench.status).toHaveText('Done');
  await expectRest(workbench, 0.1);

  await page.getByRole('group', { name: 'system body, Rigid 3D body' }).focus();
  await keyboard.press('Enter');
  await page.getByTestId('element-0-type').focus();
  await keyboard.press('Enter');
  await keyboard.type('Sphere');
  await keyboard.press('Enter');
  const radius = field(page, 'shapes').getByTestId('field-radius').locator('input');
  await radius.focus();
  await keyboard.press('Control+A');
  await keyboard.type('0.2');
  await expect(page.getByTestId('run-button')).toBeEnabled();
  await keyboard.press('Control+Enter');
  await expect(workbench.status).toHaveText('Done');
  await expectRest(workbench, 0.2);

  await radius.focus();
  await keyboard.press('Control+A');
  await keyboard.type('0');
  await expect(field(page, 'shapes').getByTestId('field-radius')).toContainText('must be');
  await page.getByTestId('add-element').focus();
  await undoAll(page);
});

test('a second body joins the contact; shapes are added, copied, ordered and removed, and all of it is undone', async ({
  workbench,
}) => {
  const { page } = workbench;
  await newModel(page);
  await add(page, 'system-RigidBody');
  await add(page, 'system-FixedBody');
  await add(page, 'relation-ShapeContact');
  await add(page, 'system-RigidBody');
  await expect(page.locator('.vue-flow__edge')).toHaveCount(3);
  await expect(page.getByTestId('graph-node-body2')).toBeVisible();

  await page.getByTestId('add-shapes').click();
  await expect(page.getByTestId('add-shapes-Plane')).toHaveAttribute('aria-disabled', 'true');
  await page.getByTestId('add-shapes-Sphere').click();
  await page.getByTestId('element-1-duplicate').click();
  await expect(page.getByTestId('element-2')).toContainText('Sphere');
  await page.getByTestId('element-0-toggle').focus();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(page.getByTestId('element-1')).toContainText('Box');
  await expect(page.getByTestId('element-1-toggle')).toBeFocused();
  await page.getByTestId('element-0-toggle').click();
  await page.getByTestId('element-1-toggle').click();
  await page.getByTestId('element-1').locator('.grip').hover();
  await page.mouse.down();
  await page.getByTestId('element-2-toggle').hover();
  await page.getByTestId('element-2-toggle').hover({ position: { x: 20, y: 8 } });
  await page.mouse.up();
  await expect(page.getByTestId('element-2')).toContainText('Box');
  await page.getByTestId('element-0-remove').click();
  await expect(page.getByTestId('element-2')).toHaveCount(0);
  await expect(page.getByTestId('undo-button')).toHaveAttribute('aria-label', /Remove shape 1 of body2/);
  await undoAll(page);
});

test('a joint has its stops in a group, an orientation is given by angles, and all of it can be read aloud', async ({
  workbench,
}) => {
  const { page } = workbench;
  await newModel(page);
  await add(page, 'system-RigidBody');
  await field(page, 'orientation').first().getByTestId('turn-entry').click();
  await page.getByLabel('Angle, °').fill('90');
  await page.keyboard.press('Enter');
  await expect(field(page, 'orientation').first()).toContainText('90° about (0, 0, 1)');
  await add(page, 'relation-RevoluteJoint');
  await expect(field(page, 'angleMin')).toHaveCount(0);
  await page.getByTestId('group-Angle').click();
  await field(page, 'angleMin').locator('input').fill('-pi/4');
  await expect(page.getByTestId('group-Angle')).toContainText('given: 1');
  expect(await violations(page, PAGE)).toEqual([]);

  await page.getByTestId('graph-node-body').click();
  await field(page, 'orientation').first().getByTestId('turn-entry').click();
  expect(await violations(page, '[role="dialog"]')).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('run-button')).toBeEnabled();
  await workbench.runToEnd();
});

test('settings that are not for 3D bodies are not offered, with the reason', async ({ workbench }) => {
  const { page } = workbench;
  await newModel(page);
  await add(page, 'system-LagrangianLinearTI');
  await page.getByLabel('Type: System').click();
  await page.getByRole('option', { name: 'Rigid 3D body', exact: true }).click();
  await expect(page.getByTestId('run-button')).toBeEnabled();
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('Simulation settings');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('space-settings')).toBeVisible();
  await expect(page.getByTestId('scheme-event-driven')).toBeEnabled();
  await page.getByLabel('Type: Solver').click();
  const lemke = page.getByRole('option', { name: /^Lemke/ });
  await expect(lemke).toHaveAttribute('data-disabled', '');
  await expect(lemke).toContainText('Not for 3D bodies.');
  await page.getByRole('option', { name: /Non-smooth Gauss/ }).click();
  await workbench.runToEnd();
});

test('the step of 3D bodies follows their motion, and a run goes back', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('bouncing-box');
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('Simulation settings');
  await page.keyboard.press('Enter');
  await page.getByTestId('step-control').check();
  await expect(page.getByRole('textbox', { name: 'Largest step' })).toBeVisible();
  await workbench.runToEnd();
  const { x } = await workbench.settledCurve('fall', 'box.q[2]');
  const lengths = x.slice(1).map((time, k) => time - x[k]);
  expect(Math.max(...lengths) / Math.min(...lengths)).toBeGreaterThan(100);
  await page.keyboard.press('F10');
  await expect(page.getByTestId('run-status')).toHaveText('Paused');
  await page.keyboard.press('F10');
  await expect(page.getByTestId('step-back-button')).toBeEnabled();
  await page.keyboard.press('F9');
  await expect(page.getByTestId('step-back-button')).toBeDisabled();
  expect(await violations(page, '[data-testid="inspector"]')).toEqual([]);
});

test('a run tells of Painlevé’s paradox, accessibly, in both themes', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('painleve-rod');
  await workbench.runToEnd();
  const badge = page.getByTestId('run-notices-badge');
  await expect(badge).toHaveAccessibleName('1 notice of the run');
  await expect(page.getByTestId('run-list').getByLabel('1 notice of the run').first()).toBeVisible();
  await badge.focus();
  await page.keyboard.press('Enter');
  const notices = page.getByTestId('run-notices');
  await expect(notices).toContainText(/3 solutions/);
  expect(await violationsInBothThemes(page, PAGE)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(notices).toBeHidden();
  await expect(badge).toBeFocused();
});

test('a ball on a floor is there in two gestures, runs, and is seen to move', async ({ workbench }) => {
  const { page } = workbench;
  const hand = new Hand(workbench);
  await page.keyboard.press('Control+Alt+N');
  await hand.doubleClick(await hand.at(0.5, 0.5));
  await hand.pick('ball on');
  await expect(page.getByTestId('graph-node-ball')).toBeVisible();
  await expect(page.getByTestId('graph-node-floor')).toBeVisible();
  hand.gestures++;
  await workbench.runToEnd();
  await expect(page.getByTestId('animation-surface').locator('canvas').first()).toBeVisible();
  const heights = await workbench.settledCurve('time-series', 'ball.q[2]', 5);
  expect(Math.min(...heights.y)).toBeCloseTo(0.1, 2);
  expect(Math.max(...heights.y)).toBeCloseTo(0.6, 2);
  expect(hand.gestures).toBeLessThanOrEqual(3);
  await takePictures(page, 'ball-on-floor');
  await page.keyboard.press('Control+z');
  await expect(page.getByTestId('graph-node-ball')).toHaveCount(0);
});
