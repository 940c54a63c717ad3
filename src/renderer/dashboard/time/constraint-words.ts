/** What plots of contacts and other laws say of what they leave out. */
import { text } from '../../i18n';

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
