/** Fields that take the focus when the window is asked to show their place. */
import { nextTick, watch } from 'vue';
import { isWithin } from '../document/pointer';
import { usePlacesStore } from '../stores/places';

/**
 * Gives a field the focus when its place, or one inside it, is wanted. The first field that can takes the
 * wish away, so that another one mounted later does not take the focus again.
 * @param place JSON pointer of the field
 * @param control what takes the focus; null where it is not drawn
 */
export function useShownPlace(place: () => string, control: () => HTMLElement | null): void {
  const places = usePlacesStore();
  watch(
    () => places.wanted,
    async (wanted) => {
      if (wanted === null || !isWithin(wanted, place())) return;
      await nextTick();
      const target = control();
      if (target === null || places.wanted !== wanted) return;
      places.wanted = null;
      target.scrollIntoView({ block: 'nearest' });
      target.focus();
    },
    { immediate: true, flush: 'post' },
  );
}
