/** Plots of analyses in the units that a document shows its values in: axes, values, ends of axes, places. */
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils';
import { TooltipProvider } from 'reka-ui';
import { defineComponent, h, type VNode } from 'vue';
import { describe, expect, it, vi } from 'vitest';
import type {
  AnalysisOutcome,
  FoundBasins,
  FoundBranch,
  FoundExponents,
  FoundOrbit,
  SweepOutcome,
} from '@contract/analyses';
import type { AnalysisDocument, ViewDocument } from '@engine/document/types';
import { displayUnitsOf, MODEL_UNITS, unitPairs } from '@figures/display-units';
import { heatMapOf } from '@views/heat-map/drawing';
import { LIGHT_PLOT } from '@figures/palette';
import {
  diagramUnits,
  shownBasins,
  shownHeatMap,
  shownHeatView,
  shownPart,
} from '@views/shared/shown-analyses';
import { shownInfos, shownPlane } from '@figures/shown-units';
import AnalysisResult from '@renderer/analysis/AnalysisResult.vue';
import { annotatedAxes } from '@renderer/dashboard/plot/annotations';
import { plotOf } from '@renderer/dashboard/plot/plot-registry';
import ViewPanel from '@renderer/dashboard/board/ViewPanel.vue';
import { useAnalysesStore } from '@renderer/stores/analyses';
import { useDisplayUnitsStore } from '@renderer/stores/display-units';
import { useDocumentStore } from '@renderer/stores/document';
import { openCamFollower } from './setup';

// What is drawn is asked of the options: there is no canvas to draw on.
vi.mock('@renderer/dashboard/figures/charts', () => ({
  createChart: () => ({
    setOption: () => undefined,
    clear: () => undefined,
    resize: () => undefined,
    dispose: () => undefined,
    on: () => undefined,
    getZr: () => ({ on: () => undefined, off: () => undefined }),
  }),
  pictureOf: () => '',
}));

const STATES = [
  { name: 'follower.q', unit: 'm' },
  { name: 'follower.v', unit: 'm/s' },
];
const RPM = { name: 'rpm', unit: 'rev/min' };

const SWEEP: SweepOutcome = {
  kind: 'sweep',
  status: 'done',
  parameters: [RPM],
  measures: [
    { name: 'events', unit: '' },
    { name: 'max follower.q', unit: 'm' },
  ],
  signals: [{ name: 't', unit: 's' }, ...STATES],
  axes: [Float64Array.of(300, 360)],
  values: Float64Array.of(300, 360),
  directions: [
    {
      start: 'up',
      index: Float64Array.of(0, 1),
      measures: Float64Array.of(7, 0.5, 9, 0.25),
      counts: Float64Array.of(1, 1),
      section: Float64Array.of(1, 0.125, 2, 3, 0.25, 4),
      failures: [],
    },
  ],
};
const PLANE: SweepOutcome = {
  ...SWEEP,
  parameters: [RPM, { name: 'initial follower.q', unit: 'm' }],
  signals: [],
  measures: [{ name: 'max follower.q', unit: 'm' }],
  axes: [Float64Array.of(300, 360), Float64Array.of(0.125, 0.25)],
  values: Float64Array.of(300, 0.125, 300, 0.25, 360, 0.125, 360, 0.25),
  directions: [
    {
      start: 'initial',
      index: Float64Array.of(0, 1, 2, 3),
      measures: Float64Array.of(0.5, 1, 1.5, 2),
      counts: new Float64Array(4),
      section: new Float64Array(0),
      failures: [],
    },
  ],
};
const BRANCH: FoundBranch = {
  kind: 'branch',
  status: 'done',
  parameter: RPM,
  states: STATES,
  multiple: 1,
  isAutonomous: true,
  p: Float64Array.of(300, 360),
  period: Float64Array.of(0.5, 0.25),
  isStable: Uint8Array.of(1, 1),
  x: Float64Array.of(0.125, 1, 0.25, 2),
  others: new Float64Array(0),
  largest: Float64Array.of(0.5, 0.5),
  events: Float64Array.of(1, 1),
  special: [{ kind: 'fold', p: 360, period: 0.25, x: Float64Array.of(0.25, 2), others: new Float64Array(0) }],
  ends: ['range', 'range'],
};
const BASINS: FoundBasins = {
  kind: 'basins',
  status: 'done',
  x: { name: 'follower.q', unit: 'm' },
  y: RPM,
  xValues: Float64Array.of(0.125, 0.25),
  yValues: Float64Array.of(300, 360),
  states: STATES,
  places: [0, -1],
  t0: 0,
  attractors: [{ cycle: 1, largest: 0.5, points: Float64Array.of(0.125, 1), share: 1 }],
  codes: Uint8Array.of(0, 0, 0, 0),
  undecided: 254,
  notSimulated: 255,
  periods: Uint32Array.of(1, 1, 1, 1),
  failure: '',
};
const ORBIT: FoundOrbit = {
  kind: 'orbit',
  status: 'done',
  states: STATES,
  x: Float64Array.of(0.125, 1),
  start: { t0: 0, systems: {} } as unknown as FoundOrbit['start'],
  t0: 0,
  period: 0.5,
  multiple: 1,
  isAutonomous: false,
  section: null,
  impacts: 1,
  residual: 0,
  iterations: 3,
  real: Float64Array.of(0.5, -0.25),
  imaginary: Float64Array.of(0, 0),
  isStable: true,
  events: [{ time: 0.25, kind: 'impact', element: 'contact' }],
  nearestGap: null,
  nearestSpeed: null,
  curve: Float64Array.of(0, 0.125, 1, 0.5, 0.25, 2),
};
const EXPONENTS: FoundExponents = {
  kind: 'lyapunov',
  status: 'done',
  exponents: Float64Array.of(0.5, -1),
  errors: Float64Array.of(0.25, 0.5),
  times: Float64Array.of(1, 2),
  history: Float64Array.of(0.25, -1, 0.5, -1),
  dimension: 1.5,
};

