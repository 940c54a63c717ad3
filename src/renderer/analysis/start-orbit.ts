/** A run that goes along a periodic orbit that was found. */
import type { FoundOrbit } from '@contract/analyses';
import type { ModelDocument } from '@engine/document/types';
import { text } from '../i18n';
import { useDocumentStore } from '../stores/document';
import { useNoticesStore } from '../stores/notices';
import { useRunsStore } from '../stores/runs';

/** Periods of the orbit that the run lasts. */
const PERIODS = 10;

/** The document with the orbit as its initial state. */
function documentOnOrbit(document: ModelDocument, { start, period }: FoundOrbit): ModelDocument {
  const fields = new Map(start.systems.map((system) => [system.id, system.fields]));
  return {
    ...document,
    systems: document.systems.map((system) => ({ ...system, ...fields.get(system.id) })),
    ...(document.components !== undefined && {
      components: document.components.map((component) => ({ ...component, ...fields.get(component.id) })),
    }),
    simulation: { ...document.simulation, t0: start.time, tEnd: start.time + PERIODS * period },
  };
}

/** It is drawn with the runs that are drawn already. */
export async function startOnOrbit(orbit: FoundOrbit): Promise<void> {
  const documents = useDocumentStore();
  const runs = useRunsStore();
  const notices = useNoticesStore();
  const { missing } = orbit.start;
  if (missing.length > 0) notices.info(text('plot.startedAsBefore', { systems: missing.join(', ') }));
  const before = runs.drawn.map((one) => one.runId);
  try {
    const document = documentOnOrbit(documents.model, orbit);
    const started = await runs.launch(
      { name: text('analysis.onOrbit') },
      { session: documents.session, origin: documents.model, document },
    );
    if (started !== null) runs.showWith(started.runId, before);
  } catch (error) {
    notices.failure(error);
  }
}

/** An undoable edit: the model itself starts there from now on. */
export function takeOrbit(orbit: FoundOrbit): void {
  const fields = new Map(orbit.start.systems.map((system) => [system.id, system.fields]));
  useDocumentStore().edit(text('analysis.edit.takeOrbit'), (draft) => {
    for (const own of [...draft.systems, ...(draft.components ?? [])])
      Object.assign(own, structuredClone(fields.get(own.id) ?? {}));
    draft.simulation.t0 = orbit.start.time;
  });
}
