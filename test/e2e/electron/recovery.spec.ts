/** The desktop application when its page or all of it is killed. */
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { type Desktop, startDesktop } from '../../support/door';
import { removeFolder } from '../support/remove-folder';
import { Workbench } from '../support/workbench';

const BALL = join(import.meta.dirname, '../../../resources/examples/bouncing-ball.moreau.json');

let folder: string;
let file: string;
let desktop: Desktop;

test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moreau-model-'));
  file = join(folder, 'ball.moreau.json');
  await writeFile(file, await readFile(BALL, 'utf8'));
});

test.afterEach(async () => {
  await desktop.close();
  await removeFolder(folder);
});

/** Edits the model of the file and waits until the journal has it. */
async function edit(page: Page, height: string): Promise<void> {
  const workbench = new Workbench(page);
  await workbench.ready();
  await workbench.setParameter('height', height);
  await expect(page.getByTestId('unsaved-marker')).toBeVisible();
  await expect.poll(() => journaled()).toContain(height);
}

/** What the journals of the application hold. */
async function journaled(): Promise<string> {
  const journals = join(desktop.userData, 'journal');
  const names = await readdir(journals).catch(() => []);
  const texts = await Promise.all(
    names.map((name) => readFile(join(journals, name), 'utf8').catch(() => '')),
  );
  return texts.join();
}

/** Manifests of the runs that the application keeps. */
async function kept(userData: string): Promise<string> {
  const runs = join(userData, 'kept-runs');
  const names = await readdir(runs).catch(() => []);
  const texts = await Promise.all(
    names.map((name) => readFile(join(runs, name, 'manifest.json'), 'utf8').catch(() => '')),
  );
  return texts.join();
}

async function recover(page: Page, height: string): Promise<void> {
  await expect(page.getByTestId('recovery-list')).toContainText('ball.moreau.json');
  await page.getByTestId('recovery-recover').click();
  await expect(page.getByTestId('parameter-height-input')).toHaveValue(height);
}

test('a killed page comes back with what was unsaved', async () => {
  desktop = await startDesktop({ args: [file] });
  const { app, window: page } = desktop;
  await edit(page, '1.25');
  await app.evaluate(({ BrowserWindow, dialog }) => {
    dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false });
    const { webContents } = BrowserWindow.getAllWindows()[0];
    const back = new Promise<void>((resolve) => webContents.once('did-finish-load', () => resolve()));
    webContents.forcefullyCrashRenderer();
    return back;
  });
  // The driver gives a crashed page up for good: the new one is asked through the main process.
  const inPage = (code: string): Promise<unknown> =>
    app.evaluate(
      ({ BrowserWindow }, script) =>
        BrowserWindow.getAllWindows()[0].webContents.executeJavaScript(script) as Promise<unknown>,
      code,
    );
  const find = (id: string): string => `document.querySelector('[data-testid="${id}"]')`;
  await expect.poll(() => inPage(`${find('recovery-list')}?.textContent`)).toContain('ball.moreau.json');
  await inPage(`${find('recovery-recover')}.click()`);
  await expect.poll(() => inPage(`${find('parameter-height-input')}?.value`)).toBe('1.25');
});

test('a killed application comes back with what was unsaved and with its runs, and saves to its file', async () => {
  const userData = await mkdtemp(join(tmpdir(), 'moreau-e2e-'));
  try {
    desktop = await startDesktop({ args: [file], userData });
    await edit(desktop.window, '1.5');
    await new Workbench(desktop.window).runToEnd();
    await expect.poll(() => kept(userData)).toContain('"state":"done"');
    await desktop.close();
    desktop = await startDesktop({ userData });
    await recover(desktop.window, '1.5');
    const later = new Workbench(desktop.window);
    await expect(desktop.window.getByTestId('run-list').locator('li')).toHaveCount(1);
    await expect.poll(() => later.drawnTo('series', 'ball.q')).toBeCloseTo(10, 6);
    expect(await readFile(file, 'utf8')).toBe(await readFile(BALL, 'utf8'));
    await desktop.window.keyboard.press('Control+S');
    await expect(desktop.window.getByTestId('unsaved-marker')).toBeHidden();
    expect(await readFile(file, 'utf8')).toContain('"value": 1.5');
    // A kill between the two would offer what the file has already.
    await expect.poll(() => journaled()).not.toContain('1.5');
    await desktop.close();
    desktop = await startDesktop({ userData });
    await new Workbench(desktop.window).ready();
    await expect(desktop.window.getByTestId('recovery-list')).toBeHidden();
  } finally {
    await removeFolder(userData);
  }
});

test('a file that another program writes is read again, and is not replaced unasked', async () => {
  desktop = await startDesktop({ args: [file] });
  const { window: page } = desktop;
  const workbench = new Workbench(page);
  await expect(page.getByTestId('parameter-height-input')).toHaveValue('0.9');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('"value": 0.9', '"value": 0.8'));
  await expect(page.getByTestId('parameter-height-input')).toHaveValue('0.8');
  await expect(page.getByTestId('unsaved-marker')).toBeHidden();
  await workbench.setParameter('height', '0.7');
  await writeFile(file, text.replace('"value": 0.9', '"value": 0.6'));
  await page.getByTestId('answer-keep').click();
  await page.keyboard.press('Control+S');
  await page.getByTestId('answer-overwrite').click();
  await expect(page.getByTestId('unsaved-marker')).toBeHidden();
  expect(await readFile(file, 'utf8')).toContain('"value": 0.7');
});