const DISPLAY = {
  units: { m: 'mm', s: 'ms', '1/s': '1/min' },
  parameters: { rpm: 'rev/s' },
};
const FACTORS: Readonly<Record<string, number>> = { mm: 1000, ms: 1000, '1/min': 60, 'rev/s': 1 / 60 };
const UNITS = displayUnitsOf(
  () => DISPLAY,
  ({ to }) => FACTORS[to],
);

interface Axis {
  name: string;
  min: number;
  max: number;
}
interface Chart {
  xAxis: Axis | Axis[];
  yAxis: Axis | Axis[];
  series: { name?: string; data: ArrayLike<number> | readonly (readonly (number | null)[])[] }[];
}
const axesOf = ({ xAxis, yAxis }: Chart): Axis[] => [xAxis, yAxis].flat();
const namesOf = (chart: Chart): string[] => axesOf(chart).map(({ name }) => name);
const LOOK = { theme: LIGHT_PLOT, width: 600, height: 400, isFile: false };

/** The document with an analysis that finds this, shown in other units. */
async function open(outcome: AnalysisOutcome, view?: ViewDocument): Promise<AnalysisDocument> {
  await openCamFollower({ outcome });
  const axes = outcome.kind === 'sweep' && outcome.parameters.length === 2 ? { axes: [{}, {}] } : {};
  const analysis = { id: 'found', type: outcome.kind, ...axes } as unknown as AnalysisDocument;
  useDocumentStore().edit('analysis', (draft) => {
    Object.assign(draft, {
      analyses: [analysis],
      displayUnits: DISPLAY,
      ...(view === undefined ? {} : { views: [view] }),
    });
  });
  await useAnalysesStore().start('found');
  useAnalysesStore().outcomeOf('found');
  await expect.poll(() => useDisplayUnitsStore().of('m').unit).toBe('mm');
  await flushPromises();
  return analysis;
}

// A plot of an earlier test would follow its own stores, and make them the present ones.

function show(content: () => VNode): VueWrapper {
  const inside = defineComponent(() => () => h(TooltipProvider, null, { default: content }));
  return mount(inside, { attachTo: document.body });
}

/** The chart of a view in its panel. */
async function panel(outcome: AnalysisOutcome, view: ViewDocument): Promise<Chart> {
  await open(outcome, view);
  const wrapper = show(() => h(ViewPanel, { view }));
  const option = (): Chart => wrapper.getComponent({ name: 'PlotSurface' }).props('option') as Chart;
  await expect.poll(() => namesOf(option())[0]).not.toBe('');
  return option();
}

