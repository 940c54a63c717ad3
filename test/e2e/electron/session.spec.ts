import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../support/remove-folder';
import { expect, test } from '@playwright/test';
import { type Desktop, startDesktop } from '../../support/door';
import { lineOf, Workbench } from '../support/workbench';

const EXAMPLES = join(import.meta.dirname, '../../../resources/examples');
const cam = JSON.parse(await readFile(join(EXAMPLES, 'cam-follower-358.moreau.json'), 'utf8')) as {
  scripts: { source: string[] }[];
};
const script = cam.scripts[0].source.join('\n');

let folder: string;
/** for all tests, each of which opens a model of its own; null when the test before has ended it */
let running: Desktop | null = null;
let desktop: Desktop;
let workbench: Workbench;

/** Shows the window of an application that was started. */
function use(started: Desktop): void {
  running = desktop = started;
  workbench = new Workbench(desktop.window);
}

/** Ends the application; the next test has another one. */
async function end(): Promise<void> {
  await running?.close();
  running = null;
}

/** Answers the next native dialogs with a file, as the user's choice. */
async function chooseInDialogs(path: string): Promise<void> {
  await desktop.app.evaluate(({ dialog }, file) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: file });
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [file] });
  }, path);
}

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moreau-model-'));
});

test.beforeEach(async () => {
  if (running === null) use(await startDesktop());
  await workbench.ready();
});

test.afterAll(async () => {
  await end();
  await removeFolder(folder);
});

test('a whole session: example, new speed, script error and repair, endless loop, undo, save, reopen', async () => {
  const { window: page } = desktop;
  await workbench.openExample('cam-follower-358');
  await workbench.runToEnd();
  const slow = Math.max(...(await workbench.curve('series', 'follower.q')).y);
  expect(slow).toBeLessThan(0.7);
  await workbench.setParameter('rpm', '700');
  await expect
    .poll(async () => Math.max(...(await workbench.curve('series', 'follower.q')).y))
    .toBeGreaterThan(1.5);

  await workbench.openScript();
  const line = lineOf(script, 'const rho1');
  await workbench.caretAtEndOfLine(line);
  await page.keyboard.type(' +* 2');
  await expect(page.getByTestId('run-button')).toBeDisabled();
  await page.getByTestId('tab-problems').click();
  await expect(workbench.problems).toContainText('cam.ts');
  await workbench.caretAtEndOfLine(line);
  for (let i = 0; i < 5; i++) await page.keyboard.press('Backspace');
  await expect(page.getByTestId('run-button')).toBeEnabled();

  await workbench.caretAtEndOfLine(lineOf(script, 'function angle'));
  await page.keyboard.type('\nwhile (t > 0.5) {}');
  await expect(page.getByTestId('run-button')).toBeEnabled();
  await workbench.cancelStuckRun('series', 'follower.q');

  const undo = page.getByTestId('undo-button');
  for (let i = 0; i < 40 && (await undo.isEnabled()); i++) await undo.click();
  await expect(page.getByTestId('parameter-rpm-input')).toHaveValue('358');
  const redo = page.getByTestId('redo-button');
  for (let i = 0; i < 40 && (await redo.isEnabled()); i++) await redo.click();
  await expect(page.getByTestId('parameter-rpm-input')).toHaveValue('700');

  const file = join(folder, 'follower.moreau.json');
  await chooseInDialogs(file);
  await page.keyboard.press('Control+S');
  await expect(page.getByTestId('unsaved-marker')).toBeHidden();
  const saved = await readFile(file, 'utf8');
  expect(saved).toContain('while (t > 0.5) {}');

  // Closed and started again with the file as its argument, as by a double click.
  await end();
  use(await startDesktop({ args: [file] }));
  await expect(desktop.window.getByTestId('parameter-rpm-input')).toHaveValue('700');
  const copy = join(folder, 'copy.moreau.json');
  await chooseInDialogs(copy);
  await desktop.window.keyboard.press('Control+Shift+S');
  await expect.poll(() => readFile(copy, 'utf8').catch(() => '')).toBe(saved);
});

