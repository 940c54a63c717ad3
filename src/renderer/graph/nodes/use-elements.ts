/**
 * What of the graph is drawn now, and how: the scene, which nodes are cards, and these as the library takes
 * them.
 */
import type { Edge, Node } from '@vue-flow/core';
import { computed, shallowRef, watch } from 'vue';
import { groupsByMember } from '../../document/frames';
import { useCatalogueStore } from '../../stores/catalogue';
import { useDrawingStore } from '../../stores/drawing';
import { useRunsStore } from '../../stores/runs';
import { cardContext, FlowElements, type LinkData, type NodeData } from '../canvas/flow';
import { groupBox, notesById } from '../frames/frames';
import { isNamed, labelPlaces } from '@figures/circuit/wires';
import { isOwn, portOf } from '@figures/circuit/own-components';
import { isNamedThere } from '@figures/circuit/values';
import { useCircuitStore } from '../circuit/circuit-store';
import { wordsAt, wordZoom } from '../circuit/words';
import { useGraphStore } from '../graph-store';
import type { Point } from '../arrangement/layout';
import { useNodePlaces } from '../arrangement/node-places';
import { contains, type Rectangle } from '../frames/rectangles';
import { buildScene, type SceneNode } from '../canvas/scene';
import { around, cardsIn, detailAt, seenBy, type View } from '../canvas/viewing';

/** An area this many times as large as what is seen holds more cards than are looked at. */
const TOO_WIDE = 2.6;

/** How far some nodes follow a drag that the library does not know of. */
export interface Following {
  /** everything that is dragged, also what the library moves */
  readonly dragged: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
  readonly by: Point;
}

/** @param isHeld while true, for a drag, the same nodes stay cards */
export function useElements(view: () => View, isHeld: () => boolean, following: () => Following | null) {
  const documents = useDrawingStore();
  const report = useDrawingStore();
  const catalogue = useCatalogueStore();
  const graph = useGraphStore();
  const places = useNodePlaces();
  const circuit = useCircuitStore();
  const runs = useRunsStore();
  const flow = new FlowElements();

  const scene = computed(() =>
    buildScene(
      places.drawn,
      report.report,
      places.positions,
      documents.model.layout,
      circuit.built.size === 0 ? circuit.components : new Map([...circuit.components, ...circuit.built]),
    ),
  );
  const detail = computed(() => detailAt(view().zoom));
  const context = computed(() =>
    cardContext({ document: documents.model, report: report.report, catalogue: catalogue.catalogue }),
  );
  /** the part of the drawing whose nodes are ready; it moves on before the view has left it */
  const area = shallowRef<Rectangle>({ x: 0, y: 0, width: 0, height: 0 });
  watch(
    view,
    (now) => {
      const seen = seenBy(now);
      graph.seen = seen.width > 0 ? seen : null;
      const ready = area.value;
      if (!contains(ready, seen) || ready.width > TOO_WIDE * seen.width) area.value = around(seen);
    },
    { immediate: true },
  );

  const active = computed(() => {
    const { active: id } = graph;
    if (id !== null && scene.value.byId.has(id)) return id;
    return (scene.value.nodes.find(({ kind }) => kind !== 'frame') ?? scene.value.nodes[0])?.id ?? null;
  });

  const cards = shallowRef<ReadonlySet<string>>(new Set());
  const wanted = computed(() =>
    cardsIn(scene.value, area.value, detail.value, active.value === null ? [] : [active.value]),
  );
  watch(
    [() => wanted.value, () => isHeld()],
    ([next, held]) => {
      if (held) return;
      const now = cards.value;
      if (now.size !== next.size || [...next].some((id) => !now.has(id))) cards.value = next;
    },
    { immediate: true, flush: 'sync' },
  );

  /**
   * A node as it is shown during a drag: moved along, or a frame that stays around members that are moved.
   */
  function duringDrag(still: SceneNode, { ids, dragged, by }: Following): SceneNode {
    if (ids.has(still.id)) return { ...still, x: still.x + by.x, y: still.y + by.y };
    if (still.kind !== 'frame' || still.group === undefined) return still;
    const { layout } = documents.model;
    const members = still.group.members.filter((id) => groupsByMember(layout).get(id) === still.group);
    const box = groupBox({ ...still.group, members }, places.positions, notesById(layout), { dragged, by });
    return box === null ? still : { ...still, ...box };
  }

  const nodes = computed(() => {
    const { nodes: all, byId } = scene.value;
    const list: Node<NodeData>[] = [];
    const ids = cards.value.size < all.length ? cards.value : byId.keys();
    for (const id of ids) {
      const still = byId.get(id);
      if (still === undefined) continue;
      const follows = following();
      const node = follows === null ? still : duringDrag(still, follows);
      const data = flow.data(context.value, places.drawn, documents.model, node);
      list.push(flow.node(node, data, { isSelected: graph.chosen.has(id), isActive: id === active.value }));
    }
    return list;
  });

  const edges = computed(() => {
    const list: Edge<LinkData>[] = [];
    for (const link of scene.value.links) {
      if (!cards.value.has(link.source) || !cards.value.has(link.target)) continue;
      const edge = flow.edge(scene.value, link, graph.chosenLink === link.id);
      if (edge !== null) list.push(edge);
    }
    for (const link of scene.value.signals) {
      if (!cards.value.has(link.source) || !cards.value.has(link.target)) continue;
      const edge = flow.signal(scene.value, link);
      if (edge !== null) list.push(edge);
    }
    return list;
  });

  const step = computed(() => wordZoom(view().zoom));
  /** whether figures of a run stand below the values */
  const hasFigures = computed(() => graph.showsLive && runs.current !== null);
  const words = computed(() => {
    const figure = hasFigures.value ? '-100 mA' : '';
    const data = new Map(nodes.value.map((node) => [node.id, node.data]));
    const drawn = [...circuit.components.values(), ...circuit.built.values()]
      .filter(({ component: { id } }) => scene.value.byId.has(id))
      .map((one) => {
        const { id } = one.component;
        const isNameless =
          one.definition !== undefined &&
          !isNamedThere(one.definition) &&
          portOf(id) === null &&
          !isOwn(one.component.type);
        const values = data.get(id)?.component?.values ?? '';
        return {
          ...one,
          name: isNameless ? '' : (portOf(id) ?? id),
          values: values === '' && data.has(id) && !isNameless ? figure : values,
          lines: values !== '' && figure !== '' ? 2 : 1,
        };
      });
    const named = [...circuit.wires, ...circuit.builtWires]
      .filter(isNamed)
      .flatMap((wire) => labelPlaces(wire).map((place) => ({ id: wire.id, ...place })));
    return wordsAt(step.value, drawn, named, graph.chosen);
  });

  return { scene, detail, cards, nodes, edges, active, words, area };
}
