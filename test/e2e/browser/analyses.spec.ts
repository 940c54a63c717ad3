import { readFile } from 'node:fs/promises';
import { violations, violationsInBothThemes } from '../support/axe';
import { openText } from '../support/open-text';
import { expect, test } from './fixtures';

/** What belongs to an analysis: its question and answer, and the charts. */
const PANES = '[data-testid="analyses-pane"], [data-pane="plots"]';

/**
 * A ball whose weight is another one at each second call of its script where `swing` is not zero: the
 * certificate does not find the force that a step was solved with.
 */
const DECEIT = {
  formatVersion: 3,
  title: 'Deceitful ball',
  parameters: [{ name: 'swing', value: 0 }],
  systems: [
    {
      id: 'ball',
      type: 'LagrangianLinearTI',
      ndof: 1,
      mass: [[1]],
      q0: [1],
      v0: [0],
      fExt: { function: 'weight' },
    },
  ],
  interactions: [],
  simulation: {
    ...{ scheme: 'time-stepping', t0: 0, tEnd: 0.2, h: 0.01 },
    integrators: [{ type: 'MoreauJean' }],
    problem: { type: 'LCP' },
    solver: { type: 'auto' },
  },
  scripts: [
    {
      name: 'forces.ts',
      role: 'functions',
      source: [
        'let calls = 0;',
        'export const weight: ExternalForce = (t, out, p) => {',
        '  out[0] = -9.81 - (calls++ % 2) * p.swing;',
        '};',
      ],
    },
  ],
  analyses: [
    {
      id: 'swings',
      type: 'sweep',
      axes: [{ type: 'values', parameter: 'swing', values: [0, 1] }],
      measures: 'final ball.q',
    },
  ],
  views: [{ id: 'diagram', type: 'bifurcation', analyses: ['swings'], y: 'final ball.q' }],
};

test('orbits, exponents, sweeps and branches are asked for, computed, drawn, kept, and undone', async ({
  workbench,
}) => {
  test.slow();
  const { page } = workbench;
  await workbench.openExample('cam-follower-event-driven-660');
  await workbench.setParameter('rpm', '358');
  await page.getByRole('tab', { name: 'Analyses' }).click();
  const pane = page.getByTestId('analyses-pane');
  const state = page.getByTestId('analysis-state');
  const add = async (kind: string): Promise<void> => {
    await page.getByTestId('add-analysis').focus();
    await page.keyboard.press('Enter');
    await page.getByTestId(`add-analysis-${kind}`).click();
  };
  const compute = async (): Promise<void> => {
    await page.getByTestId('analysis-start').click();
    await expect(state).toContainText('done');
  };

  // The period of the forcing is known by the name of its parameter; that the orbit takes three of them is
  // found.
  await add('orbit');
  await compute();
  const orbit = page.getByTestId('orbit-result');
  await expect(orbit).toContainText('Stable');
  await expect(orbit).toContainText('3 periods of the forcing');
  await expect(orbit).toContainText('0.2752697');
  await expect(orbit).toContainText('8 events in a period');
  await page.getByTestId('run-orbit').click();
  await expect(page.getByTestId('run-list').getByText('On the orbit')).toBeVisible();
  await expect(workbench.status).toHaveText('Done');

  await add('lyapunov');
  await compute();
  await expect(page.getByTestId('exponents-result')).toContainText('neighbouring motions converge');

  // A sweep, its diagram among the plots, and what a change of the model does to it.
  await add('sweep');
  await page.getByTestId('analysis-title').fill('Lift over speed');
  await page.getByTestId('analysis-title').press('Enter');
  await expect(pane.getByRole('button', { name: /^Lift over speed/ })).toBeVisible();
  await compute();
  await expect(state).toContainText('100 of 100 points');
  await page.getByTestId('show-diagram').click();
  const diagram = page.getByRole('region', { name: 'Bifurcation diagram' });
  await expect(diagram.getByTestId('decimation')).toHaveText('100 points');
  expect(await violationsInBothThemes(page, PANES)).toEqual([]);
  await workbench.setParameter('kappa', '1500');
  await expect(pane.getByText('has changed since')).toBeVisible();
  await expect(diagram.getByTestId('plot-remark')).toContainText('has changed since');
  await page.keyboard.press('Escape');
  await workbench.setParameter('kappa', '1430.8');
  // The same question is known again at once.
  await expect(state).toContainText('done');

  // What cannot be asked says where and why; what is removed comes back.
  await add('branch');
  await page.getByTestId('field-to').getByRole('textbox').fill('0');
  await page.keyboard.press('Tab');
  await page.getByTestId('analysis-start').click();
  await expect(pane.getByText(/The range ends at 0, not above/).first()).toBeVisible();
  await page.getByTestId('analysis-remove').click();
  await expect(pane.getByRole('button', { name: /^branch/ })).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(pane.getByRole('button', { name: /^branch/ })).toBeVisible();
});