test('saving again writes the same file, keeps a backup, and asks nothing', async () => {
  const { window: page } = desktop;
  const file = join(folder, 'ball.moreau.json');
  await writeFile(file, await readFile(join(EXAMPLES, 'bouncing-ball.moreau.json'), 'utf8'));
  const before = await readFile(file, 'utf8');
  await chooseInDialogs(file);
  await page.keyboard.press('Control+O');
  await expect(page.getByTestId('parameter-height-input')).toHaveValue('0.9');
  await workbench.setParameter('height', '1.5');
  await expect(page.getByTestId('unsaved-marker')).toBeVisible();
  await desktop.app.evaluate(({ dialog }) => {
    dialog.showSaveDialog = () => Promise.reject(new Error('asked for a file'));
  });
  await page.keyboard.press('Control+S');
  await expect(page.getByTestId('unsaved-marker')).toBeHidden();
  expect(await readFile(file, 'utf8')).toBe(
    before.replace('"value": 0.9,\n      "unit": "m"', '"value": 1.5,\n      "unit": "m"'),
  );
  expect(await readFile(`${file}.bak`, 'utf8')).toBe(before);
});

test('the menu drives the same commands as the window', async () => {
  const { window: page, app } = desktop;
  await workbench.openExample('bouncing-ball');
  await app.evaluate(({ Menu }) => {
    const find = (items: Electron.MenuItem[]): Electron.MenuItem | undefined => {
      for (const item of items) {
        if (item.id === 'run.start') return item;
        const inner =
          item.submenu === undefined || item.submenu === null ? undefined : find(item.submenu.items);
        if (inner !== undefined) return inner;
      }
      return undefined;
    };
    // Electron types `click` as any function.
    const item = find(Menu.getApplicationMenu()!.items)! as unknown as { click: () => void };
    item.click();
  });
  await expect(workbench.status).toHaveText('Done');
  await expect.poll(async () => (await workbench.curve('series', 'ball.q')).y.length).toBeGreaterThan(100);
  await expect(page.getByTestId('unsaved-marker')).toBeHidden();
});

test('the page is confined: no Node, no navigation, no windows, no foreign requests', async () => {
  const { window: page, app } = desktop;
  expect(
    await page.evaluate(() => ({
      require: typeof (globalThis as { require?: unknown }).require,
      process: typeof (globalThis as { process?: unknown }).process,
    })),
  ).toEqual({ require: 'undefined', process: 'undefined' });
  const url = page.url();
  expect(url).toMatch(/^app:\/\//);
  expect(
    await page.evaluate(() =>
      fetch('http://127.0.0.1:9/').then(
        () => 'went out',
        () => 'refused',
      ),
    ),
  ).toBe('refused');
  await page.evaluate(() => {
    window.open('https://example.org/');
    location.href = 'https://example.org/';
  });
  // Asked of the main process: the page's own view of a refused navigation stays pending in the test driver.
  const windows = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map(({ webContents }) => webContents.getURL()),
  );
  expect(windows).toEqual([url]);
  await end();
});

test('a window with unsaved changes asks before it closes', async () => {
  const { window: page, app } = desktop;
  await workbench.openExample('bouncing-ball');
  await workbench.setParameter('height', '1.5');
  await expect(page.getByTestId('unsaved-marker')).toBeVisible();
  await app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0].close();
  });
  await page.getByTestId('answer-cancel').click();
  await expect(page.getByTestId('parameter-height-input')).toHaveValue('1.5');
  await app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0].close();
  });
  const closed = page.waitForEvent('close');
  // The window may be gone before the driver has finished its click.
  await page
    .getByTestId('answer-discard')
    .click()
    .catch(() => undefined);
  await closed;
});
