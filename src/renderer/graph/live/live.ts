/** The state of a run at a moment as nodes of the graph show it. Pure. */
import type { SignalInfo } from '@engine/document/types';
import { formatNumber } from '../../components/numbers';

/** What a contact does at a moment. */
export type ContactState = 'open' | 'closed' | 'sliding' | 'sticking' | 'absent';

/** Signs tell the states apart where colours do not. */
export const SIGNS: Readonly<Record<ContactState, string>> = {
  open: '○',
  closed: '●',
  sliding: '⇄',
  sticking: '■',
  absent: '◌',
};

export interface LiveState {
  /** of a contact, or of what is absent by its condition; null of other elements */
  readonly contact: ContactState | null;
  /**
   * number of rows in the index sets I0 to I2: all, those whose gap is closed, those that neither open nor
   * close
   */
  readonly indexSet: 0 | 1 | 2 | null;
  /** a multiplier or coordinates in short, e.g. `λ 9.81 N` */
  readonly figure: string;
}

/** Signals of an element that its state is read from. */
export interface LiveSignals {
  readonly element: string;
  readonly gap?: SignalInfo;
  readonly gapVelocity?: SignalInfo;
  readonly multiplier?: SignalInfo;
  readonly slip?: SignalInfo;
  /** how many contacts of 3D bodies are closed, whose gap is known as an overlap only */
  readonly count?: SignalInfo;
  /** of an interaction that comes and goes */
  readonly presence?: SignalInfo;
  /** q or x, the first few */
  readonly coordinates: readonly SignalInfo[];
}

const MOST_COORDINATES = 3;
/** A gap below this, relative to the largest distance or velocity at hand, counts as closed. */
const CLOSED = 1e-6;
/** A velocity below this, in the unit of the signal, counts as none: that of a creep that no plot shows. */
const AT_REST = 1e-4;

const isSlip = ({ name }: SignalInfo): boolean => /\.(slip|tangent)/i.test(name);

/** The signals of some elements, one pass over all of a run. */
export function liveSignals(
  signals: readonly SignalInfo[],
  wanted: ReadonlySet<string>,
): Map<string, LiveSignals> {
  const found = new Map<string, { -readonly [K in keyof LiveSignals]: LiveSignals[K] }>();
  for (const signal of signals) {
    const { element, kind } = signal;
    if (element === undefined || !wanted.has(element)) continue;
    let entry = found.get(element);
    if (entry === undefined) found.set(element, (entry = { element, coordinates: [] }));
    if (signal.name === `${element}.contacts`) {
      entry.count ??= signal;
      continue;
    }
    if (isSlip(signal)) {
      if (kind === 'gapVelocity' || kind === 'outputVelocity') entry.slip ??= signal;
      continue;
    }
    // Parts of a law come and go by themselves.
    if (kind === 'presence' && signal.name === `${element}.present`) entry.presence = signal;
    else if (kind === 'gap') entry.gap ??= signal;
    else if (kind === 'gapVelocity') entry.gapVelocity ??= signal;
    else if (kind === 'impulse' || kind === 'multiplier') entry.multiplier ??= signal;
    else if ((kind === 'position' || kind === 'state') && entry.coordinates.length < MOST_COORDINATES)
      entry.coordinates = [...entry.coordinates, signal];
  }
  return found;
}

/** Names of everything that is read for some elements. */
export function namesOf(all: Iterable<LiveSignals>): string[] {
  const names: string[] = [];
  for (const { gap, gapVelocity, multiplier, slip, count, presence, coordinates } of all)
    for (const signal of [gap, gapVelocity, multiplier, slip, count, presence, ...coordinates])
      if (signal !== undefined) names.push(signal.name);
  return names;
}

/** The state of an element. @param values of its signals by name; null where they are not known */
export function liveState(signals: LiveSignals, values: ReadonlyMap<string, number>): LiveState | null {
  const read = (signal: SignalInfo | undefined): number | undefined =>
    signal === undefined ? undefined : values.get(signal.name);
  const { gap, gapVelocity, multiplier, slip, count, coordinates } = signals;
  if (read(signals.presence) === 0) return { contact: 'absent', indexSet: null, figure: '' };
  const force = read(multiplier);
  const figure = (symbol: string, value: number, unit: string): string =>
    `${symbol} ${formatNumber(value, 3)}${unit === '' ? '' : ` ${unit}`}`;
  if (gap !== undefined) {
    const distance = read(gap);
    if (distance === undefined) return null;
    const closed = read(count);
    const isNear = distance <= CLOSED * Math.max(1, Math.abs(distance)) || (force ?? 0) > 0;
    const isClosed = closed === undefined ? isNear : closed > 0;
    const rate = read(gapVelocity);
    const speed = read(slip);
    const contact = !isClosed
      ? 'open'
      : speed === undefined
        ? 'closed'
        : Math.abs(speed) > AT_REST
          ? 'sliding'
          : 'sticking';
    return {
      contact,
      indexSet: !isClosed ? 0 : rate === undefined || Math.abs(rate) > AT_REST ? 1 : 2,
      figure:
        force === undefined
          ? ''
          : figure(multiplier?.kind === 'impulse' ? 'P' : 'λ', force, multiplier?.unit ?? ''),
    };
  }
  if (coordinates.length > 0) {
    const known = coordinates.flatMap((signal) => read(signal) ?? []);
    if (known.length === 0) return null;
    const letter = coordinates[0]?.kind === 'state' ? 'x' : 'q';
    const numbers = known.map((value) => formatNumber(value, 3)).join(', ');
    const unit = known.length === 1 ? (coordinates[0]?.unit ?? '') : '';
    return { contact: null, indexSet: null, figure: `${letter} ${numbers}${unit === '' ? '' : ` ${unit}`}` };
  }
  return force === undefined
    ? null
    : { contact: null, indexSet: null, figure: figure('λ', force, multiplier?.unit ?? '') };
}
