/** What axe finds in the window. */
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Rules of axe about colours. No other rule depends on the theme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * An analysis of a page that keeps what it finds wrong, and nothing of what is right, and runs in the page itself: there are no frames
 * of other origins. It takes a quarter of the time.
 */
function axe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(true);
}

/** Parts of the window, by their selectors. */
export const PAGE = 'html';
export const PLOTS = '[data-pane="plots"]';

async function analyse(page: Page, part: string, rules?: string[]): Promise<unknown[]> {
  // Monaco brings its own structure, which is its authors' matter.
  const builder = axe(page).include(part).exclude('.monaco-editor');
  if (rules !== undefined) builder.withRules(rules);
  const found = await builder.analyze();
  return found.violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ target }) => target.join(' ')) }));
}

/** In the present theme. An analysis takes a second or more, so it is of what is new on the screen. */
export const violations = (page: Page, part: string = 'main'): Promise<unknown[]> => analyse(page, part);

/** Follows the system to a theme. Colours in transition are waited for. */
async function showTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
        .map(({ finished }) => finished.catch(() => null)),
    ),
  );
}

/**
 * In the light theme and the dark one; the window is left in the light one. The theme is that of the system, as it is where none was
 * chosen, so that a dialog or a menu stays open.
 */
export async function violationsInBothThemes(page: Page, part: string = 'main'): Promise<unknown[]> {
  await showTheme(page, 'dark');
  const found = await analyse(page, part, COLOUR_RULES);
  await showTheme(page, 'light');
  return [...(await analyse(page, part)), ...found];
}
