/** The size of an element of the page, as it changes. */
import { type Ref, onBeforeUnmount, reactive, watch } from 'vue';

/** @returns content box, px; 0 while there is none, or where sizes are not known (tests without a page) */
export function useSize(
  element: Readonly<Ref<HTMLElement | null>>,
): Readonly<{ width: number; height: number }> {
  const size = reactive({ width: 0, height: 0 });
  if (typeof ResizeObserver === 'undefined') return size;
  const observer = new ResizeObserver(([entry]) => {
    const { width, height } = entry.contentRect;
    Object.assign(size, { width, height });
  });
  watch(
    element,
    (next, last) => {
      if (last) observer.unobserve(last);
      if (next) observer.observe(next);
    },
    { immediate: true, flush: 'post' },
  );
  onBeforeUnmount(() => observer.disconnect());
  return size;
}
