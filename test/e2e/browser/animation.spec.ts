/** The animation as it is drawn: pixels, the time cursor, keys, exports, and what happens without WebGL. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
// Declares the hook that animations leave on the window.
import type {} from '@renderer/animation/animation-registry';
import type { Workbench } from '../support/workbench';
import { expect, test } from './fixtures';
import { DIALOG, FLOATING, PAGE, PLOTS, violationsInBothThemes } from '../support/axe';

const EXAMPLE = 'billiards';
/** At rest, with forces that last. */
const ARCH = 'masonry-arch';

const surface = (page: Page): Locator => page.getByTestId('animation-surface');
const shownTime = (page: Page): Promise<number | null> =>
  page.evaluate(() => Object.values(window.__moreauAnimations ?? {})[0]?.time() ?? null);

/** Opens the example, runs it to its end and goes to its start. */
async function open(workbench: Workbench, example = EXAMPLE): Promise<void> {
  const { page } = workbench;
  await workbench.openExample(example);
  await workbench.runToEnd();
  await expect(surface(page).locator('canvas').first()).toBeVisible();
  // The end of a run that was watched, the start of one that was not.
  await expect.poll(() => shownTime(page)).not.toBeNull();
  await surface(page).focus();
  await page.keyboard.press('Home');
  await expect.poll(() => shownTime(page)).toBe(0);
}

/** Goes to a part of the run by the bar of time. @param part 0 … 1 */
async function seek(page: Page, part: number): Promise<void> {
  const before = await shownTime(page);
  await page.getByTestId('animation-time').fill(String(Math.round(10_000 * part)));
  await expect.poll(() => shownTime(page)).not.toBe(before);
  // The picture is drawn in the frame after the figures have changed.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** What the surface shows, without the figures over it, as the address of a PNG. */
async function photograph(page: Page): Promise<string> {
  const style = '[data-testid="animation-readout"] { visibility: hidden }';
  return `data:image/png;base64,${(await surface(page).screenshot({ style })).toString('base64')}`;
}

interface Comparison {
  width: number;
  height: number;
  /** pixels of the two pictures that differ by more than rounding */
  differing: number;
  /** colours of the first */
  colours: number;
  /**
   * how colourful the first is at each of the places, 0 … 255: bodies have colours, ground and background
   * have hardly any
   */
  saturations: number[];
}

/** Compares pictures of one size, in the page: their pixels are too many to be sent. */
function compare(
  page: Page,
  a: string,
  b: string,
  places: { x: number; y: number }[] = [],
): Promise<Comparison> {
  const both = { addresses: [a, b], places };
  return page.evaluate(async ({ addresses, places: at }) => {
    const [first, second] = await Promise.all(
      addresses.map(async (address) => {
        const image = new Image();
        image.src = address;
        await image.decode();
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [image.width, image.height];
        const context = canvas.getContext('2d')!;
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height);
      }),
    );
    if (first.width !== second.width || first.height !== second.height) throw new Error('sizes differ');
    let differing = 0;
    const colours = new Set<number>();
    for (let i = 0; i < first.data.length; i += 4) {
      const [red, green, blue] = first.data.subarray(i, i + 3);
      colours.add((red << 16) | (green << 8) | blue);
      if ([0, 1, 2].some((k) => Math.abs(first.data[i + k] - second.data[i + k]) > 24)) differing++;
    }
    const saturations = at.map(({ x, y }) => {
      const pixel = 4 * (Math.round(y) * first.width + Math.round(x));
      const rgb = first.data.subarray(pixel, pixel + 3);
      return Math.max(...rgb) - Math.min(...rgb);
    });
    const { width, height } = first;
    return { width, height, differing, colours: colours.size, saturations };
  }, both);
}

const differing = async (page: Page, a: string, b: string): Promise<number> =>
  (await compare(page, a, b)).differing;

test('the picture follows the time, and bodies are where the run has them', async ({ workbench }) => {
  test.slow();
  const { page } = workbench;
  await open(workbench);
  await seek(page, 0.5);
  const there = await photograph(page);
  await seek(page, 0.02);
  const before = await photograph(page);
  expect(await differing(page, there, before)).toBeGreaterThan(50);
  await seek(page, 0.5);
  expect(await differing(page, there, await photograph(page))).toBe(0);
  // Each ball is drawn where its recorded pose is projected to.
  const places = await page.evaluate(() => {
    const animation = Object.values(window.__moreauAnimations ?? {})[0];
    return Array.from({ length: animation.poses().length / 7 }, (_, body) => animation.place(body));
  });
  const names = await page.evaluate(() =>
    [...document.querySelectorAll('[data-testid="animation-body"] ~ datalist option')].map((one) =>
      one.getAttribute('value'),
    ),
  );
  const balls = places.flatMap((place, body) =>
    place !== null && /ball|cue/.test(names[body] ?? '') ? [place] : [],
  );
  expect(balls.length).toBeGreaterThan(10);
  const { saturations } = await compare(page, there, there, balls);
  const coloured = saturations.filter((saturation) => saturation > 40);
  // A ball may stand behind a cushion or another ball, which then has a colour of its own.
  expect(coloured.length).toBeGreaterThan(0.8 * balls.length);
});

