/** States of contacts and the energy they take, as charts and as panels. */
import type { LaneOfConstraint, LossesResult } from '@contract/methods';
import { barsOf, statesOf, timelineMargins, timelineOption } from '@views/index-sets/drawing';
import { certificateOption, certificateRange, kindsOf } from '@views/certificate/drawing';
import { isBalanced, ledgerCurves, type LedgerWords } from '@views/energy-ledger/drawing';
import { LIGHT_PLOT } from '@figures/palette';
import { flushPromises, mount } from '@vue/test-utils';
import { init } from 'echarts';
import { describe, expect, it } from 'vitest';
import EnergyLedgerPlot from '@views/energy-ledger/Panel.vue';
import IndexSetsPlot from '@views/index-sets/Panel.vue';
import { constraintRemarks } from '@renderer/dashboard/time/constraint-words';
import ViewOptions from '@renderer/dashboard/options/ViewOptions.vue';
import { renameElement } from '@renderer/document/rename';
import { useDocumentStore } from '@renderer/stores/document';
import { usePlotCursorStore } from '@renderer/stores/plot-cursor';
import { useRunsStore } from '@renderer/stores/runs';
import { useSettingsStore } from '@renderer/stores/settings';
import { useTimeAxisStore } from '@renderer/stores/time-axis';
import { useTimeAxis } from '@renderer/dashboard/time/use-time-axis';
import { openCamFollower } from '../setup';

const lane = (changes: Partial<LaneOfConstraint> = {}): LaneOfConstraint => ({
  name: 'floor',
  element: 'floor',
  stateNames: ['open', 'stick', 'slideForward', 'slideBackward'],
  t: Float64Array.of(0, 1, 2, 3),
  states: Uint8Array.of(1, 2, 6, 1),
  end: 4,
  impactTimes: Float64Array.of(1, 3.5),
  seconds: Float64Array.of(2, 1.5, 0.5, 0),
  changes: 3,
  impacts: 2,
  rowsPerStretch: 1,
  ...changes,
});

describe('the chart of lanes', () => {
  it('has a bar for each stretch of a state; states of one pixel share its height', () => {
    expect(barsOf(lane(), 'open')).toEqual([
      { from: 0, to: 1, top: 0.9, bottom: 1 },
      { from: 3, to: 4, top: 0.9, bottom: 1 },
    ]);
    expect(barsOf(lane(), 'stick')).toEqual([
      { from: 1, to: 2, top: 0, bottom: 1 },
      { from: 2, to: 3, top: 0.5, bottom: 1 },
    ]);
    expect(barsOf(lane(), 'slideForward')).toEqual([{ from: 2, to: 3, top: 0, bottom: 0.5 }]);
    expect(barsOf(lane(), 'slideBackward')).toEqual([]);
    expect(barsOf(lane(), 'upper')).toEqual([]);
  });

  it('draws them where they are, in one path for each lane and state', () => {
    const chart = init(null, null, { renderer: 'svg', ssr: true, width: 400, height: 160 });
    const option = timelineOption({
      lanes: [lane(), lane({ name: 'wall', impactTimes: new Float64Array(0) })],
      x: { min: 0, max: 4 },
      theme: LIGHT_PLOT,
      width: 400,
      height: 160,
      words: (state) => state,
      legend: true,
    });
    chart.setOption(option);
    const svg = chart.renderToSVGString();
    chart.dispose();
    const { left, right } = timelineMargins([lane()], true);
    const width = 400 - left - right;
    // The first slide begins in the middle of the axis.
    const slide = new RegExp(
      `d="M${(left + width / 2).toFixed(2).replace(/\.?0+$/, '')} [^"]*" fill="#d55e00"`,
      'g',
    );
    expect(svg.match(slide)).toHaveLength(2);
    expect(svg).toContain('>floor<');
    expect(svg).toContain('>slideForward<');
    expect(statesOf([lane(), lane({ stateNames: ['lower', 'between', 'upper'] })])).toHaveLength(7);
  });
});

describe('the certificate over time', () => {
  const found = {
    runId: 'r',
    from: 0,
    t: Float64Array.of(1, 2),
    dynamics: Float64Array.of(1e-12, 1e-10),
    complementarity: Float64Array.of(0, NaN),
    coneViolation: Float64Array.of(0, 1e-30),
    energyDrift: Float64Array.of(NaN, NaN),
  };

  it('is drawn in stairs, zero below all rounding', () => {
    expect(kindsOf(found)).toEqual(['dynamics', 'complementarity', 'coneViolation']);
    expect(certificateRange(found, 1e-8)).toEqual({ min: -18.5, max: -7.5 });
    const { dataset, series } = certificateOption({
      found,
      limit: 1e-8,
      x: { min: 0, max: 2 },
      y: null,
      theme: LIGHT_PLOT,
      width: 400,
      height: 200,
      words: (kind) => kind,
    }) as { dataset: { source: Float64Array }[]; series: { name: string }[] };
    expect(series.map(({ name }) => name)).toEqual(['dynamics', 'complementarity', 'coneViolation', 'limit']);
    expect([...(dataset[0]?.source ?? [])]).toEqual([0, -12, 1, -12, 1, -10, 2, -10]);
    expect([...(dataset[1]?.source ?? [])]).toEqual([0, -18, 1, -18, 1, NaN, 2, NaN]);
    expect([...(dataset[2]?.source ?? [])]).toEqual([0, -18, 1, -18, 1, -18, 2, -18]);
  });
});

