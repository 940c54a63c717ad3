/** Signals as the picker lists them: what belongs together under one heading. */
import type { SignalInfo, SignalKind } from '@engine/document/types';

export type SignalGroup =
  | 'components'
  | 'states'
  | 'velocities'
  | 'outputs'
  | 'multipliers'
  | 'held'
  | 'observables'
  | 'energies'
  | 'time';

const GROUP_OF: Readonly<Record<SignalKind, SignalGroup>> = {
  state: 'states',
  position: 'states',
  velocity: 'velocities',
  gap: 'outputs',
  gapVelocity: 'outputs',
  output: 'outputs',
  outputVelocity: 'outputs',
  impulse: 'multipliers',
  multiplier: 'multipliers',
  held: 'held',
  presence: 'outputs',
  component: 'components',
  observable: 'observables',
  energy: 'energies',
  time: 'time',
};

const ORDER: readonly SignalGroup[] = [
  'components',
  'states',
  'velocities',
  'outputs',
  'multipliers',
  'held',
  'observables',
  'energies',
  'time',
];

/** Signals by group, none empty. @param most signals listed in each group */
export function signalGroups(
  signals: readonly SignalInfo[],
  most: number,
): { group: SignalGroup; signals: SignalInfo[] }[] {
  return ORDER.map((group) => ({
    group,
    signals: signals.filter(({ kind }) => GROUP_OF[kind] === group).slice(0, most),
  })).filter(({ signals: listed }) => listed.length > 0);
}
