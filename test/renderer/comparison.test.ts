/** Comparison of the schemes: its runs, what is made of the differences, and what goes wrong. */
import { MoreauError } from '@contract/errors';
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils';
import { TooltipProvider } from 'reka-ui';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { defineComponent, h } from 'vue';
import type { CompareResult, MethodParams } from '@contract/methods';
import ComparisonPane from '@renderer/comparison/ComparisonPane.vue';
import { extentLines } from '@renderer/comparison/extent';
import ImpactTable from '@renderer/comparison/ImpactTable.vue';
import { errorRows, fittedSlope, measuresOf, stepLengths } from '@renderer/comparison/figures';
import { planComparison } from '@renderer/comparison/plan';
import { convergenceOption } from '@figures/convergence';
import { LIGHT_PLOT } from '@figures/palette';
import { useComparisonStore } from '@renderer/stores/comparison';
import { useDocumentStore } from '@renderer/stores/document';
import { useReportStore } from '@renderer/stores/report';
import { useRunsStore } from '@renderer/stores/runs';
import { fakeComparison } from './fake/event-driven';
import type { FakeHost } from './fake/host';
import { openCamFollower, setMass } from './setup';

// This DOM has no canvas to draw on; what is drawn is looked at as data, and on the screen in the browser's
// tests.
vi.mock('@renderer/dashboard/figures/charts', () => ({
  createChart: () => ({
    setOption: () => undefined,
    clear: () => undefined,
    resize: () => undefined,
    dispose: () => undefined,
  }),
}));

let host: FakeHost;
beforeEach(async () => {
  host = await openCamFollower();
});

const started = (): MethodParams<'run.start'>[] =>
  host.calls.flatMap(({ method, params }) =>
    method === 'run.start' ? [params as MethodParams<'run.start'>] : [],
  );

/** Lets runs end until no more are started. */
async function finish(): Promise<void> {
  for (let round = 0; round < 8; round++) {
    await flushPromises();
    host.advance(1);
  }
  await flushPromises();
}

