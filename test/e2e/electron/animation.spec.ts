/**
 * The animation of 3D bodies in the desktop application: playing, overlays, the menu, and pictures that
 * are saved.
 */
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../support/remove-folder';
import { expect, test } from '@playwright/test';
// Declares the hook that animations leave on the window.
import type {} from '@renderer/animation/animation-registry';
import { type Desktop, startDesktop } from '../../support/door';
import { Workbench } from '../support/workbench';

/** At rest, with forces that last. */
const EXAMPLE = 'masonry-arch';

let folder: string;
let desktop: Desktop;
let workbench: Workbench;

// One application for all tests: each opens a model of its own.
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moreau-animation-'));
  desktop = await startDesktop();
  workbench = new Workbench(desktop.window);
  await workbench.ready();
});

test.afterAll(async () => {
  await desktop.close();
  await removeFolder(folder);
});

/** Chooses an item of the application menu by the command it sends. */
const chooseInMenu = (command: string): Promise<void> =>
  desktop.app.evaluate(({ Menu }, id) => {
    // Electron types `click` as any function.
    const item = Menu.getApplicationMenu()!.getMenuItemById(id) as unknown as { click: () => void };
    item.click();
  }, command);

const shownTime = (): Promise<number | null> =>
  desktop.window.evaluate(() => Object.values(window.__moreauAnimations ?? {})[0]?.time() ?? null);

/** Size of a PNG, from its header. */
const pictureSize = (png: Buffer): number[] => [png.readUInt32BE(16), png.readUInt32BE(20)];

test('an example is played, with its contacts and forces, and its picture is saved', async () => {
  test.slow();
  const page = desktop.window;
  await workbench.openExample(EXAMPLE);
  await workbench.runToEnd();
  const surface = page.getByTestId('animation-surface');
  await expect(surface.locator('canvas').first()).toBeVisible();

  await test.step('the menu plays and pauses', async () => {
    await surface.focus();
    await page.keyboard.press('Home');
    await expect.poll(shownTime).toBe(0);
    await chooseInMenu('view.playAnimation');
    await expect.poll(shownTime).toBeGreaterThan(0.05);
    await chooseInMenu('view.playAnimation');
    await expect(page.getByTestId('animation-play')).toHaveAccessibleName('Play');
  });

  await test.step('the bar of time leads to a moment, in plots too', async () => {
    const { x } = await workbench.curve('energy', 'energy.kinetic');
    await page.getByTestId('animation-time').fill('5000');
    await expect.poll(shownTime).toBeCloseTo(0.5 * (x[0] + x[x.length - 1]), 2);
    await expect(page.getByTestId('plot-mark').first()).toContainText(/t = [\d.]+ s/);
  });

  await test.step('contacts and forces of that moment are drawn', async () => {
    for (const overlay of ['contacts', 'forces']) {
      await page.mouse.move(0, 0);
      const before = await surface.screenshot();
      await page.getByTestId('animation-show').click();
      await page.getByTestId(`animation-overlay-${overlay}`).click();
      await page.keyboard.press('Escape');
      await page.mouse.move(0, 0);
      await expect.poll(async () => before.equals(await surface.screenshot())).toBe(false);
    }
  });

  await test.step('the menu saves pictures of a film, the animation one picture', async () => {
    await chooseInMenu('file.exportAnimation');
    await expect(page.getByTestId('animation-export-note')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('animation-export')).toBeHidden();

    const file = join(folder, 'arch.png');
    await desktop.app.evaluate(({ dialog }, path) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: path });
    }, file);
    await page.getByTestId('animation-menu').click();
    await page.getByTestId('animation-export-picture').click();
    await page.locator('#animation-width').fill('640');
    await page.locator('#animation-height').fill('400');
    await page.getByTestId('animation-export-go').click();
    await expect
      .poll(async () => pictureSize(await readFile(file).catch(() => Buffer.alloc(24))))
      .toEqual([640, 400]);
    // A picture of one colour is far smaller.
    expect((await readFile(file)).length).toBeGreaterThan(10_000);
  });
});

test('the first 3D body is seen at once, and the menu adds further animations', async () => {
  const page = desktop.window;
  await chooseInMenu('file.new');
  await expect(page.getByTestId('document-title')).toContainText('Untitled model');
  await expect(page.getByTestId('animation-surface')).toBeHidden();
  await page.getByTestId('add-element').click();
  await page.getByTestId('add-system-RigidBody').click();
  await expect(page.getByTestId('animation-surface')).toHaveAccessibleName(/Animation of 1 body/);
  await chooseInMenu('view.addAnimation');
  await expect(page.getByTestId('animation-surface')).toHaveCount(2);
  await chooseInMenu('edit.undo');
  await chooseInMenu('edit.undo');
  await expect(page.getByTestId('animation-surface')).toHaveCount(0);
});
