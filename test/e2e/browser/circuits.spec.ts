/** Drawing circuits: components, wires and values by hand, and what a run shows of them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Hand } from '../support/hand';
import { PAGE, violationsInBothThemes } from '../support/axe';
import { openText } from '../support/open-text';
import { expect, test } from './fixtures';

test('a half-wave rectifier is drawn from nothing', async ({ workbench }) => {
  const { page } = workbench;
  const hand = new Hand(workbench);
  await page.keyboard.press('Control+Alt+N');
  await hand.doubleClick(await hand.at(0.25, 0.5));
  await hand.pick('sine voltage');
  await expect(page.getByTestId('graph-node-V1')).toBeVisible();
  await hand.press('r');
  await hand.drag('V1.p', await hand.at(0.45, 0.25));
  await hand.pick('diode');
  await expect(page.getByTestId('graph-node-D1')).toBeVisible();
  await hand.drag('D1.k', await hand.at(0.75, 0.55));
  await hand.pick('R');
  await expect(page.getByTestId('graph-node-R1')).toBeVisible();
  await hand.drag('R1.b', 'V1.n');
  await hand.drag('V1.n', await hand.at(0.25, 0.9));
  await hand.pick('gnd');
  await expect(page.getByTestId('graph-node-GND1')).toBeVisible();
  await expect(page.getByTestId('wire-n1')).toBeAttached();
  await expect(page.getByTestId('wire-n3').locator('.dot')).toHaveCount(1);
  hand.gestures++;
  await workbench.runToEnd();
  await expect
    .poll(async () => (await workbench.curves('voltages')).map(({ name }) => name))
    .toEqual(['n1.v', 'n2.v']);
  const { y } = await workbench.curve('voltages', 'n2.v');
  expect(Math.max(...y)).toBeGreaterThan(9);
  expect(Math.min(...y)).toBeGreaterThan(-1e-6);

  expect(hand.gestures).toBeLessThanOrEqual(16);
});

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
  await problem
    .getByRole('button', { name: 'Put 1 mΩ in series with “one.V1”, in every “Supply”' })
    .first()
    .click();
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
