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
  impact: 'impact',
} as const;

export function stateName(state: ConstraintState | 'impact'): string {
  const piece = /^piece(\d+)$/.exec(state);
  if (piece !== null) return `piece ${piece[1] ?? ''}`;
  return STATES[state as keyof typeof STATES];
}