test('the cursor of plots and the animation go together, and keys play', async ({ workbench }) => {
  test.slow();
  const { page } = workbench;
  await open(workbench);
  await seek(page, 0.25);
  await expect(page.getByTestId('plot-mark').first()).toContainText('t = 1 s');
  await surface(page).focus();
  await page.keyboard.press('.');
  await expect.poll(() => shownTime(page)).toBeCloseTo(1.001, 9);
  await page.keyboard.press(' ');
  await expect.poll(() => shownTime(page)).toBeGreaterThan(1.2);
  await page.keyboard.press(' ');
  await expect(page.getByTestId('animation-play')).toHaveAccessibleName('Play');
  const before = await photograph(page);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(async () => differing(page, before, await photograph(page))).toBeGreaterThan(200);
  await page.keyboard.press('Control+z');
  await expect.poll(async () => differing(page, before, await photograph(page))).toBe(0);
});

test('contacts and forces of the run are drawn, and are taken away again', async ({ workbench }) => {
  test.slow();
  const { page } = workbench;
  await open(workbench, ARCH);
  await seek(page, 0.5);
  const plain = await photograph(page);
  for (const overlay of ['contacts', 'forces']) {
    const toggle = async (): Promise<void> => {
      await page.getByTestId('animation-show').click();
      await page.getByTestId(`animation-overlay-${overlay}`).click();
      await page.keyboard.press('Escape');
      await page.mouse.move(0, 0);
    };
    await toggle();
    await expect.poll(async () => differing(page, plain, await photograph(page))).toBeGreaterThan(100);
    await expect(page.getByTestId('animation-rank')).toHaveText(
      '336 rows, rank 162: impulses are not unique',
    );
    await toggle();
    await expect(page.getByTestId('animation-rank')).toBeHidden();
    await expect.poll(async () => differing(page, plain, await photograph(page))).toBe(0);
  }
});

test('a double-click selects the body under it', async ({ workbench }) => {
  const { page } = workbench;
  await open(workbench);
  const body = 'cue';
  await page.getByTestId('animation-body').fill(body);
  await page.getByTestId('animation-body').press('Enter');
  await expect(page.getByTestId('animation-readout')).toContainText(body);
  await page.getByTestId('animation-body').fill('');
  await page.getByTestId('animation-body').press('Enter');
  await expect(page.getByTestId('animation-readout')).not.toContainText(body);
  const place = await page.evaluate((id) => {
    const options = [...document.querySelectorAll('[data-testid="animation-body"] ~ datalist option')];
    const index = options.findIndex((one) => one.getAttribute('value') === id);
    return Object.values(window.__moreauAnimations ?? {})[0].place(index);
  }, body);
  await surface(page).dblclick({ position: place! });
  await expect(page.getByTestId('animation-readout')).toContainText(body);
});

test('pictures and films are saved', async ({ workbench }) => {
  test.slow();
  const { page } = workbench;
  await open(workbench);
  await page.getByTestId('animation-menu').click();
  await page.getByTestId('animation-export-picture').click();
  await page.locator('#animation-width').fill('640');
  await page.locator('#animation-height').fill('400');
  const [picture] = await Promise.all([
    page.waitForEvent('download'),
    page.getByTestId('animation-export-go').click(),
  ]);
  expect(picture.suggestedFilename()).toMatch(/^billiards.*\.png$/);
  const address = `data:image/png;base64,${readFileSync(await picture.path()).toString('base64')}`;
  const { width, height, colours } = await compare(page, address, address);
  expect([width, height]).toEqual([640, 400]);
  expect(colours).toBeGreaterThan(100);

  await page.getByTestId('animation-menu').click();
  await page.getByTestId('animation-export-film').click();
  await page.locator('#animation-width').fill('320');
  await page.locator('#animation-height').fill('200');
  await page.locator('#animation-to').fill('0.3');
  await expect(page.getByTestId('animation-export-note')).toContainText('10 pictures');
  const [film] = await Promise.all([
    page.waitForEvent('download'),
    page.getByTestId('animation-export-go').click(),
  ]);
  const archive = readFileSync(await film.path());
  const names = [...archive.toString('latin1').matchAll(/PK\x01\x02[^]{42}(frame-\d{4}\.png)/g)].map(
    ([, name]) => name,
  );
  expect(names).toEqual(Array.from({ length: 10 }, (_, i) => `frame-${String(i + 1).padStart(4, '0')}.png`));
  // Checksums of the pictures: the balls move in all of them.
  const sums = [...archive.toString('latin1').matchAll(/PK\x01\x02[^]{12}([^]{4})/g)].map(([, sum]) => sum);
  expect(new Set(sums).size).toBe(10);
  await expect(page.getByTestId('animation-export')).toBeHidden();
});

