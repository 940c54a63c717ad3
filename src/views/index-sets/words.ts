/** What states of contacts and other laws are called, in the legend and in the readout. */
import type { ConstraintState } from '@engine/recording/constraints/constraint';

const STATES = {
  open: 'open',
  closed: 'closed',
  stick: 'sticking',
  slideForward: 'sliding forwards',
  slideBackward: 'sliding backwards',
  lower: 'at the lower bound',
  between: 'sliding mode',
  upper: 'at the upper bound',
  present: 'there',
  absent: 'absent',
  impact: 'impact',
} as const;

export function stateName(state: ConstraintState | 'impact'): string {
  const piece = /^piece(\d+)$/.exec(state);
  if (piece !== null) return `piece ${piece[1] ?? ''}`;
  return STATES[state as keyof typeof STATES];
}

/** Its texts in the window. */
export const indexSetsTexts = {
  title: 'Index sets',
  label: 'States over time of {names}. Arrow keys pan, plus and minus zoom, 0 shows all.',
  lanes: 'States in the visible time',
  laneSummary: '{name}: {shares}; changes {changes}, impacts {impacts}.',
  shareOf: '{state} {share} % of the time',
  stateChanges: 'Changes',
  impactCount: 'Impacts',
  noRowsYet: 'Nothing has been recorded yet.',
  lanesMerged: 'A stretch that covers many rows shows every state among them.',
} as const;
