/**
 * Takes the pictures of the documentation: every view in both themes and two sizes. A program, not a test:
 * `npm run pictures`.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from '../browser/fixtures';
import { VIEWS } from './views';

const FOLDER = 'docs/images/views';
const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

/** Names of views, with commas between them; all of them where nothing is said. */
const only = process.env.MOREAU_VIEWS?.split(',');

await mkdir(FOLDER, { recursive: true });
test.use({ trace: 'off' });

for (const colorScheme of ['light', 'dark'] as const)
  for (const size of SIZES)
    test(`${size.width} × ${size.height}, ${colorScheme}`, async ({ workbench }) => {
      test.setTimeout(600_000);
      const { page } = workbench;
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize(size);
      for (const { name, show } of VIEWS.filter((view) => only?.includes(view.name) ?? true))
        await test.step(name, async () => {
          await show(workbench);
          // The pointer leaves no mark on what is shown.
          await page.mouse.move(0, 0);
          await page.waitForTimeout(300);
          await page.screenshot({
            path: join(FOLDER, `${name}-${colorScheme}-${size.width}.png`),
            animations: 'disabled',
          });
        });
    });
