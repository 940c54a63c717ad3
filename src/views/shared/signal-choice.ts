/** Signals that are worth showing, by their kinds. */
import type { SignalInfo } from '@engine/document/types';

/** Numbers that are the position of a 3D body: x, y, z and a quaternion, whose entries have no unit. */
const POSE = 7;
/** Place of the height among them, and of its rate among the velocities. */
const HEIGHT = 2;

/** Positions of each element, in their order. */
function positionsByElement(signals: readonly SignalInfo[]): SignalInfo[][] {
  const elements = new Map<string | undefined, SignalInfo[]>();
  for (const signal of signals) {
    if (signal.kind !== 'position') continue;
    const list = elements.get(signal.element);
    if (list === undefined) elements.set(signal.element, [signal]);
    else list.push(signal);
  }
  return [...elements.values()];
}

const isPose = (positions: readonly SignalInfo[]): boolean =>
  positions.length === POSE && positions.at(-1)?.unit === '' && positions[0]?.unit === 'm';

/**
 * Positions worth a curve: of one 3D body its place, of several their heights; quaternions say little
 * in a plot.
 */
export function positionNames(signals: readonly SignalInfo[]): string[] {
  const elements = positionsByElement(signals);
  const isSingle = elements.length === 1;
  return elements
    .flatMap((positions) => {
      if (!isPose(positions)) return positions;
      return isSingle ? positions.slice(0, HEIGHT + 1) : positions.slice(HEIGHT, HEIGHT + 1);
    })
    .map(({ name }) => name);
}

/** Rates of the positions that are worth a curve. */
function velocityNames(signals: readonly SignalInfo[]): string[] {
  const worth = new Set(positionNames(signals));
  return positionsByElement(signals).flatMap((positions) => {
    const rates = signals.filter(
      ({ kind, element }) => kind === 'velocity' && element === positions[0]?.element,
    );
    return positions.flatMap(({ name }, k) =>
      worth.has(name) && rates[k] !== undefined ? [rates[k].name] : [],
    );
  });
}

/** What acts: multipliers, where there are none impulses, of one unit. */
function multiplierNames(signals: readonly SignalInfo[]): string[] {
  const acting = signals.filter(({ kind }) => kind === 'multiplier');
  const found = acting.length > 0 ? acting : signals.filter(({ kind }) => kind === 'impulse');
  return found.filter(({ unit }) => unit === found[0]?.unit).map(({ name }) => name);
}

/** Most curves of a time series: more have no distinct colours. */
const MOST_CURVES = 4;
/** Units that one time series shows, each on its axis. */
const MOST_UNITS = 2;
/** Time series that a model begins with, at most. */
const MOST_SERIES = 4;

/** Signals that are shown together in a time series. */
export interface SeriesChoice {
  /** id that its view begins with */
  id: 'time-series' | 'velocities' | 'multipliers' | 'observables';
  signals: string[];
}

/** What is measured, one plot for each unit that several have; single ones share theirs in pairs. */
function observablePlots(observables: readonly SignalInfo[]): string[][] {
  const byUnit = new Map<string, string[]>();
  for (const { name, unit } of observables) byUnit.set(unit, [...(byUnit.get(unit) ?? []), name]);
  const groups = [...byUnit.values()];
  const single = groups.filter(({ length }) => length === 1).flat();
  const pairs = Array.from({ length: Math.ceil(single.length / MOST_UNITS) }, (_, k) =>
    single.slice(k * MOST_UNITS, (k + 1) * MOST_UNITS),
  );
  return [...groups.filter(({ length }) => length > 1), ...pairs].map((names) => names.slice(0, MOST_CURVES));
}

/**
 * What of a model is worth a time series, in the order of its worth: positions, or states, or where none are
 * recorded what is measured, or energies; then rates, multipliers, and what is measured, quantities of
 * different units apart.
 */
export function seriesChoices(signals: readonly SignalInfo[]): SeriesChoice[] {
  const unitOf = (name: string): string => signals.find((one) => one.name === name)?.unit ?? '';
  const observables = signals.filter(({ kind }) => kind === 'observable');
  const positions = positionNames(signals);
  const states = signalNames(signals, 'state');
  const first = (positions.length > 0 ? positions : states).slice(0, MOST_CURVES);
  const units = new Set(first.map(unitOf));
  const joined: SignalInfo[] = [];
  for (const one of observables) {
    if (first.length === 0 || first.length + joined.length >= MOST_CURVES) break;
    const isOne = observables.filter(({ unit }) => unit === one.unit).length === 1;
    if (!units.has(one.unit) && (units.size >= MOST_UNITS || !isOne)) continue;
    units.add(one.unit);
    joined.push(one);
  }
  const measured = observablePlots(observables.filter((one) => !joined.includes(one)));
  if (positions.length > 0 && states.length > 0) measured.unshift(states.slice(0, MOST_CURVES));
  const choices: SeriesChoice[] = [];
  const add = (id: SeriesChoice['id'], names: readonly string[]): void => {
    if (names.length > 0) choices.push({ id, signals: names.slice(0, MOST_CURVES) });
  };
  add('time-series', [...first, ...joined.map(({ name }) => name)]);
  if (choices.length === 0)
    add('time-series', measured.shift() ?? signalNames(signals, 'energy').slice(0, MOST_UNITS));
  add('velocities', velocityNames(signals));
  add('multipliers', multiplierNames(signals));
  for (const names of measured) add('observables', names);
  return choices.slice(0, MOST_SERIES);
}

/** More moving parts than this, and the portrait of one of them says little of the model. */
const MOST_PARTS = 2;

/** Whether a portrait says something of the model. */
export const saysPortrait = (signals: readonly SignalInfo[]): boolean =>
  positionsByElement(signals).length <= MOST_PARTS && portraitAxes(signals) !== null;

/** The two quantities whose portrait shows most: q against v, or the first two states of a system. */
export function portraitAxes(signals: readonly SignalInfo[]): [SignalInfo, SignalInfo] | null {
  const [first] = positionsByElement(signals);
  const place = first !== undefined && isPose(first) ? HEIGHT : 0;
  const position = first?.[place];
  const velocity = signals.filter(
    ({ kind, element }) => kind === 'velocity' && element === position?.element,
  )[place];
  if (position !== undefined && velocity !== undefined) return [position, velocity];
  const states = signals.filter(({ kind }) => kind === 'state');
  for (const [i, state] of states.entries()) {
    const next = states[i + 1];
    if (next !== undefined && next.element === state.element) return [state, next];
  }
  return null;
}

/** Names of the signals of some kinds. */
export const signalNames = (signals: readonly SignalInfo[], ...kinds: SignalInfo['kind'][]): string[] =>
  signals.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
