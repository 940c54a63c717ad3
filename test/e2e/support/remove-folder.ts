import { rm } from 'node:fs/promises';
import { expect } from '@playwright/test';

/**
 * Removes the folder of an application that has been closed. Its processes may still be writing their caches,
 * and Node's own retries do not cover a folder that fills again while it is being emptied.
 */
export async function removeFolder(folder: string): Promise<void> {
  await expect(() => rm(folder, { recursive: true, force: true })).toPass();
}
