/** What users come for, in the desktop application. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type Desktop, startDesktop } from '../../support/door';
import { DESKTOP_STORIES } from '../stories';
import { removeFolder } from '../support/remove-folder';
import { Workbench } from '../support/workbench';

let desktop: Desktop;
let workbench: Workbench;

test.beforeAll(async () => {
  desktop = await startDesktop();
  workbench = new Workbench(desktop.window);
  await workbench.ready();
});

test.afterAll(async () => {
  await desktop.close();
});

test('the first window is there soon after the process has started', async () => {
  const started = await desktop.app.evaluate(() => process.getCreationTime());
  const painted = await desktop.window.evaluate(() => {
    const paint = performance.getEntriesByName('first-contentful-paint')[0] as PerformanceEntry | undefined;
    return performance.timeOrigin + (paint?.startTime ?? NaN);
  });
  // Printed, not judged: how fast it is depends on the machine.
  console.log(`first window painted ${(painted - (started ?? NaN)).toFixed(0)} ms after the process started`);
  expect(painted).toBeGreaterThan(started ?? 0);
});

for (const { title, tell } of DESKTOP_STORIES)
  test(title, async () => {
    test.slow();
    const folder = await mkdtemp(join(tmpdir(), 'moreau-model-'));
    const complaints: string[] = [];
    desktop.window.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    try {
      await tell({
        workbench,
        page: desktop.window,
        async openFile(name, text) {
          const file = join(folder, name);
          await writeFile(file, text);
          await desktop.app.evaluate(({ dialog }, path) => {
            dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
          }, file);
          await desktop.window.keyboard.press('Control+O');
        },
      });
      expect(complaints).toEqual([]);
    } finally {
      await removeFolder(folder);
    }
  });
