/** Drawing circuits: components, wires and values by hand, and what a run shows of them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { PAGE, violationsInBothThemes } from '../support/axe';
import { openText } from '../support/open-text';
import { takePictures } from '../support/pictures';
import { expect, test } from './fixtures';

test('a wire is drawn by keys alone, by arrows and from a list, and what happens is said', async ({
  workbench,
}) => {
  const { page } = workbench;
  await workbench.openExample('half-wave-rectifier');
  await workbench.openGraph();
  const words = page.getByTestId('wiring-words');
  // The resistor loses its upper pin, and gets it back.
  const { x, y } = await onLine(page, 'out', 2);
  await page.mouse.click(x, y);
  await page.keyboard.press('Delete');
  await page.locator('.vue-flow__node[data-id="R1"]').focus();
  let gestures = 0;
  const press = async (key: string): Promise<void> => {
    gestures++;
    await page.keyboard.press(key);
  };
  await press('w');
  await expect(words).toContainText('Wire from R1.a');
  await press('Enter');
  await expect(words).toContainText('From R1.a to');
  expect(await violationsInBothThemes(page, '[data-testid="graph-stage"]')).toEqual([]);
  await press('ArrowLeft');
  await expect(words).toContainText(/From R1\.a to (C1|D1)\./);
  await press('Escape');
  await expect(words).toHaveText('');
  await press('w');
  await press('Enter');
  await press('D');
  await expect(page.getByTestId('graph-panel').locator('.search')).toBeFocused();
  await page.keyboard.type('1.k');
  gestures++;
  await expect(page.getByTestId('pick-D1.k')).toBeVisible();
  await press('Enter');
  await expect(page.getByTestId('graph-panel')).toHaveCount(0);
  await workbench.runToEnd();
  expect(gestures).toBeLessThanOrEqual(10);
});

test('a wire is laid by hand, follows what it is at, and is laid by the drawing again', async ({
  workbench,
}) => {
  const { page } = workbench;
  await workbench.openExample('half-wave-rectifier');
  await workbench.openGraph();
  const line = page.getByTestId('wire-out').locator('.line');
  const drawn = (): Promise<(string | null)[]> =>
    line.evaluateAll((all) => all.map((one) => one.getAttribute('d')));
  const before = await drawn();
  const from = await onLine(page, 'out', 1);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y - 20, { steps: 4 });
  await page.mouse.move(from.x, from.y - 40, { steps: 4 });
  await page.mouse.up();
  const laid = await drawn();
  expect(laid).not.toEqual(before);
  await page.keyboard.press('Control+z');
  await expect.poll(drawn).toEqual(before);
  await page.keyboard.press('Control+y');
  await expect.poll(drawn).toEqual(laid);
  // A part of it moves: the corners stay as many.
  await page.locator('.vue-flow__node[data-id="R1"]').click();
  await page.locator('.vue-flow__node[data-id="R1"]').focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(drawn).not.toEqual(laid);
  const corners = (lines: readonly (string | null)[]): number => lines.join('').split('L').length;
  expect(corners(await drawn())).toBeGreaterThanOrEqual(corners(laid));
  const { x, y } = await onLine(page, 'out', 2);
  await page.mouse.click(x, y);
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('Let the wire find its way');
  await page.keyboard.press('Enter');
  await expect.poll(async () => corners(await drawn())).toBeLessThan(corners(laid) + 1);
});

test('a drawing is written as SVG and as PDF for papers', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('half-wave-rectifier');
  const saved = async (format: RegExp): Promise<Buffer> => {
    await page.keyboard.press('Control+Shift+P');
    await page.keyboard.type('Export model');
    await page.keyboard.press('Enter');
    await page.locator('#export-model-format').click();
    await page.getByRole('option', { name: format }).click();
    const coming = page.waitForEvent('download');
    await page.getByTestId('export-model-save').click();
    return readFile(await (await coming).path());
  };
  const svg = (await saved(/SVG/)).toString();
  expect(svg).toContain('<title>D1: Diode</title>');
  expect(svg).toContain('>out</text>');
  const pdf = await saved(/PDF/);
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pdf.length).toBeGreaterThan(2000);
  expect(pdf.toString('latin1')).toMatch(/\/FontFile/);
});

/** The middle of the level part of a line of a wire, on the page. */
async function onLine(page: Page, wire: string, line: number): Promise<{ x: number; y: number }> {
  const { x, y, width } = (await page.getByTestId(`wire-${wire}`).locator('.line').nth(line).boundingBox())!;
  return { x: x + width / 2, y: y + 1 };
}

const EXAMPLE = await readFile(
  join(import.meta.dirname, '../../../resources/examples/half-wave-rectifier.moreau.json'),
  'utf8',
);

