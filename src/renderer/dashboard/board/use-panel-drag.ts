/** Dragging of panels by their headers and tabs: from a press to where it is let go, Escape gives up. */
import { placeOnPage, zoomOf } from '../../components/page-zoom';
import type { ShownLayout } from '@figures/dashboard-layout';
import { onBeforeUnmount, shallowRef } from 'vue';
import { type Drop, dropAt, dropOnTab } from './drop-target';

/** Shorter movements are clicks, px. */
const THRESHOLD = 6;
/** Height of a header, px. */
const HEADER = 34;
/** What a press belongs to that begins no drag. */
const CONTROLS =
  'button, input, select, textarea, a, label, [role="menuitem"], [role="slider"], [role="combobox"]';

export interface PanelDrag {
  view: string;
  /** where it would stand; null where it stays */
  drop: Drop | null;
  /** id of the dashboard whose tab the pointer is over */
  dashboard: string | null;
  x: number;
  y: number;
}

/** @param onDrop told where a panel was let go */
export function usePanelDrag(
  board: () => HTMLElement | null,
  layout: () => ShownLayout | null,
  onDrop: (drag: PanelDrag) => void,
) {
  const drag = shallowRef<PanelDrag | null>(null);
  let start: { view: string; x: number; y: number } | null = null;

  /** The view that a press may move. */
  function viewAt(target: EventTarget | null): string | null {
    if (!(target instanceof Element)) return null;
    const tab = target.closest<HTMLElement>('[data-tab-of]');
    if (tab !== null) return tab.dataset['tabOf'] ?? null;
    if (target.closest('.panel-header') === null || target.closest(CONTROLS) !== null) return null;
    return target.closest<HTMLElement>('[data-place]')?.dataset['place'] ?? null;
  }

  function move(event: PointerEvent): void {
    if (start === null) return;
    if (drag.value === null && Math.hypot(event.clientX - start.x, event.clientY - start.y) < THRESHOLD)
      return;
    const element = board();
    if (element === null) return;
    const zoom = zoomOf(element);
    const bounds = element.getBoundingClientRect();
    const at = placeOnPage(element, event);
    const over = document.elementFromPoint(event.clientX, event.clientY);
    const dashboard = over?.closest<HTMLElement>('[data-dashboard]')?.dataset['dashboard'] ?? null;
    const isOver = over !== null && (element.contains(over) || element.parentElement === over);
    const tab = over?.closest<HTMLElement>('[data-tab-of]')?.dataset['tabOf'];
    const drop = !isOver
      ? null
      : tab === undefined
        ? dropAt(
            layout(),
            start.view,
            at,
            { width: bounds.width / zoom, height: bounds.height / zoom },
            HEADER,
          )
        : dropOnTab(layout(), start.view, tab);
    drag.value = { view: start.view, drop, dashboard, x: event.clientX / zoom, y: event.clientY / zoom };
  }

  function end(): void {
    start = null;
    drag.value = null;
    for (const [type, listener] of listeners) window.removeEventListener(type, listener, true);
  }

  function up(): void {
    const done = drag.value;
    end();
    if (done !== null) onDrop(done);
  }

  function key(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || drag.value === null) return;
    event.preventDefault();
    event.stopPropagation();
    end();
  }

  const listeners: readonly [string, EventListener][] = [
    ['pointermove', move as EventListener],
    ['pointerup', up],
    ['pointercancel', end],
    ['keydown', key as EventListener],
  ];

  function press(event: PointerEvent): void {
    const view = event.button === 0 ? viewAt(event.target) : null;
    if (view === null) return;
    start = { view, x: event.clientX, y: event.clientY };
    for (const [type, listener] of listeners) window.addEventListener(type, listener, true);
  }

  onBeforeUnmount(end);
  return { drag, press };
}
