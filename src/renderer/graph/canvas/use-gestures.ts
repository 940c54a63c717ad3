/** Gestures on the drawing that the library does not have: nodes without cards, and choosing by a box. */
import { placeOnPage } from '../../components/page-zoom';
import { onBeforeUnmount, shallowRef } from 'vue';
import { drawnAt } from './draw';
import type { Point } from '../arrangement/layout';
import { contains, rectanglesOverlap, type Rectangle } from '../frames/rectangles';
import { isMovableCard, type GraphScene, type SceneNode } from './scene';
import type { View } from './viewing';

/** A pointer that moved less has clicked, px. */
const SLACK = 4;

interface Surroundings {
  readonly stage: () => HTMLElement | null;
  readonly scene: () => GraphScene;
  readonly cards: () => ReadonlySet<string>;
  readonly view: () => View;
  readonly choose: (ids: readonly string[], adds: boolean) => void;
  readonly click: (node: SceneNode, event: MouseEvent) => void;
  readonly drag: (node: SceneNode, shift: Point) => void;
  readonly drop: (node: SceneNode) => void;
}

export function useGestures(around: Surroundings) {
  /** the box that is being drawn, in px of the pane */
  const box = shallowRef<Rectangle | null>(null);
  let ending: (() => void) | null = null;
  let swallowsClick = false;

  const inPane = (event: MouseEvent): Point => placeOnPage(around.stage(), event);
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
        const inside = around
          .scene()
          // A box drawn inside a frame chooses members, one around it the group.
          .nodes.filter(
            (node) =>
              node.kind !== 'missing' &&
              (node.kind === 'frame' ? contains(area, node) : rectanglesOverlap(node, area)),
          );
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
        if (!isDragged || !isMovableCard(node)) return;
        const to = inDrawing(at);
        around.drag(node, { x: to.x - from.x, y: to.y - from.y });
      },
      (up) => {
        if (isDragged) around.drop(node);
        else around.click(node, up);
      },
    );
  }

  const isPane = (event: Event): boolean =>
    event.target instanceof Element && event.target.closest('.vue-flow__pane') !== null;

  /** The node whose name is pointed at, but nothing that has a use of its own there. */
  function handleAt({ target }: Event): SceneNode | undefined {
    if (!(target instanceof Element) || target.closest('button, input') !== null) return undefined;
    const id = target.closest<HTMLElement>('[data-graph-handle]')?.dataset['graphHandle'];
    return id === undefined ? undefined : around.scene().byId.get(id);
  }

  /** Takes what the pane would otherwise pan by. */
  function onMouseDown(event: MouseEvent): void {
    swallowsClick = false;
    if (event.button !== 0) return;
    const handle = handleAt(event);
    if (handle !== undefined) {
      event.stopPropagation();
      event.preventDefault();
      dragNode(handle, event);
      return;
    }
    if (!isPane(event)) return;
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

  return { box, pointOf, isPane, onMouseDown, onClick };
}