const words: LedgerWords = {
  total: 'total',
  supplied: 'supplied',
  others: 'others',
  lost: (name, part, isAlone) => `${name} ${isAlone ? 'alone' : part}`,
};
const curveOf = (...y: number[]) => ({ t: Float64Array.of(0, 1, 2), y: Float64Array.from(y) });
const losses = (changes: Partial<LossesResult> = {}): LossesResult => ({
  runId: 'r',
  rows: 3,
  recordedFrom: 0,
  recordedTo: 2,
  known: ['floor'],
  missing: [],
  every: 1,
  t: Float64Array.of(0, 1, 2),
  energies: [
    { name: 'energy.kinetic', values: Float64Array.of(4, 2, 1), start: 4, curve: curveOf(4, 2, 1) },
    { name: 'energy.potential', values: Float64Array.of(1, 1, 1), start: 1, curve: curveOf(1, 1, 1) },
  ],
  total: curveOf(5, 3, 2),
  rowsPerBucket: 1,
  lost: [
    {
      name: 'floor',
      element: 'floor',
      parts: ['normal', 'tangential'],
      normal: Float64Array.of(0, 2, 2.5),
      tangential: Float64Array.of(0, 1, 2),
      largest: [],
    },
  ],
  ...changes,
});

describe('the energy ledger', () => {
  it('tells what forces have supplied: what there is, more than at the start, and what was taken', () => {
    const { current, infos } = ledgerCurves(losses(), words);
    const curve = (name: string): number[] => [
      ...(current.signals.find((one) => one.name === name)?.y ?? []),
    ];
    expect(infos.map(({ name }) => name)).toEqual([
      'energy.kinetic',
      'energy.potential',
      'total',
      'floor normal',
      'floor tangential',
      'supplied',
    ]);
    expect(curve('total')).toEqual([5, 3, 2]);
    expect(curve('supplied')).toEqual([0, 1, 1.5]);
    expect(infos.every(({ unit }) => unit === 'J')).toBe(true);
  });

  it('draws energies and their sum with the extrema between the rows that tell of losses', () => {
    const spike = { t: Float64Array.of(0, 0.5, 0.6, 2), y: Float64Array.of(5, 90, -3, 2) };
    const { current } = ledgerCurves(losses({ total: spike, rows: 1000, rowsPerBucket: 250 }), words);
    const total = current.signals.find(({ name }) => name === 'total');
    expect([total?.t, total?.y]).toEqual([spike.t, spike.y]);
    expect(current.rowsPerBucket).toBe(250);
    expect(current.signals.find(({ name }) => name === 'supplied')?.t).toEqual(losses().t);
  });

  it.each<[string, Partial<LossesResult>]>([
    ['of which not every step was recorded', { every: 10 }],
    ['with contacts that are not recorded', { missing: ['wall'] }],
    ['with contacts that are left out', { known: ['floor', 'wall'] }],
    ['without a potential energy', { energies: losses().energies.slice(0, 1) }],
  ])('does not tell it of a run %s', (_, changes) => {
    expect(isBalanced(losses(changes))).toBe(false);
    expect(ledgerCurves(losses(changes), words).infos.map(({ name }) => name)).not.toContain('supplied');
  });

  it('draws the contacts that take most, and the others together', () => {
    const lost = Array.from({ length: 9 }, (_, k) => ({
      name: `c${k}`,
      element: `c${k}`,
      parts: ['normal' as const],
      normal: Float64Array.of(0, k, k),
      tangential: new Float64Array(3),
      largest: [],
    }));
    const { current } = ledgerCurves(losses({ lost, known: lost.map(({ name }) => name) }), words);
    const shown = current.signals.slice(3, -1);
    expect(shown.map(({ name }) => name)).toEqual([...[8, 7, 6, 5, 4].map((k) => `c${k} alone`), 'others']);
    expect(shown.at(-1)?.y.at(-1)).toBe(0 + 1 + 2 + 3);
  });
});

async function withRun(): Promise<void> {
  const host = await openCamFollower();
  await useRunsStore().start();
  host.advance(1);
  await flushPromises();
}

/** Charts need a canvas, hints a provider. */
const stubs = {
  PlotSurface: true,
  PlotFrame: { template: '<section><slot name="tools" /><slot /></section>' },
  IconButton: { template: '<button />' },
};

it('is said where there are more of them than one plot shows', () => {
  const known = ['a', 'b', 'c'];
  expect(constraintRemarks({ known, missing: [] }, 3, false)).toEqual([]);
  expect(constraintRemarks({ known, missing: [] }, 2, true)).toEqual([]);
  expect(constraintRemarks({ known, missing: ['c'] }, 1, false)).toEqual([
    'Not all signals of c are recorded.',
    '1 of 3 are shown. Choose which ones in the inspector of the plot.',
  ]);
});

