/** What axe finds in the window. */
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Rules of axe about colours. No other rule depends on the theme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * An analysis of a page that keeps what it finds wrong, and nothing of what is right, and runs in the page
 * itself: there are no frames of other origins. It takes a quarter of the time.
 */
function axe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(true);
}

/** Parts of the window, by their selectors. */
export const PAGE = 'html';
export const PLOTS = '[data-pane="plots"]';
export const SIDE = '[data-pane="side"]';
export const MODEL = '[data-pane="model"]';
export const LOWER = '[data-pane="lower"]';
export const DIALOG = '[role="dialog"]';
/** Menus and what else floats over the window. */
export const FLOATING = '[data-reka-popper-content-wrapper]';

async function analyse(page: Page, parts: readonly string[], rules?: string[]): Promise<unknown[]> {
  // Monaco brings its own structure, which is its authors' matter.
  const builder = axe(page).exclude('.monaco-editor');
  for (const part of parts) builder.include(part);
  if (rules !== undefined) builder.withRules(rules);
  const found = await builder.analyze();
  return found.violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ target }) => target.join(' ')) }));
}

/** In the present theme. An analysis takes a second or more, so it is of what is new on the screen. */
export const violations = (page: Page, part: string = 'main'): Promise<unknown[]> => analyse(page, [part]);

/**
 * Follows the system to a theme. Colours in transition are brought to their end: to wait for it is to wait
 * for frames, of which a machine with other work may draw none.
 */
async function showTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
  const left = await page.evaluate(() => {
    const going = (): Animation[] =>
      document
        .getAnimations()
        .filter(
          ({ effect, playState }) =>
            playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime),
        );
    // Inherited colours begin to change when those that they come from have.
    for (let depth = 0; depth < 100 && going().length > 0; depth++)
      going().forEach((animation) => animation.finish());
    return going().length;
  });
  expect(left).toBe(0);
}

/**
 * In the light theme and the dark one; the window is left in the light one. The theme is that of the system,
 * as it is where none was chosen, so that a dialog or a menu stays open.
 */
export async function violationsInBothThemes(page: Page, ...given: readonly string[]): Promise<unknown[]> {
  const parts = given.length === 0 ? ['main'] : given;
  await showTheme(page, 'dark');
  const found = await analyse(page, parts, COLOUR_RULES);
  await showTheme(page, 'light');
  return [...(await analyse(page, parts)), ...found];
}
