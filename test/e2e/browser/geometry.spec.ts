/** Nothing covers, cuts or leaves the window, whatever its size and zoom. */
import { VIEWS } from '../pictures/views';
import { faultsOf } from '../support/geometry';
import { expect, test } from './fixtures';

/**
 * Pixels that a page has: windows of 1024 × 700, 1280 × 800 and 1440 × 900 at zooms from 200 to 80 %, those
 * that lie close together once.
 */
const SIZES = [
  [512, 350],
  [853, 533],
  [1440, 900],
  // Those between follow, as a rule.
  ...(process.env.MOREAU_PROVE === undefined
    ? []
    : ([
        [683, 467],
        [1024, 700],
        [1800, 1125],
      ] as const)),
] as const;
/** Some views only, by their names with commas between them, and a folder for pictures of all. */
const only = process.env.MOREAU_VIEWS?.split(',');
const pictures = process.env.MOREAU_PICTURES;

test('all views at all sizes', async ({ workbench }) => {
  test.setTimeout(1_200_000);
  const { page } = workbench;
  const found: Record<string, string[]> = {};
  for (const { name, show } of VIEWS.filter((view) => only?.includes(view.name) ?? true))
    await test.step(name, async () => {
      await page.setViewportSize({ width: 1440, height: 900 });
      await show(workbench);
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        await page.waitForTimeout(120);
        for (const fault of await faultsOf(page)) (found[`${name}: ${fault}`] ??= []).push(String(width));
        if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}-${width}.png` });
      }
    });
  expect(found).toEqual({});
});
