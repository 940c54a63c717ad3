/** A run from a place in a plane of initial values or parameters. */
import type { FoundBasins, NamedQuantity } from '@contract/analyses';
import type { Expression, ModelDocument } from '@engine/document/types';
import { formatNumber } from '../components/numbers';
import { text } from '../i18n';
import { useDocumentStore } from '../stores/document';
import { useNoticesStore } from '../stores/notices';
import { useRunsStore } from '../stores/runs';

/** `ball.q`, `ball.v[2]`, `circuit.x[0]`; sweeps call the initial value `initial ball.q` */
const STATE = /^(?:initial )?(\w+)\.([qvx])(?:\[(\d+)\])?$/;
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

/** The document with a value of a parameter, or else with an initial value of a state. */
export function withValue(document: ModelDocument, name: string, value: number): ModelDocument {
  if (!document.parameters.some((one) => one.name === name)) return withInitialValue(document, name, value);
  return {
    ...document,
    parameters: document.parameters.map((one) => (one.name === name ? { ...one, value } : one)),
  };
}

/** From a start of a map of basins. */
export const startInBasin = ({ x, y, t0 }: FoundBasins, at: readonly [number, number]): Promise<void> =>
  startAtPlace([x, y], at, t0 ?? undefined);

/**
 * It is drawn with the runs that are drawn already.
 * @param quantities of the plane: parameters, or states at the start @param t0 s; of the model when left out
 */
export async function startAtPlace(
  quantities: readonly [NamedQuantity, NamedQuantity],
  at: readonly [number, number],
  t0?: number,
): Promise<void> {
  const documents = useDocumentStore();
  const runs = useRunsStore();
  const { model, session } = documents;
  const started = quantities.reduce((document, { name }, k) => withValue(document, name, at[k] ?? 0), model);
  const document = t0 === undefined ? started : { ...started, simulation: { ...started.simulation, t0 } };
  const words = quantities.map(({ name }, k) => `${name} = ${formatNumber(at[k] ?? NaN, 5)}`).join(', ');
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
