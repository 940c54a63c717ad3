/** What axe finds in the window. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * An analysis of a page that keeps what it finds wrong, and nothing of what is right, and runs in the page itself: there are no frames
 * of other origins. It takes a quarter of the time.
 */
export function axe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(true);
}

/** Monaco brings its own structure, which is its authors' matter. */
export async function violations(page: Page): Promise<unknown[]> {
  const found = await axe(page).include('main').exclude('.monaco-editor').analyze();
  return found.violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ target }) => target.join(' ')) }));
}

/** In the present theme and the other one, to which the window goes and back. Colours in transition are waited for. */
export async function violationsInBothThemes(page: Page): Promise<unknown[]> {
  const found = await violations(page);
  for (let i = 0; i < 2; i++) {
    await page.getByTestId('theme-button').click();
    await page.evaluate(() =>
      Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => null))),
    );
    if (i === 0) found.push(...(await violations(page)));
  }
  return found;
}