interface Faulty {
  readonly title: string;
  readonly components: readonly Record<string, unknown>[];
  readonly wires: readonly { readonly id: string; readonly ends: readonly string[] }[];
  /** what stands in Problems, at which component, and the button that mends it */
  readonly words: RegExp;
  readonly at: string;
  readonly button: string;
  /** stops a run */
  readonly isError: boolean;
}

const SOURCE = { id: 'V1', type: 'SineVoltage', amplitude: 10, frequency: 50 };
const LOAD = { id: 'R1', type: 'Resistor', resistance: 100 };
const GND = { id: 'GND1', type: 'Ground' };

const FAULTY: readonly Faulty[] = [
  {
    title: 'a short circuit',
    components: [SOURCE, LOAD, GND],
    wires: [{ id: 'n1', ends: ['V1.p', 'V1.n', 'R1.a', 'GND1.p'] }],
    words: /“V1” is short-circuited/,
    at: 'V1',
    button: 'Put 1 mΩ in series with “V1”',
    isError: true,
  },
  {
    title: 'a circuit that floats',
    components: [SOURCE, LOAD],
    wires: [
      { id: 'out', ends: ['V1.p', 'R1.a'] },
      { id: 'back', ends: ['V1.n', 'R1.b'] },
    ],
    words: /have no ground/,
    at: 'V1',
    button: 'Place a ground at “back”',
    isError: false,
  },
  {
    title: 'capacitors in a loop with a source',
    components: [
      SOURCE,
      { id: 'C1', type: 'Capacitor', capacitance: '1u' },
      { id: 'C2', type: 'Capacitor', capacitance: '1u' },
      GND,
    ],
    wires: [
      { id: 'in', ends: ['V1.p', 'C1.a'] },
      { id: 'mid', ends: ['C1.b', 'C2.a'] },
      { id: 'back', ends: ['V1.n', 'C2.b', 'GND1.p'] },
    ],
    words: /in a loop with V1 without a resistance/,
    at: 'C1',
    button: 'Put 1 mΩ in series with “C1”',
    isError: true,
  },
];

test('a short circuit inside of a sub-model is found and mended by a button, in all of its instances', async ({
  workbench,
}) => {
  const { page } = workbench;
  const document = {
    ...(JSON.parse(EXAMPLE) as Record<string, unknown>),
    ...{ title: 'Faulty', parameters: [], observables: [], views: [], dashboards: [], layout: { nodes: {} } },
    components: [LOAD, GND],
    instances: [
      { id: 'one', of: 'Supply' },
      { id: 'two', of: 'Supply' },
    ],
    wires: [
      { id: 'out', ends: ['one.plus', 'R1.a'] },
      { id: 'mid', ends: ['one.minus', 'two.plus'] },
      { id: 'back', ends: ['two.minus', 'R1.b', 'GND1.p'] },
    ],
    submodels: [
      {
        id: 'Supply',
        ports: [
          { name: 'plus', wire: 'top' },
          { name: 'minus', wire: 'bottom' },
        ],
        parameters: [],
        components: [SOURCE, { id: 'Ri', type: 'Resistor', resistance: 10 }],
        wires: [
          { id: 'top', ends: ['V1.p', 'V1.n', 'Ri.a'] },
          { id: 'bottom', ends: ['Ri.b'] },
        ],
      },
    ],
  };
  await openText(page, 'faulty.moreau.json', JSON.stringify(document));
  await page.getByTestId('tab-problems').click();
  const problem = workbench.problems.locator('li').filter({ hasText: /short-circuited/ });
  await expect(problem.first()).toContainText('one.V1');
  await takePictures(page, 'defect-inside');
  await problem
    .getByRole('button', { name: 'Put 1 mΩ in series with “one.V1”, in every “Supply”' })
    .first()
    .click();
  await takePictures(page, 'mended-inside');
  // The drawing shows where it was mended, and undo takes it back there.
  await expect(page.getByTestId('drawing-way')).toContainText('one');
  await expect(page.getByTestId('graph-node-R1')).toBeVisible();
  await expect(problem).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(page.getByTestId('graph-node-R1')).toHaveCount(0);
  await page.keyboard.press('Control+y');
  await expect(page.getByTestId('run-button')).toBeEnabled();
  await workbench.runToEnd();
});