describe('the runs of a comparison', () => {
  it('are one from event to event and others with halved steps', () => {
    expect(planComparison(0.01, 3)).toEqual([
      { scheme: 'event-driven', h: 0.01 },
      { scheme: 'time-stepping', h: 0.01 },
      { scheme: 'time-stepping', h: 0.005 },
      { scheme: 'time-stepping', h: 0.0025 },
    ]);
  });

  it('are computed two at a time, compared, and the first two shown', async () => {
    const store = useComparisonStore();
    const runs = useRunsStore();
    const done = store.start();
    await flushPromises();
    expect(started()).toHaveLength(2);
    expect(store.phase).toBe('running');
    await finish();
    await done;
    expect(started().map(({ scheme, h: step }) => [scheme, step])).toEqual([
      ['event-driven', undefined],
      ['time-stepping', undefined],
      ['time-stepping', 5e-5],
      ['time-stepping', 2.5e-5],
    ]);
    const asked = host.calls.find(({ method }) => method === 'run.compare')?.params;
    expect(asked).toEqual({ reference: 'run-1', others: ['run-2', 'run-3', 'run-4'] });
    expect(store.phase).toBe('done');
    expect(store.result?.others).toHaveLength(3);
    expect(runs.currentId).toBe('run-1');
    expect(runs.compared.map(({ runId }) => runId)).toEqual(['run-2']);
    expect(store.isStale).toBe(false);
    useDocumentStore().edit('mass', (draft) => setMass(draft, 3));
    expect(store.isStale).toBe(true);
  });

  it('have steps of one length, and are of the model as it was when the comparison began', async () => {
    const documents = useDocumentStore();
    documents.edit('control', (draft) => {
      draft.simulation.stepControl = { tolerance: 1e-4, hMin: 1e-6, hMax: 1e-2 };
    });
    const done = useComparisonStore().start();
    await flushPromises();
    documents.edit('mass', (draft) => setMass(draft, 3));
    await finish();
    await done;
    expect(started()).toHaveLength(4);
    for (const { document } of started()) {
      expect(document.simulation).not.toHaveProperty('stepControl');
      expect(document.systems[0]?.['mass']).toEqual([['m']]);
    }
    expect(documents.model.simulation).toHaveProperty('stepControl');
  });

  it('end when the comparison is cancelled; nothing is compared then', async () => {
    const store = useComparisonStore();
    const done = store.start();
    await flushPromises();
    await store.cancel();
    await finish();
    await done;
    expect(host.calls.filter(({ method }) => method === 'run.cancel')).toHaveLength(2);
    expect(host.calls.some(({ method }) => method === 'run.compare')).toBe(false);
    expect(started()).toHaveLength(2);
    expect(store.isBusy).toBe(false);
  });

  it('that cannot start say why; without the event-driven one nothing is compared', async () => {
    const { dispatch } = host.dispatcher;
    const refusal = new MoreauError({ code: 'not-event-driven', message: 'The law is a graph.' });
    host.dispatcher.dispatch = (method, params) =>
      method === 'run.start' && (params as MethodParams<'run.start'>).scheme === 'event-driven'
        ? Promise.reject(refusal)
        : dispatch(method, params);
    const store = useComparisonStore();
    const done = store.start();
    await finish();
    await done;
    expect(store.failure).toEqual(refusal.details);
    expect(store.result).toBeNull();
    expect(store.phase).toBe('done');
  });

  it('that failed are left out', async () => {
    const { dispatch } = host.dispatcher;
    host.dispatcher.dispatch = (method, params) =>
      method === 'run.start' && (params as MethodParams<'run.start'>).h === 5e-5
        ? Promise.reject(new MoreauError({ code: 'too-many-runs', message: 'Too many.' }))
        : dispatch(method, params);
    const store = useComparisonStore();
    const done = store.start();
    await finish();
    await done;
    expect(store.result?.others.map(({ h: step }) => step)).toEqual([1e-4, 2.5e-5]);
    expect(store.planned[2]?.refusal?.code).toBe('too-many-runs');
  });

  it('tell of a comparison that the host refuses', async () => {
    const { dispatch } = host.dispatcher;
    host.dispatcher.dispatch = (method, params) =>
      method === 'run.compare'
        ? Promise.reject(new MoreauError({ code: 'no-common-signals', message: 'Nothing in common.' }))
        : dispatch(method, params);
    const store = useComparisonStore();
    const done = store.start();
    await finish();
    await done;
    expect(store.failure?.code).toBe('no-common-signals');
  });

  it('are forgotten with the document', async () => {
    const store = useComparisonStore();
    const done = store.start();
    await finish();
    await done;
    useDocumentStore().load(useDocumentStore().model, null);
    await flushPromises();
    expect(store.planned).toEqual([]);
    expect(store.result).toBeNull();
    expect(store.phase).toBe('idle');
  });
});

async function compared(): Promise<CompareResult> {
  const runs = useRunsStore();
  for (const overrides of [{ scheme: 'event-driven' }, {}, { h: 5e-5 }] as const) {
    await runs.start(overrides);
    host.advance(1);
  }
  const [reference, ...others] = runs.runs;
  if (reference === undefined) throw new Error('no run');
  return fakeComparison(reference, others);
}

