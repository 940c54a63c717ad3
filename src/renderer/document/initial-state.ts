/** Moves the initial state of the document onto the joints of its model. */
import { MoreauError } from '@contract/errors';
import type { DocumentIssue } from '@engine/document/types';
import { formatNumber } from '../components/numbers';
import { text } from '../i18n';
import { useDocumentStore } from '../stores/document';
import { useNoticesStore } from '../stores/notices';
import { useHost } from '../transport/host';

/** Whether a defect is one that the projection mends. */
export const isProjectable = ({ code }: DocumentIssue): boolean =>
  code === 'initial-position-inconsistent' || code === 'initial-velocity-inconsistent';

/**
 * What a projection changed, in words; coordinates of a model may have different units, and the sizes have
 * none.
 */
function changes([positions, velocities]: readonly number[]): string {
  const words = [
    ...(positions > 0 ? [text('problems.projectedPositions', { size: formatNumber(positions, 3) })] : []),
    ...(velocities > 0 ? [text('problems.projectedVelocities', { size: formatNumber(velocities, 3) })] : []),
  ];
  const [first = '', second] = words;
  return second === undefined ? first : text('problems.projectedBoth', { first, second });
}

/** One undoable edit; a failure shows a notice and leaves the document unchanged. */
export async function projectInitialState(): Promise<void> {
  const documents = useDocumentStore();
  const notices = useNoticesStore();
  const { session, version, model } = documents;
  try {
    const projection = await useHost().dispatcher.dispatch('document.project', { document: model });
    if (session !== documents.session || version !== documents.version) return;
    if (projection.status !== 'ok') {
      const { status: code, message, remedy } = projection;
      throw new MoreauError({ code, message, remedy });
    }
    if (projection.systems.length === 0) {
      notices.info(text('problems.alreadyProjected'));
      return;
    }
    const projected = new Map(projection.systems.map((system) => [system.id, system]));
    documents.edit(text('edit.projectInitialState'), (draft) => {
      for (const system of draft.systems) {
        const { q0, v0 } = projected.get(system.id) ?? {};
        if (q0 !== undefined) system.q0 = [...q0];
        if (v0 !== undefined) system.v0 = [...v0];
      }
    });
    notices.info(text('problems.projected', { changes: changes(projection.largest) }));
  } catch (error) {
    notices.failure(error);
  }
}
