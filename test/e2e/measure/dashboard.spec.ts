/**
 * Measures a dashboard of ten panels on a run of 10⁷ rows: time from a gesture until every panel has been
 * drawn again for the last time. A program that prints figures, not a test: `npm run measure`.
 */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { startBrowserDoor } from '../../support/door';
import { expect, test } from '../browser/fixtures';
import { openText } from '../support/open-text';
import { Workbench } from '../support/workbench';

const ROWS = 1e7;
/** Nothing drawn for so long: the gesture is answered; the run is shown in all panels, ms. */
const QUIET = 600;
const SHOWN = 4000;

const VIEWS = [
  { type: 'time-series', id: 'height', signals: ['ball.q', 'energy'] },
  { type: 'time-series', id: 'velocity', signals: ['ball.v'] },
  { type: 'time-series', id: 'impulse', signals: ['floor.impulse'] },
  { type: 'index-sets', id: 'contacts' },
  { type: 'energy-ledger', id: 'ledger' },
  { type: 'certificate', id: 'certificate' },
  { type: 'phase-portrait', id: 'portrait', x: 'ball.q', y: 'ball.v' },
  { type: 'attractor', id: 'space', x: 'ball.q', y: 'ball.v', z: 'energy' },
  { type: 'spectrum', id: 'spectrum', signals: ['ball.q'] },
  { type: 'table', id: 'table', signals: ['ball.q', 'ball.v'] },
];

/** The bouncing ball with this many rows, and a panel of each kind that shows a run. */
async function model(): Promise<string> {
  const document = JSON.parse(await readFile('resources/examples/bouncing-ball.moreau.json', 'utf8')) as {
    title: string;
    simulation: { h: number };
    views: unknown[];
  };
  document.title = 'Ten million rows';
  document.simulation.h = 10 / ROWS;
  document.views = VIEWS;
  return JSON.stringify(document);
}

/** Has the page remember when it last drew on a canvas or changed a panel. */
async function watchDrawing(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched = { last: 0, panels: new Set<string>() };
    Object.assign(window, { watched });
    const note = (element: Element | null): void => {
      const panel = element?.closest('section[data-testid^=plot-]')?.getAttribute('data-testid');
      if (panel === null || panel === undefined) return;
      watched.last = performance.now();
      watched.panels.add(panel.slice('plot-'.length));
    };
    document.addEventListener('DOMContentLoaded', () => {
      const changes = { subtree: true, childList: true, attributes: true, characterData: true };
      new MutationObserver((mutations) => {
        for (const { target } of mutations) note(target instanceof Element ? target : target.parentElement);
      }).observe(document.body, changes);
    });
    const prototype = CanvasRenderingContext2D.prototype;
    const drawing = ['stroke', 'fill', 'drawImage', 'putImageData', 'fillText'] as const;
    for (const name of drawing) {
      const original = prototype[name] as (...parameters: unknown[]) => void;
      Object.assign(prototype, {
        [name](this: CanvasRenderingContext2D, ...parameters: unknown[]) {
          note(this.canvas);
          original.apply(this, parameters);
        },
      });
    }
  });
}

/**
 * Waits until nothing has been drawn for so long, ms.
 * @returns when the last drawing was, and which panels have been drawn
 */
function settled(page: Page, quiet: number): Promise<{ last: number; panels: string[] }> {
  return page.evaluate(async (span) => {
    const { watched } = window as unknown as { watched: { panels: Set<string>; last: number } };
    const since = performance.now();
    while (performance.now() - Math.max(watched.last, since) < span)
      await new Promise((resolve) => requestAnimationFrame(resolve));
    return { last: watched.last, panels: [...watched.panels] };
  }, quiet);
}

test('a dashboard on a run of 10⁷ rows: zoomed, panned, its cursor moved', async ({ page }) => {
  test.setTimeout(600_000);
  await page.setViewportSize({ width: 1600, height: 1000 });
  const door = await startBrowserDoor();
  await watchDrawing(page);
  page.on('filechooser', () => undefined);
  await page.goto(door.url);
  const workbench = new Workbench(page);
  await workbench.ready();
  await openText(page, 'rows.moreau.json', await model());
  await expect(page.getByTestId('document-title')).toContainText('rows', { ignoreCase: true });
  await workbench.run();
  await expect(workbench.status).toHaveText('Done', { timeout: 500_000 });
  await expect(page.getByTestId('plot-height').getByTestId('decimation')).toBeVisible();

  // What is asked about a run for the first time goes through all of its rows, one panel after the other.
  const ended = await page.evaluate(() => performance.now());
  const { last: shown } = await settled(page, SHOWN);
  console.log(`all panels       ${(shown - ended).toFixed(0).padStart(5)} ms   after the end of the run`);

  const times: number[] = [];
  /** Milliseconds from a gesture until the last panel was drawn for the last time. */
  const answer = async (name: string, gesture: () => Promise<void>): Promise<void> => {
    const begin = await page.evaluate(() => {
      const { watched } = window as unknown as { watched: { panels: Set<string>; last: number } };
      watched.panels.clear();
      watched.last = 0;
      return performance.now();
    });
    await gesture();
    const { last, panels } = await settled(page, QUIET);
    times.push(last - begin);
    console.log(`${name.padEnd(16)} ${(last - begin).toFixed(0).padStart(5)} ms   ${panels.join(' ')}`);
  };
  const plot = page.getByTestId('plot-height');
  await plot.scrollIntoViewIfNeeded();
  const box = (await plot.locator('canvas').first().boundingBox())!;
  const at = (fraction: number): [number, number] => [box.x + box.width * fraction, box.y + box.height / 2];
  await page.mouse.move(...at(0.5));
  await page.waitForTimeout(1000);
  for (let i = 1; i <= 6; i++) await answer(`zoom in ${i}`, () => page.mouse.wheel(0, -500));
  for (let i = 1; i <= 4; i++) {
    await page.mouse.move(...at(0.6));
    await page.mouse.down();
    await page.waitForTimeout(300);
    await answer(`pan ${i}`, () => page.mouse.move(...at(0.3), { steps: 1 }));
    await page.mouse.up();
  }
  for (let i = 1; i <= 3; i++) await answer(`cursor ${i}`, () => page.mouse.click(...at(0.3 + 0.1 * i)));
  for (let i = 1; i <= 6; i++) await answer(`zoom out ${i}`, () => page.mouse.wheel(0, 500));
  await answer('whole run', () => page.keyboard.press('Control+0'));
  times.sort((a, b) => a - b);
  console.log(
    `median ${times[times.length >> 1].toFixed(0)} ms, largest ${times.at(-1)!.toFixed(0)} ms of ${times.length} gestures`,
  );
  await door.stop();
});
