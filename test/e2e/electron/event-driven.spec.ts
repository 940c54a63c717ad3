/** One user's story of the event-driven scheme in the desktop application. */
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../support/remove-folder';
import { expect, test } from '@playwright/test';
import { type Desktop, startDesktop } from '../../support/door';
import { Workbench } from '../support/workbench';

/** End of the bouncing of a ball that is dropped from 0.9 m with e = 0.9: √(2H/g) (1 + e)/(1 − e), s. */
const REST = Math.sqrt((2 * 0.9) / 9.81) * (1.9 / 0.1);
/** Its second impact, s. */
const SECOND = Math.sqrt((2 * 0.9) / 9.81) * (1 + 2 * 0.9);

let folder: string;
let desktop: Desktop;
let workbench: Workbench;

test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moreau-events-'));
  desktop = await startDesktop();
  workbench = new Workbench(desktop.window);
  await workbench.ready();
});

test.afterEach(async () => {
  await desktop.close();
  await removeFolder(folder);
});

test('a ball from event to event, its certificate and its events, both schemes, and a joint put together', async () => {
  const page = desktop.window;
  const clipboard = (): Promise<string> => desktop.app.evaluate((electron) => electron.clipboard.readText());

  await test.step('the ball runs event-driven, and its impacts have a limit', async () => {
    await workbench.openExample('bouncing-ball');
    await page.keyboard.press('Control+Alt+Enter');
    await expect(workbench.status).toHaveText('Done');
    await page.getByTestId('certificate-badge').click();
    const zeno = page.getByTestId('zeno-times');
    const [, time, error] = /([\d.]+) ± ([\d.e-]+) s/.exec((await zeno.textContent()) ?? '') ?? [];
    expect(Math.abs(Number(time) - REST)).toBeLessThanOrEqual(Number(error));
  });

  await test.step('the certificate is text on the clipboard', async () => {
    await page.getByTestId('copy-certificate').click();
    await expect.poll(clipboard).toMatch(/^Bouncing ball, Run 1 .*: certificate\n/);
    const motion = /^Motion: (\S+) /m.exec(await clipboard())?.[1];
    expect(Number(motion)).toBeLessThan(1e-10);
    expect(await clipboard()).toMatch(/^Penetration: \S+ m /m);
  });

  await test.step('an event leads to its place in the plots', async () => {
    await page.getByTestId('show-events').click();
    await page.keyboard.press('Escape');
    await page.getByTestId('event-row').nth(1).click();
    await expect(page.getByTestId('plot-mark').first()).toContainText(`t = ${SECOND.toPrecision(6)} s`);
    await expect(page.getByTestId('graph-node-floor')).toHaveClass(/chosen/);
    await page.getByTestId('events-kind').click();
    await page.getByRole('option', { name: 'impact' }).first().click();
    await expect(page.getByTestId('events-count')).toContainText(' of ');
    await page.getByTestId('copy-events').click();
    await expect.poll(clipboard).toMatch(/^time \[s\],element,kind/);
    const impacts = (await clipboard()).trim().split('\n').slice(1);
    expect(impacts.every((line) => line.split(',')[2] === 'impact')).toBe(true);
    expect(Math.abs(Number(impacts[1]?.split(',')[0]) - SECOND)).toBeLessThan(1e-12);
  });

  await test.step('events go to a file of the user’s choice', async () => {
    const path = join(folder, 'impacts.csv');
    await desktop.app.evaluate(({ dialog }, file) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: file });
    }, path);
    await page.getByTestId('save-events').click();
    await expect(page.getByText('impacts.csv has been saved.').last()).toBeVisible();
    expect(await readFile(path, 'utf8')).toBe(await clipboard());
  });

  await test.step('data go to a file of the user’s choice, written by the host', async () => {
    const path = join(folder, 'ball.npz');
    await desktop.app.evaluate(({ dialog }, file) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: file });
    }, path);
    await page.keyboard.press('Control+Shift+P');
    await page.keyboard.type('Export data');
    await page.keyboard.press('Enter');
    await expect(page.locator('#export-data-format')).toBeFocused();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: /NumPy/ }).click();
    await page.getByTestId('export-data-save').click();
    await expect(page.getByText('ball.npz has been saved.').last()).toBeVisible();
    const bytes = await readFile(path);
    expect(bytes.subarray(0, 2).toString()).toBe('PK');
    expect(bytes.includes('ball.q.npy')).toBe(true);
  });

  await test.step('a plot, and the whole dashboard, go to PDF files of the user’s choice', async () => {
    for (const [command, file] of [
      ['Export plot as PDF', 'plot.pdf'],
      ['Export dashboard as PDF', 'dashboard.pdf'],
    ] as const) {
      const path = join(folder, file);
      await desktop.app.evaluate(({ dialog }, chosen) => {
        dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: chosen });
      }, path);
      await page.keyboard.press('Control+Shift+P');
      await page.keyboard.type(command);
      await page.keyboard.press('Enter');
      await expect(page.getByText(`${file} has been exported.`).last()).toBeVisible();
      const bytes = await readFile(path);
      expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
      expect(bytes.includes('/FontFile')).toBe(true);
      expect(bytes.subarray(-6).toString().trim()).toBe('%%EOF');
    }
  });

  await test.step('time-stepping converges to the event-driven run with order one', async () => {
    await page.getByTestId('tab-comparison').click();
    await page.getByTestId('comparison-start').click();
    const table = page.getByTestId('error-table');
    await expect(table).toBeVisible();
    const cells = await table
      .getByRole('row', { name: /^ball\.q/ })
      .getByRole('cell')
      .allTextContents();
    const orders = cells[3]?.trim().split(/\s+/).map(Number) ?? [];
    expect(orders).toHaveLength(2);
    for (const order of orders) expect(Math.abs(order - 1)).toBeLessThan(0.3);
  });

  await test.step('a pendulum that was pulled off its pin is put back, and the step can be undone', async () => {
    await workbench.openExample('double-pendulum');
    await page.getByTestId('graph-node-upper').click();
    const x = page.getByRole('textbox', { name: 'Initial position, x' });
    await x.fill('length/2 + 0.1');
    await x.press('Enter');
    await expect(page.getByTestId('run-button')).toBeDisabled();
    await page.getByTestId('tab-problems').click();
    await expect(workbench.problems).toContainText('violate “pin” (x)');
    await workbench.problems.getByRole('button', { name: 'Project initial state' }).click();
    await expect(workbench.problems).toContainText('No problems.');
    await expect(page.getByText('positions by up to 0.1.').last()).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(workbench.problems).toContainText('violate “pin” (x)');
    await page.keyboard.press('Control+Shift+z');
    await expect(workbench.problems).toContainText('No problems.');
    await workbench.runToEnd();
    await page.getByTestId('tab-events').click();
    await expect(page.getByTestId('events-pane')).toContainText('This run had no events');
  });
});