describe('the figures of a comparison', () => {
  it('are errors over step lengths, with the orders of the host', async () => {
    const result = await compared();
    expect(stepLengths(result)).toEqual([1e-4, 5e-5]);
    const [q, v] = errorRows(result, 'mean');
    expect(q).toMatchObject({ name: 'follower.q', errors: [2e-4, 1e-4], orders: [1], scale: 0.5 });
    expect(v?.orders).toEqual([2]);
    expect(errorRows(result, 'awayMaximum')[0]).toMatchObject({ errors: [1e-3, 5e-4], orders: [0.9] });
    // Beside a jump nothing shrinks: no order is given.
    expect(errorRows(result, 'maximum')[0]?.orders).toEqual([null]);
    expect(errorRows(result, 'impacts')).toEqual([
      {
        name: 'cam.impulse',
        unit: 's',
        scale: 1,
        errors: [5e-5, 2.5e-5],
        orders: [1],
        agreesUntil: null,
      },
    ]);
    expect(measuresOf(result)).toContain('impacts');
    const without = { ...result, others: result.others.map((other) => ({ ...other, contacts: [] })) };
    expect(measuresOf(without)).not.toContain('impacts');
  });

  it('leave out runs whose step varies', async () => {
    const result = await compared();
    const [first, ...rest] = result.others;
    if (first === undefined) throw new Error('nothing compared');
    expect(stepLengths({ ...result, others: [{ ...first, h: null }, ...rest] })).toEqual([5e-5]);
  });

  it('have the slope of a power law, and none without two errors', () => {
    const steps = [0.1, 0.05, 0.025, 0.0125];
    const power = (p: number): number[] => steps.map((step) => 7 * step ** p);
    expect(fittedSlope(steps, power(1))).toBeCloseTo(1, 12);
    expect(fittedSlope(steps, power(2.5))).toBeCloseTo(2.5, 12);
    // An error of zero says nothing of a slope.
    const [first = 0, second = 0, , last = 0] = power(2);
    expect(fittedSlope(steps, [first, second, 0, last])).toBeCloseTo(2, 12);
    expect(fittedSlope(steps, [1, 0, NaN, 0])).toBeNull();
    expect(fittedSlope([0.1, 0.1], [1, 2])).toBeNull();
  });

  it('are drawn with both axes logarithmic, ticks at the steps and guides of slope 1 and 2', () => {
    const option = convergenceOption({
      curves: [{ name: 'q', h: [0.1, 0.05], error: [1e-2, 5e-3] }],
      xName: 'h',
      yName: 'e',
      theme: LIGHT_PLOT,
      uncertified: 'not certified',
    });
    const series = option?.series as { id?: string; name?: string; data: number[][] }[];
    expect(series.map(({ id, name }) => id ?? name)).toEqual(['slope 1', 'slope 2', 'q']);
    const slope = ([[x0 = 0, y0 = 0] = [], [x1 = 0, y1 = 0] = []]: number[][]): number =>
      (y1 - y0) / (x1 - x0);
    expect(series.map(({ data }) => slope(data))).toEqual([
      expect.closeTo(1, 9),
      expect.closeTo(2, 9),
      expect.closeTo(1, 9),
    ]);
    const { axisTick } = option?.xAxis as { axisTick: { customValues: number[] } };
    expect(axisTick.customValues).toEqual([-1, Math.log10(0.05)]);
    const words = { xName: '', yName: '', uncertified: 'not certified', theme: LIGHT_PLOT };
    const empty = { name: 'q', h: [0.1, 0.05], error: [0, 0] };
    expect(convergenceOption({ curves: [empty], ...words })).toBeNull();
    const failing = { name: 'q', h: [0.1, 0.05], error: [1e-2, 5e-3], uncertified: [false, true] };
    const crosses = (convergenceOption({ curves: [failing], ...words })?.series as { name?: string }[]).at(
      -1,
    );
    expect(crosses).toMatchObject({
      name: 'not certified',
      data: new Float64Array([Math.log10(0.05), Math.log10(5e-3)]),
    });
  });
});

async function openPane(): Promise<VueWrapper> {
  const pane = defineComponent(() => () => h(TooltipProvider, null, { default: () => h(ComparisonPane) }));
  const wrapper = mount(pane, { attachTo: document.body });
  await flushPromises();
  return wrapper;
}

