/** Pinia and a fake host for tests of stores and components. */
import type { ModelDocument } from '@engine/document/types';
import type { Draft } from 'mutative';
import { createPinia, setActivePinia } from 'pinia';
import { installHost } from '@renderer/transport/host';
import { useCatalogueStore } from '@renderer/stores/catalogue';
import { useDocumentStore } from '@renderer/stores/document';
import { useReportStore } from '@renderer/stores/report';
import { camFollower } from './fake/cam-follower';
import { fakeHost, type FakeHost } from './fake/host';

/** Changes the mass of the first system, inside an edit. */
export function setMass(draft: Draft<ModelDocument>, value: number | string): void {
  const [system] = draft.systems;
  if (system !== undefined) system['mass'] = [[value]];
}

/** A fresh set of stores with the catalogue loaded, the cam-follower open and its report known. */
export async function openCamFollower(options: Parameters<typeof fakeHost>[0] = {}): Promise<FakeHost> {
  const host = fakeHost(options);
  installHost(host);
  setActivePinia(createPinia());
  await useCatalogueStore().load();
  useDocumentStore().load(camFollower(), null);
  await useReportStore().refresh();
  return host;
}
