/** Libraries of components of one’s own: saved to a file, used in a model, updated from it. */
import type { LibraryDocument, ModelDocument, SubmodelDocument } from '@engine/document/types';
import { chooseFile } from '../components/choose-file';
import { slug } from '../document/factory';
import { text } from '../i18n';
import { useDialogsStore } from '../stores/dialogs';
import { useDocumentStore } from '../stores/document';
import { useNoticesStore } from '../stores/notices';
import { useHost } from '../transport/host';

const ENDING = '.moreau-library.json';

/** Saves the components of one’s own of the document as a library. */
export async function saveLibrary(): Promise<void> {
  const { model } = useDocumentStore();
  const notices = useNoticesStore();
  try {
    const { dispatcher, shell } = useHost();
    const title = model.title || text('file.untitled');
    const { text: content } = await dispatcher.dispatch('library.write', { title, document: model });
    const data = new TextEncoder().encode(content);
    await shell.call('shell.exportFile', { suggestedName: `${slug(title)}${ENDING}`, data });
  } catch (error) {
    notices.failure(error);
  }
}

/** Puts the definitions of a library in the place of those of the same ids, and pins it. */
export function putLibrary(
  draft: ModelDocument,
  library: LibraryDocument,
  submodels: readonly SubmodelDocument[],
): void {
  const own = new Map(submodels.map((one) => [one.id, one]));
  const before = draft.submodels ?? [];
  const known = new Set(before.map(({ id }) => id));
  draft.submodels = [
    ...before.map((one) => own.get(one.id) ?? one),
    ...submodels.filter(({ id }) => !known.has(id)),
  ];
  draft.libraries = [...(draft.libraries ?? []).filter(({ name }) => name !== library.name), library];
}

/**
 * Copies the definitions of a library file into the document. Where it has others under these ids, its
 * user is asked.
 */
export async function useLibraryFile(): Promise<void> {
  const documents = useDocumentStore();
  const notices = useNoticesStore();
  try {
    const file = await chooseFile('.json,application/json');
    if (file === null) return;
    const { session } = documents;
    const read = await useHost().dispatcher.dispatch('library.read', { text: await file.text() });
    if (!read.ok) {
      notices.warning(`${read.message} ${read.remedy}`);
      return;
    }
    const { title, submodels } = read.library;
    const { model } = documents;
    const pinned = model.libraries?.find(({ name }) => name === title);
    if (pinned?.hash === read.hash && model.submodels !== undefined) {
      const { issues } = await useHost().dispatcher.dispatch('document.report', { document: model });
      if (!issues.some(({ code }) => code.startsWith('library-'))) {
        notices.info(text('submodels.libraryIsSame', { name: title }));
        return;
      }
    }
    const ids = new Set(submodels.map(({ id }) => id));
    const replaced = (model.submodels ?? []).filter(({ id }) => ids.has(id)).map(({ id }) => id);
    if (replaced.length > 0) {
      const answer = await useDialogsStore().ask(
        text('submodels.libraryReplaces', { name: title }),
        text('submodels.libraryReplacesMore', { names: replaced.join(', ') }),
        [
          { value: 'cancel', label: text('common.cancel') },
          { value: 'replace', label: text('submodels.libraryReplace'), style: 'primary' },
        ],
      );
      if (answer !== 'replace') return;
    }
    if (session !== documents.session) return;
    const library = { name: title, hash: read.hash, submodels: submodels.map(({ id }) => id) };
    documents.edit(text('submodels.edit.library', { name: title }), (draft) =>
      putLibrary(draft, library, submodels),
    );
    notices.info(text('submodels.libraryUsed', { name: title, names: library.submodels.join(', ') }));
  } catch (error) {
    notices.failure(error);
  }
}