test('the animation is accessible in both themes', async ({ workbench }) => {
  test.slow();
  const { page } = workbench;
  await page.setViewportSize({ width: 1100, height: 800 });
  const check = async (part: string): Promise<void> => {
    expect(await violationsInBothThemes(page, part)).toEqual([]);
  };
  await open(workbench);
  await expect(surface(page)).toHaveAccessibleName(/Animation of \d+ bodies, t = 0 s/);
  await page.getByTestId('animation-body').fill('cue');
  await page.getByTestId('animation-body').press('Enter');
  await expect(surface(page)).toHaveAccessibleName(/cue at \(/);
  await check(PAGE);
  await page.getByTestId('animation-show').click();
  await expect(page.getByTestId('animation-overlay-grid')).toBeVisible();
  await check(FLOATING);
  await page.getByTestId('animation-overlay-contacts').click();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('animation-rank')).toContainText('rows, rank');
  await page.getByRole('button', { name: 'What rows and rank of W mean' }).focus();
  await expect(page.getByRole('tooltip')).toContainText('one of many solutions');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tooltip')).toBeHidden();
  await check(PLOTS);
  await page.getByTestId('animation-menu').click();
  await page.getByTestId('animation-export-film').click();
  await expect(page.getByTestId('animation-export')).toBeVisible();
  await check(DIALOG);
});

test('switching runs again and again leaks neither contexts nor geometries', async ({ workbench }) => {
  test.slow();
  const { page } = workbench;
  const counting = await page.addInitScript(() => {
    const made = new Set<WebGL2RenderingContext>();
    const getContext = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...rest: unknown[]) {
      const context = Reflect.apply(getContext, this, rest) as WebGL2RenderingContext | null;
      if (rest[0] === 'webgl2' && context !== null) made.add(context);
      return context;
    } as typeof getContext;
    Object.assign(window, { liveContexts: () => [...made].filter((one) => !one.isContextLost()).length });
  });
  await page.reload();
  await counting.dispose();
  await workbench.ready();
  await open(workbench);
  await workbench.runToEnd();
  const live = (): Promise<number> =>
    page.evaluate(() => (window as unknown as { liveContexts: () => number }).liveContexts());
  const geometries = (): Promise<number> =>
    page.evaluate(() => Object.values(window.__moreauAnimations ?? {})[0]?.figures()?.geometries ?? 0);
  await expect.poll(geometries).toBeGreaterThan(0);
  await seek(page, 0.1);
  const before = await geometries();
  const runs = page.getByTestId('run-list').locator('button.show');
  expect(await runs.count()).toBeGreaterThanOrEqual(2);
  for (let i = 0; i < 10; i++) await runs.nth(i % 2).click();
  await seek(page, 0.2);
  expect(await geometries()).toBe(before);
  expect(await live()).toBe(1);
  await page.getByTestId('animation-menu').click();
  await page.getByText('Close plot').click();
  await expect(surface(page)).toBeHidden();
  expect(await live()).toBe(0);
});

test('without WebGL the panel says so, and all other plots go on', async ({ workbench }) => {
  const { page } = workbench;
  const without = await page.addInitScript(() => {
    const getContext = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...rest: unknown[]) {
      return String(rest[0]).startsWith('webgl') ? null : (Reflect.apply(getContext, this, rest) as unknown);
    } as typeof getContext;
  });
  await page.reload();
  await without.dispose();
  await workbench.ready();
  await workbench.openExample(EXAMPLE);
  await workbench.runToEnd();
  await expect(page.getByTestId('animation-trouble')).toContainText('needs WebGL 2');
  await expect(page.getByTestId('animation-play')).toBeDisabled();
  await expect(page.getByTestId('animation-show')).toBeVisible();
  await expect
    .poll(() =>
      page.evaluate(() => Object.values(window.__moreauPlots ?? {}).some((plot) => plot.data().length > 0)),
    )
    .toBe(true);
});
