import type { Page } from '@playwright/test';

/** Drops a file of that text on the window. */
export async function dropFile(page: Page, name: string, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    (file) => {
      const all = new DataTransfer();
      all.items.add(new File([file.text], file.name));
      return all;
    },
    { name, text },
  );
  await page.getByTestId('document-title').dispatchEvent('drop', { dataTransfer: transfer });
}
