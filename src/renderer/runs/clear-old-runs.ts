/** Deletes saved runs that are not pinned, after a confirmation that states their number. */
import { counted, text } from '../i18n';
import { useDialogsStore } from '../stores/dialogs';
import { useNoticesStore } from '../stores/notices';
import { useRunsStore } from '../stores/runs';
import { useHost } from '../transport/host';
import { formatBytes } from './estimate';

export async function clearOldRuns(): Promise<void> {
  const notices = useNoticesStore();
  const { dispatcher } = useHost();
  try {
    const { runs } = await dispatcher.dispatch('run.storage', {});
    const old = runs.filter(({ pinned, inUse, isDeleted }) => isDeleted || !(pinned || inUse));
    if (old.length === 0) {
      notices.info(text('keptRuns.clearNothing'));
      return;
    }
    const size = formatBytes(old.reduce((sum, { bytes }) => sum + bytes, 0));
    const answer = await useDialogsStore().ask(
      text('keptRuns.clearTitle'),
      counted('keptRuns.clearMessage', old.length, { size }),
      [
        { value: 'cancel', label: text('common.cancel') },
        { value: 'delete', label: text('keptRuns.clearDo'), style: 'danger' },
      ],
    );
    if (answer !== 'delete') return;
    const removed = await dispatcher.dispatch('run.clear', {});
    useRunsStore().forget(removed.runs.map(({ runId }) => runId));
    notices.info(counted('keptRuns.cleared', old.length, { size: formatBytes(removed.bytes) }));
  } catch (error) {
    notices.failure(error);
  }
}
