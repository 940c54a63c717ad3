/** Speeds of a run that is watched, in simulated seconds for one of wall time. */
import { text } from '../i18n';

/** null: as fast as possible */
export const SPEEDS = [null, 10, 1, 0.1, 0.01] as const;

export const speedTitle = (speed: number | null): string =>
  speed === null ? text('runControl.speedFree') : text('runControl.speedTimes', { factor: speed });
