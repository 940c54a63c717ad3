/** What states of contacts and other laws are called. */
import type { ConstraintState } from '@engine/recording/constraints/constraint';
import { text } from '../i18n';

export function stateWords(state: ConstraintState | 'impact'): string {
  const piece = /^piece(\d+)$/.exec(state);
  if (piece !== null) return text('plot.piece', { number: piece[1] ?? '' });
  return text(`plot.states.${state as Exclude<ConstraintState, `piece${number}`> | 'impact'}`);
}
