/** Gestures on the circuit: wires from pin to pin, onto wires and onto the empty canvas; choosing wires. */
import type { Connection } from '@vue-flow/core';
import { shallowRef, watch } from 'vue';
import { stretchAt, withShifted } from '@figures/circuit/lines';
import { useDrawingStore } from '../../stores/drawing';
import { layWire, pinsFit, wirePins, wireToWire } from '../editing/circuit-edits';
import { useGraphStore } from '../graph-store';
import { useWorkspaceStore } from '../../stores/workspace';
import type { Point } from '../arrangement/layout';
import { useCircuitStore } from './circuit-store';

interface Surroundings {
  readonly moving: () => ReadonlySet<string>;
  readonly shift: () => Point;
  readonly pointOf: (event: MouseEvent) => Point;
}

/** A pin that was let go closer to where it was taken has only been clicked, px of the page. */
const SLACK = 8;

export function useCircuit({ moving, shift, pointOf }: Surroundings) {
  const circuit = useCircuitStore();
  const graph = useGraphStore();
  const workspace = useWorkspaceStore();
  /** pin that a wire is being dragged from */
  const from = shallowRef<string | null>(null);
  let start: Point = { x: 0, y: 0 };
  let isJoined = false;

  watch([() => moving(), () => shift()], ([ids, by]) => {
    const isStill = ids.size === 0 || (by.x === 0 && by.y === 0);
    const drag = isStill ? null : { ids: new Set([...ids].filter((id) => circuit.components.has(id))), by };
    circuit.drag = drag === null || drag.ids.size === 0 ? null : drag;
  });

  /** @returns whether the connection is one of pins */
  function connect({ source, target, sourceHandle, targetHandle }: Connection): boolean {
    const isPin = circuit.components.has(source) || circuit.components.has(target);
    if (!isPin) return false;
    isJoined = true;
    if (circuit.components.has(source) && circuit.components.has(target))
      wirePins(`${source}.${sourceHandle ?? ''}`, `${target}.${targetHandle ?? ''}`);
    return true;
  }

  function begin(node: string | undefined, handle: string | null | undefined, event: MouseEvent): void {
    isJoined = false;
    from.value = node !== undefined && circuit.components.has(node) ? `${node}.${handle ?? ''}` : null;
    start = { x: event.clientX, y: event.clientY };
  }

  /** A wire that was let go: on another wire it joins that, on the empty canvas what fits is offered. */
  function end(event: MouseEvent | undefined): void {
    const pin = from.value;
    from.value = null;
    if (pin === null || isJoined || event === undefined || !(event.target instanceof Element)) return;
    if (Math.hypot(event.clientX - start.x, event.clientY - start.y) < SLACK) return;
    const wire = event.target.closest<SVGElement>('[data-wire]')?.dataset['wire'];
    if (wire !== undefined) wireToWire(pin, wire);
    else if (event.target.closest('.vue-flow__node, .palette') === null) {
      const at = pointOf(event);
      // The click that ends the drag would take the keyboard back to the drawing.
      setTimeout(() => (graph.panel = { kind: 'palette', at, search: '', from: pin }));
    }
  }

  /** Whether the wire that is being dragged may end at a component; null while none is. */
  function fits(id: string): boolean | null {
    if (from.value === null || from.value.startsWith(`${id}.`)) return null;
    const pins = circuit.components.get(id)?.definition?.pins ?? [];
    return pins.some(({ name }) => pinsFit(from.value ?? '', `${id}.${name}`));
  }

  /** Chooses a wire; of its stretches the one that was clicked, which deletion takes out. */
  function choose(wire: string, branch: number, event: MouseEvent): void {
    // Keys are for what was clicked.
    if (event.currentTarget instanceof Element)
      event.currentTarget.closest<HTMLElement>('.stage')?.focus({ preventScroll: true });
    if (event.ctrlKey || event.metaKey || event.shiftKey) {
      graph.toggle(wire);
      return;
    }
    graph.choose([wire]);
    workspace.select({ kind: 'element', id: wire });
    graph.chosenBranch = branch < 0 ? null : { wire, branch };
  }

  /** Moves a stretch of a wire across itself, as long as the button is held. */
  function drag(wire: string, branch: number, event: MouseEvent): void {
    const drawn = circuit.wires.find(({ id }) => id === wire);
    const begin = pointOf(event);
    const stretch = drawn === undefined ? null : stretchAt(drawn, branch, begin);
    if (drawn === undefined || stretch === null) return;
    event.preventDefault();
    let isMoved = false;
    const onMove = (move: MouseEvent): void => {
      const to = pointOf(move);
      const by = stretch.isLevel ? to.y - begin.y : to.x - begin.x;
      if (!isMoved && Math.abs(by) < SLACK) return;
      isMoved = true;
      layWire(wire, withShifted(drawn, stretch, by));
    };
    const onEnd = (): void => {
      window.removeEventListener('mousemove', onMove);
      window.removeEventListener('mouseup', onEnd);
      if (isMoved) useDrawingStore().endGesture();
    };
    window.addEventListener('mousemove', onMove);
    window.addEventListener('mouseup', onEnd);
  }

  return { from, drag, connect, begin, end, fits, choose };
}
