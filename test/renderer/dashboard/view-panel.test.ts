/** A plot of which a file says what cannot be meant: it keeps its place, and is reported. */
import type { ViewDocument } from '@engine/document/types';
import { mount } from '@vue/test-utils';
import { expect, it } from 'vitest';
import ViewPanel from '@renderer/dashboard/board/ViewPanel.vue';
import { useDashboardsStore } from '@renderer/stores/dashboards';
import { useDocumentStore } from '@renderer/stores/document';
import { openCamFollower } from '../setup';

it.each<[object, string]>([
  [{ type: 'time-series', signals: 5 }, '/signals'],
  [{ type: 'time-series', signals: [], axes: { min: 0 } }, '/axes'],
  [{ type: 'time-series', signals: [], annotations: [{ text: 'peak' }] }, '/annotations/0/t'],
  [{ type: 'phase-portrait', x: 'a', y: 'b', xRange: [] }, '/xRange'],
  [{ type: 'hologram' }, '/type'],
])('%j', async (members, place) => {
  await openCamFollower();
  const view = { id: 'odd', ...members } as unknown as ViewDocument;
  useDocumentStore().edit('views', (draft) => {
    draft.views = [view];
    draft.dashboards = [null, 7, { id: 'd', layout: { tabs: ['odd'] } }] as never;
  });
  expect(useDashboardsStore().seen).toEqual(['odd']);
  const panel = mount(ViewPanel, { props: { view } });
  expect(panel.get('[role=note]').text()).toContain(`cannot be drawn: its ${place} is not valid`);
  panel.unmount();
});
