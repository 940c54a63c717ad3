/** What users come for, from an empty window to the answer, in the browser. */
import { STORIES } from '../stories';
import { test } from './fixtures';

for (const { title, tell } of STORIES) {
  test(title, async ({ workbench }) => {
    test.slow();
    const { page } = workbench;
    await tell({
      workbench,
      page,
      async openFile(name, text) {
        const choosing = page.waitForEvent('filechooser');
        await page.keyboard.press('Control+O');
        const file = { name, mimeType: 'application/json', buffer: Buffer.from(text) };
        await (await choosing).setFiles(file);
      },
    });
  });
}
