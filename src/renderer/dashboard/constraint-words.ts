/** What states of contacts and other laws are called. */
import type { ConstraintState } from '@engine/recording/constraints/constraint';
import { text } from '../i18n';

export function stateWords(state: ConstraintState | 'impact'): string {
  const piece = /^piece(\d+)$/.exec(state);
  if (piece !== null) return text('plot.piece', { number: piece[1] ?? '' });
  return text(`plot.states.${state as Exclude<ConstraintState, `piece${number}`> | 'impact'}`);
}

/** What is missing among what was asked for: signals, and what is beyond those that one plot shows. */
export function constraintRemarks(
  { known, missing }: { known: readonly string[]; missing: readonly string[] },
  shown: number,
  isChosen: boolean,
): string[] {
  const said: string[] = [];
  if (missing.length > 0) said.push(text('plot.constraintsNotRecorded', { names: missing.join(', ') }));
  if (!isChosen && shown > 0 && shown + missing.length < known.length)
    said.push(text('plot.someConstraints', { shown, all: known.length }));
  return said;
}