/** The charts of a result in its pane, and its words. */
async function result(outcome: AnalysisOutcome): Promise<{ charts: Chart[]; words: string }> {
  const analysis = await open(outcome);
  const wrapper = show(() => h(AnalysisResult, { outcome, analysis }));
  await flushPromises();
  return {
    charts: wrapper
      .findAllComponents({ name: 'ChartBox' })
      .map((box) => (box.props('option') as (look: typeof LOOK) => Chart)(LOOK)),
    words: wrapper.text(),
  };
}

describe('units that are shown', () => {
  it('are those of the document, of a parameter its own, and those of the model where no factor is known', () => {
    expect(UNITS.of('m')).toEqual({ unit: 'mm', factor: 1000 });
    expect(UNITS.of('kg')).toEqual({ unit: 'kg', factor: 1 });
    expect(UNITS.of('toString')).toEqual({ unit: 'toString', factor: 1 });
    expect(UNITS.ofParameter(RPM)).toEqual({ unit: 'rev/s', factor: 1 / 60 });
    expect(UNITS.ofParameter({ name: 'stroke', unit: 'm' })).toEqual({ unit: 'mm', factor: 1000 });
    expect(UNITS.ofParameter({ name: 'bare' })).toEqual({ unit: '', factor: 1 });
    const unknown = displayUnitsOf(
      () => DISPLAY,
      () => undefined,
    );
    expect(unknown.of('m')).toEqual({ unit: 'm', factor: 1 });
    expect(MODEL_UNITS.ofParameter(RPM)).toEqual({ unit: 'rev/min', factor: 1 });
    const parameters = [{ name: 'rpm', value: 358, unit: 'rev/min' }];
    expect(unitPairs({ displayUnits: DISPLAY, parameters })).toContainEqual({ from: 'rev/min', to: 'rev/s' });
    expect(unitPairs({ parameters })).toEqual([]);
  });

  it('that are equal to those of the model have their own names', () => {
    const info = { name: 'torque', unit: 'N m', kind: 'energy', description: '' } as const;
    expect(shownInfos([info], () => ({ unit: 'J', factor: 1 }))[0]?.unit).toBe('J');
  });

  it('leave results and views as they are', () => {
    const before = JSON.stringify([SWEEP, BRANCH, BASINS]);
    for (const one of [SWEEP, BRANCH]) shownPart(one, UNITS);
    shownBasins(BASINS, UNITS);
    expect(JSON.stringify([SWEEP, BRANCH, BASINS])).toBe(before);
    const plain = shownPart(SWEEP, MODEL_UNITS);
    expect(plain.kind === 'sweep' && plain.directions).toBe(SWEEP.directions);
    const view = { xRange: { min: 1 }, annotations: [{ text: 'a', x: 1, y: 2 }] };
    expect(shownPlane(view, 1, 1)).toBe(view);
    expect(shownPlane(view, 1000, 2)).toEqual({
      xRange: { min: 1000 },
      annotations: [{ text: 'a', x: 1000, y: 4 }],
    });
    expect(view.xRange.min).toBe(1);
  });

  it('are those of the quantities that a diagram has on its axes', () => {
    expect(diagramUnits([SWEEP], 'max follower.q', UNITS)).toMatchObject({
      x: { unit: 'rev/s' },
      y: { unit: 'mm' },
    });
    expect(diagramUnits([BRANCH], 'orbit period', UNITS).y).toEqual({ unit: 'ms', factor: 1000 });
    expect(diagramUnits([], '', UNITS)).toMatchObject({ x: { unit: '' }, y: { unit: '' } });
  });

  it('hold for the colours of a heat map', () => {
    const map = heatMapOf(PLANE, '');
    if (map === null) throw new Error('no map');
    const view = { type: 'heat-map' as const, id: 'map', analysis: '', y: '', colourRange: { min: 1 } };
    expect(shownHeatView(view, map, UNITS).colourRange).toEqual({ min: 1000 });
    expect(shownHeatMap(map, UNITS).range).toEqual({ min: 500, max: 2000 });
  });
});

