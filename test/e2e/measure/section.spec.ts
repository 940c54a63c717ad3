/**
 * Measures the window on a Poincaré section of 10⁶ points: time from a gesture to the answered read and the
 * drawn set. A program that prints figures, not a test: `npm run measure`.
 */
import { startBrowserDoor } from '../../support/door';
import { expect, test } from '../browser/fixtures';
import { Workbench } from '../support/workbench';

const POINTS = 1e6;
/** Revolutions that the example leaves out at first. */
const TRANSIENT = 100;

test('a section of 10⁶ points: shown, zoomed, panned', async ({ page }) => {
  test.setTimeout(600_000);
  const door = await startBrowserDoor();
  await page.goto(door.url);
  const workbench = new Workbench(page);
  await workbench.ready();
  await workbench.openExample('cam-follower-maps-660');
  await workbench.setParameter('revolutions', String(POINTS + TRANSIENT));
  await workbench.run();
  await expect(workbench.status).toHaveText('Done', { timeout: 500_000 });
  const plot = page.getByTestId('plot-strobe');
  await expect(plot.getByTestId('decimation')).toHaveText(/1 M|1000 k/);

  /** Milliseconds from a gesture until the plot shows another range, and a frame has been painted with it. */
  const answer = async (name: string, gesture: () => Promise<void>): Promise<void> => {
    const waiting = page.evaluate(async () => {
      const range = (): string => JSON.stringify(window.__moreauPlots?.strobe?.range());
      const before = range();
      const canvas = document.querySelector('[data-testid="plot-strobe"] canvas') as HTMLCanvasElement;
      const begin = performance.now();
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
      while (range() === before) await frame();
      const moved = performance.now() - begin;
      // The picture is drawn again once the reader has answered: what the canvas holds changes then.
      let last = canvas.toDataURL();
      let settled = performance.now();
      let drawn = settled;
      while (performance.now() - settled < 400) {
        await frame();
        const now = canvas.toDataURL();
        if (now === last) continue;
        last = now;
        settled = performance.now();
        drawn = settled;
      }
      return { moved, drawn: drawn - begin };
    });
    await gesture();
    const { moved, drawn } = await waiting;
    console.log(
      `${name.padEnd(16)} moved after ${moved.toFixed(0).padStart(4)} ms, exact after ${drawn.toFixed(0).padStart(4)} ms`,
    );
  };
  const box = (await plot.locator('canvas').first().boundingBox())!;
  const at = (fraction: number): [number, number] => [box.x + box.width * fraction, box.y + box.height / 2];
  await page.mouse.move(...at(0.5));
  for (let i = 1; i <= 4; i++) await answer(`zoom in ${i}`, () => page.mouse.wheel(0, -300));
  for (let i = 1; i <= 5; i++) {
    await page.mouse.move(...at(0.55));
    await page.mouse.down();
    await answer(`pan ${i}`, () => page.mouse.move(...at(0.45), { steps: 1 }));
    await page.mouse.up();
  }
  for (let i = 1; i <= 4; i++) await answer(`zoom out ${i}`, () => page.mouse.wheel(0, 300));
  await door.stop();
});
