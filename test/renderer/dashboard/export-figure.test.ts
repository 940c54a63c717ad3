/** The dialog that makes figures: what it asks the host for, what it refuses, and what it remembers. */
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { axesAsSeen } from '@figures/vertical-axes';
import ExportFigureDialog from '@renderer/dashboard/figures/ExportFigureDialog.vue';
import { figureQuestion } from '@renderer/dashboard/figures/figure-export';
import { JOURNAL_WIDTHS } from '@renderer/dashboard/figures/journals';
import { registerPlot, type RegisteredPlot } from '@renderer/dashboard/plot/plot-registry';
import { useDashboardsStore } from '@renderer/stores/dashboards';
import { useDialogsStore } from '@renderer/stores/dialogs';
import { useDocumentStore } from '@renderer/stores/document';
import { useRunsStore } from '@renderer/stores/runs';
import { useSettingsStore } from '@renderer/stores/settings';
import type { FakeHost } from '../fake/host';
import { openCamFollower } from '../setup';

const CHOICE = {
  format: '.pdf' as const,
  style: 'publication' as const,
  dpi: 300,
  plot: { width: 88, height: 60 },
  dashboard: { width: 160, height: 120 },
};
const plot = (changes: Partial<RegisteredPlot>): RegisteredPlot => ({
  data: () => [],
  range: () => ({ xMin: 1, xMax: 2, yMin: 3, yMax: 4 }),
  image: () =>
    new TextEncoder().encode('<svg width="10" height="10" xmlns="http://www.w3.org/2000/svg"></svg>'),
  ...changes,
});

let host: FakeHost;
beforeEach(async () => {
  host = await openCamFollower();
  useDocumentStore().edit('Set views', (draft) => {
    draft.views = [
      { type: 'time-series', id: 'series', signals: ['x'] },
      { type: 'phase-portrait', id: 'portrait', x: 'x', y: 'y' },
    ];
  });
  await useRunsStore().start();
  host.advance(1);
  await flushPromises();
});

describe('what the host draws a figure of', () => {
  it('is what plots have been zoomed to, with the compared runs', async () => {
    const first = useRunsStore().current!.runId;
    await useRunsStore().start();
    host.advance(1);
    await flushPromises();
    const ends = [
      registerPlot(
        'series',
        plot({ seen: () => ({ span: { min: 1, max: 2 }, axes: [{ min: 0, max: 5 }] }) }),
      ),
      registerPlot('portrait', plot({ seen: () => ({ isPlaneZoomed: true }) })),
    ];
    const asked = figureQuestion({ kind: 'dashboard' }, CHOICE);
    expect(asked).toMatchObject({
      figure: `dashboard:${useDashboardsStore().currentId}`,
      runId: useRunsStore().currentId,
      compared: [first],
      ...CHOICE.dashboard,
      spans: { series: { from: 1, to: 2 } },
    });
    expect(asked!.document.views).toEqual([
      { type: 'time-series', id: 'series', signals: ['x'], axes: [{ min: 0, max: 5 }] },
      {
        ...{ type: 'phase-portrait', id: 'portrait', x: 'x', y: 'y' },
        ...{ xRange: { min: 1, max: 2 }, yRange: { min: 3, max: 4 } },
      },
    ]);
    const alone = figureQuestion({ kind: 'plot', view: 'portrait' }, CHOICE);
    expect(alone).toMatchObject({ figure: 'portrait', ...CHOICE.plot, spans: {} });
    expect(alone!.document.views).toHaveLength(1);
    for (const end of ends) end();
  });

  it('has the vertical axes as they are seen, in the units of the model', () => {
    const groups = [
      { units: ['mm'], signals: ['a'] },
      { units: ['1'], signals: ['b'], isLog: true },
    ];
    const seen = axesAsSeen(
      groups,
      [
        { min: 500, max: 2000 },
        { min: -1, max: 2 },
      ],
      (k) => (k === 0 ? 1000 : 1),
    );
    expect(seen[0]).toEqual({ signals: ['a'], min: 0.5, max: 2 });
    expect(seen[1]).toMatchObject({ signals: ['b'], isLog: true });
    expect(seen[1].min).toBeCloseTo(0.1, 12);
    expect(seen[1].max).toBeCloseTo(100, 12);
  });
});

