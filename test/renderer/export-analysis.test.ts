/** Results of analyses become data files: from their pane, through the host, to the user. */
import { DOMWrapper, flushPromises, mount, type VueWrapper } from '@vue/test-utils';
import { TooltipProvider } from 'reka-ui';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defineComponent, h } from 'vue';
import AnalysesPane from '@renderer/analysis/AnalysesPane.vue';
import { addAnalysis } from '@renderer/analysis/edits';
import ExportAnalysisDialog from '@renderer/exchange/ExportAnalysisDialog.vue';
import { useAnalysesStore } from '@renderer/stores/analyses';
import { useDocumentStore } from '@renderer/stores/document';
import { useNoticesStore } from '@renderer/stores/notices';
import type { FakeHost } from './fake/host';
import { openCamFollower } from './setup';

let host: FakeHost;
let wrapper: VueWrapper;

beforeEach(async () => {
  host = await openCamFollower();
  const panes = [h(AnalysesPane), h(ExportAnalysisDialog)];
  const all = defineComponent(() => () => h(TooltipProvider, null, { default: () => panes }));
  wrapper = mount(all, { attachTo: document.body });
  addAnalysis('lyapunov');
  await flushPromises();
});
afterEach(() => wrapper.unmount());

const button = () => wrapper.get<HTMLButtonElement>('[data-testid="analysis-export"]');
const calls = (method: string): unknown[] =>
  host.calls.filter((call) => call.method === method).map(({ params }) => params);

async function compute(): Promise<string> {
  const id = useAnalysesStore().selected?.id ?? '';
  await useAnalysesStore().start(id);
  await flushPromises();
  return id;
}

async function save(): Promise<void> {
  await button().trigger('click');
  await flushPromises();
  const form = document.querySelector('[role="dialog"] form');
  if (form === null) throw new Error('the dialog is not open');
  await new DOMWrapper(form).trigger('submit');
  await flushPromises();
}

describe('what an analysis has found', () => {
  it('is written by the host and handed over by its ticket', async () => {
    expect(wrapper.find('[data-testid="analysis-export"]').exists()).toBe(false);
    const analysis = await compute();
    host.shellAnswers['shell.takeExport'] = { name: 'exponents.csv' };
    await save();
    expect(calls('analysis.export')).toEqual([
      expect.objectContaining({ analysis, format: '.csv', document: useDocumentStore().model }),
    ]);
    expect(host.shellCalls.find(({ method }) => method === 'shell.takeExport')?.params).toMatchObject({
      ticket: 'y'.repeat(32),
      suggestedName: expect.stringMatching(/lyapunov\.csv$/) as string,
    });
    expect(document.querySelector('[role="dialog"]')).toBeNull();
  });

  it('stays on the screen where it cannot be written, with the reason', async () => {
    await compute();
    const { job } = useAnalysesStore().infoOf(useAnalysesStore().selected?.id ?? '') ?? { job: '' };
    await host.dispatcher.dispatch('analysis.forget', { job });
    await save();
    expect(useNoticesStore().notices.map(({ message }) => message)).toContain('no such analysis');
    expect(document.querySelector('[role="dialog"]')).not.toBeNull();
  });

  it('is not exported as that of a model that has changed since', async () => {
    const id = await compute();
    expect(button().element.disabled).toBe(false);
    useDocumentStore().edit('another question', (draft) => {
      Object.assign(draft.analyses?.[0] ?? {}, { duration: 7 });
    });
    await useAnalysesStore().refresh();
    await flushPromises();
    expect(useAnalysesStore().outcomeOf(id)).not.toBeNull();
    expect(button().element.disabled).toBe(true);
  });
});