describe('the plot of', () => {
  it('a sweep has both axes, their ends and texts in them, and tells places in the units of the model', async () => {
    const view: ViewDocument = {
      type: 'bifurcation',
      id: 'diagram',
      analyses: ['found'],
      y: 'follower.q',
      yRange: { max: 0.5 },
      annotations: [{ text: 'here', x: 330, y: 0.125 }],
    };
    const chart = await panel(SWEEP, view);
    expect(namesOf(chart)).toEqual(['rpm  [rev/s]', 'follower.q  [mm]']);
    expect([...(chart.series[0]?.data as Float64Array)]).toEqual([5, 125, 6, 250]);
    expect(axesOf(chart)[1]?.max).toBe(500);
    expect(JSON.stringify(chart.series[1])).toContain('"value":[5.5,125]');
    const place = plotOf('diagram')?.notePlace?.();
    expect(place?.x).toBeCloseTo(330, 9);
    expect(plotOf('diagram')?.range()).toMatchObject({ yMax: 0.5 });
    expect(annotatedAxes(view).y.shown).toEqual({ unit: 'mm', factor: 1000 });
  });

  it('a branch has its special points and periods in them', async () => {
    const view: ViewDocument = { type: 'bifurcation', id: 'branch', analyses: ['found'], y: 'orbit period' };
    const chart = await panel(BRANCH, view);
    expect(namesOf(chart)).toEqual(['rpm  [rev/s]', 'orbit period  [ms]']);
    expect(chart.series.find(({ name }) => name === 'fold')?.data).toEqual([[6, 250]]);
    const { charts, words } = await result(BRANCH);
    expect(namesOf(charts[0])).toEqual(['rpm  [rev/s]', 'follower.q  [mm]']);
    expect(words).toContain('Periods from 250 to 500 ms');
    expect(words).toContain('6 rev/s');
  });

  it('a sweep over two parameters has axes and the bar of its colours in them', async () => {
    const view: ViewDocument = {
      type: 'heat-map',
      id: 'map',
      analysis: 'found',
      y: '',
      xRange: { max: 600 },
    };
    const chart = await panel(PLANE, view);
    const [x, , y, bar] = axesOf(chart);
    expect([x?.name, y?.name, bar?.name]).toEqual([
      'rpm  [rev/s]',
      'initial follower.q  [mm]',
      'max follower.q  [mm]',
    ]);
    expect(x?.max).toBe(10);
    expect([bar?.min, bar?.max]).toEqual([500, 2000]);
    const { charts } = await result(PLANE);
    expect(namesOf(charts[0])[0]).toBe('rpm  [rev/s]');
  });

  it('basins has starts and attractors in them', async () => {
    const chart = await panel(BASINS, { type: 'basins', id: 'basins', analysis: 'found' });
    expect(namesOf(chart)).toEqual(['follower.q  [mm]', 'rpm  [rev/s]']);
    expect(axesOf(chart)[0]?.max).toBe(312.5);
    const attractor = chart.series.find(({ name }) => name !== undefined);
    expect((attractor?.data[0] as number[])[0]).toBe(125);
    const { charts } = await result(BASINS);
    expect(namesOf(charts[0])).toEqual(['follower.q  [mm]', 'rpm  [rev/s]']);
  });

  it('an orbit has its states in them, and its times', async () => {
    const { charts, words } = await result(ORBIT);
    expect(namesOf(charts[0])).toEqual(['follower.q  [mm]', 'follower.v  [m/s]']);
    expect(charts[0]?.series[0]?.data).toEqual([
      [125, 1],
      [250, 2],
    ]);
    // Multipliers have none.
    expect(namesOf(charts[1])).toEqual(['Re μ', 'Im μ']);
    expect(words).toContain('500 ms');
    expect(words).toContain('250 ms');
  });

  it('exponents has rates and times in them', async () => {
    const { charts, words } = await result(EXPONENTS);
    expect(namesOf(charts[0])).toEqual(['t  [ms]', 'λ  [1/min]']);
    expect(charts[0]?.series[0]?.data).toEqual([
      [1000, 15],
      [2000, 30],
    ]);
    expect(words).toContain('[1/min]');
    expect(words).toContain('30');
  });
});