test('basins of attraction are computed, mapped, and lead to runs', async ({ workbench }) => {
  test.slow();
  const { page } = workbench;
  await workbench.openExample('impact-oscillator-basins');
  await page.getByRole('tab', { name: 'Analyses' }).click();
  for (const field of ['field-xCount', 'field-yCount']) {
    await page.getByTestId(field).getByRole('textbox').fill('24');
    await page.keyboard.press('Tab');
  }
  await page.getByTestId('analysis-start').click();
  await expect(page.getByTestId('analysis-state')).toContainText('done · 576 of 576');
  const result = page.getByTestId('basins-result');
  await expect(result).toContainText('repeats after 1 period, largest multiplier 0.9561');
  await expect(result).toContainText('repeats after 2 periods');
  const map = page.getByTestId('plot-basins');
  await expect(map.getByTestId('decimation')).toHaveText('576 points');

  // What was found becomes a file, by keyboard.
  await page.getByTestId('analysis-export').press('Enter');
  await expect(page.locator('#export-analysis-format')).toBeFocused();
  expect(await violations(page, '[role="dialog"]')).toEqual([]);
  const coming = page.waitForEvent('download');
  await page.getByTestId('export-analysis-save').click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/basins-of-attraction\.csv$/);
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines[0]).toBe('oscillator.q [m],oscillator.v [m/s],attractor,periods,solved,complete');
  expect(lines).toHaveLength(1 + 576);
  expect(await violationsInBothThemes(page, PANES)).toEqual([]);

  // Under the pointer stands what a start comes to; at a click a run can be started there.
  const box = (await map.getByRole('img').boundingBox())!;
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 0.5 * box.height);
  await expect(map.getByText(/^Attractor [12]$/)).toBeVisible();
  await page.mouse.click(box.x + 0.5 * box.width, box.y + 0.5 * box.height);
  await map.getByTestId('start-here').click();
  await expect(page.getByTestId('run-list').getByText(/^From oscillator\.q = /)).toBeVisible();
  await expect(workbench.status).toHaveText('Done');
});

test('limit cycles of a model that nothing drives have basins, and a section shows their branch', async ({
  workbench,
}) => {
  test.slow();
  const { page } = workbench;
  await workbench.openExample('hard-excitation');
  await page.getByRole('tab', { name: 'Analyses' }).click();
  const pane = page.getByTestId('analyses-pane');
  const state = page.getByTestId('analysis-state');
  await expect(page.getByTestId('field-forcing')).toContainText('None');
  for (const [field, value] of [
    ['field-xCount', '20'],
    ['field-yCount', '20'],
    ['field-stride', '4'],
  ] as const) {
    await page.getByTestId(field).getByRole('textbox').fill(value);
    await page.keyboard.press('Tab');
  }
  await page.getByTestId('analysis-start').click();
  await expect(state).toContainText('done · 400 of 400');
  const result = page.getByTestId('basins-result');
  await expect(result).toContainText('a limit cycle of period 6.28905 s, largest multiplier 0.2198');
  await expect(result).toContainText('an equilibrium');
  const map = page.getByTestId('plot-basins');
  const { x, y, width, height } = (await map.getByRole('img').boundingBox())!;
  await page.mouse.move(x + 0.5 * width, y + 0.5 * height);
  await expect(map.getByText(/^Attractor [12], rest$/)).toBeVisible();
  await page.mouse.move(x + 0.9 * width, y + 0.8 * height);
  await expect(map.getByText(/^Attractor [12], limit cycle$/)).toBeVisible();
  expect(await violationsInBothThemes(page, PANES)).toEqual([]);

  await pane.getByRole('button', { name: /^Stable cycle/ }).click();
  await page.getByTestId('analysis-start').click();
  await expect(page.getByTestId('branch-section')).toContainText('points on the section turn, 1 curve');
  // Its amplitude is that of averaging, whatever the damping.
  const { yMin, yMax } = (await workbench.range('amplitude'))!;
  expect(yMin).toBeGreaterThan(1.9);
  expect(yMax).toBeLessThan(2.1);
});

