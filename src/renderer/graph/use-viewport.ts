/** Keeps where the drawing of each document was looked at: another tab does not move it. */
import { nextTick, watch } from 'vue';
import { useDocumentStore } from '../stores/document';
import { useGraphStore } from './graph-store';
import type { View } from './viewing';

interface Surroundings {
  readonly view: () => View;
  readonly restore: (viewport: Pick<View, 'x' | 'y' | 'zoom'>) => void;
  readonly fit: () => void;
}

export function useViewport({ view, restore, fit }: Surroundings): void {
  const documents = useDocumentStore();
  const graph = useGraphStore();
  /** document that the view belongs to; null while it is on its way from one to another */
  let owner: number | null = null;

  function place(): void {
    if (view().width === 0) return;
    owner = documents.session;
    if (graph.viewport === null) fit();
    else restore(graph.viewport);
  }

  watch(
    () => documents.session,
    () => {
      owner = null;
      void nextTick(() => requestAnimationFrame(place));
    },
  );
  // The first picture: as soon as the pane has a size.
  watch(
    () => view().width > 0,
    (hasSize) => {
      if (hasSize) place();
    },
  );
  watch(view, ({ x, y, zoom, width }) => {
    if (owner === documents.session && width > 0) graph.viewport = { x, y, zoom };
  });
}
