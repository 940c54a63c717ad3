/**
 * Signals that a view names and a run has not, or has with another meaning: what the plot says instead of
 * staying empty.
 */
import type { RunInfo } from '@contract/methods';
import type { SignalInfo } from '@engine/document/types';
import { text } from '../../i18n';

export interface MissingSignal {
  name: string;
  /** what the scheme of the run gives in its place */
  instead: SignalInfo | null;
}

/** A force over a step is an impulse in one scheme; the other tells both apart. */
const COUNTERPARTS: readonly (readonly [string, string])[] = [
  ['lambda', 'impulse'],
  ['normalForce', 'normalImpulse'],
  ['tangentialForce', 'tangentialImpulse'],
  ['tangentialForce1', 'tangentialImpulse1'],
  ['tangentialForce2', 'tangentialImpulse2'],
];
const COUNTERPART = new Map(
  COUNTERPARTS.flatMap(([force, impulse]) => [[force, impulse] as const, [impulse, force] as const]),
);

function counterpart(name: string): string | null {
  const match = /^(.+)\.(\w+)(\[\d+\])?$/.exec(name);
  const [, element = '', base = '', index = ''] = match ?? [];
  const other = COUNTERPART.get(base);
  return other === undefined ? null : `${element}.${other}${index}`;
}

/** Signals of the list that a run has not recorded. */
export function missingSignals(names: readonly string[], run: Pick<RunInfo, 'signals'>): MissingSignal[] {
  const known = new Map(run.signals.map((signal) => [signal.name, signal]));
  return names
    .filter((name) => !known.has(name))
    .map((name) => {
      const other = counterpart(name);
      return { name, instead: other === null ? null : (known.get(other) ?? null) };
    });
}

/** A description as it goes on in a sentence. */
const asPhrase = (description: string): string => description.charAt(0).toLowerCase() + description.slice(1);

/** The same in sentences; empty where nothing is missing. @param scheme title of the run's scheme */
export function missingHint(
  names: readonly string[],
  run: Pick<RunInfo, 'signals' | 'name'>,
  scheme: string,
): string {
  const missing = missingSignals(names, run);
  if (missing.length === 0) return '';
  const sentences = missing.flatMap(({ name, instead }) =>
    instead === null
      ? []
      : [
          text('plot.notOfScheme', { scheme, signal: name }),
          text('plot.insteadOf', {
            signal: instead.name,
            description: asPhrase(instead.description),
          }),
        ],
  );
  const others = missing.filter(({ instead }) => instead === null).map(({ name }) => name);
  if (others.length > 0)
    sentences.push(text('plot.notRecorded', { run: run.name, signals: others.join(', ') }));
  return sentences.join(' ');
}

/** Signals that mean something else in a run that is drawn behind, in sentences. */
export function otherMeanings(
  names: readonly string[],
  run: Pick<RunInfo, 'signals' | 'scheme'>,
  behind: readonly Pick<RunInfo, 'signals' | 'scheme' | 'name'>[],
): string {
  const sentences: string[] = [];
  for (const other of behind) {
    if (other.scheme === run.scheme) continue;
    for (const name of names) {
      const here = run.signals.find((signal) => signal.name === name);
      const there = other.signals.find((signal) => signal.name === name);
      if (here === undefined || there === undefined || here.description === there.description) continue;
      sentences.push(
        text('plot.otherMeaning', {
          signal: name,
          run: other.name,
          description: asPhrase(there.description),
        }),
      );
    }
  }
  return sentences.join(' ');
}
