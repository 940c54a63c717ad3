/** What is drawn in a task of its own, so that the one that set it off stays short. */
import { onBeforeUnmount, type Ref, shallowRef, watch } from 'vue';

/**
 * A value that follows another one: at once where that is drawn by the same parts, else in the next task.
 * @param isAlike whether two values are drawn by the same parts
 */
export function useOwnTask<T>(source: () => T, isAlike: (a: T, b: T) => boolean): Readonly<Ref<T>> {
  const shown = shallowRef(source()) as Ref<T>;
  let timer: ReturnType<typeof setTimeout> | undefined;
  watch(source, (now) => {
    clearTimeout(timer);
    if (isAlike(now, shown.value)) shown.value = now;
    else timer = setTimeout(() => (shown.value = source()));
  });
  onBeforeUnmount(() => clearTimeout(timer));
  return shown;
}