test('a sweep over two parameters becomes a heat map, and a run starts at a place that is clicked', async ({
  workbench,
}) => {
  test.slow();
  const { page } = workbench;
  const model = JSON.parse(
    await readFile('resources/examples/cam-follower-bifurcation.moreau.json', 'utf8'),
  ) as { analyses: { id: string; axes: { count: number }[]; transient: number }[]; views: { id: string }[] };
  model.analyses = model.analyses.filter(({ id }) => id === 'map');
  model.views = model.views.filter(({ id }) => id === 'map');
  const [map] = model.analyses;
  map.transient = 40;
  map.axes.forEach((axis, k) => (axis.count = 4 - 2 * k));
  await openText(page, 'two-parameters.moreau.json', JSON.stringify(model));
  const plot = page.getByTestId('plot-map');
  await expect(plot).toContainText('Not computed yet');
  await page.getByRole('tab', { name: 'Analyses' }).click();
  await page.getByTestId('analysis-start').click();
  await expect(page.getByTestId('analysis-state')).toContainText('done');
  await expect(plot.getByTestId('decimation')).toHaveText('8 points');
  await expect(plot.getByTestId('heat-map-y')).toHaveText('period');
  // Some of these motions are chaotic; that their cells are blank is explained, and of a measure there is
  // nothing to explain.
  const remark = plot.getByTestId('plot-remark');
  await expect(remark).toContainText('Blank: the motion does not repeat');
  const { xMin, xMax } = (await workbench.range('map'))!;
  expect([xMin, xMax].map(Math.round)).toEqual([217, 883]);

  // What the colour tells is chosen, as a step that can be undone.
  await plot.getByTestId('heat-map-y').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemradio', { name: 'max follower.q' }).click();
  await expect(plot.getByTestId('heat-map-y')).toHaveText('max follower.q');
  await expect(remark).toHaveCount(0);
  expect(await violationsInBothThemes(page, PANES)).toEqual([]);
  await page.keyboard.press('Control+z');
  await expect(plot.getByTestId('heat-map-y')).toHaveText('period');

  const { x, y, width, height } = (await plot.getByRole('img').boundingBox())!;
  // The chart may still be redrawing for the measure that came back.
  await expect(async () => {
    await page.mouse.click(x + 64 + 0.3 * (width - 172), y + 20 + 0.5 * (height - 62));
    await expect(plot.getByTestId('start-here')).toBeVisible({ timeout: 2000 });
  }).toPass();
  await plot.getByTestId('start-here').click();
  await expect(page.getByTestId('run-list').getByText(/rpm = 4\d\d/)).toBeVisible();
  await expect(workbench.status).toHaveText('Done');

  // A point that is not solved is a cross, is said in words, and is written as such.
  await openText(page, 'deceitful-ball.moreau.json', JSON.stringify(DECEIT));
  await page.getByTestId('analysis-start').click();
  await expect(page.getByTestId('analysis-verdict')).toHaveText(/^1 point is not certified: a cross/);
  const diagram = page.getByTestId('plot-diagram');
  await expect(diagram.getByRole('img', { name: /1 point is not certified\.$/ })).toBeVisible();
  await page.getByTestId('analysis-export').press('Enter');
  const coming = page.waitForEvent('download');
  await page.getByTestId('export-analysis-save').click();
  const [head, ...rows] = (await readFile(await (await coming).path(), 'utf8')).trimEnd().split('\r\n');
  expect(head).toBe('swing,final ball.q [m],solved,complete');
  expect(rows.map((row) => row.split(',').slice(2))).toEqual([
    ['1', '1'],
    ['0', '1'],
  ]);
});
