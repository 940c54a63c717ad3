/** Takes things out of the graph: elements with their links, notes, and groups. */
import type { ModelDocument } from '@engine/document/types';
import type { Catalogue } from '@engine/model/definition';
import { removeCircuit } from './circuits';
import { removeNotes, setGroups } from './frames';
import { removeElements } from './links';

/** Removes elements, components, wires, notes and groups by their ids; of groups only the frame. */
export function removeFromGraph(
  document: ModelDocument,
  catalogue: Catalogue | null,
  ids: readonly string[],
): void {
  const gone = new Set(ids);
  removeElements(document, catalogue, ids);
  removeCircuit(document, gone);
  const { layout } = document;
  if (layout.notes?.some(({ id }) => gone.has(id))) removeNotes(layout, gone);
  if (layout.groups?.some(({ id }) => gone.has(id)))
    setGroups(
      layout,
      layout.groups.filter(({ id }) => !gone.has(id)),
    );
}
