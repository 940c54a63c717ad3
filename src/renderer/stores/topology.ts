/** What the engine says of the topology of the present document. Asked for only while it is looked at. */
import type { ReportedTopology } from '@engine/inspection/topology-report';
import { defineStore } from 'pinia';
import { computed, watch } from 'vue';
import { useHost } from '../transport/host';
import { useDocumentStore } from './document';
import { useNoticesStore } from './notices';
import { perDocument, setOfDocument } from './per-document';
import { useWorkspaceStore } from './workspace';

/**
 * Quiet time after an edit before the document is examined, ms: longer than for a report, which is more
 * urgent.
 */
const DEBOUNCE = 300;

export const useTopologyStore = defineStore('topology', () => {
  const documents = useDocumentStore();
  const workspace = useWorkspaceStore();
  /** null before the first answer, and while the document has errors */
  const topology = perDocument<ReportedTopology | null>(() => null);
  /** version of the document that the answer belongs to */
  const known = perDocument<number | null>(() => null);
  const isWanted = computed(() => workspace.lowerTab === 'topology');
  const isFresh = computed(() => known.value === documents.version);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let inFlight: Promise<void> | null = null;

  async function ask(): Promise<void> {
    const { session, version, model } = documents;
    try {
      const answer = await useHost().dispatcher.dispatch('document.topology', { document: model });
      setOfDocument(topology, session, answer.topology);
    } catch (error) {
      setOfDocument(topology, session, null);
      useNoticesStore().failure(error);
    }
    setOfDocument(known, session, version);
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
    () => documents.version,
    () => {
      clearTimeout(timer);
      if (isWanted.value && !isFresh.value) timer = setTimeout(() => void refresh(), DEBOUNCE);
    },
  );
  return { topology, isFresh, refresh };
});
