/** The matrix of a one-step problem, as a chart and as a panel. */
import type { ProblemResult, StepProblem } from '@contract/methods';
import type { MatrixView } from '@engine/document/types';
import {
  densityOf,
  entryAt,
  entryColor,
  matrixMarket,
  matrixOption,
  wholeMatrix,
} from '@views/matrix/drawing';
import { LIGHT_PLOT } from '@figures/palette';
import { flushPromises, mount } from '@vue/test-utils';
import { init } from 'echarts';
import { describe, expect, it } from 'vitest';
import MatrixPlot from '@views/matrix/Panel.vue';
import { useDocumentStore } from '@renderer/stores/document';
import { usePlotCursorStore } from '@renderer/stores/plot-cursor';
import { useRunsStore } from '@renderer/stores/runs';
import type { FakeHost } from '../fake/host';
import { openCamFollower } from '../setup';

const problem: StepProblem = {
  time: 1,
  h: 0.001,
  formulation: 'affine',
  rows: [
    { name: 'a', element: 'a' },
    { name: 'b', element: 'b' },
    { name: 'c', element: 'c' },
  ],
  allRows: 4,
  rowStart: Int32Array.of(0, 2, 4, 5),
  columns: Int32Array.of(0, 1, 0, 1, 2),
  values: Float64Array.of(2, -1, -1, 2e-3, 2e-9),
  q: Float64Array.of(-1, 0, 0),
  z: Float64Array.of(0.5, 0, 0),
  w: Float64Array.of(0, 0.1, 0),
  bounds: { lower: Float64Array.of(0, 0, -1), upper: Float64Array.of(Infinity, Infinity, 1) },
  isSymmetric: true,
  spectrum: [1, 3],
};

describe('the chart', () => {
  const svgOf = (option: ReturnType<typeof matrixOption>): string => {
    const chart = init(null, null, { renderer: 'svg', ssr: true, width: 300, height: 300 });
    chart.setOption(option);
    const svg = chart.renderToSVGString();
    chart.dispose();
    return svg;
  };

  it('has a square for each entry, fainter where it is smaller, of another colour where it is negative', () => {
    expect(wholeMatrix(problem)).toEqual({ min: -0.5, max: 2.5 });
    const svg = svgOf(
      matrixOption({ problem, rows: null, columns: null, theme: LIGHT_PLOT, width: 300, height: 300 }),
    );
    const fills = [...svg.matchAll(/fill="(rgb[^"]*)"(?: fill-opacity="([^"]*)")?/g)].map(
      ([, color]) => color,
    );
    expect(new Set(fills).size).toBeGreaterThanOrEqual(2);
    for (const name of ['a', 'b', 'c', '1', '3']) expect(svg).toContain(`>${name}<`);
    expect(entryColor(LIGHT_PLOT, true, 12)).toBe('rgba(0,114,178,1.000)');
    expect(entryColor(LIGHT_PLOT, false, 1)).not.toBe(entryColor(LIGHT_PLOT, false, 12));
  });

  it('tells entries and how many there are', () => {
    expect([entryAt(problem, 0, 1), entryAt(problem, 2, 0)]).toEqual([-1, 0]);
    expect(densityOf(problem)).toBeCloseTo(5 / 9, 12);
  });

  it('is written in the format of Matrix Market with all its digits', () => {
    const lines = matrixMarket(problem).trimEnd().split('\n');
    expect(lines[0]).toBe('%%MatrixMarket matrix coordinate real general');
    expect(lines.slice(5)).toEqual(['3 3 5', '1 1 2', '1 2 -1', '2 1 -1', '2 2 0.002', '3 3 2e-9']);
  });
});

const stubs = {
  PlotSurface: true,
  PlotFrame: {
    props: ['remark'],
    template: '<section><slot name="tools" /><p class="facts">{{ remark }}</p><slot /></section>',
  },
  IconButton: { props: ['hint'], template: '<button :title="hint" />' },
};

describe('the panel', () => {
  async function shown(answer?: ProblemResult): Promise<FakeHost> {
    const host = await openCamFollower();
    if (answer !== undefined) {
      const { dispatch } = host.dispatcher;
      host.dispatcher.dispatch = ((method: string, params: never) =>
        method === 'run.problem'
          ? Promise.resolve(answer)
          : dispatch.call(host.dispatcher, method as never, params)) as typeof dispatch;
    }
    useDocumentStore().edit('views', (draft) => {
      draft.views = [{ type: 'matrix', id: 'problem' }];
    });
    await useRunsStore().start();
    host.advance(1);
    await flushPromises();
    return host;
  }
  const view = (): MatrixView => useDocumentStore().model.views[0] as MatrixView;

  it('lists the rows with what they are solved to, and says what is known of the matrix', async () => {
    await shown();
    const panel = mount(MatrixPlot, { props: { view: view() }, global: { stubs } });
    await flushPromises();
    await panel.get('[title="Rows and their solution"]').trigger('click');
    expect(view().hasRows).toBe(true);
    await panel.setProps({ view: view() });
    expect(panel.findAll('tbody tr').map((row) => row.text())).toEqual(['contact[0]0.50', 'contact[1]00']);
    expect(panel.get('.facts').text()).toBe('2 × 2 · 100 % non-zero · symmetric · κ 2400');
    panel.unmount();
  });

  it('follows the cursor, or stays at a time', async () => {
    const host = await shown();
    const panel = mount(MatrixPlot, { props: { view: view() }, global: { stubs } });
    await flushPromises();
    usePlotCursorStore().moveTo(0.25);
    await flushPromises();
    await panel.get('[title="Stay at this time"]').trigger('click');
    expect(view().time).toBe(0.25);
    await panel.setProps({ view: view() });
    const asked = (): unknown => host.calls.filter(({ method }) => method === 'run.problem').at(-1)?.params;
    usePlotCursorStore().moveTo(0.5);
    await flushPromises();
    expect(asked()).toMatchObject({ time: 0.25 });
    await panel.get('[title="Follow the cursor again"]').trigger('click');
    expect(view().time).toBeUndefined();
    panel.unmount();
  });

  it.each<[ProblemResult, RegExp]>([
    [{ problem: null, reason: 'notRecorded', names: ['ball.v'] }, /ball\.v are not recorded/],
    [{ problem: null, reason: 'failed' }, /could not be repeated/],
    [{ problem: { ...problem, rows: [] } }, /all 4 rows/],
  ])('says why there is nothing to be seen', async (answer, words) => {
    await shown(answer);
    const panel = mount(MatrixPlot, { props: { view: view() }, global: { stubs } });
    await flushPromises();
    expect(panel.get('.hint').text()).toMatch(words);
    panel.unmount();
  });
});
