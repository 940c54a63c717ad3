/** What the graph editor shows beside the document. Nothing here belongs to the model. */
import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import { useDrawingStore } from '../stores/drawing';
import { perDocument } from '../stores/per-document';
import { useSettingsStore } from '../stores/settings';
import { useWorkspaceStore } from '../stores/workspace';
import type { Point } from './arrangement/layout';
import { useNodePlaces } from './arrangement/node-places';
import type { Rectangle } from './frames/rectangles';

/** Where the drawing is, and how large. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** A wish that the view shows some nodes; `request` makes repeated wishes distinct. */
export interface ViewWish {
  /** null: everything */
  readonly ids: readonly string[] | null;
  /** moves the focus there, too, or does only that */
  readonly focus: boolean | 'only';
  readonly request: number;
}

/** A panel over the graph. */
export type GraphPanel =
  | {
      readonly kind: 'palette';
      readonly at: Point | null;
      readonly search: string;
      /** pin that what is added is wired to */
      readonly from?: string;
      /** system or interaction that what is added is linked to */
      readonly link?: string;
    }
  | { readonly kind: 'search' }
  | { readonly kind: 'link'; readonly from: string }
  /** pins and wires that a wire from a pin may lead to */
  | { readonly kind: 'wire'; readonly from: string; readonly search: string };

/** A wire that is being drawn by keys. */
interface KeyedWire {
  /** pin that it begins at; null while that is being chosen */
  readonly from: string | null;
  /** pin that the arrows have come to */
  readonly at: string;
}

export const useGraphStore = defineStore('graph', () => {
  const documents = useDrawingStore();
  const settings = useSettingsStore();
  const workspace = useWorkspaceStore();
  const places = useNodePlaces();
  /** groups and notes that are chosen beside systems and interactions */
  const frames = shallowRef<ReadonlySet<string>>(new Set());
  const chosen = computed<ReadonlySet<string>>(() => new Set([...workspace.selectedIds, ...frames.value]));
  /** id of the chosen link; null while none is */
  const chosenLink = shallowRef<string | null>(null);
  /** the stretch of a wire that is chosen */
  const chosenBranch = shallowRef<{ wire: string; branch: number } | null>(null);
  /** the node that keys act on */
  const active = shallowRef<string | null>(null);
  /** the group that is being named, or the note that is being written, in place */
  const editing = shallowRef<string | null>(null);
  const panel = shallowRef<GraphPanel | null>(null);
  const keyedWire = shallowRef<KeyedWire | null>(null);
  /** where the drawing of each document was looked at last; null while it never was */
  const viewports = perDocument<Readonly<Record<string, Viewport>>>(() => ({}));
  const viewport = computed<Viewport | null>({
    get: () => viewports.value[documents.key] ?? null,
    set: (next) => {
      if (next !== null) viewports.value = { ...viewports.value, [documents.key]: next };
    },
  });
  /** the part of the drawing that is looked at; null while none is */
  const seen = shallowRef<Rectangle | null>(null);
  const wish = shallowRef<ViewWish>({ ids: null, focus: false, request: 0 });
  /** place that was pointed at last, in the drawing: pasted elements go there */
  const pointer = shallowRef<Point | null>(null);
  /** text of what was copied last, for windows that may not read the clipboard */
  const copied = shallowRef('');
  const showsLive = computed(() => settings.values['window.graphLive']);

  const elementIds = computed(
    () =>
      new Set(
        [
          ...places.drawn.systems,
          ...places.drawn.interactions,
          ...(documents.model.components ?? []),
          ...(documents.model.wires ?? []),
        ].map(({ id }) => id),
      ),
  );

  /** Makes a set of nodes the chosen ones; systems and interactions are shown in the inspector. */
  function choose(ids: Iterable<string>): void {
    const all = [...new Set(ids)];
    const elements = all.filter((id) => elementIds.value.has(id));
    chosenLink.value = null;
    chosenBranch.value = null;
    active.value = all.at(-1) ?? active.value;
    if (elements.length > 0 || workspace.selectedIds.length > 0 || all.length === 0)
      workspace.selectElements(elements);
    frames.value = new Set(all.filter((id) => !elementIds.value.has(id)));
  }

  function toggle(id: string): void {
    const next = new Set(chosen.value);
    if (!next.delete(id)) next.add(id);
    choose(next);
  }

  function show(ids: readonly string[] | null, focus = false): void {
    wish.value = { ids, focus, request: wish.value.request + 1 };
  }

  /** Moves the focus to a node, and the view only where that is out of sight. */
  function focusOn(id: string): void {
    wish.value = { ids: [id], focus: 'only', request: wish.value.request + 1 };
  }

  const showsLegend = computed(() => showsLive.value && settings.values['window.graphLegend']);
  const toggleLegend = (): Promise<void> =>
    settings.set('window.graphLegend', !settings.values['window.graphLegend']);
  const toggleLive = (): Promise<void> => settings.set('window.graphLive', !showsLive.value);

  watch(
    () => workspace.selection,
    (selection) => {
      frames.value = new Set();
      chosenLink.value = null;
      chosenBranch.value = null;
      if (selection.kind === 'element') active.value = selection.id;
    },
    { flush: 'sync', immediate: true },
  );
  watch(
    () => documents.key,
    () => {
      panel.value = null;
      editing.value = null;
      keyedWire.value = null;
    },
  );

  return {
    chosen,
    chosenLink,
    chosenBranch,
    active,
    editing,
    panel,
    keyedWire,
    viewport,
    seen,
    wish,
    pointer,
    copied,
    showsLive,
    choose,
    toggle,
    show,
    focusOn,
    toggleLive,
    showsLegend,
    toggleLegend,
  };
});
