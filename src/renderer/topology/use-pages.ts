/** A long list shown a page at a time: a thousand rows of a table take the window a noticeable time. */
import { computed, type ComputedRef, nextTick, type ShallowRef, shallowRef, watch } from 'vue';

const PAGE = 100;

export interface Pages<Item> {
  readonly visible: ComputedRef<readonly Item[]>;
  /** that are not shown */
  readonly left: ComputedRef<number>;
  /** that `more` would show */
  readonly next: ComputedRef<number>;
  more(): void;
  /** Shows as many pages as it takes to see an item. */
  reach(position: number): void;
}

export function usePages<Item>(items: () => readonly Item[]): Pages<Item> {
  const shown = shallowRef(PAGE);
  const left = computed(() => Math.max(0, items().length - shown.value));
  return {
    visible: computed(() => items().slice(0, shown.value)),
    left,
    next: computed(() => Math.min(left.value, PAGE)),
    more: () => (shown.value += PAGE),
    reach: (position) => (shown.value = Math.max(shown.value, PAGE * Math.ceil((position + 1) / PAGE))),
  };
}

/** What is selected elsewhere comes into sight. @param position of it in the list; −1 for none */
export function keepInSight(
  table: Readonly<ShallowRef<HTMLTableElement | null>>,
  pages: Pages<unknown>,
  position: () => number,
): void {
  watch(position, async (place) => {
    if (place < 0) return;
    pages.reach(place);
    await nextTick();
    table.value?.tBodies[place]?.scrollIntoView({ block: 'nearest' });
  });
}
