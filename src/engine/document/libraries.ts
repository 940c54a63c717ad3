/**
 * Libraries: files of components of one’s own. What a model uses of one is copied into it, and pinned by
 * the hash of its content: a change of the copy is seen, and the file is read only when its user asks for
 * that. A library holds definitions, which are data: it has no scripts, and what its expressions may do is
 * what those of a document may.
 */
import { z } from 'zod';
import type { DocumentIssue, LibraryDocument, ModelDocument, SubmodelDocument } from './types';
import { submodelSchema } from './schema';
import { sha256 } from './sha256';
import { writeSubmodels } from './write';

/** A library as it stands in its file. */
interface LibraryFile {
  moreauLibrary: number;
  title: string;
  submodels: SubmodelDocument[];
}

const VERSION = 1;
/** Definitions of a library, at most. */
const MOST = 1000;

const schema = z.strictObject({
  moreauLibrary: z.literal(VERSION),
  title: z.string().min(1).max(200),
  submodels: z.array(submodelSchema).min(1).max(MOST),
});

const byId = (submodels: readonly SubmodelDocument[]): SubmodelDocument[] =>
  submodels.toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** The hash by which a library is pinned: of the text of its definitions, by their ids. */
export const libraryHash = (submodels: readonly SubmodelDocument[]): string =>
  sha256(writeSubmodels(byId(submodels)));

/** The text of a library file. */
export function writeLibrary(title: string, submodels: readonly SubmodelDocument[]): string {
  const list = writeSubmodels(byId(submodels));
  return `{\n  "moreauLibrary": ${VERSION},\n  "title": ${JSON.stringify(title)},\n  "submodels": ${list}\n}\n`;
}

export type ReadLibrary =
  | { readonly ok: true; readonly library: LibraryFile; readonly hash: string }
  | { readonly ok: false; readonly message: string; readonly remedy: string };

const refused = (message: string, remedy: string): ReadLibrary => ({ ok: false, message, remedy });

/** Reads a library file, which may be a stranger’s. Never throws for what is in it. */
export function readLibrary(text: string): ReadLibrary {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused('The file is not JSON.', 'Choose a file that was saved as a library.');
  }
  const { data, error } = schema.safeParse(value);
  if (data === undefined) {
    const [issue] = error.issues;
    const place = issue.path.map(String).join('/');
    return refused(
      `The library is not one that can be used: at “/${place}”, ${issue.message}.`,
      'Choose a file that was saved as a library; it holds definitions only, and no scripts.',
    );
  }
  const library = data as LibraryFile;
  const ids = library.submodels.map(({ id }) => id);
  const twice = ids.find((id, k) => ids.indexOf(id) !== k);
  if (twice !== undefined)
    return refused(`“${twice}” stands twice in the library.`, 'Rename one in the file.');
  for (const { id, instances = [] } of library.submodels)
    for (const { of } of instances)
      if (!ids.includes(of))
        return refused(
          `“${id}” of the library holds a “${of}”, which is not in it.`,
          'Save the library again from a model that has both.',
        );
  return { ok: true, library, hash: libraryHash(library.submodels) };
}

/** Libraries whose content is not in the document as it is pinned. */
export function libraryIssues({
  libraries = [],
  submodels = [],
}: Pick<ModelDocument, 'libraries' | 'submodels'>): DocumentIssue[] {
  const all = new Map(submodels.map((one) => [one.id, one]));
  return libraries.flatMap((library: LibraryDocument, k): DocumentIssue[] => {
    const missing = library.submodels.filter((id) => !all.has(id));
    const issue = (code: string, message: string, remedy: string): DocumentIssue => ({
      severity: 'warning',
      code,
      pointer: `/libraries/${k}`,
      message,
      remedy,
    });
    if (missing.length > 0)
      return [
        issue(
          'library-incomplete',
          `“${missing.join('”, “')}” of the library “${library.name}” is not in the document.`,
          'Update it from its file, or take the library out of the list.',
        ),
      ];
    const own = library.submodels.flatMap((id) => all.get(id) ?? []);
    return libraryHash(own) === library.hash
      ? []
      : [
          issue(
            'library-changed',
            `What is in the document of the library “${library.name}” is not what it was pinned as.`,
            'Update it from its file, or take the library out of the list to keep the change as one’s own.',
          ),
        ];
  });
}
