/** Judges runs of the gallery with one of many mutants, and says how far they are from those without it. */
import { parentPort } from 'node:worker_threads';
import type { Accuracy } from '@engine/analysis/accuracy/measure';
import { compareRecordings, impactContacts } from '@engine/analysis/comparison/compare-recordings';
import type { ComparedRecording } from '@engine/analysis/comparison/recorded-rows';
import type { MemoryChunks } from '@engine/recording/chunks';
import type { RunSession } from '@engine/run/session';
import { fault } from './fault-switch';
import { type GalleryRun, type Judged, judge } from './judge';

export interface MutantRequest {
  /** −1 for none */
  readonly number: number;
  readonly run: GalleryRun;
  readonly measures: boolean;
  /** of the run without a mutant; null where it is not known */
  readonly accuracy: Accuracy | null;
  /** of all mutants, where executed places are asked for; 0 where not */
  readonly places: number;
}

export interface MutantAnswer {
  readonly judged: Judged;
  /**
   * largest difference of a signal from the run without a mutant, in parts of its estimated error: the larger
   * one of both runs, where that with the mutant has been measured, because a run that says itself how far
   * off it is is not wrong; null where it is not known
   */
  readonly moved: number | null;
  readonly hits: Uint8Array;
}

interface Recorded {
  readonly session: RunSession;
  readonly recording: MemoryChunks;
}

/** Parts of the range of a signal from which on a change may be a jump. */
const JUMP = 0.01;
/**
 * Parts of the range of a signal below which estimates are not asked to be right: what is left is rounding,
 * which another order of operations changes. No more are asked for than a run says its equations to hold to,
 * which a solver that goes another way to its tolerance changes.
 */
const DIGITS = 1e-12;

const known = new Map<string, Recorded>();

function recorded(
  run: GalleryRun,
  number: number,
  measures: boolean,
): { judged: Judged; found: Recorded | null } {
  let found: Recorded | null = null;
  fault.number = number;
  try {
    const judged = judge(run, measures, (session, recording) => {
      found = { session, recording };
    });
    return { judged, found };
  } finally {
    fault.number = -1;
  }
}

/** What is left of the equations, as the verdict shows it. */
const residualOf = ({ certificate }: RunSession): number =>
  Math.max(certificate.dynamics, certificate.complementarity, certificate.coneViolation);

/** @param own of the other run, where it was measured */
function distance(
  base: Recorded,
  other: Recorded,
  { signals, until }: Accuracy,
  own: Accuracy | null,
): number | null {
  const all = base.session.signals;
  const compared = signals.filter(({ time }) => time !== null);
  if (compared.length === 0) return null;
  const place = (name: string): number => all.findIndex((signal) => signal.name === name);
  const contacts = impactContacts(all);
  const recordingOf = ({ session, recording }: Recorded): ComparedRecording => ({
    source: recording,
    scheme: session.scheme,
    h: session.h,
    signals: compared.map(({ name }) => place(name)),
    impulses: contacts.map(({ signal }) => place(signal)),
  });
  const limits = Float64Array.from(compared, ({ limit }) => limit);
  const jumps = limits.map((limit) => (JUMP * limit) / base.session.accuracy);
  const span = { from: base.session.t0, to: Math.min(until, base.session.time, other.session.time) };
  const names = compared.map(({ name }) => name);
  const { difference } = compareRecordings(
    recordingOf(base),
    recordingOf(other),
    names,
    contacts,
    span,
    limits,
    jumps,
  );
  const errors = new Map(own?.signals.map(({ name, error }) => [name, error]));
  const shown = Math.max(DIGITS, residualOf(base.session), residualOf(other.session));
  const least = (k: number): number =>
    Math.max(errors.get(compared[k].name) ?? 0, (shown * limits[k]) / base.session.accuracy);
  return Math.max(
    ...difference.signals.map(({ awayMaximum }, k) =>
      awayMaximum === 0 ? 0 : awayMaximum / Math.max(compared[k].error ?? 0, least(k)),
    ),
  );
}

parentPort?.on('message', ({ number, run, measures, accuracy, places }: MutantRequest) => {
  let answer: MutantAnswer;
  fault.hits = new Uint8Array(places);
  try {
    if (number >= 0 && !known.has(run.name)) {
      const { found } = recorded(run, -1, false);
      if (found !== null) known.set(run.name, found);
    }
    const base = known.get(run.name);
    const { judged, found } = recorded(run, number, measures);
    const isComparable = base !== undefined && found !== null && accuracy !== null;
    const moved = isComparable ? distance(base, found, accuracy, judged.accuracy) : null;
    answer = { judged, moved, hits: fault.hits };
  } catch (error) {
    const verdict = { solved: 'unknown', complete: 'unknown', accurate: 'unknown', all: 'unknown' } as const;
    const judged = {
      outcome: 'failed',
      message: String(error),
      verdict,
      words: 'failed',
      digest: '',
      accuracy: null,
      seconds: 0,
    } as const;
    answer = { judged, moved: null, hits: fault.hits };
  }
  parentPort?.postMessage(answer);
});