describe('the dialog', () => {
  const FormDialog = {
    props: ['open', 'disabled'],
    emits: ['submit'],
    template:
      '<form v-if="open" :data-disabled="disabled" @submit.prevent="$emit(\'submit\')"><slot name="fields" /><slot name="below" /></form>',
  };
  const mounted = () => mount(ExportFigureDialog, { global: { stubs: { FormDialog, SelectBox: true } } });
  let dialog: ReturnType<typeof mounted>;
  const end = (): void => dialog.unmount();
  async function open(view: string): Promise<void> {
    dialog = mounted();
    useDialogsStore().showFigure(view);
    await flushPromises();
  }
  const select = (id: string) => dialog.getComponent(`#export-figure-${id}`) as VueWrapper;
  const set = async (id: string, value: string): Promise<void> => {
    select(id).vm.$emit('update:modelValue', value);
    await flushPromises();
  };

  it('asks for what it says, closes with the file, and opens on the same again', async () => {
    const off = registerPlot('series', plot({}));
    await open('series');
    await set('format', '.png');
    await dialog.get('#export-figure-width').setValue(50.8);
    await dialog.get('#export-figure-height').setValue(25.4);
    await dialog.get('#export-figure-dpi').setValue(600);
    expect(dialog.get('[data-testid="export-figure-note"]').text()).toBe('1200 × 600 pixels');
    await dialog.get('form').trigger('submit');
    await flushPromises();
    // Previews are drawings, whatever the file will be.
    const files = (): unknown[] =>
      host.calls.filter(({ params }) => (params as { format?: string }).format === '.png');
    expect(files()).toMatchObject([
      {
        params: {
          figure: 'series',
          format: '.png',
          dpi: 600,
          width: 50.8,
          height: 25.4,
          style: 'publication',
        },
      },
    ]);
    expect(useDialogsStore().open).toBeNull();
    expect(useSettingsStore().values['window.figure']).toMatchObject({
      ...{ format: '.png', dpi: 600, plot: { width: 50.8, height: 25.4 } },
      dashboard: { width: 160, height: 120 },
    });
    end();
    await open('series');
    expect(dialog.get<HTMLInputElement>('#export-figure-width').element.value).toBe('50.8');
    // As on the screen: the window draws, the host makes the file.
    await set('style', 'screen');
    await dialog.get('form').trigger('submit');
    await flushPromises();
    expect(files().slice(1)).toMatchObject([
      { method: 'figure.convert', params: { width: 192, height: 96, format: '.png', dpi: 600 } },
    ]);
    off();
    end();
  });

  it('shows the figure as it will be, in the widths of journals', async () => {
    const off = registerPlot('series', plot({}));
    await open('series');
    const image = (): string | undefined =>
      dialog.find('[data-testid="figure-preview"] img').attributes('src');
    expect(image()).toMatch(/^data:image\/svg\+xml/);
    await dialog.get('#export-figure-width').setValue(100);
    await dialog.get('#export-figure-height').setValue(50);
    const springer = JOURNAL_WIDTHS.findIndex(
      ({ publisher, columns }) => publisher === 'Springer' && columns === 'two',
    );
    await set('journal', String(springer));
    expect(host.latest('figure.draw')).toMatchObject({ width: 174, height: 87, format: '.svg' });
    expect(dialog.get<HTMLInputElement>('#export-figure-width').element.value).toBe('174');
    await dialog.get('#export-figure-width').setValue(0);
    await flushPromises();
    expect(dialog.find('[data-testid="figure-preview"] img').exists()).toBe(false);
    off();
    end();
  });

  it('refuses sizes that are none, and pictures that are too large', async () => {
    const off = registerPlot('series', plot({}));
    await open('series');
    const refused = async (words: RegExp): Promise<void> => {
      await flushPromises();
      expect(dialog.get('[data-testid="export-figure-note"]').text()).toMatch(words);
      expect(dialog.get('form').attributes('data-disabled')).toBe('true');
    };
    await dialog.get('#export-figure-width').setValue(0);
    await refused(/between 0 and 2000 mm/);
    await dialog.get('#export-figure-width').setValue(2000);
    await set('format', '.png');
    await dialog.get('#export-figure-dpi').setValue(2400);
    await refused(/too many pixels/);
    off();
    end();
  });
});
