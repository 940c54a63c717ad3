/**
 * Measures how busy the window is while a run streams in: share of the time its main thread works, and its
 * long tasks. A program that prints figures, not a test: `npm run measure`.
 */
import { startBrowserDoor } from '../../support/door';
import { expect, test } from '../browser/fixtures';
import { Workbench } from '../support/workbench';

/** How long it is watched, ms. */
const SPAN = 10_000;
/** Shorter tasks are not told by the browser, ms. */
const LONG = 50;

test('a run that streams in: work of the main thread', async ({ page }) => {
  test.setTimeout(300_000);
  const door = await startBrowserDoor();
  await page.goto(door.url);
  const workbench = new Workbench(page);
  await workbench.ready();
  await workbench.openExample('cam-follower-660');
  await page.getByTestId('simulation-settings').click();
  await page.getByTestId('field-h').locator('input').fill('1e-8');
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const metric = async (name: string): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find((one) => one.name === name)?.value ?? NaN;
  };

  for (const slowdown of [1, 4]) {
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await workbench.run();
    await page.getByTestId('answer-run').click();
    await expect(workbench.status).toHaveText('Running');
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    const [since, before] = [await metric('Timestamp'), await metric('TaskDuration')];
    const tasks = await page.evaluate(async (span) => {
      const durations: number[] = [];
      const observer = new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) durations.push(duration);
      });
      observer.observe({ entryTypes: ['longtask'] });
      await new Promise((resolve) => setTimeout(resolve, span));
      observer.disconnect();
      return durations;
    }, SPAN);
    const busy = ((await metric('TaskDuration')) - before) / ((await metric('Timestamp')) - since);
    const longest = tasks.length === 0 ? `under ${LONG}` : Math.max(...tasks).toFixed(0);
    console.log(
      `slowed down ${slowdown} times: main thread busy ${(100 * busy).toFixed(0)} %, longest task ${longest} ms, ` +
        `${tasks.filter((duration) => duration > 100).length} tasks over 100 ms`,
    );
    await page.getByTestId('cancel-button').click();
    await expect(workbench.status).toHaveText('Cancelled');
  }
  await door.stop();
});
