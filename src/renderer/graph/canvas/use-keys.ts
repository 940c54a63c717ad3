/** Keys of the drawing: what has no shortcut of its own because it depends on where the focus is. */
import { useCommands } from '../../commands/definitions';
import { useWorkspaceStore } from '../../stores/workspace';
import { useDrawingStore } from '../../stores/drawing';
import { resizeNote } from '../frames/frame-edits';
import { documentId, isGroupNode, isNoteNode } from '../frames/frames';
import { nudge } from '../arrangement/arrangement';
import { useGraphStore } from '../graph-store';
import { neighbourAlong } from '../arrangement/neighbours';
import { useWiringKeys } from '../circuit/wiring-keys';
import type { GraphScene } from './scene';

const ARROWS: Readonly<Record<string, { readonly x: number; readonly y: number }>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Step of a note's size, px. */
const RESIZE = 20;

interface Surroundings {
  readonly scene: () => GraphScene;
  readonly active: () => string | null;
  readonly focusNode: (id: string | null) => Promise<void>;
}

export function useKeys({ scene, active, focusNode }: Surroundings) {
  const documents = useDrawingStore();
  const graph = useGraphStore();
  const workspace = useWorkspaceStore();
  const commands = useCommands();

  const wiring = useWiringKeys((component) => void focusNode(component));

  const nodeOf = (target: EventTarget | null): string | null =>
    target instanceof Element
      ? (target.closest<HTMLElement>('.vue-flow__node')?.dataset['id'] ?? null)
      : null;

  function resizeBy(id: string, way: { x: number; y: number }): void {
    const note = documents.model.layout.notes?.find((one) => one.id === id);
    if (note === undefined) return;
    const size = { width: note.width + RESIZE * way.x, height: note.height + RESIZE * way.y };
    resizeNote(id, size, `resize:${id}`);
  }

  /**
   * Arrow keys: with Alt along links, with nothing chosen from node to node, else they move what is chosen.
   */
  function onArrow(event: KeyboardEvent, id: string | null): void {
    const way = ARROWS[event.key];
    if (way === undefined) return;
    event.preventDefault();
    const from = id ?? active();
    if (from === null) return;
    if (id === null) {
      void focusNode(from);
      return;
    }
    const isNote = isNoteNode(id) && graph.chosen.has(id);
    if (isNote && event.altKey && event.shiftKey) {
      resizeBy(documentId(id), way);
      return;
    }
    if (event.altKey || !graph.chosen.has(id)) {
      void focusNode(neighbourAlong(scene(), from, way, event.altKey));
      return;
    }
    nudge(way, event.shiftKey);
  }

  function onKey(event: KeyboardEvent): void {
    if (event.target instanceof Element && event.target.closest('input, textarea, button, select') !== null)
      return;
    if (wiring.onKey(event, ARROWS[event.key])) return;
    const id = nodeOf(event.target);
    if (event.key in ARROWS && !event.ctrlKey && !event.metaKey) {
      onArrow(event, id);
      return;
    }
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const isChosen = graph.chosen.size > 0 || graph.chosenLink !== null;
    // With nothing chosen, these lead out of what is drawn.
    if (!isChosen && (event.key === 'Backspace' || event.key === 'Escape') && documents.submodel !== null) {
      event.preventDefault();
      documents.leave();
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      if (id !== null && graph.chosen.size === 0 && graph.chosenLink === null) graph.choose([id]);
      commands.run('graph.delete');
    } else if (event.key === 'Escape') {
      graph.choose([]);
    } else if (id !== null && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      if (event.shiftKey) graph.toggle(id);
      else {
        // A second time opens what is chosen.
        if (graph.chosen.size === 1 && graph.chosen.has(id) && isNoteNode(id)) graph.editing = id;
        else if (graph.chosen.size === 1 && graph.chosen.has(id) && isGroupNode(id))
          commands.run('graph.collapse');
        else if (graph.chosen.size === 1 && graph.chosen.has(id) && documents.enter(id)) return;
        else graph.choose([id]);
        if (scene().byId.get(id)?.element) workspace.select({ kind: 'element', id });
      }
    } else if (id === null && /^[\p{Letter}\p{Number}]$/u.test(event.key)) {
      event.preventDefault();
      graph.panel = { kind: 'palette', at: null, search: event.key };
    }
  }

  return { onKey, wiringWords: wiring.words };
}
