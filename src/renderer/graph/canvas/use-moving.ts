/**
 * Dragging nodes: those that the library moves, and what follows them or is taken by its name or from the
 * canvas.
 */
import type { NodeDragEvent } from '@vue-flow/core';
import { computed, shallowRef } from 'vue';
import { useDrawingStore } from '../../stores/drawing';
import { dropIntoWire } from '../editing/circuit-edits';
import { moveNodes } from '../editing/edits';
import { isGroupNode, noteNode, notesById, withMembers } from '../frames/frames';
import { useGraphStore } from '../graph-store';
import type { Point } from '../arrangement/layout';
import { isMovableCard, type GraphScene, type SceneNode } from './scene';
import type { Following } from '../nodes/use-elements';

const NOWHERE: Point = { x: 0, y: 0 };

export function useMoving(scene: () => GraphScene) {
  const graph = useGraphStore();
  const documents = useDrawingStore();
  /** node that is being dragged, by the library or by the gestures of the drawing */
  const taken = shallowRef<{ id: string; byLibrary: boolean } | null>(null);
  const shift = shallowRef<Point>(NOWHERE);
  const isHeld = computed(() => taken.value?.byLibrary === true);

  const movedNodes = (id: string): string[] => (graph.chosen.has(id) ? [...graph.chosen] : [id]);

  /** Everything that goes along with a drag. */
  const moving = computed<ReadonlySet<string>>(() => {
    if (taken.value === null) return new Set();
    const { layout } = documents.model;
    const nodes = movedNodes(taken.value.id);
    const notes = notesById(layout);
    const members = [...withMembers(nodes.filter(isGroupNode), layout)];
    return new Set([...nodes, ...members.map((id) => (notes.has(id) ? noteNode(id) : id))]);
  });

  /** What has to be shown elsewhere by us: the library moves chosen nodes itself, of those that it may. */
  const following = computed<Following | null>(() => {
    if (taken.value === null || (shift.value.x === 0 && shift.value.y === 0)) return null;
    const { id, byLibrary } = taken.value;
    const own = new Set(byLibrary ? [id, ...graph.chosen] : []);
    const ids = [...moving.value].filter(
      (node) => !own.has(node) || scene().byId.get(node)?.kind === 'frame',
    );
    return { ids: new Set(ids), dragged: moving.value, by: shift.value };
  });

  /** Moves what goes along with a node by what that was dragged by. */
  function moveBy(id: string, by: Point): void {
    if (movedNodes(id).length === 1 && dropIntoWire(id, by)) return;
    const moved = movedNodes(id).flatMap((other): [string, Point][] => {
      const node = scene().byId.get(other);
      return node === undefined || !isMovableCard(node)
        ? []
        : [[other, { x: node.x + by.x, y: node.y + by.y }]];
    });
    moveNodes(Object.fromEntries(moved));
  }

  function shiftOf({ node }: NodeDragEvent): Point {
    const { x, y } = scene().byId.get(node.id) ?? NOWHERE;
    return { x: node.position.x - x, y: node.position.y - y };
  }

  function onDragStart({ node }: NodeDragEvent): void {
    shift.value = NOWHERE;
    if (!graph.chosen.has(node.id)) graph.choose([node.id]);
    taken.value = { id: node.id, byLibrary: true };
  }

  function onDragStop(event: NodeDragEvent): void {
    const by = shiftOf(event);
    taken.value = null;
    shift.value = NOWHERE;
    if (by.x !== 0 || by.y !== 0) moveBy(event.node.id, by);
  }

  /** A drag that the library knows nothing of. */
  function drag(node: SceneNode, by: Point): void {
    taken.value ??= { id: node.id, byLibrary: false };
    shift.value = by;
  }

  function drop(node: SceneNode): void {
    const by = shift.value;
    taken.value = null;
    shift.value = NOWHERE;
    if (by.x !== 0 || by.y !== 0) moveBy(node.id, by);
  }

  return {
    shift,
    isHeld,
    moving,
    following,
    drag,
    drop,
    onDragStart,
    onDrag: (event: NodeDragEvent) => void (shift.value = shiftOf(event)),
    onDragStop,
  };
}
