/** A run from a start of a plane. */
import type { FoundBasins } from '@contract/analyses';
import type { Expression, ModelDocument } from '@engine/document/types';
import { formatNumber } from '../components/numbers';
import { text } from '../i18n';
import { useDocumentStore } from '../stores/document';
import { useNoticesStore } from '../stores/notices';
import { useRunsStore } from '../stores/runs';

/** `ball.q`, `ball.v[2]`, `circuit.x[0]` */
const STATE = /^(\w+)\.([qvx])(?:\[(\d+)\])?$/;
const FIELDS = { q: 'q0', v: 'v0', x: 'x0' } as const;

/** The document with an initial value of a state; as it was where no system of the document has it. */
export function withInitialValue(document: ModelDocument, state: string, value: number): ModelDocument {
  const match = STATE.exec(state);
  if (match === null) return document;
  const [, id, part, index = '0'] = match;
  const field = FIELDS[part as keyof typeof FIELDS];
  return {
    ...document,
    systems: document.systems.map((system) => {
      const present = system[field];
      if (system.id !== id || !Array.isArray(present)) return system;
      const next = [...(present as Expression[])];
      next[Number(index)] = value;
      return { ...system, [field]: next };
    }),
  };
}

/** It is drawn with the runs that are drawn already. */
export async function startInBasin({ x, y, t0 }: FoundBasins, at: readonly [number, number]): Promise<void> {
  const documents = useDocumentStore();
  const runs = useRunsStore();
  const { model, session } = documents;
  const started = [x.name, y.name].reduce(
    (document, name, k) => withInitialValue(document, name, at[k] ?? 0),
    model,
  );
  const document = { ...started, simulation: { ...started.simulation, t0 } };
  const words = [x, y].map(({ name }, k) => `${name} = ${formatNumber(at[k] ?? NaN, 5)}`).join(', ');
  const before = runs.drawn.map((one) => one.runId);
  try {
    const run = await runs.launch(
      { name: text('plot.fromBasins', { words }) },
      { session, origin: model, document },
    );
    if (run !== null) runs.showWith(run.runId, before);
  } catch (error) {
    useNoticesStore().failure(error);
  }
}
