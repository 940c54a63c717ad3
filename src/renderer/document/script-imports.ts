/**
 * Imports between scripts of a model, as they are written: what has to come along when a script is taken to
 * another model.
 */
import type { ScriptDocument } from '@engine/document/types';

/** `import { f } from './other'`, over several lines too. The name of the script is the third part. */
const IMPORT = /(\bimport\s*(?:type\s*)?\{[^{}]*\}\s*from\s*(['"])\.\/)([\w-]+)((?:\.ts)?\2)/g;

const textOf = ({ source }: ScriptDocument): string => source.join('\n');

/** Names of the scripts that a script imports from. */
const importsOf = (script: ScriptDocument): string[] =>
  [...textOf(script).matchAll(IMPORT)].map(([, , , name]) => `${name}.ts`);

/** Scripts with all that they import, and what that imports; in the order of the document. */
export function withImported(
  scripts: readonly ScriptDocument[],
  all: readonly ScriptDocument[],
): ScriptDocument[] {
  const found = new Set(scripts);
  // What is added to a set while it is gone through is met, too.
  for (const script of found)
    for (const name of importsOf(script)) {
      const imported = all.find((one) => one.name === name);
      if (imported !== undefined) found.add(imported);
    }
  return all.filter((script) => found.has(script));
}

/** The script with the imports of others under their new names. */
export function withRenamedImports(
  script: ScriptDocument,
  names: ReadonlyMap<string, string>,
): ScriptDocument {
  const text = textOf(script).replace(
    IMPORT,
    (_, before: string, _quote: string, name: string, after: string) =>
      before + (names.get(`${name}.ts`) ?? `${name}.ts`).replace(/\.ts$/, '') + after,
  );
  return { ...script, source: text.split('\n') };
}

/** Whether two scripts say the same. */
export const saysTheSame = (one: ScriptDocument, other: ScriptDocument): boolean =>
  textOf(one) === textOf(other);
