/** A place of a plane that was clicked, where a run is started only when that is confirmed. */
import { computed, type ComputedRef, type ShallowRef, shallowRef, watch } from 'vue';
import { formatNumber } from '../../components/numbers';
import type { PlotPointer } from '../plot/plot-gestures';

export interface StartPlace {
  /** fractions of the axes as they are; null where nothing is proposed */
  readonly proposed: ShallowRef<PlotPointer | null>;
  /** the values there */
  readonly words: ComputedRef<string>;
  readonly clear: () => void;
  readonly confirm: (isExact: boolean) => void;
}

/**
 * @param names of the quantities of the axes
 * @param placeOf the values at a place
 * @param start a run there
 * @param subject what else is shown: of another one, or where the axes show other values, the place would be
 * another, and is proposed no longer
 */
export function useStartPlace(
  names: () => readonly [string, string],
  placeOf: (at: PlotPointer) => readonly [number, number],
  start: (at: PlotPointer, isExact: boolean) => void,
  subject: () => readonly (string | boolean)[] = () => [],
): StartPlace {
  const proposed = shallowRef<PlotPointer | null>(null);
  const words = computed(() => {
    if (proposed.value === null) return '';
    const values = placeOf(proposed.value);
    return names()
      .map((name, k) => `${name} = ${formatNumber(values[k] ?? NaN, 5)}`)
      .join(', ');
  });
  const clear = (): void => {
    proposed.value = null;
  };

  function confirm(isExact: boolean): void {
    const at = proposed.value;
    clear();
    if (at !== null) start(at, isExact);
  }

  const corners = (): readonly number[] => [...placeOf({ x: 0, y: 0 }), ...placeOf({ x: 1, y: 1 })];
  watch(() => [...names(), ...corners(), ...subject()].join('\n'), clear);
  return { proposed, words, clear, confirm };
}
