/**
 * What a run comes to: whether its equations hold, whether no event was missed, how accurate it is. Every
 * door shows the same verdict.
 */
import type { Accuracy, SignalAccuracy } from '@engine/analysis/accuracy/measure';
import type { CertificateSummary, RunInfo } from './runs';

/**
 * Worst violation that counts as satisfied: well above rounding, well below any modelling error. `SATISFIED`
 * of the engine is the same number.
 */
export const TOLERANCE = 1e-8;

/** Largest of the three figures that schemes share, and of control blocks; NaN where one is none. */
export const worstOf = ({ complementarity, coneViolation, dynamics, blocks }: CertificateSummary): number =>
  Math.max(complementarity, coneViolation, dynamics, blocks?.worst ?? 0);

/**
 * Largest figure of a run that counts as satisfied: what its solver was asked for, where that is more than
 * rounding.
 */
export const limitOf = ({ limit }: CertificateSummary): number => Math.max(limit ?? 0, TOLERANCE);

/** Whether the equations hold. What is not a number fails: it must not pass for satisfied. */
export const isCertified = (certificate: CertificateSummary): boolean =>
  worstOf(certificate) <= limitOf(certificate) && (certificate.blocks?.worst ?? 0) <= TOLERANCE;

/** `unknown` is not a failure: it was not checked, or cannot be known. */
export type Judgement = 'holds' | 'fails' | 'unknown';

export interface Verdict {
  solved: Judgement;
  complete: Judgement;
  accurate: Judgement;
  /** the worst of the three */
  all: Judgement;
}

export type Judged = Pick<RunInfo, 'statistics' | 'accuracy'>;

export function verdictOf({ statistics, accuracy }: Judged): Verdict {
  const solved = isCertified(statistics.certificate) ? 'holds' : 'fails';
  const complete = judgedComplete(statistics.complete);
  const accurate = gainsEnergy(statistics) ? 'fails' : judgedAccuracy(accuracy);
  return { solved, complete, accurate, all: worstJudgement([solved, complete, accurate]) };
}

/** Whether its steps have added more energy than an accurate run may gain, whatever else is known of it. */
export const gainsEnergy = ({ energyGain }: Pick<RunInfo['statistics'], 'energyGain'>): boolean =>
  energyGain !== undefined && energyGain !== null && !(energyGain.share <= energyGain.limit);

export function worstJudgement(all: readonly Judgement[]): Judgement {
  if (all.includes('fails')) return 'fails';
  return all.includes('unknown') ? 'unknown' : 'holds';
}

function judgedComplete(complete: RunInfo['statistics']['complete']): Judgement {
  if (complete === undefined) return 'unknown';
  if (typeof complete === 'object') return 'unknown';
  return complete ? 'holds' : 'fails';
}

/** Where motions part no step length tells more: that is no fault of the run. */
export function judgedAccuracy(known: RunInfo['accuracy']): Judgement {
  if (known?.state !== 'measured') return 'unknown';
  const { accuracy } = known;
  if (accuracy.parts) return 'unknown';
  if (!accuracy.signals.every(isAccurate)) return 'fails';
  // A signal that was never compared, as between impacts without end, is not known to be right.
  return wasCompared(accuracy) ? 'holds' : 'unknown';
}

/** Whether each signal of the state was compared with finer runs at some time. */
export const wasCompared = ({ signals }: Accuracy): boolean =>
  signals.length > 0 && signals.every(({ time }) => time !== null);

/** Whether no error is known that is larger than it may be; one that is not a number is. */
export const isAccurate = ({ error, limit }: SignalAccuracy): boolean => error === null || error <= limit;

/** The signal that decides how accurate a run is; null where that is not known. */
export function decisiveSignal(known: RunInfo['accuracy']): SignalAccuracy | null {
  return known?.state === 'measured' ? worstSignal(known.accuracy) : null;
}

/** The signal whose error is the largest part of what it may be; null without signals. */
export function worstSignal({ signals }: Accuracy): SignalAccuracy | null {
  let worst: SignalAccuracy | null = null;
  for (const signal of signals) if (worst === null || shareOf(signal) > shareOf(worst)) worst = signal;
  return worst;
}

/** Error in parts of what it may be. Of a signal that stays zero nothing is allowed. */
function shareOf({ error, limit }: SignalAccuracy): number {
  if (error === null || error === 0) return 0;
  const share = error / limit;
  // What is not a number is worse than any.
  return Number.isNaN(share) ? Infinity : share;
}
