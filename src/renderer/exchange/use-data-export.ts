/** Has the host write a data file, and hands it to the user. */
import type { Dispatcher, WrittenTable } from '@contract/methods';
import { onBeforeUnmount, shallowRef } from 'vue';
import { text } from '../i18n';
import { describeError, useNoticesStore } from '../stores/notices';
import { useHost } from '../transport/host';

export function useDataExport() {
  const notices = useNoticesStore();
  /** how much has been written, from 0 to 1; null while nothing is */
  const part = shallowRef<number | null>(null);
  let exportId: string | null = null;

  const end = useHost().dispatcher.onEvent((event) => {
    if (event.event === 'data.progress' && event.data.exportId === exportId) part.value = event.data.part;
  });
  onBeforeUnmount(end);

  /** @param write has the host write it @returns whether the user has the file */
  async function start(
    write: (dispatcher: Dispatcher, exportId: string) => Promise<WrittenTable>,
    suggestedName: string,
  ): Promise<boolean> {
    const { dispatcher, shell, door } = useHost();
    const mine = crypto.randomUUID();
    exportId = mine;
    part.value = 0;
    try {
      const { ticket } = await write(dispatcher, mine);
      const saved = await shell.call('shell.takeExport', { ticket, suggestedName });
      // A browser has only begun to fetch it; its server drops it when that is done.
      if (saved === null || door === 'desktop') await dispatcher.dispatch('data.dropExport', { ticket });
      if (saved !== null) notices.info(text('exchange.saved', { name: saved.name }));
      return saved !== null;
    } catch (error) {
      if (describeError(error).code !== 'export-cancelled') notices.failure(error);
      return false;
    } finally {
      if (exportId === mine) {
        exportId = null;
        part.value = null;
      }
    }
  }

  function cancel(): void {
    if (exportId !== null)
      void useHost().dispatcher.dispatch('data.cancelExport', { exportId }).catch(notices.failure);
  }

  return { part, start, cancel };
}
