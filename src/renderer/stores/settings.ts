/** The user's settings: read before the window is shown, shared by all windows of a host. */
import {
  type ChangedSettings,
  completeUserSettings,
  settingDefinition,
  type SettingKey,
  type Settings,
} from '@contract/settings';
import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import { useHost } from '../transport/host';
import { useNoticesStore } from './notices';

export const useSettingsStore = defineStore('settings', () => {
  const changed = shallowRef<ChangedSettings>({});
  const values = computed<Settings>(() => completeUserSettings(changed.value));
  /** writes the host has not answered: until then, what it tells is older than what the user sees */
  let unanswered = 0;

  /** Asks the host. One that does not answer leaves the defaults. */
  async function load(): Promise<void> {
    const notices = useNoticesStore();
    try {
      const state = await useHost().dispatcher.dispatch('settings.read', {});
      changed.value = state.changed;
      for (const { message, remedy } of state.problems) notices.warning(message, remedy);
    } catch (error) {
      notices.failure(error);
    }
  }

  async function send(changes: Record<string, unknown>): Promise<void> {
    unanswered++;
    try {
      const state = await useHost().dispatcher.dispatch('settings.write', { changes });
      if (unanswered === 1) changed.value = state.changed;
      for (const { message, remedy } of state.problems) useNoticesStore().warning(message, remedy);
    } catch (error) {
      // The value holds for this window; only its storing has failed.
      useNoticesStore().failure(error);
    } finally {
      unanswered--;
    }
  }

  /** Changes settings at once, and stores them. A value that is the default is not stored. */
  function change(values: Partial<Settings>): Promise<void> {
    const next: Record<string, unknown> = { ...changed.value };
    const changes: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(values)) {
      const preset = settingDefinition(key as SettingKey).default;
      if (JSON.stringify(value) === JSON.stringify(preset)) {
        delete next[key];
        changes[key] = null;
      } else next[key] = changes[key] = value;
    }
    changed.value = next;
    return send(changes);
  }

  const set = <K extends SettingKey>(key: K, value: Settings[K]): Promise<void> => change({ [key]: value });

  /** Takes settings back to their defaults. */
  function reset(keys: readonly SettingKey[]): Promise<void> {
    const next: Record<string, unknown> = { ...changed.value };
    for (const key of keys) delete next[key];
    changed.value = next;
    return send(Object.fromEntries(keys.map((key) => [key, null])));
  }

  const isChanged = (key: SettingKey): boolean => Object.hasOwn(changed.value, key);

  useHost().dispatcher.onEvent((event) => {
    if (event.event === 'settings.changed' && unanswered === 0) changed.value = event.data.changed;
  });

  return { changed, values, load, set, change, reset, isChanged };
});