test('a wire that leads nowhere is marked in the drawing', async ({ workbench }) => {
  const { page } = workbench;
  const document = {
    ...(JSON.parse(EXAMPLE) as Record<string, unknown>),
    ...{ title: 'Faulty', parameters: [], observables: [], views: [], dashboards: [], layout: { nodes: {} } },
    components: [SOURCE, LOAD, GND],
    wires: [
      { id: 'out', ends: ['V1.p', 'R1.a', 'R1.c'] },
      { id: 'back', ends: ['V1.n', 'R1.b', 'GND1.p'] },
    ],
  };
  await openText(page, 'faulty.moreau.json', JSON.stringify(document));
  await workbench.openGraph();
  await expect(page.getByTestId('wire-out')).toHaveClass(/error/);
  await expect(page.getByTestId('wire-alert-out')).toHaveAttribute('aria-label', /no pin “c”/);
  expect(await violationsInBothThemes(page, '[data-testid="graph-stage"]')).toEqual([]);
  await page.getByTestId('tab-problems').click();
  await workbench.problems.getByRole('button', { name: 'Take “R1.c” off the wire' }).click();
  await expect(page.getByTestId('wire-alert-out')).toHaveCount(0);
});

for (const { title, components, wires, words, at, button, isError } of FAULTY)
  test(`${title} is found, explained and mended by a button`, async ({ workbench }) => {
    const { page } = workbench;
    const document = {
      ...(JSON.parse(EXAMPLE) as Record<string, unknown>),
      title: 'Faulty',
      ...{
        parameters: [],
        components,
        wires,
        observables: [],
        views: [],
        dashboards: [],
        layout: { nodes: {} },
      },
    };
    await openText(page, 'faulty.moreau.json', JSON.stringify(document));
    await page.getByTestId('tab-problems').click();
    const problem = workbench.problems.locator('li').filter({ hasText: words });
    await expect(problem).toHaveCount(1);
    if (isError) await expect(page.getByTestId('run-button')).toBeDisabled();
    await problem.locator('.issue').click();
    await expect(page.getByTestId('graph-stage')).toBeVisible();
    await expect(page.getByTestId(`graph-node-${at}`)).toHaveClass(/chosen/);
    await expect(page.getByTestId(`graph-node-${at}`).locator('.alert')).toBeVisible();
    await takePictures(page, `defect-${title.replaceAll(/\W+/g, '-')}`);

    // The button is in both places.
    await expect(page.getByRole('button', { name: button })).toBeVisible();
    await page.getByTestId('tab-problems').click();
    await problem.getByRole('button', { name: button }).click();
    await expect(problem).toHaveCount(0);
    await page.getByTestId('tab-problems').click();
    await expect(problem).toHaveCount(0);
    await expect(page.getByTestId('run-button')).toBeEnabled();
    await page.keyboard.press('Control+z');
    await expect(problem).toHaveCount(1);
    await page.keyboard.press('Control+y');
    await expect(problem).toHaveCount(0);
    await workbench.runToEnd();
  });

test('a drawing is seen as equations, and turned into plain elements with the same curves', async ({
  workbench,
}) => {
  const { page } = workbench;
  await workbench.openExample('half-wave-rectifier');
  await workbench.runToEnd();
  const drawnCurve = await workbench.settledCurve('voltages', 'out.v', 0.1);
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('Show the drawing as equations');
  await page.keyboard.press('Enter');
  const pane = page.getByTestId('equations-pane');
  await expect(pane.getByRole('columnheader', { name: 'C1.v' }).first()).toBeVisible();
  await expect(pane.getByRole('rowheader', { name: 'D1', exact: true })).toBeVisible();
  // Live: a value that is edited is seen at once.
  const cell = pane.locator('table').first().locator('td.mono').first();
  const before = await cell.textContent();
  await workbench.setParameter('R', '500');
  await expect(cell).not.toHaveText(before ?? '');
  await page.keyboard.press('Control+z');
  await expect(cell).toHaveText(before ?? '');

  await pane.getByRole('button', { name: 'Turn into plain elements' }).click();
  await expect(page.getByTestId('graph-node-circuit')).toBeVisible();
  await expect(page.getByTestId('graph-node-D1')).toHaveCount(0);
  await workbench.runToEnd();
  const plain = await workbench.settledCurve('voltages', 'out_v', 0.1);
  expect(plain.y).toEqual(drawnCurve.y);
  await page.keyboard.press('Control+z');
  await expect(page.getByTestId('graph-node-D1')).toBeVisible();
});

test('a drawing, its problems and its equations are accessible in both themes', async ({ workbench }) => {
  const { page } = workbench;
  await workbench.openExample('half-wave-rectifier');
  await page.getByTestId('graph-node-D1').click();
  expect(await violationsInBothThemes(page, PAGE)).toEqual([]);
  await page.getByTestId('tab-equations').click();
  await expect(page.getByTestId('equations-pane').locator('table').first()).toBeVisible();
  expect(await violationsInBothThemes(page, '[data-testid="equations-pane"]')).toEqual([]);
});
