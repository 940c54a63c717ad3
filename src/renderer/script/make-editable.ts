/** Goes from what a builder script adds to its line, and makes it the document's own. */
import type { ScriptPlace } from '@engine/errors';
import type { InteractionDocument, ModelDocument, SystemDocument } from '@engine/document/types';
import type { Draft } from 'mutative';
import { useNodePlaces } from '../graph/arrangement/node-places';
import { useCircuitStore } from '../graph/circuit/circuit-store';
import { counted, text } from '../i18n';
import { useDialogsStore } from '../stores/dialogs';
import { useDocumentStore } from '../stores/document';
import { useNoticesStore } from '../stores/notices';
import { useReportStore } from '../stores/report';
import { useWorkspaceStore } from '../stores/workspace';
import { type Built, type BuiltBy, builtBy, originsOf } from './built';

const isBuilt = (built: Built, id: string): boolean =>
  built.systems.some((system) => system.id === id) ||
  built.interactions.some((interaction) => interaction.id === id);

/** The script that adds an element and the line that does; null for an element of the document itself. */
export function scriptOriginOf(id: string): ScriptPlace | null {
  const { built } = useReportStore().report;
  if (built === undefined) return null;
  const place = originsOf(built).get(id);
  if (place !== undefined) return place;
  const builder = useDocumentStore().model.scripts.find(({ role }) => role === 'builder');
  // A line is missing where nothing of the script is left on the stack: the script itself is known.
  return builder !== undefined && isBuilt(built, id) ? { name: builder.name, line: 1, column: 1 } : null;
}

/** Shows the line of the script that adds an element. */
export function goToOrigin(id: string): void {
  const place = scriptOriginOf(id);
  if (place !== null) useWorkspaceStore().showScript(place.name, place.line, place.column);
}

/** Adds what is drawn; wires of one name become one. */
function draw(draft: ModelDocument, { components, instances, wires }: BuiltBy): void {
  if (components.length > 0) draft.components = [...(draft.components ?? []), ...components];
  if (instances.length > 0) draft.instances = [...(draft.instances ?? []), ...instances];
  for (const wire of wires) {
    const same = draft.wires?.find(({ id }) => id === wire.id);
    if (same !== undefined) same.ends.push(...wire.ends);
    else draft.wires = [...(draft.wires ?? []), wire];
  }
}

/**
 * Turns what a builder script adds into elements of the document, after asking what becomes of the script.
 * One undoable step; the nodes of the graph stay where they are drawn.
 */
export async function makeEditable(script: string): Promise<void> {
  const documents = useDocumentStore();
  const report = useReportStore();
  const notices = useNoticesStore();
  await report.refresh();
  const { session } = documents;
  const { built, issues } = report.report;
  const builders = documents.model.scripts.flatMap(({ name, role }) => (role === 'builder' ? [name] : []));
  const found = built === undefined ? null : builtBy(built, script, builders);
  const drawn = found === null ? 0 : found.components.length + found.instances.length;
  if (found === null || found.systems.length + found.interactions.length + drawn === 0) {
    const cause = issues.find((issue) => issue.script?.name === script || issue.element === script);
    notices.warning(cause?.message ?? text('scripting.buildsNothing', { name: script }));
    return;
  }
  const what =
    drawn > 0
      ? counted('circuit.components', drawn)
      : text('graph.summary', {
          systems: counted('scripting.systems', found.systems.length),
          interactions: counted('scripting.interactions', found.interactions.length),
        });
  const answer = await useDialogsStore().ask(
    text('scripting.makeEditableTitle', { what }),
    text('scripting.makeEditableMessage', { name: script }),
    [
      { value: 'cancel', label: text('common.cancel') },
      { value: 'remove', label: text('scripting.removeBuilder') },
      { value: 'keep', label: text('scripting.keepBuilder'), style: 'primary' },
    ],
  );
  if (answer === 'cancel' || session !== documents.session) return;
  const { positions } = useNodePlaces();
  const places = useCircuitStore().built;
  documents.edit(text('scripting.madeEditable', { name: script }), (draft) => {
    draft.systems.push(...(structuredClone(found.systems) as Draft<SystemDocument>[]));
    draft.interactions.push(...(structuredClone(found.interactions) as Draft<InteractionDocument>[]));
    draw(draft, structuredClone(found));
    for (const { id } of [...found.systems, ...found.interactions]) {
      const place = positions[id];
      if (place !== undefined) draft.layout.nodes[id] = { ...place };
    }
    for (const { id } of [...found.components, ...found.instances]) {
      const place = places.get(id)?.place;
      if (place !== undefined) draft.layout.nodes[id] ??= { ...place };
    }
    if (answer === 'remove') draft.scripts = draft.scripts.filter(({ name }) => name !== script);
    for (const one of draft.scripts) if (one.name === script) one.role = 'functions';
  });
  notices.info(text('scripting.editableNow', { what }));
}
