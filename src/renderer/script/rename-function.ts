/**
 * Renaming of a name in a script: of an exported function, everything in the document that names it follows.
 */
import { text } from '../i18n';
import { useDocumentStore } from '../stores/document';
import { functionsOf } from './outline';
import { renameUses } from './usages';

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Why a function cannot have a name; null when it can. */
export function renameProblem(from: string, to: string): string | null {
  if (!IDENTIFIER.test(to)) return text('scripting.renameInvalid', { name: to });
  const taken = functionsOf(useDocumentStore().model.scripts).some(
    ({ name }) => name === to && name !== from,
  );
  return taken ? text('scripting.renameTaken', { name: to }) : null;
}

/** The text with other words in these ranges, which are [start, end) and do not overlap. */
export function replaceRanges(
  source: string,
  ranges: readonly (readonly [number, number])[],
  to: string,
): string {
  return [...ranges]
    .sort(([a], [b]) => b - a)
    .reduce((written, [start, end]) => written.slice(0, start) + to + written.slice(end), source);
}

/** Where a name stands in the texts of scripts. */
export type RangesByScript = ReadonlyMap<string, readonly (readonly [number, number])[]>;

/**
 * Renames a name of a script as one undoable step, in the scripts that import it, too.
 * @param ranges where it stands
 */
export function renameName(script: string, from: string, to: string, ranges: RangesByScript): void {
  const documents = useDocumentStore();
  // A name may have been picked where it is imported.
  const isExported = functionsOf(documents.model.scripts).some(
    (one) => one.name === from && (one.script === script || ranges.has(one.script)),
  );
  documents.edit(text('scripting.rename', { from, to }), (draft) => {
    for (const target of draft.scripts) {
      const own = ranges.get(target.name);
      if (own !== undefined) target.source = replaceRanges(target.source.join('\n'), own, to).split('\n');
    }
    if (isExported) renameUses(draft, from, to);
  });
}
