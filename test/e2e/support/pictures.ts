/**
 * Pictures of a story in both themes, for the eye: `MOREAU_PICTURES=FOLDER npx playwright test …` writes
 * them; what the tests assert needs none of them.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

const FOLDER = process.env.MOREAU_PICTURES;

/** @param name of the files, `NAME-light.png` and `NAME-dark.png` */
export async function takePictures(page: Page, name: string): Promise<void> {
  if (FOLDER === undefined) return;
  await mkdir(FOLDER, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Curves are drawn again in the colours of the theme.
    await page.waitForTimeout(600);
    await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}.png`), animations: 'disabled' });
  }
  await page.emulateMedia({ colorScheme: null });
}
