/** Files opened or saved lately, as the shell knows them. */
import type { RecentFile } from '@contract/shell';
import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { useHost } from '../transport/host';

export const useRecentStore = defineStore('recent', () => {
  /** newest first */
  const files = shallowRef<readonly RecentFile[]>([]);

  /** A shell that does not answer leaves the list as it was. */
  async function refresh(): Promise<void> {
    const found = await useHost()
      .shell.call('shell.recent', {})
      .catch(() => null);
    if (Array.isArray(found)) files.value = found;
  }

  async function clear(): Promise<void> {
    await useHost().shell.call('shell.clearRecent', {});
    await refresh();
  }

  return { files, refresh, clear };
});
