/** What is known of the analyses of a model that changes while the host answers. */
import { flushPromises } from '@vue/test-utils';
import { afterEach, expect, it, vi } from 'vitest';
import { addAnalysis } from '@renderer/analysis/edits';
import { useAnalysesStore } from '@renderer/stores/analyses';
import { useDocumentStore } from '@renderer/stores/document';
import { openCamFollower, setMass } from './setup';

afterEach(() => {
  vi.restoreAllMocks();
});

it('an analysis that was started before an edit is not taken for one of the edited model', async () => {
  const host = await openCamFollower();
  const store = useAnalysesStore();
  addAnalysis('lyapunov');
  await flushPromises();
  const id = store.selected?.id ?? '';
  const dispatch = host.dispatcher.dispatch.bind(host.dispatcher);
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  vi.spyOn(host.dispatcher, 'dispatch').mockImplementation(async (method, params) => {
    const result = await dispatch(method, params);
    if (method === 'analysis.start') await held;
    // The host knows nothing of the edited model.
    return method === 'analysis.find' ? [null] : result;
  });
  const starting = store.start(id);
  await flushPromises();
  useDocumentStore().edit('mass', (draft) => setMass(draft, 2));
  await store.refresh();
  answer();
  await starting;
  expect(store.infoOf(id)).toBeNull();
});
