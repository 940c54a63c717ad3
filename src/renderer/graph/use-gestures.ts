/** Gestures on the drawing that the library does not have: nodes without cards, and choosing by a box. */
import { onBeforeUnmount, shallowRef } from 'vue';
import { drawnAt } from './draw';
import type { Point } from './layout';
import { overlaps, type Rectangle, type Scene, type SceneNode } from './scene';
import type { View } from './viewing';

/** A pointer that moved less has clicked, px. */
const SLACK = 4;

interface Surroundings {
  readonly stage: () => HTMLElement | null;
  readonly scene: () => Scene;
  readonly cards: () => ReadonlySet<string>;
  readonly view: () => View;
  readonly choose: (ids: readonly string[], adds: boolean) => void;
  readonly click: (node: SceneNode, event: MouseEvent) => void;
  readonly move: (node: SceneNode, shift: Point) => void;
}

export function useGestures(around: Surroundings) {
  /** the box that is being drawn, in px of the pane */
  const box = shallowRef<Rectangle | null>(null);
  /** how far chosen nodes are dragged at present, in the drawing */
  const shift = shallowRef<Point>({ x: 0, y: 0 });
  let ending: (() => void) | null = null;
  let swallowsClick = false;

  const inPane = (event: MouseEvent): Point => {
    const { left = 0, top = 0 } = around.stage()?.getBoundingClientRect() ?? {};
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const inDrawing = ({ x, y }: Point): Point => {
    const view = around.view();
    return { x: (x - view.x) / view.zoom, y: (y - view.y) / view.zoom };
  };
  const pointOf = (event: MouseEvent): Point => inDrawing(inPane(event));

  function follow(onMove: (event: MouseEvent) => void, onEnd: (event: MouseEvent) => void): void {
    const end = (event: MouseEvent): void => {
      ending?.();
      onEnd(event);
    };
    ending = () => {
      window.removeEventListener('mousemove', onMove);
      window.removeEventListener('mouseup', end);
      ending = null;
    };
    window.addEventListener('mousemove', onMove);
    window.addEventListener('mouseup', end);
  }

  function drawBox(event: MouseEvent): void {
    const from = inPane(event);
    const adds = event.ctrlKey || event.metaKey;
    const spanned = (to: Point): Rectangle => ({
      x: Math.min(from.x, to.x),
      y: Math.min(from.y, to.y),
      width: Math.abs(to.x - from.x),
      height: Math.abs(to.y - from.y),
    });
    follow(
      (move) => (box.value = spanned(inPane(move))),
      (up) => {
        box.value = null;
        const { x, y, width, height } = spanned(inPane(up));
        if (width < SLACK && height < SLACK) return;
        const corner = inDrawing({ x, y });
        const { zoom } = around.view();
        const area = { ...corner, width: width / zoom, height: height / zoom };
        const inside = around.scene().nodes.filter((node) => node.kind !== 'missing' && overlaps(node, area));
        around.choose(
          inside.map(({ id }) => id),
          adds,
        );
      },
    );
  }

  function dragNode(node: SceneNode, event: MouseEvent): void {
    const from = pointOf(event);
    const start = inPane(event);
    let isDragged = false;
    follow(
      (move) => {
        const at = inPane(move);
        isDragged ||= Math.hypot(at.x - start.x, at.y - start.y) > SLACK;
        if (!isDragged || node.built || node.kind === 'missing') return;
        const to = inDrawing(at);
        shift.value = { x: to.x - from.x, y: to.y - from.y };
      },
      (up) => {
        const moved = shift.value;
        shift.value = { x: 0, y: 0 };
        if (!isDragged) around.click(node, up);
        else if (moved.x !== 0 || moved.y !== 0) around.move(node, moved);
      },
    );
  }

  const isPane = (event: Event): boolean =>
    event.target instanceof Element && event.target.closest('.vue-flow__pane') !== null;

  /** Takes what the pane would otherwise pan by. */
  function onMouseDown(event: MouseEvent): void {
    swallowsClick = false;
    if (event.button !== 0 || !isPane(event)) return;
    const hit = drawnAt(around.scene(), around.cards(), pointOf(event));
    if (hit === null && !event.shiftKey) return;
    event.stopPropagation();
    event.preventDefault();
    swallowsClick = true;
    if (event.shiftKey || hit === null) drawBox(event);
    else dragNode(hit, event);
  }

  /** The click that ends a gesture is no click on the pane. */
  function onClick(event: MouseEvent): void {
    if (!swallowsClick) return;
    swallowsClick = false;
    event.stopPropagation();
  }

  onBeforeUnmount(() => ending?.());

  return { box, shift, pointOf, isPane, onMouseDown, onClick };
}
