/** What of a row of entries has no room. */
import { nextTick, onMounted, onUpdated, type Ref, shallowRef, watch } from 'vue';
import { useSize } from './use-size';

/**
 * Counts the entries of a list that wrap: only its first line is seen.
 * @param box what has the room; it must not grow with the list
 */
export function useWrapped(list: Readonly<Ref<HTMLElement | null>>, box: Readonly<Ref<HTMLElement | null>>) {
  const hidden = shallowRef<string[]>([]);
  function measure(): void {
    const entries = [...(list.value?.children ?? [])].filter((one) => one instanceof HTMLElement);
    const line = entries[0]?.offsetTop ?? 0;
    const next = entries.filter(({ offsetTop }) => offsetTop > line + 4).map((one) => one.textContent.trim());
    if (next.join('\n') !== hidden.value.join('\n')) hidden.value = next;
  }
  onMounted(measure);
  onUpdated(measure);
  watch(useSize(box), () => void nextTick(measure));
  return hidden;
}

/**
 * Whether a row of entries goes beyond its end. What then stands beside it takes from its room: it is cut
 * until it would fit without that.
 * @param box what has the room
 */
export function useCut(list: () => HTMLElement | null, box: Readonly<Ref<HTMLElement | null>>) {
  const isCut = shallowRef(false);
  function measure(): void {
    const element = list();
    if (element === null) return;
    const first = element.firstElementChild;
    const last = element.lastElementChild;
    if (!(first instanceof HTMLElement) || !(last instanceof HTMLElement)) return;
    const width = last.offsetLeft + last.offsetWidth - first.offsetLeft;
    isCut.value = width > element.clientWidth + (isCut.value ? BESIDE : 0) + 1;
  }
  onMounted(measure);
  onUpdated(measure);
  watch(useSize(box), () => void nextTick(measure));
  return isCut;
}

/**
 * Less than the menu of a bar takes, px: what would just fit without it stays cut, as otherwise it would
 * come and go for ever.
 */
const BESIDE = 20;
