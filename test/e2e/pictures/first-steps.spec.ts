/** Takes the pictures of the five steps of the README: `npm run pictures`. */
import { mkdir } from 'node:fs/promises';
import { expect, test } from '../browser/fixtures';
import { node } from '../stories/story';

const FOLDER = 'docs/images/first';

await mkdir(FOLDER, { recursive: true });
test.use({ trace: 'off', viewport: { width: 1280, height: 800 } });

test('five steps', async ({ workbench }) => {
  test.setTimeout(180_000);
  const { page } = workbench;
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const take = async (name: string): Promise<void> => {
    await page.mouse.move(0, 0);
    await page.waitForTimeout(400);
    await page.screenshot({ path: `${FOLDER}/${name}.png`, animations: 'disabled' });
  };
  await page.keyboard.press('Control+Shift+O');
  await page.getByTestId('gallery-search').fill('cam');
  await expect(page.getByTestId('example-cam-follower-358')).toBeVisible();
  await page.waitForTimeout(700);
  await take('1-open');
  await page.getByTestId('example-cam-follower-358').click();
  await workbench.runToEnd();
  await take('2-run');
  await workbench.setParameter('rpm', '420');
  await expect(page.getByTestId('run-list').locator('li')).toHaveCount(2);
  await expect(workbench.status).toHaveText('Done');
  await take('3-change');
  await node(page, 'cam').click();
  await page.getByTestId('field-e').scrollIntoViewIfNeeded();
  await take('4-look');
  await page.keyboard.press('Control+2');
  await page.keyboard.press('Control+j');
  await expect(page.getByTestId('script-editor').locator('.view-line').first()).toBeVisible();
  await page.keyboard.press('Control+End');
  await expect(page.locator('.codelens-decoration:visible').first()).toBeVisible({ timeout: 30_000 });
  await take('5-write');
});
