/** Keeps where the drawing of each document was looked at: another tab does not move it. */
import { nextTick, watch } from 'vue';
import { useDrawingStore } from '../../stores/drawing';
import { useGraphStore } from '../graph-store';
import type { View } from './viewing';

interface Surroundings {
  readonly view: () => View;
  readonly restore: (viewport: Pick<View, 'x' | 'y' | 'zoom'>) => void;
  readonly fit: () => void;
  /** number of nodes of the drawing */
  readonly count: () => number;
}

export function useViewport({ view, restore, fit, count }: Surroundings): void {
  const documents = useDrawingStore();
  const graph = useGraphStore();
  /** drawing that the view belongs to; null while it is on its way from one to another */
  let owner: string | null = null;
  /** the view as it was last fitted; the user has not moved it while it stands so */
  let fitted: string | null = null;

  const standing = (): string => {
    const { x, y, zoom } = view();
    return `${x} ${y} ${zoom}`;
  };

  function fitAll(): void {
    fit();
    // The library takes the new view over in its own time.
    void nextTick(() => (fitted = standing()));
  }

  function place(): void {
    if (view().width === 0) return;
    owner = documents.key;
    if (graph.viewport === null) fitAll();
    else restore(graph.viewport);
  }

  watch(
    () => documents.key,
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
  // What a script builds is known a moment after the document.
  watch(count, (now, before) => {
    if (owner === documents.key && fitted === standing() && Math.abs(now - before) > 1) void nextTick(fitAll);
  });
  // A drawing that was fitted stays so in a pane of another size.
  watch(
    () => `${view().width} ${view().height}`,
    () => {
      if (owner === documents.key && view().width > 0 && fitted === standing()) fitAll();
    },
  );
  watch(view, ({ x, y, zoom, width }) => {
    if (owner === documents.key && width > 0) graph.viewport = { x, y, zoom };
  });
}