describe('the panel of the comparison', () => {
  it('tells the steps before, progress meanwhile, and differences, orders and impact times after', async () => {
    const wrapper = await openPane();
    expect(wrapper.text()).toContain('h = 0.0001, 5e-5, 2.5e-5 s');
    await wrapper.get('[data-testid="comparison-start"]').trigger('click');
    await flushPromises();
    expect(wrapper.get('[data-testid="comparison-runs"]').findAll('[role="progressbar"]')).toHaveLength(2);
    expect(wrapper.get('[data-testid="comparison-runs"]').text()).toContain('Waiting');
    await finish();
    const table = wrapper.get('[data-testid="error-table"]').text().replace(/\s+/g, ' ');
    expect(table).toContain('follower.q m');
    expect(table).toContain('2.0e-4');
    expect(table).toContain('1.00 1.00');
    const impacts = wrapper.get('[data-testid="impact-table"]').text();
    expect(impacts).toContain('9 / 10');
    expect(wrapper.get('[data-testid="convergence"]').text()).toContain('p = 2');
    expect(wrapper.get('[data-testid="comparison-runs"]').text()).toContain(
      'solved 2.2e-12 · events not known',
    );
    expect(wrapper.find('[data-testid="comparison-uncertified"]').exists()).toBe(false);
  });

  it('says up to when runs are compared and why, and which are left out', async () => {
    const { dispatch } = host.dispatcher;
    host.dispatcher.dispatch = (method, params) =>
      method === 'run.start' && (params as MethodParams<'run.start'>).h === 5e-5
        ? Promise.reject(new MoreauError({ code: 'too-many-runs', message: 'Too many.' }))
        : dispatch(method, params);
    const wrapper = await openPane();
    await wrapper.get('[data-testid="comparison-start"]').trigger('click');
    await finish();
    const lines = wrapper.findAll('[data-testid="comparison-extent"]').map((line) => line.text());
    expect(lines).toEqual([
      'Compared up to t = 1.5 s: after that the runs diverge and differ by more than 1 % at every step length. They are recorded until 2 s.',
      'Left out: the run with h = 5e-5 s. Too many.',
    ]);
    // Until when each signal agrees is that of the whole time.
    expect(wrapper.get('[data-testid="error-table"]').text()).toContain('1.5 s');
    const whole = await compared();
    const { runId, name } = whole.reference;
    const short = { ...whole, endedBy: runId, to: 0.5 };
    expect(extentLines(short, short)[0]).toBe(
      `Compared up to t = 0.5 s, where the recording of ${name} ends.`,
    );
    expect(extentLines(whole, whole)[0]).toBe('Compared from 0 s to 2 s, the whole recorded time.');
  });

  it('shows a run that is not solved by its words, and crosses where it is compared', async () => {
    const wrapper = await openPane();
    await wrapper.get('[data-testid="comparison-start"]').trigger('click');
    await flushPromises();
    host.unsolved.add('run-2');
    await finish();
    const [, , coarsest] = wrapper.get('[data-testid="comparison-runs"]').findAll('tr');
    expect(coarsest?.get('.verdict').classes()).toContain('bad');
    expect(coarsest?.text()).toContain('not solved, 1.0');
    expect(wrapper.get('[data-testid="comparison-uncertified"]').text()).toContain(
      'cannot serve as a reference',
    );
    expect(wrapper.get('[data-testid="error-table"]').findAll('thead .visually-hidden')).toHaveLength(1);
    expect(wrapper.get('[data-testid="convergence"]').text()).toContain('not certified');
  });

  it('deletes its runs at one click; what they came to stays', async () => {
    const wrapper = await openPane();
    const runs = useRunsStore();
    await runs.start();
    host.advance(1);
    await flushPromises();
    await wrapper.get('[data-testid="comparison-start"]').trigger('click');
    await finish();
    expect(runs.runs).toHaveLength(5);
    await wrapper.get('[data-testid="comparison-discard"]').trigger('click');
    await flushPromises();
    expect(runs.runs.map(({ runId }) => runId)).toEqual(['run-1']);
    expect(wrapper.get('[data-testid="comparison-runs"]').text()).toContain('Deleted');
    expect(wrapper.find('[data-testid="error-table"]').exists()).toBe(true);
    expect(wrapper.find('[data-testid="comparison-discard"]').exists()).toBe(false);
  });

  it('shows a run alone when the event-driven one has been deleted', async () => {
    const wrapper = await openPane();
    const runs = useRunsStore();
    await wrapper.get('[data-testid="comparison-start"]').trigger('click');
    await finish();
    await runs.remove('run-1');
    await flushPromises();
    const [eye] = wrapper.get('[data-testid="comparison-runs"]').findAll('button');
    await eye?.trigger('click');
    expect(runs.currentId).toBe('run-2');
    expect(runs.compared).toEqual([]);
  });

  it('lists of many contacts those whose impacts differ most, and says so', async () => {
    const result = await compared();
    const [other] = result.others;
    const contact = other?.contacts[0];
    if (other === undefined || contact === undefined) throw new Error('nothing compared');
    const contacts = Array.from({ length: 50 }, (_, k) => ({
      ...contact,
      signal: `c${k}.impulse`,
      largest: k * 1e-6,
    }));
    const wrapper = mount(ImpactTable, {
      props: { result: { ...result, others: [{ ...other, contacts }] } },
    });
    const names = wrapper.findAll('tbody th').map((cell) => cell.text());
    expect(names).toEqual(Array.from({ length: 40 }, (_, k) => `c${k + 10}.impulse`));
    expect(wrapper.text()).toContain('The 40 of 50 contacts whose impacts differ most.');
  });

  it('cannot start while the model has errors, and says so', async () => {
    useDocumentStore().edit('break', (draft) => setMass(draft, 'nothing'));
    await useReportStore().refresh();
    const wrapper = await openPane();
    expect(wrapper.get('[data-testid="comparison-start"]').attributes()).toHaveProperty('disabled');
    expect(wrapper.text()).toContain('Fix the errors first (1)');
  });
});
