/** Where everything in the graph stands: places of the document, and computed ones for what has none. */
import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import type { LayoutDocument, NodePlace } from '@engine/document/types';
import { layeredPlaces } from '@figures/circuit/arrange';
import { groupsByMember } from '../../document/frames';
import { text } from '../../i18n';
import { groupBox, type Places } from '../frames/frames';
import { useDrawingStore } from '../../stores/drawing';
import { useWorkspaceStore } from '../../stores/workspace';
import { arrangeInWorker, type Arranging } from './arrange';
import {
  type LaidOutElements,
  gridLayout,
  layeredLayout,
  ofElements,
  placedBelow,
  type Point,
  withoutPlace,
} from './layout';
import { useCircuitStore } from '../circuit/circuit-store';
import { drawnElements } from '../canvas/scene';

/** A layout of so few elements takes less than a frame, and no worker. */
const MOST_AT_ONCE = 40;

const count = ({ systems, interactions }: LaidOutElements): number => systems.length + interactions.length;

/** Tells layouts apart: ids and links. */
const keyOf = ({ systems, interactions }: LaidOutElements): string =>
  `${systems.map(({ id }) => id).join(' ')}|${interactions
    .map(({ id, systems: linked }) => `${id}:${linked.join(',')}`)
    .join(' ')}`;

/** Notes stay where they are; those of a group go where it goes. */
function carryNotes(layout: LayoutDocument, before: Places, after: Places): void {
  const groups = groupsByMember(layout);
  for (const note of layout.notes ?? []) {
    const group = groups.get(note.id);
    if (group === undefined) continue;
    const was = groupBox({ ...group, collapsed: false }, before, new Map());
    const is = groupBox({ ...group, collapsed: false }, after, new Map());
    if (was === null || is === null) continue;
    note.x = Math.round(note.x + is.x - was.x);
    note.y = Math.round(note.y + is.y - was.y);
  }
}

export const useNodePlaces = defineStore('graph-places', () => {
  const documents = useDrawingStore();
  const report = useDrawingStore();
  const workspace = useWorkspaceStore();
  /** built elements are drawn one by one, however many there are */
  const isExpanded = shallowRef(false);
  /** share of a layout that is being computed; null while none is */
  const progress = shallowRef<number | null>(null);
  const arranged = shallowRef<{ key: string; positions: Record<string, Point> } | null>(null);
  let running: (Arranging & { key: string }) | null = null;

  const drawn = computed(() => drawnElements(documents.model, report.report, isExpanded.value));
  const missing = computed(() => withoutPlace(drawn.value, documents.model.layout.nodes));
  const missingKey = computed(() => (missing.value === null ? '' : keyOf(missing.value)));
  const atOnce = computed(() => {
    return missing.value !== null && count(missing.value) <= MOST_AT_ONCE
      ? layeredLayout(missing.value)
      : null;
  });
  /** Stands in until the worker has answered. */
  const provisional = computed(() => (missing.value === null ? {} : gridLayout(missing.value)));

  const circuit = useCircuitStore();

  const cardPositions = computed<Readonly<Record<string, Point>>>(() => {
    const placed = documents.model.layout.nodes;
    if (missing.value === null) return placed;
    const own = ofElements(drawn.value, placed);
    const known = arranged.value;
    const rest = atOnce.value ?? (known?.key === missingKey.value ? known.positions : provisional.value);
    return placedBelow(own, rest);
  });

  /** upper left corners; those of components with their sizes, which are not those of cards */
  const positions = computed<Readonly<Record<string, Point>>>(() => {
    if (!circuit.hasComponents) return cardPositions.value;
    const boxes = [...circuit.components].map(([id, { box }]) => [id, box] as const);
    return { ...cardPositions.value, ...Object.fromEntries(boxes) };
  });

  /** Ends a layout that is being computed: a grid stands in for it. */
  function cancel(): void {
    running?.cancel();
  }

  async function compute(elements: LaidOutElements, key: string): Promise<Record<string, Point> | null> {
    cancel();
    progress.value = 0;
    const mine = { ...arrangeInWorker(elements, (share) => (progress.value = share)), key };
    running = mine;
    try {
      return await mine.positions;
    } catch {
      // Without a worker the grid, which is computed at once, has to do.
      return gridLayout(elements);
    } finally {
      if (running === mine) {
        running = null;
        progress.value = null;
      }
    }
  }

  watch(
    missingKey,
    async (key) => {
      const elements = missing.value;
      if (elements === null || atOnce.value !== null) {
        if (running?.key !== 'all') cancel();
        return;
      }
      // An undo leads back to what has been laid out already.
      if (arranged.value?.key === key) return;
      const found = await compute(elements, key);
      if (key !== missingKey.value) return;
      arranged.value = { key, positions: found ?? gridLayout(elements) };
      if (Object.keys(documents.model.layout.nodes).length === 0) workspace.fitRequest++;
    },
    { immediate: true },
  );

  /** Places of the components in layers, below those of the elements. */
  function arrangedComponents(): Record<string, NodePlace> {
    const { components = [], wires = [] } = documents.model;
    const turns = (id: string): Pick<NodePlace, 'turns' | 'mirrored'> => {
      const { turns: own, mirrored } = circuit.places.get(id) ?? {};
      return { ...(own !== undefined && { turns: own }), ...(mirrored !== undefined && { mirrored }) };
    };
    const found = layeredPlaces(components, wires, (type) => circuit.definitions.get(type));
    return Object.fromEntries([...found].map(([id, { x, y }]) => [id, { x, y, ...turns(id) }]));
  }

  /** Lays out the whole graph again, as one undoable step. */
  async function arrangeAll(): Promise<void> {
    const { session, model } = documents;
    const groups = (model.layout.groups ?? []).map(({ id, members, collapsed = false }) => ({
      id,
      members,
      collapsed,
    }));
    const elements: LaidOutElements = { systems: model.systems, interactions: model.interactions, groups };
    if (count(elements) === 0 && !circuit.hasComponents) return;
    const found = count(elements) <= MOST_AT_ONCE ? layeredLayout(elements) : await compute(elements, 'all');
    if (found === null || session !== documents.session) return;
    documents.edit(text('command.arrange'), (draft) => {
      carryNotes(draft.layout, positions.value, found);
      const placed = arrangedComponents();
      draft.layout.nodes = { ...placed, ...found };
      if (circuit.hasComponents) delete draft.layout.wires;
    });
    workspace.fitRequest++;
  }

  watch(
    () => documents.session,
    () => {
      cancel();
      isExpanded.value = false;
    },
  );

  return { drawn, positions, progress, isExpanded, cancel, arrangeAll };
});