describe('the panels', () => {
  it('tell the states of each lane in words, too', async () => {
    await withRun();
    const panel = mount(IndexSetsPlot, {
      props: { view: { type: 'index-sets', id: 'states' } },
      global: { stubs },
    });
    await flushPromises();
    expect(panel.get('.visually-hidden').text()).toBe(
      'contact: open 25 % of the time, closed 75 % of the time; changes 1, impacts 1.',
    );
    panel.unmount();
  });

  it('put the cursor where most is lost', async () => {
    await withRun();
    const panel = mount(EnergyLedgerPlot, {
      props: { view: { type: 'energy-ledger', id: 'energy' } },
      global: { stubs },
    });
    await flushPromises();
    await panel.get('[aria-pressed]').trigger('click');
    const sums = panel.findAll('.sums tr').map((row) => row.text());
    expect(sums[0]).toBe('taken by contact, normal1 J');
    await panel.get('.at').trigger('click');
    expect(usePlotCursorStore().mark?.t).toBe(0.5);
    panel.unmount();
  });

  it('show the interactions that are chosen, and never none', async () => {
    await openCamFollower();
    const documents = useDocumentStore();
    const [interaction] = documents.model.interactions;
    documents.edit('views', (draft) => {
      draft.views = [{ type: 'index-sets', id: 'states' }];
      draft.interactions.push({ ...interaction, id: 'other' });
    });
    const view = () =>
      documents.model.views[0] as { type: 'index-sets'; id: string; interactions?: string[] };
    const options = mount(ViewOptions, { props: { view: view() } });
    const box = (id: string) => options.get(`[data-testid=option-interaction-${id}]`);
    await box('other').trigger('change');
    expect(view().interactions).toEqual([interaction.id]);
    await options.setProps({ view: view() });
    await box(interaction.id).trigger('change');
    expect(view().interactions).toEqual([interaction.id]);
    documents.edit('rename', (draft) => renameElement(draft, interaction.id, 'renamed'));
    expect(view().interactions).toEqual(['renamed']);
    await options.setProps({ view: view() });
    await box('other').trigger('change');
    expect(view().interactions).toBeUndefined();
    options.unmount();
  });
});

describe('time axes', () => {
  /** Two plots over time. */
  function twoAxes(): {
    first: ReturnType<typeof useTimeAxis>;
    second: ReturnType<typeof useTimeAxis>;
    unmount: () => void;
  } {
    const found: ReturnType<typeof useTimeAxis>[] = [];
    const plots = ['first', 'second'].map((view) =>
      mount({
        setup: () => {
          found.push(useTimeAxis(view));
          return () => null;
        },
      }),
    );
    const [first, second] = found;
    return { first, second, unmount: () => plots.forEach((plot) => plot.unmount()) };
  }

  it('move together while they are linked, and apart when they are not', async () => {
    await withRun();
    const { first, second, unmount } = twoAxes();
    const { max } = first.x.value;
    first.move({ x: [0.25, 0.5], y: [0, 1] });
    expect(second.x.value).toEqual({ min: max / 4, max: max / 2 });
    useTimeAxisStore().toggle();
    await flushPromises();
    expect(useSettingsStore().values['window.linkedTimeAxes']).toBe(false);
    second.reset();
    expect(second.x.value.max).toBe(max);
    expect(first.x.value.max).toBe(max / 2);
    unmount();
  });

  it.each([true, false])('belong to their document, cursor and zoom (linked: %s)', async (linked) => {
    await withRun();
    const documents = useDocumentStore();
    if (!linked) useTimeAxisStore().toggle();
    const zoomed = { min: 0.25, max: 0.5 };
    const before = twoAxes();
    before.first.window.value = zoomed;
    usePlotCursorStore().moveTo(0.3);
    await flushPromises();
    const home = documents.session;
    documents.load(documents.model, null);
    expect(documents.session).not.toBe(home);
    before.unmount();
    const other = twoAxes();
    expect(other.first.window.value).toBeNull();
    expect(usePlotCursorStore().mark).toBeNull();
    other.first.window.value = { min: 7, max: 8 };
    documents.show(home);
    await flushPromises();
    other.unmount();
    const again = twoAxes();
    expect(again.first.window.value).toEqual(zoomed);
    expect(again.second.window.value).toEqual(linked ? zoomed : null);
    expect(usePlotCursorStore().mark?.t).toBe(0.3);
    again.unmount();
  });

  it('follow the cursor once, however many there are', async () => {
    await withRun();
    const { first, second, unmount } = twoAxes();
    const { max } = first.x.value;
    usePlotCursorStore().moveTo(max / 2, true);
    await flushPromises();
    expect(first.x.value.max - first.x.value.min).toBeCloseTo(max / 10, 9);
    expect(second.x.value).toEqual(first.x.value);
    first.gestures.pick({ x: 0.5, y: 0.5 });
    expect(usePlotCursorStore().mark?.t).toBeCloseTo(max / 2, 9);
    unmount();
  });
});
