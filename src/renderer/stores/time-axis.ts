/**
 * The part of the time that plots over time show: one for all those of a document while their axes are
 * linked.
 */
import { defineStore } from 'pinia';
import type { Range } from '@figures/ranges';
import { computed } from 'vue';
import { perDocument } from './per-document';
import { useSettingsStore } from './settings';

export const useTimeAxisStore = defineStore('time-axis', () => {
  const settings = useSettingsStore();
  const isLinked = computed(() => settings.values['window.linkedTimeAxes']);
  /** null shows all of a run */
  const shared = perDocument<Range | null>(() => null);
  /** wish of the cursor that the shared axis has followed: every plot hears of it */
  let followed = -1;

  function toggle(): void {
    void settings.set('window.linkedTimeAxes', !isLinked.value);
  }

  /** @returns whether a wish of the cursor is new to the shared axis */
  function follows(request: number): boolean {
    if (request === followed) return false;
    followed = request;
    return true;
  }

  return { isLinked, shared, toggle, follows };
});
