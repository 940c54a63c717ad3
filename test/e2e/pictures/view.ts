/** A view of the window for the pictures of the documentation. */
import { expect, type Page } from '@playwright/test';
import type { Workbench } from '../support/workbench';

export interface View {
  /** name of the picture */
  name: string;
  show(workbench: Workbench): Promise<void>;
}

/** Runs a command of the palette by its name. */
export async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type(name);
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('Enter');
}
