/** Signals that are worth showing, by their kinds. */
import type { SignalInfo } from '@engine/document/types';

/** Numbers that are the position of a body in space: x, y, z and a quaternion, whose entries have no unit. */
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

/** Positions worth a curve: of one body in space its place, of several their heights; quaternions say little in a plot. */
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
