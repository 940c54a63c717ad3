/** The drawing gives way to the systems and interactions that it becomes. */
import type { ModelDocument } from '@engine/document/types';
import { text } from '../i18n';
import { useDocumentStore } from '../stores/document';
import { useNoticesStore } from '../stores/notices';
import { useWorkspaceStore } from '../stores/workspace';
import { useHost } from '../transport/host';

/** One undoable edit; a failure shows a notice and leaves the document unchanged. */
export async function turnPlain(): Promise<void> {
  const documents = useDocumentStore();
  const { session, version, model: document } = documents;
  try {
    const { text: written } = await useHost().dispatcher.dispatch('document.export', {
      document,
      format: 'json',
      expand: true,
    });
    if (session !== documents.session || version !== documents.version) return;
    const plain = JSON.parse(written) as ModelDocument;
    documents.edit(text('equations.edit.plain'), (draft) => {
      for (const key of ['components', 'instances', 'wires', 'submodels'] as const) delete draft[key];
      Object.assign(draft, plain);
    });
    useWorkspaceStore().select({ kind: 'model' });
  } catch (error) {
    useNoticesStore().failure(error);
  }
}
