import { expect, test } from './fixtures';
const OUT = '/tmp/views-look';
async function shots(page: import('@playwright/test').Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [w, h] of [[1280, 800], [1920, 1080]] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: w, height: h });
      await page.waitForTimeout(700);
      await page.screenshot({ path: `${OUT}/${name}-${colorScheme}-${w}.png` });
    }
}
test('return map', async ({ workbench }) => {
  test.setTimeout(300000);
  const { page } = workbench;
  await workbench.openExample('cam-follower-maps-660');
  await workbench.setParameter('revolutions', '3100');
  await workbench.runToEnd();
  await page.getByTestId('add-plot').click();
  await page.getByRole('menuitem', { name: 'Return map' }).click();
  const plot = page.getByTestId('plot-return-map');
  await expect(plot).toBeVisible();
  await plot.scrollIntoViewIfNeeded();
  await page.waitForTimeout(1500);
  await shots(page, 'return-map');
});
for (const name of ['heavy-top', 'tippe-top', 'four-bar-clearance'])
  test(name, async ({ workbench }) => {
    test.setTimeout(300000);
    const { page } = workbench;
    await workbench.openExample(name);
    await page.getByTestId('simulation-settings').click();
    await page.waitForTimeout(500);
    await page.screenshot({ path: `${OUT}/${name}-settings.png` });
    await page.getByRole('radio', { name: /Event-driven/ }).first().click().catch(() => undefined);
    await page.waitForTimeout(500);
    await page.screenshot({ path: `${OUT}/${name}-settings2.png` });
    await workbench.run();
    await page.waitForTimeout(15000);
    await shots(page, name);
  });
