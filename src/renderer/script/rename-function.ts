/**
 * Renaming of a name in a script: of an exported function, everything in the document that names it follows.
 */
import { replaceRanges } from '../document/expression-names';
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
      if (own === undefined) continue;
      const places = own.map(([start, end]) => ({ start, end, by: to }));
      target.source = replaceRanges(target.source.join('\n'), places).split('\n');
    }
    if (isExported) renameUses(draft, from, to);
  });
}
