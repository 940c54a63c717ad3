/** A run that would not fit on the disk is asked about before it is started. */
import type { RunStorage } from '@contract/methods';
import { text } from '../i18n';
import { useDialogsStore } from '../stores/dialogs';
import { useNoticesStore } from '../stores/notices';
import type { RunOverrides } from '../stores/runs';
import { useHost } from '../transport/host';
import { formatBytes } from './estimate';

/** A recording that is not asked about: the host refuses to begin one where not even that is free, bytes. */
const SMALL_BYTES = 64 * 2 ** 20;
/** Steps of thinning that are offered. */
const THINNING = [10, 100, 1000, 10_000];

async function storage(): Promise<RunStorage | null> {
  try {
    return await useHost().dispatcher.dispatch('run.storage', {});
  } catch (error) {
    useNoticesStore().failure(error);
    return null;
  }
}

/**
 * @param bytes that the run would record
 * @returns what it is to be started with; null when it is not to be started
 */
export async function askIfTooLarge(overrides: RunOverrides, bytes: number): Promise<RunOverrides | null> {
  const dialogs = useDialogsStore();
  if (bytes < SMALL_BYTES) return overrides;
  const found = await storage();
  const free = found?.free ?? Infinity;
  if (bytes <= free) return overrides;
  const factor = THINNING.find((one) => bytes / one < free / 2);
  const every = (overrides.every ?? 1) * (factor ?? 1);
  const answer = await dialogs.ask(
    text('keptRuns.spaceTitle'),
    text('keptRuns.spaceMessage', {
      size: formatBytes(bytes),
      free: formatBytes(free),
      folder: found?.folder ?? '',
    }),
    [
      { value: 'cancel', label: text('common.cancel') },
      { value: 'show', label: text('keptRuns.show') },
      { value: 'run', label: text('keptRuns.spaceRun'), style: 'danger' },
      ...(factor === undefined
        ? []
        : [{ value: 'thin', label: text('keptRuns.spaceThin', { every }), style: 'primary' as const }]),
    ],
  );
  if (answer === 'show') dialogs.open = 'kept-runs';
  if (answer === 'thin') return { ...overrides, every };
  return answer === 'run' ? overrides : null;
}
