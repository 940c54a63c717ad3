/** Contacts whose impacts a recording shows. */
import type { SignalInfo } from '../document/types';
import type { ContactName } from './compare-recordings';

/** The gap that belongs to an impulse: `cam.impulse` → `cam.gap`, `foot.normalImpulse[1]` → `foot.gap[1]`. */
const gapOf = (impulse: string): string =>
  impulse.replace(/\.(?:impulse|normalImpulse)(?=(?:\[\d+\])?$)/, '.gap');

/** Contacts with gap and impulse among the signals; joints have impulses too, but no gap. */
export function impactContacts(signals: readonly SignalInfo[]): ContactName[] {
  const gaps = new Set(signals.flatMap(({ name, kind }) => (kind === 'gap' ? [name] : [])));
  return signals.flatMap(({ name, kind, element = '' }) =>
    kind === 'impulse' && gaps.has(gapOf(name)) ? [{ signal: name, element }] : [],
  );
}
