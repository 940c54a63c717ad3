/**
 * Panels ask the host when something has changed, and then once: one that asks again at each answer keeps a
 * core busy for nothing.
 */
import type { ViewDocument } from '@engine/document/types';
import { flushPromises, mount } from '@vue/test-utils';
import { expect, it } from 'vitest';
import { nextTick } from 'vue';
import ViewPanel from '@renderer/dashboard/board/ViewPanel.vue';
import { viewKinds } from '@views/offers';
import { useDocumentStore } from '@renderer/stores/document';
import { useReportStore } from '@renderer/stores/report';
import { useRunsStore } from '@renderer/stores/runs';
import { openCamFollower } from '../setup';

/** Charts need a canvas, hints a provider. */
const stubs = {
  PlotSurface: true,
  PlotFrame: { template: '<section><slot /></section>' },
  IconButton: { template: '<button />' },
  HintTooltip: true,
};

/** Far more calls than any panel has to make. */
const MOST = 200;

it.each(viewKinds.filter(({ type }) => type !== 'animation').map(({ type }) => type))('%s', async (type) => {
  const host = await openCamFollower();
  // One that goes on asking must not hold the test up.
  const known = host.dispatcher.dispatch.bind(host.dispatcher);
  host.dispatcher.dispatch = (method, params) =>
    host.calls.length < MOST ? known(method, params) : new Promise<never>(() => undefined);
  await useRunsStore().start();
  host.advance(1);
  await flushPromises();
  const kind = viewKinds.find((one) => one.type === type)!;
  const document = useDocumentStore().model as never;
  const view: ViewDocument = kind.create('one', { document, signals: useReportStore().signals });
  const panel = mount(ViewPanel, { props: { view }, global: { stubs } });
  for (let i = 0; i < 20; i++) {
    await flushPromises();
    await nextTick();
  }
  const settled = host.calls.length;
  expect(settled).toBeLessThan(MOST);
  for (let i = 0; i < 20; i++) {
    await flushPromises();
    await nextTick();
  }
  expect(host.calls.slice(settled)).toEqual([]);
  panel.unmount();
});
