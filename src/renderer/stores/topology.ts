/** What the engine says of the topology of the present document. Asked for only while it is looked at. */
import type { ReportedTopology } from '@engine/simulation/topology-report';
import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import { useHost } from '../transport/host';
import { useDocumentStore } from './document';
import { useNoticesStore } from './notices';
import { useWorkspaceStore } from './workspace';

/** Quiet time after an edit before the document is examined, ms: longer than for a report, which is more urgent. */
const DEBOUNCE = 300;

export const useTopologyStore = defineStore('topology', () => {
  const documents = useDocumentStore();
  const workspace = useWorkspaceStore();
  /** null before the first answer, and while the document has errors */
  const topology = shallowRef<ReportedTopology | null>(null);
  /** document the answer belongs to */
  const known = shallowRef<{ session: number; version: number } | null>(null);
  const isWanted = computed(() => workspace.lowerTab === 'topology');
  const isFresh = computed(
    () => known.value?.session === documents.session && known.value.version === documents.version,
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  let inFlight: Promise<void> | null = null;

  async function ask(): Promise<void> {
    const { session, version, model } = documents;
    try {
      const answer = await useHost().dispatcher.dispatch('document.topology', { document: model });
      if (session !== documents.session) return;
      topology.value = answer.topology;
    } catch (error) {
      topology.value = null;
      useNoticesStore().failure(error);
    }
    known.value = { session, version };
  }

  /** Brings the answer up to date at once. */
  async function refresh(): Promise<void> {
    clearTimeout(timer);
    // One question at a time: edits made meanwhile are answered together by the next one.
    while (inFlight !== null) await inFlight;
    if (isFresh.value) return;
    inFlight = ask().finally(() => {
      inFlight = null;
    });
    await inFlight;
    if (!isFresh.value && isWanted.value) await refresh();
  }

  watch(
    isWanted,
    (wanted) => {
      if (wanted) void refresh();
    },
    { immediate: true },
  );
  watch(
    () => [documents.session, documents.version],
    () => {
      clearTimeout(timer);
      if (isWanted.value) timer = setTimeout(() => void refresh(), DEBOUNCE);
    },
  );
  watch(
    () => documents.session,
    () => {
      topology.value = null;
      known.value = null;
    },
    { flush: 'sync' },
  );

  return { topology, isFresh, refresh };
});
