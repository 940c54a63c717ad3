/**
 * Given Jacobians compared with derived ones, and how the others are obtained: what the script pane lists on
 * demand.
 */
import type { DerivativeReview } from '@contract/methods';
import type { Derivatives } from '@engine/document/types';
import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import { text } from '../i18n';
import { useHost } from '../transport/host';
import { useDocumentStore } from './document';
import { useNoticesStore } from './notices';
import { perDocument, setOfDocument } from './per-document';
import { useWorkspaceStore } from './workspace';

export const useDerivativesStore = defineStore('derivatives', () => {
  const documents = useDocumentStore();
  const workspace = useWorkspaceStore();
  const isOpen = perDocument(() => false);
  const review = perDocument<DerivativeReview | null>(() => null);
  const checking = shallowRef(false);
  /** version of the document that the review is of */
  const version = perDocument(() => -1);
  const stale = computed(() => review.value !== null && version.value !== documents.version);

  /** Compares, and shows the result in the script pane. */
  async function check(): Promise<void> {
    workspace.modelTab = 'script';
    isOpen.value = true;
    if (checking.value) return;
    checking.value = true;
    try {
      const { version: asked, session, model: document } = documents;
      const answer = await useHost().dispatcher.dispatch('document.derivatives', { document });
      setOfDocument(review, session, answer);
      setOfDocument(version, session, asked);
    } catch (error) {
      useNoticesStore().failure(error);
    } finally {
      checking.value = false;
    }
  }

  /** Chooses where Jacobians come from that are not given, and looks again. */
  async function choose(derivatives: Derivatives): Promise<void> {
    const label = derivatives === 'automatic' ? 'derivatives.automaticAgain' : 'derivatives.accepted';
    documents.edit(text(label), (draft) => {
      if (derivatives === 'automatic') delete draft.simulation.derivatives;
      else draft.simulation.derivatives = derivatives;
    });
    await check();
  }

  return { isOpen, review, checking, stale, check, choose };
});
