/** Starts a run, after asking about one that would take very long or much of the disk. */
import { formatDuration } from '../components/numbers';
import { counted, text } from '../i18n';
import { useDialogsStore } from '../stores/dialogs';
import { useRunControlStore } from '../stores/run-control';
import { type RunOverrides, useRunsStore } from '../stores/runs';
import { useSettingsStore } from '../stores/settings';
import { askIfTooLarge } from './disk-space';
import { type Estimate, formatBytes, isLong, thinning } from './estimate';

/** Rows, disk and time of a run, in words. */
export function estimateWords({ rows, bytes, seconds }: Estimate): {
  rows: string;
  size: string;
  duration: string;
} {
  return {
    rows: counted('runControl.with.rows', rows),
    size: formatBytes(bytes),
    duration:
      seconds === null
        ? text('runControl.with.durationUnknown')
        : text('runControl.with.duration', { time: formatDuration(seconds) }),
  };
}

/** @returns what the run is to be started with; null when the user thinks better of it */
export async function askIfLong(overrides: RunOverrides, runs = 1): Promise<RunOverrides | null> {
  const control = useRunControlStore();
  const one = control.estimate(overrides);
  if (one === null) return overrides;
  const estimate = { ...one, bytes: one.bytes * runs, rows: one.rows * runs };
  const million = useSettingsStore().values['runs.askAboveMillionSteps'];
  const tooMany = million > 0 && estimate.steps * runs > million * 1e6;
  if (!isLong(estimate) && !tooMany) return askIfTooLarge(overrides, estimate.bytes);
  const thinner = thinning(estimate);
  const every = (overrides.every ?? 1) * thinner;
  const answer = await useDialogsStore().ask(
    text('runControl.long.title'),
    text('runControl.long.message', estimateWords(estimate)),
    [
      { value: 'cancel', label: text('common.cancel') },
      { value: 'settings', label: text('runControl.long.settings') },
      { value: 'thin', label: text('runControl.long.thin', { every }) },
      { value: 'run', label: text('runControl.long.run'), style: 'primary' },
    ],
  );
  if (answer === 'settings') control.openDialog('with', null);
  if (answer === 'thin') return askIfTooLarge({ ...overrides, every }, estimate.bytes / thinner);
  return answer === 'run' ? askIfTooLarge(overrides, estimate.bytes) : null;
}

export async function startChecked(overrides: RunOverrides = {}): Promise<void> {
  const asked = await askIfLong(overrides);
  if (asked !== null) await useRunsStore().start(asked);
}
