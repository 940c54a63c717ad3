import type { Page } from '@playwright/test';

/** Opens a model of that text through the file chooser of the browser. */
export async function openText(page: Page, name: string, text: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.keyboard.press('Control+O');
  await (await choosing).setFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
}
